#include "output/hdf5_file.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The only variable of the process: it guards a library that has such variables itself. */
static pthread_mutex_t hdf5_lock = PTHREAD_MUTEX_INITIALIZER;

/* HDF5 wants a name even for a file in memory, and refuses one that exists: nothing can exist below a device. */
static const char no_file[] = "/dev/null/image";

static bl_h5 begin(bl_context *ctx, const char *name) {
    bl_h5 h5 = {.ctx = ctx, .name = name, .file = -1};
    pthread_mutex_lock(&hdf5_lock);
    H5Eget_auto2(H5E_DEFAULT, &h5.saved_print, &h5.saved_user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return h5;
}

static bl_status end(bl_h5 *h5) {
    if (h5->file >= 0 && H5Fclose(h5->file) < 0) bl_h5_fail(h5, BL_ERR_INTERNAL, "HDF5 cannot close the file");
    H5Eset_auto2(H5E_DEFAULT, h5->saved_print, h5->saved_user);
    pthread_mutex_unlock(&hdf5_lock);
    return h5->status;
}

void bl_h5_fail(bl_h5 *h5, bl_status status, const char *fmt, ...) {
    if (h5->status != BL_OK) return;
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    h5->status = bl_fail(h5->ctx, status, "%s: %s", h5->name, text);
}

/* --- writing --- */

bl_h5 bl_h5_begin_write(bl_context *ctx, const char *name, size_t expected) {
    bl_h5 h5 = begin(ctx, name);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, expected / 8 + 65536, 0);
    h5.file = H5Fcreate(no_file, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (h5.file < 0) bl_h5_fail(&h5, BL_ERR_MEMORY, "HDF5 cannot make a file in memory");
    return h5;
}

hid_t bl_h5_group(bl_h5 *h5, hid_t parent, const char *name) {
    if (h5->status != BL_OK) return -1;
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) bl_h5_fail(h5, BL_ERR_MEMORY, "HDF5 cannot make the group %s", name);
    return group;
}

void bl_h5_put(bl_h5 *h5, hid_t parent, const char *name, hid_t type, size_t rows, size_t columns, const void *data) {
    if (h5->status != BL_OK) return;
    hsize_t size[2] = {rows, columns};
    hid_t space = H5Screate_simple(columns ? 2 : 1, size, NULL);
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(layout, false); /* equal states give equal files */
    hid_t set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    if (set < 0 || (rows && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
        bl_h5_fail(h5, BL_ERR_MEMORY, "HDF5 cannot hold the array %s", name);
    H5Dclose(set);
    H5Pclose(layout);
    H5Sclose(space);
}

static void put_attribute(bl_h5 *h5, hid_t object, const char *name, hid_t type, hid_t space, const void *data) {
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, type, data) < 0)
        bl_h5_fail(h5, BL_ERR_MEMORY, "HDF5 cannot hold the attribute %s", name);
    H5Aclose(attribute);
}

void bl_h5_put_attribute(bl_h5 *h5, hid_t object, const char *name, hid_t type, size_t count, const void *data) {
    if (h5->status != BL_OK) return;
    hsize_t size = count;
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    put_attribute(h5, object, name, type, space, data);
    H5Sclose(space);
}

void bl_h5_put_text(bl_h5 *h5, hid_t object, const char *name, const char *text) {
    if (h5->status != BL_OK) return;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) ? strlen(text) : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    put_attribute(h5, object, name, type, space, text);
    H5Sclose(space);
    H5Tclose(type);
}

