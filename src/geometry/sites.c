#include "geometry/sites.h"
#include "base/parallel.h"
#include "base/rng.h"

#include <math.h>

/* Below this many sites the surface matters enough to try all positions of the lattice. */
static const double FEW_SITES = 3e5;
/* Distances from the surface, in spacings, up to which centres may count as inside, in order of preference. */
static const double LEVELS[] = {0, -0.025, 0.025, -0.05, 0.05, -0.075, 0.075, -0.1, 0.1};
enum { MAX_VARIANTS = 3, LEVEL_COUNT = sizeof LEVELS / sizeof *LEVELS };

/* Distance of neighbouring sites so that a site has the volume h^dim. */
static double hexagonal_distance(int dimension, double h) {
    return dimension == 2 ? h * sqrt(2 / sqrt(3.0)) : h * pow(2, 1.0 / 6);
}

static bl_vec3d hexagonal_site(const bl_sites *s, long i, long j, long k) {
    double d = hexagonal_distance(s->dimension, s->h);
    i -= s->n[0] / 2, j -= s->n[1] / 2, k -= s->n[2] / 2;
    double x = (double)i + 0.5 * (double)((j + k) & 1);
    double y = sqrt(3.0) / 2 * ((double)j + (double)(k & 1) / 3);
    return bl_v3d_scale(d, bl_v3d_make(x, y, sqrt(2.0 / 3) * (double)k));
}

bl_vec3d bl_sites_at(const bl_sites *s, size_t site) {
    long i = (long)(site % (size_t)s->n[0]), j = (long)(site / (size_t)s->n[0] % (size_t)s->n[1]);
    long k = (long)(site / (size_t)s->n[0] / (size_t)s->n[1]);
    if (s->filling == BL_FILL_HEXAGONAL) return bl_v3d_add(bl_v3d_add(s->center, s->shift), hexagonal_site(s, i, j, k));
    bl_vec3d x = bl_v3d_make((double)i - 0.5 * (double)(s->n[0] - 1), (double)j - 0.5 * (double)(s->n[1] - 1),
                             (double)k - 0.5 * (double)(s->n[2] - 1));
    return bl_v3d_mad(s->center, s->h, x);
}

bl_vec3d bl_sites_jittered(const bl_sites *s, size_t site) {
    bl_vec3d x = bl_sites_at(s, site);
    if (s->filling != BL_FILL_JITTERED) return x;
    x.x += s->jitter * (2 * bl_rng_uniform(s->seed, s->stream, 3 * site) - 1);
    x.y += s->jitter * (2 * bl_rng_uniform(s->seed, s->stream, 3 * site + 1) - 1);
    if (s->dimension == 3) x.z += s->jitter * (2 * bl_rng_uniform(s->seed, s->stream, 3 * site + 2) - 1);
    return x;
}

enum { PARTS = 4 }; /* of a cell along an axis */

int bl_sites_parts(const bl_sites *s) { return s->dimension == 3 ? PARTS * PARTS * PARTS : PARTS * PARTS; }

bl_vec3d bl_sites_part(const bl_sites *s, size_t site, int part) {
    const int layers = s->dimension == 3 ? PARTS : 1;
    double i = part % PARTS, j = part / PARTS % PARTS, k = part / PARTS / PARTS;
    bl_vec3d offset = bl_v3d_make((i + 0.5) / PARTS - 0.5, (j + 0.5) / PARTS - 0.5, (k + 0.5) / layers - 0.5);
    return bl_v3d_mad(bl_sites_at(s, site), s->h, offset);
}

/* --- laying out -------------------------------------------------------------------------------------------------- */

static double lay_out(bl_sites *s, const double n[3]) {
    double total = n[0] * n[1] * n[2];
    for (int k = 0; k < 3 && total <= BL_SITES_MAX; k++) s->n[k] = (long)n[k];
    return total;
}

/* Position `variant` of a cubic lattice: 0 fits the box best, 1 has one more plane of sites along each axis. */
static double lay_out_cubic(bl_sites *s, bl_vec3d size, int variant) {
    double n[3] = {fmax(rint(size.x / s->h), 1), fmax(rint(size.y / s->h), 1), fmax(rint(size.z / s->h), 1)};
    for (int k = 0; k < 3; k++) n[k] += variant;
    if (s->dimension == 2) n[2] = 1;
    return lay_out(s, n);
}

