/* Coefficients of tension, adhesion and viscosity from the scene: newtons per metre, degrees and pascal seconds by the
 * integrals of calibration.c, or the papers' own numbers. */
#include "geometry/geometry.h"
#include "schemes/observe.h"
#include "schemes/pcisph/pcisph.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* gamma_BV - gamma_BF that the scene asks of a wall, N/m; 0 where it says nothing. */
static double wetting_of(const bl_scene *scene, const bl_boundary *body, double time) {
    double angle = bl_curve_at(&body->contact_angle, time);
    double wetting = bl_curve_at(&body->boundary_vapor, time) - bl_curve_at(&body->boundary_fluid, time);
    if (isfinite(angle)) return cos(angle) * bl_curve_at(&scene->fluids[body->contact_fluid].surface_tension, time);
    return isfinite(wetting) ? wetting : 0;
}

/* cos(theta) of a fluid at a wall, by Young's equation. */
static double cosine_of(double wetting, const bl_fluid *fluid, double tension, double time) {
    double own = fmax(0, bl_curve_at(&fluid->fluid_boundary, time));
    return tension > 0 ? fmin(fmax((wetting - own) / tension, -1), 1) : 0;
}

static double tension_of(const bl_fluid *fluid, double time) {
    return fmax(0, bl_curve_at(&fluid->surface_tension, time));
}

/* sigma = gamma rho0 h^2 (1000 kg/m^3 c + k), with the cohesion's coefficient gamma 1000/rho0: cohesion and curvature
 * have the proportion that they have in the paper's water for every liquid. Young's equation with the wall's side of
 * the liquid at K_ij = 1: W = sigma cos(theta) + sigma_wall, none where that would repel. */
static void set_akinci2013(bl_world *world, pcisph *s, double time) {
    const bl_scene *scene = world->scene;
    const bl_scheme_def *scheme = &scene->scheme;
    const bl_fluid *fluid = &scene->fluids[0];
    const bool paper = scheme->calibration == BL_CALIBRATION_PAPER;
    const double rho0 = fluid->density, h = 2 * scene->spacing, flat = scene->dimension == 2 ? h : 1;
    const double tension = tension_of(fluid, time), mass = (double)s->mass[0], d = scene->spacing;
    double whole = BL_WATER * s->pull.cohesion + s->pull.curvature;
    double wall = BL_WATER * s->pull.wall_cohesion + s->pull.wall_curvature;
    double gamma = paper ? (scheme->tension_given ? scheme->tension : 1) : tension / (rho0 * h * h * whole);
    double cohesion = paper ? gamma : gamma * BL_WATER / rho0, per_volume = flat / (h * h * h);
    for (int k = 0; k < scene->boundary_count; ++k) {
        double wetting = wetting_of(scene, &scene->boundaries[k], time);
        double work = tension * (cosine_of(wetting, fluid, tension, time) + wall / whole);
        double beta = paper ? (scheme->adhesion_given ? scheme->adhesion : gamma)
                            : fmax(0, work) / (rho0 * rho0 * h * h * s->wall_work[k]);
        s->b_pull[k] = (real)(beta * mass * rho0 * 0.007 * sqrt(sqrt(2.0)) * per_volume * s->pull.flat_adhesion);
    }
    double shape = cohesion * mass * 32 / PI * per_volume * s->pull.flat_cohesion;
    double bend = gamma * s->pull.flat_curvature;
    s->view.cohesion = (real)(shape * mass);
    s->view.bend = (real)(bend * mass);
    s->capillary_rate = shape * s->lattice.cohesion_rate / d + bend * s->lattice.curvature_rate / d;
}

/* Strength of the pair force between two fluids, in newtons: a pair of one fluid has the force F for which
 * sigma = c F H^(dim + 2)/V0^2; between unlike ones it is what the work of adhesion asks for, W_ab = sigma_a + sigma_b
 * - sigma_ab, where W = 2 sigma belongs to F. */
static double pull_between(const bl_scene *scene, int a, int b, double unit, double time) {
    const bl_fluid *f = &scene->fluids[a], *g = &scene->fluids[b];
    double between =
        a == b ? 0 : fmax(0, bl_curve_at(&f->fluid_fluid, time)) + fmax(0, bl_curve_at(&g->fluid_fluid, time));
    return 0.5 * (tension_of(f, time) + tension_of(g, time) - between) / unit;
}

