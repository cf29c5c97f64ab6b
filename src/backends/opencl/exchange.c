/* Particles that come and go: those that sources and sinks look at travel to the host and back, the others stay. */
#include "backends/opencl/opencl.h"

#include <string.h>

/* Mirrors the struct of kernels/exchange.cl. */
typedef struct bl_cl_fence {
    real min[3], max[3];
    cl_int periodic[3], fence[3];
    real dt;
} bl_cl_fence;

enum { BOX = 6, LENT = 7 }; /* numbers of a box; of a particle on its way: position, velocity, held */

static bl_cl_fence fence_of(const bl_device *d, double dt, bool fence) {
    bl_cl_fence f = {.dt = (real)dt};
    const double *min = &d->search.min.x, *max = &d->search.max.x;
    for (int a = 0; a < 3; a++) {
        f.min[a] = (real)min[a], f.max[a] = (real)max[a];
        f.periodic[a] = a < d->search.dimension && d->search.periodic[a];
        f.fence[a] = fence && a < d->search.dimension && !d->search.periodic[a];
    }
    return f;
}

/* Host memory for transfers. */
void *bl_cl_host_room(bl_device *d, size_t size) {
    if (size > d->lent_room) {
        bl_release(d->ctx, d->lent_host);
        d->lent_host = bl_alloc(d->ctx, size, 1);
        d->lent_room = d->lent_host ? size : 0;
        if (!d->lent_host && d->status == BL_OK) d->status = BL_ERR_MEMORY;
    }
    return d->lent_host;
}

static bool write_to(bl_device *d, const bl_cl_buffer *to, size_t offset, const void *data, size_t size) {
    if (d->status != BL_OK) return false;
    return size == 0 ||
           bl_cl_check(d, clEnqueueWriteBuffer(d->queue, to->mem, CL_TRUE, offset, size, data, 0, NULL, NULL),
                       "writing to the device");
}

void bl_device_wrap(bl_device *d) {
    if (!d || !bl_cl_sync(d)) return;
    const bl_cl_fence f = fence_of(d, 0, false);
    BL_CL_LAUNCH(d, wrap, *d->fluid.count, BL_CL_GROUP, {sizeof f, &f}, BL_CL_MEM(d->fluid.field[BL_F_x]),
                 BL_CL_UINT(*d->fluid.count));
    bl_cl_wrote(d, BL_BIT(BL_F_x), 0);
}

/* --- lending --- */

static bool reserve_loan(bl_device *d, bl_loan *loan, size_t count) {
    if (count <= loan->capacity) return true;
    bl_loan_clear(d->ctx, loan);
    loan->index = bl_alloc(d->ctx, count, sizeof *loan->index);
    loan->x = bl_alloc(d->ctx, count, sizeof *loan->x);
    loan->v = bl_alloc(d->ctx, count, sizeof *loan->v);
    loan->held = bl_alloc(d->ctx, count, sizeof *loan->held);
    if (loan->index && loan->x && loan->v && loan->held) loan->capacity = count;
    return loan->capacity == count;
}

/* A little wider than they are: rounding must not leave anybody out. */
static void send_boxes(bl_device *d, const bl_vec3d (*boxes)[2], int count) {
    const size_t size = (size_t)(count + 1) * BOX * sizeof(real);
    const double margin = 1e-2 * d->search.near_radius;
    real *numbers = bl_cl_host_room(d, size);
    if (!numbers || !bl_cl_reserve(d, &d->lent, size, "particles to lend")) return;
    for (int k = 0; k < count; k++)
        for (int a = 0; a < 3; a++) {
            numbers[BOX * k + a] = (real)((&boxes[k][0].x)[a] - margin);
            numbers[BOX * k + 3 + a] = (real)((&boxes[k][1].x)[a] + margin);
        }
    write_to(d, &d->lent, 0, numbers, (size_t)count * BOX * sizeof(real));
}

/* The numbers of particles that are lent, and their places and velocities, from the device. */
static bool fetch_loan(bl_device *d, size_t count, bl_loan *loan) {
    const size_t size = count * LENT * sizeof(real);
    const real *numbers = bl_cl_host_room(d, size);
    if (!numbers || !bl_cl_read(d, &d->lent_index, 0, loan->index, count * sizeof *loan->index) ||
        !bl_cl_read(d, &d->staging, 0, d->lent_host, size))
        return false;
    for (size_t k = 0; k < count; k++) {
        const real *p = numbers + LENT * k;
        loan->x[k] = bl_v3_make(p[0], p[1], p[2]);
        loan->v[k] = bl_v3_make(p[3], p[4], p[5]);
        loan->held[k] = (uint32_t)p[6]; /* a float holds the places of openings of up to 16 million */
    }
    return true;
}

