/* A twin of the unified step in plain double loops over all pairs, written from the equations and sharing no code with
 * src/physics: what the fast path must agree with. Jacobi, cold start, a fixed number of iterations. */
#ifndef BL_TESTS_TWIN_H
#define BL_TESTS_TWIN_H

#include <math.h>
#include <string.h>

enum { TWIN_MAX = 400 };

typedef struct twin_kernel {
    int smooth;
    double H, norm, c[4];
} twin_kernel;

typedef struct twin {
    twin_kernel near, far;
    int dim, n, nb, corrected, exact_friction;
    double h, dt, a0, gravity[3];
    double rho[3], mu[3], fv[3], ff[3], fb[3]; /* per phase */
    double bv, bf, friction;                   /* one wall, at rest, viscosity of the fluid */
    int phase[TWIN_MAX];
    double x[TWIN_MAX][3], v[TWIN_MAX][3], b[TWIN_MAX][3];
    double p[TWIN_MAX], st[TWIN_MAX][3], fr[TWIN_MAX][3];
    double load[TWIN_MAX], lent[TWIN_MAX], s_fv[TWIN_MAX]; /* at the end of the last step */
} twin;

static double twin_w(const twin_kernel *k, double r) {
    double q = r / k->H, u = 1 - q * q, sum = 0;
    if (q >= 1) return 0;
    for (int n = 4; k->smooth && n > 0; --n) sum += k->norm * k->c[n - 1] * pow(u, 2 * n);
    if (k->smooth) return sum;
    return q <= 0.5 ? k->norm * (6 * q * q * q - 6 * q * q + 1) : 2 * k->norm * pow(1 - q, 3);
}
static double twin_dw(const twin_kernel *k, double r) { /* dW/dr */
    double q = r / k->H, u = 1 - q * q, sum = 0, s = k->norm / k->H;
    if (q >= 1) return 0;
    for (int n = 4; k->smooth && n > 0; --n) sum -= 4 * n * q * s * k->c[n - 1] * pow(u, 2 * n - 1);
    if (k->smooth) return sum;
    return q <= 0.5 ? s * (18 * q * q - 12 * q) : -6 * s * (1 - q) * (1 - q);
}
/* Smooth with these terms, in 3D, its integral made 1 by Simpson's rule; cubic without. */
static twin_kernel twin_kernel_of(int dim, double H, const double *c) {
    enum { STEPS = 2000 };
    twin_kernel k = {c != NULL, H, dim == 3 ? 8 / (M_PI * H * H * H) : 40 / (7 * M_PI * H * H), {0}};
    if (!c) return k;
    double sum = 0;
    k.norm = 1;
    memcpy(k.c, c, sizeof k.c);
    for (int i = 0; i <= STEPS; ++i) {
        double r = H * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        sum += weight * 4 * M_PI * r * r * twin_w(&k, r) * H / (3 * STEPS);
    }
    k.norm = 1 / sum;
    return k;
}
static double twin_delta(const double *a, const double *b, double *d) {
    double r2 = 0;
    for (int k = 0; k < 3; ++k) {
        d[k] = a[k] - b[k];
        r2 += d[k] * d[k];
    }
    return sqrt(r2);
}
static double twin_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double twin_S(double c) { return c > 0 ? c / sqrt(c * c + 0.0025) : 0; }
static double twin_S1(double c) { return c < 0 ? 0 : 0.0025 / pow(c * c + 0.0025, 1.5); }

/* Per-particle constants of the constraint. */
typedef struct twin_geometry {
    double err[TWIN_MAX], a[TWIN_MAX], b[TWIN_MAX], n[TWIN_MAX][3];
    double alpha_p[TWIN_MAX], alpha_st, wall_n[TWIN_MAX][3], kappa[TWIN_MAX];
} twin_geometry;

/* D_ij without V_j, for the pair offset d of length r. */
static void twin_D(const twin *t, const twin_geometry *g, int i, const double *d, double r, double *out) {
    double w = twin_w(&t->near, r), dw = r > 0 ? twin_dw(&t->near, r) / r : 0;
    double f = 1 - g->b[i] + g->a[i] * twin_dot(g->n[i], d);
    for (int k = 0; k < 3; ++k) out[k] = f * dw * d[k] + g->a[i] * w * g->n[i][k];
}

