/* PLY 1.0: vertices with x, y, z and faces with vertex_indices; other elements and properties are skipped. */
#include "geometry/mesh_read.h"

#include <string.h>

typedef enum encoding { ENCODING_NONE, ASCII, LITTLE, BIG } encoding;
typedef enum scalar { SCALAR_NONE, INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64 } scalar;

enum { MAX_ELEMENTS = 16, MAX_PROPERTIES = 64, MAX_CORNERS = 4096 };

typedef struct property {
    scalar type, count_type; /* count_type: SCALAR_NONE unless a list */
    int role;                /* vertex: 0, 1, 2 for x, y, z; face: 0 for the indices; else -1 */
} property;

typedef struct element {
    enum { OTHER, VERTEX, FACE } kind;
    size_t count;
    int property_count;
    property properties[MAX_PROPERTIES];
} element;

typedef struct ply_header {
    encoding encoding;
    int element_count;
    element elements[MAX_ELEMENTS];
} ply_header;

/* --- header ------------------------------------------------------------------------------------------------------ */

static int shown(bl_word word) { return (int)(word.size < 40 ? word.size : 40); }

static scalar scalar_type(bl_word word) {
    static const struct {
        const char *name;
        scalar type;
    } names[] = {{"char", INT8},     {"int8", INT8},       {"uchar", UINT8},    {"uint8", UINT8},
                 {"short", INT16},   {"int16", INT16},     {"ushort", UINT16},  {"uint16", UINT16},
                 {"int", INT32},     {"int32", INT32},     {"uint", UINT32},    {"uint32", UINT32},
                 {"float", FLOAT32}, {"float32", FLOAT32}, {"double", FLOAT64}, {"float64", FLOAT64}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (bl_word_is(word, names[i].name)) return names[i].type;
    return SCALAR_NONE;
}

static size_t scalar_size(scalar type) {
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

static bl_status read_format_line(bl_mesh_file *file, ply_header *header) {
    bl_word word = bl_mesh_next_word(file);
    header->encoding = bl_word_is(word, "ascii")                  ? ASCII
                       : bl_word_is(word, "binary_little_endian") ? LITTLE
                       : bl_word_is(word, "binary_big_endian")    ? BIG
                                                                  : ENCODING_NONE;
    if (header->encoding == ENCODING_NONE)
        return bl_mesh_fail_line(file, "format `%.*s`; expected ascii, binary_little_endian or binary_big_endian",
                                 shown(word), word.text);
    return BL_OK;
}

static bl_status read_element_line(bl_mesh_file *file, ply_header *header) {
    bl_word name = bl_mesh_next_word(file), number = bl_mesh_next_word(file);
    long long count;
    if (!bl_word_integer(number, &count) || count < 0)
        return bl_mesh_fail_line(file, "element count `%.*s`; expected a whole number", shown(number), number.text);
    /* Every item takes a byte at the least. */
    if ((unsigned long long)count > file->size)
        return bl_mesh_fail_line(file, "%lld items announced in a file of %zu bytes", count, file->size);
    if (header->element_count == MAX_ELEMENTS) return bl_mesh_fail_line(file, "more than %d elements", MAX_ELEMENTS);
    element *e = &header->elements[header->element_count++];
    e->kind = bl_word_is(name, "vertex") ? VERTEX : bl_word_is(name, "face") ? FACE : OTHER;
    e->count = (size_t)count;
    return BL_OK;
}

static int property_role(const element *e, bl_word name, bool list) {
    if (e->kind == VERTEX && !list && name.size == 1 && name.text[0] >= 'x' && name.text[0] <= 'z')
        return name.text[0] - 'x';
    if (e->kind == FACE && list && (bl_word_is(name, "vertex_indices") || bl_word_is(name, "vertex_index"))) return 0;
    return -1;
}

static bl_status read_property_line(bl_mesh_file *file, ply_header *header) {
    if (header->element_count == 0) return bl_mesh_fail_line(file, "a property before the first element");
    element *e = &header->elements[header->element_count - 1];
    if (e->property_count == MAX_PROPERTIES) return bl_mesh_fail_line(file, "more than %d properties", MAX_PROPERTIES);
    property *p = &e->properties[e->property_count];
    bl_word word = bl_mesh_next_word(file);
    bool list = bl_word_is(word, "list");
    if (list) {
        word = bl_mesh_next_word(file);
        p->count_type = scalar_type(word);
        if (p->count_type == SCALAR_NONE || p->count_type >= FLOAT32)
            return bl_mesh_fail_line(file, "list count of type `%.*s`; expected a whole-number type", shown(word),
                                     word.text);
        word = bl_mesh_next_word(file);
    }
    p->type = scalar_type(word);
    if (p->type == SCALAR_NONE)
        return bl_mesh_fail_line(file, "type `%.*s`; expected a PLY type such as float or uchar", shown(word),
                                 word.text);
    p->role = property_role(e, bl_mesh_next_word(file), list);
    e->property_count++;
    return BL_OK;
}

static bool has_roles(const ply_header *header, int kind, unsigned roles) {
    for (int e = 0; e < header->element_count; e++) {
        const element *el = &header->elements[e];
        unsigned found = 0;
        for (int p = 0; p < el->property_count; p++)
            if (el->properties[p].role >= 0) found |= 1u << el->properties[p].role;
        if ((int)el->kind == kind && found == roles) return true;
    }
    return false;
}

static bl_status read_header(bl_mesh_file *file, ply_header *header) {
    bl_status status = BL_OK;
    for (;;) {
        if (!bl_mesh_next_line(file)) return bl_mesh_fail_line(file, "the file ends inside the header");
        bl_word word = bl_mesh_next_word(file);
        if (bl_word_is(word, "end_header")) break;
        if (bl_word_is(word, "format"))
            status = read_format_line(file, header);
        else if (bl_word_is(word, "element"))
            status = read_element_line(file, header);
        else if (bl_word_is(word, "property"))
            status = read_property_line(file, header);
        else if (word.size > 0 && !bl_word_is(word, "comment") && !bl_word_is(word, "obj_info"))
            return bl_mesh_fail_line(file, "`%.*s`; expected format, element, property, comment or end_header",
                                     shown(word), word.text);
        if (status) return status;
    }
    if (header->encoding == ENCODING_NONE) return bl_mesh_fail_line(file, "no `format` line in the header");
    if (!has_roles(header, VERTEX, 7)) return bl_mesh_fail_line(file, "no element `vertex` with x, y and z");
    if (!has_roles(header, FACE, 1))
        return bl_mesh_fail_line(file, "no element `face` with a list vertex_indices: not a triangle mesh");
    bl_mesh_next_line(file);
    return BL_OK;
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static double decode(const unsigned char *b, scalar type, bool big) {
    size_t size = scalar_size(type);
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) bits |= (uint64_t)b[big ? size - 1 - i : i] << 8 * i;
    uint32_t low = (uint32_t)bits;
    float f;
    double d;
    switch (type) {
    case INT8: return (int8_t)low;
    case INT16: return (int16_t)low;
    case INT32: return (int32_t)low;
    case FLOAT32: memcpy(&f, &low, sizeof f); return (double)f;
    case FLOAT64: memcpy(&d, &bits, sizeof d); return d;
    default: return (double)low;
    }
}

/* In text, values follow each other across lines. */
static bl_status read_text_value(bl_mesh_file *file, double *out) {
    bl_word word = bl_mesh_next_word(file);
    while (word.size == 0) {
        if (!bl_mesh_next_line(file)) return bl_mesh_fail_line(file, "the file ends where a number is expected");
        word = bl_mesh_next_word(file);
    }
    if (!bl_word_number(word, out)) return bl_mesh_fail_line(file, "`%.*s`; expected a number", shown(word), word.text);
    return BL_OK;
}

static bl_status read_value(bl_mesh_file *file, encoding enc, scalar type, double *out) {
    if (enc == ASCII) return read_text_value(file, out);
    size_t size = scalar_size(type);
    if (file->size - file->at < size) return bl_mesh_fail_byte(file, "the file ends inside a value");
    *out = decode((const unsigned char *)file->data + file->at, type, enc == BIG);
    file->at += size;
    return BL_OK;
}

static bl_status fail_at(bl_mesh_file *file, encoding enc, const char *what, double value, double limit) {
    return enc == ASCII ? bl_mesh_fail_line(file, "%s %g; expected 0 to %g", what, value, limit)
                        : bl_mesh_fail_byte(file, "%s %g; expected 0 to %g", what, value, limit);
}

/* --- elements ---------------------------------------------------------------------------------------------------- */

typedef struct corner_fan {
    uint32_t first, previous;
    size_t n;
} corner_fan;

static bl_status read_list(bl_mesh_file *file, encoding enc, const property *p, size_t vertices,
                           bl_mesh_builder *builder) {
    double count = 0, value = 0;
    bl_status status = read_value(file, enc, p->count_type, &count);
    if (status) return status;
    double limit = p->role == 0 ? MAX_CORNERS : (double)file->size;
    if (!(count >= 0 && count <= limit)) return fail_at(file, enc, "list of length", count, limit);
    corner_fan fan = {0};
    for (size_t i = 0, n = (size_t)count; i < n && !status; i++) {
        status = read_value(file, enc, p->type, &value);
        if (status || p->role != 0) continue;
        if (!(value >= 0 && value < (double)vertices)) return fail_at(file, enc, "vertex", value, (double)vertices - 1);
        uint32_t v = (uint32_t)value;
        if (fan.n == 0) fan.first = v;
        if (fan.n >= 2) status = bl_mesh_add_triangle(builder, fan.first, fan.previous, v);
        fan.previous = v;
        fan.n++;
    }
    return status;
}

static bl_status read_element(bl_mesh_file *file, encoding enc, const element *e, size_t vertices,
                              bl_mesh_builder *builder) {
    for (size_t item = 0; item < e->count; item++) {
        double x[3] = {0, 0, 0}, value = 0;
        for (int k = 0; k < e->property_count; k++) {
            const property *p = &e->properties[k];
            bl_status status = p->count_type != SCALAR_NONE ? read_list(file, enc, p, vertices, builder)
                                                            : read_value(file, enc, p->type, &value);
            if (status) return status;
            if (e->kind == VERTEX && p->role >= 0) x[p->role] = value;
        }
        bl_status status = e->kind == VERTEX ? bl_mesh_add_read_vertex(file, builder, x, enc != ASCII) : BL_OK;
        if (status) return status;
    }
    return BL_OK;
}

bl_status bl_mesh_read_ply(bl_mesh_file *file, bl_mesh_builder *builder) {
    ply_header header = {0};
    bl_status status = read_header(file, &header);
    size_t vertices = 0;
    for (int e = 0; e < header.element_count && !status; e++)
        if (header.elements[e].kind == VERTEX) vertices += header.elements[e].count;
    for (int e = 0; e < header.element_count && !status; e++)
        status = read_element(file, header.encoding, &header.elements[e], vertices, builder);
    return status;
}
