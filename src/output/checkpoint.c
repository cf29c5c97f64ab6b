#include "output/checkpoint.h"

#include "base/file.h"
#include "base/hash.h"
#include "output/checkpoint_seal.h"
#include "output/formats.h"
#include "output/hdf5_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* One of the two stores, as the field list describes it. */
typedef struct store_part {
    const char *name;
    const bl_field_info *fields;
    int field_count;
    const void *store;
    uint64_t count;
    uint32_t next_id;
    real *annex; /* NULL: none */
    uint64_t annex_width;
} store_part;

static store_part fluid_part(const bl_fluid_store *s) {
    return (store_part){"fluid", bl_fluid_fields, BL_F_COUNT, s, s->count, s->next_id, s->annex, s->annex_width};
}
static store_part boundary_part(const bl_boundary_store *s) {
    return (store_part){"boundary", bl_boundary_fields, BL_B_COUNT, s, s->count, s->next_id, NULL, 0};
}

static hid_t real_type(void) { return sizeof(real) == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE; }
static hid_t field_type(const bl_field_info *field) { return field->type == BL_TYPE_U32 ? H5T_STD_U32LE : real_type(); }
static size_t field_columns(const bl_field_info *field) { return field->type == BL_TYPE_VEC3 ? 3 : 0; }

/* Copies of fluids and boundaries that do not say what they look like. */
static bl_status drop_appearances(bl_scene *scene) {
    size_t fluids = (size_t)scene->fluid_count, boundaries = (size_t)scene->boundary_count;
    bl_fluid *fluid = bl_alloc(scene->ctx, fluids, sizeof *fluid);
    bl_boundary *boundary = bl_alloc(scene->ctx, boundaries, sizeof *boundary);
    if (fluid && fluids) memcpy(fluid, scene->fluids, fluids * sizeof *fluid);
    if (boundary && boundaries) memcpy(boundary, scene->boundaries, boundaries * sizeof *boundary);
    for (size_t k = 0; fluid && k < fluids; k++) {
        fluid[k].color = bl_v3d_zero();
        fluid[k].appearance = NULL;
    }
    for (size_t k = 0; boundary && k < boundaries; k++) {
        boundary[k].color = bl_v3d_zero();
        boundary[k].appearance = NULL;
    }
    scene->fluids = fluid;
    scene->boundaries = boundary;
    return fluid && boundary ? BL_OK : BL_ERR_MEMORY;
}

bl_status bl_checkpoint_scene_hash(const bl_scene *scene, uint64_t *hash) {
    /* A shallow copy without what may change between a run and its continuation. */
    bl_scene course = *scene;
    course.path = course.name = "";
    course.time.end = 0;
    course.time.max_steps = 0;
    memset(&course.output, 0, sizeof course.output);
    memset(&course.camera, 0, sizeof course.camera);
    memset(&course.look, 0, sizeof course.look);
    bl_status status = drop_appearances(&course);
    bl_text text = bl_text_make(scene->ctx);
    bl_json json = bl_json_make(&text, 0);
    if (status == BL_OK) bl_scene_write_json(&course, &json, NULL);
    if (text.failed) status = BL_ERR_MEMORY;
    *hash = bl_hash(BL_HASH_START, text.data, text.size);
    bl_text_clear(&text);
    bl_release(scene->ctx, course.fluids);
    bl_release(scene->ctx, course.boundaries);
    return status;
}

/* --- writing --- */

static void put_head(bl_h5 *h5, const bl_checkpoint_head *head) {
    bl_h5_put_text(h5, h5->file, "version", bl_version());
    bl_h5_put_text(h5, h5->file, "precision", BL_REAL_NAME);
    bl_h5_put_attribute(h5, h5->file, "frame", H5T_NATIVE_INT, 1, &head->frame);
    bl_h5_put_attribute(h5, h5->file, "step", H5T_STD_U64LE, 1, &head->step);
    bl_h5_put_attribute(h5, h5->file, "time", H5T_IEEE_F64LE, 1, &head->time);
    bl_h5_put_attribute(h5, h5->file, "dt", H5T_IEEE_F64LE, 1, &head->dt);
    bl_h5_put_attribute(h5, h5->file, "scene_hash", H5T_STD_U64LE, 1, &head->scene_hash);
}

