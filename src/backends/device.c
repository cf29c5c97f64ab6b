/* Choosing a device by name. */
#include "backends/device.h"

#include "backends/opencl/opencl.h"

#include <stdio.h>
#include <string.h>

#ifdef BL_HAVE_OPENCL
/* "opencl", "opencl:1", "opencl:1.0": -1 for what is left out. */
static bool read_place(const char *text, int *platform, int *device) {
    char rest;
    *platform = *device = -1;
    if (*text == '\0') return true;
    if (*text++ != ':') return false;
    int n = sscanf(text, "%d.%d%c", platform, device, &rest);
    if (n == 1) n = sscanf(text, "%d%c", platform, &rest) == 1 ? 1 : 0;
    return (n == 1 || n == 2) && *platform >= 0 && (n == 1 || *device >= 0);
}
#endif

static bl_status create_named(bl_context *ctx, const bl_device_def *def, bl_device **out) {
#ifdef BL_HAVE_OPENCL
    int platform, device;
    if (!read_place(def->name + strlen("opencl"), &platform, &device))
        return bl_fail(ctx, BL_ERR_USAGE, "device \"%s\": expected opencl, opencl:PLATFORM or opencl:PLATFORM.DEVICE",
                       def->name);
    return bl_cl_create(ctx, def, platform, device, out);
#else
    (void)out;
    return bl_fail(ctx, BL_ERR_DEVICE,
                   "device \"%s\": this build has no OpenCL (install ocl-icd-opencl-dev and "
                   "opencl-headers, then build again)",
                   def->name);
#endif
}

bl_status bl_device_create(bl_context *ctx, const bl_device_def *def, bl_device **out) {
    *out = NULL;
    if (strcmp(def->name, "cpu") == 0) return BL_OK;
    if (strcmp(def->name, "auto") == 0) {
        bl_device_def any = *def;
        any.name = "opencl";
        if (create_named(ctx, &any, out) == BL_OK) return BL_OK;
        bl_log(ctx, BL_LOG_WARNING, "computing on the cpu: %s", bl_context_error(ctx));
        return BL_OK;
    }
    if (strncmp(def->name, "opencl", strlen("opencl")) == 0) return create_named(ctx, def, out);
    return bl_fail(ctx, BL_ERR_USAGE, "device \"%s\": expected cpu, auto, opencl or opencl:PLATFORM.DEVICE", def->name);
}

void bl_loan_clear(bl_context *ctx, bl_loan *loan) {
    bl_release(ctx, loan->index);
    bl_release(ctx, loan->x);
    bl_release(ctx, loan->v);
    bl_release(ctx, loan->held);
    *loan = (bl_loan){0};
}

#ifndef BL_HAVE_OPENCL
/* Without OpenCL every device is the CPU. */
void bl_device_destroy(bl_device *device) { (void)device; }
const char *bl_device_name(const bl_device *device) {
    (void)device;
    return "cpu";
}
bl_status bl_device_status(const bl_device *device) {
    (void)device;
    return BL_OK;
}
size_t bl_device_memory(const bl_device *device) {
    (void)device;
    return 0;
}
size_t bl_device_memory_most(const bl_device *device) {
    (void)device;
    return 0;
}
void bl_device_profile(bl_device *device, bool on) { (void)device, (void)on; }
void bl_device_run(bl_device *device, bl_pass_id pass, const bl_view *view) { (void)device, (void)pass, (void)view; }
void bl_device_run_bundle(bl_device *device, bl_bundle_id bundle, const bl_view *view) {
    (void)device, (void)bundle, (void)view;
}
void bl_device_run_settled(bl_device *device, bl_settled_id settled, const bl_view *view) {
    (void)device, (void)settled, (void)view;
}
void bl_device_ask(bl_device *device, uint64_t reductions, const bl_view *view) {
    (void)device, (void)reductions, (void)view;
}
void bl_device_answer(bl_device *device, bl_reduction_id reduction, double *out) {
    (void)device, (void)reduction, (void)out;
}
void bl_device_solve_begin(bl_device *device, bl_goal goal) { (void)device, (void)goal; }
bool bl_device_solve_at_once(bl_device *device, bl_goal goal, bool share, const bl_view *view) {
    (void)device, (void)goal, (void)share, (void)view;
    return false;
}
bool bl_device_solve_done(bl_device *device) {
    (void)device;
    return true;
}
void bl_device_solve_end(bl_device *device) { (void)device; }
void bl_device_solve_fetch(bl_device *device, int rows) { (void)device, (void)rows; }
void bl_device_fetch_answers(bl_device *device) { (void)device; }
int bl_device_solve_log(bl_device *device, double *log, int rows) {
    (void)device, (void)log, (void)rows;
    return 0;
}
size_t bl_device_launches(const bl_device *device) {
    (void)device;
    return 0;
}
void bl_device_find_neighbours(bl_device *device) { (void)device; }
void bl_device_find_boundary_neighbours(bl_device *device) { (void)device; }
bool bl_device_leave_walls(bl_device *device) {
    (void)device;
    return false;
}
void bl_device_sort(bl_device *device, double cell) { (void)device, (void)cell; }
void bl_device_save(bl_device *device) { (void)device; }
void bl_device_restore(bl_device *device) { (void)device; }
void bl_device_fetch(bl_device *device, uint64_t fluid, uint64_t boundary) {
    (void)device, (void)fluid, (void)boundary;
}
void bl_device_changed(bl_device *device, uint64_t fluid, uint64_t boundary) {
    (void)device, (void)fluid, (void)boundary;
}
bl_status bl_device_lend(bl_device *device, const bl_vec3d (*boxes)[2], int box_count, double dt, bool fence,
                         bl_loan *loan) {
    (void)device, (void)boxes, (void)box_count, (void)dt, (void)fence, (void)loan;
    return BL_OK;
}
void bl_device_wrap(bl_device *device) { (void)device; }
void bl_device_return(bl_device *device, const bl_loan *loan) { (void)device, (void)loan; }
void bl_device_replace(bl_device *device, const bl_index *removed, size_t removed_count, const bl_fluid_store *from,
                       size_t added) {
    (void)device, (void)removed, (void)removed_count, (void)from, (void)added;
}
bool bl_device_describe(int k, char *text, size_t size) {
    (void)k, (void)text, (void)size;
    return false;
}
#endif
