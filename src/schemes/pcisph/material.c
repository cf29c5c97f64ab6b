/* Coefficients of tension, adhesion and viscosity from the scene: newtons per metre, degrees and pascal seconds by the
 * integrals of calibration.c, or the papers' own numbers. */
#include "geometry/geometry.h"
#include "schemes/observe.h"
#include "schemes/pcisph/pcisph.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* cos(theta) that the scene asks of a wall; 0 where it says nothing. */
static double cosine_of(const bl_scene *scene, const bl_boundary *body, double time, double tension) {
    double angle = bl_curve_at(&body->contact_angle, time);
    double wetting = bl_curve_at(&body->boundary_vapor, time) - bl_curve_at(&body->boundary_fluid, time);
    (void)scene;
    if (isfinite(angle)) return cos(angle);
    return isfinite(wetting) && tension > 0 ? fmin(fmax(wetting / tension, -1), 1) : 0;
}

/* sigma = gamma rho0 h^2 (1000 kg/m^3 c + k), with the cohesion's coefficient gamma 1000/rho0: cohesion and curvature
 * have the proportion that they have in the paper's water for every liquid. Young's equation with the wall's side of
 * the liquid at K_ij = 1: W = sigma cos(theta) + sigma_wall, none where that would repel. */
static void set_akinci2013(bl_world *world, pcisph *s, double time) {
    const bl_scene *scene = world->scene;
    const bl_scheme_def *scheme = &scene->scheme;
    const bool paper = scheme->calibration == BL_CALIBRATION_PAPER;
    const double rho0 = scene->fluids[0].density, h = 2 * scene->spacing, flat = scene->dimension == 2 ? h : 1;
    const double tension = fmax(0, bl_curve_at(&scene->fluids[0].surface_tension, time));
    double whole = BL_WATER * s->pull.cohesion + s->pull.curvature;
    double wall = BL_WATER * s->pull.wall_cohesion + s->pull.wall_curvature;
    double gamma = paper ? (scheme->tension_given ? scheme->tension : 1) : tension / (rho0 * h * h * whole);
    double cohesion = paper ? gamma : gamma * BL_WATER / rho0, per_volume = 1 / (h * h * h) * flat;
    for (int k = 0; k < scene->boundary_count; ++k) {
        double work = tension * (cosine_of(scene, &scene->boundaries[k], time, tension) + wall / whole);
        double beta = paper ? (scheme->adhesion_given ? scheme->adhesion : gamma)
                            : fmax(0, work) / (rho0 * rho0 * h * h * s->wall_work[k]);
        s->b_pull[k] = (real)(beta * 0.007 * sqrt(sqrt(2.0)) * per_volume * s->pull.flat_adhesion);
    }
    double mass = (double)s->view.mass;
    double shape = cohesion * mass * 32 / PI * per_volume * s->pull.flat_cohesion;
    double bend = gamma * s->pull.flat_curvature, d = scene->spacing;
    s->view.cohesion = (real)shape;
    s->view.curvature = (real)bend;
    s->capillary_rate = shape * s->lattice.cohesion_rate / d + bend * s->lattice.curvature_rate / d;
}

/* sigma = c s rho0^2 H^(dim + 2); cos(theta) = 2 s_sb/s_bb - 1 with a half-space of wall, or with the paper's own
 * coefficients cos(theta) = s_sb/s_bb (eq. 9). */
static void set_yang2016(bl_world *world, pcisph *s, double time) {
    const bl_scene *scene = world->scene;
    const bl_scheme_def *scheme = &scene->scheme;
    const bool paper = scheme->calibration == BL_CALIBRATION_PAPER;
    const double rho0 = scene->fluids[0].density, d = scene->spacing, reach = BL_PAIRWISE_REACH * d;
    const double tension = fmax(0, bl_curve_at(&scene->fluids[0].surface_tension, time));
    double unit = bl_pairwise_tension(scene->dimension) * rho0 * rho0 * pow(reach, scene->dimension + 2);
    double inner = paper && scheme->tension_given ? scheme->tension : tension / unit;
    for (int k = 0; k < scene->boundary_count; ++k) {
        double cosine = cosine_of(scene, &scene->boundaries[k], time, tension);
        double outer = paper ? inner * cosine : inner * 0.5 * (1 + cosine) / s->wall_work[k];
        s->b_pull[k] = (real)(paper && scheme->adhesion_given ? scheme->adhesion : outer);
    }
    s->view.pairwise = (real)(inner * (double)s->view.mass);
    s->capillary_rate = inner * (double)s->view.mass * s->lattice.pairwise_rate / d;
}

/* Twice the viscosity at walls of several layers: in a shear flow past one a pair has half the difference of speeds
 * that it would have if the wall's layers moved with the flow's continuation, since they all stand. */
static double wall_viscosity(const bl_scene *scene, int k, double fluid) {
    double own = bl_curve_at(&scene->boundaries[k].viscosity, 0), mu = isfinite(own) ? own : fluid;
    return bl_boundary_layers(scene, k) > 1 ? 2 * mu : mu;
}

static void set_physical_viscosity(const bl_scene *scene, pcisph *s) {
    const double mu = scene->fluids[0].viscosity, rho0 = scene->fluids[0].density, d = scene->spacing;
    double pair = 2 * (scene->dimension + 2) / s->lattice.viscosity * (double)s->view.par.near.grad_norm / rho0;
    double largest = mu;
    for (int k = 0; k < scene->boundary_count; ++k) {
        double wall = wall_viscosity(scene, k, mu);
        s->b_drag[k] = (real)(pair * wall / rho0);
        largest = fmax(largest, wall);
    }
    s->view.artificial = 0;
    s->view.viscosity = (real)(pair * mu * (double)s->view.par.v0);
    s->viscous_rate = largest / rho0 * s->lattice.viscous_rate / (d * d);
}

/* alpha = 0.01 everywhere, and the speed of sound ten times the largest speed, as usual where compression is to be
 * about a per cent. */
static void set_artificial_viscosity(bl_world *world, pcisph *s) {
    const double alpha = 0.01, mach = 10, h = 2 * world->scene->spacing;
    double nu = alpha * h * mach * bl_max_speed(world);
    s->view.artificial = (real)nu;
    for (int k = 0; k < world->scene->boundary_count; ++k) s->b_drag[k] = (real)(nu / 2);
    s->view.viscosity = 0;
    s->viscous_rate = nu * s->lattice.viscous_rate / (world->scene->spacing * world->scene->spacing);
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