static void put_store(bl_h5 *h5, store_part part) {
    hid_t group = bl_h5_group(h5, h5->file, part.name);
    bl_h5_put_attribute(h5, group, "count", H5T_STD_U64LE, 1, &part.count);
    bl_h5_put_attribute(h5, group, "next_id", H5T_STD_U32LE, 1, &part.next_id);
    for (int f = 0; f < part.field_count; f++) {
        const bl_field_info *field = &part.fields[f];
        if (field->flags & BL_FIELD_STATE)
            bl_h5_put(h5, group, field->name, field_type(field), part.count, field_columns(field),
                      bl_field_data(field, part.store));
    }
    if (part.annex_width > 0) {
        bl_h5_put_attribute(h5, group, "annex_width", H5T_STD_U64LE, 1, &part.annex_width);
        bl_h5_put(h5, group, "annex", real_type(), part.count, part.annex_width, part.annex);
    }
    H5Gclose(group);
}

static void put_blobs(bl_h5 *h5, const bl_blob *blobs, int count) {
    hid_t group = bl_h5_group(h5, h5->file, "blobs");
    for (int b = 0; b < count; b++) bl_h5_put(h5, group, blobs[b].name, H5T_STD_U8LE, blobs[b].size, 0, blobs[b].data);
    H5Gclose(group);
}

static size_t state_size(const store_part *part) {
    size_t bytes = 0;
    for (int f = 0; f < part->field_count; f++)
        if (part->fields[f].flags & BL_FIELD_STATE) bytes += part->count * part->fields[f].item_size;
    bytes += part->count * part->annex_width * sizeof(real);
    return bytes;
}

static bl_status add_seal(bl_context *ctx, char *image, size_t image_size, char **bytes, size_t *size) {
    *bytes = bl_alloc(ctx, image_size + BL_SEAL_SIZE, 1);
    if (!*bytes) return BL_ERR_MEMORY;
    *size = image_size + BL_SEAL_SIZE;
    bl_seal_make(image, image_size, *bytes);
    memcpy(*bytes + BL_SEAL_SIZE, image, image_size);
    return BL_OK;
}

bl_status bl_checkpoint_encode(bl_context *ctx, const char *name, const bl_checkpoint_head *head,
                               const bl_fluid_store *fluid, const bl_boundary_store *boundary, const bl_blob *blobs,
                               int blob_count, char **bytes, size_t *size) {
    store_part fluid_state = fluid_part(fluid), boundary_state = boundary_part(boundary);
    *bytes = NULL;
    *size = 0;
    bl_h5 h5 = bl_h5_begin_write(ctx, name, state_size(&fluid_state) + state_size(&boundary_state));
    put_head(&h5, head);
    put_store(&h5, fluid_state);
    put_store(&h5, boundary_state);
    put_blobs(&h5, blobs, blob_count);
    char *image;
    size_t image_size;
    bl_status status = bl_h5_end_write(&h5, &image, &image_size);
    if (status == BL_OK) status = add_seal(ctx, image, image_size, bytes, size);
    bl_release(ctx, image);
    return status;
}

bl_status bl_checkpoint_save(bl_context *ctx, const char *path, const char *bytes, size_t size) {
    bl_outfile file;
    bl_status status = bl_outfile_open(ctx, path, &file);
    if (status != BL_OK) return status;
    fwrite(bytes, 1, size, file.stream);
    if (fflush(file.stream) != 0 || fsync(fileno(file.stream)) != 0)
        status = bl_fail(ctx, BL_ERR_IO, "%s: cannot write: %s", path, strerror(errno));
    return bl_finish_file(ctx, &file, status);
}

bl_status bl_checkpoint_write(bl_context *ctx, const char *path, const bl_checkpoint_head *head,
                              const bl_fluid_store *fluid, const bl_boundary_store *boundary, const bl_blob *blobs,
                              int blob_count) {
    char *bytes;
    size_t size;
    bl_status status = bl_checkpoint_encode(ctx, path, head, fluid, boundary, blobs, blob_count, &bytes, &size);
    if (status == BL_OK) status = bl_checkpoint_save(ctx, path, bytes, size);
    bl_release(ctx, bytes);
    return status;
}

