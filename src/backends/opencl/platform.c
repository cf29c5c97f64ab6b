/* The OpenCL devices of this machine. */
#include "backends/opencl/opencl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64 };

/* A device and where it is found. */
typedef struct place {
    cl_device_id id;
    int platform, device;
    cl_device_type type;
} place;

static int list_devices(place *places, int max) {
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint n_platforms = 0;
    int count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &n_platforms) != CL_SUCCESS) return 0;
    for (cl_uint p = 0; p < n_platforms && p < MAX_PLATFORMS; p++) {
        cl_device_id devices[MAX_DEVICES];
        cl_uint n = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &n) != CL_SUCCESS) continue;
        for (cl_uint k = 0; k < n && k < MAX_DEVICES && count < max; k++) {
            places[count] = (place){devices[k], (int)p, (int)k, 0};
            clGetDeviceInfo(devices[k], CL_DEVICE_TYPE, sizeof(cl_device_type), &places[count].type, NULL);
            count++;
        }
    }
    return count;
}

static void device_text(cl_device_id id, cl_device_info what, char *text, size_t size) {
    text[0] = '\0';
    clGetDeviceInfo(id, what, size - 1, text, NULL);
    text[size - 1] = '\0';
}

bool bl_device_describe(int k, char *text, size_t size) {
    place places[MAX_DEVICES];
    char name[128], version[64];
    cl_ulong memory = 0;
    if (k < 0 || k >= list_devices(places, MAX_DEVICES)) return false;
    device_text(places[k].id, CL_DEVICE_NAME, name, sizeof name);
    device_text(places[k].id, CL_DEVICE_VERSION, version, sizeof version);
    clGetDeviceInfo(places[k].id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    const char *kind = places[k].type & CL_DEVICE_TYPE_GPU ? "GPU" : places[k].type & CL_DEVICE_TYPE_CPU ? "CPU" : "";
    snprintf(text, size, "opencl:%d.%d  %s, %s, %.1f GB, %s", places[k].platform, places[k].device, name, kind,
             1e-9 * (double)memory, version);
    return true;
}

static const place *pick(const place *places, int count, int platform, int device, bool gpu) {
    for (int k = 0; k < count; k++) {
        const place *p = &places[k];
        if ((platform < 0 || p->platform == platform) && (device < 0 || p->device == device) &&
            (!gpu || (p->type & CL_DEVICE_TYPE_GPU)))
            return p;
    }
    return NULL;
}

static bl_status not_found(bl_context *ctx, const place *places, int count, int platform, int device) {
    char known[512] = "";
    for (int k = 0; k < count; k++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%sopencl:%d.%d", k ? ", " : "", places[k].platform,
                 places[k].device);
    }
    if (count == 0)
        return bl_fail(ctx, BL_ERR_DEVICE,
                       "no OpenCL device found: is a driver installed (an .icd file in "
                       "/etc/OpenCL/vendors)?");
    if (device < 0)
        return bl_fail(ctx, BL_ERR_DEVICE, "there is no device opencl:%d; this machine has %s", platform, known);
    return bl_fail(ctx, BL_ERR_DEVICE, "there is no device opencl:%d.%d; this machine has %s", platform, device, known);
}

bl_status bl_cl_choose(bl_context *ctx, int platform, int device, cl_device_id *out, char *name, size_t size) {
    place places[MAX_DEVICES];
    int count = list_devices(places, MAX_DEVICES);
    const place *found = pick(places, count, platform, device, true);
    if (!found) found = pick(places, count, platform, device, false);
    if (!found) return not_found(ctx, places, count, platform, device);
    char text[128];
    device_text(found->id, CL_DEVICE_NAME, text, sizeof text);
    snprintf(name, size, "opencl:%d.%d (%s)", found->platform, found->device, text);
    *out = found->id;
    return BL_OK;
}
