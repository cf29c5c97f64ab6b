#include "backends/cpu/rows.h"

BL_PASSES_SOLVE(BL_DEFINE_ROWS)
