/* The kernels: their source is in the library, the device's compiler makes a program of it, and the result is kept on
 * disk for the next time (cache.c). */
#include "backends/opencl/opencl.h"

#include "backends/opencl/sources.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- source --- */

static const bl_embedded *find_source(const char *name, size_t length) {
    for (const bl_embedded *s = bl_cl_sources; s->name; s++)
        if (strlen(s->name) == length && memcmp(s->name, name, length) == 0) return s;
    return NULL;
}

enum { MAX_SOURCES = 64 };

/* Appends a file; quoted includes are replaced by what they name, each once. */
static void add_source(bl_text *text, const bl_embedded *source, const bl_embedded **seen, int *n_seen) {
    for (int k = 0; k < *n_seen; k++)
        if (seen[k] == source) return;
    if (*n_seen == MAX_SOURCES) return;
    seen[(*n_seen)++] = source;
    const char *line = source->text;
    bl_text_add(text, "#line 1 \"%s\"\n", source->name);
    for (int number = 1; *line; number++) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        const char *name = strncmp(line, "#include \"", 10) == 0 ? line + 10 : NULL;
        const char *quote = name ? memchr(name, '"', length - 10) : NULL;
        const bl_embedded *included = quote ? find_source(name, (size_t)(quote - name)) : NULL;
        if (included) {
            add_source(text, included, seen, n_seen);
            bl_text_add(text, "#line %d \"%s\"\n", number + 1, source->name);
        } else {
            bl_text_add(text, "%.*s\n", (int)length, line);
        }
        line += length + (end != NULL);
    }
}

static void add_program(bl_text *text) {
    static const char root[] = "backends/opencl/kernels/all.cl";
    const bl_embedded *seen[MAX_SOURCES];
    int n_seen = 0;
    add_source(text, find_source(root, strlen(root)), seen, &n_seen);
}

static void add_options(const bl_device *d, bl_text *text) {
    bl_text_add(text, "-cl-std=CL1.2 -DREDUCE_GROUP=%d -DNUMBERS=%d -DWIDEST=%d -DPART=%d", BL_CL_REDUCE_GROUP,
                BL_CL_NUMBERS, BL_CL_WIDEST, BL_CL_PART);
    bl_text_add(text, " -DSCAN_GROUP=%d -DSCAN_BLOCK=%d -DSORT_GROUP=%d -DSORT_ITEMS=%d -DWALL_GROUP=%d",
                BL_CL_SCAN_GROUP, BL_CL_SCAN_BLOCK, BL_CL_SORT_GROUP, BL_CL_SORT_ITEMS, BL_CL_WALL_GROUP);
    if (d->search.periodic[0] || d->search.periodic[1] || d->search.periodic[2]) bl_text_add(text, " -DBL_PERIODIC");
    if (!d->fp64) bl_text_add(text, " -DBL_NO_FP64 -cl-single-precision-constant");
    /* a compiler for CPUs makes vectors of work items by itself */
    cl_device_type type = 0;
    clGetDeviceInfo(d->id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    if (type & CL_DEVICE_TYPE_CPU) bl_text_add(text, " -DBL_LANES=1");
    if (d->boundary.extra < BL_B_COUNT) bl_text_add(text, " -DBL_WALLS_STAND");
    if (d->row_items > 1) bl_text_add(text, " -DBL_ROW_ITEMS=%zu", d->row_items);
    if (d->row_items > BL_CL_ROW_ITEMS) bl_text_add(text, " -DBL_LANES=2"); /* rows are short for each of them */
    if (d->solve_groups > 0)
        bl_text_add(text, " -DSOLVE_GROUP=%zu -DSOLVE_SUMS=%d", bl_cl_solve_group(d), BL_CL_SOLVE_SUMS);
    if (d->last_ends) bl_text_add(text, " -DBL_LAST_ENDS%s", d->shuffles ? " -DBL_NVIDIA" : "");
    const char *more = getenv("BEADLET_OPENCL_OPTIONS");
    if (more) bl_text_add(text, " %s", more);
#ifdef BL_DOUBLE
    bl_text_add(text, " -DBL_DOUBLE");
#endif
}

/* --- building --- */

static uint64_t program_key(const bl_device *d, const bl_text *source, const bl_text *options) {
    static const cl_device_info facts[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
    uint64_t key = bl_hash(BL_HASH_START, bl_text_str(source), strlen(bl_text_str(source)));
    key = bl_hash(key, bl_text_str(options), strlen(bl_text_str(options)));
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        char fact[256] = "";
        clGetDeviceInfo(d->id, facts[k], sizeof fact - 1, fact, NULL);
        key = bl_hash(key, fact, sizeof fact);
    }
    return key;
}

static bl_status build_failed(bl_device *d, cl_int code) {
    char log[1500] = "";
    size_t size = 0;
    clGetProgramBuildInfo(d->program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *whole = bl_alloc(d->ctx, size + 1, 1);
    if (whole) clGetProgramBuildInfo(d->program, d->id, CL_PROGRAM_BUILD_LOG, size, whole, NULL);
    snprintf(log, sizeof log, "%s", whole ? whole : "");
    bl_release(d->ctx, whole);
    const char *name = bl_cl_error_name(code);
    return bl_fail(d->ctx, BL_ERR_DEVICE, "%s: building the kernels failed: %s (OpenCL error %d):\n%s", d->name,
                   name ? name : "unexpected error", (int)code, log);
}

static bl_status compile(bl_device *d, const bl_text *source, const bl_text *options) {
    const char *text = bl_text_str(source);
    cl_int code;
    bl_log(d->ctx, BL_LOG_INFO, "%s: compiling the kernels", d->name);
    d->program = clCreateProgramWithSource(d->context, 1, &text, NULL, &code);
    if (code == CL_SUCCESS) code = clBuildProgram(d->program, 1, &d->id, bl_text_str(options), NULL, NULL);
    return code == CL_SUCCESS ? BL_OK : build_failed(d, code);
}

bl_status bl_cl_build(bl_device *d) {
    bl_text source = bl_text_make(d->ctx), options = bl_text_make(d->ctx);
    if (d->baked) bl_cl_add_known(d, &source);
    add_program(&source);
    add_options(d, &options);
    bl_status status = source.failed || options.failed ? BL_ERR_MEMORY : BL_OK;
    uint64_t key = status == BL_OK ? program_key(d, &source, &options) : 0;
    if (d->program) clReleaseProgram(d->program);
    d->program = status == BL_OK ? bl_cl_load_program(d, key) : NULL;
    if (status == BL_OK && !d->program) {
        status = compile(d, &source, &options);
        if (status == BL_OK) bl_cl_keep_program(d, key);
    }
    bl_text_clear(&source);
    bl_text_clear(&options);
    return status;
}
