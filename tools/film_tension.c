/* The constants of the physical calibration: energy and stress of a flat film, by minimising its energy.
 *
 *   film_tension [2|3] [slope] [round] [seed] [across] [top]
 *
 * A periodic film, eight (3D) or ten (2D) particles thick and `across` wide, starts as a jittered lattice. Its
 * interface energy, with A0 = 1 and h = 1, is made least under the volume constraint G <= 1 (physics/volume.h,
 * physics/tension.h; a stiff penalty here). Printed are
 *   - the energy per area e of both surfaces: gamma per area for A0 = 1/e,
 *   - the surface stress dE/dA over e for strains from -4 % to 4 % at constant volume. In a liquid it is 1 for all of
 * them; a slope is the modulus of a solid skin. `slope`, `round` and `top` are k, d and F of f(m).
 * docs/theory/calibration.md has the figures. */
#include "physics/calibration.h"
#include "physics/tension.h"
#include "physics/volume.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000, ROOM = 400, STRAINS = 4 };

static const double STIFFNESS = 300;  /* of the penalty, in energies per unit of G - 1 */
static const double FORCE_MIN = 1e-4; /* root mean square, where the search for the minimum ends */
static const double SKIN = 0.6;       /* of the neighbour lists, in spacings */

typedef struct film {
    int dimension, count;
    double width; /* of the periodic box */
    double x[MOST][3], start[MOST][3], speed[MOST][3], force[MOST][3];
    int near_count[MOST], near[MOST][ROOM];
    bl_params par;
} film;

/* the only film; too large for a stack */
static film the_film;

static double difference(const film *f, int i, int j, double d[3]) {
    double r2 = 0;
    for (int a = 0; a < 3; a++) {
        d[a] = f->x[i][a] - f->x[j][a];
        if (a < f->dimension - 1) d[a] -= f->width * rint(d[a] / f->width);
        r2 += d[a] * d[a];
    }
    return r2;
}

