/* What this build of the library can do. All texts are static. Thread safe. */
#ifndef BEADLET_INFO_H
#define BEADLET_INFO_H

#include "beadlet/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An optional part, found or not when the library was built. */
typedef struct bl_feature {
    const char *name, *use; /* "opencl", "GPU" */
    bool available;
} bl_feature;
BL_API const bl_feature *bl_features(int *count);

BL_API const char *bl_precision(void); /* "float" or "double" */
/* Name of scheme `index`, from 0, as in a scene file; NULL beyond the last. */
BL_API const char *bl_scheme_text(int index);

/* Device `index` of this machine besides the CPU, from 0, in words: "opencl:0.0  NAME, GPU, ..."; the first word is its
 * name for bl_context_def.device. False beyond the last. */
BL_API bool bl_device_text(int index, char *text, size_t size);

/* Threads that simulations of this context use. */
BL_API int bl_context_threads(const bl_context *ctx);

#ifdef __cplusplus
}
#endif
#endif
