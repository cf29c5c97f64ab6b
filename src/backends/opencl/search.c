/* Grids and neighbour lists on the device; kernels/search.cl and rows.cl explain them. */
#include "backends/opencl/opencl.h"

#include <math.h>
#include <string.h>

enum { REACH = 2, SPAN = 2 * REACH + 1, MIN_SLOTS = 1 << 16 };
/* Cells are a little longer than half the radius: in single precision a position is in the right cell or next to it as
 * long as it is no more than 1e4 cells away from the origin. */
static const double CELL_ROOM = 1 + 1e-3;

/* --- the frame --- */

static void set_axis(const bl_search_def *def, int a, double min, double max, bl_cl_frame *f) {
    double edge = CELL_ROOM * def->far_radius / REACH, start = (&def->min.x)[a], end = (&def->max.x)[a];
    if (a >= def->dimension) {
        f->n[a] = 1;
    } else if (def->periodic[a]) {
        f->n[a] = (cl_uint)fmax(1, floor((end - start) / edge));
        f->from[a] = (real)start;
        f->scale[a] = (real)(f->n[a] / (end - start));
    } else {
        /* one cell free on either side: drifting particles stay inside for a while */
        double first = floor(min / edge) - 1, last = floor(max / edge) + 1;
        f->n[a] = (cl_uint)fmax(SPAN, fmin(1 << 20, last - first + 1));
        f->first[a] = (real)first;
        f->closed[a] = last - first < f->n[a];
        f->scale[a] = (real)(1 / edge);
    }
}

/* Not many more cells than particles: the longest open axis is folded until that holds. */
static void fold_axes(const bl_search_def *def, size_t count, bl_cl_frame *f) {
    double most = fmin(4294967295.0, 2 * (double)count + MIN_SLOTS);
    while ((double)f->n[0] * (double)f->n[1] * (double)f->n[2] > most) {
        int longest = -1;
        for (int a = 0; a < 3; a++)
            if (!def->periodic[a] && f->n[a] > SPAN && (longest < 0 || f->n[a] > f->n[longest])) longest = a;
        if (longest < 0) break;
        f->n[longest] = f->n[longest] / 2 > SPAN ? f->n[longest] / 2 : SPAN;
        f->closed[longest] = false;
    }
    f->slots = f->n[0] * f->n[1] * f->n[2];
}

static bool place_grid(bl_device *d, bl_cl_grid *grid, const bl_cl_buffer *x, size_t count) {
    bl_cl_frame *f = &grid->frame;
    double min[3] = {0, 0, 0}, max[3] = {0, 0, 0};
    if (grid->placed) return d->status == BL_OK;
    if (count > 0 && !bl_cl_bounds(d, x, count, min, max))
        for (int a = 0; a < 3; a++) min[a] = max[a] = 0; /* nobody has a place */
    memset(f, 0, sizeof *f);
    for (int a = 0; a < 3; a++) set_axis(&d->search, a, min[a], max[a], f);
    fold_axes(&d->search, count, f);
    /* the fluid moves on under a grid that stays for a while */
    if (grid == &d->fluid_grid) memset(f->closed, 0, sizeof f->closed);
    bl_period period = bl_search_period(&d->search);
    const real *length = &period.length.x, *inverse = &period.inv_length.x;
    for (int a = 0; a < 3; a++) f->period[a] = length[a], f->inv_period[a] = inverse[a];
    real near = (real)d->search.near_radius, far = (real)d->search.far_radius;
    f->near2 = near * near, f->far2 = far * far;
    if (!bl_cl_reserve(d, &grid->frame_buffer, sizeof *f, "the grid")) return false;
    grid->placed = bl_cl_check(
        d, clEnqueueWriteBuffer(d->queue, grid->frame_buffer.mem, CL_TRUE, 0, sizeof *f, f, 0, NULL, NULL), "the grid");
    return grid->placed;
}