static void twin_constraint(const twin *t, twin_geometry *g) {
    double H = t->near.H, v0 = pow(t->h, t->dim), d[3];
    for (int i = 0; i < t->n; ++i) {
        double rho = 0, mu[3] = {0, 0, 0}, wall[3] = {0, 0, 0};
        g->kappa[i] = 0;
        for (int j = 0; j < t->n + t->nb; ++j) {
            double r = twin_delta(t->x[i], j < t->n ? t->x[j] : t->b[j - t->n], d), w = v0 * twin_w(&t->near, r);
            rho += w;
            for (int k = 0; k < 3; ++k) {
                mu[k] += w * d[k];
                if (j >= t->n && r > 0) wall[k] -= v0 * twin_dw(&t->near, r) / r * d[k];
            }
            if (j >= t->n) g->kappa[i] += w;
        }
        double length = sqrt(twin_dot(mu, mu)), m = length / (rho * H), wl = sqrt(twin_dot(wall, wall));
        double slope = t->dim == 2 ? 1.75 : 3, d0 = t->dim == 2 ? 0.01 : 0.02, root = sqrt(m * m + d0 * d0);
        double decay = t->dim == 2 ? 1 : exp(-slope * (root - d0) / 0.35), df = slope * decay * m / root;
        double f = !t->corrected ? 0 : t->dim == 2 ? slope * (root - d0) : 0.35 * (1 - decay);
        g->a[i] = t->corrected ? df / (rho * H) : 0;
        g->b[i] = t->corrected ? df * m / rho : 0;
        g->err[i] = 1 - rho - f;
        for (int k = 0; k < 3; ++k) {
            g->n[i][k] = length > 0 ? mu[k] / length : 0;
            g->wall_n[i][k] = wl > 0 ? wall[k] / wl : 0;
        }
        if (wl * t->h < 1e-6) g->kappa[i] = 0;
    }
}

/* W at predicted positions, of pairs that were neighbours at t. */
static double twin_far(const twin *t, const double *a, const double *b, const double *a_next, const double *b_next) {
    double d[3];
    return twin_delta(a, b, d) < t->far.H ? twin_w(&t->far, twin_delta(a_next, b_next, d)) : 0;
}

static void twin_contributions(const twin *t, double x[][3], double *fv, double *ff, double *fb, double *bv,
                               double *bf) {
    double v0 = pow(t->h, t->dim);
    for (int i = 0; i < t->n; ++i) {
        fv[i] = 1 - (t->corrected && t->dim == 2 ? 0.005 : 0), ff[i] = fb[i] = 0; /* calibration.h: packing */
        for (int j = 0; j < t->n; ++j) {
            double w = v0 * twin_far(t, t->x[i], t->x[j], x[i], x[j]);
            fv[i] -= w;
            ff[i] += t->phase[i] != t->phase[j] ? w : 0;
        }
        for (int j = 0; j < t->nb; ++j) fb[i] += v0 * twin_far(t, t->x[i], t->b[j], x[i], t->b[j]);
        fv[i] -= fb[i];
    }
    for (int j = 0; j < t->nb; ++j) {
        bv[j] = 1, bf[j] = 0;
        for (int i = 0; i < t->n; ++i) bf[j] += v0 * twin_far(t, t->b[j], t->x[i], t->b[j], x[i]);
        for (int k = 0; k < t->nb; ++k) bv[j] -= v0 * twin_far(t, t->b[j], t->b[k], t->b[j], t->b[k]);
        bv[j] -= bf[j];
    }
}

