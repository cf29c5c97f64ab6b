#include "render/picture.h"
#include "base/parallel.h"
#include "render/colormap.h"
#include "render/paths.h"
#include <math.h>

enum {
    BLOCK = 4,
    FEW = 8 /* with fewer samples than this all are taken */
};
/* Pixels that deviate by less than this share of their light have enough samples, when 16 are asked for. */
static const double EVEN = 0.05;

typedef struct job {
    const bl_stage *stage;
    bl_picture *picture;
    int samples, blocks_across;
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

/* Sums over the even and the odd samples of a pixel. */
typedef struct pixel {
    bl_vec3d sums[2];
    int samples;
} pixel;

/* Samples up to number `until`. */
static void trace_pixel(const job *j, int x, int y, int until, pixel *p) {
    const bl_picture *picture = j->picture;
    size_t number = (size_t)y * (size_t)picture->width + (size_t)x;
    for (; p->samples < until; p->samples++) {
        bl_sampler sampler = bl_sampler_make(j->seed, number, (uint32_t)p->samples);
        double film[2], lens[2] = {0, 0};
        bl_sampler_2d(&sampler, film);
        if (j->stage->camera.aperture > 0) bl_sampler_2d(&sampler, lens);
        bl_ray ray = bl_camera_ray(&j->stage->camera, (x + 0.5 + tent(film[0])) / picture->width,
                                   (y + 0.5 + tent(film[1])) / picture->height, lens);
        if (j->stage->moves) ray.time = bl_sampler_1d(&sampler);
        bl_vec3d light = bl_path_radiance(j->stage, ray, &sampler), *sum = &p->sums[p->samples % 2];
        if (isfinite(light.x + light.y + light.z)) *sum = bl_v3d_add(*sum, light);
    }
}

/* A square of pixels that are sampled alike. */
typedef struct block {
    int x, y; /* of its first pixel */
    pixel pixels[BLOCK][BLOCK];
} block;

static void trace_block(const job *j, int until, block *b) {
    for (int y = 0; y < BLOCK && b->y + y < j->picture->height; y++)
        for (int x = 0; x < BLOCK && b->x + x < j->picture->width; x++)
            trace_pixel(j, b->x + x, b->y + y, until, &b->pixels[y][x]);
}

/* Whether the pixels of a block are so alike that more samples would not show. What differs is noise, detail or an
 * edge: all of them deserve more. The more samples are asked for, the more alike they have to be. (The difference
 * between even and odd samples would not do: these complete each other, so their mean is far better than it tells.) */
static bool is_even(const job *j, const block *b) {
    bl_vec3d mean = bl_v3d_zero();
    double squares = 0;
    int n = 0;
    for (int k = 0; k < BLOCK * BLOCK; k++) {
        const pixel *p = &b->pixels[k / BLOCK][k % BLOCK];
        if (!p->samples) continue; /* beyond the picture */
        bl_vec3d light = bl_v3d_scale(1.0 / p->samples, bl_v3d_add(p->sums[0], p->sums[1]));
        mean = bl_v3d_add(mean, light);
        squares += bl_v3d_norm2(light);
        n++;
    }
    mean = bl_v3d_scale(1.0 / n, mean);
    double deviation = sqrt(fmax(0, squares / n - bl_v3d_norm2(mean)));
    return deviation < EVEN * sqrt(16.0 / j->samples) * (bl_v3d_norm(mean) + 0.05);
}

static void trace_blocks(void *user, size_t begin, size_t end) {
    const job *j = user;
    for (size_t k = begin; k < end; k++) {
        block b = {.x = (int)(k % (size_t)j->blocks_across) * BLOCK, .y = (int)(k / (size_t)j->blocks_across) * BLOCK};
        if (j->samples >= FEW) trace_block(j, j->samples / 4 * 2, &b);
        if (j->samples < FEW || !is_even(j, &b)) trace_block(j, j->samples, &b);
        for (int y = 0; y < BLOCK && b.y + y < j->picture->height; y++)
            for (int x = 0; x < BLOCK && b.x + x < j->picture->width; x++) {
                const pixel *p = &b.pixels[y][x];
                store(j->picture, (size_t)(b.y + y) * (size_t)j->picture->width + (size_t)(b.x + x), p->sums,
                      p->samples);
            }
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
    int across = (width + BLOCK - 1) / BLOCK, down = (height + BLOCK - 1) / BLOCK;
    job j = {stage, out, samples, across, seed};
    bl_parallel_for(stage->ctx, (size_t)across * (size_t)down, 16, trace_blocks, &j);
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
