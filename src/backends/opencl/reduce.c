/* Reductions and solves; kernels/reduce.cl says where their numbers are. */
#include "backends/opencl/opencl.h"

#include <math.h>
#include <string.h>

typedef struct reduction {
    const char *name;
    bl_domain domain;
    bl_cl_kernel groups;
    int width;
} reduction;
static const reduction reductions[BL_RED_COUNT] = {
#define X(name, domain, op, width, settle) {"reduce " #name, BL_OVER_##domain, BL_CL_groups_##op, width},
    BL_REDUCTIONS(X)
#undef X
};

/* Sums are in double where the device can. */
static size_t number_size(const bl_device *d) { return d->fp64 ? sizeof(double) : sizeof(float); }
static double number_at(const bl_device *d, const void *numbers, size_t k) {
    double wide = 0;
    float narrow = 0;
    if (d->fp64)
        memcpy(&wide, (const char *)numbers + k * sizeof wide, sizeof wide);
    else
        memcpy(&narrow, (const char *)numbers + k * sizeof narrow, sizeof narrow);
    return d->fp64 ? wide : (double)narrow;
}

static bool reserve_rows(bl_device *d, size_t groups, size_t log_rows) {
    const size_t row = BL_CL_NUMBERS * number_size(d);
    const size_t few = groups < BL_CL_REDUCE_GROUPS ? groups : BL_CL_REDUCE_GROUPS;
    const size_t many = groups * BL_CL_NUMBERS / 2 * number_size(d); /* no pass has wider sums */
    return bl_cl_reserve(d, &d->partial, many > few * row ? many : few * row, "partial sums") &&
           bl_cl_reserve(d, &d->folded, BL_CL_REDUCE_GROUP * row, "partial sums") &&
           bl_cl_reserve(d, &d->numbers, (BL_CL_ROW_LOG + log_rows) * row, "results") &&
           bl_cl_reserve(d, &d->arrived, sizeof(cl_uint), "results") &&
           bl_cl_reserve(d, &d->steer, sizeof(bl_steer), "constants");
}

/* --- queueing --- */

/* The rows of `groups` groups into the result, unless the last of them has done it (kernels/reduce.cl). */
static void finish(bl_device *d, bl_reduction_id id, size_t groups) {
    const reduction *red = &reductions[id];
    const bl_cl_buffer *rows = &d->partial;
    const size_t group = BL_CL_REDUCE_GROUP, number = number_size(d);
    d->results_fresh = false;
    if (d->last_ends) return; /* it is done */
    if (groups > BL_CL_REDUCE_GROUPS) {
        bl_cl_launch(d, red->groups, BL_CL_REDUCE_GROUP * group, group,
                     (const bl_cl_arg[]){BL_CL_MEM(*rows),
                                         BL_CL_UINT(groups),
                                         BL_CL_UINT(red->width),
                                         BL_CL_MEM(d->steer),
                                         BL_CL_MEM(d->folded),
                                         {group * number, NULL}},
                     6);
        rows = &d->folded;
        groups = BL_CL_REDUCE_GROUP;
    }
    bl_cl_launch_kernel(d, d->finish[id], red->name, group, group,
                        (const bl_cl_arg[]){BL_CL_MEM(*rows),
                                            BL_CL_UINT(groups),
                                            BL_CL_UINT(bl_cl_domain_size(d, red->domain)),
                                            BL_CL_MEM(d->steer),
                                            BL_CL_MEM(d->numbers),
                                            {(size_t)red->width * group * number, NULL}},
                        6);
}

