/* Making and ending a device, its errors and its memory. */
#include "backends/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- errors --- */

const char *bl_cl_error_name(cl_int code) {
    switch (code) {
    case CL_DEVICE_NOT_FOUND: return "no device found";
    case CL_DEVICE_NOT_AVAILABLE: return "the device is not available";
    case CL_COMPILER_NOT_AVAILABLE: return "there is no compiler for it";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "out of device memory";
    case CL_OUT_OF_RESOURCES: return "the device is out of resources, or was lost";
    case CL_OUT_OF_HOST_MEMORY: return "out of memory on the host";
    case CL_BUILD_PROGRAM_FAILURE: return "the kernels do not compile";
    case CL_INVALID_BUFFER_SIZE: return "larger than the device allows one buffer to be";
    case CL_INVALID_WORK_GROUP_SIZE: return "the device cannot run groups of this size";
    case CL_INVALID_COMMAND_QUEUE: return "the device was lost";
    default: return NULL;
    }
}

bool bl_cl_check(bl_device *d, cl_int code, const char *what) {
    if (d->status != BL_OK) return false;
    if (code == CL_SUCCESS) return true;
    /* drivers run out of resources when memory is full, and also when a device is lost */
    bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
                  code == CL_INVALID_BUFFER_SIZE || (code == CL_OUT_OF_RESOURCES && d->making_room);
    const char *name = bl_cl_error_name(code);
    char used[96] = "";
    if (memory)
        snprintf(used, sizeof used, "; %.0f MB of its %.0f MB were in use", 1e-6 * (double)d->memory,
                 1e-6 * (double)d->memory_limit);
    d->status = bl_fail(d->ctx, memory ? BL_ERR_MEMORY : BL_ERR_DEVICE, "%s: %s failed: %s (OpenCL error %d)%s",
                        d->name, what, name ? name : "unexpected error", (int)code, used);
    return false;
}

bl_status bl_device_status(const bl_device *d) { return d ? d->status : BL_OK; }
const char *bl_device_name(const bl_device *d) { return d ? d->name : "cpu"; }
size_t bl_device_memory(const bl_device *d) { return d ? d->memory : 0; }
size_t bl_device_memory_most(const bl_device *d) { return d ? d->memory_most : 0; }

/* --- memory --- */

void bl_cl_release(bl_device *d, bl_cl_buffer *buffer) {
    if (buffer->mem) clReleaseMemObject(buffer->mem);
    d->memory -= buffer->size;
    *buffer = (bl_cl_buffer){0};
}

/* A kernel of our own: runs with buffers of 30 GB faulted while clEnqueueFillBuffer was in use. */
static void clear(bl_device *d, const bl_cl_buffer *buffer, size_t size, const char *what) {
    const cl_ulong words = size / sizeof(cl_uint);
    const size_t most = (size_t)1 << 22;
    cl_kernel kernel = d->kernel[BL_CL_clear];
    if (bl_cl_check(d, clSetKernelArg(kernel, 0, sizeof buffer->mem, &buffer->mem), what) &&
        bl_cl_check(d, clSetKernelArg(kernel, 1, sizeof words, &words), what))
        bl_cl_enqueue(d, kernel, what, words < most ? (size_t)words : most, BL_CL_GROUP);
}

void bl_cl_clear_words(bl_device *d, const bl_cl_buffer *buffer, size_t size) { clear(d, buffer, size, "clearing"); }

static bool make_room(bl_device *d, bl_cl_buffer *buffer, size_t size, const char *what) {
    cl_int code;
    bl_cl_release(d, buffer);
    buffer->mem = clCreateBuffer(d->context, CL_MEM_READ_WRITE, size, NULL, &code);
    if (code == CL_SUCCESS) {
        buffer->size = size;
        d->memory += size;
        if (d->memory > d->memory_most) d->memory_most = d->memory;
        d->arguments++;
    }
    char text[128];
    snprintf(text, sizeof text, "making room for %s (%.0f MB)", what, 1e-6 * (double)size);
    if (!bl_cl_check(d, code, text)) return false;
    /* devices hand out memory at the first touch: touch it while the error can be understood */
    clear(d, buffer, size, text);
    return d->status == BL_OK && bl_cl_check(d, clFinish(d->queue), text);
}

bool bl_cl_reserve(bl_device *d, bl_cl_buffer *buffer, size_t size, const char *what) {
    if (d->status != BL_OK) return false;
    size = (size + 15) / 16 * 16 + 16; /* never empty */
    if (size <= buffer->size) return true;
    d->making_room = true;
    bool made = make_room(d, buffer, size, what);
    d->making_room = false;
    return made;
}

