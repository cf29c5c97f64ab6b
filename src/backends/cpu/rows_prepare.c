#include "backends/cpu/rows.h"

BL_PASSES_PREPARE(BL_DEFINE_ROWS)
