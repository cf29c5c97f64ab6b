/* Estimates for the dry run: exact where the scene decides, "about" where the run will. */
#include "run/plan.h"

#include "schemes/kernels.h"
#include "schemes/observe.h"

double bl_run_end(const bl_scene *scene, const bl_run_options *options) {
    return options->until >= 0 ? options->until : scene->time.end;
}

int bl_last_frame(const bl_scene *scene, double end) {
    return (int)fmin(1e9, floor(end * scene->time.frames_per_second + 1e-6));
}

double bl_frame_time(const bl_scene *scene, int frame) { return frame / scene->time.frames_per_second; }

static bl_status count_particles(bl_sim *sim, bl_plan *plan) {
    const bl_world *world = &sim->world;
    plan->fluid_particles = bl_alloc(sim->ctx, (size_t)sim->scene->fluid_count, sizeof *plan->fluid_particles);
    plan->body_particles = bl_alloc(sim->ctx, (size_t)sim->scene->boundary_count, sizeof *plan->body_particles);
    if (!plan->fluid_particles || !plan->body_particles) return BL_ERR_MEMORY;
    for (size_t i = 0; i < world->fluid.count; i++) plan->fluid_particles[world->fluid.phase[i]]++;
    for (size_t i = 0; i < world->boundary.count; i++) plan->body_particles[world->boundary.body[i]]++;
    plan->fluid_total = world->fluid.count;
    plan->emitted = bl_sources_expected(world, &sim->sources, plan->end);
    plan->boundary_total = world->boundary.count;
    return BL_OK;
}

/* Bytes a particle in the fields with one of `flags`; 0: in all. */
static double bytes_per_particle(const bl_field_info *fields, int count, unsigned flags) {
    double bytes = 0;
    for (int f = 0; f < count; f++)
        if (flags == 0 || (fields[f].flags & flags)) bytes += (double)fields[f].item_size;
    return bytes;
}

/* With all that will be emitted: the most there can be. */
static double fluid_bytes(const bl_plan *plan, unsigned flags) {
    return ((double)plan->fluid_total + plan->emitted) * bytes_per_particle(bl_fluid_fields, BL_F_COUNT, flags);
}

static double boundary_bytes(const bl_plan *plan, unsigned flags) {
    return (double)plan->boundary_total * bytes_per_particle(bl_boundary_fields, BL_B_COUNT, flags);
}

/* Both stores, the kept state, and the neighbour lists as they are for the start. */
static bl_status estimate_memory(bl_sim *sim, bl_plan *plan) {
    bl_world *world = &sim->world;
    bl_positions fluid = {world->fluid.x, world->fluid.count}, boundary = {world->boundary.x, world->boundary.count};
    bl_status status = bl_scene_has_groups(sim->scene) ? bl_neighbours_build_grouped(world->neighbours, fluid, boundary)
                                                       : bl_neighbours_build(world->neighbours, fluid, boundary);
    size_t of_walls = 0;
    if (status == BL_OK) status = bl_neighbours_measure_boundary(world->neighbours, boundary, &of_walls);
    plan->memory = fluid_bytes(plan, 0) + boundary_bytes(plan, 0) + fluid_bytes(plan, BL_FIELD_STATE) +
                   boundary_bytes(plan, BL_FIELD_STATE) + (double)bl_neighbours_memory(world->neighbours) +
                   (double)of_walls + (double)bl_arena_peak(world->scratch);
    return status;
}

static double none_if_zero(double limit) { return limit > 0 ? limit : (double)INFINITY; }

static void find_limits(bl_sim *sim, bl_step_limits *limits) {
    const bl_scene *scene = sim->scene;
    double speed = bl_max_speed(&sim->world), gravity = bl_v3d_norm(bl_curve_at3(&scene->gravity, 0));
    limits->cfl = speed > 0 ? scene->time.cfl * scene->spacing / speed : (double)INFINITY;
    limits->force = gravity > 0 ? scene->time.force_factor * sqrt(scene->spacing / gravity) : (double)INFINITY;
    limits->capillary = sim->scheme->capillary_limit(&sim->world, sim->scheme_state);
    limits->max_step = none_if_zero(scene->time.max_step);
    limits->fixed_step = none_if_zero(scene->time.fixed_step);
    limits->first = bl_sim_step_limit(sim, &limits->governing);
}

static double estimate_steps(const bl_scene *scene, const bl_plan *plan) {
    double step = fmin(plan->limits.first, 1 / scene->time.frames_per_second);
    double steps = ceil(plan->end / step);
    return scene->time.max_steps > 0 ? fmin(steps, (double)scene->time.max_steps) : steps;
}

/* Bytes of one frame: points and OUT fields, in every format. Walls that stand still are written once. */
static void estimate_disk(const bl_sim *sim, bl_plan *plan) {
    const bl_output_def *output = &sim->scene->output;
    double formats = ((output->formats & BL_FORMAT_VTU) ? (output->base64 ? 4.0 / 3 : 1) : 0) +
                     ((output->formats & BL_FORMAT_PLY) ? 1 : 0) + ((output->formats & BL_FORMAT_VTKHDF) ? 1 : 0);
    double fluid =
        fluid_bytes(plan, BL_FIELD_OUT) + ((double)plan->fluid_total + plan->emitted) * (double)sizeof(bl_vec3);
    double walls = boundary_bytes(plan, BL_FIELD_OUT) + (double)(plan->boundary_total * sizeof(bl_vec3));
    double frames = plan->frames + 1, wall_frames = !output->boundaries ? 0 : sim->bodies_move ? frames : 1;
    const double row_bytes = 450;
    plan->frame_bytes = formats * fluid;
    plan->checkpoint_bytes = fluid_bytes(plan, BL_FIELD_STATE) + boundary_bytes(plan, BL_FIELD_STATE);
    plan->series_bytes = row_bytes * plan->steps;
    int every = output->checkpoint_every > 0 ? output->checkpoint_every : 1;
    double checkpoints = plan->frames / every + 1;
    if (output->keep_checkpoints > 0) checkpoints = fmin(checkpoints, output->keep_checkpoints);
    plan->disk = frames * plan->frame_bytes + wall_frames * formats * walls + checkpoints * plan->checkpoint_bytes +
                 plan->series_bytes;
}

bl_status bl_plan_make(bl_sim *sim, double end, bl_plan *plan) {
    *plan = (bl_plan){.rigid = sim->rigid, .end = end, .frames = bl_last_frame(sim->scene, end)};
    bl_status status = count_particles(sim, plan);
    if (status == BL_OK) status = estimate_memory(sim, plan);
    if (status != BL_OK) {
        bl_plan_clear(sim->ctx, plan);
        return status;
    }
    find_limits(sim, &plan->limits);
    plan->steps = estimate_steps(sim->scene, plan);
    estimate_disk(sim, plan);
    return BL_OK;
}

void bl_plan_clear(bl_context *ctx, bl_plan *plan) {
    bl_release(ctx, plan->fluid_particles);
    bl_release(ctx, plan->body_particles);
    *plan = (bl_plan){0};
}
