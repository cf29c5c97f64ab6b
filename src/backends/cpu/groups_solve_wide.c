/* The passes of an iteration for processors with 32 vector registers, where loops measure further ahead
 * (physics/groups.h): one source, the same bits. */
#include "base/clones.h"

#ifdef BL_NARROW_CLONES
#pragma GCC target("arch=x86-64-v4")
#define BL_WIDE
#include "backends/cpu/groups_solve.c"
#endif
