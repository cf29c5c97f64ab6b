/* run.json and the reader of a run directory; the hash that ties checkpoints to a scene. */
#include "output/checkpoint.h"
#include "output/reader.h"
#include "output/run_json.h"
#include "output_fixture.h"

#include <libfyaml.h>

static const char SCENE[] =
    "name: two fluids\n"
    "spacing: 1 mm\n"
    "time: {end: 0.1 s}\n"
    "fluids:\n"
    "  water: {density: 998, volumes: [{sphere: {center: [0, 0, 0.01], radius: 4 mm}}]}\n"
    "  oil: {density: 900, volumes: [{sphere: {center: [0, 0, 0.03], radius: 4 mm}}]}\n"
    "boundaries:\n"
    "  glass: {shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
    "  lid: {velocity: [0, 0, 0.5], shapes: [{plane: {point: [0, 0, 0.1], normal: [0, 0, -1]}}]}\n";

static bl_scene *load_with(bl_context *ctx, const char *override) {
    bl_scene *scene;
    bl_status status = bl_scene_load_text(ctx, SCENE, strlen(SCENE), "scene.yaml", &override, override ? 1 : 0, &scene);
    if (status != BL_OK) fail_msg("%s", bl_context_error(ctx));
    return scene;
}

static bl_run_record record_of(const bl_scene *scene, const char *status) {
    return (bl_run_record){.scene = scene, .status = status, .device = "cpu", .threads = 2, .steps = 12, .frames = 3};
}

/* A member of run.json as text, found by an independent parse. */
static void get_member(fixture *f, const char *path, char *text, size_t capacity) {
    char file[256];
    struct fy_document *document = fy_document_build_from_file(NULL, fixture_path(f, "run.json", file));
    assert_non_null(document);
    const char *value =
        fy_node_get_scalar0(fy_node_by_path(fy_document_root(document), path, FY_NT, FYNWF_DONT_FOLLOW));
    snprintf(text, capacity, "%s", value ? value : "(none)");
    fy_document_destroy(document);
}

static void assert_member(fixture *f, const char *path, const char *expected) {
    char text[128];
    get_member(f, path, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_run_json(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 0, 0);
    bl_scene *scene = load_with(f.ctx, NULL);
    bl_run_record record = record_of(scene, "running");
    assert_int_equal(bl_run_json_write(f.ctx, f.dir, &record), BL_OK);
    assert_member(&f, "/status", "running");
    assert_member(&f, "/exit_code", "(none)");

    bl_timers timers = {0};
    bl_timers_add(&timers, "neighbours", 0.5);
    bl_timers_add(&timers, "neighbours", 0.25);
    const char *const warnings[] = {"a \"quoted\" warning"};
    const bl_run_option options[] = {{"until", "0.05"}};
    record = record_of(scene, "failed");
    record.reason = "disk full";
    record.exit_code = 74;
    record.timers = &timers;
    record.warnings = warnings;
    record.warning_count = 1;
    record.options = options;
    record.option_count = 1;
    record.resumed = true;
    record.resumed_frame = 2;
    record.state_hash = 0xabc;
    assert_int_equal(bl_run_json_write(f.ctx, f.dir, &record), BL_OK);
    assert_member(&f, "/status", "failed");
    assert_member(&f, "/reason", "disk full");
    assert_member(&f, "/exit_code", "74");
    assert_member(&f, "/version", bl_version());
    assert_member(&f, "/precision", BL_REAL_NAME);
    assert_member(&f, "/timing/0/pass", "neighbours");
    assert_member(&f, "/timing/0/seconds", "0.75");
    assert_member(&f, "/timing/0/calls", "2");
    assert_member(&f, "/warnings/0", warnings[0]);
    assert_member(&f, "/options/0/until", "0.05");
    assert_member(&f, "/resumed_from/frame", "2");
    assert_member(&f, "/state_hash", "0000000000000abc");
    assert_member(&f, "/scene/spacing", "0.001");
    assert_false(fixture_has(&f, "run.json.part"));

    bl_run_info info;
    assert_int_equal(bl_run_json_read(f.ctx, f.dir, &info), BL_OK);
    assert_string_equal(info.status, "failed");
    assert_string_equal(info.scene_path, "scene.yaml");
    bl_run_info_clear(&info);
    bl_scene_destroy(scene);
    fixture_clear(&f);
}

static uint64_t hash_of(const bl_scene *scene) {
    uint64_t hash;
    assert_int_equal(bl_checkpoint_scene_hash(scene, &hash), BL_OK);
    return hash;
}

static void test_scene_hash_sees_the_course_only(void **state) {
    (void)state;
    static const struct {
        const char *override;
        bool same;
    } cases[] = {{"time.end=0.2 s", true}, {"output.checkpoint_every=3", true}, {"name=other", true},
                 {"spacing=2 mm", false},  {"fluids.oil.density=901", false},   {"scheme.tolerance=0.2 %", false}};
    bl_context *ctx;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    bl_scene *scene = load_with(ctx, NULL);
    uint64_t hash = hash_of(scene);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bl_scene *other = load_with(ctx, cases[k].override);
        if ((hash_of(other) == hash) != cases[k].same) fail_msg("%s", cases[k].override);
        bl_scene_destroy(other);
    }
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
}

