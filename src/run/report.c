/* The dry run's report, for people and for programs. */
#include "run/plan.h"

#include <stdio.h>

/* "1.5 MB", "12 kB" */
static const char *format_bytes(char *buffer, size_t size, double bytes) {
    const char *units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 4; unit++) bytes /= 1000;
    snprintf(buffer, size, "%.3g %s", bytes, units[unit]);
    return buffer;
}

/* "0.12 ms", "none" */
static const char *format_seconds(char *buffer, size_t size, double seconds) {
    if (isinf(seconds))
        snprintf(buffer, size, "none");
    else if (seconds >= 1)
        snprintf(buffer, size, "%.4g s", seconds);
    else
        snprintf(buffer, size, seconds >= 1e-3 ? "%.4g ms" : "%.4g us", seconds * (seconds >= 1e-3 ? 1e3 : 1e6));
    return buffer;
}

static void add_limit(bl_text *text, const char *name, double seconds, const char *how) {
    char buffer[32];
    bl_text_add(text, "    %-11s %-12s %s\n", name, format_seconds(buffer, sizeof buffer, seconds), how);
}

/* In 2D masses are per metre of depth. */
static void add_bodies(const bl_scene *scene, const bl_rigid *rigid, bl_text *text) {
    const bool flat = scene->dimension == 2;
    for (int k = 0; k < bl_rigid_count(rigid); k++) {
        const bl_rigid_mass *m = bl_rigid_mass_at(rigid, k);
        bl_text_add(text, "rigid body    %-16s %.4g %s around (%.4g, %.4g, %.4g) mm, inertia ",
                    scene->boundaries[bl_rigid_boundary(rigid, k)].name, m->mass, flat ? "kg/m" : "kg",
                    1e3 * m->center.x, 1e3 * m->center.y, 1e3 * m->center.z);
        if (flat)
            bl_text_add(text, "%.4g kg m\n", m->inertia[2]);
        else
            bl_text_add(text, "%.4g %.4g %.4g kg m^2\n", m->inertia[0], m->inertia[1], m->inertia[2]);
    }
}

static void report_bodies(bl_json *json, const bl_scene *scene, const bl_rigid *rigid) {
    bl_json_begin_object(json, "rigid_bodies");
    for (int k = 0; k < bl_rigid_count(rigid); k++) {
        const bl_rigid_mass *m = bl_rigid_mass_at(rigid, k);
        bl_json_begin_object(json, scene->boundaries[bl_rigid_boundary(rigid, k)].name);
        bl_json_number(json, "mass", m->mass);
        bl_json_number(json, "volume", m->volume);
        bl_json_begin_array(json, "center");
        const double center[3] = {m->center.x, m->center.y, m->center.z};
        for (int c = 0; c < 3; c++) bl_json_number(json, NULL, center[c]);
        bl_json_end_array(json);
        bl_json_begin_array(json, "inertia");
        for (int c = 0; c < 6; c++) bl_json_number(json, NULL, m->inertia[c]);
        bl_json_end_array(json);
        bl_json_end_object(json);
    }
    bl_json_end_object(json);
}

static void report_text(const bl_scene *scene, const bl_plan *plan, const bl_warnings *warnings, bl_text *text) {
    char a[32], b[32], c[32];
    const bl_step_limits *limits = &plan->limits;
    bl_text_add(text, "scene         %s (%dD, spacing %.4g mm, scheme %s)\n", scene->name, scene->dimension,
                1e3 * scene->spacing, bl_scheme_find(scene->scheme.name)->name);
    for (int f = 0; f < scene->fluid_count; f++)
        bl_text_add(text, "fluid         %-16s %zu particles\n", scene->fluids[f].name, plan->fluid_particles[f]);
    if (plan->emitted > 0) bl_text_add(text, "sources       about %.3g particles by the end\n", plan->emitted);
    for (int k = 0; k < scene->boundary_count; k++)
        bl_text_add(text, "boundary      %-16s %zu particles\n", scene->boundaries[k].name, plan->body_particles[k]);
    add_bodies(scene, plan->rigid, text);
    bl_text_add(text, "memory        about %s\n", format_bytes(a, sizeof a, plan->memory));
    bl_text_add(text, "time step     %s at the start, bounded by %s\n", format_seconds(a, sizeof a, limits->first),
                limits->governing);
    add_limit(text, "cfl", limits->cfl, "cfl h / speed, at the speeds of the start");
    add_limit(text, "force", limits->force, "force_factor sqrt(h / g)");
    add_limit(text, "capillary", limits->capillary,
              "capillary_factor sqrt(rho h^3 / gamma), times what the scheme's calibration makes of it");
    add_limit(text, "max_step", limits->max_step, "time.max_step");
    add_limit(text, "fixed_step", limits->fixed_step, "time.fixed_step");
    bl_text_add(text, "run           %s, %d frames, about %.3g steps\n", format_seconds(a, sizeof a, plan->end),
                plan->frames, plan->steps);
    bl_text_add(text, "disk          about %s (%s a frame, %s a checkpoint)\n", format_bytes(a, sizeof a, plan->disk),
                format_bytes(b, sizeof b, plan->frame_bytes), format_bytes(c, sizeof c, plan->checkpoint_bytes));
    bl_text_add(text, "warnings      %d\n", warnings->count);
}