/* alphas of appendix A; the tension's with 9 times the Hessian at x + dt v, as the scheme has it. */
static void twin_alphas(const twin *t, twin_geometry *g) {
    static double fv[TWIN_MAX], ff[TWIN_MAX], fb[TWIN_MAX], bv[TWIN_MAX], bf[TWIN_MAX], x[TWIN_MAX][3];
    double v0 = pow(t->h, t->dim), d[3], D[3];
    for (int i = 0; i < t->n; ++i)
        for (int k = 0; k < 3; ++k) x[i][k] = t->x[i][k] + t->dt * t->v[i][k];
    twin_contributions(t, x, fv, ff, fb, bv, bf);
    g->alpha_st = 1;
    for (int i = 0; i < t->n; ++i) {
        double sum[3] = {0, 0, 0}, squares = 0, m_i = v0 * t->rho[t->phase[i]];
        double all[3] = {0, 0, 0}, other[3] = {0, 0, 0}, wall[3] = {0, 0, 0}, hess = 0;
        for (int j = 0; j < t->n + t->nb; ++j) {
            double r = twin_delta(t->x[i], j < t->n ? t->x[j] : t->b[j - t->n], d);
            if (j == i) continue;
            twin_D(t, g, i, d, r, D);
            double dw = r > 0 ? v0 * twin_dw(&t->far, r) / r : 0;
            for (int k = 0; k < 3; ++k) {
                sum[k] += v0 * D[k];
                all[k] += dw * d[k];
                if (j >= t->n)
                    wall[k] += dw * d[k];
                else if (t->phase[j] != t->phase[i])
                    other[k] += dw * d[k];
            }
            if (j < t->n) {
                squares += v0 * v0 * twin_dot(D, D) / (v0 * t->rho[t->phase[j]]);
                hess += (t->fv[t->phase[j]] * twin_S1(fv[j]) +
                         (t->phase[j] != t->phase[i] ? t->ff[t->phase[j]] * twin_S1(ff[j]) : 0)) *
                        dw * dw * r * r;
            } else {
                hess += (t->bv * twin_S1(bv[j - t->n]) + t->bf * twin_S1(bf[j - t->n])) * dw * dw * r * r;
            }
        }
        g->alpha_p[i] = 1 / (t->dt * t->dt * v0 * (twin_dot(sum, sum) / m_i + squares));
        hess += t->fv[t->phase[i]] * twin_S1(fv[i]) * twin_dot(all, all) +
                t->ff[t->phase[i]] * twin_S1(ff[i]) * twin_dot(other, other) +
                t->fb[t->phase[i]] * twin_S1(fb[i]) * twin_dot(wall, wall);
        g->alpha_st = fmin(g->alpha_st, 1 / (1 + 9 * t->dt * t->dt / (t->dim * m_i) * t->a0 * hess));
    }
}

static void twin_pressure(const twin *t, const twin_geometry *g, int i, double *force, double *wall) {
    double v0 = pow(t->h, t->dim), d[3], back[3], D[3], E[3];
    memset(force, 0, 3 * sizeof *force);
    memset(wall, 0, 3 * sizeof *wall);
    for (int j = 0; j < t->n + t->nb; ++j) {
        if (j == i) continue;
        double r = twin_delta(t->x[i], j < t->n ? t->x[j] : t->b[j - t->n], d);
        twin_D(t, g, i, d, r, D);
        for (int k = 0; k < 3; ++k) back[k] = -d[k];
        if (j < t->n) twin_D(t, g, j, back, r, E);
        for (int k = 0; k < 3; ++k) {
            force[k] -= v0 * v0 * (t->p[i] * D[k] - (j < t->n ? t->p[j] * E[k] : 0));
            wall[k] -= j < t->n ? 0 : v0 * v0 * t->p[i] * D[k];
        }
    }
}

static void twin_tension(const twin *t, int i, const double *fv, const double *ff, const double *fb, const double *bv,
                         const double *bf, double *force) {
    double v0 = pow(t->h, t->dim), d[3];
    int pi = t->phase[i];
    memset(force, 0, 3 * sizeof *force);
    for (int j = 0; j < t->n + t->nb; ++j) {
        double r = twin_delta(t->x[i], j < t->n ? t->x[j] : t->b[j - t->n], d);
        if (j == i || r == 0) continue;
        double dw = twin_dw(&t->far, r) / r, s = t->fv[pi] * twin_S(fv[i]);
        if (j < t->n) {
            int pj = t->phase[j];
            s += t->fv[pj] * twin_S(fv[j]);
            if (pj != pi) s -= t->ff[pi] * twin_S(ff[i]) + t->ff[pj] * twin_S(ff[j]);
        } else {
            s += t->bv * twin_S(bv[j - t->n]) - t->fb[pi] * twin_S(fb[i]) - t->bf * twin_S(bf[j - t->n]);
        }
        for (int k = 0; k < 3; ++k) force[k] += t->a0 * v0 * s * dw * d[k];
    }
}

static void twin_clip(double *f, double limit) {
    double length = sqrt(twin_dot(f, f));
    for (int k = 0; k < 3; ++k) f[k] *= length > limit ? limit / length : 1;
}

/* Add the friction that stops a particle moving with v past a wall at rest, cut to `limit`. */
static void twin_stop(twin *t, int i, const double *normal, double limit, double *v) {
    double m = pow(t->h, t->dim) * t->rho[t->phase[i]], along = twin_dot(v, normal);
    for (int k = 0; k < 3; ++k) t->fr[i][k] = -m / t->dt * (v[k] - along * normal[k]);
    twin_clip(t->fr[i], limit);
    for (int k = 0; k < 3; ++k) v[k] += t->dt / m * t->fr[i][k];
}

