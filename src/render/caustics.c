#include "render/caustics.h"
#include "base/parallel.h"
#include "render/paths.h"
#include "render/sampler.h"
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct photon {
    float x[3], normal[3], power[3];
    uint32_t cell; /* hash bucket; UINT32_MAX: did not land */
} photon;

struct bl_caustics {
    size_t count;    /* landed */
    float (*x)[3];   /* of the photons, apart: a search reads little else */
    photon *photons; /* sorted by bucket, then by number */
    uint32_t bucket_mask;
    uint32_t *start; /* bucket_mask + 2 */
    double radius, cell;
};

void bl_caustics_destroy(bl_context *ctx, bl_caustics *caustics) {
    if (!caustics) return;
    bl_release(ctx, caustics->photons);
    bl_release(ctx, caustics->x);
    bl_release(ctx, caustics->start);
    bl_release(ctx, caustics);
}

size_t bl_caustics_count(const bl_caustics *caustics) { return caustics ? caustics->count : 0; }

static uint32_t bucket_of(const bl_caustics *c, long i, long j, long k) {
    uint64_t h =
        (uint64_t)i * 0x9e3779b97f4a7c15ull ^ (uint64_t)j * 0xc2b2ae3d27d4eb4full ^ (uint64_t)k * 0x165667b19e3779f9ull;
    return (uint32_t)(h >> 32) & c->bucket_mask;
}

static long cell_of(const bl_caustics *c, double x) { return (long)floor(x / c->cell); }

/* The shooting of one map. */
typedef struct job {
    const bl_stage *stage;
    bl_caustics *map;
    photon *all;
    bl_vec3d center;
    double ball;
    uint64_t seed;
    size_t count;
    size_t first[BL_SOFTBOX_MAX + 1]; /* photons of each lamp */
} job;

/* Follow a photon through mirrors and liquids to the matt surface it lands on. False if it is lost, or never met
 * anything but matt surfaces (that light is counted directly). */
static bool follow(const bl_stage *stage, bl_ray ray, bl_vec3d power, bl_sampler *sampler, photon *out) {
    bool bent = false;
    for (int bounce = 0; bounce < 12; bounce++) {
        bl_surface_point p;
        if (!bl_stage_hit(stage, ray, &p)) return false;
        if (bl_is_matt(&p.object->material)) {
            if (!bent) return false;
            *out = (photon){{(float)p.x.x, (float)p.x.y, (float)p.x.z},
                            {(float)p.normal.x, (float)p.normal.y, (float)p.normal.z},
                            {(float)power.x, (float)power.y, (float)power.z},
                            0};
            return true;
        }
        bent = bent || p.object->material.kind != BL_MATERIAL_PANE;
        if (!bl_scatter_mirror(&p, &ray, &power, sampler)) return false;
    }
    return false;
}

static void shoot(void *user, size_t begin, size_t end) {
    job *j = user;
    for (size_t i = begin; i < end; i++) {
        int box = 0;
        while (i >= j->first[box + 1]) box++;
        bl_sampler sampler = bl_sampler_make(j->seed, (uint64_t)box, (uint32_t)(i - j->first[box]));
        double u[2], v[2];
        bl_sampler_2d(&sampler, u);
        bl_sampler_2d(&sampler, v);
        bl_vec3d weight, to = bl_light_sample(&j->stage->light, box, u, &weight), a, b;
        bl_frame_around(to, &a, &b);
        double r = j->ball * sqrt(v[0]), phi = 2 * PI * v[1];
        bl_vec3d start = bl_v3d_mad(bl_v3d_mad(j->center, r * cos(phi), a), r * sin(phi), b);
        bl_ray ray = {bl_v3d_mad(start, 2 * j->ball, to), bl_v3d_scale(-1, to), 0, INFINITY};
        double share = PI * j->ball * j->ball / (double)(j->first[box + 1] - j->first[box]);
        photon *p = &j->all[i];
        if (follow(j->stage, ray, bl_v3d_scale(share, weight), &sampler, p))
            p->cell = bucket_of(j->map, cell_of(j->map, (double)p->x[0]), cell_of(j->map, (double)p->x[1]),
                                cell_of(j->map, (double)p->x[2]));
        else
            p->cell = UINT32_MAX;
    }
}

/* Counting sort of the landed photons into their buckets: stable, so the same for any number of threads. */
static bl_status sort_photons(bl_context *ctx, bl_caustics *map, const photon *all, size_t count) {
    map->start = bl_alloc(ctx, (size_t)map->bucket_mask + 2, sizeof *map->start);
    if (!map->start) return BL_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (all[i].cell != UINT32_MAX) map->start[all[i].cell + 1]++, map->count++;
    for (uint32_t b = 0; b <= map->bucket_mask; b++) map->start[b + 1] += map->start[b];
    map->photons = bl_alloc(ctx, map->count, sizeof *map->photons);
    map->x = bl_alloc(ctx, map->count, sizeof *map->x);
    uint32_t *next = bl_alloc(ctx, (size_t)map->bucket_mask + 1, sizeof *next);
    if (!map->photons || !map->x || !next) {
        bl_release(ctx, next);
        return BL_ERR_MEMORY;
    }
    for (uint32_t b = 0; b <= map->bucket_mask; b++) next[b] = map->start[b];
    for (size_t i = 0; i < count; i++)
        if (all[i].cell != UINT32_MAX) map->photons[next[all[i].cell]++] = all[i];
    for (size_t i = 0; i < map->count; i++)
        for (int k = 0; k < 3; k++) map->x[i][k] = map->photons[i].x[k];
    bl_release(ctx, next);
    return BL_OK;
}

