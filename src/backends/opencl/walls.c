/* Walls that stand and are far from liquid stay on the host.
 *
 * The store has its walls in a spatial order: BL_CL_WALL_GROUP of them, one after the other, are a group with a box
 * around it. The space that the liquid is in is divided into blocks; those with liquid, and those next to them, are
 * covered. Groups within reach of a covered block are on the device, in the order of the store, so that a list holds
 * the same walls in the same order whatever else is there. Every search looks whether all liquid is in covered blocks
 * still. If it is not, blocks and groups are chosen anew, and the lists made again.
 *
 * What walls sum up over each other is made once, when all of them are on the device, and kept on the host. */
#include "backends/opencl/opencl.h"

#include <math.h>
#include <string.h>

enum { MOST_BLOCKS = 1 << 18 };
static const double BLOCK_EDGE = 4; /* near radii */

/* What walls know of each other, besides their state. */
static const uint64_t WALL_SUMS = BL_BIT(BL_B_w_bb) | BL_BIT(BL_B_faces) | BL_BIT(BL_B_v_far) | BL_BIT(BL_B_share);

static const bl_boundary_store *store_of(const bl_device *d) { return d->boundary.store; }
size_t bl_cl_all_walls(const bl_device *d) { return store_of(d)->count; }

void bl_cl_clear_walls(bl_device *d) {
    bl_release(d->ctx, d->walls.box);
    bl_release(d->ctx, d->walls.here);
    bl_cl_release(d, &d->walls.covered);
    bl_cl_release(d, &d->walls.places);
    d->walls = (bl_cl_walls){.count = d->walls.count, .fewest = d->walls.fewest, .choices = d->walls.choices};
}

static void all_state_is_newer(bl_device *d) {
    for (int f = 0; f < d->boundary.state_to; f++) d->boundary.newer[f] = BL_CL_HOST_NEWER;
    d->boundary.stale = true;
    d->boundary_grid.built = d->boundary_grid.placed = false;
}

void bl_cl_bring_walls(bl_device *d) {
    if (d->walls.some_left) all_state_is_newer(d);
    d->walls.leave = d->walls.some_left = d->walls.bare_apart = false;
}

/* --- arrays of the walls that are here --- */

/* Walls of group g, the last of which may be shorter. */
static size_t group_size(const bl_device *d, size_t g) {
    const size_t rest = bl_cl_all_walls(d) - g * BL_CL_WALL_GROUP;
    return rest < BL_CL_WALL_GROUP ? rest : BL_CL_WALL_GROUP;
}

void bl_cl_pack_walls(const bl_device *d, const bl_field_info *info, void *packed) {
    const size_t item = info->item_size;
    const char *data = bl_field_data(info, store_of(d));
    char *to = packed;
    for (size_t g = 0; g < d->walls.groups; g++) {
        if (!d->walls.here[g]) continue;
        memcpy(to, data + g * BL_CL_WALL_GROUP * item, group_size(d, g) * item);
        to += group_size(d, g) * item;
    }
}

void bl_cl_unpack_walls(const bl_device *d, const bl_field_info *info, const void *packed) {
    const size_t item = info->item_size;
    char *data = bl_field_data(info, store_of(d));
    const char *from = packed;
    for (size_t g = 0; g < d->walls.groups; g++) {
        if (!d->walls.here[g]) continue;
        memcpy(data + g * BL_CL_WALL_GROUP * item, from, group_size(d, g) * item);
        from += group_size(d, g) * item;
    }
}

/* --- boxes --- */

static void box_group(const bl_device *d, size_t g) {
    const bl_vec3 *x = store_of(d)->x + g * BL_CL_WALL_GROUP;
    real *least = d->walls.box[g][0], *most = d->walls.box[g][1];
    for (int a = 0; a < 3; a++) least[a] = (real)INFINITY, most[a] = -(real)INFINITY;
    for (size_t k = 0; k < group_size(d, g); k++)
        for (int a = 0; a < 3; a++) {
            const real c = (&x[k].x)[a];
            if (c < least[a]) least[a] = c;
            if (c > most[a]) most[a] = c;
        }
}

