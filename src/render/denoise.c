#include "render/denoise.h"
#include "base/parallel.h"
#include <math.h>
#include <string.h>

enum {
    TILE = 48,
    PATCH = 2,  /* half width of the neighbourhoods compared */
    WINDOW = 5, /* half width of the area searched */
    BLUR = 3,   /* half width over which the noise is averaged */
    WIDE = TILE + 2 * PATCH
};
static const float STRENGTH2 = 0.45f * 0.45f; /* squared; larger smooths more */

typedef struct job {
    const bl_picture *picture;
    const float *light; /* unfiltered */
    float *variance;    /* averaged noise, 3 a pixel */
    float *out;
    int tiles_across;
} job;

static int clamp_index(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

static size_t index_of(const bl_picture *p, int x, int y) {
    return 3 * ((size_t)clamp_index(y, p->height) * (size_t)p->width + (size_t)clamp_index(x, p->width));
}

static void average_noise(void *user, size_t begin, size_t end) {
    job *j = user;
    const bl_picture *p = j->picture;
    for (size_t row = begin; row < end; row++)
        for (int x = 0; x < p->width; x++) {
            float sum[3] = {0, 0, 0};
            for (int dy = -BLUR; dy <= BLUR; dy++)
                for (int dx = -BLUR; dx <= BLUR; dx++) {
                    const float *n = p->noise + index_of(p, x + dx, (int)row + dy);
                    for (int k = 0; k < 3; k++) sum[k] += n[k];
                }
            float *v = j->variance + 3 * (row * (size_t)p->width + (size_t)x);
            for (int k = 0; k < 3; k++) v[k] = sum[k] / ((2 * BLUR + 1) * (2 * BLUR + 1));
        }
}

/* How much more pixel p differs from pixel q than their noise explains. */
static float pixel_distance(const job *j, size_t p, size_t q) {
    float sum = 0;
    for (size_t k = 0; k < 3; k++) {
        float d = j->light[p + k] - j->light[q + k], vp = j->variance[p + k], vq = j->variance[q + k];
        float explained = vp + (vq < vp ? vq : vp);
        sum += (d * d - explained) / (1e-8f + STRENGTH2 * (vp + vq));
    }
    return sum;
}

/* Sums over (2 PATCH + 1)^2 of `in` (WIDE x WIDE) into `out` (TILE x TILE). */
static void box_sum(float in[WIDE][WIDE], float out[TILE][TILE]) {
    float rows[WIDE][TILE];
    for (int y = 0; y < WIDE; y++)
        for (int x = 0; x < TILE; x++) {
            float sum = 0;
            for (int k = 0; k <= 2 * PATCH; k++) sum += in[y][x + k];
            rows[y][x] = sum;
        }
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++) {
            float sum = 0;
            for (int k = 0; k <= 2 * PATCH; k++) sum += rows[y + k][x];
            out[y][x] = sum;
        }
}

/* What a tile gathers. */
typedef struct gather {
    float distance[WIDE][WIDE], patch[TILE][TILE], weight[TILE][TILE], sum[TILE][TILE][3];
} gather;

static void add_offset(const job *j, int x0, int y0, int dx, int dy, gather *g) {
    const bl_picture *p = j->picture;
    for (int y = 0; y < WIDE; y++)
        for (int x = 0; x < WIDE; x++) {
            int px = x0 + x - PATCH, py = y0 + y - PATCH;
            g->distance[y][x] = pixel_distance(j, index_of(p, px, py), index_of(p, px + dx, py + dy));
        }
    box_sum(g->distance, g->patch);
    const float scale = 1.0f / (3 * (2 * PATCH + 1) * (2 * PATCH + 1));
    for (int y = 0; y < TILE && y0 + y < p->height; y++)
        for (int x = 0; x < TILE && x0 + x < p->width; x++) {
            int qx = x0 + x + dx, qy = y0 + y + dy;
            if (qx < 0 || qy < 0 || qx >= p->width || qy >= p->height) continue;
            float d = g->patch[y][x] * scale, w = d <= 0 ? 1 : d > 12 ? 0 : expf(-d);
            const float *q = j->light + index_of(p, qx, qy);
            g->weight[y][x] += w;
            for (int k = 0; k < 3; k++) g->sum[y][x][k] += w * q[k];
        }
}

static void filter_tiles(void *user, size_t begin, size_t end) {
    const job *j = user;
    const bl_picture *p = j->picture;
    gather g;
    for (size_t t = begin; t < end; t++) {
        int x0 = (int)(t % (size_t)j->tiles_across) * TILE, y0 = (int)(t / (size_t)j->tiles_across) * TILE;
        memset(g.weight, 0, sizeof g.weight);
        memset(g.sum, 0, sizeof g.sum);
        for (int dy = -WINDOW; dy <= WINDOW; dy++)
            for (int dx = -WINDOW; dx <= WINDOW; dx++) add_offset(j, x0, y0, dx, dy, &g);
        for (int y = 0; y < TILE && y0 + y < p->height; y++)
            for (int x = 0; x < TILE && x0 + x < p->width; x++)
                for (size_t k = 0; k < 3; k++)
                    j->out[index_of(p, x0 + x, y0 + y) + k] = g.sum[y][x][k] / g.weight[y][x];
    }
}

/* A single pixel much brighter than all around it is one lucky path, no detail: it becomes as bright as the brightest
 * neighbour. Reads `light`, writes `out`. */
static void cut_sparks(void *user, size_t begin, size_t end) {
    job *j = user;
    const bl_picture *p = j->picture;
    for (size_t row = begin; row < end; row++)
        for (int x = 0; x < p->width; x++) {
            size_t at = index_of(p, x, (int)row);
            for (size_t k = 0; k < 3; k++) {
                float peak = 0;
                for (int n = 0; n < 9; n++) {
                    float v = j->light[index_of(p, x + n % 3 - 1, (int)row + n / 3 - 1) + k];
                    if (n != 4 && v > peak) peak = v;
                }
                j->out[at + k] = j->light[at + k] > 1.5f * peak ? peak : j->light[at + k];
            }
        }
}

bl_status bl_picture_denoise(bl_picture *picture) {
    bl_context *ctx = picture->ctx;
    size_t pixels = (size_t)picture->width * (size_t)picture->height;
    int across = (picture->width + TILE - 1) / TILE, down = (picture->height + TILE - 1) / TILE;
    job j = {picture, picture->light, bl_alloc(ctx, pixels, 3 * sizeof(float)),
             bl_alloc(ctx, pixels, 3 * sizeof(float)), across};
    bl_status status = j.variance && j.out ? BL_OK : BL_ERR_MEMORY;
    if (!status) {
        bl_parallel_for(ctx, (size_t)picture->height, 8, cut_sparks, &j);
        memcpy(picture->light, j.out, pixels * 3 * sizeof(float));
        bl_parallel_for(ctx, (size_t)picture->height, 8, average_noise, &j);
        bl_parallel_for(ctx, (size_t)across * (size_t)down, 1, filter_tiles, &j);
        memcpy(picture->light, j.out, pixels * 3 * sizeof(float));
    }
    bl_release(ctx, j.variance);
    bl_release(ctx, j.out);
    return status;
}
