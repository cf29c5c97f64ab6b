#include "output/formats.h"
#include "output/hdf5_file.h"

static hid_t array_type(bl_array_type type) {
    return type == BL_ARRAY_F32 ? H5T_IEEE_F32LE : type == BL_ARRAY_F64 ? H5T_IEEE_F64LE : H5T_STD_U32LE;
}

static void put_array(bl_h5 *h5, hid_t group, const char *name, const bl_array *array, size_t count) {
    size_t columns = array->components == 1 ? 0 : (size_t)array->components;
    bl_h5_put(h5, group, name, array_type(array->type), count, columns, array->data);
}

/* One vertex a point: offsets 0, 1, ..., N and the same numbers, less the last, as connectivity. */
static void put_cells(bl_h5 *h5, hid_t root, size_t count) {
    enum { VTK_VERTEX = 1 };
    int64_t *numbers = bl_alloc(h5->ctx, count + 1, sizeof *numbers);
    uint8_t *types = bl_alloc(h5->ctx, count, sizeof *types);
    if (numbers && types) {
        for (size_t k = 0; k <= count; k++) numbers[k] = (int64_t)k;
        for (size_t k = 0; k < count; k++) types[k] = VTK_VERTEX;
        bl_h5_put(h5, root, "Offsets", H5T_STD_I64LE, count + 1, 0, numbers);
        bl_h5_put(h5, root, "Connectivity", H5T_STD_I64LE, count, 0, numbers);
        bl_h5_put(h5, root, "Types", H5T_STD_U8LE, count, 0, types);
    } else if (h5->status == BL_OK) {
        h5->status = BL_ERR_MEMORY;
    }
    bl_release(h5->ctx, numbers);
    bl_release(h5->ctx, types);
}

static void put_frame(bl_h5 *h5, const bl_frame *frame) {
    const int64_t version[2] = {1, 0}, count = (int64_t)frame->count;
    hid_t root = bl_h5_group(h5, h5->file, "VTKHDF");
    bl_h5_put_attribute(h5, root, "Version", H5T_STD_I64LE, 2, version);
    bl_h5_put_text(h5, root, "Type", "UnstructuredGrid");
    bl_h5_put(h5, root, "NumberOfPoints", H5T_STD_I64LE, 1, 0, &count);
    bl_h5_put(h5, root, "NumberOfCells", H5T_STD_I64LE, 1, 0, &count);
    bl_h5_put(h5, root, "NumberOfConnectivityIds", H5T_STD_I64LE, 1, 0, &count);
    put_array(h5, root, "Points", &frame->points, frame->count);
    put_cells(h5, root, frame->count);

    hid_t point_data = bl_h5_group(h5, root, "PointData");
    for (int a = 0; a < frame->array_count; a++)
        put_array(h5, point_data, frame->arrays[a].name, &frame->arrays[a], frame->count);
    H5Gclose(point_data);

    hid_t field_data = bl_h5_group(h5, root, "FieldData");
    bl_h5_put(h5, field_data, "TimeValue", H5T_IEEE_F64LE, 1, 0, &frame->time);
    H5Gclose(field_data);
    H5Gclose(root);
}

bl_status bl_vtkhdf_write(bl_context *ctx, const char *path, const bl_frame *frame) {
    char *bytes;
    size_t size, bytes_per_particle = bl_array_item_size(&frame->points) + 17;
    for (int a = 0; a < frame->array_count; a++) bytes_per_particle += bl_array_item_size(&frame->arrays[a]);
    bl_h5 h5 = bl_h5_begin_write(ctx, path, frame->count * bytes_per_particle);
    put_frame(&h5, frame);
    bl_status status = bl_h5_end_write(&h5, &bytes, &size);
    if (status != BL_OK) return status;

    bl_outfile file;
    status = bl_outfile_open(ctx, path, &file);
    if (status == BL_OK) {
        fwrite(bytes, 1, size, file.stream);
        status = bl_finish_file(ctx, &file, BL_OK);
    }
    bl_release(ctx, bytes);
    return status;
}
