# The kernels' source becomes part of the library. Without OpenCL its backend is left out.
if(OpenCL_FOUND)
  file(GLOB kernel_sources RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/src/physics/*.h ${CMAKE_SOURCE_DIR}/src/backends/opencl/kernels/*.cl)
  list(APPEND kernel_sources base/real.h base/vec3.h neighbours/list.h neighbours/image.h particles/fields.h)
  list(TRANSFORM kernel_sources PREPEND ${CMAKE_SOURCE_DIR}/src/ OUTPUT_VARIABLE kernel_files)
  list(JOIN kernel_sources "," kernel_names)
  set(embedded ${CMAKE_BINARY_DIR}/src/backends/opencl_sources.c)
  add_custom_command(OUTPUT ${embedded} DEPENDS ${kernel_files} ${CMAKE_SOURCE_DIR}/cmake/EmbedSources.cmake
                     COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR}/src -DNAMES=${kernel_names} -DTABLE=bl_cl_sources
                             -DOUTPUT=${embedded}
                             -P ${CMAKE_SOURCE_DIR}/cmake/EmbedSources.cmake VERBATIM)
  list(APPEND BEADLET_SOURCES ${embedded})
else()
  list(FILTER BEADLET_SOURCES EXCLUDE REGEX "/src/backends/opencl/")
endif()
