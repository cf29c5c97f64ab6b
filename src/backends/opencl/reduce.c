/* Reductions and solves; kernels/reduce.cl says where their numbers are. */
#include "backends/opencl/opencl.h"

#include <math.h>
#include <string.h>

static const char *const names[BL_RED_COUNT] = {
#define X(name, ...) "reduce " #name,
    BL_REDUCTIONS(X)
#undef X
};
#define X(name, domain, op, width, settle)                                                                             \
    _Static_assert((int)(width) <= (int)BL_CL_WIDEST, "no reduction has more numbers");
BL_REDUCTIONS(X)
#undef X
#define X(name, reduction, op, width, walls)                                                                           \
    _Static_assert((int)(width) <= (int)BL_CL_SETTLED_WIDEST, "no pass has more numbers");
BL_SETTLED(X)
#undef X

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

bool bl_cl_reserve_arrived(bl_device *d) {
    return bl_cl_reserve(d, &d->arrived, (BL_RED_COUNT + 2) * sizeof(cl_uint), "results");
}

/* Room for `rows` rows of partial results, and for the log of a solve. */
static bool reserve_rows(bl_device *d, size_t rows, size_t log_rows) {
    const size_t row = BL_CL_NUMBERS * number_size(d);
    return bl_cl_reserve(d, &d->partial, rows * row, "partial sums") &&
           bl_cl_reserve(d, &d->folded, BL_CL_REDUCE_GROUP * row, "partial sums") &&
           bl_cl_reserve(d, &d->numbers, (BL_CL_ROW_LOG + log_rows) * row, "results") && bl_cl_reserve_arrived(d) &&
           bl_cl_reserve(d, &d->steer, sizeof(bl_steer), "constants");
}

/* --- queueing --- */

/* The rows of `groups` groups for each of n reductions into results, unless the last groups have done it
 * (kernels/reduce.cl). */
static void finish(bl_device *d, uint64_t reductions, size_t n, size_t groups) {
    const bl_cl_buffer *rows = &d->partial;
    const size_t group = BL_CL_REDUCE_GROUP;
    const bl_cl_arg tree = {group * number_size(d), NULL};
    d->results_fresh = d->results_ahead = false;
    if (d->last_ends) return;
    if (n == 1 && groups > BL_CL_REDUCE_GROUPS) {
        cl_uint id = 0;
        while (!(reductions >> id & 1)) id++;
        BL_CL_LAUNCH(d, fold_rows, group * group, group, BL_CL_MEM(*rows), BL_CL_UINT(groups), BL_CL_UINT(id),
                     BL_CL_MEM(d->steer), BL_CL_MEM(d->folded), tree);
        rows = &d->folded;
        groups = group;
    }
    BL_CL_LAUNCH(d, finish, n * group, group, BL_CL_MEM(d->params), BL_CL_MEM(*rows), BL_CL_UINT(reductions),
                 BL_CL_UINT(groups), BL_CL_MEM(d->steer), BL_CL_MEM(d->numbers), tree);
}

/* Arguments of a kernel that leaves a row a group; `width` numbers of each of its items are added at a time. */
static void set_sums(bl_device *d, bl_cl_view_kernel *kernel, const char *name, size_t group, size_t width) {
    if (bl_cl_set_view(d, kernel)) {
        bl_cl_check(d, clSetKernelArg(kernel->kernel, kernel->view_end, sizeof(cl_mem), &d->partial.mem), name);
        bl_cl_check(d, clSetKernelArg(kernel->kernel, kernel->view_end + 2, sizeof(cl_mem), &d->numbers.mem), name);
        bl_cl_check(d, clSetKernelArg(kernel->kernel, kernel->view_end + 3, sizeof(cl_mem), &d->arrived.mem), name);
    }
    if (kernel->tree_group != group) {
        const size_t tree = width * group * number_size(d);
        bl_cl_check(d, clSetKernelArg(kernel->kernel, kernel->view_end + 1, tree, NULL), name);
        kernel->tree_group = group;
    }
}

/* Groups for each reduction. Sums depend on it, so it depends on counts alone, whatever is asked for together. */
static size_t groups_of_sums(const bl_device *d) {
    const size_t fluid = *d->fluid.count, walls = bl_cl_all_walls(d), most = fluid > walls ? fluid : walls;
    const size_t groups = (most + BL_CL_REDUCE_GROUP - 1) / BL_CL_REDUCE_GROUP;
    return groups == 0 ? 1 : groups < BL_CL_REDUCE_GROUPS ? groups : BL_CL_REDUCE_GROUPS;
}