bl_status bl_device_lend(bl_device *d, const bl_vec3d (*boxes)[2], int box_count, double dt, bool fence,
                         bl_loan *loan) {
    loan->count = 0;
    if (!bl_cl_sync(d) || *d->fluid.count == 0) return d->status;
    const bl_cl_fence f = fence_of(d, dt, fence);
    const size_t count = *d->fluid.count;
    const bl_cl_buffer *x = &d->fluid.field[BL_F_x], *v = &d->fluid.field[BL_F_v];
    const bl_cl_buffer *held = &d->fluid.field[BL_F_held], *place = &d->fluid.field[BL_F_g_b];
    cl_uint total = 0;
    send_boxes(d, boxes, box_count);
    BL_CL_LAUNCH(d, lend_mark, count, BL_CL_GROUP, {sizeof f, &f}, BL_CL_MEM(d->lent), BL_CL_UINT(box_count),
                 BL_CL_MEM(*x), BL_CL_MEM(*v), BL_CL_UINT(count), BL_CL_MEM(*place));
    bl_cl_scan(d, place, count, BL_CL_TOTAL_LENT);
    if (!bl_cl_read(d, &d->totals, BL_CL_TOTAL_LENT * sizeof total, &total, sizeof total) || total == 0)
        return d->status;
    if (!reserve_loan(d, loan, total)) return BL_ERR_MEMORY;
    if (!bl_cl_reserve(d, &d->staging, total * LENT * sizeof(real), "particles to lend") ||
        !bl_cl_reserve(d, &d->lent_index, total * sizeof(cl_uint), "particles to lend"))
        return d->status;
    BL_CL_LAUNCH(d, lend_list, count, BL_CL_GROUP, {sizeof f, &f}, BL_CL_MEM(d->lent), BL_CL_UINT(box_count),
                 BL_CL_MEM(*x), BL_CL_MEM(*v), BL_CL_MEM(*held), BL_CL_UINT(count), BL_CL_MEM(*place),
                 BL_CL_MEM(d->staging), BL_CL_MEM(d->lent_index));
    if (fetch_loan(d, total, loan)) loan->count = total;
    return d->status;
}

void bl_device_return(bl_device *d, const bl_loan *loan) {
    const size_t size = loan->count * LENT * sizeof(real);
    if (d->status != BL_OK || loan->count == 0) return;
    real *numbers = bl_cl_host_room(d, size);
    if (!numbers || !bl_cl_reserve(d, &d->staging, size, "particles to lend") ||
        !bl_cl_reserve(d, &d->lent_index, loan->count * sizeof(cl_uint), "particles to lend"))
        return;
    for (size_t k = 0; k < loan->count; k++) {
        const bl_vec3 x = loan->x[k], v = loan->v[k];
        const real p[LENT] = {x.x, x.y, x.z, v.x, v.y, v.z, (real)loan->held[k]};
        memcpy(numbers + LENT * k, p, sizeof p);
    }
    if (!write_to(d, &d->staging, 0, numbers, size) ||
        !write_to(d, &d->lent_index, 0, loan->index, loan->count * sizeof *loan->index))
        return;
    BL_CL_LAUNCH(d, lend_return, loan->count, BL_CL_GROUP, BL_CL_MEM(d->staging), BL_CL_MEM(d->lent_index),
                 BL_CL_UINT(loan->count), BL_CL_MEM(d->fluid.field[BL_F_x]), BL_CL_MEM(d->fluid.field[BL_F_v]),
                 BL_CL_MEM(d->fluid.field[BL_F_held]));
    bl_cl_wrote(d, BL_BIT(BL_F_x) | BL_BIT(BL_F_v) | BL_BIT(BL_F_held), 0);
}

/* --- coming and going --- */

static void remove_particles(bl_device *d, const bl_index *removed, size_t removed_count) {
    const size_t count = *d->fluid.count, rest = count - removed_count;
    const bl_cl_buffer *place = &d->fluid.field[BL_F_g_b], *order = &d->fluid.field[BL_F_wall_w];
    if (!bl_cl_reserve(d, &d->lent_index, removed_count * sizeof(cl_uint), "particles to remove") ||
        !write_to(d, &d->lent_index, 0, removed, removed_count * sizeof *removed))
        return;
    BL_CL_LAUNCH(d, stay_all, count, BL_CL_GROUP, BL_CL_MEM(*place), BL_CL_UINT(count));
    BL_CL_LAUNCH(d, stay_not, removed_count, BL_CL_GROUP, BL_CL_MEM(*place), BL_CL_MEM(d->lent_index),
                 BL_CL_UINT(removed_count));
    bl_cl_scan(d, place, count, BL_CL_TOTAL_NONE);
    BL_CL_LAUNCH(d, stay_order, count, BL_CL_GROUP, BL_CL_MEM(*place), BL_CL_UINT(rest), BL_CL_UINT(count),
                 BL_CL_MEM(*order));
    bl_cl_reorder(d, order, rest);
    *d->fluid.count = rest;
}

/* One field of the last `added` particles of a store, behind those on the device. */
static void append_field(bl_device *d, int f, const bl_fluid_store *from, size_t added) {
    const bl_field_info *info = &d->fluid.info[f];
    const size_t item = bl_cl_item_size(info), first = from->count - added;
    const char *data = (const char *)bl_field_data(info, from) + first * info->item_size;
    char *wide = bl_cl_host_room(d, added * item);
    if (!wide) return;
    memset(wide, 0, added * item);
    for (size_t k = 0; k < added; k++) memcpy(wide + k * item, data + k * info->item_size, info->item_size);
    write_to(d, &d->fluid.field[f], *d->fluid.count * item, wide, added * item);
    d->fluid.newer[f] = BL_CL_DEVICE_NEWER;
}

void bl_device_replace(bl_device *d, const bl_index *removed, size_t removed_count, const bl_fluid_store *from,
                       size_t added) {
    if (!bl_cl_sync(d)) return;
    d->looked_at = 0;
    d->lists_current = false;
    if (removed_count > 0) remove_particles(d, removed, removed_count);
    if (added == 0 || !bl_cl_grow(d, &d->fluid, *d->fluid.count + added)) return;
    for (int f = 0; f < d->fluid.state_to; f++) append_field(d, f, from, added);
    *d->fluid.count += added;
}
