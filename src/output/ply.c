#include "base/text.h"
#include "output/formats.h"

#include <string.h>

/* Names of the three components: what PLY readers know for velocities and normals, else NAME_x. */
static void write_properties(FILE *file, const bl_array *array) {
    const char *type = array->type == BL_ARRAY_U32 ? "uint" : "float";
    if (array->components == 1) {
        fprintf(file, "property %s %s\n", type, array->name);
        return;
    }
    bool normal = strcmp(array->name, "normal") == 0;
    const char *stem = normal ? "n" : array->name, *joint = strlen(stem) == 1 ? "" : "_";
    for (const char *c = "xyz"; *c; c++) fprintf(file, "property %s %s%s%c\n", type, stem, joint, *c);
}

static void write_header(FILE *file, const bl_frame *frame) {
    char time[32];
    fprintf(file, "ply\nformat binary_little_endian 1.0\ncomment beadlet %s\ncomment time %s\nelement vertex %zu\n",
            bl_version(), bl_format_double(time, frame->time), frame->count);
    fprintf(file, "property float x\nproperty float y\nproperty float z\n");
    for (int a = 0; a < frame->array_count; a++) write_properties(file, &frame->arrays[a]);
    fprintf(file, "end_header\n");
}

/* One particle's values of an array; reals as float. Returns the number of bytes, at most 12. */
static size_t pack(const bl_array *array, size_t i, char *out) {
    for (int c = 0; c < array->components; c++) {
        float value = (float)bl_array_value(array, i, c);
        if (array->type == BL_ARRAY_U32)
            memcpy(out + 4 * c, (const uint32_t *)array->data + i * (size_t)array->components + c, 4);
        else
            memcpy(out + 4 * c, &value, 4);
    }
    return 4 * (size_t)array->components;
}

static bl_status write_vertices(bl_context *ctx, FILE *file, const bl_frame *frame) {
    char *row = bl_alloc(ctx, (size_t)frame->array_count + 1, 12);
    if (!row) return BL_ERR_MEMORY;
    for (size_t i = 0; i < frame->count; i++) {
        size_t size = pack(&frame->points, i, row);
        for (int a = 0; a < frame->array_count; a++) size += pack(&frame->arrays[a], i, row + size);
        fwrite(row, 1, size, file);
    }
    bl_release(ctx, row);
    return BL_OK;
}

bl_status bl_ply_write(bl_context *ctx, const char *path, const bl_frame *frame) {
    bl_outfile file;
    bl_status status = bl_outfile_open(ctx, path, &file);
    if (status != BL_OK) return status;
    write_header(file.stream, frame);
    status = write_vertices(ctx, file.stream, frame);
    return bl_finish_file(ctx, &file, status);
}
