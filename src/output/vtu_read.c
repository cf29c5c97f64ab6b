/* Reading VTU: the tags in order, each DataArray decoded from wherever its bytes are. Nothing in the file is trusted:
 * every size is checked against the bytes that are there before memory is taken. */
#include "base/file.h"
#include "output/formats.h"
#include "output/reader.h"
#include "output/xml.h"

#include <stdlib.h>
#include <string.h>

typedef struct vtu_parser {
    bl_context *ctx;
    const char *name;
    const char *begin, *end; /* the file */
    const char *xml_end;     /* tags are found before this */
    const char *data;        /* behind the '_' of the appended data, or NULL */
    bool data_is_base64;     /* encoding of the appended data */
    size_t header_size;      /* 4 or 8 bytes of length before each block */
    bool has_piece, has_points, done;
    bl_frame *frame;
} vtu_parser;

static bl_status bad(const vtu_parser *p, const char *what, const char *detail) {
    return bl_fail(p->ctx, BL_ERR_DATA, "%s: %s%s%s", p->name, what, detail ? ": " : "", detail ? detail : "");
}

/* --- bytes --- */

static int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decode up to `wanted` bytes; returns how many came. White space before the digits is skipped. */
static size_t base64_decode(const char *text, const char *end, unsigned char *out, size_t wanted) {
    size_t n = 0;
    unsigned bits = 0, value = 0;
    while (text < end && (*text == '\n' || *text == '\r' || *text == ' ' || *text == '\t')) text++;
    for (; text < end && n < wanted; text++) {
        int digit = base64_value(*text);
        if (digit < 0) break;
        value = (value << 6 | (unsigned)digit) & 0xffffffu;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out[n++] = (unsigned char)(value >> bits & 0xffu);
    }
    return n;
}

/* The number before a block: little endian, 4 or 8 bytes. */
static uint64_t length_of_block(const vtu_parser *p, const void *header) {
    uint64_t length = 0;
    memcpy(&length, header, p->header_size);
    return length;
}

/* A block of header and `size` bytes, raw. */
static bl_status read_raw(const vtu_parser *p, const char *at, const char *end, const char *array, void *out,
                          size_t size) {
    if ((size_t)(end - at) < p->header_size || (size_t)(end - at) - p->header_size < size)
        return bad(p, "cut off inside an array", array);
    if (length_of_block(p, at) != size) return bad(p, "an array has another size than the number of points", array);
    if (size) memcpy(out, at + p->header_size, size);
    return BL_OK;
}

/* The same in base64: header and data are one stream of digits. */
static bl_status read_base64(const vtu_parser *p, const char *at, const char *end, const char *array, void *out,
                             size_t size) {
    if ((size_t)(end - at) / 4 * 3 < size) return bad(p, "cut off inside an array", array);
    unsigned char *bytes = bl_alloc(p->ctx, p->header_size + size, 1);
    if (!bytes) return BL_ERR_MEMORY;
    bl_status status = BL_OK;
    if (base64_decode(at, end, bytes, p->header_size + size) != p->header_size + size)
        status = bad(p, "cut off inside an array", array);
    else if (length_of_block(p, bytes) != size)
        status = bad(p, "an array has another size than the number of points", array);
    else if (size)
        memcpy(out, bytes + p->header_size, size);
    bl_release(p->ctx, bytes);
    return status;
}

/* `count` numbers as text. The file ends with a zero byte, which stops strtod. */
static bl_status read_ascii(const vtu_parser *p, const char *at, const char *end, const bl_array *array, size_t count) {
    for (size_t k = 0; k < count; k++) {
        char *behind;
        double value = strtod(at, &behind);
        if (behind == at || behind > end) return bad(p, "an array holds too few numbers", array->name);
        at = behind;
        if (array->type == BL_ARRAY_F32)
            ((float *)array->data)[k] = (float)value;
        else if (array->type == BL_ARRAY_F64)
            ((double *)array->data)[k] = value;
        else if (value >= 0 && value <= UINT32_MAX)
            ((uint32_t *)array->data)[k] = (uint32_t)value;
        else
            return bad(p, "a number is not a UInt32", array->name);
    }
    return BL_OK;
}

/* --- arrays --- */

static bl_status read_appended(const vtu_parser *p, bl_xml_tag tag, const bl_array *array, size_t size) {
    unsigned long long offset;
    if (!p->data) return bad(p, "the appended data is missing", NULL);
    if (!bl_xml_integer(tag, "offset", (unsigned long long)(p->end - p->data), &offset))
        return bad(p, "an array lies outside the file", array->name);
    const char *at = p->data + offset;
    return p->data_is_base64 ? read_base64(p, at, p->end, array->name, array->data, size)
                             : read_raw(p, at, p->end, array->name, array->data, size);
}

