/* Frames: snapshots of the stores, VTU written and read back, damaged and foreign files. With `--dump DIR` it writes a
 * run directory in all formats and what must be in it as text, for the test with foreign readers. */
/* also: double */
#include "base/text.h"
#include "output/formats.h"
#include "output/frame.h"
#include "output/reader.h"
#include "output_fixture.h"

/* Index of the particle with this id. */
static size_t index_of(const uint32_t *id, size_t count, uint32_t wanted) {
    for (size_t i = 0; i < count; i++)
        if (id[i] == wanted) return i;
    fail_msg("no particle %u", wanted);
    return 0;
}

static void test_snapshot_is_in_order_of_id(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 300, 40);
    size_t total = 0;
    for (uint32_t phase = 0; phase < 3; phase++) {
        bl_frame frame;
        assert_int_equal(bl_frame_from_fluid(f.ctx, &f.fluid, phase, &frame), BL_OK);
        const bl_array *id = bl_frame_array(&frame, "id"), *v = bl_frame_array(&frame, "v");
        assert_null(bl_frame_array(&frame, "x_next")); /* scratch */
        for (size_t k = 0; k < frame.count; k++) {
            uint32_t number = ((const uint32_t *)id->data)[k];
            size_t i = index_of(f.fluid.id, f.fluid.count, number);
            assert_int_equal(f.fluid.phase[i], phase);
            if (k) assert_true(number > ((const uint32_t *)id->data)[k - 1]);
            assert_memory_equal((const bl_vec3 *)frame.points.data + k, &f.fluid.x[i], sizeof(bl_vec3));
            assert_true(bl_array_vec3(v, k).y == (double)f.fluid.v[i].y);
        }
        total += frame.count;
        bl_frame_clear(&frame);
    }
    assert_int_equal(total, 300);
    fixture_clear(&f);
}

static void test_order_with_large_ids(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 3, 0);
    const uint32_t ids[3] = {4000000000u, 70000u, 5000000u};
    memcpy(f.fluid.id, ids, sizeof ids);
    memset(f.fluid.phase, 0, 3 * sizeof *f.fluid.phase);
    bl_frame frame;
    assert_int_equal(bl_frame_from_fluid(f.ctx, &f.fluid, 0, &frame), BL_OK);
    const uint32_t sorted[3] = {70000u, 5000000u, 4000000000u};
    assert_memory_equal(bl_frame_array(&frame, "id")->data, sorted, sizeof sorted);
    bl_frame_clear(&frame);
    fixture_clear(&f);
}

static void test_sets_have_safe_unique_files(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 1, 1);
    f.fluids[0].name = "rain water_2"; /* becomes the same as the second */
    f.boundaries[0].name = "../etc/x";
    bl_sets sets;
    assert_int_equal(bl_sets_from_scene(f.ctx, &f.scene, &sets), BL_OK);
    assert_int_equal(sets.count, 4);
    assert_string_equal(sets.items[0].file, "rain_water_2");
    assert_string_equal(sets.items[1].file, "rain_water_2-2");
    assert_string_equal(sets.items[1].name, "rain water/2");
    assert_string_equal(sets.items[2].file, "___etc_x");
    assert_true(sets.items[2].fixed);
    assert_false(sets.items[3].fixed);
    bl_sets_clear(&sets);
    fixture_clear(&f);
}

static void assert_same_array(const bl_array *a, const bl_array *b, size_t count) {
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->components, b->components);
    assert_memory_equal(a->data, b->data, count * bl_array_item_size(a));
}

static void assert_same_frame(const bl_frame *a, const bl_frame *b) {
    assert_int_equal(a->count, b->count);
    assert_true(a->time == b->time);
    assert_same_array(&a->points, &b->points, a->count);
    assert_int_equal(a->array_count, b->array_count);
    for (int k = 0; k < a->array_count; k++) {
        assert_string_equal(a->arrays[k].name, b->arrays[k].name);
        assert_same_array(&a->arrays[k], &b->arrays[k], a->count);
    }
}

static void check_round_trip(size_t count, bool base64) {
    fixture f;
    char path[256];
    fixture_init(&f, count, 1);
    bl_frame written, read;
    assert_int_equal(bl_frame_from_fluid(f.ctx, &f.fluid, 1, &written), BL_OK);
    written.time = 0.1;
    fixture_path(&f, "a.vtu", path);
    assert_int_equal(bl_vtu_write(f.ctx, path, &written, base64), BL_OK);
    assert_int_equal(bl_vtu_read(f.ctx, path, &read), BL_OK);
    assert_same_frame(&written, &read);
    bl_frame_clear(&read);
    bl_frame_clear(&written);
    fixture_clear(&f);
}

static void test_vtu_comes_back_bit_for_bit(void **state) {
    (void)state;
    /* 0, 1 and 2 particles go through every remainder of base64; 3000 through several blocks. */
    const size_t counts[] = {0, 1, 2, 3, 4, 5, 3000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        check_round_trip(counts[k], false);
        check_round_trip(counts[k], true);
    }
}