/* Queues reductions by their bits. */
static void reduce(bl_device *d, uint64_t reductions) {
    const size_t group = BL_CL_REDUCE_GROUP, groups = groups_of_sums(d);
    const cl_uint which = (cl_uint)reductions, each = (cl_uint)groups;
    const cl_mem none = NULL, *places = d->walls.some_left ? &d->walls.places.mem : &none;
    const char *name = "reduce some";
    size_t n = 0;
    for (int id = 0; id < BL_RED_COUNT; id++)
        if (reductions >> id & 1) name = n++ ? "reduce some" : names[id];
    if (!reserve_rows(d, n * groups, 0)) return;
    double start = bl_cl_start(d);
    set_sums(d, &d->reduce, name, group, BL_CL_WIDEST);
    bl_cl_check(d, clSetKernelArg(d->reduce.kernel, d->reduce.view_end + 4, sizeof which, &which), name);
    bl_cl_check(d, clSetKernelArg(d->reduce.kernel, d->reduce.view_end + 5, sizeof each, &each), name);
    bl_cl_check(d, clSetKernelArg(d->reduce.kernel, d->reduce.view_end + 6, sizeof *places, places), name);
    bl_cl_enqueue(d, d->reduce.kernel, name, n * groups * group, group);
    finish(d, reductions, n, groups);
    bl_cl_stop(d, name, start);
}

void bl_device_ask(bl_device *d, uint64_t reductions, const bl_view *view) {
    reductions &= ~d->looked_at;
    if (reductions == 0 || !bl_cl_prepare(d, view)) return;
    reduce(d, reductions);
    d->looked_at |= reductions & BL_STATE_REDUCTIONS;
}

bool bl_cl_apart(const bl_device *d) {
    enum { MOST_ROWS_A_UNIT = 1024 };
    return *d->fluid.count > MOST_ROWS_A_UNIT * d->units;
}

/* One after the other. What `constraint` has besides comes with the bundle `guess` (bl_device_run_bundle). */
static void run_apart(bl_device *d, bl_settled_id settled, const bl_view *view) {
    const bl_together *t = &bl_settled[settled];
    for (int k = 0; k < t->count; k++)
        if (settled != BL_SETTLED_constraint || bl_cl_has_neighbours(t->passes[k]))
            bl_device_run(d, t->passes[k], view);
    reduce(d, BL_BIT(t->reduction));
}

/* Whether the search that is under way may be waited for afterwards: its kernel does nothing if that search failed. */
static bool may_be_early(const bl_device *d, bl_settled_id settled) {
    return settled == BL_SETTLED_constraint && !bl_cl_apart(d);
}

void bl_device_run_settled(bl_device *d, bl_settled_id settled, const bl_view *view) {
    const bl_together *t = &bl_settled[settled];
    if (!(may_be_early(d, settled) ? bl_cl_prepare_early(d, view) : bl_cl_prepare(d, view))) return;
    if (bl_cl_apart(d)) {
        run_apart(d, settled, view);
        return;
    }
    const size_t items = bl_cl_items_of(d, t->passes, t->fluid_count), group = bl_cl_group_for(d, items);
    const size_t behind = bl_cl_items_of(d, t->passes + t->fluid_count, t->count - t->fluid_count);
    const size_t groups = items > 0 ? (items + group - 1) / group : 1;
    if (!reserve_rows(d, groups, 0)) return;
    for (int k = 0; k < t->count; k++) bl_cl_before_pass(d, t->passes[k]);
    double start = bl_cl_start(d);
    set_sums(d, &d->settled[settled], t->name, group, BL_CL_SETTLED_WIDEST);
    bl_cl_enqueue(d, d->settled[settled].kernel, t->name, groups * group + behind, group);
    for (int k = 0; k < t->count; k++) bl_cl_after_pass(d, t->passes[k]);
    bl_cl_stop(d, t->name, start);
    start = bl_cl_start(d);
    finish(d, BL_BIT(t->reduction), 1, groups);
    bl_cl_stop(d, names[t->reduction], start);
    if (bl_cl_settle_lists(d)) bl_device_run_settled(d, settled, view); /* it had none */
}

/* --- results --- */

