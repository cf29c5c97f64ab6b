/* The checkpoints of a run directory: their names, the newest sound one, and the ones to delete. */
#include "output/checkpoint.h"
#include "output/paths.h"

#include <stdlib.h>
#include <string.h>

typedef struct candidate {
    int frame;
    uint64_t step;
} candidate;

typedef struct candidates {
    bl_context *ctx;
    size_t count, capacity;
    candidate *items;
} candidates;

char *bl_checkpoint_path(bl_context *ctx, const char *dir, int frame, uint64_t step) {
    return bl_path_make(ctx, "%s/checkpoints/frame_%06d_step_%09llu.h5", dir, frame, (unsigned long long)step);
}

static bl_status collect(void *user, const char *file) {
    candidates *all = user;
    candidate item;
    if (!bl_checkpoint_file_number(file, &item.frame, &item.step)) return BL_OK;
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? 2 * all->capacity : 16;
        candidate *grown = bl_grow(all->ctx, all->items, all->count, capacity, sizeof *grown);
        if (!grown) return BL_ERR_MEMORY;
        all->items = grown;
        all->capacity = capacity;
    }
    all->items[all->count++] = item;
    return BL_OK;
}

static int newest_first(const void *pa, const void *pb) {
    const candidate *a = pa, *b = pb;
    if (a->frame != b->frame) return a->frame < b->frame ? 1 : -1;
    return (a->step < b->step) - (a->step > b->step);
}

/* All checkpoints by their names, newest first. The caller releases items, also after a failure. */
static bl_status list(bl_context *ctx, const char *dir, candidates *out) {
    *out = (candidates){.ctx = ctx};
    char *folder = bl_path_make(ctx, "%s/checkpoints", dir);
    if (!folder) return BL_ERR_MEMORY;
    bl_status status = bl_dir_visit(ctx, folder, collect, out);
    bl_release(ctx, folder);
    if (out->count > 1) qsort(out->items, out->count, sizeof *out->items, newest_first);
    return status;
}

void bl_refusals_clear(bl_refusals *refusals) {
    for (int r = 0; r < refusals->count; r++) {
        bl_release(refusals->ctx, refusals->items[r].path);
        bl_release(refusals->ctx, refusals->items[r].reason);
    }
    bl_release(refusals->ctx, refusals->items);
    memset(refusals, 0, sizeof *refusals);
}

/* Keep the context's message, less the path before it, as the reason for which `path` was refused. */
static bl_status refuse(bl_refusals *refused, const char *path) {
    bl_context *ctx = refused->ctx;
    bl_refusal *grown = bl_grow(ctx, refused->items, (size_t)refused->count, (size_t)refused->count + 1, sizeof *grown);
    if (!grown) return BL_ERR_MEMORY;
    refused->items = grown;
    bl_refusal *item = &grown[refused->count++];
    const char *reason = bl_context_error(ctx);
    size_t length = strlen(path);
    if (strncmp(reason, path, length) == 0 && strncmp(reason + length, ": ", 2) == 0) reason += length + 2;
    item->path = bl_strdup(ctx, path);
    item->reason = bl_strdup(ctx, reason);
    return item->path && item->reason ? BL_OK : BL_ERR_MEMORY;
}

static bl_status load(bl_context *ctx, const char *path, uint64_t scene_hash, bl_checkpoint *out) {
    bl_status status = bl_checkpoint_read(ctx, path, out);
    if (status != BL_OK || scene_hash == 0 || out->head.scene_hash == scene_hash) return status;
    bl_checkpoint_clear(out);
    return bl_fail(ctx, BL_ERR_DATA, "%s: belongs to another scene, or the scene was changed since", path);
}

/* Try one; *taken if it is sound. A refusal is no failure of the search. */
static bl_status attempt(bl_context *ctx, const char *dir, candidate item, uint64_t scene_hash, bl_checkpoint *out,
                         bl_refusals *refused, bool *taken) {
    char *path = bl_checkpoint_path(ctx, dir, item.frame, item.step);
    if (!path) return BL_ERR_MEMORY;
    bl_status status = load(ctx, path, scene_hash, out);
    *taken = status == BL_OK;
    if (status != BL_OK && status != BL_ERR_MEMORY) status = refuse(refused, path);
    bl_release(ctx, path);
    return status;
}

bl_status bl_checkpoint_find(bl_context *ctx, const char *dir, int frame, uint64_t scene_hash, bl_checkpoint *out,
                             bl_refusals *refused) {
    bl_refusals ignored = {0};
    if (!refused) refused = &ignored;
    *refused = (bl_refusals){.ctx = ctx};
    *out = (bl_checkpoint){0};
    candidates all;
    bl_status status = list(ctx, dir, &all);
    bool taken = false;
    for (size_t k = 0; status == BL_OK && !taken && k < all.count; k++)
        if (frame < 0 || all.items[k].frame <= frame)
            status = attempt(ctx, dir, all.items[k], scene_hash, out, refused, &taken);
    bl_release(ctx, all.items);
    if (status == BL_OK && !taken && refused->count > 0)
        status =
            bl_fail(ctx, BL_ERR_DATA,
                    "%s: %s; no checkpoint there can be used: go on with the scene and build of that run, or begin "
                    "anew (--overwrite, or another -o DIR)",
                    refused->items[0].path, refused->items[0].reason);
    else if (status == BL_OK && !taken && frame >= 0)
        status = bl_fail(ctx, BL_ERR_NO_INPUT, "%s: no checkpoint at or before frame %d", dir, frame);
    else if (status == BL_OK && !taken)
        status = bl_fail(ctx, BL_ERR_NO_INPUT, "%s: no checkpoint to resume from", dir);
    bl_refusals_clear(&ignored);
    return status;
}

bl_status bl_checkpoint_prune(bl_context *ctx, const char *dir, int keep) {
    candidates all;
    bl_status status = list(ctx, dir, &all);
    for (size_t k = (size_t)keep; keep > 0 && status == BL_OK && k < all.count; k++) {
        char *path = bl_checkpoint_path(ctx, dir, all.items[k].frame, all.items[k].step);
        status = path ? bl_file_remove(ctx, path) : BL_ERR_MEMORY;
        bl_release(ctx, path);
    }
    bl_release(ctx, all.items);
    return status;
}