static void check_every_cut_is_refused(bool base64) {
    fixture f;
    char path[256], *bytes;
    size_t size;
    fixture_init(&f, 12, 1);
    bl_frame frame;
    assert_int_equal(bl_frame_from_fluid(f.ctx, &f.fluid, 0, &frame), BL_OK);
    assert_int_equal(bl_vtu_write(f.ctx, fixture_path(&f, "a.vtu", path), &frame, base64), BL_OK);
    bl_frame_clear(&frame);
    assert_int_equal(bl_file_read(f.ctx, path, &bytes, &size), BL_OK);
    for (size_t cut = 0; cut + 1 < size; cut++) { /* the last byte is only a newline */
        char *part = bl_alloc(f.ctx, cut + 1, 1);
        memcpy(part, bytes, cut);
        assert_int_equal(bl_vtu_parse(f.ctx, "cut.vtu", part, cut, &frame), BL_ERR_DATA);
        assert_mentions(bl_context_error(f.ctx), "cut.vtu: ");
        assert_null(frame.points.data);
        bl_release(f.ctx, part);
    }
    bl_release(f.ctx, bytes);
    fixture_clear(&f);
}

static void test_truncated_vtu_is_refused(void **state) {
    (void)state;
    check_every_cut_is_refused(false);
    check_every_cut_is_refused(true);
}

#define GRID(attributes) "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"" attributes ">"
#define PIECE "<Piece NumberOfPoints=\"2\" NumberOfCells=\"0\">"
#define POINTS(content)                                                                                                \
    "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">" content "</DataArray></Points>"
#define END "</Piece></VTKFile>"

static void test_foreign_vtu_is_refused_with_a_reason(void **state) {
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "not a VTK XML file"},
        {"ply\nformat ascii", "not a VTK XML file"},
        {"<VTKFile type=\"PolyData\"></VTKFile>", "not an UnstructuredGrid: PolyData"},
        {"<VTKFile type=\"UnstructuredGrid\" byte_order=\"BigEndian\"></VTKFile>", "byte order"},
        {GRID(" compressor=\"vtkZLibDataCompressor\"") PIECE END, "compressed"},
        {GRID("") "</VTKFile>", "no piece with points"},
        {"<AppendedData>_" GRID("") "</VTKFile>", "no piece with points"},
        {GRID("") PIECE END, "no piece with points"},
        {GRID("") "<Piece NumberOfPoints=\"99999999999\">" END, "number of points"},
        {GRID("") "<Piece NumberOfPoints=\"-1\">" END, "number of points"},
        {GRID("") PIECE POINTS("1 2 3 4 5") END, "too few numbers"},
        {GRID("") PIECE POINTS("1 2 3 4 5 6") PIECE END, "more than one piece"},
        {GRID("") PIECE POINTS("1 2 3 4 5 6") POINTS("1 2 3 4 5 6") END, "more than one array of points"},
        {GRID("") POINTS("1 2 3") PIECE END, "outside of a piece"},
        {GRID("") PIECE
         "<PointData><DataArray type=\"Int8\" Name=\"q\" format=\"ascii\">1 2</DataArray></PointData>" END,
         "none of Float32, Float64, UInt32: q"},
        {GRID("") PIECE
         "<PointData><DataArray type=\"UInt32\" Name=\"q\" NumberOfComponents=\"2\" format=\"ascii\">1 2 "
         "3 4</DataArray></PointData>" END,
         "neither 1 nor 3 components: q"},
        {GRID("") PIECE "<PointData><DataArray type=\"UInt32\" Name=\"q\" format=\"ascii\">1 -2</DataArray>" END,
         "not a UInt32: q"},
        {GRID("") PIECE "<PointData><DataArray type=\"UInt32\" Name=\"q\" format=\"appended\" offset=\"0\"/>" END,
         "appended data is missing"},
        {GRID("") PIECE "<PointData><DataArray type=\"UInt32\" Name=\"q\" format=\"binary\">AAAA</DataArray>" END,
         "cut off inside an array: q"},
    };
    bl_context *ctx;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bl_frame frame;
        assert_int_equal(bl_vtu_parse(ctx, "a.vtu", cases[k].text, strlen(cases[k].text), &frame), BL_ERR_DATA);
        assert_mentions(bl_context_error(ctx), cases[k].reason);
    }
    bl_frame frame;
    assert_int_equal(bl_vtu_read(ctx, "no/such.vtu", &frame), BL_ERR_NO_INPUT);
    bl_context_destroy(ctx);
}

