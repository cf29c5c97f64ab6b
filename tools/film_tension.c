/* The constants of the physical calibration: energy and stress of a flat film, by minimising its energy.
 *
 *   cc -O2 -DBL_DOUBLE -D_DEFAULT_SOURCE -Isrc -Iinclude -o film_tension tools/film_tension.c src/schemes/kernels.c -lm
 *   film_tension [2|3] [cubic|smooth] [NAME=VALUE ...]
 *
 * A periodic film, `thick` particles thick and `across` wide, starts as a lattice with the jitter `jitter`. Its
 * interface energy, with A0 = 1 and h = 1, is made least under the volume constraint G <= 1 (physics/volume.h,
 * physics/tension.h), by a penalty and pressures. Printed are
 *   - the energy per area e of both surfaces: gamma per area for A0 = 1/e,
 *   - the surface stress dE/dA over e for strains from -4 % to 4 % at constant volume (`strains` = 0: none). In a
 *     liquid it is 1 for all of them; a slope is the modulus of a solid skin,
 *   - with `affine` (3D), instead of stresses, the moduli of a surface over e before any particle gives way, against
 *     shear in its plane and a change of its area, and what tension, density and f(m) have of them. In a liquid both
 *     are 0.
 * `slope`, `round` and `top` are k, d and F of f(m), `seed` is the jitter's, `steps` the most that a search for a
 * minimum takes. A film's minimum is one of many. With `shakes` it is shaken as often, by a motion of `shake` at first
 * that becomes less, and relaxed again each time. With `films` as many films are made, with seeds from `seed` on, and
 * the mean of A0 and its scatter are printed instead of stresses. docs/theory/calibration.md has the figures. */
#include "physics/calibration.h"
#include "physics/tension.h"
#include "physics/volume.h"
#include "schemes/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000, ROOM = 300, ROUNDS = 20 };

static const double STIFFNESS = 300;   /* of the penalty, in energies per unit of G - 1 */
static const double EXCESS_MIN = 5e-5; /* mean of |G - 1| where there is pressure, where the search for it ends */
static const double FORCE_MIN = 1e-4;  /* root mean square, where the search for the minimum ends */
static const double SKIN = 0.6;        /* of the neighbour lists, in spacings */

/* What a film is made like. */
typedef struct recipe {
    int dimension;
    bl_kernel_family family;
    double slope, round, top; /* of f(m) */
    double across, thick, jitter, seed, steps, shakes, shake, films, strains, affine;
} recipe;

typedef struct film {
    int dimension, count, steps;
    double width[2]; /* of the periodic box */
    double reach;    /* of the tension */
    double x[MOST][3], start[MOST][3], speed[MOST][3], force[MOST][3];
    int near_count[MOST], near[MOST][ROOM]; /* of every pair the particle that comes first */
    double held[MOST];                      /* pressure that the penalty need not make */
    bl_params par;
} film;

/* the only film, and how it was at rest; too large for a stack */
static film the_film, at_rest;

static double difference(const film *f, int i, int j, double d[3]) {
    double r2 = 0;
    for (int a = 0; a < 3; a++) {
        d[a] = f->x[i][a] - f->x[j][a];
        if (a < f->dimension - 1) d[a] -= f->width[a] * rint(d[a] / f->width[a]);
        r2 += d[a] * d[a];
    }
    return r2;
}

static void find_neighbours(film *f) {
    double reach = f->reach + SKIN, d[3];
    memcpy(f->start, f->x, sizeof f->x);
    memset(f->near_count, 0, sizeof f->near_count);
    for (int i = 0; i < f->count; i++)
        for (int j = 0; j < i; j++) {
            if (difference(f, i, j, d) > reach * reach) continue;
            if (f->near_count[i] == ROOM) {
                fprintf(stderr, "film_tension: more than %d neighbours: the film collapsed\n", ROOM);
                exit(1);
            }
            f->near[i][f->near_count[i]++] = j;
        }
}

static void renew_neighbours(film *f) {
    double far = 0;
    for (int i = 0; i < f->count; i++) {
        double r2 = 0;
        for (int a = 0; a < 3; a++) r2 += pow(f->x[i][a] - f->start[i][a], 2);
        far = fmax(far, r2);
    }
    if (sqrt(far) > 0.49 * SKIN) find_neighbours(f);
}

/* Per particle: sums over neighbours, A0 S, G - 1, the pressure and the constraint's gradient. */
static double far_of[MOST], step_of[MOST], excess[MOST], pressure[MOST], b1_of[MOST];
static bl_moments moments_of[MOST];
static bl_vec3 an_of[MOST];

