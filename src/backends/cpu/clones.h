/* Functions compiled for the baseline and for newer processors, chosen when the program starts. No contraction and no
 * reassociation happen (see CMakeLists.txt), so all give the same bits. */
#ifndef BL_BACKENDS_CPU_CLONES_H
#define BL_BACKENDS_CPU_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(BL_NO_CLONES)
#define BL_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define BL_CLONES
#endif

/* Begins the definition of bl_NAME(s, begin, end), a pass over a range. What a compiler makes to choose a clone would
 * be visible outside of the library, so the clones are static. */
#define BL_DEFINE_RANGE(name)                                                                                          \
    BL_CLONES static void name(const bl_view *s, bl_index begin, bl_index end);                                        \
    void bl_##name(const bl_view *s, bl_index begin, bl_index end) { name(s, begin, end); }                            \
    BL_CLONES static void name(const bl_view *s, bl_index begin, bl_index end)

#endif