/* cos(theta) = 2 s_sb/s_bb - 1 with a half-space of wall, or with the paper's own coefficients s_sb/s_bb (eq. 9). */
static void set_yang2016(bl_world *world, pcisph *s, double time) {
    const bl_scene *scene = world->scene;
    const bl_scheme_def *scheme = &scene->scheme;
    const bool paper = scheme->calibration == BL_CALIBRATION_PAPER;
    const int n = scene->fluid_count;
    const double d = scene->spacing, v0 = (double)s->view.par.v0;
    double unit = bl_pairwise_tension(scene->dimension) * pow(BL_PAIRWISE_REACH * d, scene->dimension + 2) / (v0 * v0);
    s->capillary_rate = 0;
    for (int a = 0; a < n; ++a) {
        const bl_fluid *fluid = &scene->fluids[a];
        double mass = (double)s->mass[a], tension = tension_of(fluid, time), largest = 0;
        for (int b = 0; b < n; ++b) {
            double pull = paper && scheme->tension_given ? scheme->tension * mass * (double)s->mass[b]
                                                         : pull_between(scene, a, b, unit, time);
            s->pull_of[a * n + b] = (real)pull;
            largest = fmax(largest, fabs(pull));
        }
        for (int k = 0; k < scene->boundary_count; ++k) {
            double wetting = wetting_of(scene, &scene->boundaries[k], time);
            double cosine = cosine_of(wetting, fluid, tension, time), inner = (double)s->pull_of[a * n + a];
            double outer = paper ? inner * cosine : inner * 0.5 * (1 + cosine) / s->wall_work[k];
            if (paper && scheme->adhesion_given) outer = scheme->adhesion * mass * mass;
            s->b_pull[k * n + a] = (real)(outer / v0);
        }
        s->capillary_rate = fmax(s->capillary_rate, largest / mass * s->lattice.pairwise_rate / d);
    }
}

/* --- viscosity --- */

/* Twice the viscosity at walls of several layers: in a shear flow past one a pair has half the difference of speeds
 * that it would have if the wall's layers moved with the flow's continuation, since they all stand. */
static double wall_viscosity(const bl_scene *scene, int k, double fluid) {
    double own = bl_curve_at(&scene->boundaries[k].viscosity, 0), mu = isfinite(own) ? own : fluid;
    return bl_boundary_layers(scene, k) > 1 ? 2 * mu : mu;
}

/* Mean viscosities of unlike pairs are harmonic, so that a thin fluid does not drag a thick one. */
static double mean_viscosity(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

static void set_physical_viscosity(const bl_scene *scene, pcisph *s) {
    const int n = scene->fluid_count;
    const double d = scene->spacing, v0 = (double)s->view.par.v0;
    double pair = 2 * (scene->dimension + 2) / s->lattice.viscosity * (double)s->view.par.near.grad_norm * v0;
    s->view.artificial = 0;
    s->view.viscid = 0;
    s->viscous_rate = 0;
    for (int a = 0; a < n; ++a) {
        const double mu = scene->fluids[a].viscosity;
        double largest = mu;
        s->view.viscid |= mu > 0;
        for (int b = 0; b < n; ++b) {
            double mean = mean_viscosity(mu, scene->fluids[b].viscosity);
            s->viscous[a * n + b] = (real)(pair * v0 * mean);
            largest = fmax(largest, mean);
        }
        for (int k = 0; k < scene->boundary_count; ++k) {
            double wall = wall_viscosity(scene, k, mu);
            s->b_drag[k * n + a] = (real)(pair * wall);
            largest = fmax(largest, wall);
        }
        double rate = largest / scene->fluids[a].density * s->lattice.viscous_rate / (d * d);
        s->viscous_rate = fmax(s->viscous_rate, rate);
    }
}

/* alpha = 0.01 everywhere, and the speed of sound ten times the largest speed, as usual where compression is to be
 * about a per cent. */
static void set_artificial_viscosity(bl_world *world, pcisph *s) {
    const double alpha = 0.01, mach = 10, d = world->scene->spacing;
    const int pairs = world->scene->boundary_count * world->scene->fluid_count;
    double nu = alpha * 2 * d * mach * bl_max_speed(world);
    s->view.artificial = (real)nu;
    s->view.viscid = nu > 0;
    for (int k = 0; k < pairs; ++k) s->b_drag[k] = (real)(nu / 2);
    for (int k = 0; k < BL_MAX_PHASES * BL_MAX_PHASES; ++k) s->viscous[k] = 0;
    s->viscous_rate = nu * s->lattice.viscous_rate / (d * d);
}

void bl_pcisph_set_material(bl_world *world, pcisph *s, double time) {
    if (s->method == BL_METHOD_AKINCI2013)
        set_akinci2013(world, s, time);
    else
        set_yang2016(world, s, time);
    if (world->scene->scheme.calibration == BL_CALIBRATION_PAPER)
        set_artificial_viscosity(world, s);
    else
        set_physical_viscosity(world->scene, s);
}
