/* Checkpoints from hostile bytes. The first byte chooses: odd, the rest is a file; even, the rest is a recipe for an
 * HDF5 file with missing, misshapen and mistyped parts under a seal that fits, to get behind the checksum. */
#include "output/checkpoint.h"
#include "output/checkpoint_seal.h"
#include "output/hdf5_file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct recipe {
    const uint8_t *data;
    size_t left;
} recipe;

/* The next byte; 0, "make it right", when all are used up. */
static unsigned next(recipe *r) {
    if (r->left == 0) return 0;
    r->left--;
    return *r->data++;
}

static void put_attribute(bl_h5 *h5, hid_t object, const char *name, hid_t type, recipe *r) {
    unsigned char value[64] = {0};
    unsigned how = next(r);
    value[0] = (unsigned char)next(r);
    value[7] = how & 8 ? 255 : 0;
    if (how % 4 == 1) return;
    bl_h5_put_attribute(h5, object, name, how % 4 == 2 ? H5T_STD_I16LE : type, how % 4 == 3 ? 2 : 1, value);
}

static void put_array(bl_h5 *h5, hid_t group, const char *name, hid_t type, size_t rows, size_t columns, recipe *r) {
    static const double zeros[1024];
    unsigned how = next(r);
    if (how % 8 == 1) return;
    if (how % 8 == 2) type = H5T_STD_I16LE;
    if (how % 8 == 3) rows = how / 8;
    if (how % 8 == 4) columns = columns ? 0 : 3;
    bl_h5_put(h5, group, name, type, rows, columns, zeros);
}

static void put_store(bl_h5 *h5, const char *name, const bl_field_info *fields, int field_count, recipe *r) {
    unsigned how = next(r);
    uint64_t count = how / 2 % 16, claimed = how % 2 ? (uint64_t)next(r) << next(r) % 64 : count;
    const uint32_t next_id = 7;
    hid_t real_type = sizeof(real) == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    hid_t group = bl_h5_group(h5, h5->file, name);
    bl_h5_put_attribute(h5, group, "count", H5T_STD_U64LE, 1, &claimed);
    bl_h5_put_attribute(h5, group, "next_id", H5T_STD_U32LE, 1, &next_id);
    for (int f = 0; f < field_count; f++)
        if (fields[f].flags & BL_FIELD_STATE)
            put_array(h5, group, fields[f].name, fields[f].type == BL_TYPE_U32 ? H5T_STD_U32LE : real_type, count,
                      fields[f].type == BL_TYPE_VEC3 ? 3 : 0, r);
    H5Gclose(group);
}

static void put_blobs(bl_h5 *h5, recipe *r) {
    hid_t group = bl_h5_group(h5, h5->file, "blobs");
    for (unsigned b = next(r) % 8; b > 0; b--) {
        char name[4] = {(char)('a' + b), 0, 0, 0};
        unsigned how = next(r);
        if (how % 8 == 7)
            H5Gclose(bl_h5_group(h5, group, name)); /* a group where data should be */
        else
            put_array(h5, group, name, H5T_STD_U8LE, how, 0, r);
    }
    H5Gclose(group);
}

static char *cook(bl_context *ctx, recipe r, size_t *size) {
    static const char *const precisions[] = {BL_REAL_NAME, "half", "", "a precision with a very long name indeed"};
    char *image = NULL, *sealed = NULL;
    bl_h5 h5 = bl_h5_begin_write(ctx, "recipe", 0);
    unsigned how = next(&r);
    bl_h5_put_text(&h5, h5.file, "precision", precisions[how % 4]);
    put_attribute(&h5, h5.file, "frame", H5T_NATIVE_INT, &r);
    put_attribute(&h5, h5.file, "step", H5T_STD_U64LE, &r);
    put_attribute(&h5, h5.file, "time", H5T_IEEE_F64LE, &r);
    put_attribute(&h5, h5.file, "dt", H5T_IEEE_F64LE, &r);
    put_attribute(&h5, h5.file, "scene_hash", H5T_STD_U64LE, &r);
    if (!(how & 4)) put_store(&h5, "fluid", bl_fluid_fields, BL_F_COUNT, &r);
    if (!(how & 8)) put_store(&h5, "boundary", bl_boundary_fields, BL_B_COUNT, &r);
    if (!(how & 16)) put_blobs(&h5, &r);
    if (bl_h5_end_write(&h5, &image, size) == BL_OK && (sealed = bl_alloc(ctx, *size + BL_SEAL_SIZE, 1))) {
        bl_seal_make(image, *size, sealed);
        memcpy(sealed + BL_SEAL_SIZE, image, *size);
        *size += BL_SEAL_SIZE;
    }
    bl_release(ctx, image);
    return sealed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bl_context *ctx;
    if (size < 1 || bl_context_create(NULL, &ctx) != BL_OK) return 0;
    bl_checkpoint checkpoint = {0};
    if (data[0] % 2) {
        bl_checkpoint_parse(ctx, "fuzz", (const char *)data + 1, size - 1, &checkpoint);
    } else {
        size_t cooked_size;
        char *cooked = cook(ctx, (recipe){data + 1, size - 1}, &cooked_size);
        if (cooked) bl_checkpoint_parse(ctx, "fuzz", cooked, cooked_size, &checkpoint);
        bl_release(ctx, cooked);
    }
    bl_checkpoint_clear(&checkpoint);
    bl_context_destroy(ctx);
    return 0;
}
