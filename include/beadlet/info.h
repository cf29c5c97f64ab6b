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

/* Threads that simulations of this context use. */
BL_API int bl_context_threads(const bl_context *ctx);

#ifdef __cplusplus
}
#endif
#endif