/* Odd numbers of sites, two spare rows on each side; the variants have a site, a bond and a gap in the middle. */
static double lay_out_hexagonal(bl_sites *s, bl_vec3d size, int variant) {
    double d = hexagonal_distance(s->dimension, s->h), third = sqrt(3.0) / 6, layer = 0.5 * sqrt(2.0 / 3);
    double n[3] = {2 * ceil(0.5 * size.x / d) + 5, 2 * ceil(0.5 * size.y / (d * sqrt(3.0) / 2)) + 5,
                   2 * ceil(0.5 * size.z / (d * sqrt(2.0 / 3))) + 5};
    if (s->dimension == 2) n[2] = 1;
    const bl_vec3d shifts[3] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, third, s->dimension == 3 ? -layer : 0}};
    s->shift = bl_v3d_scale(d, shifts[variant]);
    return lay_out(s, n);
}

static double lay_out_variant(bl_sites *s, bl_vec3d size, int variant) {
    return s->filling == BL_FILL_HEXAGONAL ? lay_out_hexagonal(s, size, variant) : lay_out_cubic(s, size, variant);
}

/* --- the best position ------------------------------------------------------------------------------------------- */

typedef struct count_job {
    const bl_sites *sites;
    const bl_solid *solid;
} count_job;

/* For each level. */
static void count_inside(void *user, size_t begin, size_t end, double *acc) {
    const count_job *job = user;
    for (size_t site = begin; site < end; site++) {
        double d = bl_solid_distance(job->solid, bl_sites_at(job->sites, site)) / job->sites->h;
        for (int level = 0; level < LEVEL_COUNT; level++) acc[level] += d < LEVELS[level];
    }
}

/* Share of each cell of a cubic lattice that is inside: cells at the surface are divided once more. */
static void measure_inside(void *user, size_t begin, size_t end, double *acc) {
    const count_job *job = user;
    const double diagonal = sqrt(job->sites->dimension) * job->sites->h / 2;
    const int parts = bl_sites_parts(job->sites);
    for (size_t site = begin; site < end; site++) {
        bl_vec3d x = bl_sites_at(job->sites, site);
        double d = bl_solid_distance(job->solid, x);
        if (fabs(d) >= diagonal) {
            acc[0] += d < 0;
            continue;
        }
        int inside = 0;
        for (int part = 0; part < parts; part++)
            inside += bl_solid_inside(job->solid, bl_sites_part(job->sites, site, part));
        acc[0] += (double)inside / parts;
    }
}

/* Volume of the solid in cells of h^dim, on a lattice that surely covers it. */
static double measure_volume(bl_context *ctx, const bl_sites *sites, const bl_solid *solid, bl_vec3d size) {
    bl_sites cubic = *sites;
    cubic.filling = BL_FILL_LATTICE;
    double total = lay_out_cubic(&cubic, size, 2), volume = 0;
    count_job job = {&cubic, solid};
    bl_parallel_reduce(ctx, (size_t)total, 1, BL_REDUCE_SUM, measure_inside, &job, &volume);
    return volume;
}

double bl_sites_plan(bl_context *ctx, bl_sites *s, const bl_solid *solid) {
    bl_box box = bl_solid_bounds(solid);
    bl_vec3d size = bl_v3d_sub(box.max, box.min);
    s->center = bl_v3d_scale(0.5, bl_v3d_add(box.min, box.max));
    s->shift = bl_v3d_zero();
    double total = lay_out_variant(s, size, 0);
    if (!(total <= FEW_SITES)) return total;

    const int variants = s->filling == BL_FILL_HEXAGONAL ? MAX_VARIANTS : 2;
    int best = 0;
    double volume = measure_volume(ctx, s, solid, size), best_error = INFINITY;
    double inside[MAX_VARIANTS][LEVEL_COUNT];
    for (int variant = 0; variant < variants; variant++) {
        count_job job = {s, solid};
        size_t sites = (size_t)lay_out_variant(s, size, variant);
        bl_parallel_reduce(ctx, sites, LEVEL_COUNT, BL_REDUCE_SUM, count_inside, &job, inside[variant]);
    }
    for (int choice = 0; choice < variants * LEVEL_COUNT; choice++) {
        double error = fabs(inside[choice % variants][choice / variants] - volume);
        if (error < best_error - 0.005 * volume) { /* a tie goes to the earlier one */
            best = choice;
            best_error = error;
        }
    }
    s->level = LEVELS[best / variants] * s->h;
    return lay_out_variant(s, size, best % variants);
}

bool bl_sites_inside(const bl_sites *s, const bl_solid *solid, size_t site) {
    bl_vec3d x = bl_sites_at(s, site);
    return s->level == 0 ? bl_solid_inside(solid, x) : bl_solid_distance(solid, x) < s->level;
}