static bl_status read_content(const vtu_parser *p, bl_xml_tag tag, const bl_array *array, size_t count) {
    char format[16] = "";
    size_t size = count * bl_array_item_size(array);
    bl_xml_attribute(tag, "format", format, sizeof format);
    if (strcmp(format, "appended") == 0) return read_appended(p, tag, array, size);

    const char *close = memchr(tag.end, '<', (size_t)(p->xml_end - tag.end));
    if (!close) return bad(p, "cut off inside an array", array->name);
    if (strcmp(format, "binary") == 0) return read_base64(p, tag.end, close, array->name, array->data, size);
    if (strcmp(format, "ascii") == 0) return read_ascii(p, tag.end, close, array, count * (size_t)array->components);
    return bad(p, "an array's format is none of appended, binary, ascii", array->name);
}

static bool parse_type(const char *text, bl_array_type *type) {
    static const char *const names[] = {"Float32", "Float64", "UInt32"}; /* as in bl_array_type */
    for (int t = 0; t < 3; t++)
        if (strcmp(text, names[t]) == 0) {
            *type = (bl_array_type)t;
            return true;
        }
    return false;
}

/* One DataArray with its data. On failure the members are released by whoever clears the frame. */
static bl_status read_array(const vtu_parser *p, bl_xml_tag tag, size_t count, bl_array *out) {
    char name[64] = "", type[16] = "";
    unsigned long long components = 1;
    bl_xml_attribute(tag, "Name", name, sizeof name);
    bl_xml_attribute(tag, "type", type, sizeof type);
    bl_xml_integer(tag, "NumberOfComponents", 1000, &components);
    out->name = bl_strdup(p->ctx, name);
    if (!out->name) return BL_ERR_MEMORY;
    if (!parse_type(type, &out->type)) return bad(p, "an array is none of Float32, Float64, UInt32", name);
    if (components != 1 && components != 3) return bad(p, "an array has neither 1 nor 3 components", name);
    out->components = (int)components;
    out->data = bl_alloc(p->ctx, count, bl_array_item_size(out));
    return out->data ? read_content(p, tag, out, count) : BL_ERR_MEMORY;
}

static bl_status read_time(const vtu_parser *p, bl_xml_tag tag) {
    char name[16] = "";
    if (!bl_xml_attribute(tag, "Name", name, sizeof name) || strcmp(name, "TimeValue") != 0) return BL_OK;
    bl_array time = {0};
    bl_status status = read_array(p, tag, 1, &time);
    if (status == BL_OK) p->frame->time = bl_array_value(&time, 0, 0);
    bl_release(p->ctx, time.name);
    bl_release(p->ctx, time.data);
    return status;
}

static bl_status read_point_array(const vtu_parser *p, bl_xml_tag tag) {
    bl_frame *frame = p->frame;
    bl_array *grown =
        bl_grow(p->ctx, frame->arrays, (size_t)frame->array_count, (size_t)frame->array_count + 1, sizeof *grown);
    if (!grown) return BL_ERR_MEMORY;
    frame->arrays = grown;
    return read_array(p, tag, frame->count, &frame->arrays[frame->array_count++]);
}

/* --- structure --- */

static bl_status read_file_tag(vtu_parser *p, bl_xml_tag tag) {
    char type[32] = "", order[32] = "", header[16] = "UInt32", compressor[64];
    bl_xml_attribute(tag, "type", type, sizeof type);
    bl_xml_attribute(tag, "byte_order", order, sizeof order);
    bl_xml_attribute(tag, "header_type", header, sizeof header);
    if (strcmp(type, "UnstructuredGrid") != 0) return bad(p, "not an UnstructuredGrid", type);
    if (strcmp(order, "LittleEndian") != 0) return bad(p, "the byte order is not LittleEndian", order);
    if (bl_xml_attribute(tag, "compressor", compressor, sizeof compressor))
        return bad(p, "compressed data is not supported", compressor);
    p->header_size = strcmp(header, "UInt64") == 0 ? 8 : 4;
    return BL_OK;
}

static bl_status read_piece_tag(vtu_parser *p, bl_xml_tag tag) {
    unsigned long long count;
    if (p->has_piece) return bad(p, "more than one piece", NULL);
    /* A point takes at least six characters in any encoding. */
    if (!bl_xml_integer(tag, "NumberOfPoints", (unsigned long long)(p->end - p->begin) / 6, &count))
        return bad(p, "the number of points is missing, or larger than the file can hold", NULL);
    p->frame->count = count;
    p->has_piece = true;
    return BL_OK;
}

