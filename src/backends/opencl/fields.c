/* The device's copies of the particle arrays, and who has the newer one. */
#include "backends/opencl/opencl.h"

#include <string.h>

_Static_assert((int)BL_F_COUNT <= 64 && (int)BL_B_COUNT <= 64, "fields are named by the bits of a 64-bit number");

size_t bl_cl_item_size(const bl_field_info *info) {
    return info->type == BL_TYPE_VEC3 ? 4 * sizeof(real) : info->item_size;
}

void bl_cl_set_init(bl_cl_set *set, const bl_field_info *info, int field_count, int extra, void *store, size_t *count) {
    *set = (bl_cl_set){.info = info, .field_count = field_count, .extra = extra, .store = store, .count = count};
    set->stale = true;
    for (int f = 0; f < field_count; f++) {
        set->place[f + 1] = set->place[f] + bl_cl_item_size(&info[f]);
        if (!(info[f].flags & BL_FIELD_STATE)) continue;
        set->newer[f] = BL_CL_HOST_NEWER;
        set->state_to = f + 1; /* state comes first, and of that what is not made anew */
        if (!(info[f].flags & BL_FIELD_MADE & ~BL_FIELD_STATE)) set->kept_to = f + 1;
    }
    set->kept_from = 2; /* what a particle is, its id and its phase or body, no step changes */
}

static void release_parts(bl_device *d, bl_cl_set *set) {
    for (int f = 0; f < set->field_count; f++) {
        bl_cl_release(d, &set->field[f]);
        bl_cl_release(d, &set->kept[f]);
    }
}

void bl_cl_set_clear(bl_device *d, bl_cl_set *set) {
    release_parts(d, set);
    bl_cl_release(d, &set->block);
    bl_cl_release(d, &set->extra_block);
    bl_cl_release(d, &set->kept_block);
    set->capacity = 0;
}

/* Bytes from field a up to field b of all particles there is room for. */
static size_t span(const bl_cl_set *set, int a, int b) { return (set->place[b] - set->place[a]) * set->capacity; }

static bool divide(bl_device *d, const bl_cl_set *set, bl_cl_buffer *part, const bl_cl_buffer *whole, int first,
                   int f) {
    return bl_cl_part(d, part, whole, span(set, first, f), span(set, f, f + 1));
}

bool bl_cl_reserve_field(bl_device *d, bl_cl_set *set, int f) {
    bool extra = f >= set->extra;
    if (extra) {
        if (!bl_cl_reserve(d, &set->extra_block, span(set, set->extra, f + 1), set->info[f].name)) return false;
    } else if (!set->block.mem) {
        return false;
    }
    return divide(d, set, &set->field[f], extra ? &set->extra_block : &set->block, extra ? set->extra : 0, f);
}

bool bl_cl_reserve_kept(bl_device *d, bl_cl_set *set) {
    bool ok = bl_cl_reserve(d, &set->kept_block, span(set, set->kept_from, set->kept_to), "the kept state");
    for (int f = set->kept_from; f < set->kept_to && ok; f++)
        ok = divide(d, set, &set->kept[f], &set->kept_block, set->kept_from, f);
    return ok;
}

/* What is lost with a buffer cannot be fetched. */
static void forget_scratch(bl_cl_set *set) {
    for (int f = set->state_to; f < set->field_count; f++) set->newer[f] = BL_CL_SAME;
}

/* Room for the arrays of the store's particles. Contents are lost: counts change on the host, which then has the newer
 * copies. */
void bl_cl_reserve_set(bl_device *d, bl_cl_set *set) {
    size_t needed = *set->count;
    if (needed <= set->capacity && set->block.mem) return;
    if (set->capacity > 0) needed += needed / 8; /* it grew before and will again */
    bl_cl_set_clear(d, set);
    forget_scratch(set);
    set->capacity = bl_cl_padded(needed > 0 ? needed : 1);
    bl_cl_reserve(d, &set->block, span(set, 0, set->extra), "particles");
    for (int f = 0; f < set->extra && d->status == BL_OK; f++) bl_cl_reserve_field(d, set, f);
}