/* Results of all reductions, the state and `log_rows` rows of the log, in one go. NaN after an error. */
static bool read_results(bl_device *d, size_t log_rows) {
    size_t rows = BL_CL_ROW_LOG + log_rows, count = rows * BL_CL_NUMBERS;
    if (d->status == BL_OK && d->results_fresh && rows <= d->rows_read) return true;
    if (rows > d->results_rows) {
        bl_release(d->ctx, d->results);
        d->results = bl_alloc(d->ctx, count, sizeof *d->results);
        d->results_rows = d->results ? rows : 0;
        if (!d->results && d->status == BL_OK) d->status = BL_ERR_MEMORY;
    }
    const size_t size = count * number_size(d);
    d->results_fresh =
        reserve_rows(d, 0, log_rows) && ((d->results_ahead && bl_cl_read_end(d, &d->numbers_ahead, d->results, size)) ||
                                         bl_cl_read(d, &d->numbers, 0, d->results, size));
    d->results_ahead = false;
    d->rows_read = rows;
    /* single precision to double, from the end, in place */
    for (size_t k = count; d->results_fresh && !d->fp64 && k-- > 0;) d->results[k] = number_at(d, d->results, k);
    return d->results_fresh;
}

void bl_device_solve_fetch(bl_device *d, int rows) {
    if (d->status != BL_OK || !reserve_rows(d, 0, (size_t)rows)) return;
    bl_cl_read_ahead(d, &d->numbers_ahead, &d->numbers,
                     (BL_CL_ROW_LOG + (size_t)rows) * BL_CL_NUMBERS * number_size(d));
    d->results_ahead = true;
}

void bl_device_fetch_answers(bl_device *d) { bl_device_solve_fetch(d, 0); }

void bl_device_answer(bl_device *d, bl_reduction_id id, double *out) {
    bool ok = read_results(d, 0);
    for (int c = 0; c < bl_reduction_widths[id]; c++) out[c] = ok ? d->results[id * BL_CL_NUMBERS + c] : (double)NAN;
}

/* --- solves --- */

void bl_cl_forget_look(bl_device *d) {
    if (d->look_event) clReleaseEvent(d->look_event);
    d->look_event = NULL;
}

/* Arguments of kernels that begin a solve. */
enum { GOAL_ARGS = 7 };
typedef struct goal_numbers {
    double wide[3];
    float narrow[3];
} goal_numbers;
static void add_goal(const bl_device *d, const bl_goal *goal, goal_numbers *numbers, bl_cl_arg args[GOAL_ARGS]) {
    const int *const counts[4] = {&goal->nncg, &goal->paper, &goal->min_iterations, &goal->max_iterations};
    const double limits[3] = {goal->volume, goal->tension, goal->friction};
    for (int k = 0; k < 4; k++) args[k] = (bl_cl_arg){sizeof(cl_int), counts[k]};
    for (int k = 0; k < 3; k++) {
        numbers->wide[k] = limits[k], numbers->narrow[k] = (float)limits[k];
        const void *number = d->fp64 ? (const void *)&numbers->wide[k] : (const void *)&numbers->narrow[k];
        args[4 + k] = (bl_cl_arg){number_size(d), number};
    }
}

void bl_device_solve_begin(bl_device *d, bl_goal goal) {
    if (!bl_cl_sync(d) || !bl_cl_reserve_pinned(d) || !reserve_rows(d, 0, (size_t)goal.max_iterations)) return;
    bl_cl_arg args[3 + GOAL_ARGS] = {BL_CL_MEM(d->steer), BL_CL_MEM(d->numbers), BL_CL_MEM(d->arrived)};
    goal_numbers numbers;
    add_goal(d, &goal, &numbers, args + 3);
    bl_cl_launch(d, BL_CL_solve_begin, 1, 1, args, 3 + GOAL_ARGS);
    bl_cl_forget_look(d);
}

/* Whether the last solve or rehearsal in one launch came to a halt: groups waited for others that did not run. */
static bool came_to_a_halt(bl_device *d) {
    return read_results(d, 0) && d->results[BL_CL_ROW_STATE * BL_CL_NUMBERS + 2] > 0;
}

