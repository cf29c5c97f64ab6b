/* The texts that kernels are made of: headers of the physics and the .cl files of kernels/, put into the library by
 * cmake/EmbedSources.cmake. Names are as in #include. */
#ifndef BL_BACKENDS_OPENCL_SOURCES_H
#define BL_BACKENDS_OPENCL_SOURCES_H

#include "base/embedded.h"

extern const bl_embedded bl_cl_sources[];

#endif