static void copy_image(bl_h5 *h5, char **bytes, size_t *size) {
    ssize_t total = H5Fflush(h5->file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(h5->file, NULL, 0);
    if (total < 0) {
        bl_h5_fail(h5, BL_ERR_MEMORY, "HDF5 cannot finish the file");
        return;
    }
    *bytes = bl_alloc(h5->ctx, (size_t)total, 1);
    *size = (size_t)total;
    if (!*bytes)
        h5->status = BL_ERR_MEMORY;
    else if (H5Fget_file_image(h5->file, *bytes, *size) != total)
        bl_h5_fail(h5, BL_ERR_INTERNAL, "HDF5 cannot hand over the file");
}

bl_status bl_h5_end_write(bl_h5 *h5, char **bytes, size_t *size) {
    *bytes = NULL;
    *size = 0;
    if (h5->status == BL_OK) copy_image(h5, bytes, size);
    bl_status status = end(h5);
    if (status != BL_OK) {
        bl_release(h5->ctx, *bytes);
        *bytes = NULL;
    }
    return status;
}

/* --- reading --- */

bl_h5 bl_h5_begin_read(bl_context *ctx, const char *name, const void *bytes, size_t size) {
    bl_h5 h5 = begin(ctx, name);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 65536, 0);
    H5Pset_file_image(access, (void *)(uintptr_t)bytes, size); /* copied */
    h5.file = H5Fopen(no_file, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (h5.file < 0) bl_h5_fail(&h5, BL_ERR_DATA, "not a readable HDF5 file");
    return h5;
}

hid_t bl_h5_open_group(bl_h5 *h5, hid_t parent, const char *name) {
    if (h5->status != BL_OK) return -1;
    hid_t group = H5Gopen2(parent, name, H5P_DEFAULT);
    if (group < 0) bl_h5_fail(h5, BL_ERR_DATA, "the group %s is missing", name);
    return group;
}

/* The type in the file must be the one asked for, so that bits come back as they went in. */
static bool same_type(hid_t stored, hid_t wanted) { return stored >= 0 && H5Tequal(stored, wanted) > 0; }

static bool has_shape(hid_t space, size_t rows, size_t columns) {
    hsize_t size[2] = {0, 0};
    int rank = columns ? 2 : 1;
    if (space < 0 || H5Sget_simple_extent_ndims(space) != rank) return false;
    H5Sget_simple_extent_dims(space, size, NULL);
    return size[0] == rows && (!columns || size[1] == columns);
}

void bl_h5_get(bl_h5 *h5, hid_t parent, const char *name, hid_t type, size_t rows, size_t columns, void *data) {
    if (h5->status != BL_OK) return;
    hid_t set = H5Dopen2(parent, name, H5P_DEFAULT);
    if (set < 0) {
        bl_h5_fail(h5, BL_ERR_DATA, "the array %s is missing", name);
        return;
    }
    hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
    if (!same_type(stored, type) || !has_shape(space, rows, columns))
        bl_h5_fail(h5, BL_ERR_DATA, "the array %s has another type or size than expected", name);
    else if (rows && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        bl_h5_fail(h5, BL_ERR_DATA, "the array %s cannot be read", name);
    H5Tclose(stored);
    H5Sclose(space);
    H5Dclose(set);
}

void bl_h5_get_attribute(bl_h5 *h5, hid_t object, const char *name, hid_t type, void *data) {
    if (h5->status != BL_OK) return;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) {
        bl_h5_fail(h5, BL_ERR_DATA, "the attribute %s is missing", name);
        return;
    }
    hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
    bool fits = same_type(stored, type) && H5Sget_simple_extent_npoints(space) == 1;
    if (!fits || H5Aread(attribute, type, data) < 0)
        bl_h5_fail(h5, BL_ERR_DATA, "the attribute %s cannot be read", name);
    H5Tclose(stored);
    H5Sclose(space);
    H5Aclose(attribute);
}

void bl_h5_get_text(bl_h5 *h5, hid_t object, const char *name, char *text, size_t capacity) {
    memset(text, 0, capacity);
    if (h5->status != BL_OK) return;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), stored = H5Aget_type(attribute);
    bool fits = stored >= 0 && H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0 &&
                H5Tget_size(stored) < capacity;
    if (!fits || H5Aread(attribute, stored, text) < 0)
        bl_h5_fail(h5, BL_ERR_DATA, "the attribute %s is missing or cannot be read", name);
    if (stored >= 0) H5Tclose(stored);
    if (attribute >= 0) H5Aclose(attribute);
}

bl_status bl_h5_end_read(bl_h5 *h5) { return end(h5); }