/* Photons per lamp by power; at least one each. */
static void deal_photons(job *j) {
    const bl_light *light = &j->stage->light;
    double power[BL_SOFTBOX_MAX], sum = 0;
    for (int i = 0; i < light->box_count; i++) {
        const bl_softbox *b = &light->boxes[i];
        power[i] = (b->radiance.x + b->radiance.y + b->radiance.z) * bl_v3d_norm(b->right) * bl_v3d_norm(b->up);
        sum += power[i];
    }
    for (int i = 0; i < light->box_count; i++)
        j->first[i + 1] = j->first[i] + 1 + (size_t)((double)j->count * power[i] / sum);
    j->count = j->first[light->box_count];
}

bl_status bl_caustics_create(const bl_stage *stage, bl_vec3d center, double radius, size_t photon_count, uint64_t seed,
                             bl_caustics **out) {
    bl_context *ctx = stage->ctx;
    *out = NULL;
    if (!stage->light.box_count || !(radius > 0)) return BL_OK;
    job j = {.stage = stage, .center = center, .ball = radius, .seed = seed, .count = photon_count};
    deal_photons(&j);
    j.map = bl_alloc(ctx, 1, sizeof *j.map);
    j.all = bl_alloc(ctx, j.count, sizeof *j.all);
    bl_status status = j.map && j.all ? BL_OK : BL_ERR_MEMORY;
    if (!status) {
        /* a kernel over about 300 photons where they are not focused: a grain of 6 % there */
        j.map->radius = radius * sqrt(300.0 / (double)j.count) * 1.2;
        j.map->cell = j.map->radius;
        j.map->bucket_mask = (1u << 16) - 1;
        bl_parallel_for(ctx, j.count, BL_CHUNK, shoot, &j);
        status = sort_photons(ctx, j.map, j.all, j.count);
    }
    bl_release(ctx, j.all);
    if (status) {
        bl_caustics_destroy(ctx, j.map);
        return status;
    }
    *out = j.map;
    return BL_OK;
}

/* Photons of one bucket near x; other cells share buckets, distance sorts them out. */
static bl_vec3d gather_bucket(const bl_caustics *c, uint32_t bucket, const float x[3], bl_vec3d n) {
    bl_vec3d sum = bl_v3d_zero();
    const float inv_r2 = (float)(1 / (c->radius * c->radius));
    for (uint32_t i = c->start[bucket]; i < c->start[bucket + 1]; i++) {
        const float *y = c->x[i], dx = y[0] - x[0], dy = y[1] - x[1], dz = y[2] - x[2];
        const float q = (dx * dx + dy * dy + dz * dz) * inv_r2;
        if (q >= 1) continue;
        const photon *p = &c->photons[i];
        double facing = (double)p->normal[0] * n.x + (double)p->normal[1] * n.y + (double)p->normal[2] * n.z;
        if (facing < 0.7) continue;
        double w = 1 - (double)q; /* Epanechnikov */
        sum = bl_v3d_mad(sum, w, bl_v3d_make((double)p->power[0], (double)p->power[1], (double)p->power[2]));
    }
    return sum;
}

/* Squared distance along an axis from x to the cell number `cell`. */
static double axis_distance2(const bl_caustics *c, long cell, double x) {
    double low = (double)cell * c->cell - x, high = x - (double)(cell + 1) * c->cell, d = fmax(0, fmax(low, high));
    return d * d;
}

bl_vec3d bl_caustics_at(const bl_caustics *c, bl_vec3d x, bl_vec3d n) {
    bl_vec3d sum = bl_v3d_zero();
    if (!c || !c->count) return sum;
    const float at[3] = {(float)x.x, (float)x.y, (float)x.z};
    long i0 = cell_of(c, x.x), j0 = cell_of(c, x.y), k0 = cell_of(c, x.z);
    double r2 = c->radius * c->radius;
    uint32_t seen[27];
    int seen_count = 0;
    for (int m = 0; m < 27; m++) {
        long i = i0 + m % 3 - 1, j = j0 + m / 3 % 3 - 1, k = k0 + m / 9 - 1;
        if (axis_distance2(c, i, x.x) + axis_distance2(c, j, x.y) + axis_distance2(c, k, x.z) >= r2) continue;
        uint32_t bucket = bucket_of(c, i, j, k);
        if (c->start[bucket] == c->start[bucket + 1]) continue;
        bool known = false;
        for (int s = 0; s < seen_count; s++) known = known || seen[s] == bucket;
        if (known) continue;
        seen[seen_count++] = bucket;
        sum = bl_v3d_add(sum, gather_bucket(c, bucket, at, n));
    }
    return bl_v3d_scale(2 / (PI * r2), sum);
}
