/* The same as bench_solver, with the kernels and the constraint of the physical calibration in 3D. */
#define BL_ALL_SMOOTH
#include "bench_solver.c" /* NOLINT(bugprone-suspicious-include) */