static void report_counts(bl_json *json, const char *key, int count, const char *(*name)(const bl_scene *, int),
                          const bl_scene *scene, const size_t *particles) {
    bl_json_begin_object(json, key);
    for (int k = 0; k < count; k++) bl_json_integer(json, name(scene, k), (long long)particles[k]);
    bl_json_end_object(json);
}

static const char *fluid_name(const bl_scene *scene, int k) { return scene->fluids[k].name; }
static const char *boundary_name(const bl_scene *scene, int k) { return scene->boundaries[k].name; }

static void report_json(const bl_scene *scene, const bl_plan *plan, const bl_warnings *warnings, bl_text *text) {
    bl_json json = bl_json_make(text, 2);
    const bl_step_limits *limits = &plan->limits;
    bl_json_begin_object(&json, NULL);
    bl_json_string(&json, "name", scene->name);
    bl_json_string(&json, "scheme", bl_scheme_find(scene->scheme.name)->name);
    report_counts(&json, "fluids", scene->fluid_count, fluid_name, scene, plan->fluid_particles);
    report_counts(&json, "boundaries", scene->boundary_count, boundary_name, scene, plan->body_particles);
    if (plan->rigid) report_bodies(&json, scene, plan->rigid);
    bl_json_integer(&json, "fluid_particles", (long long)plan->fluid_total);
    bl_json_integer(&json, "boundary_particles", (long long)plan->boundary_total);
    bl_json_number(&json, "emitted_particles", plan->emitted);
    bl_json_number(&json, "memory_bytes", plan->memory);
    bl_json_begin_object(&json, "step_limits");
    bl_json_number(&json, "cfl", limits->cfl);
    bl_json_number(&json, "force", limits->force);
    bl_json_number(&json, "capillary", limits->capillary);
    bl_json_number(&json, "max_step", limits->max_step);
    bl_json_number(&json, "fixed_step", limits->fixed_step);
    bl_json_number(&json, "first", limits->first);
    bl_json_string(&json, "governing", limits->governing);
    bl_json_end_object(&json);
    bl_json_number(&json, "end", plan->end);
    bl_json_integer(&json, "frames", plan->frames);
    bl_json_number(&json, "steps", plan->steps);
    bl_json_number(&json, "disk_bytes", plan->disk);
    bl_json_begin_array(&json, "warnings");
    for (int k = 0; k < warnings->count; k++) bl_json_string(&json, NULL, warnings->items[k]);
    bl_json_end_array(&json);
    bl_json_end_object(&json);
    bl_text_add(text, "\n");
}

/* Hand the text over as a string of its own. */
static bl_status hand_over(bl_context *ctx, bl_text *text, char **out) {
    *out = text->failed ? NULL : bl_strdup(ctx, bl_text_str(text));
    bl_text_clear(text);
    return *out ? BL_OK : BL_ERR_MEMORY;
}

bl_status bl_run_plan(bl_context *ctx, const bl_scene *scene, const bl_run_options *options, bool json, char **report) {
    *report = NULL;
    bl_sim *sim = NULL;
    bl_plan plan = {0};
    bl_warnings warnings = {0};
    bl_status status = bl_sim_create(ctx, scene, &sim);
    if (status == BL_OK) status = bl_plan_make(sim, bl_run_end(scene, options), &plan);
    if (status == BL_OK) status = bl_find_warnings(sim, &warnings);
    if (status == BL_OK) {
        bl_text text = bl_text_make(ctx);
        (json ? report_json : report_text)(scene, &plan, &warnings, &text);
        status = hand_over(ctx, &text, report);
    }
    bl_warnings_clear(&warnings);
    bl_plan_clear(ctx, &plan);
    bl_sim_destroy(sim);
    return status;
}