/* --- reading --- */

static void get_head(bl_h5 *h5, bl_checkpoint_head *head) {
    char precision[16];
    bl_h5_get_text(h5, h5->file, "precision", precision, sizeof precision);
    if (strcmp(precision, BL_REAL_NAME) != 0)
        bl_h5_fail(h5, BL_ERR_DATA, "written in %s precision, this program works in %s", precision, BL_REAL_NAME);
    bl_h5_get_attribute(h5, h5->file, "frame", H5T_NATIVE_INT, &head->frame);
    bl_h5_get_attribute(h5, h5->file, "step", H5T_STD_U64LE, &head->step);
    bl_h5_get_attribute(h5, h5->file, "time", H5T_IEEE_F64LE, &head->time);
    bl_h5_get_attribute(h5, h5->file, "dt", H5T_IEEE_F64LE, &head->dt);
    bl_h5_get_attribute(h5, h5->file, "scene_hash", H5T_STD_U64LE, &head->scene_hash);
}

/* Number of particles and next id of a store; the number cannot exceed that of the file's bytes. */
static hid_t open_store(bl_h5 *h5, const char *name, size_t file_size, uint64_t *count, uint32_t *next_id) {
    hid_t group = bl_h5_open_group(h5, h5->file, name);
    *count = 0;
    bl_h5_get_attribute(h5, group, "count", H5T_STD_U64LE, count);
    bl_h5_get_attribute(h5, group, "next_id", H5T_STD_U32LE, next_id);
    if (*count > file_size) bl_h5_fail(h5, BL_ERR_DATA, "%s: more particles than the file can hold", name);
    return group;
}

static void get_fields(bl_h5 *h5, hid_t group, store_part part) {
    if (part.annex_width > 0) bl_h5_get(h5, group, "annex", real_type(), part.count, part.annex_width, part.annex);
    for (int f = 0; f < part.field_count; f++) {
        const bl_field_info *field = &part.fields[f];
        if (field->flags & BL_FIELD_STATE)
            bl_h5_get(h5, group, field->name, field_type(field), part.count, field_columns(field),
                      bl_field_data(field, part.store));
    }
    H5Gclose(group);
}

/* Numbers a particle of what only its scheme knows; 0: the file has none. */
static uint64_t annex_width(bl_h5 *h5, hid_t group) {
    const uint64_t most = 64;
    uint64_t width = 0;
    if (h5->status != BL_OK || H5Aexists(group, "annex_width") <= 0) return 0;
    bl_h5_get_attribute(h5, group, "annex_width", H5T_STD_U64LE, &width);
    if (width > most) bl_h5_fail(h5, BL_ERR_DATA, "fluid: an annex of %llu numbers", (unsigned long long)width);
    return width;
}

static void get_fluid(bl_h5 *h5, size_t file_size, bl_fluid_store *store) {
    uint64_t count;
    uint32_t next_id = 0;
    size_t first;
    hid_t group = open_store(h5, "fluid", file_size, &count, &next_id);
    uint64_t width = annex_width(h5, group);
    if (h5->status == BL_OK) h5->status = bl_fluid_store_extend(store, width);
    if (h5->status == BL_OK) h5->status = bl_fluid_store_append(store, count, &first);
    get_fields(h5, group, fluid_part(store));
    store->next_id = next_id;
}

static void get_boundary(bl_h5 *h5, size_t file_size, bl_boundary_store *store) {
    uint64_t count;
    uint32_t next_id = 0;
    size_t first;
    hid_t group = open_store(h5, "boundary", file_size, &count, &next_id);
    if (h5->status == BL_OK) h5->status = bl_boundary_store_append(store, count, &first);
    get_fields(h5, group, boundary_part(store));
    store->next_id = next_id;
}

