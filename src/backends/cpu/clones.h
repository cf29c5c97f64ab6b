/* Passes over ranges of particles, compiled for several processors. */
#ifndef BL_BACKENDS_CPU_CLONES_H
#define BL_BACKENDS_CPU_CLONES_H

#include "base/clones.h"

/* Begins the definition of bl_NAME(s, begin, end), a pass over a range. What a compiler makes to choose a clone would
 * be visible outside of the library, so the clones are static. */
#define BL_DEFINE_RANGE(name)                                                                                          \
    BL_CLONES static void name(const bl_view *s, bl_index begin, bl_index end);                                        \
    void bl_##name(const bl_view *s, bl_index begin, bl_index end) { name(s, begin, end); }                            \
    BL_CLONES static void name(const bl_view *s, bl_index begin, bl_index end)

#endif
