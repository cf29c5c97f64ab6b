/* The sets of a scene and the names their files carry. */
#include "output/frame.h"
#include "rigid/motion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void bl_sets_clear(bl_sets *sets) {
    for (int s = 0; s < sets->count; s++) {
        bl_release(sets->ctx, sets->items[s].name);
        bl_release(sets->ctx, sets->items[s].file);
    }
    bl_release(sets->ctx, sets->items);
    memset(sets, 0, sizeof *sets);
}

static bool file_is_taken(const bl_sets *sets, const char *file) {
    for (int s = 0; s < sets->count; s++)
        if (strcmp(sets->items[s].file, file) == 0) return true;
    return false;
}

/* "rain water/2" becomes "rain_water_2"; a name already taken gets a number behind it. NULL: no memory. */
static char *file_name(const bl_sets *sets, const char *name) {
    size_t length = strlen(name);
    char *file = bl_alloc(sets->ctx, length + 16, 1);
    if (!file) return NULL;
    for (size_t k = 0; k < length; k++) {
        bool safe = isalnum((unsigned char)name[k]) || strchr("-_", name[k]);
        file[k] = safe ? name[k] : '_';
    }
    for (int number = 2; file_is_taken(sets, file); number++) snprintf(file + length, 16, "-%d", number);
    return file;
}

static bl_status add(bl_sets *sets, bl_set_kind kind, int index, const char *name, bool fixed) {
    bl_set set = {.kind = kind, .index = index, .fixed = fixed};
    set.name = bl_strdup(sets->ctx, name);
    set.file = file_name(sets, name);
    sets->items[sets->count] = set;
    if (!set.name || !set.file) {
        bl_release(sets->ctx, set.name);
        bl_release(sets->ctx, set.file);
        return BL_ERR_MEMORY;
    }
    sets->count++;
    return BL_OK;
}

bl_status bl_sets_from_scene(bl_context *ctx, const bl_scene *scene, bl_sets *out) {
    *out = (bl_sets){.ctx = ctx};
    out->items = bl_alloc(ctx, (size_t)scene->fluid_count + (size_t)scene->boundary_count, sizeof *out->items);
    if (!out->items) return BL_ERR_MEMORY;
    bl_status status = BL_OK;
    for (int f = 0; f < scene->fluid_count && status == BL_OK; f++)
        status = add(out, BL_SET_FLUID, f, scene->fluids[f].name, false);
    for (int b = 0; b < scene->boundary_count && status == BL_OK; b++) {
        const bl_boundary *body = &scene->boundaries[b];
        status = add(out, BL_SET_BOUNDARY, b, body->name, !bl_body_moves(body));
    }
    if (status != BL_OK) bl_sets_clear(out);
    return status;
}