/* The scratch of a step is free until its lists are made: grids take some of it. */
static bool reserve_grid(bl_device *d, bl_cl_grid *grid, const bl_cl_set *set) {
    size_t count = *set->count;
    bool fluid = set == &d->fluid;
    grid->members = &set->field[fluid ? BL_F_t_fb : BL_B_load];
    grid->spots = fluid ? &set->field[BL_F_xt] : &grid->own_spots;
    return bl_cl_reserve(d, &grid->cells, grid->frame.slots * sizeof(cl_uint), "the grid") &&
           (fluid || bl_cl_reserve(d, &grid->own_spots, count * 4 * sizeof(real), "the grid"));
}

/* In one launch, where groups are known to meet; false: they are not. */
static bool build_at_once(bl_device *d, bl_cl_grid *grid, const bl_cl_buffer *x, size_t count) {
    const size_t group = bl_cl_solve_group(d);
    if (d->solve_groups == 0 || !d->rehearsed || d->together == 0) return false;
    if (!bl_cl_reserve_arrived(d) || !bl_cl_reserve(d, &d->scan_sums, d->solve_groups * sizeof(cl_uint), "prefix sums"))
        return false;
    double start = bl_cl_start(d);
    bl_cl_launch_kernel(d, d->grid, "grid", d->solve_groups * group, group,
                        (const bl_cl_arg[]){BL_CL_MEM(grid->frame_buffer), BL_CL_MEM(*x), BL_CL_UINT(count),
                                            BL_CL_MEM(grid->cells), BL_CL_MEM(*grid->members), BL_CL_MEM(*grid->spots),
                                            BL_CL_MEM(d->scan_sums), BL_CL_MEM(d->arrived)},
                        8);
    bl_cl_stop(d, "grid", start);
    return true;
}

static void build_grid(bl_device *d, bl_cl_grid *grid, const bl_cl_set *set, int x_field) {
    size_t count = *set->count;
    const bl_cl_buffer *x = &set->field[x_field];
    if (!place_grid(d, grid, x, count) || !reserve_grid(d, grid, set)) return;
    size_t slots = grid->frame.slots;
    grid->built = true;
    if (set == &d->fluid && build_at_once(d, grid, x, count)) return;
    bl_cl_clear_words(d, &grid->cells, slots * sizeof(cl_uint));
    BL_CL_LAUNCH(d, grid_count, count, BL_CL_GROUP, BL_CL_MEM(grid->frame_buffer), BL_CL_MEM(*x), BL_CL_UINT(count),
                 BL_CL_MEM(grid->cells));
    bl_cl_scan(d, &grid->cells, slots, BL_CL_TOTAL_NONE);
    BL_CL_LAUNCH(d, grid_fill, count, BL_CL_GROUP, BL_CL_MEM(grid->frame_buffer), BL_CL_MEM(*x), BL_CL_UINT(count),
                 BL_CL_MEM(grid->cells), BL_CL_MEM(*grid->members));
    BL_CL_LAUNCH(d, grid_order, slots, BL_CL_GROUP, BL_CL_UINT(slots), BL_CL_MEM(*x), BL_CL_MEM(grid->cells),
                 BL_CL_MEM(*grid->members), BL_CL_MEM(*grid->spots));
}

/* --- lists --- */

/* Mirrors the struct of kernels/rows.cl. */
typedef struct bl_cl_jobs {
    cl_uint count[3], home[3], other[3], room[3], before[3];
    cl_uint active_before;
} bl_cl_jobs;

/* Lists to make, in the order of their counters. */
typedef struct job {
    bl_cl_list *list;
    bool wanted, home_is_wall, other_is_wall;
} job;

/* The lengths and starts of rows share a buffer; kernels/passes.cl divides it. */
static bool reserve_rows(bl_device *d, bl_cl_list *list, size_t count) {
    const size_t column = bl_cl_padded(count > 0 ? count : 1);
    return bl_cl_reserve(d, &list->rows, 2 * column * sizeof(bl_index) + column / BL_SLAB * sizeof(bl_offset),
                         "neighbour lists");
}

