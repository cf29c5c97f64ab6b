/* Shared by the surface tests: clouds of particles and checks of meshes. */
#ifndef SURFACE_SUPPORT_H
#define SURFACE_SUPPORT_H

#include "base/rng.h"
#include "surface/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

typedef struct cloud {
    size_t count, capacity;
    bl_vec3 *x, *v;
    uint32_t *phase;
} cloud;

static inline void cloud_add(cloud *c, double x, double y, double z, uint32_t phase) {
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 1024;
        c->x = realloc(c->x, c->capacity * sizeof *c->x);
        c->v = realloc(c->v, c->capacity * sizeof *c->v);
        c->phase = realloc(c->phase, c->capacity * sizeof *c->phase);
        assert_true(c->x && c->v && c->phase);
    }
    c->x[c->count] = bl_v3_make((real)x, (real)y, (real)z);
    c->v[c->count] = bl_v3_zero();
    c->phase[c->count++] = phase;
}

static inline void cloud_free(cloud *c) {
    free(c->x);
    free(c->v);
    free(c->phase);
    *c = (cloud){0};
}

/* Signed shape functions: negative inside. */
typedef double (*shape_fn)(const double p[3], const double *parameters);

static inline double ellipsoid(const double p[3], const double *radii) {
    return p[0] * p[0] / (radii[0] * radii[0]) + p[1] * p[1] / (radii[1] * radii[1]) +
           p[2] * p[2] / (radii[2] * radii[2]) - 1.0;
}
static inline double torus(const double p[3], const double *radii) {
    return hypot(hypot(p[0], p[1]) - radii[0], p[2]) - radii[1];
}
static inline double box(const double p[3], const double *half) {
    return fmax(fabs(p[0]) - half[0], fmax(fabs(p[1]) - half[1], fabs(p[2]) - half[2]));
}

/* Fill a shape from a lattice of spacing 1 whose origin is shifted by `shift`, each particle displaced by up to
 * `jitter` along each axis; the shape's centre is at `center`. */
static inline void cloud_fill(cloud *c, shape_fn shape, const double *parameters, const double center[3],
                              const double shift[3], double jitter, uint32_t phase) {
    const int n = 40;
    uint64_t k = 0;
    for (int z = -n; z <= n; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++, k++) {
                const double p[3] = {x + shift[0], y + shift[1], z + shift[2]};
                if (shape(p, parameters) > 0.0) continue;
                double q[3];
                for (uint64_t a = 0; a < 3; a++)
                    q[a] = center[a] + p[a] + jitter * (2.0 * bl_rng_uniform(7, a, k) - 1.0);
                cloud_add(c, q[0], q[1], q[2], phase);
            }
}

static inline bl_surface_input cloud_input(const cloud *c) {
    return (bl_surface_input){.spacing = 1.0,
                              .count = c->count,
                              .x = c->x,
                              .v = c->v,
                              .phase_count = 1,
                              .options = bl_default_surface_options()};
}

static inline int compare_u64(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Edges that do not have exactly one twin in the opposite direction. */
static inline size_t count_bad_edges(const bl_surface_mesh *m) {
    const size_t n = 3 * m->triangle_count;
    uint64_t *const forth = malloc((n + 1) * sizeof *forth), *const back = malloc((n + 1) * sizeof *back);
    assert_true(forth && back);
    for (size_t k = 0; k < n; k++) {
        const uint64_t a = m->triangle[k], b = m->triangle[k / 3 * 3 + (k + 1) % 3];
        forth[k] = a << 32 | b, back[k] = b << 32 | a;
    }
    qsort(forth, n, sizeof *forth, compare_u64);
    qsort(back, n, sizeof *back, compare_u64);
    size_t bad = 0;
    for (size_t k = 0; k < n; k++) bad += forth[k] != back[k] || (k > 0 && forth[k] == forth[k - 1]);
    free(forth);
    free(back);
    return bad;
}

static inline long euler_characteristic(const bl_surface_mesh *m) {
    return (long)m->vertex_count - (long)(3 * m->triangle_count / 2) + (long)m->triangle_count;
}

static inline void assert_sound(const bl_surface_mesh *m) {
    assert_int_equal(count_bad_edges(m), 0);
    for (size_t k = 0; k < 3 * m->triangle_count; k++) assert_true(m->triangle[k] < m->vertex_count);
    for (size_t v = 0; v < m->vertex_count; v++) {
        assert_true(isfinite((double)m->x[v].x) && isfinite((double)m->x[v].y) && isfinite((double)m->x[v].z));
        assert_true(fabs((double)bl_v3_norm2(m->normal[v]) - 1.0) < 1e-4);
    }
}

/* |found / expected - 1| <= tolerance, with a message that shows both. */
static inline void assert_relative(double found, double expected, double tolerance, const char *what) {
    if (fabs(found / expected - 1.0) <= tolerance) return;
    fail_msg("%s is %.5g, expected %.5g to %.2g %%: off by %+.3g %%", what, found, expected, 100.0 * tolerance,
             100.0 * (found / expected - 1.0));
}

#endif
