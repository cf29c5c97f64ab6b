/* Viscosity for processors with 32 vector registers: one source, the same bits. */
#include "base/clones.h"

#ifdef BL_NARROW_CLONES
#ifdef BL_ALL_SMOOTH /* vectors of 16 numbers (physics/groups.h) */
#pragma GCC target("arch=x86-64-v4,prefer-vector-width=512")
#else
#pragma GCC target("arch=x86-64-v4")
#endif
#define BL_WIDE
#include "backends/cpu/groups_viscosity.c"
#endif
