/* The same with smooth kernels. */
#define BL_ALL_SMOOTH
#include "backends/cpu/rows.h"

BL_PASSES_PREPARE(BL_DEFINE_ROWS)
