/* Functions compiled for the baseline and for newer processors, chosen when the program starts. No contraction and no
 * reassociation happen (see cmake/CompileOptions.cmake), so all give the same bits. */
#ifndef BL_BASE_CLONES_H
#define BL_BASE_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(BL_NO_CLONES) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BL_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BL_CLONES
#endif

#endif