bool bl_cl_grow(bl_device *d, bl_cl_set *set, size_t count) {
    if (count <= set->capacity) return true;
    bl_cl_set old = *set;
    forget_scratch(set);
    memset(&set->block, 0, sizeof set->block);
    memset(set->field, 0, sizeof set->field);
    bl_cl_release(d, &set->extra_block);
    bl_cl_release(d, &set->kept_block);
    for (int f = 0; f < set->field_count; f++) bl_cl_release(d, &set->kept[f]);
    set->capacity = bl_cl_padded(count + count / 8);
    bl_cl_reserve(d, &set->block, span(set, 0, set->extra), "particles");
    for (int f = 0; f < set->extra && d->status == BL_OK; f++) bl_cl_reserve_field(d, set, f);
    for (int f = 0; f < set->state_to && d->status == BL_OK; f++)
        bl_cl_copy(d, &old.field[f], 0, &set->field[f], 0, span(&old, f, f + 1), "making room");
    for (int f = 0; f < old.field_count; f++) bl_cl_release(d, &old.field[f]);
    bl_cl_release(d, &old.block);
    return d->status == BL_OK;
}

/* Whether the arrays on the device hold some of the store's particles only. */
static bool holds_some(const bl_device *d, const bl_cl_set *set) { return set == &d->boundary && d->walls.some_left; }

/* One array from the host, queued. Vectors go through the staging buffer and are widened on the device. */
static void upload_field(bl_device *d, bl_cl_set *set, int f) {
    const bl_field_info *info = &set->info[f];
    size_t count = *set->count, size = count * info->item_size;
    const bool wide = info->type == BL_TYPE_VEC3, some = holds_some(d, set);
    if (size == 0 || (wide && !bl_cl_reserve(d, &d->staging, size, "transfers"))) return;
    const bl_cl_buffer *to = wide ? &d->staging : &set->field[f];
    void *data = some ? bl_cl_host_room(d, size) : bl_field_data(info, set->store);
    if (!data) return;
    if (some) bl_cl_pack_walls(d, info, data);
    bl_cl_check(d, clEnqueueWriteBuffer(d->queue, to->mem, some, 0, size, data, 0, NULL, NULL),
                "writing to the device");
    if (wide)
        BL_CL_LAUNCH(d, widen, count, BL_CL_GROUP, BL_CL_MEM(d->staging), BL_CL_MEM(set->field[f]), BL_CL_UINT(count));
}

/* The same to the host. */
static void download_field(bl_device *d, bl_cl_set *set, int f) {
    const bl_field_info *info = &set->info[f];
    size_t count = *set->count, size = count * info->item_size;
    const bool wide = info->type == BL_TYPE_VEC3, some = holds_some(d, set);
    if (size == 0 || (wide && !bl_cl_reserve(d, &d->staging, size, "transfers"))) return;
    if (wide)
        BL_CL_LAUNCH(d, narrow, count, BL_CL_GROUP, BL_CL_MEM(set->field[f]), BL_CL_MEM(d->staging), BL_CL_UINT(count));
    const bl_cl_buffer *from = wide ? &d->staging : &set->field[f];
    void *data = some ? bl_cl_host_room(d, size) : bl_field_data(info, set->store);
    if (d->status != BL_OK || !data) return;
    bl_cl_check(d, clEnqueueReadBuffer(d->queue, from->mem, some, 0, size, data, 0, NULL, NULL),
                "reading from the device");
    if (some && d->status == BL_OK) bl_cl_unpack_walls(d, info, data);
}

/* Wait for transfers, and give the memory back that they went through. */
static void end_transfers(bl_device *d) {
    if (d->status == BL_OK) bl_cl_check(d, clFinish(d->queue), "a transfer");
    bl_cl_release(d, &d->staging);
}

static void upload_set(bl_device *d, bl_cl_set *set) {
    if (!set->stale) return;
    bl_cl_reserve_set(d, set);
    for (int f = 0; f < set->field_count && d->status == BL_OK; f++) {
        if (set->newer[f] != BL_CL_HOST_NEWER) continue;
        upload_field(d, set, f);
        set->newer[f] = BL_CL_SAME;
    }
    end_transfers(d); /* the host may change its arrays again after this */
    set->stale = false;
    d->arguments++; /* the count may be another */
}

