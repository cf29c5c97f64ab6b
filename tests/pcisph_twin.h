/* A step of akinci2013 or yang2016 in plain double loops over all pairs, sharing no code with the library. */
#ifndef TESTS_PCISPH_TWIN_H
#define TESTS_PCISPH_TWIN_H

#include <math.h>
#include <string.h>

enum { PTWIN_MAX = 700 };
typedef struct ptwin {
    int dim, n, nb, yang, iterations;
    double d, dt, w, delta; /* delta for this dt and the density 1 */
    double gravity[3];
    double rho0[2];                /* of each fluid */
    double gamma_c, gamma_k, beta; /* of akinci2013, flat factors included */
    double f_ff[2][2], f_fb[2];    /* of yang2016, newtons, for V_b = 1 */
    double mu[2][2], wall_mu[2];   /* pair coefficients 2 (dim + 2) mu/kappa */
    int phase[PTWIN_MAX];
    double x[PTWIN_MAX][3], v[PTWIN_MAX][3], p[PTWIN_MAX];
    double b[PTWIN_MAX][3], vb[PTWIN_MAX];
} ptwin;

static double ptwin_w(const ptwin *t, double r) {
    double H = 2 * t->d, q = r / H, s = t->dim == 3 ? 8 / (M_PI * H * H * H) : 40 / (7 * M_PI * H * H);
    if (q >= 1) return 0;
    return q <= 0.5 ? s * (6 * q * q * q - 6 * q * q + 1) : 2 * s * pow(1 - q, 3);
}
static double ptwin_dw(const ptwin *t, double r) {
    double H = 2 * t->d, q = r / H, s = t->dim == 3 ? 8 / (M_PI * H * H * H) : 40 / (7 * M_PI * H * H);
    if (q >= 1) return 0;
    return (q <= 0.5 ? s * (18 * q * q - 12 * q) : -6 * s * (1 - q) * (1 - q)) / H;
}
static double ptwin_c(double r, double h) {
    if (r <= 0 || r > h) return 0;
    double a = pow(h - r, 3) * pow(r, 3);
    return 32 / (M_PI * pow(h, 9)) * (2 * r > h ? a : 2 * a - pow(h, 6) / 64);
}
static double ptwin_a(double r, double h) {
    double radicand = -4 * r * r / h + 6 * r - 2 * h;
    return 2 * r > h && r <= h && radicand > 0 ? 0.007 / pow(h, 3.25) * pow(radicand, 0.25) : 0;
}
static double ptwin_pull(const ptwin *t, double r) {
    double H = 2.8 * t->d;
    return r <= H ? -cos(3 * M_PI * r / (2 * H)) : 0;
}

