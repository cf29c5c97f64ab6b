/* Passes over ranges of a domain, by particle and by group. */
#ifndef BL_BACKENDS_CPU_RANGES_H
#define BL_BACKENDS_CPU_RANGES_H

#include "backends/backend.h"

/* The particle behind item k of a domain. */
#define BL_INDEX_FLUID(s, k) (k)
#define BL_INDEX_BOUNDARY(s, k) (k)
#define BL_INDEX_ACTIVE(s, k) ((s)->active[k])

typedef void (*bl_pass_range)(const bl_view *, bl_index begin, bl_index end);

/* rows_*.c: every pass, over the neighbours of one particle after the other. */
#define X(name, ...) void bl_rows_##name(const bl_view *s, bl_index begin, bl_index end);
BL_PASSES(X)
#undef X

/* rows_*_smooth.c: those with kernels once more, for smooth ones. */
#define BL_KERNEL_PASSES(X) BL_PASSES_PREPARE(X) BL_PASSES_SOLVE(X) BL_PASSES_VISCOSITY(X)
#define X(name, ...) void bl_smooth_rows_##name(const bl_view *s, bl_index begin, bl_index end);
BL_KERNEL_PASSES(X)
#undef X

/* groups_*.c: the passes with sums over fluid neighbours, for a single fluid, with cubic and with smooth kernels.
 * Ranges begin with a group. Those of groups_*_wide.c are there if BL_NARROW_CLONES (base/clones.h) is. */
#define BL_GROUP_PASSES(X)                                                                                             \
    X(volume)                                                                                                          \
    X(diagonal_p)                                                                                                      \
    X(alpha_st)                                                                                                        \
    X(start_warm)                                                                                                      \
    X(predict)                                                                                                         \
    X(interface_fluid)                                                                                                 \
    X(residual)                                                                                                        \
    X(virial)                                                                                                          \
    X(viscosity_explicit)                                                                                              \
    X(viscosity_start)                                                                                                 \
    X(viscosity_apply)                                                                                                 \
    X(viscosity_finish)
#define X(name)                                                                                                        \
    void bl_groups_##name(const bl_view *s, bl_index begin, bl_index end);                                             \
    void bl_smooth_groups_##name(const bl_view *s, bl_index begin, bl_index end);                                      \
    void bl_wide_groups_##name(const bl_view *s, bl_index begin, bl_index end);                                        \
    void bl_wide_smooth_groups_##name(const bl_view *s, bl_index begin, bl_index end);
BL_GROUP_PASSES(X)
#undef X

#endif