static void find_neighbours(film *f) {
    double reach = 3 + SKIN, d[3];
    memcpy(f->start, f->x, sizeof f->x);
    memset(f->near_count, 0, sizeof f->near_count);
    for (int i = 0; i < f->count; i++)
        for (int j = 0; j < i; j++) {
            if (difference(f, i, j, d) > reach * reach) continue;
            if (f->near_count[i] == ROOM || f->near_count[j] == ROOM) {
                fprintf(stderr, "film_tension: more than %d neighbours: the film collapsed\n", ROOM);
                exit(1);
            }
            f->near[i][f->near_count[i]++] = j;
            f->near[j][f->near_count[j]++] = i;
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

/* Per particle: A0 S, the pressure of the penalty and the products of the constraint's gradient. */
static double step_of[MOST], pressure[MOST], b1_of[MOST];
static bl_vec3 an_of[MOST];

/* Interface energy; the penalty's goes to *penalty. */
static double energies(film *f, double *penalty) {
    const bl_params *par = &f->par;
    double energy = 0;
    *penalty = 0;
    for (int i = 0; i < f->count; i++) {
        bl_moments m = {bl_kernel_w(par->near, 0), {0, 0, 0}};
        double far = bl_kernel_w(par->far, 0), d[3];
        for (int k = 0; k < f->near_count[i]; k++) {
            double r = sqrt(difference(f, i, f->near[i][k], d)), w = bl_kernel_w(par->near, r);
            far += bl_kernel_w(par->far, r);
            m.rho += w;
            m.mu = bl_v3_mad(m.mu, w, bl_v3_make(d[0], d[1], d[2]));
        }
        double excess = bl_volume_constraint(par, m, &an_of[i], &b1_of[i]) - 1;
        pressure[i] = STIFFNESS * fmax(0, excess);
        *penalty += 0.5 * pressure[i] * fmax(0, excess);
        energy += bl_smooth_max(1 - par->packing - far, par->eps);
        step_of[i] = bl_smooth_step(1 - par->packing - far, par->eps);
    }
    return energy;
}

static void forces(film *f) {
    const bl_params *par = &f->par;
    for (int i = 0; i < f->count; i++) {
        bl_vec3 sum = {0, 0, 0};
        bl_vec3 q = bl_v3_scale(pressure[i], an_of[i]);
        for (int k = 0; k < f->near_count[i]; k++) {
            int j = f->near[i][k];
            double d[3], r = sqrt(difference(f, i, j, d));
            bl_vec3 x = bl_v3_make(d[0], d[1], d[2]), dq = bl_v3_mad(q, -pressure[j], an_of[j]);
            double c = pressure[i] * b1_of[i] + pressure[j] * b1_of[j];
            sum = bl_v3_mad(sum, (step_of[i] + step_of[j]) * bl_kernel_dw_over_r(par->far, r), x);
            sum = bl_v3_sub(sum, bl_volume_gradient(par->near, 1, dq, c, x, r));
        }
        f->force[i][0] = sum.x, f->force[i][1] = sum.y, f->force[i][2] = sum.z;
    }
}

static double dot(const film *f, double (*a)[3], double (*b)[3]) {
    double sum = 0;
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->dimension; k++) sum += a[i][k] * b[i][k];
    return sum;
}

/* The least energy near the present positions, by the FIRE method (Bitzek et al. 2006). */
static double least_energy(film *f) {
    double dt = 0.01, mix = 0.1, energy = 0, penalty;
    int downhill = 0;
    memset(f->speed, 0, sizeof f->speed);
    find_neighbours(f);
    for (int k = 0; k < 20000; k++) {
        renew_neighbours(f);
        energy = energies(f, &penalty);
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

/* Stretch the film by 1 + strain in its plane, at constant volume. */
static void stretch(film *f, double factor) {
    int across = f->dimension - 1;
    f->width *= factor;
    for (int i = 0; i < f->count; i++)
        for (int a = 0; a < f->dimension; a++) f->x[i][a] *= a < across ? factor : pow(factor, -across);
}

static double area(const film *f) { return f->dimension == 3 ? f->width * f->width : f->width; }

static void fill(film *f, int across, unsigned seed) {
    int thick = f->dimension == 3 ? 8 : 10, deep = f->dimension == 3 ? across : 1;
    srand(seed);
    f->width = across;
    for (int k = 0; k < thick; k++)
        for (int j = 0; j < deep; j++)
            for (int i = 0; i < across; i++) {
                double lattice[3] = {i, f->dimension == 3 ? j : k, k};
                for (int a = 0; a < f->dimension; a++)
                    f->x[f->count][a] = lattice[a] + 0.6 * (rand() / (double)RAND_MAX - 0.5);
                f->count++;
            }
}

static void set_constants(film *f, double slope, double round, double top) {
    f->par.near = bl_kernel_make(f->dimension, 2);
    f->par.far = bl_kernel_make(f->dimension, 3);
    f->par.h = f->par.v0 = 1;
    f->par.eps = BL_INTERFACE_EPS;
    f->par.packing = f->dimension == 2 ? BL_PACKING_2D : BL_PACKING_3D;
    f->par.corrected = 1;
    f->par.g_support = 2;
    f->par.g_k = slope, f->par.g_d = round, f->par.g_f = top;
}

int main(int argc, char **argv) {
    film *f = &the_film;
    f->dimension = argc > 1 ? atoi(argv[1]) : 2;
    if (f->dimension != 2 && f->dimension != 3) {
        fprintf(stderr, "film_tension: dimension '%s' found, expected 2 or 3\n", argv[1]);
        return 2;
    }
    bool flat = f->dimension == 2;
    set_constants(f,
                  argc > 2 ? atof(argv[2])
                  : flat   ? BL_SURFACE_K_2D
                           : BL_SURFACE_K_3D,
                  argc > 3 ? atof(argv[3])
                  : flat   ? BL_SURFACE_D_2D
                           : BL_SURFACE_D_3D,
                  argc > 6 ? atof(argv[6])
                  : flat   ? BL_SURFACE_F_2D
                           : BL_SURFACE_F_3D);
    fill(f, argc > 5 ? atoi(argv[5]) : f->dimension == 3 ? 10 : 36, argc > 4 ? (unsigned)atoi(argv[4]) : 1);

    double at_rest = least_energy(f), e = at_rest / (2 * area(f));
    static film rest;
    rest = *f;
    printf("energy per area %.4f, A0 = %.3f\nstrain, stress/energy:\n", e, 1 / e);
    for (int side = -1; side <= 1; side += 2) {
        double last = at_rest;
        *f = rest;
        for (int k = 1; k <= STRAINS; k++) {
            double before = area(f);
            stretch(f, 1 + 0.01 * side);
            double now = least_energy(f);
            printf("%+.3f %.3f\n", side * (0.01 * k - 0.005), (now - last) / (area(f) - before) / 2 / e);
            last = now;
        }
    }
    return 0;
}