bool bl_cl_part(bl_device *d, bl_cl_buffer *part, const bl_cl_buffer *whole, size_t from, size_t length) {
    if (d->status != BL_OK) return false;
    if (part->mem && part->whole == whole->mem && part->from == from && part->length == length) return true;
    if (part->mem) clReleaseMemObject(part->mem);
    cl_int code = CL_SUCCESS;
    cl_buffer_region region = {from, length};
    *part = (bl_cl_buffer){.whole = whole->mem, .from = from, .length = length};
    part->mem = clCreateSubBuffer(whole->mem, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    return bl_cl_check(d, code, "dividing a buffer");
}

bool bl_cl_reserve_pinned(bl_device *d) {
    cl_int code = CL_SUCCESS;
    if (d->pinned) return true;
    if (d->status != BL_OK) return false;
    d->pinned_buffer = clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, BL_CL_PINNED, NULL, &code);
    if (code == CL_SUCCESS)
        d->pinned = clEnqueueMapBuffer(d->queue, d->pinned_buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BL_CL_PINNED,
                                       0, NULL, NULL, &code);
    return bl_cl_check(d, code, "mapping memory for results");
}

static void release_pinned(bl_device *d) {
    if (d->pinned) clEnqueueUnmapMemObject(d->queue, d->pinned_buffer, d->pinned, 0, NULL, NULL);
    if (d->pinned) clFinish(d->queue);
    if (d->pinned_buffer) clReleaseMemObject(d->pinned_buffer);
}

/* A few numbers go through pinned memory: that is faster, and a step waits for some of them. */
bool bl_cl_read(bl_device *d, const bl_cl_buffer *buffer, size_t offset, void *to, size_t size) {
    const bool small = size <= BL_CL_PINNED - BL_CL_LOOK && bl_cl_reserve_pinned(d);
    void *at = small ? (char *)d->pinned + BL_CL_LOOK : to;
    if (d->status != BL_OK ||
        !bl_cl_check(d, clEnqueueReadBuffer(d->queue, buffer->mem, CL_TRUE, offset, size, at, 0, NULL, NULL),
                     "reading from the device"))
        return false;
    if (small) memcpy(to, at, size);
    return true;
}

static void forget_ahead(bl_cl_ahead *ahead) {
    if (ahead->event) clReleaseEvent(ahead->event);
    ahead->event = NULL;
}

void bl_cl_read_ahead(bl_device *d, bl_cl_ahead *ahead, const bl_cl_buffer *buffer, size_t size) {
    forget_ahead(ahead);
    if (size > ahead->room || !bl_cl_reserve_pinned(d)) return;
    bl_cl_check(d,
                clEnqueueReadBuffer(d->queue, buffer->mem, CL_FALSE, 0, size, (char *)d->pinned + ahead->at, 0, NULL,
                                    &ahead->event),
                "reading from the device");
    ahead->size = size;
}

bool bl_cl_read_end(bl_device *d, bl_cl_ahead *ahead, void *to, size_t size) {
    if (d->status != BL_OK || !ahead->event || size > ahead->size) return false;
    if (!bl_cl_check(d, clFlush(d->queue), "reading from the device") ||
        !bl_cl_check(d, clWaitForEvents(1, &ahead->event), "reading from the device"))
        return false;
    forget_ahead(ahead);
    memcpy(to, (const char *)d->pinned + ahead->at, size);
    return true;
}

/* --- running --- */

/* Time is the device's own: what it was busy with kernels and copies. */
double bl_cl_start(const bl_device *d) { return d->busy; }

void bl_cl_stop(bl_device *d, const char *name, double start) {
    if (d->profile) bl_timers_add(d->timers, name, d->busy - start);
}

static void make_queue(bl_device *d, bool profile) {
    cl_int code;
    if (d->queue) clFinish(d->queue);
    if (d->queue) clReleaseCommandQueue(d->queue);
    d->queue = clCreateCommandQueue(d->context, d->id, profile ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    bl_cl_check(d, code, "making a queue");
    d->profile = profile && code == CL_SUCCESS;
}

void bl_device_profile(bl_device *d, bool on) {
    if (d && d->status == BL_OK && on != d->profile) make_queue(d, on);
}

/* The end of a command that was given `event`: when profiling, wait for it and measure it. */
static void measure(bl_device *d, cl_int code, cl_event event, const char *what) {
    cl_ulong begin = 0, end = 0;
    if (!bl_cl_check(d, code, what) || !event) return;
    bl_cl_check(d, clWaitForEvents(1, &event), what);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    d->busy += 1e-9 * (double)(end - begin);
    clReleaseEvent(event);
}

void bl_cl_enqueue(bl_device *d, cl_kernel kernel, const char *what, size_t items, size_t group) {
    if (d->status != BL_OK || items == 0) return;
    size_t global = (items + group - 1) / group * group;
    cl_event event = NULL;
    cl_int code =
        clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &global, &group, 0, NULL, d->profile ? &event : NULL);
    measure(d, code, event, what);
    d->launches++;
}