/* Queues a kernel that leaves a row a group. */
static void fold(bl_device *d, bl_cl_view_kernel *kernel, const char *name, size_t items, size_t group) {
    if (bl_cl_set_view(d, kernel)) {
        bl_cl_check(d, clSetKernelArg(kernel->kernel, kernel->view_end, sizeof(cl_mem), &d->partial.mem), name);
        bl_cl_check(d, clSetKernelArg(kernel->kernel, kernel->view_end + 2, sizeof(cl_mem), &d->numbers.mem), name);
        bl_cl_check(d, clSetKernelArg(kernel->kernel, kernel->view_end + 3, sizeof(cl_mem), &d->arrived.mem), name);
    }
    if (kernel->tree_group != group) {
        size_t tree = BL_CL_TREE_WIDTH * group * number_size(d);
        bl_cl_check(d, clSetKernelArg(kernel->kernel, kernel->view_end + 1, tree, NULL), name);
        kernel->tree_group = group;
    }
    bl_cl_enqueue(d, kernel->kernel, name, items, group);
}

void bl_device_ask(bl_device *d, bl_reduction_id id, const bl_view *view) {
    const reduction *red = &reductions[id];
    if (!bl_cl_prepare(d, view)) return;
    size_t group = BL_CL_REDUCE_GROUP, groups = (bl_cl_domain_size(d, red->domain) + group - 1) / group;
    if (groups > BL_CL_REDUCE_GROUPS) groups = BL_CL_REDUCE_GROUPS;
    if (groups == 0) groups = 1; /* of nothing: the neutral element */
    if (!reserve_rows(d, groups, 0)) return;
    double start = bl_cl_start(d);
    fold(d, &d->reduction[id], red->name, groups * group, group);
    finish(d, id, groups);
    bl_cl_stop(d, red->name, start);
}

/* Which kernel does both. */
static bl_cl_settled settled_of(bl_pass_id pass) {
    static const bl_pass_id passes[BL_CL_SETTLED_COUNT] = {
#define X(name, ...) BL_PASS_##name,
        BL_SETTLED_PASSES(X)
#undef X
    };
    int k = 0;
    while (k + 1 < BL_CL_SETTLED_COUNT && passes[k] != pass) k++;
    return (bl_cl_settled)k;
}

void bl_device_run_settled(bl_device *d, bl_pass_id pass, bl_reduction_id id, const bl_view *view) {
    enum { MOST_ROWS_A_UNIT = 1024 };
    const char *name = bl_pass_infos[pass].name;
    if (!bl_cl_prepare(d, view)) return;
    /* of many particles the time that a launch takes does not count, and both are faster alone */
    if (*d->fluid.count > MOST_ROWS_A_UNIT * d->units) {
        bl_device_run(d, pass, view);
        bl_device_ask(d, id, view);
        return;
    }
    size_t items = bl_cl_pass_items(d, pass), group = bl_cl_group_for(d, items);
    size_t groups = items > 0 ? (items + group - 1) / group : 1;
    if (!reserve_rows(d, groups, 0)) return;
    bl_cl_before_pass(d, pass);
    double start = bl_cl_start(d);
    fold(d, &d->settled[settled_of(pass)], name, groups * group, group);
    bl_cl_after_pass(d, pass);
    bl_cl_stop(d, name, start);
    start = bl_cl_start(d);
    finish(d, id, groups);
    bl_cl_stop(d, reductions[id].name, start);
}

/* --- results --- */

/* Results of all reductions, the state and `log_rows` rows of the log, in one go. NaN after an error. */
static bool read_results(bl_device *d, size_t log_rows) {
    size_t rows = BL_CL_ROW_LOG + log_rows, count = rows * BL_CL_NUMBERS;
    if (d->status == BL_OK && d->results_fresh && rows <= d->results_rows) return true;
    if (rows > d->results_rows) {
        bl_release(d->ctx, d->results);
        d->results = bl_alloc(d->ctx, count, sizeof *d->results);
        d->results_rows = d->results ? rows : 0;
        if (!d->results && d->status == BL_OK) d->status = BL_ERR_MEMORY;
    }
    d->results_fresh =
        reserve_rows(d, 0, log_rows) && bl_cl_read(d, &d->numbers, 0, d->results, count * number_size(d));
    /* single precision to double, from the end, in place */
    for (size_t k = count; d->results_fresh && !d->fp64 && k-- > 0;) d->results[k] = number_at(d, d->results, k);
    return d->results_fresh;
}