static double ptwin_diff(const double *a, const double *b, double *d) {
    for (int k = 0; k < 3; ++k) d[k] = a[k] - b[k];
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Density over rest density of i at `y`, from the pairs that are neighbours at `x`. */
static double ptwin_fill(const ptwin *t, double y[][3], int i) {
    double d[3], v0 = pow(t->d, t->dim), sum = v0 * ptwin_w(t, 0);
    for (int j = 0; j < t->n; ++j)
        if (j != i && ptwin_diff(t->x[i], t->x[j], d) < 2 * t->d) sum += v0 * ptwin_w(t, ptwin_diff(y[i], y[j], d));
    for (int j = 0; j < t->nb; ++j)
        if (ptwin_diff(t->x[i], t->b[j], d) < 2 * t->d) sum += t->vb[j] * ptwin_w(t, ptwin_diff(y[i], t->b[j], d));
    return sum;
}

/* Cohesion, curvature and adhesion on i, for one fluid. */
static void ptwin_cohesion(const ptwin *t, int i, const double *fill, double n[][3], double *a) {
    double d[3], h = 2 * t->d, m = t->rho0[0] * pow(t->d, t->dim);
    for (int j = 0; j < t->n + t->nb; ++j) {
        const int wall = j >= t->n, b = j - t->n;
        double r = ptwin_diff(t->x[i], wall ? t->b[b] : t->x[j], d), K = wall ? 0 : 2 / (fill[i] + fill[j]);
        for (int k = 0; k < 3 && j != i && r < h; ++k) {
            if (wall)
                a[k] -= t->beta * t->rho0[0] * t->vb[b] * ptwin_a(r, h) * d[k] / r;
            else
                a[k] -= K * (t->gamma_c * m * ptwin_c(r, h) * d[k] / r + t->gamma_k * (n[i][k] - n[j][k]));
        }
    }
}

/* Accelerations that stay the same through the iterations. */
static void ptwin_fixed(const ptwin *t, double a[][3]) {
    static double n[PTWIN_MAX][3], fill[PTWIN_MAX], x[PTWIN_MAX][3];
    double d[3], u[3], zero[3] = {0}, v0 = pow(t->d, t->dim);
    memcpy(x, t->x, sizeof x);
    memset(n, 0, sizeof n);
    for (int i = 0; i < t->n; ++i) fill[i] = ptwin_fill(t, x, i);
    for (int i = 0; i < t->n; ++i)
        for (int j = 0; j < t->n; ++j) {
            double r = ptwin_diff(x[i], x[j], d);
            for (int k = 0; k < 3 && j != i; ++k) n[i][k] += 2 * t->d * v0 / fill[j] * ptwin_dw(t, r) * d[k] / r;
        }
    for (int i = 0; i < t->n; ++i) {
        const int pi = t->phase[i];
        for (int k = 0; k < 3; ++k) a[i][k] = t->gravity[k];
        for (int j = 0; j < t->n + t->nb; ++j) {
            const int wall = j >= t->n, b = j - t->n;
            double r = ptwin_diff(x[i], wall ? t->b[b] : x[j], d);
            if (j == i) continue;
            ptwin_diff(t->v[i], wall ? zero : t->v[j], u);
            double c = wall ? t->wall_mu[pi] * t->vb[b] : t->mu[pi][t->phase[j]] * v0;
            c *= (u[0] * d[0] + u[1] * d[1] + u[2] * d[2]) / (r * r + 0.01 * t->d * t->d) * ptwin_dw(t, r) / r;
            for (int k = 0; k < 3; ++k) a[i][k] += c / t->rho0[pi] * d[k];
        }
        if (!t->yang) ptwin_cohesion(t, i, fill, n, a[i]);
    }
}

/* Pressure at x and the pair forces of yang2016 at y. */
static void ptwin_solved(const ptwin *t, double y[][3], double a[][3]) {
    double d[3], e[3], v0 = pow(t->d, t->dim), H = 2.8 * t->d;
    for (int i = 0; i < t->n; ++i) {
        const int pi = t->phase[i];
        memset(a[i], 0, sizeof a[i]);
        for (int j = 0; j < t->n + t->nb; ++j) {
            const int wall = j >= t->n, b = j - t->n;
            if (j == i) continue;
            double r = ptwin_diff(t->x[i], wall ? t->b[b] : t->x[j], d);
            double q = ptwin_diff(y[i], wall ? t->b[b] : y[j], e), v = wall ? t->vb[b] : v0;
            double press = -v0 * v * (t->p[i] + (wall ? 0 : t->p[j])) * ptwin_dw(t, r) / r;
            double strength = wall ? t->f_fb[pi] * v : t->f_ff[pi][t->phase[j]];
            double pull = t->yang && r < H ? strength * ptwin_pull(t, q) / q : 0;
            for (int k = 0; k < 3; ++k) a[i][k] += (press * d[k] - pull * e[k]) / (t->rho0[pi] * v0);
        }
    }
}

/* A step with exactly so many pressure updates, starting from `warm` times the last pressure. */
static void ptwin_step(ptwin *t, double warm) {
    static double fixed[PTWIN_MAX][3], solved[PTWIN_MAX][3], y[PTWIN_MAX][3], v[PTWIN_MAX][3];
    ptwin_fixed(t, fixed);
    for (int i = 0; i < t->n; ++i) t->p[i] *= warm;
    memcpy(y, t->x, sizeof y);
    for (int it = 0;; ++it) {
        ptwin_solved(t, y, solved);
        for (int i = 0; i < t->n; ++i)
            for (int k = 0; k < 3; ++k) {
                v[i][k] = t->v[i][k] + t->dt * (fixed[i][k] + solved[i][k]);
                y[i][k] = t->x[i][k] + t->dt * v[i][k];
            }
        if (it == t->iterations) break;
        for (int i = 0; i < t->n; ++i) {
            double d[3], light = t->rho0[t->phase[i]];
            for (int j = 0; j < t->n; ++j)
                if (ptwin_diff(t->x[i], t->x[j], d) < 2 * t->d) light = fmin(light, t->rho0[t->phase[j]]);
            t->p[i] = fmax(0, t->p[i] + t->w * t->delta * light * (ptwin_fill(t, y, i) - 1));
        }
    }
    memcpy(t->x, y, sizeof y);
    memcpy(t->v, v, sizeof v);
}

#endif