static bl_status read_points(vtu_parser *p, bl_xml_tag tag) {
    if (p->has_points) return bad(p, "more than one array of points", NULL);
    p->has_points = true;
    bl_status status = read_array(p, tag, p->frame->count, &p->frame->points);
    if (status == BL_OK && (p->frame->points.components != 3 || p->frame->points.type == BL_ARRAY_U32))
        status = bad(p, "points are not three real numbers each", NULL);
    return status;
}

/* What a DataArray means depends on the element around it. */
typedef enum section { OUTSIDE, FIELD_DATA, POINT_DATA, POINTS } section;

static bl_status read_tag(vtu_parser *p, bl_xml_tag tag, section *where) {
    if (bl_xml_is(tag, "FieldData")) *where = FIELD_DATA;
    if (bl_xml_is(tag, "PointData")) *where = POINT_DATA;
    if (bl_xml_is(tag, "Points")) *where = POINTS;
    if (bl_xml_is(tag, "/FieldData") || bl_xml_is(tag, "/PointData") || bl_xml_is(tag, "/Points")) *where = OUTSIDE;
    if (bl_xml_is(tag, "Piece")) return read_piece_tag(p, tag);
    if (bl_xml_is(tag, "/Piece")) p->done = true;
    if (!bl_xml_is(tag, "DataArray") || *where == OUTSIDE) return BL_OK;
    if (*where == FIELD_DATA) return read_time(p, tag);
    if (!p->has_piece) return bad(p, "an array stands outside of a piece", NULL);
    return *where == POINTS ? read_points(p, tag) : read_point_array(p, tag);
}

/* Find the appended data behind `tag`, so that arrays may be read in the order of their tags. */
static bl_status find_appended(vtu_parser *p, bl_xml_tag tag) {
    while (bl_xml_next(tag.end, p->end, &tag)) {
        if (!bl_xml_is(tag, "AppendedData")) continue;
        char encoding[16] = "";
        bl_xml_attribute(tag, "encoding", encoding, sizeof encoding);
        const char *mark = memchr(tag.end, '_', (size_t)(p->end - tag.end));
        if (!mark) return bad(p, "cut off before the appended data", NULL);
        p->xml_end = tag.begin;
        p->data = mark + 1;
        p->data_is_base64 = strcmp(encoding, "base64") == 0;
        return BL_OK;
    }
    return BL_OK;
}

/* Whatever was cut off, the last tag went with it. */
static bool is_complete(const vtu_parser *p) {
    static const char last[] = "</VTKFile>";
    const char *end = p->end;
    while (end > p->begin && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' ')) end--;
    size_t length = strlen(last);
    return (size_t)(end - p->begin) >= length && memcmp(end - length, last, length) == 0;
}

static bl_status parse(vtu_parser *p) {
    bl_xml_tag tag = {p->begin, p->begin};
    do {
        if (!bl_xml_next(tag.end, p->end, &tag)) return bad(p, "not a VTK XML file", NULL);
    } while (!bl_xml_is(tag, "VTKFile"));
    bl_status status = read_file_tag(p, tag);
    if (status == BL_OK && !is_complete(p)) status = bad(p, "cut off: the file does not end with </VTKFile>", NULL);
    if (status == BL_OK) status = find_appended(p, tag);
    section where = OUTSIDE;
    while (status == BL_OK && !p->done && bl_xml_next(tag.end, p->xml_end, &tag)) status = read_tag(p, tag, &where);
    if (status == BL_OK && (!p->done || !p->has_points)) status = bad(p, "no piece with points", NULL);
    return status;
}

bl_status bl_vtu_parse(bl_context *ctx, const char *name, const char *bytes, size_t size, bl_frame *out) {
    *out = (bl_frame){.ctx = ctx};
    vtu_parser parser = {.ctx = ctx,
                         .name = name,
                         .begin = bytes,
                         .end = bytes + size,
                         .xml_end = bytes + size,
                         .header_size = 4,
                         .frame = out};
    bl_status status = parse(&parser);
    if (status != BL_OK) bl_frame_clear(out);
    return status;
}

bl_status bl_vtu_read(bl_context *ctx, const char *path, bl_frame *out) {
    *out = (bl_frame){.ctx = ctx};
    char *bytes;
    size_t size;
    bl_status status = bl_file_read(ctx, path, &bytes, &size);
    if (status == BL_OK) status = bl_vtu_parse(ctx, path, bytes, size, out);
    bl_release(ctx, bytes);
    return status;
}
