/* STL: loose triangles, as text or binary; vertices are merged later. */
#include "geometry/mesh_read.h"

#include <string.h>
#include <strings.h>

enum { HEADER_SIZE = 84, FACET_SIZE = 50 };

static uint32_t read_u32(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float read_f32(const char *at) {
    uint32_t bits = read_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Some programs begin binary files with `solid` too: the size that the count foretells decides. */
bool bl_mesh_is_binary_stl(const bl_mesh_file *file) {
    if (file->size < HEADER_SIZE) return false;
    uint64_t expected = HEADER_SIZE + (uint64_t)FACET_SIZE * read_u32(file->data + 80);
    return file->size == expected;
}

static bl_status add_facet(bl_mesh_builder *builder) {
    uint32_t n = (uint32_t)builder->mesh->vertex_count;
    return bl_mesh_add_triangle(builder, n - 3, n - 2, n - 1);
}

static bl_status read_binary(bl_mesh_file *file, bl_mesh_builder *builder) {
    if (file->size < HEADER_SIZE)
        return bl_mesh_fail_byte(file, "the file ends after %zu bytes; expected a header of %d", file->size,
                                 HEADER_SIZE);
    uint32_t count = read_u32(file->data + 80);
    if ((file->size - HEADER_SIZE) / FACET_SIZE < count) {
        file->at = 80;
        return bl_mesh_fail_byte(file, "%u triangles announced, but the file has room for %zu", count,
                                 (file->size - HEADER_SIZE) / FACET_SIZE);
    }
    bl_status status = BL_OK;
    file->at = HEADER_SIZE;
    for (uint32_t t = 0; t < count && !status; t++) {
        file->at += 12; /* the normal */
        for (int k = 0; k < 3 && !status; k++, file->at += 12) {
            const char *at = file->data + file->at;
            double x[3] = {(double)read_f32(at), (double)read_f32(at + 4), (double)read_f32(at + 8)};
            status = bl_mesh_add_read_vertex(file, builder, x, true);
        }
        file->at += 2; /* attributes */
        if (!status) status = add_facet(builder);
    }
    return status;
}

static bool is_keyword(bl_word word, const char *text) {
    return word.size == strlen(text) && strncasecmp(word.text, text, word.size) == 0;
}

static bl_status read_ascii(bl_mesh_file *file, bl_mesh_builder *builder) {
    bl_status status = BL_OK;
    int corners = 0;
    do {
        bl_word word = bl_mesh_next_word(file);
        if (is_keyword(word, "vertex")) {
            status = bl_mesh_read_vertex_words(file, builder);
            corners++;
        } else if (is_keyword(word, "endloop") || is_keyword(word, "endfacet")) {
            if (corners != 0 && corners != 3)
                return bl_mesh_fail_line(file, "a facet of %d vertices; expected 3", corners);
            if (corners == 3) status = add_facet(builder);
            corners = 0;
        }
    } while (!status && bl_mesh_next_line(file));
    if (!status && corners != 0) return bl_mesh_fail_line(file, "the file ends inside a facet");
    return status;
}

bl_status bl_mesh_read_stl(bl_mesh_file *file, bl_mesh_builder *builder) {
    bool text = file->size >= 5 && strncasecmp(file->data, "solid", 5) == 0 && !bl_mesh_is_binary_stl(file);
    return text ? read_ascii(file, builder) : read_binary(file, builder);
}