bool bl_cl_sync(bl_device *d) {
    if (d->fluid.stale || d->boundary.stale) {
        double start = bl_now();
        upload_set(d, &d->fluid);
        if (!d->walls.some_left) d->walls.count = bl_cl_all_walls(d);
        upload_set(d, &d->boundary);
        if (d->profile) bl_timers_add(d->timers, "upload", bl_now() - start);
    }
    return d->status == BL_OK;
}

static void mark(bl_cl_set *set, uint64_t fields, bl_cl_newer newer) {
    for (int f = 0; f < set->field_count; f++)
        if (fields >> f & 1) set->newer[f] = newer;
}

void bl_cl_wrote(bl_device *d, uint64_t fluid, uint64_t boundary) {
    if (fluid & (BL_BIT(BL_F_x) | BL_BIT(BL_F_v) | BL_BIT(BL_F_a) | BL_BIT(BL_F_p))) d->looked_at = 0;
    if (fluid & BL_BIT(BL_F_x)) d->lists_current = false;
    mark(&d->fluid, fluid, BL_CL_DEVICE_NEWER);
    mark(&d->boundary, boundary & (BL_BIT(d->boundary.extra) - 1), BL_CL_DEVICE_NEWER); /* standing walls lack some */
}

static uint64_t state_of(const bl_cl_set *set) {
    uint64_t bits = 0;
    for (int f = 0; f < set->field_count; f++)
        if (set->info[f].flags & BL_FIELD_STATE) bits |= (uint64_t)1 << f;
    return bits;
}

void bl_device_changed(bl_device *d, uint64_t fluid, uint64_t boundary) {
    if (!d) return;
    mark(&d->fluid, fluid & state_of(&d->fluid), BL_CL_HOST_NEWER);
    mark(&d->boundary, boundary & state_of(&d->boundary), BL_CL_HOST_NEWER);
    if (fluid != 0) d->looked_at = 0;
    d->lists_current = false;
    d->fluid.stale |= fluid != 0;
    d->boundary.stale |= boundary != 0;
    if (boundary != 0) bl_cl_bring_walls(d);
    if (boundary >> BL_B_x & 1) d->boundary_grid.built = d->boundary_grid.placed = false;
    if (fluid >> BL_F_x & 1) d->fluid_grid.placed = false;
}

static bool fetch_set(bl_device *d, bl_cl_set *set, uint64_t fields) {
    bool any = false;
    for (int f = 0; f < set->field_count; f++) {
        if (!(fields >> f & 1) || set->newer[f] != BL_CL_DEVICE_NEWER) continue;
        download_field(d, set, f);
        set->newer[f] = BL_CL_SAME;
        any = true;
    }
    return any;
}

void bl_device_fetch(bl_device *d, uint64_t fluid, uint64_t boundary) {
    if (!d || d->status != BL_OK) return;
    double start = bl_now();
    bool any = fetch_set(d, &d->fluid, fluid);
    any |= fetch_set(d, &d->boundary, boundary);
    if (!any) return;
    end_transfers(d);
    if (d->profile) bl_timers_add(d->timers, "fetch", bl_now() - start);
}

/* --- keeping a state --- */

/* One copy, of all fields that a step starts from and changes. */
static void copy_state(bl_device *d, bl_cl_set *set, bool save) {
    const size_t at = span(set, 0, set->kept_from), size = span(set, set->kept_from, set->kept_to);
    const bl_cl_buffer *now = &set->block, *kept = &set->kept_block;
    if (!bl_cl_reserve_kept(d, set)) return;
    bl_cl_copy(d, save ? now : kept, save ? at : 0, save ? kept : now, save ? 0 : at, size, "keeping the state");
}

void bl_device_save(bl_device *d) {
    if (!d || !bl_cl_sync(d)) return;
    double start = bl_cl_start(d);
    copy_state(d, &d->fluid, true);
    bl_cl_stop(d, "keep state", start);
}

/* Boundary particles are moved by the host alone, which keeps their state itself. */
void bl_device_restore(bl_device *d) {
    if (!d || d->status != BL_OK) return;
    copy_state(d, &d->fluid, false);
    bl_cl_wrote(d, state_of(&d->fluid), 0);
}
