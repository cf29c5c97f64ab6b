#include "beadlet/convert.h"

#include "output/formats.h"
#include "output/reader.h"

#include <string.h>

static bl_status write_vtu(bl_context *ctx, const char *path, const bl_frame *frame) {
    return bl_vtu_write(ctx, path, frame, false);
}

static bl_status write_vtu_base64(bl_context *ctx, const char *path, const bl_frame *frame) {
    return bl_vtu_write(ctx, path, frame, true);
}

typedef struct format {
    const char *name, *extension;
    bl_status (*write)(bl_context *ctx, const char *path, const bl_frame *frame);
} format;

static const format formats[] = {
    {"ply", "ply", bl_ply_write},
    {"vtu", "vtu", write_vtu},
    {"vtu-base64", "vtu", write_vtu_base64},
    {"vtkhdf", "vtkhdf", bl_vtkhdf_write},
};

static const format *find_format(const char *name) {
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (strcmp(formats[k].name, name) == 0) return &formats[k];
    return NULL;
}

bl_convert_options bl_default_convert_options(void) {
    return (bl_convert_options){.format = "ply", .frame = BL_FRAME_ALL};
}

typedef struct conversion {
    bl_context *ctx;
    const bl_reader *reader;
    const format *format;
    const char *directory;
    int files;
} conversion;

static bl_status convert_one(conversion *c, int set, int number) {
    bl_frame frame = {0};
    bl_text path = bl_text_make(c->ctx);
    bl_text_add(&path, "%s/%s_%06d.%s", c->directory, c->reader->sets.items[set].file, number, c->format->extension);
    bl_status status = path.failed ? BL_ERR_MEMORY : bl_reader_load(c->reader, set, number, &frame);
    if (status == BL_OK) status = c->format->write(c->ctx, bl_text_str(&path), &frame);
    if (status == BL_OK) c->files++;
    bl_frame_clear(&frame);
    bl_text_clear(&path);
    return status;
}

/* Frames at positions [first, last] of the reader, of all sets. */
static bl_status convert_range(conversion *c, size_t first, size_t last) {
    const bl_reader *reader = c->reader;
    bl_status status = BL_OK;
    for (int s = 0; s < reader->sets.count; s++) {
        if (reader->sets.items[s].kind == BL_SET_BOUNDARY && !reader->scene->output.boundaries) continue;
        if (reader->sets.items[s].fixed)
            status = convert_one(c, s, 0);
        else
            for (size_t k = first; status == BL_OK && k <= last; k++)
                status = convert_one(c, s, reader->frames[k].number);
        if (status != BL_OK) break;
    }
    return status;
}

static bl_status convert_frames(conversion *c, int frame) {
    const bl_reader *reader = c->reader;
    if (reader->frame_count == 0) return bl_fail(c->ctx, BL_ERR_NO_INPUT, "%s: the run has no frames yet", reader->dir);
    size_t last = reader->frame_count - 1;
    if (frame == BL_FRAME_ALL) return convert_range(c, 0, last);
    long position = frame == BL_FRAME_LAST ? (long)last : bl_reader_find_frame(reader, frame);
    if (position < 0)
        return bl_fail(c->ctx, BL_ERR_NO_INPUT, "%s: there is no frame %d; the run has %d to %d", reader->dir, frame,
                       reader->frames[0].number, reader->frames[last].number);
    return convert_range(c, (size_t)position, (size_t)position);
}

bl_status bl_convert(bl_context *ctx, const char *directory, const bl_convert_options *options, int *files) {
    const format *chosen = find_format(options->format);
    if (!chosen)
        return bl_fail(ctx, BL_ERR_USAGE, "unknown format \"%s\": ply, vtu, vtu-base64 or vtkhdf is expected",
                       options->format);
    bl_reader reader = {0};
    bl_text output = bl_text_make(ctx);
    if (options->output)
        bl_text_add(&output, "%s", options->output);
    else
        bl_text_add(&output, "%s/%s", directory, options->format);
    conversion c = {ctx, &reader, chosen, bl_text_str(&output), 0};
    bl_status status = bl_reader_open(ctx, directory, &reader);
    if (status == BL_OK) status = bl_dir_create(ctx, c.directory);
    if (status == BL_OK) status = convert_frames(&c, options->frame);
    if (files) *files = c.files;
    bl_text_clear(&output);
    bl_reader_close(&reader);
    return status;
}
