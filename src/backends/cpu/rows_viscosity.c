#include "backends/cpu/rows.h"

BL_PASSES_VISCOSITY(BL_DEFINE_ROWS)