/* Room that a list has, as kernels/rows.cl counts it. */
enum { ROOM = BL_SLAB * BL_QUAD * sizeof(cl_ushort) };
static size_t room_of(const bl_cl_list *list) { return list->index.size / ROOM; }

static size_t rows_of(const bl_device *d, const job *j) {
    return j->home_is_wall ? *d->boundary.count : *d->fluid.count;
}

/* Queues the search: lists are right if their room turns out to be enough. */
static void find_rows(bl_device *d, const job jobs[3]) {
    bl_cl_jobs given = {.active_before = d->counted[BL_CL_COUNTER_ACTIVE]};
    size_t slabs = 0;
    for (int k = 0; k < 3; k++) {
        const job *j = &jobs[k];
        if (!j->wanted) continue;
        const size_t count = rows_of(d, j);
        if (!reserve_rows(d, j->list, count) || !bl_cl_reserve(d, &j->list->index, 0, "neighbour lists")) return;
        given.count[k] = (cl_uint)count;
        given.home[k] = j->home_is_wall, given.other[k] = j->other_is_wall;
        given.room[k] = (cl_uint)room_of(j->list);
        given.before[k] = d->counted[k];
        slabs += (count + BL_SLAB - 1) / BL_SLAB;
    }
    const bl_cl_grid *fluid = &d->fluid_grid, *walls = &d->boundary_grid;
    const bl_cl_buffer none = {0}, *fluid_spots = fluid->spots ? fluid->spots : &none;
    BL_CL_LAUNCH(d, rows_find, slabs * BL_SLAB, BL_SLAB, {sizeof given, &given}, BL_CL_MEM(fluid->frame_buffer),
                 BL_CL_MEM(walls->frame_buffer), BL_CL_MEM(d->fluid.field[BL_F_x]),
                 BL_CL_MEM(d->boundary.field[BL_B_x]), BL_CL_MEM(fluid->cells), BL_CL_MEM(walls->cells),
                 BL_CL_MEM(*fluid_spots), BL_CL_MEM(*walls->spots), BL_CL_MEM(jobs[0].list->rows),
                 BL_CL_MEM(jobs[0].list->index), BL_CL_MEM(jobs[1].list->rows), BL_CL_MEM(jobs[1].list->index),
                 BL_CL_MEM(jobs[2].list->rows), BL_CL_MEM(jobs[2].list->index), BL_CL_MEM(d->counters),
                 BL_CL_MEM(d->active), BL_CL_MEM(d->steer));
}

/* Learns the lengths of the lists, and makes those again that were too long for their room: true. */
static bool settle_rows(bl_device *d, job jobs[3]) {
    cl_uint before[BL_CL_COUNTERS];
    const size_t counters = sizeof d->counted;
    bool again = false;
    memcpy(before, d->counted, sizeof before);
    if (!bl_cl_read_end(d, &d->counters_ahead, d->counted, counters) &&
        !bl_cl_read(d, &d->counters, 0, d->counted, counters))
        return false;
    d->active_count = (cl_uint)(d->counted[BL_CL_COUNTER_ACTIVE] - before[BL_CL_COUNTER_ACTIVE]);
    for (int k = 0; k < 3; k++) {
        const size_t used = (cl_uint)(d->counted[k] - before[k]), size = used * ROOM;
        jobs[k].wanted = jobs[k].wanted && used > room_of(jobs[k].list);
        /* room for a list that sways: being too short costs a second search */
        if (jobs[k].wanted && !bl_cl_reserve(d, &jobs[k].list->index, size + size / 128, "neighbour lists"))
            return false;
        again |= jobs[k].wanted;
    }
    if (!again) return false;
    find_rows(d, jobs);
    bl_cl_read(d, &d->counters, 0, d->counted, counters);
    return true;
}

