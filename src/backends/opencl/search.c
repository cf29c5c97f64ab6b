/* Grids and neighbour lists on the device; kernels/search.cl explains both. */
#include "backends/opencl/opencl.h"

#include <math.h>
#include <string.h>

enum { REACH = 2, SPAN = 2 * REACH + 1, MIN_SLOTS = 1 << 16 };
/* Cells are a little longer than half the radius: in single precision a position is in the right cell or next to it as
 * long as it is no more than 1e4 cells away from the origin. */
static const double CELL_ROOM = 1 + 1e-3;

/* Places of the sums that one read brings back. */
enum {
    TOTAL_NONE = BL_CL_TOTAL_NONE,
    TOTAL_FF = BL_CL_TOTAL_FF,
    TOTAL_FB = BL_CL_TOTAL_FB,
    TOTAL_BF = BL_CL_TOTAL_BF,
    TOTAL_ACTIVE = BL_CL_TOTAL_ACTIVE,
    TOTALS
};

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
    bl_cl_scan_uint(d, &grid->cells, slots, TOTAL_NONE);
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
    bool same;
    int total;
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

static void count_rows(bl_device *d, const rows *r) {
    size_t count = *r->home->count, slabs = (count + BL_SLAB - 1) / BL_SLAB;
    bl_cl_list *list = r->list;
    if (!reserve_rows(d, list, count)) return;
    BL_CL_LAUNCH(d, rows_count, count, BL_CL_GROUP, BL_CL_MEM(r->other->frame_buffer),
                 BL_CL_MEM(r->home->field[r->x_field]), BL_CL_UINT(count), BL_CL_MEM(r->other->cells),
                 BL_CL_MEM(*r->other->spots), BL_CL_UINT(r->same), BL_CL_MEM(list->near), BL_CL_MEM(list->all));
    BL_CL_LAUNCH(d, rows_measure, slabs, BL_CL_GROUP, BL_CL_MEM(list->all), BL_CL_UINT(count), BL_CL_MEM(list->start));
    bl_cl_scan_ulong(d, &list->start, slabs, r->total);
}

static void fill_rows(bl_device *d, const rows *r, cl_ulong total) {
    size_t count = *r->home->count, size = (size_t)total * sizeof(bl_index);
    bl_cl_list *list = r->list;
    /* room for a list that sways */
    if (size > list->index.size && !bl_cl_reserve(d, &list->index, size + size / 256, "neighbour lists")) return;
    if (!bl_cl_reserve(d, &list->index, size, "neighbour lists")) return;
    BL_CL_LAUNCH(d, rows_fill, count, BL_CL_GROUP, BL_CL_MEM(r->other->frame_buffer),
                 BL_CL_MEM(r->home->field[r->x_field]), BL_CL_UINT(count), BL_CL_MEM(r->other->cells),
                 BL_CL_MEM(*r->other->spots), BL_CL_UINT(r->same), BL_CL_MEM(list->near), BL_CL_MEM(list->all),
                 BL_CL_MEM(list->start), BL_CL_MEM(list->index));
}

/* Count all lists, learn their lengths in one go, fill them. `totals` holds what `active` needs, too. */
static void build_rows(bl_device *d, const rows *lists, int n, cl_ulong totals[TOTALS]) {
    memset(totals, 0, TOTALS * sizeof *totals);
    if (!bl_cl_read(d, &d->totals, 0, totals, TOTALS * sizeof *totals)) return;
    for (int k = 0; k < n; k++)
        if (*lists[k].home->count > 0) fill_rows(d, &lists[k], totals[lists[k].total]);
}

static void list_active(bl_device *d, size_t count) {
    if (!bl_cl_reserve(d, &d->active, count * sizeof(bl_index), "boundary particles near fluid") ||
        !bl_cl_reserve(d, &d->active_place, count * sizeof(cl_uint), "boundary particles near fluid"))
        return;
    BL_CL_LAUNCH(d, active_mark, count, BL_CL_GROUP, BL_CL_MEM(d->bf.all), BL_CL_UINT(count),
                 BL_CL_MEM(d->active_place));
    bl_cl_scan_uint(d, &d->active_place, count, TOTAL_ACTIVE);
    BL_CL_LAUNCH(d, active_list, count, BL_CL_GROUP, BL_CL_MEM(d->bf.all), BL_CL_UINT(count),
                 BL_CL_MEM(d->active_place), BL_CL_MEM(d->active));
}

void bl_device_find_neighbours(bl_device *d) {
    if (!d || !bl_cl_sync(d)) return;
    double start = bl_cl_start(d);
    cl_ulong totals[TOTALS];
    build_grid(d, &d->fluid_grid, &d->fluid, BL_F_x);
    if (!d->boundary_grid.built) build_grid(d, &d->boundary_grid, &d->boundary, BL_B_x);
    const rows lists[] = {{&d->ff, &d->fluid, BL_F_x, &d->fluid_grid, true, TOTAL_FF},
                          {&d->fb, &d->fluid, BL_F_x, &d->boundary_grid, false, TOTAL_FB},
                          {&d->bf, &d->boundary, BL_B_x, &d->fluid_grid, false, TOTAL_BF}};
    const int n = sizeof lists / sizeof lists[0];
    for (int k = 0; k < n; k++) count_rows(d, &lists[k]);
    list_active(d, *d->boundary.count);
    build_rows(d, lists, n, totals);
    size_t active = *d->boundary.count > 0 ? (size_t)totals[TOTAL_ACTIVE] : 0;
    d->active_count = active;
    bl_cl_stop(d, "neighbours", start);
}

void bl_device_find_boundary_neighbours(bl_device *d) {
    if (!d || !bl_cl_sync(d)) return;
    double start = bl_cl_start(d);
    cl_ulong totals[TOTALS];
    if (!d->boundary_grid.built) build_grid(d, &d->boundary_grid, &d->boundary, BL_B_x);
    const rows bb = {&d->ff, &d->boundary, BL_B_x, &d->boundary_grid, true, TOTAL_FF};
    count_rows(d, &bb);
    build_rows(d, &bb, 1, totals);
    bl_cl_stop(d, "neighbours of boundaries", start);
}
