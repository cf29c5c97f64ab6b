/* Planes through boundary particles.
 *
 * Around a point, the boundary particles are gathered in up to three groups of similar normals, the nearest first; each
 * group is a plane. Planes that meet in an inner corner (of a box that holds the fluid) are combined by the minimum of
 * their distances, those of an outer corner (of an obstacle) by the maximum. So edges stay sharp. */
#include "surface/walls.h"

#include "base/parallel.h"
#include "surface/kernel.h"

#include <math.h>
#include <string.h>

#define NEAR_FLUID 4.0f    /* particles farther from all fluid are dropped */
#define SAME_PLANE 0.7f    /* cosine between normals of one group */
#define RIM 0.8f           /* a wall ends this far beyond its last particles */
#define REST_HIGHEST 1.25f /* fluid that rests on a wall is no higher above its particles */
#define LARGEST_GAP 0.4f
#define SHEET_HALF 0.25f /* half the thickness of a sheet with fluid on both sides */
#define SMALLEST_OPEN 0.1f
#define GROUPS 3

static float dot3(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void offset_to(const bl_bins *bins, uint32_t i, const float p[3], float d[3]) {
    d[0] = p[0] - bins->x[i], d[1] = p[1] - bins->y[i], d[2] = p[2] - bins->z[i];
}

static int runs_around(const bl_bins *bins, const float p[3], float radius, bl_run *runs) {
    float min[3], max[3];
    for (int a = 0; a < 3; a++) min[a] = p[a] - radius, max[a] = p[a] + radius;
    return bl_bins_runs(bins, min, max, runs);
}

/* Choosing the particles that count. */
typedef struct select_job {
    const bl_bins *fluid;
    const bl_walls *all;
    uint8_t *keep; /* 0: dropped */
    uint8_t *two_sided;
    float (*normal)[3]; /* turned round where only the back is wet */
    float *rest;        /* height of the lowest fluid particle above this one; 0: none is near */
} select_job;

/* Is another boundary particle right in front of this one, as in the inner layers of a thick wall? */
static bool is_buried(const bl_walls *walls, uint32_t i, const float p[3]) {
    bl_run runs[BL_RUNS_MAX];
    const int n = runs_around(&walls->bins, p, 1.8f, runs);
    for (int r = 0; r < n; r++) {
        for (uint32_t k = runs[r].begin; k < runs[r].end; k++) {
            float d[3];
            offset_to(&walls->bins, k, p, d);
            const float front = -dot3(d, walls->normal[i]);
            const float aside2 = dot3(d, d) - front * front;
            if (front > 0.4f && front < 1.6f && aside2 < 0.36f && dot3(walls->normal[i], walls->normal[k]) > 0.3f)
                return true;
        }
    }
    return false;
}

/* Look at the fluid around a boundary particle: none at all, before it, behind it? */
static void select_one(const select_job *job, uint32_t i) {
    const bl_bins *walls = &job->all->bins;
    const float p[3] = {walls->x[i], walls->y[i], walls->z[i]};
    bl_run runs[BL_RUNS_MAX];
    const int n = runs_around(job->fluid, p, NEAR_FLUID, runs);
    int near = 0, front = 0, behind = 0;
    float rest = REST_HIGHEST;
    for (int r = 0; r < n; r++) {
        for (uint32_t k = runs[r].begin; k < runs[r].end; k++) {
            float d[3];
            offset_to(job->fluid, k, p, d);
            const float r2 = dot3(d, d), height = -dot3(d, job->all->normal[i]);
            near += r2 < NEAR_FLUID * NEAR_FLUID;
            if (height > 0.0f && r2 - height * height < 0.5f && height < rest) rest = height;
            if (r2 > 1.6f * 1.6f) continue;
            front += height > 0.2f;
            behind += height < -0.2f;
        }
    }
    job->keep[i] = near > 0 && !is_buried(job->all, i, p);
    job->rest[i] = rest < REST_HIGHEST ? rest : 0.0f;
    job->two_sided[i] = behind >= 3 && front >= 3;
    const float sign = behind >= 3 && front == 0 ? -1.0f : 1.0f;
    for (int a = 0; a < 3; a++) job->normal[i][a] = sign * job->all->normal[i][a];
}

static void select_range(void *user, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) select_one(user, (uint32_t)i);
}

static void set_normals(const bl_surface_input *input, const bl_bins *bins, float (*normal)[3]) {
    for (size_t i = 0; i < bins->count; i++) {
        const bl_vec3 n = input->wall_normal[bins->source[i]];
        normal[i][0] = (float)n.x, normal[i][1] = (float)n.y, normal[i][2] = (float)n.z;
    }
}

