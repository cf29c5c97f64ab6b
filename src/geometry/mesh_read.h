/* The mesh file formats. Each reader fills an empty mesh; the caller finishes or destroys it. */
#ifndef BL_GEOMETRY_MESH_READ_H
#define BL_GEOMETRY_MESH_READ_H

#include "geometry/mesh.h"

/* A file in memory, followed by a zero byte, and how far it is read. */
typedef struct bl_mesh_file {
    bl_context *ctx;
    const char *path; /* for messages */
    const char *data;
    size_t size, at;
    size_t line; /* of text, from 1 */
} bl_mesh_file;

bl_status bl_mesh_read_obj(bl_mesh_file *file, bl_mesh_builder *builder);
bl_status bl_mesh_read_ply(bl_mesh_file *file, bl_mesh_builder *builder);
bl_status bl_mesh_read_stl(bl_mesh_file *file, bl_mesh_builder *builder);
bool bl_mesh_is_binary_stl(const bl_mesh_file *file);

/* Words of the current line. A word is what stands between blanks. */
typedef struct bl_word {
    const char *text; /* not zero-terminated */
    size_t size;      /* 0: no more words on this line */
} bl_word;
bl_word bl_mesh_next_word(bl_mesh_file *file);
bool bl_mesh_next_line(bl_mesh_file *file); /* false at the end of the file */
bool bl_word_is(bl_word word, const char *text);
bool bl_word_number(bl_word word, double *out); /* a whole word that is a number */
bool bl_word_integer(bl_word word, long long *out);

/* `path:line: ...` */
bl_status bl_mesh_fail_line(const bl_mesh_file *file, const char *fmt, ...) BL_PRINTF(2, 3);
/* `path: byte N: ...` */
bl_status bl_mesh_fail_byte(const bl_mesh_file *file, const char *fmt, ...) BL_PRINTF(2, 3);

/* A vertex with finite coordinates of sane size; `binary` chooses how the place is told. */
bl_status bl_mesh_add_read_vertex(bl_mesh_file *file, bl_mesh_builder *builder, const double x[3], bool binary);
/* The next three words as a vertex. */
bl_status bl_mesh_read_vertex_words(bl_mesh_file *file, bl_mesh_builder *builder);

#endif
