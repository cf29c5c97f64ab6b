/* The same with smooth kernels. */
#define BL_ALL_SMOOTH
#include "backends/cpu/groups_solve.c" /* NOLINT(bugprone-suspicious-include) */