void bl_cl_copy(bl_device *d, const bl_cl_buffer *from, size_t at, const bl_cl_buffer *to, size_t to_at, size_t size,
                const char *what) {
    if (d->status != BL_OK || size == 0) return;
    cl_event event = NULL;
    cl_int code =
        clEnqueueCopyBuffer(d->queue, from->mem, to->mem, at, to_at, size, 0, NULL, d->profile ? &event : NULL);
    measure(d, code, event, what);
}

static const char *const kernel_names[BL_CL_KERNEL_COUNT] = {
#define X(name) #name,
    BL_CL_KERNELS(X)
#undef X
};

void bl_cl_launch_kernel(bl_device *d, cl_kernel kernel, const char *name, size_t items, size_t group,
                         const bl_cl_arg *args, int n_args) {
    if (d->status != BL_OK || items == 0) return;
    for (int k = 0; k < n_args; k++)
        if (!bl_cl_check(d, clSetKernelArg(kernel, (cl_uint)k, args[k].size, args[k].value), name)) return;
    bl_cl_enqueue(d, kernel, name, items, group);
}

void bl_cl_launch(bl_device *d, bl_cl_kernel id, size_t items, size_t group, const bl_cl_arg *args, int n_args) {
    double start = bl_cl_start(d);
    bl_cl_launch_kernel(d, d->kernel[id], kernel_names[id], items, group, args, n_args);
    bl_cl_stop(d, kernel_names[id], start);
}

size_t bl_device_launches(const bl_device *d) { return d ? d->launches : 0; }

/* --- life --- */

static cl_kernel make_kernel(bl_device *d, const char *prefix, const char *name) {
    char text[96];
    cl_int code = CL_SUCCESS;
    snprintf(text, sizeof text, "%s%s", prefix, name);
    cl_kernel kernel = d->status == BL_OK ? clCreateKernel(d->program, text, &code) : NULL;
    bl_cl_check(d, code, text);
    return kernel;
}

static void release_kernels(cl_kernel *kernels, int count) {
    for (int k = 0; k < count; k++)
        if (kernels[k]) clReleaseKernel(kernels[k]);
    memset(kernels, 0, (size_t)count * sizeof *kernels);
}
static void release_view_kernels(bl_cl_view_kernel *kernels, int count) {
    for (int k = 0; k < count; k++) release_kernels(&kernels[k].kernel, 1);
    memset(kernels, 0, (size_t)count * sizeof *kernels);
}
static void release_all_kernels(bl_device *d) {
    release_view_kernels(d->pass, BL_PASS_COUNT);
    release_view_kernels(d->bundle, BL_BUNDLE_COUNT);
    release_view_kernels(d->settled, BL_SETTLED_COUNT);
    release_view_kernels(&d->reduce, 1);
    release_view_kernels(&d->solve, 1);
    release_kernels(&d->rehearse, 1);
    release_kernels(&d->grid, 1);
    release_kernels(d->kernel, BL_CL_KERNEL_COUNT);
}

void bl_cl_make_kernels(bl_device *d) {
    release_all_kernels(d);
    for (int k = 0; k < BL_CL_KERNEL_COUNT; k++) d->kernel[k] = make_kernel(d, "", kernel_names[k]);
#define X(name, ...) d->pass[BL_PASS_##name].kernel = make_kernel(d, "pass_", #name);
    BL_PASSES(X)
#undef X
#define X(name, ...) d->bundle[BL_BUNDLE_##name].kernel = make_kernel(d, "bundle_", #name);
    BL_BUNDLES(X)
#undef X
#define X(name, ...) d->settled[BL_SETTLED_##name].kernel = make_kernel(d, "settled_", #name);
    BL_SETTLED(X)
#undef X
    d->reduce.kernel = make_kernel(d, "", "reduce");
    if (d->solve_groups == 0) return;
    d->solve.kernel = make_kernel(d, "", "solve");
    d->rehearse = make_kernel(d, "", "rehearse");
    d->grid = make_kernel(d, "", "grid_at_once");
}

