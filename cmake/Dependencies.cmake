# What Beadlet is built with. Required parts stop the configuration; optional parts are reported and set BL_HAVE_NAME.
# Sets BEADLET_LIBRARIES, BEADLET_INCLUDE_DIRS, BEADLET_DEFINITIONS.

find_package(PkgConfig REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
find_package(HDF5 REQUIRED COMPONENTS C HL)

set(BEADLET_LIBRARIES OpenMP::OpenMP_C PkgConfig::FYAML PkgConfig::PNG ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES}
                      Threads::Threads m)
set(BEADLET_INCLUDE_DIRS ${HDF5_C_INCLUDE_DIRS})
set(BEADLET_DEFINITIONS "")
set(BEADLET_TABLE "")

# An optional part: name, what is lost without it, whether it was found, and then what to link.
# The linker drops what no source uses (--as-needed), so being found costs nothing.
macro(beadlet_optional name use found)
  if(${found})
    list(APPEND BEADLET_LIBRARIES ${ARGN})
    list(APPEND BEADLET_DEFINITIONS BL_HAVE_${name}=1)
    list(APPEND BEADLET_TABLE "${name}|on|${use}")
  else()
    list(APPEND BEADLET_TABLE "${name}|off|${use}")
  endif()
endmacro()

foreach(part OPENCL MPI EMBREE ODE MESHOPTIMIZER)
  option(BEADLET_WITH_${part} "Use ${part} when it is found" ON)
endforeach()

if(BEADLET_WITH_OPENCL)
  find_package(OpenCL QUIET)
endif()
beadlet_optional(OPENCL "GPU" OpenCL_FOUND OpenCL::OpenCL)

if(BEADLET_WITH_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()
beadlet_optional(MPI "clusters" MPI_C_FOUND MPI::MPI_C)

if(BEADLET_WITH_EMBREE)
  find_package(embree 4 QUIET)
  if(NOT embree_FOUND)
    find_package(embree 3 QUIET)
  endif()
endif()
beadlet_optional(EMBREE "fast pictures" embree_FOUND embree)
if(embree_FOUND)
  list(APPEND BEADLET_DEFINITIONS BL_EMBREE_MAJOR=${EMBREE_VERSION_MAJOR})
endif()

if(BEADLET_WITH_ODE)
  pkg_check_modules(ODE QUIET IMPORTED_TARGET ode)
endif()
beadlet_optional(ODE "rigid bodies" ODE_FOUND PkgConfig::ODE)

if(BEADLET_WITH_MESHOPTIMIZER)
  find_package(meshoptimizer QUIET)
endif()
beadlet_optional(MESHOPTIMIZER "smaller meshes" meshoptimizer_FOUND meshoptimizer::meshoptimizer)

function(beadlet_report)
  set(precision float)
  if(BEADLET_DOUBLE)
    set(precision double)
  endif()
  message(STATUS "Beadlet ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, ${precision}, HDF5 ${HDF5_VERSION}, libfyaml ${FYAML_VERSION}")
  foreach(row IN LISTS BEADLET_TABLE)
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 name)
    list(GET row 1 state)
    list(GET row 2 use)
    string(SUBSTRING "${name}               " 0 15 name)
    string(SUBSTRING "${state}   " 0 4 state)
    message(STATUS "  ${name} ${state} ${use}")
  endforeach()
endfunction()
