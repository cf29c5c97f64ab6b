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

/* The scratch of a step is free until its lists are made: the fluid's grid takes some of it. */
static bool reserve_grid(bl_device *d, bl_cl_grid *grid, const bl_cl_set *set) {
    size_t count = *set->count;
    bool fluid = set == &d->fluid;
    grid->members = fluid ? &set->field[BL_F_t_fb] : &grid->own_members;
    grid->spots = fluid ? &set->field[BL_F_xt] : &grid->own_spots;
    return bl_cl_reserve(d, &grid->cells, grid->frame.slots * sizeof(cl_uint), "the grid") &&
           (fluid || (bl_cl_reserve(d, &grid->own_members, count * sizeof(cl_uint), "the grid") &&
                      bl_cl_reserve(d, &grid->own_spots, count * 4 * sizeof(real), "the grid")));
}

static void build_grid(bl_device *d, bl_cl_grid *grid, const bl_cl_set *set, int x_field) {
    size_t count = *set->count;
    const bl_cl_buffer *x = &set->field[x_field];
    if (!place_grid(d, grid, x, count) || !reserve_grid(d, grid, set)) return;
    size_t slots = grid->frame.slots;
    bl_cl_clear_words(d, &grid->cells, slots * sizeof(cl_uint));
    BL_CL_LAUNCH(d, grid_count, count, BL_CL_GROUP, BL_CL_MEM(grid->frame_buffer), BL_CL_MEM(*x), BL_CL_UINT(count),
                 BL_CL_MEM(grid->cells));
    bl_cl_scan(d, &grid->cells, slots, BL_CL_TOTAL_NONE);
    BL_CL_LAUNCH(d, grid_fill, count, BL_CL_GROUP, BL_CL_MEM(grid->frame_buffer), BL_CL_MEM(*x), BL_CL_UINT(count),
                 BL_CL_MEM(grid->cells), BL_CL_MEM(*grid->members));
    BL_CL_LAUNCH(d, grid_order, slots, BL_CL_GROUP, BL_CL_UINT(slots), BL_CL_MEM(*x), BL_CL_MEM(grid->cells),
                 BL_CL_MEM(*grid->members), BL_CL_MEM(*grid->spots));
    grid->built = true;
}

/* --- lists --- */

/* A list to make: rows of the home set, neighbours from the other set's grid. */
typedef struct rows {
    bl_cl_list *list;
    const bl_cl_set *home;
    int x_field;
    const bl_cl_grid *other;
    bool same, wants_active; /* wants_active: also list which rows have neighbours */
    int counter;
} rows;

/* The lengths and starts of rows share a buffer; kernels/passes.cl divides it in the same way. All old parts go before
 * a new one is made: NVIDIA's driver (580) crashes at a later launch where parts of a buffer have lain over each
 * other. */
static bool reserve_rows(bl_device *d, bl_cl_list *list, size_t count) {
    size_t column = bl_cl_padded(count > 0 ? count : 1) * sizeof(bl_index);
    size_t slabs = bl_cl_padded(count > 0 ? count : 1) / BL_SLAB * sizeof(bl_offset);
    bl_cl_buffer *const parts[] = {&list->near, &list->all, &list->start};
    if (list->near.length != column)
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) bl_cl_release(d, parts[k]);
    return bl_cl_reserve(d, &list->rows, 2 * column + slabs, "neighbour lists") &&
           bl_cl_part(d, &list->near, &list->rows, 0, column) &&
           bl_cl_part(d, &list->all, &list->rows, column, column) &&
           bl_cl_part(d, &list->start, &list->rows, 2 * column, slabs);
}

/* Lengths of rows, times BL_SLAB numbers, that a list has room for. */
static size_t room_of(const bl_cl_list *list) { return list->index.size / (BL_SLAB * sizeof(bl_index)); }

