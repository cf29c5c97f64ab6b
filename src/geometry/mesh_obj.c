/* Wavefront OBJ: vertices and faces; everything else is skipped. */
#include "geometry/mesh_read.h"

#include <string.h>

/* `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 1, or from -1 backwards. */
static bl_status read_index(bl_mesh_file *file, const bl_mesh *mesh, bl_word word, uint32_t *out) {
    const char *slash = memchr(word.text, '/', word.size);
    bl_word number = {word.text, slash ? (size_t)(slash - word.text) : word.size};
    int shown = (int)(word.size < 40 ? word.size : 40);
    long long index;
    if (!bl_word_integer(number, &index) || index == 0)
        return bl_mesh_fail_line(file, "`%.*s`; expected a vertex number like 1, 1/2 or 1//3", shown, word.text);
    long long count = (long long)mesh->vertex_count;
    if (index > count || index < -count)
        return bl_mesh_fail_line(file, "vertex %lld; expected 1 to %lld (the vertices so far)", index, count);
    *out = (uint32_t)(index > 0 ? index - 1 : count + index);
    return BL_OK;
}

/* A face goes on over lines that end in a backslash. */
static bl_word next_corner(bl_mesh_file *file) {
    bl_word word = bl_mesh_next_word(file);
    while (bl_word_is(word, "\\") && bl_mesh_next_line(file)) word = bl_mesh_next_word(file);
    return word;
}

static bl_status read_face(bl_mesh_file *file, bl_mesh_builder *builder) {
    uint32_t corner[3] = {0};
    int n = 0;
    for (bl_word word = next_corner(file); word.size > 0 && word.text[0] != '#'; word = next_corner(file)) {
        bl_status status = read_index(file, builder->mesh, word, &corner[n < 2 ? n : 2]);
        if (!status && ++n >= 3) {
            status = bl_mesh_add_triangle(builder, corner[0], corner[1], corner[2]);
            corner[1] = corner[2];
        }
        if (status) return status;
    }
    if (n < 3) return bl_mesh_fail_line(file, "a face of %d vertices; expected 3 or more", n);
    return BL_OK;
}

bl_status bl_mesh_read_obj(bl_mesh_file *file, bl_mesh_builder *builder) {
    bl_status status = BL_OK;
    do {
        bl_word word = bl_mesh_next_word(file);
        if (bl_word_is(word, "v"))
            status = bl_mesh_read_vertex_words(file, builder);
        else if (bl_word_is(word, "f"))
            status = read_face(file, builder);
    } while (!status && bl_mesh_next_line(file));
    return status;
}