/* Queues the making of lists. */
static void queue_rows(bl_device *d, job jobs[3]) {
    if (!bl_cl_reserve(d, &d->counters, sizeof d->counted, "neighbour lists") ||
        !bl_cl_reserve(d, &d->steer, sizeof(bl_steer), "constants") ||
        !bl_cl_reserve(d, &d->active, *d->boundary.count * sizeof(bl_index), "boundary particles near fluid"))
        return;
    find_rows(d, jobs);
}

enum { ALL_LISTS = 3 };
static void name_all(bl_device *d, job jobs[ALL_LISTS]) {
    jobs[0] = (job){&d->ff, true, false, false};
    jobs[1] = (job){&d->fb, true, false, true};
    jobs[2] = (job){&d->bf, true, true, false};
}

/* All lists, from the fluid's grid. */
static void queue_all(bl_device *d) {
    job jobs[ALL_LISTS];
    if (!d->boundary_grid.built) build_grid(d, &d->boundary_grid, &d->boundary, BL_B_x);
    if (d->status != BL_OK || !bl_cl_reserve(d, &d->counters, sizeof d->counted, "neighbour lists") ||
        !bl_cl_reserve(d, &d->steer, sizeof(bl_steer), "constants"))
        return;
    bl_cl_watch_walls(d);
    name_all(d, jobs);
    queue_rows(d, jobs);
}

/* Passes go on. */
static void allow_passes(bl_device *d) { BL_CL_LAUNCH(d, lists_ready, 1, 1, BL_CL_MEM(d->steer)); }

bool bl_cl_settle_lists(bl_device *d) {
    job jobs[ALL_LISTS];
    const cl_uint strayed = d->counted[BL_CL_COUNTER_STRAYED];
    if (!d->lists_queued || d->status != BL_OK) return false;
    d->lists_queued = false;
    name_all(d, jobs);
    bool again = settle_rows(d, jobs);
    if (d->counted[BL_CL_COUNTER_STRAYED] != strayed) { /* the liquid has come to where walls were left */
        bl_cl_choose_walls(d);
        queue_all(d);
        name_all(d, jobs);
        settle_rows(d, jobs);
        again = true;
    }
    if (again) allow_passes(d);
    return again;
}

/* A search that was made ahead, and nobody wants: counters go on from what it counted. */
static void drop_lists(bl_device *d) {
    const size_t size = sizeof d->counted;
    if (!d->lists_queued || d->status != BL_OK) return;
    d->lists_queued = d->lists_current = false;
    if (bl_cl_read_end(d, &d->counters_ahead, d->counted, size) || bl_cl_read(d, &d->counters, 0, d->counted, size))
        allow_passes(d);
}

void bl_device_find_neighbours(bl_device *d) {
    if (!d || !bl_cl_sync(d) || d->lists_current) return;
    drop_lists(d);
    double start = bl_cl_start(d);
    if (d->walls.leave && !d->walls.some_left) bl_cl_choose_walls(d);
    build_grid(d, &d->fluid_grid, &d->fluid, BL_F_x);
    queue_all(d);
    bl_cl_read_ahead(d, &d->counters_ahead, &d->counters, sizeof d->counted);
    d->lists_queued = d->lists_current = true;
    bl_cl_stop(d, "neighbours", start);
}

void bl_device_find_boundary_neighbours(bl_device *d) {
    if (!d) return;
    drop_lists(d);
    d->lists_current = false;
    bl_cl_bring_walls(d);
    if (!bl_cl_sync(d)) return;
    double start = bl_cl_start(d);
    if (!d->boundary_grid.built) build_grid(d, &d->boundary_grid, &d->boundary, BL_B_x);
    job jobs[] = {{&d->ff, true, true, true}, {&d->fb, false, false, false}, {&d->bf, false, false, false}};
    if (d->status == BL_OK) queue_rows(d, jobs);
    if (settle_rows(d, jobs)) allow_passes(d);
    bl_cl_stop(d, "neighbours of boundaries", start);
}