/* Queues the search: the list is right if its room turns out to be enough. */
static void find_rows(bl_device *d, const rows *r) {
    const size_t count = *r->home->count;
    const cl_uint *before = d->counted;
    bl_cl_list *list = r->list;
    if (!reserve_rows(d, list, count) || !bl_cl_reserve(d, &list->index, 0, "neighbour lists")) return;
    BL_CL_LAUNCH(d, rows_find, count, BL_SLAB, BL_CL_MEM(r->other->frame_buffer), BL_CL_MEM(r->home->field[r->x_field]),
                 BL_CL_UINT(count), BL_CL_MEM(r->other->cells), BL_CL_MEM(*r->other->spots), BL_CL_UINT(r->same),
                 BL_CL_MEM(list->near), BL_CL_MEM(list->all), BL_CL_MEM(list->start), BL_CL_MEM(list->index),
                 BL_CL_UINT(room_of(list)), BL_CL_MEM(d->counters), BL_CL_UINT(r->counter),
                 BL_CL_UINT(before[r->counter]), BL_CL_UINT(r->wants_active), BL_CL_UINT(before[BL_CL_COUNTER_ACTIVE]),
                 BL_CL_MEM(d->active));
}

/* Learns the lengths of the lists, and makes those again that were too long for their room. */
static void settle_rows(bl_device *d, const rows *lists, int n) {
    cl_uint before[BL_CL_COUNTERS];
    bool again = false;
    memcpy(before, d->counted, sizeof before);
    if (!bl_cl_read(d, &d->counters, 0, d->counted, sizeof d->counted)) return;
    d->active_count = (cl_uint)(d->counted[BL_CL_COUNTER_ACTIVE] - before[BL_CL_COUNTER_ACTIVE]);
    for (int k = 0; k < n; k++) {
        const int c = lists[k].counter;
        const size_t used = (cl_uint)(d->counted[c] - before[c]), size = used * BL_SLAB * sizeof(bl_index);
        if (used <= room_of(lists[k].list)) continue;
        /* room for a list that sways: being too short costs a second search */
        if (!bl_cl_reserve(d, &lists[k].list->index, size + size / 128, "neighbour lists")) return;
        find_rows(d, &lists[k]);
        again = true;
    }
    if (again) bl_cl_read(d, &d->counters, 0, d->counted, sizeof d->counted);
}

static void build_rows(bl_device *d, const rows *lists, int n) {
    if (!bl_cl_reserve(d, &d->counters, sizeof d->counted, "neighbour lists") ||
        !bl_cl_reserve(d, &d->active, *d->boundary.count * sizeof(bl_index), "boundary particles near fluid"))
        return;
    for (int k = 0; k < n; k++) find_rows(d, &lists[k]);
    settle_rows(d, lists, n);
}

void bl_device_find_neighbours(bl_device *d) {
    if (!d || !bl_cl_sync(d)) return;
    double start = bl_cl_start(d);
    build_grid(d, &d->fluid_grid, &d->fluid, BL_F_x);
    if (!d->boundary_grid.built) build_grid(d, &d->boundary_grid, &d->boundary, BL_B_x);
    const rows lists[] = {{&d->ff, &d->fluid, BL_F_x, &d->fluid_grid, true, false, BL_CL_COUNTER_FF},
                          {&d->fb, &d->fluid, BL_F_x, &d->boundary_grid, false, false, BL_CL_COUNTER_FB},
                          {&d->bf, &d->boundary, BL_B_x, &d->fluid_grid, false, true, BL_CL_COUNTER_BF}};
    build_rows(d, lists, sizeof lists / sizeof lists[0]);
    bl_cl_stop(d, "neighbours", start);
}

void bl_device_find_boundary_neighbours(bl_device *d) {
    if (!d || !bl_cl_sync(d)) return;
    double start = bl_cl_start(d);
    if (!d->boundary_grid.built) build_grid(d, &d->boundary_grid, &d->boundary, BL_B_x);
    const rows bb = {&d->ff, &d->boundary, BL_B_x, &d->boundary_grid, true, false, BL_CL_COUNTER_FF};
    build_rows(d, &bb, 1);
    bl_cl_stop(d, "neighbours of boundaries", start);
}
