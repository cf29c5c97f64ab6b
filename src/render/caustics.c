#include "render/caustics.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "render/paths.h"
#include "render/sampler.h"
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct photon {
    float x[3], normal[3], power[3];
    uint32_t cell; /* hash bucket of the cell; UINT32_MAX: did not land */
} photon;

struct bl_caustics {
    size_t count; /* landed */
    /* of the photons, sorted by bucket, then by number; readable BL_LANES beyond the last */
    float *x[3], *normal[3], *power[3];
    uint32_t bucket_mask;
    uint32_t *start; /* bucket_mask + 2 */
    double radius, cell;
    float min[3], max[3]; /* of the photons, widened by the radius */
};

void bl_caustics_destroy(bl_context *ctx, bl_caustics *caustics) {
    if (!caustics) return;
    for (int k = 0; k < 3; k++) {
        bl_release(ctx, caustics->x[k]);
        bl_release(ctx, caustics->normal[k]);
        bl_release(ctx, caustics->power[k]);
    }
    bl_release(ctx, caustics->start);
    bl_release(ctx, caustics);
}

static uint32_t bucket_of(const bl_caustics *c, long i, long j, long k) {
    uint64_t h =
        (uint64_t)i * 0x9e3779b97f4a7c15ull ^ (uint64_t)j * 0xc2b2ae3d27d4eb4full ^ (uint64_t)k * 0x165667b19e3779f9ull;
    return (uint32_t)(h >> 32) & c->bucket_mask;
}

static long cell_of(const bl_caustics *c, double x) { return (long)floor(x / c->cell); }

static uint32_t cell_bucket(const bl_caustics *c, const photon *p) {
    return bucket_of(c, cell_of(c, (double)p->x[0]), cell_of(c, (double)p->x[1]), cell_of(c, (double)p->x[2]));
}

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
    bl_media media = 0;
    for (int bounce = 0; bounce < 12; bounce++) {
        bl_surface_point p;
        if (!bl_stage_hit(stage, ray, &p)) return false;
        bl_media_arrive(stage, &p, &media, &power);
        if (bl_is_matt(&p.object->material)) {
            if (!bent) return false;
            *out = (photon){{(float)p.x.x, (float)p.x.y, (float)p.x.z},
                            {(float)p.normal.x, (float)p.normal.y, (float)p.normal.z},
                            {(float)power.x, (float)power.y, (float)power.z},
                            0};
            return true;
        }
        bent = bent || p.object->material.kind != BL_MATERIAL_PANE;
        if (!bl_scatter_mirror(stage, &p, &ray, &power, &media, sampler)) return false;
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
        bl_ray ray = {bl_v3d_mad(start, 2 * j->ball, to), bl_v3d_scale(-1, to), 0, HUGE_VAL, 0.5};
        double share = PI * j->ball * j->ball / (double)(j->first[box + 1] - j->first[box]);
        photon *p = &j->all[i];
        if (!follow(j->stage, ray, bl_v3d_scale(share, weight), &sampler, p)) p->cell = UINT32_MAX;
    }
}

/* Photons in the same small cube become one: a search then costs the same in and out of a focus. */
typedef struct place {
    uint64_t cube;
    uint32_t index;
} place;

static int compare_places(const void *a, const void *b) {
    const place *p = a, *q = b;
    if (p->cube != q->cube) return p->cube < q->cube ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

static uint64_t cube_of(const photon *p, double edge) {
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        double at = floor((double)p->x[k] / edge) + (1 << 20);
        key = key << 21 | (uint64_t)fmax(0, fmin(at, (1 << 21) - 1));
    }
    return key;
}

/* Adds q to p, which stands for `n` photons already. */
static void merge(photon *p, const photon *q, int n) {
    for (int k = 0; k < 3; k++) {
        p->x[k] += (q->x[k] - p->x[k]) / (float)(n + 1);
        p->power[k] += q->power[k];
    }
}

static bool same_side(const photon *p, const photon *q) {
    return p->normal[0] * q->normal[0] + p->normal[1] * q->normal[1] + p->normal[2] * q->normal[2] > 0.9f;
}

