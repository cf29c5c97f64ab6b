#include "geometry/mesh_read.h"
#include "base/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double MAX_COORDINATE = 1e15;

/* --- words ------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0'; }

bl_word bl_mesh_next_word(bl_mesh_file *file) {
    const char *data = file->data;
    while (file->at < file->size && is_blank(data[file->at])) file->at++;
    size_t begin = file->at;
    while (file->at < file->size && !is_blank(data[file->at]) && data[file->at] != '\n') file->at++;
    return (bl_word){data + begin, file->at - begin};
}

bool bl_mesh_next_line(bl_mesh_file *file) {
    const char *end = memchr(file->data + file->at, '\n', file->size - file->at);
    if (!end) {
        file->at = file->size;
        return false;
    }
    file->at = (size_t)(end - file->data) + 1;
    file->line++;
    return file->at < file->size;
}

bool bl_word_is(bl_word word, const char *text) {
    return word.size == strlen(text) && memcmp(word.text, text, word.size) == 0;
}

/* strtod needs an end: the words are copied. No number worth reading is longer. */
enum { NUMBER_SIZE = 64 };

static bool copy_word(bl_word word, char buffer[NUMBER_SIZE]) {
    if (word.size == 0 || word.size >= NUMBER_SIZE) return false;
    memcpy(buffer, word.text, word.size);
    buffer[word.size] = '\0';
    return true;
}

bool bl_word_number(bl_word word, double *out) {
    char buffer[NUMBER_SIZE], *end;
    if (!copy_word(word, buffer)) return false;
    *out = strtod(buffer, &end);
    return *end == '\0';
}

bool bl_word_integer(bl_word word, long long *out) {
    char buffer[NUMBER_SIZE], *end;
    if (!copy_word(word, buffer)) return false;
    *out = strtoll(buffer, &end, 10);
    return *end == '\0';
}

/* --- errors and vertices ----------------------------------------------------------------------------------------- */

bl_status bl_mesh_fail_line(const bl_mesh_file *file, const char *fmt, ...) {
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return bl_fail(file->ctx, BL_ERR_DATA, "%s:%zu: %s", file->path, file->line, text);
}

bl_status bl_mesh_fail_byte(const bl_mesh_file *file, const char *fmt, ...) {
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return bl_fail(file->ctx, BL_ERR_DATA, "%s: byte %zu: %s", file->path, file->at, text);
}

bl_status bl_mesh_add_read_vertex(bl_mesh_file *file, bl_mesh_builder *builder, const double x[3], bool binary) {
    for (int k = 0; k < 3; k++) {
        if (fabs(x[k]) <= MAX_COORDINATE) continue;
        return binary ? bl_mesh_fail_byte(file, "coordinate %g; expected a finite number", x[k])
                      : bl_mesh_fail_line(file, "coordinate %g; expected a finite number", x[k]);
    }
    if (builder->mesh->vertex_count >= UINT32_MAX)
        return bl_fail(file->ctx, BL_ERR_DATA, "%s: more than 2^32 vertices", file->path);
    return bl_mesh_add_vertex(builder, bl_v3d_make(x[0], x[1], x[2]));
}

bl_status bl_mesh_read_vertex_words(bl_mesh_file *file, bl_mesh_builder *builder) {
    double x[3];
    for (int k = 0; k < 3; k++) {
        bl_word word = bl_mesh_next_word(file);
        if (word.size == 0) return bl_mesh_fail_line(file, "%d coordinates; expected 3", k);
        if (!bl_word_number(word, &x[k]))
            return bl_mesh_fail_line(file, "`%.*s`; expected a number", (int)(word.size < 40 ? word.size : 40),
                                     word.text);
    }
    return bl_mesh_add_read_vertex(file, builder, x, false);
}

/* --- which format ------------------------------------------------------------------------------------------------ */

static bool has_extension(const char *path, const char *extension) {
    size_t n = strlen(path), m = strlen(extension);
    return n >= m && strcasecmp(path + n - m, extension) == 0;
}

static bool begins_with(const bl_mesh_file *file, const char *text) {
    size_t n = strlen(text);
    return file->size >= n && memcmp(file->data, text, n) == 0;
}

static bl_status read_format(bl_mesh_file *file, bl_mesh_builder *builder) {
    if (begins_with(file, "ply\n") || begins_with(file, "ply\r")) return bl_mesh_read_ply(file, builder);
    if (has_extension(file->path, ".ply"))
        return bl_mesh_fail_line(file, "not a PLY file; expected `ply` on the first line");
    if (has_extension(file->path, ".stl") || bl_mesh_is_binary_stl(file)) return bl_mesh_read_stl(file, builder);
    if (has_extension(file->path, ".obj")) return bl_mesh_read_obj(file, builder);
    return bl_fail(file->ctx, BL_ERR_DATA, "%s: unknown mesh format; expected .obj, .ply or .stl", file->path);
}

bl_status bl_mesh_parse(bl_context *ctx, const char *data, size_t size, const char *path, bl_mesh **out) {
    *out = NULL;
    bl_mesh_file file = {.ctx = ctx, .path = path, .data = data, .size = size, .line = 1};
    bl_mesh_builder builder = {0};
    bl_status status = bl_mesh_create(ctx, &builder.mesh);
    if (status) return status;
    status = read_format(&file, &builder);
    if (!status && builder.mesh->triangle_count >= UINT32_MAX / 3)
        status = bl_fail(ctx, BL_ERR_DATA, "%s: too many triangles (%zu)", path, builder.mesh->triangle_count);
    if (!status) status = bl_mesh_finish(builder.mesh, path);
    if (status)
        bl_mesh_destroy(builder.mesh);
    else
        *out = builder.mesh;
    return status;
}

bl_status bl_mesh_read(bl_context *ctx, const char *path, bl_mesh **out) {
    char *data;
    size_t size;
    *out = NULL;
    bl_status status = bl_file_read(ctx, path, &data, &size);
    if (status) return status;
    status = bl_mesh_parse(ctx, data, size, path, out);
    bl_release(ctx, data);
    return status;
}