/* How far particle i is a base at rest: no contact line, and no motion but what gravity has added in this step. */
static double twin_idle(const twin *t, int i) {
    double q = fmin(1, fmax(0, (t->s_fv[i] - 0.75) / 0.2)), v[3], mass = pow(t->h, t->dim) * t->rho[t->phase[i]];
    double quiet = 0.0002 * t->a0 * t->fv[t->phase[i]];
    for (int k = 0; k < 3; ++k) v[k] = t->v[i][k] - t->dt * t->gravity[k];
    return quiet > 0 ? (1 - q * q * (3 - 2 * q)) * quiet / (quiet + mass * twin_dot(v, v)) : 0;
}

/* Friction to spare and wanted, from the last step; all is given back away from the wall (physics/load.h). */
static void twin_offers(const twin *t, const twin_geometry *g, double *spare, double *want) {
    for (int i = 0; i < t->n; ++i) {
        int contact = g->kappa[i] > 1e-6;
        double most = t->friction * t->load[i], used = sqrt(twin_dot(t->fr[i], t->fr[i])), idle = twin_idle(t, i);
        double line = t->friction * t->s_fv[i] * t->a0 * t->fv[t->phase[i]] / t->h;
        spare[i] = contact ? most + t->lent[i] - used * (1 - 0.5 * idle) : t->lent[i];
        want[i] = contact ? (1 - 0.8 * idle) * (used + 0.3 * (fmax(0, most + t->lent[i]) + line + most)) : 0;
    }
}

/* The load beside the pressure, and what is lent, at the start of a solve without pressure. The wall of the tests has a
 * single layer, so that it bears no contact line. */
static void twin_share(twin *t, const twin_geometry *g, double *pull) {
    static double fv[TWIN_MAX], ff[TWIN_MAX], fb[TWIN_MAX], bv[TWIN_MAX], bf[TWIN_MAX], x[TWIN_MAX][3];
    static double spare[TWIN_MAX], want[TWIN_MAX], lent[TWIN_MAX];
    double v0 = pow(t->h, t->dim), d[3];
    for (int i = 0; i < t->n; ++i)
        for (int k = 0; k < 3; ++k) x[i][k] = t->x[i][k] + t->dt * t->v[i][k];
    twin_contributions(t, x, fv, ff, fb, bv, bf);
    twin_offers(t, g, spare, want);
    for (int i = 0; i < t->n; ++i) lent[i] = t->lent[i] - spare[i], pull[i] = 0;
    for (int b = 0; b < t->nb; ++b) {
        double load = 0, held = 0, wanted = 0, left = 0;
        for (int i = 0; i < t->n; ++i) {
            double r = twin_delta(t->x[i], t->b[b], d), w = twin_w(&t->far, r);
            int pi = t->phase[i], contact = g->kappa[i] > 1e-6;
            double s =
                t->fv[pi] * twin_S(fv[i]) - t->fb[pi] * twin_S(fb[i]) + t->bv * twin_S(bv[b]) - t->bf * twin_S(bf[b]);
            load += r > 0 ? t->a0 * v0 * s * twin_dw(&t->far, r) / r * fabs(d[t->dim - 1]) : 0;
            held += contact ? w * g->kappa[i] : 0;
            wanted += w * want[i];
            left += contact     ? v0 * twin_w(&t->near, r) * spare[i] / g->kappa[i]
                    : fb[i] > 0 ? v0 * w * spare[i] / fb[i]
                                : 0;
        }
        for (int i = 0; i < t->n; ++i) {
            double w = twin_w(&t->far, twin_delta(t->x[i], t->b[b], d));
            if (g->kappa[i] <= 1e-6) continue;
            pull[i] += held * v0 > 1e-6 ? w * g->kappa[i] * load / held : 0;
            lent[i] += wanted > 0 ? w * want[i] * left / wanted : 0;
        }
    }
    for (int i = 0; i < t->n; ++i) t->lent[i] = g->kappa[i] > 1e-6 ? (1 - 0.00025) * lent[i] : 0;
}

/* Explicit viscosity on v, in place. */
static void twin_viscosity(twin *t) {
    static double old[TWIN_MAX][3];
    double v0 = pow(t->h, t->dim), d[3], u[3], zero[3] = {0, 0, 0};
    memcpy(old, t->v, sizeof old);
    for (int i = 0; i < t->n; ++i)
        for (int j = 0; j < t->n + t->nb; ++j) {
            double r = twin_delta(t->x[i], j < t->n ? t->x[j] : t->b[j - t->n], d);
            if (j == i || r == 0) continue;
            double a = t->mu[t->phase[i]], b = j < t->n ? t->mu[t->phase[j]] : a;
            double mu = a + b > 0 ? 2 * a * b / (a + b) : 0;
            twin_delta(old[i], j < t->n ? old[j] : zero, u);
            double c = 2 * (t->dim + 2) * mu * v0 * v0 * twin_dot(u, d) / (r * r + 0.01 * t->h * t->h) *
                       twin_dw(&t->far, r) / r;
            for (int k = 0; k < 3; ++k) t->v[i][k] += t->dt / (v0 * t->rho[t->phase[i]]) * c * d[k];
        }
}

