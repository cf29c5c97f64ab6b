#include "validate/trial.h"

#include "analysis/liquid.h"
#include "output/paths.h"

#include <math.h>
#include <string.h>

bl_status bl_trial_open(bl_context *ctx, const bl_case_run *run, const char *dir, bl_trial *out) {
    *out = (bl_trial){.ctx = ctx, .run = run};
    char *path = bl_path_make(ctx, "%s/series.csv", dir);
    bl_status status = path ? bl_reader_open(ctx, dir, &out->reader) : BL_ERR_MEMORY;
    if (status == BL_OK) status = bl_series_load(ctx, path, &out->series);
    if (status == BL_OK && out->series.row_count < 4)
        status = bl_fail(ctx, BL_ERR_DATA, "%s: %zu steps are too few to measure", path, out->series.row_count);
    bl_release(ctx, path);
    return status;
}

void bl_trial_curve_clear(bl_context *ctx, bl_trial_curve *curve) {
    bl_release(ctx, curve->x);
    bl_release(ctx, curve->y);
    bl_release(ctx, curve->law_x);
    bl_release(ctx, curve->law_y);
    *curve = (bl_trial_curve){0};
}

void bl_trial_clear(bl_trial *trial) {
    if (!trial->ctx) return;
    bl_reader_close(&trial->reader);
    if (trial->series.ctx) bl_series_clear(&trial->series);
    bl_trial_curve_clear(trial->ctx, &trial->curve);
    *trial = (bl_trial){0};
}

double bl_trial_parameter(const bl_trial *trial, const char *name, double fallback) {
    for (int k = 0; k < trial->run->parameter_count; k++)
        if (strcmp(trial->run->parameter_names[k], name) == 0) return trial->run->parameters[k];
    return fallback;
}

void bl_trial_add(bl_trial *trial, const char *name, double measured, double law) {
    if (trial->figure_count < BL_TRIAL_FIGURES)
        trial->figures[trial->figure_count++] = (bl_trial_figure){name, measured, law};
}

bl_status bl_trial_column(const bl_trial *trial, const char *name, const double **out) {
    *out = bl_series_column(&trial->series, name);
    return *out ? BL_OK : bl_fail(trial->ctx, BL_ERR_DATA, "%s/series.csv has no column %s", trial->reader.dir, name);
}

bl_status bl_trial_mean(const bl_trial *trial, const char *column, double from, double to, double *mean,
                        double *deviation) {
    const double *time, *value;
    bl_status status = bl_trial_column(trial, "time", &time);
    if (status == BL_OK) status = bl_trial_column(trial, column, &value);
    if (status != BL_OK) return status;
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t k = 0; k < trial->series.row_count; k++) {
        if (time[k] < from || time[k] > to) continue;
        sum += value[k];
        squares += value[k] * value[k];
        n++;
    }
    *mean = sum / (double)n;
    if (deviation) *deviation = sqrt(fmax(0, squares / (double)n - *mean * *mean));
    return BL_OK;
}

static double *copy_numbers(bl_context *ctx, const double *from, size_t count) {
    double *copy = bl_alloc(ctx, count, sizeof *copy);
    if (copy && count) memcpy(copy, from, count * sizeof *copy);
    return copy;
}

bl_status bl_trial_draw_law(bl_trial *trial, const double *x, const double *y, size_t count) {
    bl_trial_curve *curve = &trial->curve;
    bl_release(trial->ctx, curve->law_x);
    bl_release(trial->ctx, curve->law_y);
    curve->law_x = copy_numbers(trial->ctx, x, count);
    curve->law_y = copy_numbers(trial->ctx, y, count);
    curve->law_count = curve->law_x && curve->law_y ? count : 0;
    return curve->law_x && curve->law_y ? BL_OK : BL_ERR_MEMORY;
}

bl_status bl_trial_draw(bl_trial *trial, const char *x_label, const char *y_label, const double *x, const double *y,
                        const double *y_law, size_t count) {
    bl_trial_curve *curve = &trial->curve;
    bl_trial_curve_clear(trial->ctx, curve);
    curve->x_label = x_label;
    curve->y_label = y_label;
    curve->x = copy_numbers(trial->ctx, x, count);
    curve->y = copy_numbers(trial->ctx, y, count);
    if (!curve->x || !curve->y) return BL_ERR_MEMORY;
    curve->count = count;
    if (y_law) return bl_trial_draw_law(trial, x, y_law, count);
    double ends[2] = {x[0], x[count - 1]}, ones[2] = {1, 1};
    return bl_trial_draw_law(trial, ends, ones, 2);
}

bl_trial_liquid bl_trial_describe(const bl_trial *trial) {
    const bl_scene *scene = trial->reader.scene;
    const bl_fluid *fluid = &scene->fluids[0];
    size_t last = trial->series.row_count - 1;
    const double *time = bl_series_column(&trial->series, "time"), *radius = bl_series_column(&trial->series, "radius");
    double end = time ? time[last] : (double)NAN;
    return (bl_trial_liquid){
        .dimension = scene->dimension,
        .h = scene->spacing,
        .rho = fluid->density,
        .mu = fluid->viscosity,
        .gamma = bl_curve_at(&fluid->surface_tension, end),
        .radius = radius ? radius[last] : (double)NAN,
        .end = end,
        .g = bl_v3d_norm(bl_curve_at3(&scene->gravity, end)),
    };
}

double bl_trial_volume(const bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    return d.dimension == 2 ? M_PI * d.radius * d.radius : 4 * M_PI / 3 * pow(d.radius, 3);
}

double bl_trial_base(const bl_trial *trial) {
    const bl_scene *scene = trial->reader.scene;
    double length = scene->domain.max.x - scene->domain.min.x;
    return scene->dimension == 2 ? length : length * (scene->domain.max.z - scene->domain.min.z);
}

bl_status bl_trial_follow(const bl_trial *trial, bl_frame_number_fn fn, const void *user, double **times,
                          double **values, size_t *count) {
    const bl_reader *reader = &trial->reader;
    *count = 0;
    *times = bl_alloc(trial->ctx, reader->frame_count, sizeof **times);
    *values = bl_alloc(trial->ctx, reader->frame_count, sizeof **values);
    bl_status status = *times && *values ? BL_OK : BL_ERR_MEMORY;
    for (size_t k = 0; k < reader->frame_count && status == BL_OK; k++) {
        bl_liquid liquid = {0};
        status = bl_liquid_load(reader, -1, reader->frames[k].number, &liquid);
        if (status == BL_OK) {
            (*times)[k] = reader->frames[k].time;
            (*values)[k] = fn(user, &liquid, reader->frames[k].time);
            *count = k + 1;
        }
        bl_liquid_clear(trial->ctx, &liquid);
    }
    return status;
}
