# The page of `beadlet view` becomes part of the library.
file(GLOB view_names RELATIVE ${CMAKE_SOURCE_DIR}/web CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/*)
list(TRANSFORM view_names PREPEND ${CMAKE_SOURCE_DIR}/web/ OUTPUT_VARIABLE view_files)
list(JOIN view_names "," view_list)
set(view_pages ${CMAKE_BINARY_DIR}/src/view/view_pages.c)
add_custom_command(OUTPUT ${view_pages} DEPENDS ${view_files} ${CMAKE_SOURCE_DIR}/cmake/EmbedSources.cmake
                   COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR}/web -DNAMES=${view_list} -DTABLE=bl_view_pages
                           -DOUTPUT=${view_pages} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedSources.cmake VERBATIM)
list(APPEND BEADLET_SOURCES ${view_pages})