/* One step of `iterations` Jacobi iterations from a cold start. */
static void twin_step(twin *t, int iterations) {
    static twin_geometry g;
    static double vn[TWIN_MAX][3], xn[TWIN_MAX][3], pull[TWIN_MAX], limit[TWIN_MAX];
    static double fv[TWIN_MAX], ff[TWIN_MAX], fb[TWIN_MAX], bv[TWIN_MAX], bf[TWIN_MAX];
    double v0 = pow(t->h, t->dim), d[3], D[3], force[3], wall[3];
    for (int i = 0; i < t->n; ++i)
        for (int k = 0; k < 3; ++k) t->v[i][k] += t->dt * t->gravity[k];
    twin_viscosity(t);
    twin_constraint(t, &g);
    twin_alphas(t, &g);
    memset(pull, 0, sizeof pull);
    if (t->corrected) twin_share(t, &g, pull);
    memset(t->p, 0, sizeof t->p);
    memset(t->st, 0, sizeof t->st);
    memset(t->fr, 0, sizeof t->fr);
    for (int it = 0; it < iterations; ++it) {
        for (int i = 0; i < t->n; ++i) {
            twin_pressure(t, &g, i, force, wall);
            t->load[i] = fmax(0, twin_dot(wall, g.wall_n[i]) + pull[i]);
            limit[i] = fmax(0, t->friction * t->load[i] + t->lent[i]);
            if (t->exact_friction) memset(t->fr[i], 0, sizeof t->fr[i]);
            for (int k = 0; k < 3; ++k)
                vn[i][k] = t->v[i][k] + t->dt / (v0 * t->rho[t->phase[i]]) * (force[k] + t->st[i][k] + t->fr[i][k]);
            if (t->exact_friction && g.kappa[i] > 1e-6) twin_stop(t, i, g.wall_n[i], limit[i], vn[i]);
            for (int k = 0; k < 3; ++k) xn[i][k] = t->x[i][k] + t->dt * vn[i][k];
        }
        twin_contributions(t, xn, fv, ff, fb, bv, bf);
        if (it == iterations - 1) break; /* the last evaluation is what is integrated */
        for (int i = 0; i < t->n; ++i) {
            double err = g.err[i], slip[3] = {0, 0, 0}, m = v0 * t->rho[t->phase[i]];
            for (int j = 0; j < t->n + t->nb; ++j) {
                double r = twin_delta(t->x[i], j < t->n ? t->x[j] : t->b[j - t->n], d);
                if (j == i) continue;
                twin_D(t, &g, i, d, r, D);
                for (int k = 0; k < 3; ++k) {
                    err -= t->dt * v0 * D[k] * (vn[i][k] - (j < t->n ? vn[j][k] : 0));
                    slip[k] += j < t->n ? 0 : v0 * twin_w(&t->near, r) * vn[i][k];
                }
            }
            t->p[i] = fmax(0, t->p[i] - 0.5 * g.alpha_p[i] * err);
            twin_tension(t, i, fv, ff, fb, bv, bf, force);
            for (int k = 0; k < 3; ++k) t->st[i][k] += 0.5 * g.alpha_st * (force[k] - t->st[i][k]);
            if (g.kappa[i] <= 1e-6 || t->exact_friction) continue;
            double along = twin_dot(slip, g.wall_n[i]), target[3];
            for (int k = 0; k < 3; ++k)
                target[k] =
                    -(double)t->dim / (t->dim - 1) * m / (t->dt * g.kappa[i]) * (slip[k] - along * g.wall_n[i][k]);
            twin_clip(target, limit[i]);
            for (int k = 0; k < 3; ++k) t->fr[i][k] += 0.5 * target[k];
            twin_clip(t->fr[i], limit[i]);
        }
    }
    for (int i = 0; i < t->n; ++i) t->s_fv[i] = twin_S(fv[i]);
    memcpy(t->v, vn, sizeof vn);
    memcpy(t->x, xn, sizeof xn);
}

#endif