static void add_moments(bl_moments *m, double w, bl_vec3 x) {
    m->rho += w;
    m->mu = bl_v3_mad(m->mu, w, x);
}

static void sums(const film *f) {
    const bl_params *par = &f->par;
    for (int i = 0; i < f->count; i++) {
        far_of[i] = bl_kernel_w(par->far, 0);
        moments_of[i] = (bl_moments){bl_kernel_w(par->near, 0), {0, 0, 0}};
    }
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->near_count[i]; k++) {
            int j = f->near[i][k];
            double d[3], r2 = difference(f, i, j, d);
            if (r2 >= f->reach * f->reach) continue;
            double r = sqrt(r2), far = bl_kernel_w(par->far, r), near = bl_kernel_w(par->near, r);
            far_of[i] += far, far_of[j] += far;
            if (near <= 0) continue;
            add_moments(&moments_of[i], near, bl_v3_make(d[0], d[1], d[2]));
            add_moments(&moments_of[j], near, bl_v3_make(-d[0], -d[1], -d[2]));
        }
}

/* Interface energy. */
static double energies(const film *f) {
    const bl_params *par = &f->par;
    double energy = 0;
    sums(f);
    for (int i = 0; i < f->count; i++) {
        double open = 1 - par->packing - far_of[i];
        excess[i] = bl_volume_constraint(par, moments_of[i], &an_of[i], &b1_of[i]) - 1;
        pressure[i] = fmax(0, f->held[i] + STIFFNESS * excess[i]);
        energy += bl_smooth_max(open, par->eps);
        step_of[i] = bl_smooth_step(open, par->eps);
    }
    return energy;
}

static void forces(film *f) {
    const bl_params *par = &f->par;
    memset(f->force, 0, sizeof f->force);
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->near_count[i]; k++) {
            int j = f->near[i][k];
            double d[3], r2 = difference(f, i, j, d);
            if (r2 >= f->reach * f->reach) continue;
            bl_vec3 x = bl_v3_make(d[0], d[1], d[2]);
            bl_vec3 q = bl_v3_mad(bl_v3_scale(pressure[i], an_of[i]), -pressure[j], an_of[j]);
            double r = sqrt(r2), c = pressure[i] * b1_of[i] + pressure[j] * b1_of[j];
            bl_vec3 pull = bl_v3_scale((step_of[i] + step_of[j]) * bl_kernel_dw_over_r(par->far, r), x);
            pull = bl_v3_sub(pull, bl_volume_gradient(par->near, 1, q, c, x, r));
            f->force[i][0] += pull.x, f->force[i][1] += pull.y, f->force[i][2] += pull.z;
            f->force[j][0] -= pull.x, f->force[j][1] -= pull.y, f->force[j][2] -= pull.z;
        }
}

static double dot(const film *f, double (*a)[3], double (*b)[3]) {
    double sum = 0;
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->dimension; k++) sum += a[i][k] * b[i][k];
    return sum;
}

/* The least energy near the present positions with a penalty, by the FIRE method (Bitzek et al. 2006). */
static double descend(film *f) {
    double dt = 0.01, mix = 0.1, energy = 0;
    int downhill = 0;
    memset(f->speed, 0, sizeof f->speed);
    find_neighbours(f);
    for (int k = 0; k < f->steps; k++) {
        renew_neighbours(f);
        energy = energies(f);
        forces(f);
        double power = dot(f, f->force, f->speed), force = sqrt(dot(f, f->force, f->force));
        double speed = sqrt(dot(f, f->speed, f->speed));
        if (force < FORCE_MIN * sqrt(f->count)) break;
        if (power > 0) {
            for (int i = 0; i < f->count; i++)
                for (int a = 0; a < 3; a++)
                    f->speed[i][a] = (1 - mix) * f->speed[i][a] + mix * speed * f->force[i][a] / force;
            if (++downhill > 5) dt = fmin(1.1 * dt, 0.06), mix *= 0.99;
        } else {
            memset(f->speed, 0, sizeof f->speed);
            dt = fmax(0.5 * dt, 0.003), mix = 0.1, downhill = 0;
        }
        for (int i = 0; i < f->count; i++)
            for (int a = 0; a < f->dimension; a++) {
                f->speed[i][a] += dt * f->force[i][a];
                f->x[i][a] += dt * f->speed[i][a];
            }
    }
    return energy;
}

/* The least energy with G <= 1: what the penalty had to press is given to the next search, until it has nothing left to
 * do. A film under a penalty alone is compressed by 0.2 % at its surface, which takes half a per cent off its energy.
 */
