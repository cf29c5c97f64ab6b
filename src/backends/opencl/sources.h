/* The texts that kernels are made of: headers of the physics and the .cl files of kernels/, put into the library by
 * cmake/EmbedSources.cmake. */
#ifndef BL_BACKENDS_OPENCL_SOURCES_H
#define BL_BACKENDS_OPENCL_SOURCES_H

typedef struct bl_cl_source {
    const char *name; /* as in #include; NULL after the last */
    const char *text;
} bl_cl_source;
extern const bl_cl_source bl_cl_sources[];

#endif
