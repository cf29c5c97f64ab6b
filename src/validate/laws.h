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

/* --- drops on a plane --- */

typedef struct bl_sessile {
    double height, base_radius; /* half the base in 2D */
} bl_sessile;
/* The axisymmetric (2D: plane) Young-Laplace equation, integrated from the apex: dphi/ds = 2/b + z/l_c^2 - sin(phi)/r
 * (2D: 1/b + z/l_c^2), with the curvature b of the apex such that the drop has this volume when phi is the contact
 * angle (radians). A capillary length of INFINITY gives spherical caps. */
bl_sessile bl_law_sessile(int dimension, double angle, double volume, double capillary_length);

/* A drop on a slope sticks up to this angle (radians), where W sin a = mu (W cos a + pull): W its weight, pull the
 * force with which the contact line presses it to the wall. pi/2 if it sticks to every slope. */
double bl_law_critical_slope(double weight, double pull, double friction);

/* --- waves --- */

double bl_bessel_i(int n, double x); /* modified Bessel function I_n */
/* Rayleigh 1879: growth rate of waves on a jet, squared, in units of gamma/(rho R^3): x (1 - x^2) I1(x)/I0(x) with
 * x = k R. Negative: they oscillate. */
double bl_law_jet_growth_2(double x);
/* Frequency of capillary waves on a layer over a slippery bottom: w^2 = gamma k^3/rho tanh(k depth). */
double bl_law_wave_frequency(double gamma, double rho, double k, double depth);
double complex bl_faddeeva(double complex z); /* exp(-z^2) erfc(-iz) */
/* Prosperetti, Phys. Fluids 24, 1217 (1981), free surface: amplitude at t of a wave that is at rest with amplitude 1 at
 * t = 0; w0 is the inviscid frequency. Holds at all viscosities for small amplitudes on deep liquids. */
double bl_law_prosperetti(double w0, double nu, double k, double t);

#endif
