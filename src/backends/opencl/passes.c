/* Running passes and reductions. */
#include "backends/opencl/opencl.h"

#include <math.h>
#include <string.h>

/* Constants of the step, if they are not those that were sent last. They travel as the argument of a kernel, which is
 * copied when the kernel is queued: nothing waits, and the host may change its own at once. */
static void send_params(bl_device *d, const bl_params *par) {
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): at worst padding differs, and they are sent once more */
    if (d->params_sent && memcmp(&d->sent, par, sizeof *par) == 0) return;
    if (!bl_cl_reserve(d, &d->params, sizeof *par, "constants")) return;
    memcpy(&d->sent, par, sizeof *par);
    d->params_sent = true;
    BL_CL_LAUNCH(d, set_params, 1, 1, BL_CL_MEM(d->params), {sizeof d->sent, &d->sent});
}

static void send_bodies(bl_device *d, const bl_body_params *bodies, size_t count) {
    size_t size = count * sizeof *bodies;
    if (d->bodies_sent && count == d->bodies_count && (count == 0 || memcmp(d->bodies_sent, bodies, size) == 0)) return;
    bl_release(d->ctx, d->bodies_sent);
    d->bodies_sent = bl_alloc(d->ctx, count, sizeof *bodies);
    if (!d->bodies_sent) {
        d->status = BL_ERR_MEMORY;
        return;
    }
    d->bodies_count = count;
    if (!bl_cl_reserve(d, &d->bodies, size, "bodies") || count == 0) return;
    memcpy(d->bodies_sent, bodies, size);
    bl_cl_check(d, clEnqueueWriteBuffer(d->queue, d->bodies.mem, CL_TRUE, 0, size, d->bodies_sent, 0, NULL, NULL),
                "writing constants");
}

/* --- arguments: the order of VIEW_PARAMS in kernels/passes.cl --- */

typedef struct arguments {
    bl_device *d;
    cl_kernel kernel;
    cl_uint next;
} arguments;

static void add_buffer(arguments *a, const bl_cl_buffer *buffer) {
    bl_cl_check(a->d, clSetKernelArg(a->kernel, a->next++, sizeof(cl_mem), &buffer->mem), "setting an argument");
}
static void add_count(arguments *a, size_t count) {
    cl_uint n = (cl_uint)count;
    bl_cl_check(a->d, clSetKernelArg(a->kernel, a->next++, sizeof n, &n), "setting an argument");
}
static void add_list(arguments *a, const bl_cl_list *list) {
    add_buffer(a, &list->start);
    add_buffer(a, &list->near);
    add_buffer(a, &list->all);
    add_buffer(a, &list->index);
}
static void add_set(arguments *a, const bl_cl_set *set) {
    for (int f = 0; f < set->field_count; f++) add_buffer(a, &set->field[f]);
}

/* Returns the number of the first argument behind the view's. */
static cl_uint set_view(bl_device *d, cl_kernel kernel) {
    arguments a = {d, kernel, 0};
    add_buffer(&a, &d->params);
    add_buffer(&a, &d->bodies);
    add_count(&a, *d->fluid.count);
    add_count(&a, *d->boundary.count);
    add_count(&a, d->active_count);
    add_buffer(&a, &d->active);
    add_list(&a, &d->ff);
    add_list(&a, &d->fb);
    add_list(&a, &d->bf);
    add_list(&a, &d->ff); /* bb, while it is there */
    add_set(&a, &d->fluid);
    add_set(&a, &d->boundary);
    return a.next;
}

static size_t domain_size(const bl_device *d, bl_domain domain) {
    switch (domain) {
    case BL_OVER_BOUNDARY: return *d->boundary.count;
    case BL_OVER_ACTIVE: return d->active_count;
    default: return *d->fluid.count;
    }
}

static bool prepare(bl_device *d, const bl_view *view) {
    if (d->status != BL_OK || !bl_cl_sync(d)) return false;
    send_params(d, view->par);
    send_bodies(d, view->bodies, view->body_count);
    return d->status == BL_OK;
}

static void reserve_written(bl_device *d, bl_cl_set *set, uint64_t fields) {
    for (int f = 0; fields >> f; f++)
        if (fields >> f & 1) bl_cl_reserve_field(d, set, f);
}