bool bl_device_leave_walls(bl_device *d) {
    const bool stand = d && d->boundary.extra < d->boundary.field_count;
    if (!stand || d->status != BL_OK) return false;
    bl_cl_clear_walls(d);
    bl_cl_walls *w = &d->walls;
    bl_device_fetch(d, 0, WALL_SUMS);
    if (d->status != BL_OK) return false;
    w->bare_apart = true;
    if (bl_cl_all_walls(d) < w->fewest) return true;
    w->groups = (bl_cl_all_walls(d) + BL_CL_WALL_GROUP - 1) / BL_CL_WALL_GROUP;
    w->box = bl_alloc(d->ctx, w->groups, sizeof *w->box);
    w->here = bl_alloc(d->ctx, w->groups, 1);
    if (!w->box || !w->here) d->status = BL_ERR_MEMORY;
    if (d->status != BL_OK) return false;
    for (size_t g = 0; g < w->groups; g++) box_group(d, g);
    w->leave = true;
    return true;
}

/* --- blocks --- */

/* Blocks around the liquid, with one free on every side: as small as BLOCK_EDGE, unless there were too many then. */
static void place_blocks(const bl_device *d, const double min[3], const double max[3], bl_cl_blocks *b) {
    double edge = BLOCK_EDGE * d->search.near_radius, n[3];
    for (;; edge *= 2) {
        for (int a = 0; a < 3; a++) n[a] = floor((max[a] - min[a]) / edge) + 3;
        if (n[0] * n[1] * n[2] <= MOST_BLOCKS) break;
    }
    b->scale = (real)(1 / edge);
    for (int a = 0; a < 3; a++) b->from[a] = (real)(min[a] - edge), b->n[a] = (cl_uint)n[a];
}

/* Blocks next to liquid are covered, too: along one axis after the other. */
static void spread(const bl_cl_blocks *b, cl_uint *covered) {
    const size_t total = (size_t)b->n[0] * b->n[1] * b->n[2];
    for (size_t a = 0, step = 1; a < 3; step *= b->n[a], a++)
        for (size_t k = 0; k < total; k++) {
            const size_t at = k / step % b->n[a];
            if (covered[k] & 1u << a) {
                if (at > 0) covered[k - step] |= 2u << a;
                if (at + 1 < b->n[a]) covered[k + step] |= 2u << a;
                covered[k] |= 2u << a;
            }
        }
    for (size_t k = 0; k < total; k++) covered[k] = covered[k] >> 3;
}

/* The first and the last block along an axis that can have liquid within reach of least to most; false: none. */
static bool blocks_within_reach(const bl_device *d, int a, double least, double most, long *first, long *last) {
    const bl_cl_blocks *b = &d->walls.blocks;
    const double edge = 1 / (double)b->scale, reach = d->search.far_radius + 0.05 * edge; /* more than rounding */
    const double low = floor((least - reach - (double)b->from[a]) / edge);
    const double high = floor((most + reach - (double)b->from[a]) / edge);
    *first = (long)fmax(low, 0);
    *last = (long)fmin(high, (double)b->n[a] - 1);
    return *first <= *last;
}

static bool box_is_near(const bl_device *d, real (*box)[3], const double shift[3], const cl_uint *covered) {
    const bl_cl_blocks *b = &d->walls.blocks;
    long first[3], last[3];
    for (int a = 0; a < 3; a++)
        if (!blocks_within_reach(d, a, (double)box[0][a] + shift[a], (double)box[1][a] + shift[a], &first[a], &last[a]))
            return false;
    for (long z = first[2]; z <= last[2]; z++)
        for (long y = first[1]; y <= last[1]; y++)
            for (long x = first[0]; x <= last[0]; x++)
                if (covered[((size_t)z * b->n[1] + (size_t)y) * b->n[0] + (size_t)x]) return true;
    return false;
}

/* The same with what is a period away. */
static bool group_is_near(const bl_device *d, size_t g, const cl_uint *covered) {
    const bl_period period = bl_search_period(&d->search);
    const real *length = &period.length.x;
    int images[3];
    for (int a = 0; a < 3; a++) images[a] = length[a] > 0 ? 1 : 0;
    for (int z = -images[2]; z <= images[2]; z++)
        for (int y = -images[1]; y <= images[1]; y++)
            for (int x = -images[0]; x <= images[0]; x++) {
                const double shift[3] = {x * (double)length[0], y * (double)length[1], z * (double)length[2]};
                if (box_is_near(d, d->walls.box[g], shift, covered)) return true;
            }
    return false;
}