/* Tries whether groups meet. A rehearsal leaves its traces, which the beginning of a solve takes away. */
static void rehearse(bl_device *d, bl_goal goal) {
    const size_t group = bl_cl_solve_group(d);
    if (d->rehearsed) return;
    bl_device_solve_begin(d, goal);
    bl_cl_launch_kernel(d, d->rehearse, "rehearse", d->solve_groups * group, group,
                        (const bl_cl_arg[]){BL_CL_MEM(d->arrived), BL_CL_MEM(d->numbers)}, 2);
    d->results_fresh = false;
    d->rehearsed = true;
    if (came_to_a_halt(d)) {
        bl_log(d->ctx, BL_LOG_WARNING, "%s: small drops will be slow: groups of work items do not run side by side",
               d->name);
        d->together = 0;
    }
    bl_device_solve_begin(d, goal);
}

/* Arguments behind the view and the sums: of the solve, what it begins with. */
static void set_goal(bl_device *d, bl_goal goal, bool share) {
    const cl_uint first = d->solve.view_end + 4, wall_share = share;
    bl_cl_arg args[1 + GOAL_ARGS] = {{sizeof wall_share, &wall_share}};
    goal_numbers numbers;
    add_goal(d, &goal, &numbers, args + 1);
    for (cl_uint k = 0; k < 1 + GOAL_ARGS; k++)
        bl_cl_check(d, clSetKernelArg(d->solve.kernel, first + k, args[k].size, args[k].value), "solve");
}

bool bl_device_solve_at_once(bl_device *d, bl_goal goal, bool share, const bl_view *view) {
    static const bl_pass_id passes[] = {BL_PASS_wall_share,         BL_PASS_predict,  BL_PASS_interface_fluid,
                                        BL_PASS_interface_boundary, BL_PASS_residual, BL_PASS_update};
    const int count = (int)(sizeof passes / sizeof passes[0]);
    if (!bl_cl_prepare(d, view) || d->solve_groups == 0) return false;
    if (!bl_cl_reserve_pinned(d) || !reserve_rows(d, d->solve_groups, (size_t)goal.max_iterations)) return false;
    rehearse(d, goal);
    if (d->status != BL_OK || d->together == 0) return false;
    for (int k = 0; k < count; k++) bl_cl_before_pass(d, passes[k]);
    double start = bl_cl_start(d);
    set_sums(d, &d->solve, "solve", BL_CL_SOLVE_SUMS, BL_RESIDUAL_WIDTH);
    set_goal(d, goal, share);
    bl_cl_enqueue(d, d->solve.kernel, "solve", d->solve_groups * bl_cl_solve_group(d), bl_cl_solve_group(d));
    for (int k = 0; k < count; k++) bl_cl_after_pass(d, passes[k]);
    d->results_fresh = d->results_ahead = false;
    bl_cl_stop(d, "solve", start);
    return true;
}

bool bl_device_solve_done(bl_device *d) {
    const size_t size = number_size(d), offset = BL_CL_ROW_STATE * BL_CL_NUMBERS * size;
    if (d->status != BL_OK) return true;
    if (d->look_event) {
        if (!bl_cl_check(d, clWaitForEvents(1, &d->look_event), "iterating")) return true;
        bl_cl_forget_look(d);
        if (number_at(d, d->pinned, 1) > 0) return true;
    }
    bl_cl_check(
        d,
        clEnqueueReadBuffer(d->queue, d->numbers.mem, CL_FALSE, offset, 2 * size, d->pinned, 0, NULL, &d->look_event),
        "reading from the device");
    bl_cl_check(d, clFlush(d->queue), "iterating");
    return d->status != BL_OK;
}

void bl_device_solve_end(bl_device *d) {
    BL_CL_LAUNCH(d, solve_end, 1, 1, BL_CL_MEM(d->steer));
    d->results_fresh = d->results_ahead = false;
}

int bl_device_solve_log(bl_device *d, double *log, int rows) {
    if (!read_results(d, log ? (size_t)rows : 0)) return 0;
    if (came_to_a_halt(d)) {
        d->status = bl_fail(d->ctx, BL_ERR_DEVICE,
                            "%s: a solve came to a halt: its groups of work items no longer run side by side; with "
                            "BEADLET_OPENCL_OPTIONS=-DBL_LAUNCHES they need not",
                            d->name);
        return 0;
    }
    for (int k = 0; log && k < rows; k++)
        memcpy(log + (size_t)k * BL_RESIDUAL_WIDTH, d->results + (BL_CL_ROW_LOG + (size_t)k) * BL_CL_NUMBERS,
               BL_RESIDUAL_WIDTH * sizeof *log);
    return (int)d->results[BL_CL_ROW_STATE * BL_CL_NUMBERS];
}