/* Merges the landed photons to the front of `all`; the rest is marked lost. */
static bl_status merge_photons(bl_context *ctx, const bl_caustics *map, photon *all, size_t *count) {
    size_t landed = 0, kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (all[i].cell != UINT32_MAX) all[landed++] = all[i];
    place *places = bl_alloc(ctx, landed, sizeof *places);
    photon *merged = bl_alloc(ctx, landed, sizeof *merged);
    if (!places || !merged) {
        bl_release(ctx, places);
        bl_release(ctx, merged);
        return BL_ERR_MEMORY;
    }
    for (size_t i = 0; i < landed; i++) places[i] = (place){cube_of(&all[i], map->radius / 4), (uint32_t)i};
    qsort(places, landed, sizeof *places, compare_places);
    int n = 0;
    for (size_t i = 0; i < landed; i++) {
        const photon *q = &all[places[i].index];
        if (i && places[i].cube == places[i - 1].cube && same_side(&merged[kept - 1], q)) {
            merge(&merged[kept - 1], q, n++);
        } else {
            merged[kept++] = *q;
            n = 1;
        }
    }
    for (size_t i = 0; i < kept; i++) {
        all[i] = merged[i];
        all[i].cell = cell_bucket(map, &all[i]);
    }
    *count = kept;
    bl_release(ctx, places);
    bl_release(ctx, merged);
    return BL_OK;
}

static bl_status make_room(bl_context *ctx, bl_caustics *map) {
    bool complete = true;
    for (int k = 0; k < 3; k++) {
        map->x[k] = bl_alloc(ctx, map->count + BL_LANES, sizeof *map->x[k]);
        map->normal[k] = bl_alloc(ctx, map->count + BL_LANES, sizeof *map->normal[k]);
        map->power[k] = bl_alloc(ctx, map->count + BL_LANES, sizeof *map->power[k]);
        complete = complete && map->x[k] && map->normal[k] && map->power[k];
        map->min[k] = INFINITY, map->max[k] = -INFINITY;
    }
    return complete ? BL_OK : BL_ERR_MEMORY;
}

static void put_photon(bl_caustics *map, uint32_t at, const photon *p) {
    for (int k = 0; k < 3; k++) {
        map->x[k][at] = p->x[k], map->normal[k][at] = p->normal[k], map->power[k][at] = p->power[k];
        map->min[k] = fminf(map->min[k], p->x[k] - (float)map->radius);
        map->max[k] = fmaxf(map->max[k], p->x[k] + (float)map->radius);
    }
}

/* Counting sort of the landed photons into their buckets: stable, so the same for any number of threads. */
static bl_status sort_photons(bl_context *ctx, bl_caustics *map, const photon *all, size_t count) {
    map->start = bl_alloc(ctx, (size_t)map->bucket_mask + 2, sizeof *map->start);
    uint32_t *next = bl_alloc(ctx, (size_t)map->bucket_mask + 1, sizeof *next);
    bl_status status = map->start && next ? BL_OK : BL_ERR_MEMORY;
    if (!status) {
        for (size_t i = 0; i < count; i++)
            if (all[i].cell != UINT32_MAX) map->start[all[i].cell + 1]++, map->count++;
        for (uint32_t b = 0; b <= map->bucket_mask; b++) map->start[b + 1] += map->start[b], next[b] = map->start[b];
        status = make_room(ctx, map);
    }
    for (size_t i = 0; i < count && !status; i++)
        if (all[i].cell != UINT32_MAX) put_photon(map, next[all[i].cell]++, &all[i]);
    bl_release(ctx, next);
    return status;
}

/* Photons per lamp by power; at least one each. */
static void deal_photons(job *j) {
    const bl_light *light = &j->stage->light;
    for (int i = 0; i < light->box_count; i++)
        j->first[i + 1] = j->first[i] + 1 + (size_t)((double)j->count * light->share[i]);
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
        /* a kernel over about 600 photons where they are not focused; more photons shrink it and lower the grain */
        double under = 600 * sqrt((double)j.count / 3e5);
        j.map->radius = 1.2 * radius * sqrt(under / (double)j.count);
        j.map->cell = j.map->radius;
        j.map->bucket_mask = (1u << 16) - 1;
        bl_parallel_for(ctx, j.count, BL_CHUNK, shoot, &j);
        status = merge_photons(ctx, j.map, j.all, &j.count);
        if (!status) status = sort_photons(ctx, j.map, j.all, j.count);
    }
    bl_release(ctx, j.all);
    if (status) {
        bl_caustics_destroy(ctx, j.map);
        return status;
    }
    *out = j.map;
    return BL_OK;
}

