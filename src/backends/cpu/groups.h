/* Loops over groups, with the switches of the scene as constants inside of them. */
#ifndef BL_BACKENDS_CPU_GROUPS_H
#define BL_BACKENDS_CPU_GROUPS_H

#include "backends/cpu/clones.h"
#include "backends/cpu/ranges.h"
#include "physics/groups.h"

/* The groups of a range of particles that begins with a group. */
#define BL_FOR_GROUPS(s, b, begin, end)                                                                                \
    for (bl_group b = bl_group_at(s, (begin) / BL_GROUP); b.first < (end); b = bl_group_at(s, b.first / BL_GROUP + 1))
/* Sums over near neighbours pass over most of a row, which no processor foresees: they fetch what they will read of the
 * next one while they work on this one. (There is a next one: an empty row comes last.) */
static inline void bl_group_fetch_next(const bl_view *s, const bl_group *b) {
    enum { LINE = 64 };
    const bl_index next = b->first / BL_GROUP + 1;
    const char *row = (const char *)(s->groups.index + s->groups.start[next]);
    size_t bytes = (BL_GROUP_HEAD + s->groups.near[next]) * sizeof *s->groups.index;
    for (size_t at = 0; at < bytes; at += LINE) __builtin_prefetch(row + at);
}
#define BL_FOR_MEMBERS(b, l) for (int l = 0; l < (int)(b).count; ++l)

/* The fluid from particle `first` on: lanes are its particles 0 to 7. (The sum of two indices may wrap around, so a
 * loop over first + l is not one over neighbouring numbers to a compiler.) */
static inline __attribute__((always_inline)) bl_view bl_view_from(const bl_view *s, bl_index first) {
    bl_view view = *s;
#define X(type, name, flags, unit, doc) view.name += first;
    BL_FLUID_FIELDS(X)
#undef X
    view.v_next += first;
    view.alpha_st += first;
    view.spare += first;
    view.want += first;
    return view;
}

/* sum(s, b, periodic, ...) and sum(s, b, corrected, periodic, ...) */
#define BL_GROUP_SUM(sum, s, b, ...) ((s)->par->periodic ? sum(s, b, 1, __VA_ARGS__) : sum(s, b, 0, __VA_ARGS__))
#define BL_GROUP_SUM_OF(sum, s, b, ...)                                                                                \
    ((s)->par->corrected ? ((s)->par->periodic ? sum(s, b, 1, 1, __VA_ARGS__) : sum(s, b, 1, 0, __VA_ARGS__))          \
                         : ((s)->par->periodic ? sum(s, b, 0, 1, __VA_ARGS__) : sum(s, b, 0, 0, __VA_ARGS__)))

#endif