static void test_vtu_of_others_is_read(void **state) {
    (void)state;
    static const char text[] =
        GRID("") "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
                 "format=\"ascii\">0.25</DataArray></FieldData>" PIECE POINTS(
                     "1 2 3\n4 5 6.5") "<PointData><DataArray type='Float64' Name='q' "
                                       "format='binary'>EAAAAAAAAAAAAPA/AAAAAAAAAEA=</DataArray></PointData>" END;
    bl_context *ctx;
    bl_frame frame;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    assert_int_equal(bl_vtu_parse(ctx, "a.vtu", text, strlen(text), &frame), BL_OK);
    assert_true(frame.time == 0.25);
    assert_int_equal(frame.count, 2);
    assert_true(bl_array_value(&frame.points, 1, 2) == 6.5);
    const bl_array *q = bl_frame_array(&frame, "q"); /* header UInt32 16, then 1.0 and 2.0 */
    assert_true(bl_array_value(q, 0, 0) == 1 && bl_array_value(q, 1, 0) == 2);
    bl_frame_clear(&frame);
    bl_context_destroy(ctx);
}

/* --- dump for foreign readers --- */

static void dump_field(FILE *out, const bl_field_info *field, const void *store, const size_t *order, size_t n,
                       const char *name) {
    int components = field->type == BL_TYPE_VEC3 ? 3 : 1;
    char text[32];
    fprintf(out, "array %s %d\n", name, components);
    for (size_t k = 0; k < n; k++)
        for (int c = 0; c < components; c++) {
            size_t at = order[k] * (size_t)components + (size_t)c;
            double value = field->type == BL_TYPE_U32 ? ((const uint32_t *)bl_field_data(field, store))[at]
                                                      : (double)((const real *)bl_field_data(field, store))[at];
            fprintf(out, "%s%c", bl_format_double(text, value), c + 1 == components ? '\n' : ' ');
        }
}

static void dump_set(FILE *out, const char *file, const bl_field_info *fields, int field_count, int position,
                     const void *store, size_t count, const uint32_t *id, const uint32_t *group, uint32_t wanted) {
    size_t order[256], n = 0;
    for (uint32_t number = 0; number < count; number++) {
        size_t i = index_of(id, count, number);
        if (group[i] == wanted) order[n++] = i;
    }
    fprintf(out, "set %s %zu\n", file, n);
    dump_field(out, &fields[position], store, order, n, "points");
    for (int k = 0; k < field_count; k++)
        if (fields[k].flags & BL_FIELD_OUT) dump_field(out, &fields[k], store, order, n, fields[k].name);
}

static void dump_all(FILE *out, const fixture *f) {
    static const char *const files[] = {"water", "rain_water_2", "glass", "lid"};
    for (uint32_t s = 0; s < 2; s++)
        dump_set(out, files[s], bl_fluid_fields, BL_F_COUNT, BL_F_x, &f->fluid, f->fluid.count, f->fluid.id,
                 f->fluid.phase, s);
    for (uint32_t s = 0; s < 2; s++)
        dump_set(out, files[2 + s], bl_boundary_fields, BL_B_COUNT, BL_B_x, &f->boundary, f->boundary.count,
                 f->boundary.id, f->boundary.body, s);
}

/* Two frames in all formats below `dir`, raw or base64; frame 1 is listed in DIR/expected.txt. */
static int dump(const char *dir, bool base64) {
    fixture f;
    char path[256];
    fixture_init(&f, 200, 50);
    rmdir(f.dir);
    snprintf(f.dir, sizeof f.dir, "%s", dir);
    f.scene.output.formats = BL_FORMAT_VTU | BL_FORMAT_PLY | BL_FORMAT_VTKHDF;
    f.scene.output.base64 = base64;
    bl_writer_def def = bl_default_writer_def();
    def.dir = f.dir;
    def.scene = &f.scene;
    bl_writer *writer;
    bl_status status = bl_writer_create(f.ctx, &def, &writer);
    for (int n = 0; n < 2 && status == BL_OK; n++) {
        status = bl_writer_frame(writer, n, 0.1 * n, &f.fluid, &f.boundary);
        FILE *out = fopen(fixture_path(&f, n == 0 ? "expected_0.txt" : "expected_1.txt", path), "w");
        dump_all(out, &f);
        fclose(out);
        fixture_stir(&f, 2000); /* the writer holds a copy */
    }
    if (status == BL_OK) status = bl_writer_flush(writer);
    if (status != BL_OK) fprintf(stderr, "%s\n", bl_context_error(f.ctx));
    bl_writer_destroy(writer);
    bl_fluid_store_clear(&f.fluid);
    bl_boundary_store_clear(&f.boundary);
    bl_context_destroy(f.ctx);
    return bl_status_exit_code(status);
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--dump") == 0) return dump(argv[2], strcmp(argv[3], "base64") == 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snapshot_is_in_order_of_id),  cmocka_unit_test(test_order_with_large_ids),
        cmocka_unit_test(test_sets_have_safe_unique_files), cmocka_unit_test(test_vtu_comes_back_bit_for_bit),
        cmocka_unit_test(test_truncated_vtu_is_refused),    cmocka_unit_test(test_foreign_vtu_is_refused_with_a_reason),
        cmocka_unit_test(test_vtu_of_others_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