/* How far above the wall the fluid's first layer rests, on average, beyond half a spacing. It depends on the solver and
 * differs little along a wall; particles are added up in their order. */
static float mean_gap(const select_job *job, float offset) {
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < job->all->bins.count; i++) {
        if (!job->keep[i] || job->rest[i] <= 0.0f) continue;
        sum += (double)(job->rest[i] - offset);
        n++;
    }
    const float gap = n > 0 ? (float)(sum / (double)n) - 0.5f : 0.0f;
    return gap < 0.0f ? 0.0f : gap > LARGEST_GAP ? LARGEST_GAP : gap;
}

/* Bins of the kept particles only. `all` has every particle, `job` says which to keep. */
static bl_status keep_selected(bl_context *ctx, const bl_surface_input *input, const select_job *job, bl_walls *out) {
    const bl_walls *all = job->all;
    size_t kept = 0;
    for (size_t i = 0; i < all->bins.count; i++) kept += job->keep[i];
    bl_vec3 *const x = bl_alloc(ctx, kept, sizeof *x);
    uint32_t *const from = bl_alloc(ctx, kept, sizeof *from);
    out->normal = bl_alloc(ctx, kept, sizeof *out->normal);
    out->two_sided = bl_alloc(ctx, kept, sizeof *out->two_sided);
    bl_status status = BL_ERR_MEMORY;
    if (x && from && out->normal && out->two_sided) {
        size_t n = 0;
        for (size_t i = 0; i < all->bins.count; i++) {
            if (!job->keep[i]) continue;
            from[n] = (uint32_t)i;
            x[n++] = input->wall_x[all->bins.source[i]];
        }
        status = bl_bins_build(ctx, x, kept, input->spacing, all->bins.edge, "boundary particle", &out->bins);
    }
    for (size_t i = 0; !status && i < kept; i++) {
        const uint32_t source = from[out->bins.source[i]];
        memcpy(out->normal[i], job->normal[source], sizeof out->normal[i]);
        out->two_sided[i] = job->two_sided[source];
    }
    bl_release(ctx, x);
    bl_release(ctx, from);
    return status;
}

bl_status bl_walls_build(bl_context *ctx, const bl_surface_input *input, const bl_bins *fluid, bl_walls *out) {
    *out = (bl_walls){.offset = (float)input->options.wall_offset};
    if (input->wall_count == 0) return BL_OK;
    bl_walls all = {0};
    bl_status status = bl_bins_build(ctx, input->wall_x, input->wall_count, input->spacing, fluid->edge,
                                     "boundary particle", &all.bins);
    select_job job = {.fluid = fluid, .all = &all};
    if (!status) {
        all.normal = bl_alloc(ctx, input->wall_count, sizeof *all.normal);
        job.keep = bl_alloc(ctx, input->wall_count, 1);
        job.two_sided = bl_alloc(ctx, input->wall_count, 1);
        job.normal = bl_alloc(ctx, input->wall_count, sizeof *job.normal);
        job.rest = bl_alloc(ctx, input->wall_count, sizeof *job.rest);
        status = all.normal && job.keep && job.two_sided && job.normal && job.rest ? BL_OK : BL_ERR_MEMORY;
    }
    if (!status) {
        set_normals(input, &all.bins, all.normal);
        bl_parallel_for(ctx, input->wall_count, 0, select_range, &job);
        status = keep_selected(ctx, input, &job, out);
        out->gap = mean_gap(&job, out->offset);
    }
    bl_release(ctx, job.keep);
    bl_release(ctx, job.two_sided);
    bl_release(ctx, job.normal);
    bl_release(ctx, job.rest);
    bl_walls_clear(ctx, &all);
    if (status) bl_walls_clear(ctx, out);
    return status;
}

void bl_walls_clear(bl_context *ctx, bl_walls *walls) {
    bl_bins_clear(ctx, &walls->bins);
    bl_release(ctx, walls->normal);
    bl_release(ctx, walls->two_sided);
    *walls = (bl_walls){0};
}

void bl_wall_patch_find(const bl_walls *walls, const float min[3], const float max[3], bl_wall_patch *out) {
    out->walls = walls;
    out->run_count = 0;
    if (walls->bins.count == 0) return;
    float low[3], high[3];
    for (int a = 0; a < 3; a++) low[a] = min[a] - BL_WALL_REACH, high[a] = max[a] + BL_WALL_REACH;
    out->run_count = bl_bins_runs(&walls->bins, low, high, out->runs);
}

