#include "output/reader.h"

#include "output/paths.h"
#include "output/pvd.h"
#include "output/run_json.h"

#include <stdio.h>
#include <string.h>

void bl_reader_close(bl_reader *reader) {
    bl_sets_clear(&reader->sets);
    bl_scene_destroy(reader->scene);
    bl_release(reader->ctx, reader->dir);
    bl_release(reader->ctx, reader->frames);
    memset(reader, 0, sizeof *reader);
}

static bl_status load_scene(bl_reader *reader) {
    bl_run_info info;
    bl_status status = bl_run_json_read(reader->ctx, reader->dir, &info);
    if (status != BL_OK) return status;
    status =
        bl_scene_load_text(reader->ctx, info.scene_text, info.scene_size, info.scene_path, NULL, 0, &reader->scene);
    bl_run_info_clear(&info);
    return status;
}

/* The frames of the first fluid stand for all: every frame has every fluid. None yet is fine. */
static bl_status load_frames(bl_reader *reader) {
    if (reader->sets.count == 0) return BL_OK;
    char *path = bl_path_make(reader->ctx, "%s/frames/%s.pvd", reader->dir, reader->sets.items[0].file);
    if (!path) return BL_ERR_MEMORY;
    bl_pvd pvd;
    bl_status status = bl_pvd_read(reader->ctx, path, &pvd);
    bl_release(reader->ctx, path);
    if (status == BL_ERR_NO_INPUT && !(reader->scene->output.formats & BL_FORMAT_VTU))
        return bl_fail(reader->ctx, status, "%s: its frames were not written as VTU (output.formats)", reader->dir);
    if (status == BL_ERR_NO_INPUT) return BL_OK;
    reader->frames = pvd.entries; /* taken over */
    reader->frame_count = pvd.count;
    return status;
}

bl_status bl_reader_open(bl_context *ctx, const char *dir, bl_reader *out) {
    *out = (bl_reader){.ctx = ctx, .dir = bl_strdup(ctx, dir)};
    bl_status status = out->dir ? load_scene(out) : BL_ERR_MEMORY;
    if (status == BL_OK) status = bl_sets_from_scene(ctx, out->scene, &out->sets);
    if (status == BL_OK) status = load_frames(out);
    if (status != BL_OK) bl_reader_close(out);
    return status;
}

int bl_reader_find_set(const bl_reader *reader, const char *name) {
    for (int s = 0; s < reader->sets.count; s++)
        if (strcmp(reader->sets.items[s].name, name) == 0) return s;
    return -1;
}

long bl_reader_find_frame(const bl_reader *reader, int number) {
    for (size_t k = 0; k < reader->frame_count; k++)
        if (reader->frames[k].number == number) return (long)k;
    return -1;
}

/* "42" or "10..20" as numbers [*low, *high]. */
static bool parse_range(const char *text, int *low, int *high) {
    int end = 0;
    if (sscanf(text, "%9d..%9d%n", low, high, &end) == 2 && text[end] == '\0') return *low <= *high;
    if (sscanf(text, "%9d%n", low, &end) != 1 || text[end] != '\0') return false;
    *high = *low;
    return true;
}

bl_status bl_reader_choose_frames(const bl_reader *reader, const char *text, size_t *first, size_t *last) {
    int low, high;
    if (reader->frame_count == 0)
        return bl_fail(reader->ctx, BL_ERR_NO_INPUT, "%s: the run has no frames yet", reader->dir);
    size_t end = reader->frame_count - 1;
    *first = strcmp(text, "last") == 0 ? end : 0;
    *last = end;
    if (strcmp(text, "all") == 0 || strcmp(text, "last") == 0) return BL_OK;
    if (!parse_range(text, &low, &high))
        return bl_fail(reader->ctx, BL_ERR_USAGE,
                       "frame \"%s\": expected a number, a range such as 10..20, \"last\" or \"all\"", text);
    while (*first < end && reader->frames[*first].number < low) ++*first;
    while (*last > 0 && reader->frames[*last].number > high) --*last;
    if (reader->frames[*first].number >= low && reader->frames[*last].number <= high && *first <= *last) return BL_OK;
    return bl_fail(reader->ctx, BL_ERR_NO_INPUT, "%s: there is no frame %s; the run has %d to %d", reader->dir, text,
                   reader->frames[0].number, reader->frames[end].number);
}

bl_status bl_reader_load(const bl_reader *reader, int set, int number, bl_frame *out) {
    *out = (bl_frame){.ctx = reader->ctx};
    const bl_set *which = &reader->sets.items[set];
    int stored = which->fixed ? 0 : number;
    if (which->kind == BL_SET_BOUNDARY && !reader->scene->output.boundaries)
        return bl_fail(reader->ctx, BL_ERR_NO_INPUT, "%s: boundaries were not written (output.boundaries)",
                       reader->dir);
    char *path = bl_path_make(reader->ctx, "%s/frames/%s_%06d.vtu", reader->dir, which->file, stored);
    if (!path) return BL_ERR_MEMORY;
    bl_status status = bl_vtu_read(reader->ctx, path, out);
    bl_release(reader->ctx, path);
    out->number = number;
    return status;
}
