/* The working precision. `real` is float unless the library is configured with BL_DOUBLE.
 * Valid in C11 and OpenCL C 1.2: the physics headers include it. */
#ifndef BL_BASE_REAL_H
#define BL_BASE_REAL_H

#ifdef BL_DOUBLE
typedef double real;
#define BL_REAL_NAME "double"
#define BL_REAL_EPSILON 2.220446049250313e-16
#else
typedef float real;
#define BL_REAL_NAME "float"
#define BL_REAL_EPSILON 1.1920929e-7f
#endif

/* A literal in working precision: BL_R(0.5) is 0.5f or 0.5. Keeps double from creeping into float code. */
#define BL_R(x) ((real)(x))

#endif