/* Seeds of the groups found so far: particle, offset of the point from it, squared length. */
typedef struct group {
    uint32_t seed;
    float offset[3], r2;
    float middle[3]; /* mean offset from its particles */
} group;

static bool belongs_to(const bl_walls *walls, uint32_t i, const group *groups, int n) {
    for (int g = 0; g < n; g++) {
        if (dot3(walls->normal[i], walls->normal[groups[g].seed]) > SAME_PLANE) return true;
    }
    return false;
}

/* The nearest particle that is in none of the first n groups becomes the seed of group n. */
static bool find_seed(const bl_wall_patch *patch, const float p[3], group *groups, int n) {
    group *const g = &groups[n];
    g->r2 = BL_WALL_REACH * BL_WALL_REACH;
    bool found = false;
    for (int r = 0; r < patch->run_count; r++) {
        for (uint32_t i = patch->runs[r].begin; i < patch->runs[r].end; i++) {
            float d[3];
            offset_to(&patch->walls->bins, i, p, d);
            const float r2 = dot3(d, d);
            if (r2 >= g->r2 || belongs_to(patch->walls, i, groups, n)) continue;
            found = true;
            g->seed = i, g->r2 = r2;
            memcpy(g->offset, d, sizeof d);
        }
    }
    return found;
}

/* Mean distance from the planes of the group's particles that are nearly as close as its seed. Also finds the middle of
 * the group. */
static float plane_distance(const bl_wall_patch *patch, const float p[3], group *groups, int n) {
    const bl_walls *walls = patch->walls;
    group *const g = &groups[n];
    float sum = 0.0f, weights = 0.0f, members = 0.0f, middle[3] = {0};
    for (int r = 0; r < patch->run_count; r++) {
        for (uint32_t i = patch->runs[r].begin; i < patch->runs[r].end; i++) {
            float d[3];
            offset_to(&walls->bins, i, p, d);
            const float r2 = dot3(d, d), t = 1.0f - (r2 - g->r2);
            if (r2 >= BL_WALL_REACH * BL_WALL_REACH || belongs_to(walls, i, groups, n)) continue;
            if (dot3(walls->normal[i], walls->normal[g->seed]) <= SAME_PLANE) continue;
            members += 1.0f;
            for (int a = 0; a < 3; a++) middle[a] += d[a];
            if (t <= 0.0f) continue;
            const float height = dot3(d, walls->normal[i]);
            sum += t * t * (walls->two_sided[i] ? fabsf(height) - SHEET_HALF : height - walls->offset);
            weights += t * t;
        }
    }
    for (int a = 0; a < 3; a++) g->middle[a] = middle[a] / members;
    const float height = dot3(g->offset, walls->normal[g->seed]);
    const float aside2 = g->r2 - height * height;
    const float beyond_rim = (aside2 > 0.0f ? sqrtf(aside2) : 0.0f) - RIM;
    const float distance = sum / weights;
    return beyond_rim > distance ? beyond_rim : distance;
}

/* Do the planes of two groups enclose the fluid (a corner seen from within)? */
static bool is_inner_corner(const bl_walls *walls, const group *a, const group *b) {
    float between[3], normals[3];
    for (int k = 0; k < 3; k++) {
        between[k] = a->middle[k] - b->middle[k]; /* from a's middle to b's */
        normals[k] = walls->normal[a->seed][k] - walls->normal[b->seed][k];
    }
    return dot3(between, normals) > 0.0f;
}

bl_wall_probe bl_walls_probe(const bl_wall_patch *patch, const float p[3]) {
    const bl_walls *walls = patch->walls;
    bl_wall_probe probe = {BL_WALL_FAR, 1.0f, {0}};
    group groups[GROUPS];
    for (int n = 0; n < GROUPS && find_seed(patch, p, groups, n); n++) {
        const float distance = plane_distance(patch, p, groups, n);
        const group *g = &groups[n];
        const float open = 1.0f - bl_kernel_beyond(distance - walls->gap);
        const bool inner = n > 0 && is_inner_corner(walls, &groups[0], g);
        if (n == 0)
            probe.open = open;
        else if (inner)
            probe.open *= open; /* each wall cuts its part off */
        else
            probe.open = open > probe.open ? open : probe.open;
        if (n > 0 && (inner ? distance >= probe.distance : distance <= probe.distance)) continue;
        probe.distance = distance;
        memcpy(probe.normal, walls->normal[g->seed], sizeof probe.normal);
    }
    if (probe.distance > BL_WALL_FAR) probe.distance = BL_WALL_FAR;
    if (probe.open < SMALLEST_OPEN) probe.open = SMALLEST_OPEN;
    return probe;
}
