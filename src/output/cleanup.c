#include "output/cleanup.h"

#include "output/paths.h"

#include <stdio.h>
#include <string.h>

typedef struct cleaner {
    bl_context *ctx;
    const char *folder;
    const bl_sets *sets;
    int last;
    uint64_t last_step;
} cleaner;

static bl_status delete_in(const cleaner *c, const char *file) {
    char *path = bl_path_make(c->ctx, "%s/%s", c->folder, file);
    if (!path) return BL_ERR_MEMORY;
    bl_status status = bl_file_remove(c->ctx, path);
    bl_release(c->ctx, path);
    return status;
}

/* Frame files carry one of these endings, unfinished ones ".part" behind it. */
static bool is_later_frame(const cleaner *c, const char *set, const char *file) {
    static const char *const endings[] = {".vtu", ".ply", ".vtkhdf"};
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        char unfinished[16];
        int number;
        snprintf(unfinished, sizeof unfinished, "%s.part", endings[e]);
        if (bl_frame_file_number(file, set, unfinished, &number)) return true;
        if (bl_frame_file_number(file, set, endings[e], &number)) return number > c->last;
    }
    return false;
}

static bl_status visit_frame(void *user, const char *file) {
    const cleaner *c = user;
    for (int s = 0; s < c->sets->count; s++)
        if (is_later_frame(c, c->sets->items[s].file, file)) return delete_in(c, file);
    return BL_OK;
}

static bl_status visit_checkpoint(void *user, const char *file) {
    static const char unfinished[] = ".h5.part";
    const cleaner *c = user;
    int frame;
    uint64_t step;
    size_t length = strlen(file), tail = strlen(unfinished);
    if (strncmp(file, "frame_", 6) == 0 && length > tail && strcmp(file + length - tail, unfinished) == 0)
        return delete_in(c, file);
    if (!bl_checkpoint_file_number(file, &frame, &step)) return BL_OK;
    bool later = frame > c->last || (frame == c->last && step > c->last_step);
    return later ? delete_in(c, file) : BL_OK;
}

static bl_status clean_folder(bl_context *ctx, cleaner *c, const char *dir, const char *name, bl_visit_fn visit) {
    char *folder = bl_path_make(ctx, "%s/%s", dir, name);
    if (!folder) return BL_ERR_MEMORY;
    c->folder = folder;
    bl_status status = bl_dir_visit(ctx, folder, visit, c);
    bl_release(ctx, folder);
    return status;
}

bl_status bl_cleanup(bl_context *ctx, const char *dir, const bl_sets *sets, int last, uint64_t last_step) {
    cleaner c = {.ctx = ctx, .sets = sets, .last = last, .last_step = last_step};
    bl_status status = clean_folder(ctx, &c, dir, "frames", visit_frame);
    return status == BL_OK ? clean_folder(ctx, &c, dir, "checkpoints", visit_checkpoint) : status;
}
