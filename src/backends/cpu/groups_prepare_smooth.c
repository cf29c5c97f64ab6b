/* The same with smooth kernels. */
#define BL_ALL_SMOOTH
#include "backends/cpu/groups_prepare.c" /* NOLINT(bugprone-suspicious-include) */