static void get_blob(bl_h5 *h5, hid_t group, hsize_t index, size_t file_size, bl_blob *blob) {
    char name[128];
    ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, sizeof name, H5P_DEFAULT);
    if (length < 0 || (size_t)length >= sizeof name) {
        bl_h5_fail(h5, BL_ERR_DATA, "a blob has no usable name");
        return;
    }
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(set);
    hssize_t size = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    H5Sclose(space);
    H5Dclose(set);
    if (size < 0 || (size_t)size > file_size) {
        bl_h5_fail(h5, BL_ERR_DATA, "the blob %s has no usable size", name);
        return;
    }
    blob->name = bl_strdup(h5->ctx, name);
    void *data = bl_alloc(h5->ctx, (size_t)size, 1);
    blob->data = data;
    blob->size = (size_t)size;
    if (blob->name && data)
        bl_h5_get(h5, group, name, H5T_STD_U8LE, blob->size, 0, data);
    else
        h5->status = BL_ERR_MEMORY;
}

static void get_blobs(bl_h5 *h5, size_t file_size, bl_checkpoint *out) {
    hid_t group = bl_h5_open_group(h5, h5->file, "blobs");
    H5G_info_t info = {.nlinks = 0};
    if (h5->status != BL_OK || H5Gget_info(group, &info) < 0 || info.nlinks > 4096)
        bl_h5_fail(h5, BL_ERR_DATA, "the group blobs cannot be read");
    else if (!(out->blobs = bl_alloc(h5->ctx, info.nlinks, sizeof *out->blobs)))
        h5->status = BL_ERR_MEMORY;
    for (hsize_t b = 0; h5->status == BL_OK && b < info.nlinks; b++)
        get_blob(h5, group, b, file_size, &out->blobs[out->blob_count++]);
    H5Gclose(group);
}

bl_status bl_checkpoint_parse(bl_context *ctx, const char *name, const char *bytes, size_t size, bl_checkpoint *out) {
    *out = (bl_checkpoint){.ctx = ctx};
    bl_fluid_store_init(ctx, &out->fluid);
    bl_boundary_store_init(ctx, &out->boundary);
    bl_status status = bl_seal_check(ctx, name, bytes, size);
    if (status == BL_OK && !(out->path = bl_strdup(ctx, name))) status = BL_ERR_MEMORY;
    if (status == BL_OK) {
        bl_h5 h5 = bl_h5_begin_read(ctx, name, bytes + BL_SEAL_SIZE, size - BL_SEAL_SIZE);
        get_head(&h5, &out->head);
        get_fluid(&h5, size, &out->fluid);
        get_boundary(&h5, size, &out->boundary);
        get_blobs(&h5, size, out);
        status = bl_h5_end_read(&h5);
    }
    if (status != BL_OK) bl_checkpoint_clear(out);
    return status;
}

bl_status bl_checkpoint_read(bl_context *ctx, const char *path, bl_checkpoint *out) {
    *out = (bl_checkpoint){.ctx = ctx};
    char *bytes;
    size_t size;
    bl_status status = bl_file_read(ctx, path, &bytes, &size);
    if (status == BL_OK) status = bl_checkpoint_parse(ctx, path, bytes, size, out);
    bl_release(ctx, bytes);
    return status;
}

void bl_checkpoint_clear(bl_checkpoint *checkpoint) {
    if (!checkpoint->ctx) return;
    for (int b = 0; b < checkpoint->blob_count; b++) {
        bl_release(checkpoint->ctx, (void *)(uintptr_t)checkpoint->blobs[b].name);
        bl_release(checkpoint->ctx, (void *)(uintptr_t)checkpoint->blobs[b].data);
    }
    bl_release(checkpoint->ctx, checkpoint->blobs);
    bl_release(checkpoint->ctx, checkpoint->path);
    bl_fluid_store_clear(&checkpoint->fluid);
    bl_boundary_store_clear(&checkpoint->boundary);
    memset(checkpoint, 0, sizeof *checkpoint);
}

const bl_blob *bl_checkpoint_blob(const bl_checkpoint *checkpoint, const char *name) {
    for (int b = 0; b < checkpoint->blob_count; b++)
        if (strcmp(checkpoint->blobs[b].name, name) == 0) return &checkpoint->blobs[b];
    return NULL;
}
