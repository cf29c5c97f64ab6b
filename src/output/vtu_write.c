#include "base/base64.h"
#include "base/text.h"
#include "output/formats.h"

#include <errno.h>
#include <string.h>

bl_status bl_finish_file(bl_context *ctx, bl_outfile *file, bl_status status) {
    if (status == BL_OK && ferror(file->stream))
        status = bl_fail(ctx, BL_ERR_IO, "%s: cannot write: %s", file->path, strerror(errno));
    if (status == BL_OK) return bl_outfile_commit(ctx, file);
    bl_outfile_abandon(ctx, file);
    return status;
}

/* A VTU file in the making: the XML is written first, raw data follows in the same order. */
typedef struct vtu_file {
    FILE *file;
    const bl_frame *frame;
    bool base64;
    uint64_t offset; /* of the next array in the appended data */
} vtu_file;

/* Cells are the same numbers for every frame, so they are made while writing instead of being stored. */
typedef enum cell_array { CELL_CONNECTIVITY, CELL_OFFSETS, CELL_TYPES, CELL_ARRAYS } cell_array;
static const char *const cell_names[CELL_ARRAYS] = {"connectivity", "offsets", "types"};
static const size_t cell_sizes[CELL_ARRAYS] = {8, 8, 1};
enum { VTK_VERTEX = 1 };

static void put(const vtu_file *vtu, bl_base64 *stream, const void *data, size_t size) {
    if (vtu->base64)
        bl_base64_write(stream, data, size);
    else
        fwrite(data, 1, size, vtu->file);
}

static void put_array(const vtu_file *vtu, const void *data, uint64_t size) {
    bl_base64 stream = {.file = vtu->file};
    put(vtu, &stream, &size, sizeof size);
    put(vtu, &stream, data, size);
    bl_base64_end(&stream);
}

static void put_cells(const vtu_file *vtu, cell_array which) {
    bl_base64 stream = {.file = vtu->file};
    uint64_t count = vtu->frame->count, size = count * cell_sizes[which];
    put(vtu, &stream, &size, sizeof size);
    for (uint64_t begin = 0; begin < count; begin += 512) {
        uint64_t n = count - begin < 512 ? count - begin : 512;
        int64_t numbers[512];
        unsigned char types[512];
        for (uint64_t k = 0; k < n; k++) numbers[k] = (int64_t)(begin + k + (which == CELL_OFFSETS));
        memset(types, VTK_VERTEX, sizeof types);
        put(vtu, &stream, which == CELL_TYPES ? (const void *)types : numbers, n * cell_sizes[which]);
    }
    bl_base64_end(&stream);
}

static const char *vtk_type(bl_array_type type) {
    return type == BL_ARRAY_F32 ? "Float32" : type == BL_ARRAY_F64 ? "Float64" : "UInt32";
}

/* The end of a DataArray's opening tag: where its bytes are. True if they follow here. */
static bool begin_data(vtu_file *vtu, uint64_t size) {
    if (vtu->base64) {
        fprintf(vtu->file, " format=\"binary\">\n");
        return true;
    }
    fprintf(vtu->file, " format=\"appended\" offset=\"%llu\"/>\n", (unsigned long long)vtu->offset);
    vtu->offset += sizeof(uint64_t) + size;
    return false;
}

static uint64_t array_size(const vtu_file *vtu, const bl_array *array) {
    return vtu->frame->count * (uint64_t)bl_array_item_size(array);
}

static void declare_array(vtu_file *vtu, const bl_array *array, const char *name) {
    fprintf(vtu->file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"", vtk_type(array->type), name,
            array->components);
    if (!begin_data(vtu, array_size(vtu, array))) return;
    put_array(vtu, array->data, array_size(vtu, array));
    fprintf(vtu->file, "\n</DataArray>\n");
}

static void declare_cells(vtu_file *vtu, cell_array which) {
    fprintf(vtu->file, "<DataArray type=\"%s\" Name=\"%s\"", which == CELL_TYPES ? "UInt8" : "Int64",
            cell_names[which]);
    if (!begin_data(vtu, vtu->frame->count * cell_sizes[which])) return;
    put_cells(vtu, which);
    fprintf(vtu->file, "\n</DataArray>\n");
}

static void write_head(vtu_file *vtu) {
    char time[32];
    unsigned long long count = vtu->frame->count;
    fprintf(vtu->file,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "<UnstructuredGrid>\n"
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
            "%s</DataArray>\n</FieldData>\n"
            "<Piece NumberOfPoints=\"%llu\" NumberOfCells=\"%llu\">\n",
            bl_format_double(time, vtu->frame->time), count, count);
}

static void write_body(vtu_file *vtu) {
    fprintf(vtu->file, "<PointData>\n");
    for (int a = 0; a < vtu->frame->array_count; a++)
        declare_array(vtu, &vtu->frame->arrays[a], vtu->frame->arrays[a].name);
    fprintf(vtu->file, "</PointData>\n<Points>\n");
    declare_array(vtu, &vtu->frame->points, "Points");
    fprintf(vtu->file, "</Points>\n<Cells>\n");
    for (int c = 0; c < CELL_ARRAYS; c++) declare_cells(vtu, (cell_array)c);
    fprintf(vtu->file, "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
}

/* The arrays in the order in which write_body gave out offsets. */
static void write_appended(vtu_file *vtu) {
    fprintf(vtu->file, "<AppendedData encoding=\"raw\">\n_");
    for (int a = 0; a < vtu->frame->array_count; a++)
        put_array(vtu, vtu->frame->arrays[a].data, array_size(vtu, &vtu->frame->arrays[a]));
    put_array(vtu, vtu->frame->points.data, array_size(vtu, &vtu->frame->points));
    for (int c = 0; c < CELL_ARRAYS; c++) put_cells(vtu, (cell_array)c);
    fprintf(vtu->file, "\n</AppendedData>\n");
}

bl_status bl_vtu_write(bl_context *ctx, const char *path, const bl_frame *frame, bool base64) {
    bl_outfile file;
    bl_status status = bl_outfile_open(ctx, path, &file);
    if (status != BL_OK) return status;
    vtu_file vtu = {.file = file.stream, .frame = frame, .base64 = base64};
    write_head(&vtu);
    write_body(&vtu);
    if (!base64) write_appended(&vtu);
    fprintf(vtu.file, "</VTKFile>\n");
    return bl_finish_file(ctx, &file, BL_OK);
}
