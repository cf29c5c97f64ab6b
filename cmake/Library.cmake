# The library's objects, once per variant (precision, vector width).

# beadlet_objects(NAME sources flags...): compile the sources in this list with these extra flags.
function(beadlet_objects name sources)
  add_library(${name} OBJECT ${${sources}})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(${name} SYSTEM PRIVATE ${BEADLET_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE BL_VERSION="${PROJECT_VERSION}" ${BEADLET_DEFINITIONS}
                             BL_INSTALLED_SCENES="${CMAKE_INSTALL_FULL_DATADIR}/beadlet/scenes"
                             BL_SOURCE_SCENES="${CMAKE_SOURCE_DIR}/scenes"
                             BL_INSTALLED_CASES="${CMAKE_INSTALL_FULL_DATADIR}/beadlet/cases")
  target_compile_options(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE ${BEADLET_LIBRARIES})
endfunction()

# beadlet_static(NAME OBJECTS flags...): a static library with all internals, for programs that look inside. Flags that
# change types (the precision) are passed on to the programs.
function(beadlet_static name objects)
  add_library(${name} STATIC $<TARGET_OBJECTS:${objects}>)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(${name} SYSTEM PUBLIC ${BEADLET_INCLUDE_DIRS})
  target_compile_definitions(${name} PUBLIC ${BEADLET_DEFINITIONS})
  target_compile_options(${name} PUBLIC ${ARGN})
  target_link_libraries(${name} PUBLIC ${BEADLET_LIBRARIES})
  target_link_options(${name} PUBLIC -Wl,--as-needed)
endfunction()

# beadlet_variant(NAME modules flags...): another static library of some modules, to save time, as in
#   beadlet_variant(beadlet_static_avx2 "${BEADLET_CORE}" ${BEADLET_AVX2_FLAGS})
set(BEADLET_READERS base scene geometry particles output) # of all sorts of files
set(BEADLET_CORE ${BEADLET_READERS} neighbours physics backends schemes rigid sim) # what makes the results

# beadlet_code_hash(SOURCE): a C file with the hash of everything that makes the results, so that `beadlet validate`
# knows which finished runs are still valid.
function(beadlet_code_hash source)
  set(patterns "")
  foreach(module IN LISTS BEADLET_CORE)
    list(APPEND patterns ${CMAKE_SOURCE_DIR}/src/${module}/*.[ch])
  endforeach()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  add_custom_command(OUTPUT ${source} DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/CodeHash.cmake
                     COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DOUTPUT=${source}
                             "-DSALT=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_C_FLAGS} ${CMAKE_BUILD_TYPE}"
                             -P ${CMAKE_SOURCE_DIR}/cmake/CodeHash.cmake VERBATIM)
endfunction()

function(beadlet_variant name modules)
  set(chosen ${BEADLET_SOURCES})
  list(JOIN modules "|" any)
  list(FILTER chosen INCLUDE REGEX "/src/(${any})/")
  beadlet_objects(${name}_objects chosen ${ARGN})
  beadlet_static(${name} ${name}_objects ${ARGN})
endfunction()