/* What a search for photons looks for: around x, on surfaces that face the same way. */
typedef struct search {
    float x[3], n[3], inv_r2;
} search;

/* Photons of one bucket near x; other cells share buckets, distance sorts them out. */
static bl_vec3d gather_bucket(const bl_caustics *c, uint32_t bucket, const search *s) {
    bl_f4 red = {0}, green = {0}, blue = {0};
    const uint32_t end = c->start[bucket + 1];
    for (uint32_t i = c->start[bucket]; i < end; i += BL_LANES) {
        const bl_f4 dx = bl_f4_load(c->x[0] + i) - s->x[0], dy = bl_f4_load(c->x[1] + i) - s->x[1],
                    dz = bl_f4_load(c->x[2] + i) - s->x[2];
        const bl_f4 facing = bl_f4_load(c->normal[0] + i) * s->n[0] + bl_f4_load(c->normal[1] + i) * s->n[1] +
                             bl_f4_load(c->normal[2] + i) * s->n[2];
        const bl_i4 counts = (facing > 0.7f) & ((bl_i4){0, 1, 2, 3} < (int32_t)(end - i));
        const bl_f4 epanechnikov = bl_f4_positive(1.0f - (dx * dx + dy * dy + dz * dz) * s->inv_r2);
        const bl_f4 w = bl_f4_where(counts, epanechnikov);
        red += w * bl_f4_load(c->power[0] + i);
        green += w * bl_f4_load(c->power[1] + i);
        blue += w * bl_f4_load(c->power[2] + i);
    }
    return bl_v3d_make((double)bl_f4_sum(red), (double)bl_f4_sum(green), (double)bl_f4_sum(blue));
}

/* Squared distances along an axis from x to the cells `cell` - 1, `cell` (where x lies) and `cell` + 1. */
static void axis_distances2(const bl_caustics *c, long cell, double x, double out[3]) {
    double below = x - (double)cell * c->cell, above = c->cell - below;
    out[0] = below * below, out[1] = 0, out[2] = above * above;
}

static bool outside(const bl_caustics *c, const float x[3]) {
    for (int k = 0; k < 3; k++)
        if (x[k] < c->min[k] || x[k] > c->max[k]) return true;
    return false;
}

bl_vec3d bl_caustics_at(const bl_caustics *c, bl_vec3d x, bl_vec3d n) {
    bl_vec3d sum = bl_v3d_zero();
    const search near = {{(float)x.x, (float)x.y, (float)x.z},
                         {(float)n.x, (float)n.y, (float)n.z},
                         c ? (float)(1 / (c->radius * c->radius)) : 0};
    if (!c || !c->count || outside(c, near.x)) return sum;
    long i0 = cell_of(c, x.x), j0 = cell_of(c, x.y), k0 = cell_of(c, x.z);
    double r2 = c->radius * c->radius, dx[3], dy[3], dz[3];
    axis_distances2(c, i0, x.x, dx);
    axis_distances2(c, j0, x.y, dy);
    axis_distances2(c, k0, x.z, dz);
    uint32_t seen[27];
    int seen_count = 0;
    for (int m = 0; m < 27; m++) {
        if (dx[m % 3] + dy[m / 3 % 3] + dz[m / 9] >= r2) continue;
        uint32_t bucket = bucket_of(c, i0 + m % 3 - 1, j0 + m / 3 % 3 - 1, k0 + m / 9 - 1);
        if (c->start[bucket] == c->start[bucket + 1]) continue;
        bool known = false;
        for (int s = 0; s < seen_count; s++) known = known || seen[s] == bucket;
        if (known) continue;
        seen[seen_count++] = bucket;
        sum = bl_v3d_add(sum, gather_bucket(c, bucket, &near));
    }
    return bl_v3d_scale(2 / (PI * r2), sum);
}