static double least_energy(film *f) {
    double energy = 0;
    for (int k = 0; k < ROUNDS; k++) {
        double sum = 0, n = 0;
        energy = descend(f);
        for (int i = 0; i < f->count; i++) {
            if (pressure[i] > 0) sum += fabs(excess[i]), n++;
            f->held[i] = pressure[i];
        }
        if (sum <= EXCESS_MIN * n) break;
    }
    return energy;
}

static double random_offset(void) { return rand() / (double)RAND_MAX - 0.5; }

/* A lower minimum, if there is one, by shaking less and less. */
static double settle(film *f, const recipe *r) {
    double energy = least_energy(f);
    for (int k = 0; k < (int)r->shakes; k++) {
        double motion = r->shake * (1 - k / r->shakes);
        for (int i = 0; i < f->count; i++)
            for (int a = 0; a < f->dimension; a++) f->x[i][a] += 2 * motion * random_offset();
        energy = least_energy(f);
    }
    return energy;
}

/* Stretch the film by 1 + strain in its plane, at constant volume. */
static void stretch(film *f, double factor) {
    int across = f->dimension - 1;
    for (int a = 0; a < across; a++) f->width[a] *= factor;
    for (int i = 0; i < f->count; i++)
        for (int a = 0; a < f->dimension; a++) f->x[i][a] *= a < across ? factor : pow(factor, -across);
}

static double area(const film *f) { return f->dimension == 3 ? f->width[0] * f->width[1] : f->width[0]; }

static void fill(film *f, const recipe *r, unsigned seed) {
    int across = (int)r->across, deep = f->dimension == 3 ? across : 1;
    srand(seed);
    f->width[0] = f->width[1] = across;
    f->count = 0;
    memset(f->held, 0, sizeof f->held);
    for (int k = 0; k < (int)r->thick; k++)
        for (int j = 0; j < deep; j++)
            for (int i = 0; i < across; i++) {
                double lattice[3] = {i, f->dimension == 3 ? j : k, k};
                for (int a = 0; a < f->dimension; a++) f->x[f->count][a] = lattice[a] + r->jitter * random_offset();
                f->count++;
            }
}

static void set_constants(film *f, const recipe *r) {
    f->dimension = r->dimension;
    f->steps = (int)r->steps;
    f->reach = bl_far_reach(r->family);
    f->par.near = bl_near_kernel(r->dimension, r->family, 1);
    f->par.far = bl_far_kernel(r->dimension, r->family, 1);
    f->par.h = f->par.v0 = 1;
    f->par.eps = BL_INTERFACE_EPS;
    f->par.packing = r->dimension == 2 ? BL_PACKING_2D : BL_PACKING_3D;
    f->par.corrected = 1;
    f->par.g_support = bl_near_reach(r->family);
    f->par.g_k = r->slope, f->par.g_d = r->round, f->par.g_f = r->top;
}

/* Stress over energy while the film is stretched and pushed, step by step. */
static void print_stresses(film *f, int strains, double energy) {
    double e = energy / (2 * area(f));
    at_rest = *f;
    printf("strain, stress/energy:\n");
    for (int side = -1; side <= 1; side += 2) {
        double last = energy;
        *f = at_rest;
        for (int k = 1; k <= strains; k++) {
            double before = area(f);
            stretch(f, 1 + 0.01 * side);
            double now = least_energy(f);
            printf("%+.3f %.3f\n", side * (0.01 * k - 0.005), (now - last) / (area(f) - before) / 2 / e);
            last = now;
        }
    }
}

/* Draw the film out along one direction of its plane, and let it shrink along the other. */
static void shear(film *f, double strain) {
    const double factor[2] = {exp(strain), exp(-strain)};
    for (int a = 0; a < 2; a++) {
        f->width[a] *= factor[a];
        for (int i = 0; i < f->count; i++) f->x[i][a] *= factor[a];
    }
}
static void widen(film *f, double strain) { stretch(f, sqrt(1 + strain)); }

/* The three terms of what has its least value at rest: the interface energy, and pressure times G = rho + f. */
enum { TENSION, DENSITY, SURFACE, TERMS };
static void terms_of(const film *f, double out[TERMS]) {
    out[TENSION] = energies(f), out[DENSITY] = out[SURFACE] = 0;
    for (int i = 0; i < f->count; i++) {
        out[DENSITY] += f->held[i] * moments_of[i].rho;
        out[SURFACE] += f->held[i] * (1 + excess[i] - moments_of[i].rho);
    }
}

