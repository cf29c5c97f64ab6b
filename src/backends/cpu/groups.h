/* Loops over groups, with the switches of the scene as constants inside of them. */
#ifndef BL_BACKENDS_CPU_GROUPS_H
#define BL_BACKENDS_CPU_GROUPS_H

#ifndef BL_ALL_SMOOTH /* groups_*_smooth.c */
#define BL_ALL_CUBIC
#endif

#include "backends/cpu/clones.h"
#include "backends/cpu/ranges.h"
#include "physics/groups.h"

/* Compiled by itself for processors with 32 registers (BL_WIDE, groups_solve_wide.c), and for all others. */
#if defined(BL_WIDE) && defined(BL_ALL_SMOOTH)
#define BL_GROUPS_NAME(name) bl_wide_smooth_##name
#elif defined(BL_WIDE)
#define BL_GROUPS_NAME(name) bl_wide_##name
#elif defined(BL_ALL_SMOOTH)
#define BL_GROUPS_NAME(name) bl_smooth_##name
#else
#define BL_GROUPS_NAME(name) bl_##name
#endif
#ifdef BL_WIDE
#define BL_GROUPS_CLONES
#else
#ifdef BL_NARROW_CLONES
#define BL_GROUPS_CLONES BL_NARROW_CLONES
#else
#define BL_GROUPS_CLONES BL_CLONES
#endif
#endif

/* Begin the definition of bl_NAME(s, begin, end), a pass over a range of groups. Its body is compiled once for each
 * state of the switches that it has as constants, `periodic` and `corrected`. Each is a function of its own: a compiler
 * takes far longer for a large function than for its pieces. */
#define BL_GROUPS_VARIANT(name, variant, ...)                                                                          \
    BL_GROUPS_CLONES static void name##_##variant(const bl_view *s, bl_index begin, bl_index end) {                    \
        name(s, begin, end, __VA_ARGS__);                                                                              \
    }
#define BL_DEFINE_GROUPS(name)                                                                                         \
    BL_FN void name(const bl_view *s, bl_index begin, bl_index end, int periodic);                                     \
    BL_GROUPS_VARIANT(name, open, 0)                                                                                   \
    BL_GROUPS_VARIANT(name, periodic, 1)                                                                               \
    void BL_GROUPS_NAME(name)(const bl_view *s, bl_index begin, bl_index end) {                                        \
        (s->par->periodic ? name##_periodic : name##_open)(s, begin, end);                                             \
    }                                                                                                                  \
    BL_FN void name(const bl_view *s, bl_index begin, bl_index end, int periodic)
#define BL_DEFINE_GROUPS_OF(name)                                                                                      \
    BL_FN void name(const bl_view *s, bl_index begin, bl_index end, int corrected, int periodic);                      \
    BL_GROUPS_VARIANT(name, plain_open, 0, 0)                                                                          \
    BL_GROUPS_VARIANT(name, plain_periodic, 0, 1)                                                                      \
    BL_GROUPS_VARIANT(name, corrected_open, 1, 0)                                                                      \
    BL_GROUPS_VARIANT(name, corrected_periodic, 1, 1)                                                                  \
    void BL_GROUPS_NAME(name)(const bl_view *s, bl_index begin, bl_index end) {                                        \
        if (s->par->corrected)                                                                                         \
            (s->par->periodic ? name##_corrected_periodic : name##_corrected_open)(s, begin, end);                     \
        else                                                                                                           \
            (s->par->periodic ? name##_plain_periodic : name##_plain_open)(s, begin, end);                             \
    }                                                                                                                  \
    BL_FN void name(const bl_view *s, bl_index begin, bl_index end, int corrected, int periodic)

/* What follows the sums of a group some of whose particles are at walls, or that is not whole: compiled once for all
 * states of the switches. */
#define BL_GROUP_REST BL_GROUPS_CLONES static __attribute__((noinline)) void

/* The groups of a range of particles that begins with a group. */
#define BL_FOR_GROUPS(s, b, begin, end)                                                                                \
    for (bl_group b = bl_group_at(s, (begin) / BL_GROUP); b.first < (end); b = bl_group_at(s, b.first / BL_GROUP + 1))
#define BL_FOR_MEMBERS(b, l) for (int l = 0; l < (int)(b)->count; ++l)

/* Sums over near neighbours pass over most of a row, which no processor foresees: they fetch what they will read of the
 * next one while they work on this one. (There is a next one: an empty row comes last.) */
static inline void bl_group_fetch_next(const bl_view *s, const bl_group *b) {
    enum { LINE = 64 };
    const bl_index next = b->first / BL_GROUP + 1;
    const char *row = (const char *)(s->groups.index + s->groups.start[next]);
    size_t bytes = (BL_GROUP_HEAD + s->groups.near[next]) * sizeof *s->groups.index;
    for (size_t at = 0; at < bytes; at += LINE) __builtin_prefetch(row + at);
}

/* The fluid from particle `first` on: lanes are its particles 0 to 7. (The sum of two indices may wrap around, so a
 * loop over first + l is not one over neighbouring numbers to a compiler.) */
static inline __attribute__((always_inline)) bl_view bl_view_from(const bl_view *s, bl_index first) {
    bl_view view = *s;
#define X(type, name, flags, unit, doc) view.name += first;
    BL_FLUID_FIELDS(X)
#undef X
#define X(type, name, of, unit, doc) view.name += first;
    BL_FLUID_SHARED(X)
#undef X
    return view;
}

#endif
