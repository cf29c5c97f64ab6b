#include "backends/cpu/rows.h"

BL_PASSES_LOCAL(BL_DEFINE_ROWS)
