#include "beadlet/info.h"

#include "base/real.h"
#include "schemes/scheme.h"

#ifndef BL_HAVE_OPENCL
#define BL_HAVE_OPENCL 0
#endif
#ifndef BL_HAVE_MPI
#define BL_HAVE_MPI 0
#endif
#ifndef BL_HAVE_EMBREE
#define BL_HAVE_EMBREE 0
#endif
#ifndef BL_HAVE_MESHOPTIMIZER
#define BL_HAVE_MESHOPTIMIZER 0
#endif
#ifndef BL_HAVE_CIVETWEB
#define BL_HAVE_CIVETWEB 0
#endif

static const bl_feature features[] = {
    {"opencl", "GPU", BL_HAVE_OPENCL},
    {"mpi", "clusters", BL_HAVE_MPI},
    {"embree", "ray-traced pictures", BL_HAVE_EMBREE},
    {"meshoptimizer", "smaller meshes", BL_HAVE_MESHOPTIMIZER},
    {"civetweb", "runs in the browser", BL_HAVE_CIVETWEB},
};

const bl_feature *bl_features(int *count) {
    *count = (int)(sizeof features / sizeof features[0]);
    return features;
}

const char *bl_precision(void) { return BL_REAL_NAME; }

const char *bl_scheme_text(int index) {
    const bl_scheme *scheme = index >= 0 ? bl_scheme_at(index) : NULL;
    return scheme ? scheme->name : NULL;
}

bool bl_device_text(int index, char *text, size_t size) { return bl_device_describe(index, text, size); }

int bl_context_threads(const bl_context *ctx) { return bl_threads(ctx); }