/* Small drops in small groups: no processor is left without one. */
static size_t group_for(const bl_device *d, size_t items) {
    size_t group = BL_CL_GROUP;
    while (group > BL_CL_SMALL_GROUP && items < 2 * d->units * group) group /= 2;
    return group;
}

void bl_device_run(bl_device *d, bl_pass_id pass, const bl_view *view) {
    const bl_pass_info *info = &bl_pass_infos[pass];
    if (!prepare(d, view)) return;
    double start = bl_cl_start(d);
    reserve_written(d, &d->fluid, info->writes_fluid);
    reserve_written(d, &d->boundary, info->writes_boundary);
    if (d->pass_arguments[pass] != d->arguments) set_view(d, d->pass[pass]);
    d->pass_arguments[pass] = d->arguments;
    size_t items = domain_size(d, info->domain);
    bl_cl_enqueue(d, d->pass[pass], info->name, items, group_for(d, items));
    bl_cl_wrote(d, info->writes_fluid, info->writes_boundary);
    bl_cl_stop(d, info->name, start);
}

/* --- reductions --- */

typedef struct reduction {
    const char *name;
    bl_domain domain;
    bl_cl_kernel groups;
    double neutral;
    int width;
} reduction;
#define NEUTRAL_SUM 0.0
#define NEUTRAL_MIN (double)INFINITY
#define NEUTRAL_MAX -(double)INFINITY
static const reduction reductions[BL_RED_COUNT] = {
#define X(name, domain, op, width) {"reduce " #name, BL_OVER_##domain, BL_CL_groups_##op, NEUTRAL_##op, width},
    BL_REDUCTIONS(X)
#undef X
};

static size_t number_size(const bl_device *d) { return d->fp64 ? sizeof(double) : sizeof(float); }

static void read_result(bl_device *d, int width, double *out) {
    float single[BL_REDUCE_MAX_WIDTH];
    bool ok = bl_cl_read(d, &d->partial, 0, d->fp64 ? (void *)out : (void *)single, (size_t)width * number_size(d));
    for (int c = 0; ok && !d->fp64 && c < width; c++) out[c] = (double)single[c];
    for (int c = 0; !ok && c < width; c++) out[c] = (double)NAN;
}

void bl_device_reduce(bl_device *d, bl_reduction_id id, const bl_view *view, double *out) {
    const reduction *red = &reductions[id];
    size_t count = domain_size(d, red->domain), number = number_size(d);
    size_t groups = (count + BL_CL_REDUCE_GROUP - 1) / BL_CL_REDUCE_GROUP;
    if (groups > BL_CL_REDUCE_GROUPS) groups = BL_CL_REDUCE_GROUPS;
    bool ready = prepare(d, view) &&
                 bl_cl_reserve(d, &d->partial, BL_CL_REDUCE_GROUPS * BL_REDUCE_MAX_WIDTH * number, "partial sums");
    for (int c = 0; c < red->width; c++) out[c] = ready ? red->neutral : (double)NAN;
    if (!ready || count == 0) return;
    double start = bl_cl_start(d);
    cl_kernel kernel = d->reduction[id];
    size_t tree = (size_t)red->width * BL_CL_REDUCE_GROUP * number;
    if (d->reduction_arguments[id] != d->arguments) {
        cl_uint next = set_view(d, kernel);
        bl_cl_check(d, clSetKernelArg(kernel, next, sizeof(cl_mem), &d->partial.mem), red->name);
        bl_cl_check(d, clSetKernelArg(kernel, next + 1, tree, NULL), red->name);
    }
    d->reduction_arguments[id] = d->arguments;
    bl_cl_enqueue(d, kernel, red->name, groups * BL_CL_REDUCE_GROUP, BL_CL_REDUCE_GROUP);
    if (groups > 1)
        bl_cl_launch(
            d, red->groups, BL_CL_REDUCE_GROUP, BL_CL_REDUCE_GROUP,
            (const bl_cl_arg[]){BL_CL_MEM(d->partial), BL_CL_UINT(groups), BL_CL_UINT(red->width), {tree, NULL}}, 4);
    read_result(d, red->width, out);
    bl_cl_stop(d, red->name, start);
}
