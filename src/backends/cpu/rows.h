/* How a pass becomes a loop over a range of its domain: BL_DEFINE_ROWS(name, domain, ...), for the lists of
 * physics/passes.h. Spread over some files, since each takes a compiler its time. */
#ifndef BL_BACKENDS_CPU_ROWS_H
#define BL_BACKENDS_CPU_ROWS_H

#ifndef BL_ALL_SMOOTH /* rows_*_smooth.c */
#define BL_ALL_CUBIC
#define BL_ROWS_NAME(name) rows_##name
#else
#define BL_ROWS_NAME(name) smooth_rows_##name
#endif

#include "backends/cpu/clones.h"
#include "backends/cpu/ranges.h"

#define BL_DEFINE_ROWS(name, domain, ...) BL_DEFINE_ROWS_AS(BL_ROWS_NAME(name), name, domain)
#define BL_DEFINE_ROWS_AS(range, name, domain)                                                                         \
    BL_DEFINE_RANGE(range) {                                                                                           \
        for (bl_index k = begin; k < end; ++k) bl_pass_##name(s, BL_INDEX_##domain(s, k));                             \
    }

#endif
