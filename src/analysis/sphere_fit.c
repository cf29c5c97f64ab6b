#include "analysis/sphere_fit.h"

#include <math.h>
#include <string.h>

enum { MAX_UNKNOWNS = 4, REFINEMENTS = 20 };

/* Normal equations of a least-squares problem with up to 4 unknowns. */
typedef struct equations {
    int n;
    double a[MAX_UNKNOWNS][MAX_UNKNOWNS], b[MAX_UNKNOWNS];
} equations;

static void add_row(equations *e, const double *row, double value) {
    for (int i = 0; i < e->n; i++) {
        for (int j = 0; j < e->n; j++) e->a[i][j] += row[i] * row[j];
        e->b[i] += row[i] * value;
    }
}

/* Gauss with pivoting on the diagonal, enough for a symmetric, not negative matrix; false if singular. */
static bool solve(equations *e, double *x) {
    double scale = 0;
    for (int i = 0; i < e->n; i++) scale = fmax(scale, e->a[i][i]);
    for (int k = 0; k < e->n; k++) {
        if (!(e->a[k][k] > 1e-12 * scale)) return false;
        for (int i = k + 1; i < e->n; i++) {
            double f = e->a[i][k] / e->a[k][k];
            for (int j = k; j < e->n; j++) e->a[i][j] -= f * e->a[k][j];
            e->b[i] -= f * e->b[k];
        }
    }
    for (int k = e->n - 1; k >= 0; k--) {
        x[k] = e->b[k];
        for (int j = k + 1; j < e->n; j++) x[k] -= e->a[k][j] * x[j];
        x[k] /= e->a[k][k];
    }
    return true;
}

static void components(bl_vec3d x, double c[3]) { c[0] = x.x, c[1] = x.y, c[2] = x.z; }

/* |x|^2 = 2 c . x + (R^2 - |c|^2), linear in c and the bracket. Coordinates are of order 1 around the mean. */
static bool fit_algebraic(int dim, const bl_vec3d *x, size_t count, bl_vec3d mean, double scale, double *c, double *r) {
    equations e = {.n = dim + 1};
    for (size_t i = 0; i < count; i++) {
        bl_vec3d d = bl_v3d_scale(1 / scale, bl_v3d_sub(x[i], mean));
        double row[MAX_UNKNOWNS];
        components(d, row);
        row[dim] = 1;
        add_row(&e, row, bl_v3d_norm2(d));
    }
    double u[MAX_UNKNOWNS], c2 = 0;
    if (!solve(&e, u)) return false;
    for (int k = 0; k < dim; k++) {
        c[k] = u[k] / 2;
        c2 += c[k] * c[k];
    }
    *r = sqrt(u[dim] + c2);
    return isfinite(*r);
}

/* One Gauss-Newton step on sum (|x - c| - R)^2; false where the points do not determine it. */
static bool refine(int dim, const bl_vec3d *x, size_t count, bl_vec3d mean, double scale, double *c, double *r) {
    equations e = {.n = dim + 1};
    for (size_t i = 0; i < count; i++) {
        bl_vec3d d = bl_v3d_scale(1 / scale, bl_v3d_sub(x[i], mean));
        d = bl_v3d_sub(d, bl_v3d_make(c[0], c[1], c[2]));
        double row[MAX_UNKNOWNS], length = bl_v3d_norm(d);
        if (!(length > 0)) continue;
        components(bl_v3d_scale(1 / length, d), row);
        row[dim] = 1;
        add_row(&e, row, length - *r);
    }
    double u[MAX_UNKNOWNS];
    if (!solve(&e, u)) return false;
    for (int k = 0; k < dim; k++) c[k] += u[k];
    *r += u[dim];
    return true;
}

bl_sphere_fit bl_sphere_fit_points(int dimension, const bl_vec3d *x, size_t count) {
    bl_sphere_fit fit = {0};
    if (count < (size_t)dimension + 1) return fit;
    bl_vec3d mean = bl_v3d_zero();
    for (size_t i = 0; i < count; i++) mean = bl_v3d_mad(mean, 1 / (double)count, x[i]);
    double scale = 0, c[3] = {0}, r = 0;
    for (size_t i = 0; i < count; i++) scale = fmax(scale, bl_v3d_norm(bl_v3d_sub(x[i], mean)));
    if (!(scale > 0) || !fit_algebraic(dimension, x, count, mean, scale, c, &r)) return fit;
    double best[3], best_r = r;
    memcpy(best, c, sizeof best);
    for (int k = 0; k < REFINEMENTS && refine(dimension, x, count, mean, scale, c, &r); k++) {
        if (!(r > 0 && r < 1e4)) break; /* running away: nearly flat points; the algebraic fit stays */
        memcpy(best, c, sizeof best);
        best_r = r;
    }
    fit.found = true;
    fit.center = bl_v3d_mad(mean, scale, bl_v3d_make(best[0], best[1], best[2]));
    fit.radius = scale * best_r;
    return fit;
}
