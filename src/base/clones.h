/* Functions compiled for the baseline and for newer processors, chosen when the program starts. No contraction and no
 * reassociation happen (see cmake/CompileOptions.cmake), so all give the same bits. */
#ifndef BL_BASE_CLONES_H
#define BL_BASE_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(BL_NO_CLONES) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* "avx512f" alone has its 32 registers for vectors of 16 numbers only; x86-64-v4 has them for eight, too, which is what
 * loops over groups are made of. BL_NARROW_CLONES: for files that are compiled once more for x86-64-v4, in a way of
 * their own (backends/cpu/groups_solve_wide.c). */
#if __GNUC__ >= 12
#define BL_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#define BL_NARROW_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define BL_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define BL_CLONES
#endif

#endif
