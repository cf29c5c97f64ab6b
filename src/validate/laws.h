/* Reference solutions. Every one is tested against values known from elsewhere (tests/test_validate_laws.c). */
#ifndef BL_VALIDATE_LAWS_H
#define BL_VALIDATE_LAWS_H

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

#endif
