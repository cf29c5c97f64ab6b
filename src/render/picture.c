#include "render/picture.h"
#include "base/parallel.h"
#include "render/colormap.h"
#include "render/paths.h"
#include <math.h>

enum { TILE = 16 };

typedef struct job {
    const bl_stage *stage;
    bl_picture *picture;
    int samples, tiles_across;
    uint64_t seed;
} job;

/* Uniform to a tent of half width 1 around 0: neighbouring pixels overlap, edges come out smooth. */
static double tent(double u) { return u < 0.5 ? sqrt(2 * u) - 1 : 1 - sqrt(2 - 2 * u); }

static void store(const bl_picture *picture, size_t pixel, const bl_vec3d sums[2], int samples) {
    double even[3] = {sums[0].x, sums[0].y, sums[0].z}, odd[3] = {sums[1].x, sums[1].y, sums[1].z};
    int n_odd = samples / 2, n_even = samples - n_odd;
    for (size_t k = 0; k < 3; k++) {
        double half = n_odd ? (even[k] / n_even - odd[k] / n_odd) / 2 : 0;
        picture->light[3 * pixel + k] = (float)((even[k] + odd[k]) / samples);
        picture->noise[3 * pixel + k] = (float)(half * half);
    }
}

static void trace_pixel(const job *j, int x, int y) {
    const bl_picture *picture = j->picture;
    size_t pixel = (size_t)y * (size_t)picture->width + (size_t)x;
    bl_vec3d sums[2] = {bl_v3d_zero(), bl_v3d_zero()};
    for (int s = 0; s < j->samples; s++) {
        bl_sampler sampler = bl_sampler_make(j->seed, pixel, (uint32_t)s);
        double film[2], lens[2];
        bl_sampler_2d(&sampler, film);
        bl_sampler_2d(&sampler, lens);
        bl_ray ray = bl_camera_ray(&j->stage->camera, (x + 0.5 + tent(film[0])) / picture->width,
                                   (y + 0.5 + tent(film[1])) / picture->height, lens);
        if (j->stage->moves) ray.time = bl_sampler_1d(&sampler);
        bl_vec3d light = bl_path_radiance(j->stage, ray, &sampler);
        if (isfinite(light.x + light.y + light.z)) sums[s % 2] = bl_v3d_add(sums[s % 2], light);
    }
    store(picture, pixel, sums, j->samples);
}

static void trace_tiles(void *user, size_t begin, size_t end) {
    const job *j = user;
    for (size_t t = begin; t < end; t++) {
        int x0 = (int)(t % (size_t)j->tiles_across) * TILE, y0 = (int)(t / (size_t)j->tiles_across) * TILE;
        for (int y = y0; y < y0 + TILE && y < j->picture->height; y++)
            for (int x = x0; x < x0 + TILE && x < j->picture->width; x++) trace_pixel(j, x, y);
    }
}

bl_status bl_picture_trace(const bl_stage *stage, int width, int height, int samples, uint64_t seed, bl_picture *out) {
    size_t pixels = (size_t)width * (size_t)height;
    *out = (bl_picture){stage->ctx, width, height, bl_alloc(stage->ctx, pixels, 3 * sizeof(float)),
                        bl_alloc(stage->ctx, pixels, 3 * sizeof(float))};
    if (!out->light || !out->noise) {
        bl_picture_clear(out);
        return BL_ERR_MEMORY;
    }
    int across = (width + TILE - 1) / TILE, down = (height + TILE - 1) / TILE;
    job j = {stage, out, samples, across, seed};
    bl_parallel_for(stage->ctx, (size_t)across * (size_t)down, 1, trace_tiles, &j);
    return BL_OK;
}

void bl_picture_clear(bl_picture *picture) {
    if (picture->ctx) {
        bl_release(picture->ctx, picture->light);
        bl_release(picture->ctx, picture->noise);
    }
    *picture = (bl_picture){0};
}

double bl_tone(double light) {
    const double knee = 0.7;
    return light <= knee ? light : knee + (1 - knee) * (1 - exp(-(light - knee) / (1 - knee)));
}

bl_status bl_picture_develop(const bl_picture *picture, double exposure, bool shoulder, bl_canvas *out) {
    bl_status status = bl_canvas_init(picture->ctx, picture->width, picture->height, (bl_color){0, 0, 0, 255}, out);
    if (status) return status;
    size_t n = 3 * (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < n; i++) {
        double x = exposure * (double)picture->light[i];
        out->rgb[i] = (uint8_t)lround(255 * bl_srgb_encode(shoulder ? bl_tone(x) : x));
    }
    return BL_OK;
}