/* What a strain t of both surfaces costs, over `scale` t^2/2 times their energy. All particles follow it, and pressures
 * are those of rest. */
static void print_modulus(film *f, const char *name, void (*deform)(film *, double), double scale, double energy) {
    const double strain = 1e-3;
    const char *const names[TERMS] = {"tension", "density", "f(m)"};
    double at[3][TERMS], sum = 0;
    at_rest = *f;
    for (int k = 0; k < 3; k++) {
        *f = at_rest;
        deform(f, (k - 1) * strain);
        find_neighbours(f);
        terms_of(f, at[k]);
    }
    *f = at_rest;
    printf("%s modulus over gamma:", name);
    for (int t = 0; t < TERMS; t++) {
        double modulus = (at[0][t] - 2 * at[1][t] + at[2][t]) / (scale * strain * strain * energy);
        printf(" %s %.3f,", names[t], modulus);
        sum += modulus;
    }
    printf(" together %.3f\n", sum);
}
static void print_moduli(film *f, double energy) {
    print_modulus(f, "shear", shear, 4, energy); /* 2 G t^2 */
    print_modulus(f, "area", widen, 1, energy);
}

static bool read_number(recipe *r, const char *word) {
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"slope", &r->slope},   {"round", &r->round}, {"top", &r->top},       {"across", &r->across},
                   {"thick", &r->thick},   {"seed", &r->seed},   {"jitter", &r->jitter}, {"steps", &r->steps},
                   {"shakes", &r->shakes}, {"shake", &r->shake}, {"films", &r->films},   {"strains", &r->strains},
                   {"affine", &r->affine}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        size_t length = strlen(numbers[k].name);
        char *end;
        if (strncmp(word, numbers[k].name, length) != 0 || word[length] != '=') continue;
        *numbers[k].value = strtod(word + length + 1, &end);
        return end > word + length + 1 && !*end;
    }
    return false;
}

static bool read_recipe(int argc, char **argv, recipe *r) {
    bool flat = !(argc > 1 && strcmp(argv[1], "3") == 0);
    *r = flat ? (recipe){2, BL_KERNELS_CUBIC, BL_SURFACE_K_2D, BL_SURFACE_D_2D, BL_SURFACE_F_2D, 36, 10}
              : (recipe){3, BL_KERNELS_CUBIC, BL_SURFACE_K_3D, BL_SURFACE_D_3D, BL_SURFACE_F_3D, 10, 8};
    r->jitter = 0.6, r->seed = 1, r->steps = 20000, r->shake = 0.2, r->films = 1, r->strains = 4;
    if (argc > 1 && flat && strcmp(argv[1], "2") != 0) {
        fprintf(stderr, "film_tension: dimension '%s' found, expected 2 or 3\n", argv[1]);
        return false;
    }
    for (int k = 2; k < argc; k++) {
        bool smooth = strcmp(argv[k], "smooth") == 0 && !flat;
        if (smooth) r->family = BL_KERNELS_SMOOTH;
        if (smooth || strcmp(argv[k], "cubic") == 0 || read_number(r, argv[k])) continue;
        fprintf(stderr, "film_tension: '%s' found, expected cubic, smooth (3D), or NAME=VALUE\n", argv[k]);
        return false;
    }
    if (r->affine && flat) {
        fprintf(stderr, "film_tension: 'affine' found in 2D, expected in 3D alone\n");
        return false;
    }
    if (r->across * r->thick * (flat ? 1 : r->across) <= MOST) return true;
    fprintf(stderr, "film_tension: more than %d particles\n", MOST);
    return false;
}

int main(int argc, char **argv) {
    film *f = &the_film;
    recipe r;
    double sum = 0, squares = 0, n = 0, energy = 0;
    if (!read_recipe(argc, argv, &r)) return 2;
    set_constants(f, &r);
    for (; n < r.films; n++) {
        fill(f, &r, (unsigned)(r.seed + n));
        energy = settle(f, &r);
        double e = energy / (2 * area(f));
        printf("energy per area %.4f, A0 = %.3f\n", e, 1 / e);
        fflush(stdout);
        sum += 1 / e, squares += 1 / (e * e);
    }
    if (n < 2 && r.affine)
        print_moduli(f, energy);
    else if (n < 2 && r.strains > 0)
        print_stresses(f, (int)r.strains, energy);
    if (n > 1)
        printf("%g films, scatter %.3f, mean A0 = %.3f\n", n, sqrt(fmax(0, squares - sum * sum / n) / (n - 1)),
               sum / n);
    return 0;
}
