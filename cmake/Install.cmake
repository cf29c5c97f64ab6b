# cmake --install: library, headers, program, pkg-config file, CMake package, man page, completion, scenes, cases.
include(CMakePackageConfigHelpers)

install(TARGETS beadlet EXPORT beadletTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/beadlet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
set_property(TARGET beadlet PROPERTY EXPORT_NAME beadlet)

# find_package(beadlet), then link beadlet::beadlet.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/beadlet)
install(EXPORT beadletTargets NAMESPACE beadlet:: DESTINATION ${package_dir} FILE beadletConfig.cmake)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/beadletConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/beadletConfigVersion.cmake DESTINATION ${package_dir})

# The prefix is found from the place of the file, so a tree can be moved.
file(RELATIVE_PATH BEADLET_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_SOURCE_DIR}/cmake/beadlet.pc.in ${CMAKE_BINARY_DIR}/beadlet.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/beadlet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

foreach(folder scenes materials cases)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/beadlet)
  endif()
endforeach()

if(NOT TARGET beadlet_program)
  return()
endif()
install(TARGETS beadlet_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Man page and completion come from the program's own table of options.
function(beadlet_generated file destination)
  set(output ${CMAKE_BINARY_DIR}/generated/${file})
  add_custom_command(OUTPUT ${output} DEPENDS beadlet_program
                     COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:beadlet_program> "-DARGUMENTS=${ARGN}"
                             -DOUTPUT=${output} -P ${CMAKE_SOURCE_DIR}/cmake/WriteOutput.cmake VERBATIM)
  set_property(GLOBAL APPEND PROPERTY BEADLET_GENERATED ${output})
  install(FILES ${output} DESTINATION ${destination})
endfunction()
beadlet_generated(beadlet.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
beadlet_generated(beadlet ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
beadlet_generated(_beadlet ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
beadlet_generated(beadlet.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
get_property(generated GLOBAL PROPERTY BEADLET_GENERATED)
add_custom_target(beadlet_generated ALL DEPENDS ${generated})
