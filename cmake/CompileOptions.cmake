# Flags for everything in this project.

# Same bits everywhere: no contraction, no reassociation; errno and traps are not part of the promise.
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math)
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  add_compile_options(-Wdouble-promotion) # clang reports the constants INFINITY and NAN, too
  # Jammed into two rounds of the loop around it, a loop over eight lanes is no longer made one of vectors.
  add_compile_options(-fno-loop-unroll-and-jam)
endif()
if(BEADLET_WERROR)
  add_compile_options(-Werror)
endif()

# Scalar: neither vector loops nor copies of them for newer processors.
set(BEADLET_SCALAR_FLAGS -fno-tree-vectorize -fno-tree-slp-vectorize -DBL_NO_CLONES)
if(CMAKE_C_COMPILER_ID MATCHES Clang)
  set(BEADLET_SCALAR_FLAGS -fno-vectorize -fno-slp-vectorize -DBL_NO_CLONES)
endif()
set(BEADLET_AVX2_FLAGS -mavx2)
if(BEADLET_SCALAR)
  add_compile_options(${BEADLET_SCALAR_FLAGS})
endif()
if(BEADLET_AVX2)
  add_compile_options(${BEADLET_AVX2_FLAGS})
endif()

if(BEADLET_SANITIZE)
  # Copies of a function for newer processors are chosen before the thread sanitizer is ready.
  add_compile_definitions(BL_NO_CLONES)
  add_compile_options(-fsanitize=${BEADLET_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BEADLET_SANITIZE})
endif()
if(BEADLET_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "BEADLET_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