/* Which blocks are covered, on the device and on the host; NULL: there is no liquid, or there was an error. */
static const cl_uint *cover_blocks(bl_device *d) {
    bl_cl_walls *w = &d->walls;
    const bl_cl_buffer *x = &d->fluid.field[BL_F_x];
    const size_t count = *d->fluid.count;
    double min[3], max[3];
    w->blocks = (bl_cl_blocks){.scale = 1};
    if (!bl_cl_reserve(d, &w->covered, sizeof(cl_uint), "blocks of liquid")) return NULL;
    if (count == 0 || !bl_cl_bounds(d, x, count, min, max)) return NULL;
    place_blocks(d, min, max, &w->blocks);
    const size_t size = (size_t)w->blocks.n[0] * w->blocks.n[1] * w->blocks.n[2] * sizeof(cl_uint);
    cl_uint *covered = bl_cl_host_room(d, size);
    if (!covered || !bl_cl_reserve(d, &w->covered, size, "blocks of liquid")) return NULL;
    bl_cl_clear_words(d, &w->covered, size);
    BL_CL_LAUNCH(d, blocks_mark, count, BL_CL_GROUP, {sizeof w->blocks, &w->blocks}, BL_CL_MEM(*x), BL_CL_UINT(count),
                 BL_CL_MEM(w->covered));
    if (!bl_cl_read(d, &w->covered, 0, covered, size)) return NULL;
    spread(&w->blocks, covered);
    bl_cl_check(d, clEnqueueWriteBuffer(d->queue, w->covered.mem, CL_TRUE, 0, size, covered, 0, NULL, NULL),
                "writing to the device");
    return d->status == BL_OK ? covered : NULL;
}

/* --- choosing --- */

/* Room that was made for all walls, and for their lists of each other, is given back. */
static void shrink(bl_device *d) {
    bl_cl_buffer *const buffers[] = {&d->boundary_grid.cells,
                                     &d->boundary_grid.own_spots,
                                     &d->ff.rows,
                                     &d->ff.index,
                                     &d->bf.rows,
                                     &d->bf.index,
                                     &d->active};
    bl_cl_check(d, clFinish(d->queue), "making room");
    bl_cl_set_clear(d, &d->boundary);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) bl_cl_release(d, buffers[k]);
}

/* Where the groups of the store are on the device. */
static void send_places(bl_device *d) {
    bl_cl_walls *w = &d->walls;
    const size_t size = w->groups * sizeof(cl_uint);
    cl_uint *places = bl_cl_host_room(d, size), next = 0;
    if (!places || !bl_cl_reserve(d, &w->places, size, "places of walls")) return;
    for (size_t g = 0; g < w->groups; g++) places[g] = w->here[g] ? next++ : BL_CL_NOWHERE;
    bl_cl_check(d, clEnqueueWriteBuffer(d->queue, w->places.mem, CL_TRUE, 0, size, places, 0, NULL, NULL),
                "writing to the device");
}

void bl_cl_choose_walls(bl_device *d) {
    bl_cl_walls *w = &d->walls;
    const cl_uint *covered = cover_blocks(d);
    if (d->status != BL_OK) return;
    if (!w->some_left) shrink(d);
    w->some_left = true;
    w->choices++;
    w->count = 0;
    for (size_t g = 0; g < w->groups; g++) {
        w->here[g] = covered && group_is_near(d, g, covered);
        if (w->here[g]) w->count += group_size(d, g);
    }
    send_places(d);
    bl_cl_reserve_set(d, &d->boundary);
    all_state_is_newer(d);
    for (int f = 0; f < d->boundary.field_count; f++)
        if (WALL_SUMS >> f & 1) d->boundary.newer[f] = BL_CL_HOST_NEWER;
    bl_cl_sync(d);
}

void bl_cl_watch_walls(bl_device *d) {
    bl_cl_walls *w = &d->walls;
    const size_t count = *d->fluid.count;
    if (!w->some_left) return;
    BL_CL_LAUNCH(d, blocks_watch, count, BL_CL_GROUP, {sizeof w->blocks, &w->blocks}, BL_CL_MEM(d->fluid.field[BL_F_x]),
                 BL_CL_UINT(count), BL_CL_MEM(w->covered), BL_CL_MEM(d->counters), BL_CL_MEM(d->steer));
}
