/* Newton's method with conjugate gradients (algorithm 2 of Hyde et al. 2020).
 *
 * What is solved is (m + dt^2 H+) change = -residual, where walls leave the nodes free. The preconditioner is 1/m and
 * nothing better: with it every iterate has the momentum and the angular momentum of the first, whatever residual is
 * left, because forces have none and the matrix gives back m times a rigid motion. */
#include "base/parallel.h"
#include "schemes/mpm/mpm.h"

#include <stdio.h>
#include <string.h>

/* Residual at which conjugate gradients stop, over that of the Newton iteration. */
static const double CG_TOLERANCE = 1e-3;

typedef struct vectors {
    const bl_mpm *m;
    bl_vec3 *x, *y, *z;
    const bl_vec3 *a, *b;
    real alpha;
} vectors;

static double dot3(bl_vec3 a, bl_vec3 b) { return bl_v3d_dot(bl_v3d_from(a), bl_v3d_from(b)); }

static void dot_range(void *user, size_t begin, size_t end, double *acc) {
    const vectors *v = user;
    for (size_t i = begin; i < end; i++) acc[0] += dot3(v->a[i], v->b[i]);
}

static double dot(bl_world *world, const bl_mpm *m, const bl_vec3 *a, const bl_vec3 *b) {
    double sum = 0;
    vectors v = {.m = m, .a = a, .b = b};
    bl_parallel_reduce(world->ctx, m->masses, 1, BL_REDUCE_SUM, dot_range, &v, &sum);
    return sum;
}

/* --- conjugate gradients --- */

/* The residual, as far as walls let it act, becomes what is left to solve for; its sizes before and after. */
static void begin_range(void *user, size_t begin, size_t end) {
    const vectors *v = user;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3 r = bl_mpm_project(v->m, i, bl_v3_scale(-1, v->m->residual[i]));
        v->x[i] = bl_v3_zero();
        v->y[i] = r;
        v->z[i] = bl_v3_scale(1 / v->m->inertia[i], r);
        v->m->direction[i] = v->z[i];
    }
}

static void advance_range(void *user, size_t begin, size_t end) {
    const vectors *v = user;
    for (size_t i = begin; i < end; i++) {
        v->x[i] = bl_v3_mad(v->x[i], v->alpha, v->m->direction[i]);
        v->y[i] = bl_v3_mad(v->y[i], -v->alpha, v->m->image[i]);
        v->z[i] = bl_v3_scale(1 / v->m->inertia[i], v->y[i]);
    }
}

static void turn_range(void *user, size_t begin, size_t end) {
    const vectors *v = user;
    for (size_t i = begin; i < end; i++) v->x[i] = bl_v3_mad(v->a[i], v->alpha, v->x[i]);
}

/* m->residual is used up; the solution is m->change. Returns the iterations. */
static int conjugate_gradients(bl_world *world, bl_mpm *m, int most) {
    vectors v = {.m = m, .x = m->change, .y = m->residual, .z = m->scaled, .a = m->scaled};
    bl_parallel_for(world->ctx, m->masses, BL_CHUNK, begin_range, &v);
    double rz = dot(world, m, m->residual, m->scaled);
    const double goal = CG_TOLERANCE * CG_TOLERANCE * rz;
    int k = 0;
    while (k < most && rz > goal && rz > 0) {
        bl_mpm_apply(world, m, m->direction, m->image);
        const double curvature = dot(world, m, m->direction, m->image);
        if (!(curvature > 0)) break;
        v.alpha = (real)(rz / curvature);
        bl_parallel_for(world->ctx, m->masses, BL_CHUNK, advance_range, &v);
        const double next = dot(world, m, m->residual, m->scaled);
        vectors turn = {.m = m, .x = m->direction, .a = m->scaled, .alpha = (real)(next / rz)};
        bl_parallel_for(world->ctx, m->masses, BL_CHUNK, turn_range, &turn);
        rz = next;
        k++;
    }
    return k;
}

/* --- Newton --- */

static void change_range(void *user, size_t begin, size_t end) {
    const vectors *v = user;
    for (size_t i = begin; i < end; i++) v->x[i] = bl_v3_add(v->x[i], v->a[i]);
}

static void measure_nodes(void *user, size_t begin, size_t end, double *acc) {
    const bl_mpm *m = user;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3 r = bl_mpm_project(m, i, m->residual[i]);
        acc[0] += sqrt(dot3(r, r));
        acc[1] += (double)m->inertia[i];
    }
}

/* What is left of the residual as a displacement over the step, a mean by mass, in spacings. */
static double residual_size(bl_world *world, const bl_mpm *m) {
    double sums[2] = {0, 0};
    bl_parallel_reduce(world->ctx, m->masses, 2, BL_REDUCE_SUM, measure_nodes, (void *)m, sums);
    return sums[1] > 0 ? m->dt * sums[0] / (sums[1] * world->scene->spacing) : 0;
}

static void note(bl_mpm *m, double size) {
    double *row = m->history + 3 * m->newton_iterations;
    row[0] = row[2] = 0;
    row[1] = size;
}

static bl_status diverged(const bl_world *world, const bl_mpm *m, double first, double last, bl_failure *failure) {
    failure->term = "surface tension";
    failure->id = m->particles ? world->fluid.id[0] : 0;
    failure->x = m->particles ? bl_v3d_from(world->fluid.x[0]) : bl_v3d_zero();
    snprintf(failure->text, sizeof failure->text,
             "Newton's method does not converge: after %d iterations a residual of %.3g spacings is left of %.3g "
             "(all of the liquid; smaller steps or scheme.max_iterations above %d may help)",
             m->newton_iterations, last, first, world->scene->scheme.max_iterations);
    return BL_ERR_DIVERGED;
}

bl_status bl_mpm_solve(bl_world *world, bl_mpm *m, bl_observation *report, bl_failure *failure) {
    const bl_scheme_def *def = &world->scene->scheme;
    double first = 0, size = 0;
    m->newton_iterations = m->cg_iterations = 0;
    bl_mpm_hold_walls(world, m, true);
    for (;; m->newton_iterations++) {
        bl_mpm_find_residual(world, m);
        bl_mpm_push_walls(world, m);
        size = residual_size(world, m);
        note(m, size);
        if (m->newton_iterations == 0) first = size;
        if (!isfinite(size)) return diverged(world, m, first, size, failure);
        const bool changed =
            m->newton_iterations > 0 && m->newton_iterations < BL_MPM_NEWTON - 1 && bl_mpm_walls_change(world, m);
        if (changed) {
            bl_mpm_hold_walls(world, m, false);
            bl_mpm_find_residual(world, m);
        } else if (m->newton_iterations == BL_MPM_NEWTON ||
                   (m->newton_iterations > 0 && size <= def->tension_tolerance)) {
            break;
        }
        m->cg_iterations += conjugate_gradients(world, m, def->max_iterations);
        vectors v = {.m = m, .x = m->v, .a = m->change};
        bl_parallel_for(world->ctx, m->masses, BL_CHUNK, change_range, &v);
    }
    report->iterations = m->cg_iterations;
    report->residual_tension = size;
    if (size > first && size > 100 * def->tension_tolerance) return diverged(world, m, first, size, failure);
    return BL_OK;
}