void bl_device_answer(bl_device *d, bl_reduction_id id, double *out) {
    bool ok = read_results(d, 0);
    for (int c = 0; c < reductions[id].width; c++) out[c] = ok ? d->results[id * BL_CL_NUMBERS + c] : (double)NAN;
}

/* --- solves --- */

/* The memory that looks arrive in, two numbers: pinned, or a driver makes the host wait for the copy. */
static bool reserve_look(bl_device *d) {
    cl_int code = CL_SUCCESS;
    if (d->look) return true;
    d->look_buffer =
        clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, 2 * sizeof(double), NULL, &code);
    if (code == CL_SUCCESS)
        d->look = clEnqueueMapBuffer(d->queue, d->look_buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                     2 * sizeof(double), 0, NULL, NULL, &code);
    return bl_cl_check(d, code, "mapping memory for results");
}

static void forget_look(bl_device *d) {
    if (d->look_event) clReleaseEvent(d->look_event);
    d->look_event = NULL;
}

void bl_cl_release_looks(bl_device *d) {
    forget_look(d);
    if (d->look) clEnqueueUnmapMemObject(d->queue, d->look_buffer, d->look, 0, NULL, NULL);
    if (d->look) clFinish(d->queue);
    if (d->look_buffer) clReleaseMemObject(d->look_buffer);
}

void bl_device_solve_begin(bl_device *d, bl_goal goal) {
    if (!bl_cl_sync(d) || !reserve_look(d) || !reserve_rows(d, 0, (size_t)goal.max_iterations)) return;
    const double wide[3] = {goal.volume, goal.tension, goal.friction};
    const float narrow[3] = {(float)wide[0], (float)wide[1], (float)wide[2]};
    bl_cl_arg args[9] = {BL_CL_MEM(d->steer),    BL_CL_MEM(d->numbers),           BL_CL_UINT(goal.nncg),
                         BL_CL_UINT(goal.paper), BL_CL_UINT(goal.min_iterations), BL_CL_UINT(goal.max_iterations)};
    for (int k = 0; k < 3; k++)
        args[6 + k] = (bl_cl_arg){number_size(d), d->fp64 ? (const void *)&wide[k] : (const void *)&narrow[k]};
    bl_cl_launch(d, BL_CL_solve_begin, 1, 1, args, 9);
    forget_look(d);
}

bool bl_device_solve_done(bl_device *d) {
    const size_t size = number_size(d), offset = BL_CL_ROW_STATE * BL_CL_NUMBERS * size;
    if (d->status != BL_OK) return true;
    if (d->look_event) {
        if (!bl_cl_check(d, clWaitForEvents(1, &d->look_event), "iterating")) return true;
        forget_look(d);
        if (number_at(d, d->look, 1) > 0) return true;
    }
    bl_cl_check(
        d, clEnqueueReadBuffer(d->queue, d->numbers.mem, CL_FALSE, offset, 2 * size, d->look, 0, NULL, &d->look_event),
        "reading from the device");
    bl_cl_check(d, clFlush(d->queue), "iterating");
    return d->status != BL_OK;
}

void bl_device_solve_end(bl_device *d) {
    BL_CL_LAUNCH(d, solve_end, 1, 1, BL_CL_MEM(d->steer));
    d->results_fresh = false;
}

int bl_device_solve_log(bl_device *d, double *log, int rows) {
    if (!read_results(d, log ? (size_t)rows : 0)) return 0;
    for (int k = 0; log && k < rows; k++)
        memcpy(log + (size_t)k * BL_RESIDUAL_WIDTH, d->results + (BL_CL_ROW_LOG + (size_t)k) * BL_CL_NUMBERS,
               BL_RESIDUAL_WIDTH * sizeof *log);
    return (int)d->results[BL_CL_ROW_STATE * BL_CL_NUMBERS];
}