static void write_run(fixture *f, const bl_scene *scene, int frames) {
    bl_writer_def def = bl_default_writer_def();
    def.dir = f->dir;
    def.scene = scene;
    bl_writer *writer;
    assert_int_equal(bl_writer_create(f->ctx, &def, &writer), BL_OK);
    bl_run_record record = record_of(scene, "running");
    assert_int_equal(bl_run_json_write(f->ctx, f->dir, &record), BL_OK);
    for (int n = 0; n < frames; n++)
        assert_int_equal(bl_writer_frame(writer, n, 0.02 * n, &f->fluid, &f->boundary), BL_OK);
    assert_int_equal(bl_writer_flush(writer), BL_OK);
    bl_writer_destroy(writer);
}

static void test_reader_opens_what_a_run_left(void **state) {
    (void)state;
    fixture f;
    bl_reader reader;
    bl_frame frame;
    fixture_init(&f, 50, 20);
    bl_scene *scene = load_with(f.ctx, NULL);
    write_run(&f, scene, 3);
    if (bl_reader_open(f.ctx, f.dir, &reader) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
    assert_true(hash_of(reader.scene) == hash_of(scene)); /* the resolved scene is the scene */
    assert_int_equal(reader.sets.count, 4);
    assert_int_equal(reader.frame_count, 3);
    assert_int_equal(reader.frames[2].number, 2);
    assert_true(reader.frames[2].time == 0.04);
    assert_int_equal(bl_reader_find_set(&reader, "glass"), 2);
    assert_int_equal(bl_reader_find_set(&reader, "gold"), -1);
    assert_int_equal(bl_reader_find_frame(&reader, 2), 2);
    assert_int_equal(bl_reader_find_frame(&reader, 7), -1);

    assert_int_equal(bl_reader_load(&reader, 1, 2, &frame), BL_OK);
    assert_int_equal(frame.number, 2);
    assert_true(frame.time == 0.04 && frame.count > 0);
    bl_frame_clear(&frame);
    assert_int_equal(bl_reader_load(&reader, 2, 2, &frame), BL_OK); /* the fixed wall of frame 0 */
    assert_true(frame.count > 0);
    bl_frame_clear(&frame);
    assert_int_equal(bl_reader_load(&reader, 0, 3, &frame), BL_ERR_NO_INPUT);
    assert_mentions(bl_context_error(f.ctx), "water_000003.vtu");
    bl_reader_close(&reader);
    bl_scene_destroy(scene);
    fixture_clear(&f);
}

static void write_text(fixture *f, const char *name, const char *text) {
    char path[256];
    FILE *file = fopen(fixture_path(f, name, path), "w");
    fputs(text, file);
    fclose(file);
}

static void assert_open_fails(fixture *f, bl_status expected, const char *reason) {
    bl_reader reader;
    assert_int_equal(bl_reader_open(f->ctx, f->dir, &reader), expected);
    assert_mentions(bl_context_error(f->ctx), reason);
    assert_null(reader.scene);
}

static void test_reader_refuses_what_is_no_run(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 20, 10);
    assert_open_fails(&f, BL_ERR_NO_INPUT, "is it the folder of a run?");
    write_text(&f, "run.json", "{\"status\": ");
    assert_open_fails(&f, BL_ERR_DATA, "not valid JSON");
    write_text(&f, "run.json", "{\"status\": \"done\"}");
    assert_open_fails(&f, BL_ERR_DATA, "holds no scene");

    bl_scene *scene = load_with(f.ctx, NULL);
    write_run(&f, scene, 1);
    write_text(&f, "frames/water.pvd", "<Collection><DataSet timestep=\"x\" file=\"water_000000.vtu\"/></Collection>");
    assert_open_fails(&f, BL_ERR_DATA, "water.pvd: entry 1 needs");
    write_text(&f, "frames/water.pvd", "<Collection><DataSet timestep=\"0\" file=\"water_000000.vtu\"/>");
    assert_open_fails(&f, BL_ERR_DATA, "not a complete PVD");
    bl_scene_destroy(scene);

    scene = load_with(f.ctx, "output.formats=[ply]");
    write_run(&f, scene, 1);
    assert_open_fails(&f, BL_ERR_NO_INPUT, "not written as VTU");
    bl_scene_destroy(scene);
    fixture_clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_json),
        cmocka_unit_test(test_scene_hash_sees_the_course_only),
        cmocka_unit_test(test_reader_opens_what_a_run_left),
        cmocka_unit_test(test_reader_refuses_what_is_no_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
