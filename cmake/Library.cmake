# The library's objects, once per variant (precision, vector width).

# beadlet_objects(NAME sources flags...): compile the sources in this list with these extra flags.
function(beadlet_objects name sources)
  add_library(${name} OBJECT ${${sources}})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(${name} SYSTEM PRIVATE ${BEADLET_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE BL_VERSION="${PROJECT_VERSION}" ${BEADLET_DEFINITIONS}
                             BL_INSTALLED_SCENES="${CMAKE_INSTALL_FULL_DATADIR}/beadlet/scenes"
                             BL_SOURCE_SCENES="${CMAKE_SOURCE_DIR}/scenes")
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

# beadlet_variant(NAME flags...): another static library of the simulation and its files, without what is made of them
# afterwards (surfaces, measurements, pictures), as in
#   beadlet_variant(beadlet_static_avx2 ${BEADLET_AVX2_FLAGS})
function(beadlet_variant name)
  set(core ${BEADLET_SOURCES})
  list(FILTER core EXCLUDE REGEX "/src/(surface|analysis|render|plot|report|run)/")
  beadlet_objects(${name}_objects core ${ARGN})
  beadlet_static(${name} ${name}_objects ${ARGN})
endfunction()
