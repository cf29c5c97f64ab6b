/* A small two-fluid, two-body world for the tests of output and checkpoints, and folders to write it to. */
#ifndef TESTS_OUTPUT_FIXTURE_H
#define TESTS_OUTPUT_FIXTURE_H

#include "base/file.h"
#include "base/rng.h"
#include "output/writer.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    bl_context *ctx;
    bl_scene scene;
    bl_fluid fluids[2];
    bl_boundary boundaries[2];
    double time[1], lift[3];
    bl_fluid_store fluid;
    bl_boundary_store boundary;
    char dir[64];
} fixture;

/* Two fluids, one with a name that is no file name; a fixed wall and a moving one. */
static inline void fixture_scene(fixture *f) {
    f->lift[2] = 0.5;
    f->fluids[0] = (bl_fluid){.name = "water"};
    f->fluids[1] = (bl_fluid){.name = "rain water/2"};
    f->boundaries[0] = (bl_boundary){.name = "glass"};
    f->boundaries[1] = (bl_boundary){.name = "lid", .velocity = {1, 3, f->time, f->lift}};
    f->scene = (bl_scene){.ctx = f->ctx,
                          .path = "scene.yaml",
                          .name = "fixture",
                          .dimension = 3,
                          .fluid_count = 2,
                          .fluids = f->fluids,
                          .boundary_count = 2,
                          .boundaries = f->boundaries,
                          .output = {.formats = BL_FORMAT_VTU, .boundaries = true, .keep_checkpoints = 2}};
}

/* Every bit of every field random, ids aside: those are shuffled. Reals stay finite. */
static inline void fixture_fill_field(const bl_field_info *field, const void *store, size_t count, uint64_t seed) {
    size_t words = field->type == BL_TYPE_VEC3 ? 3 * count : count;
    for (size_t k = 0; k < words; k++) {
        if (field->type == BL_TYPE_U32)
            ((uint32_t *)bl_field_data(field, store))[k] = (uint32_t)(bl_rng_u64(seed, 1, k) % 2);
        else
            ((real *)bl_field_data(field, store))[k] = (real)(2e-3 * bl_rng_uniform(seed, 2, k) - 1e-3);
    }
}

static inline void fixture_shuffle(uint32_t *id, size_t count) {
    for (size_t k = count; k > 1; k--) {
        size_t other = bl_rng_u64(7, 0, k) % k;
        uint32_t t = id[k - 1];
        id[k - 1] = id[other];
        id[other] = t;
    }
}

/* Give all fields but the ids the values of `seed`. */
static inline void fixture_stir(fixture *f, uint64_t seed) {
    for (int k = 0; k < BL_F_COUNT; k++)
        if (k != BL_F_id) fixture_fill_field(&bl_fluid_fields[k], &f->fluid, f->fluid.count, seed + (uint64_t)k);
    for (int k = 0; k < BL_B_COUNT; k++)
        if (k != BL_B_id)
            fixture_fill_field(&bl_boundary_fields[k], &f->boundary, f->boundary.count, seed + 100 + (uint64_t)k);
}

static inline void fixture_init(fixture *f, size_t fluid_count, size_t boundary_count) {
    size_t first;
    memset(f, 0, sizeof *f);
    assert_int_equal(bl_context_create(NULL, &f->ctx), BL_OK);
    fixture_scene(f);
    bl_fluid_store_init(f->ctx, &f->fluid);
    bl_boundary_store_init(f->ctx, &f->boundary);
    assert_int_equal(bl_fluid_store_append(&f->fluid, fluid_count, &first), BL_OK);
    assert_int_equal(bl_boundary_store_append(&f->boundary, boundary_count, &first), BL_OK);
    fixture_shuffle(f->fluid.id, fluid_count);
    fixture_shuffle(f->boundary.id, boundary_count);
    fixture_stir(f, 1000);
    strcpy(f->dir, "output_test_XXXXXX");
    assert_non_null(mkdtemp(f->dir));
}

static inline void fixture_remove_tree(const char *path) {
    DIR *stream = opendir(path);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char child[512];
        if (snprintf(child, sizeof child, "%s/%s", path, entry->d_name) >= (int)sizeof child) continue;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (unlink(child) != 0) fixture_remove_tree(child);
    }
    if (stream) closedir(stream);
    rmdir(path);
}

static inline void fixture_clear(fixture *f) {
    fixture_remove_tree(f->dir);
    bl_fluid_store_clear(&f->fluid);
    bl_boundary_store_clear(&f->boundary);
    bl_context_destroy(f->ctx);
}

/* DIR/NAME in a buffer of the caller's. */
static inline const char *fixture_path(const fixture *f, const char *name, char path[256]) {
    snprintf(path, 256, "%s/%s", f->dir, name);
    return path;
}

static inline bool fixture_has(const fixture *f, const char *name) {
    char path[256];
    return bl_file_exists(fixture_path(f, name, path));
}

static inline void assert_mentions(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("\"%s\" does not mention \"%s\"", text, part);
}

#endif
