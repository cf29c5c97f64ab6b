/* Reference solutions. Every one is tested against values known from elsewhere (tests/test_validate_laws.c). */
#ifndef BL_VALIDATE_LAWS_H
#define BL_VALIDATE_LAWS_H

#include <complex.h>
#include <string.h>

/* re + i im in double: the constant I is a float, and clang 14 has no CMPLX. */
static inline double complex bl_complex(double re, double im) {
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* --- free drops --- */

/* Pressure in a ball (2 gamma/R) or disc (gamma/R), and the size of its surface (4 pi R^2, 2 pi R). */
double bl_law_laplace(int dimension, double gamma, double radius);
double bl_law_surface(int dimension, double radius);
/* Mode n of an inviscid drop: Rayleigh 1879, w^2 = n(n-1)(n+2) gamma/(rho R^3) in 3D, n(n^2-1) gamma/(rho R^3) in 2D.
 */
double bl_law_drop_frequency(int dimension, int n, double gamma, double rho, double radius);
/* Decay rate of its amplitude for small viscosity: Lamb 1932 art. 355, (n-1)(2n+1) nu/R^2 in 3D, 2n(n-1) nu/R^2 in 2D,
 * from the dissipation of the potential flow. */
double bl_law_drop_decay(int dimension, int n, double nu, double radius);

/* Speed at which the edge of a film of thickness e withdraws: Taylor 1959, Culick 1960, sqrt(2 gamma/(rho e)): the
 * pull of both surfaces is the momentum that the rim takes up in a time. */
double bl_law_culick(double gamma, double rho, double thickness);

/* Angle (radians, in the liquid) between the plane interface of two equal drops of different liquids and their outer
 * surfaces: Neumann's triangle gives 2 gamma cos(angle) = -between, with gamma the tension of each and `between` that
 * of the interface. Equal tensions: 120 degrees, the double bubble. */
double bl_law_pair_angle(double gamma, double between);

/* Angle (radians) at which the surface of tension `own` of a liquid lens meets the plane of the bath, whose tension is
 * `bath`; `other` is the tension of its other surface: one corner of Neumann's triangle, by the law of cosines. NaN if
 * the tensions make no triangle (the lens spreads, or does not touch). */
double bl_law_lens_angle(double own, double other, double bath);

/* Mean speed between plates at the distance `gap` that a force g per mass has set flowing for `time`, from rest. */
double bl_law_channel_speed(double g, double nu, double gap, double time);
/* The same in a pipe. */
double bl_law_pipe_speed(double g, double nu, double radius, double time);
/* Two drops in 2D, half discs of radius r1 and r2 on the ends of a slot of width d and length L: flow (m^2/s) from the
 * first to the second. gamma (1/r1 - 1/r2) drives it against 12 mu L/d^3 of Poiseuille's flow and 32 mu/(pi d^2) of the
 * two openings (Hasimoto 1958, the slit in a thin plate; adding both is an approximation). */
double bl_law_slot_flow(double gamma, double mu, double width, double length, double r1, double r2);

/* --- drops on a plane --- */

typedef struct bl_sessile {
    double height, base_radius; /* half the base in 2D */
} bl_sessile;
/* The axisymmetric (2D: plane) Young-Laplace equation, integrated from the apex: dphi/ds = 2/b + z/l_c^2 - sin(phi)/r
 * (2D: 1/b + z/l_c^2), with the curvature b of the apex such that the drop has this volume when phi is the contact
 * angle (radians). A capillary length of INFINITY gives spherical caps. */
bl_sessile bl_law_sessile(int dimension, double angle, double volume, double capillary_length);

/* A drop on a ball (2D: disc) of radius `solid` without gravity: part of a ball that cuts the solid one at the contact
 * angle, cos(angle) = (R^2 + r^2 - D^2)/(2 R r) with D the distance of the two centres. */
typedef struct bl_perched {
    double radius;   /* r of the drop's surface */
    double distance; /* D */
    double center;   /* of the liquid's mass, from the middle of the solid */
} bl_perched;
bl_perched bl_law_perched(int dimension, double angle, double volume, double solid);

/* A liquid bridge between the ends of two rods of this radius, 3D, without gravity, held by their edges: radius of its
 * neck. Its surface has constant mean curvature (Delaunay 1841), r'' = (1 + r'^2)/r - 2 H (1 + r'^2)^(3/2) with H such
 * that it has this volume; H = 0 is the catenoid. NaN if none fits. */
double bl_law_bridge_neck(double radius, double separation, double volume);
double bl_law_catenoid_neck(double radius, double separation); /* the stable one; NaN beyond 1.3255 radii */

/* The largest drop that hangs at the end of a rod of this radius (strip of this half width), held by its edge: the
 * largest among all solutions of the Young-Laplace equation from the apex up, dphi/ds = (d-1)/b - z/l_c^2 - sin(phi)/r
 * (the last term in 3D only), that reach the edge. */
typedef struct bl_pendant {
    double volume; /* area in 2D */
    double center; /* of mass, over the end of the rod: negative. Drops that hang at rest are above it. */
} bl_pendant;
bl_pendant bl_law_pendant(int dimension, double radius, double capillary_length);
/* rho g/gamma = 1/l_c^2 at which a drop of this volume falls off. */
double bl_law_pendant_limit(int dimension, double radius, double volume);
/* Share f of 2 pi R gamma that the drop weighs which falls off a tube of radius R; V is the volume of what falls:
 * Harkins and Brown, J. Am. Chem. Soc. 41, 499 (1919), measured; x = R/V^(1/3) from 0.3 to 1. */
double bl_law_harkins_brown(double x);

/* Height to which a wide plate lifts a liquid that meets its face at `angle`: 2 l_c cos(angle/2). */
double bl_law_pull_off(double capillary_length, double angle);

/* A cylinder that floats, 2D: height of its centre over the far level, for a density `ratio` to the liquid. With phi
 * the angle from its lowest point to the line of contact, the surface there is inclined by delta = angle + phi - pi and
 * lies at z = -2 l_c sin(delta/2); weight = buoyancy of what is below that line, up to the far level, + 2 gamma
 * sin(delta). NaN if it sinks. */
double bl_law_floating(double radius, double capillary_length, double angle, double ratio);

/* A drop on a slope sticks up to this angle (radians), where W sin a = mu (W cos a + pull): W its weight, pull the
 * force with which the contact line presses it to the wall. pi/2 if it sticks to every slope. */
double bl_law_critical_slope(double weight, double pull, double friction);

/* --- waves --- */

double bl_bessel_i(int n, double x); /* modified Bessel function I_n */
/* Rayleigh 1879: growth rate of waves on a jet, squared, in units of gamma/(rho R^3): x (1 - x^2) I1(x)/I0(x) with
 * x = k R. Negative: they oscillate. */
double bl_law_jet_growth_2(double x);
/* The same of a viscous jet, not squared: the positive root s, in sqrt(gamma/(rho R^3)), of the exact dispersion
 * relation (Rayleigh 1892; Chandrasekhar, Hydrodynamic and Hydromagnetic Stability, 1961, section 111). With y^2 = x^2
 * + s/Oh, Oh = mu/sqrt(rho gamma R) and L(z) = I1'(z)/I1(z):
 *   s^2 + 2 Oh x^2 s + 2 Oh^2 x^2 I1(x)/I0(x) [(x^2 + y^2) L(x) - 2 x y L(y)] = x (1 - x^2) I1(x)/I0(x).
 * 0 where waves do not grow, x >= 1: no viscosity changes that. */
double bl_law_jet_growth(double x, double ohnesorge);
/* Frequency of capillary waves on a layer over a slippery bottom: w^2 = gamma k^3/rho tanh(k depth). */
double bl_law_wave_frequency(double gamma, double rho, double k, double depth);
/* Growth rate, squared, of waves between a liquid of density `above` and depth `depth_above` and one below it:
 * (At g k - gamma k^3/(sum of densities)) for deep ones, each density times coth(k depth) in the sum otherwise; both
 * are bounded by slippery walls. Without viscosity, which takes about 2 k^2 (sum of mu)/(sum of rho) off the rate. */
typedef struct bl_layers {
    double above, below, depth_above, depth_below, gamma, g;
} bl_layers;
double bl_law_taylor_growth_2(const bl_layers *layers, double k);
double complex bl_faddeeva(double complex z); /* exp(-z^2) erfc(-iz) */
/* Prosperetti, Phys. Fluids 24, 1217 (1981), free surface: amplitude at t of a wave that is at rest with amplitude 1 at
 * t = 0; w0 is the inviscid frequency. Holds at all viscosities for small amplitudes on deep liquids. */
double bl_law_prosperetti(double w0, double nu, double k, double t);

#endif
