/* The same with smooth kernels. */
#define BL_ALL_SMOOTH
#include "backends/cpu/rows_prepare.c"