static void open_device(bl_device *d) {
    cl_int code;
    cl_ulong memory = 0;
    char extensions[8192] = "";
    clGetDeviceInfo(d->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(d->id, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL);
    cl_uint units = 1;
    clGetDeviceInfo(d->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    d->units = units;
    d->memory_limit = (size_t)memory;
    d->fp64 = strstr(extensions, "cl_khr_fp64") != NULL;
    cl_device_type type = 0;
    clGetDeviceInfo(d->id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    d->bake = type & CL_DEVICE_TYPE_GPU; /* elsewhere compilers take half a minute, too long for every new scene */
    d->shuffles = strstr(extensions, "cl_nv_") != NULL;
    d->last_ends = d->shuffles || type & CL_DEVICE_TYPE_CPU;
    const char *options = getenv("BEADLET_OPENCL_OPTIONS");
    d->together = d->shuffles && !(options && strstr(options, "-DBL_LAUNCHES")) ? units : 0;
    d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &code);
    if (!bl_cl_check(d, code, "opening the device")) return;
    make_queue(d, false);
}

bl_status bl_cl_create(bl_context *ctx, const bl_device_def *def, int platform, int device, bl_device **out) {
    *out = NULL;
    bl_device *d = bl_alloc(ctx, 1, sizeof *d);
    if (!d) return BL_ERR_MEMORY;
    d->ctx = ctx;
    d->timers = def->timers;
    d->search = def->search;
    d->arguments = 1;
    d->row_items = 1;
    d->walls.fewest = BL_CL_FEWEST_WALLS;
    d->numbers_ahead = (bl_cl_ahead){.at = BL_CL_AHEAD, .room = BL_CL_COUNTERS_AHEAD - BL_CL_AHEAD};
    d->counters_ahead = (bl_cl_ahead){.at = BL_CL_COUNTERS_AHEAD, .room = BL_CL_PINNED - BL_CL_COUNTERS_AHEAD};
    bl_cl_set_init(&d->fluid, bl_fluid_fields, BL_F_COUNT, BL_F_vis_k, def->fluid, &def->fluid->count);
    bl_cl_set_init(&d->boundary, bl_boundary_fields, BL_B_COUNT, def->walls_stand ? BL_B_x_next : BL_B_COUNT,
                   def->boundary, &d->walls.count);
    d->status = bl_cl_choose(ctx, platform, device, &d->id, d->name, sizeof d->name);
    if (d->status == BL_OK) open_device(d);
    if (d->status == BL_OK) d->status = bl_cl_build(d);
    if (d->status == BL_OK) bl_cl_make_kernels(d);
    if (d->status != BL_OK) {
        bl_status status = d->status;
        bl_device_destroy(d);
        return status;
    }
    *out = d;
    return BL_OK;
}

static void release_list(bl_device *d, bl_cl_list *list) {
    bl_cl_release(d, &list->rows);
    bl_cl_release(d, &list->index);
}

static void release_grid(bl_device *d, bl_cl_grid *grid) {
    bl_cl_buffer *const buffers[] = {&grid->frame_buffer, &grid->cells, &grid->own_spots};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) bl_cl_release(d, buffers[k]);
}

static void release_buffers(bl_device *d) {
    bl_cl_buffer *const buffers[] = {
        &d->active, &d->counters, &d->staging, &d->scan_sums, &d->scan_arrived, &d->totals, &d->lent,    &d->lent_index,
        &d->counts, &d->params,   &d->bodies,  &d->steer,     &d->partial,      &d->folded, &d->numbers, &d->arrived};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) bl_cl_release(d, buffers[k]);
    release_grid(d, &d->fluid_grid);
    release_grid(d, &d->boundary_grid);
    release_list(d, &d->ff);
    release_list(d, &d->fb);
    release_list(d, &d->bf);
}

void bl_device_destroy(bl_device *d) {
    if (!d) return;
    if (d->queue) clFinish(d->queue);
    bl_cl_set_clear(d, &d->fluid);
    bl_cl_set_clear(d, &d->boundary);
    bl_cl_clear_walls(d);
    release_buffers(d);
    bl_cl_forget_look(d);
    forget_ahead(&d->numbers_ahead);
    forget_ahead(&d->counters_ahead);
    release_pinned(d);
    release_all_kernels(d);
    if (d->program) clReleaseProgram(d->program);
    if (d->queue) clReleaseCommandQueue(d->queue);
    if (d->context) clReleaseContext(d->context);
    bl_release(d->ctx, d->bodies_sent);
    bl_release(d->ctx, d->results);
    bl_release(d->ctx, d->lent_host);
    bl_release(d->ctx, d);
}
