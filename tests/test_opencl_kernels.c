/* The device's kernels: what they are compiled with, the files they are kept in, and errors. */
#include "base/file.h"
#include "opencl_helpers.h"
#include "schemes/unified/unified.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#ifndef BL_HAVE_OPENCL
int main(void) {
    printf("built without OpenCL\n");
    return 77;
}
#else

/* Constants that keyframes change stay arguments of kernels that know all others. */
static void keyframes_are_not_compiled_in(void **state) {
    (void)state;
    static const char rising[] =
        "name: rising\n"
        "spacing: 0.5 mm\n"
        "gravity: [0, 0, 0]\n"
        "scheme: {name: unified, interface: particles, min_iterations: 5, max_iterations: 5}\n"
        "time: {end: 1 s, fixed_step: 0.1 ms, relax_steps: 0, frames_per_second: 1000}\n"
        "fluids:\n"
        "  water: {density: 1000 kg/m^3, surface_tension: {keyframes: [[0 s, 0.01], [0.2 ms, 0.07]]},\n"
        "    volumes: [{sphere: {radius: 2 mm}}]}\n";
    fixture cpu, device;
    open_on(&cpu, rising, "cpu");
    open_on(&device, rising, "opencl");
    bl_device *d = device.sim->world.device;
    d->bake = true;
    for (int k = 0; k < 2; k++) {
        steps(&cpu, 1);
        steps(&device, 1);
        assert_true(d->baked && !d->known.par.steady && d->known.fluids[0].a0_fv == 0);
        compare_field(cpu.sim, device.sim, &(tolerance){BL_F_f_st, k ? 1e-3 : 2e-4, 0}, true);
    }
    close_sim(&cpu);
    close_sim(&device);
}

/* The numbers behind a macro of the text, read back. */
static int numbers_of(const char *text, const char *macro, double *out, int most) {
    const char *at = strstr(text, macro);
    int count = 0;
    if (!at) return 0;
    char *end = NULL;
    for (at += strlen(macro); count < most && *at != '\n'; at = end) {
        out[count++] = strtod(at, &end);
        assert_true(end > at);
        end += strspn(end, "f,");
    }
    return count;
}

/* What the compiler is told are the constants themselves, bit for bit. */
static void constants_are_written_exactly(void **state) {
    (void)state;
    fixture f;
    open_on(&f, drop_on_floor, "opencl");
    bl_device *d = f.sim->world.device;
    unified *u = f.sim->scheme_state;
    bl_unified_bind(&f.sim->world, u);
    assert_true(bl_cl_can_know(&u->view));
    bl_cl_know(&u->view, &d->known);
    bl_text text = bl_text_make(f.ctx);
    bl_cl_add_known(d, &text);
    double got[64];
    const int facts = BL_CL_FACTS;
    assert_true(numbers_of(bl_text_str(&text), "KNOWN_PARAMS ", got, 64) > facts + 20);
    assert_true(got[0] == 3 && got[1] == 2 && got[facts - 1] == 1);
    assert_true(got[facts + 6] == (double)u->par.h && got[facts + 7] == (double)u->par.v0);
    enum { OF_A_KERNEL = sizeof(bl_kernel) / sizeof(real) };
    assert_true(got[facts + 8] == (double)u->par.near.inv_support &&
                got[facts + 10 + OF_A_KERNEL] == (double)u->par.far.grad_norm);
    enum { OF_A_FLUID = sizeof(bl_phase_params) / sizeof(real) };
    assert_int_equal(numbers_of(bl_text_str(&text), "KNOWN_FLUIDS ", got, 64), 2 * OF_A_FLUID);
    assert_true(got[4] == (double)u->fluids[0].a0_fv && got[OF_A_FLUID] == (double)u->fluids[1].mass);
    assert_true(got[4] > 0 && got[OF_A_FLUID] > 0);
    bl_text_clear(&text);
    u->fluids[1].a0_ff = (real)NAN; /* nothing that can be written down */
    assert_false(bl_cl_can_know(&u->view));
    close_sim(&f);
}

/* --- errors, and the kept kernels --- */

static void errors_are_clear(void **state) {
    (void)state;
    static const struct {
        const char *device, *message;
        bl_status status;
    } cases[] = {
        {"opencl:99.0", "there is no device opencl:99.0; this machine has opencl:0.0", BL_ERR_DEVICE},
        {"opencl:99", "there is no device opencl:99;", BL_ERR_DEVICE},
        {"opencl:0.77", "there is no device opencl:0.77;", BL_ERR_DEVICE},
        {"opencl:x", "expected opencl, opencl:PLATFORM or opencl:PLATFORM.DEVICE", BL_ERR_USAGE},
        {"opencl:0.0.0", "expected opencl, opencl:PLATFORM", BL_ERR_USAGE},
        {"openclx", "expected opencl, opencl:PLATFORM", BL_ERR_USAGE},
        {"cuda", "expected cpu, auto, opencl", BL_ERR_USAGE},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        bl_context_def def = bl_default_context_def();
        bl_context *ctx;
        bl_scene *scene;
        bl_sim *sim;
        def.device = cases[k].device;
        assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
        assert_int_equal(bl_scene_load_text(ctx, free_drop, strlen(free_drop), "test.yaml", NULL, 0, &scene), BL_OK);
        assert_int_equal(bl_sim_create(ctx, scene, &sim), cases[k].status);
        if (!strstr(bl_context_error(ctx), cases[k].message)) fail_msg("%s", bl_context_error(ctx));
        bl_scene_destroy(scene);
        bl_context_destroy(ctx);
    }
}

/* More than any device has: an error that stays, and no crash in what follows. */
static void out_of_memory(void **state) {
    (void)state;
    fixture f;
    open_on(&f, free_drop, "opencl");
    bl_device *d = f.sim->world.device;
    bl_cl_buffer buffer = {0};
    assert_false(bl_cl_reserve(d, &buffer, (size_t)1 << 50, "a test"));
    assert_int_equal(bl_device_status(d), BL_ERR_MEMORY);
    assert_non_null(strstr(bl_context_error(f.ctx), "making room for a test"));
    assert_int_equal(bl_sim_step(f.sim, (double)INFINITY), BL_ERR_MEMORY);
    bl_cl_release(d, &buffer);
    close_sim(&f);
}

static void make_and_end(void) {
    fixture f;
    open_on(&f, free_drop, "opencl");
    close_sim(&f);
}

/* A broken file in the cache is like none, and is replaced. */
static void broken_cache_is_replaced(void **state) {
    (void)state;
    char path[512] = "", found[6];
    setenv("XDG_CACHE_HOME", "test_opencl_broken", 1);
    assert_int_equal(system("rm -rf test_opencl_broken"), 0);
    make_and_end();
    FILE *list = popen("ls test_opencl_broken/beadlet/opencl-*.bin", "r");
    assert_non_null(fgets(path, sizeof path, list));
    pclose(list);
    path[strcspn(path, "\n")] = '\0';
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, 500, SEEK_SET);
    fputs("broken", file);
    fclose(file);
    make_and_end();
    file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 500, SEEK_SET);
    assert_int_equal(fread(found, sizeof found, 1, file), 1);
    fclose(file);
    assert_true(memcmp(found, "broken", sizeof found) != 0);
}

/* A file in the cache of so many bytes, last used so many seconds ago. */
static void put_program(const char *name, size_t size, time_t ago) {
    char path[256];
    struct timespec now, times[2];
    snprintf(path, sizeof path, "test_opencl_prune/%s", name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t k = 0; k < size; k++) fputc(0, file);
    fclose(file);
    clock_gettime(CLOCK_REALTIME, &now);
    times[0] = times[1] = (struct timespec){now.tv_sec - ago, 0};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_kept(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "test_opencl_prune/%s", name);
    return bl_file_exists(path);
}

/* The least recently used programs go first; the new one stays, and so does what is not ours. */
static void old_programs_are_removed(void **state) {
    (void)state;
    static const char directory[] = "test_opencl_prune", fresh[] = "test_opencl_prune/opencl-1.bin";
    bl_context *ctx;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    assert_int_equal(system("rm -rf test_opencl_prune && mkdir test_opencl_prune"), 0);
    put_program("opencl-1.bin", 400, 900); /* by its age the first to go */
    put_program("opencl-2.bin", 300, 300);
    put_program("opencl-3.bin", 200, 800);
    put_program("opencl-4.bin", 100, 10);
    put_program("other.bin", 5000, 9000);
    bl_cl_prune_cache(ctx, directory, fresh, 1000);
    assert_true(is_kept("opencl-1.bin") && is_kept("opencl-2.bin") && is_kept("opencl-3.bin"));
    bl_cl_prune_cache(ctx, directory, fresh, 999);
    assert_false(is_kept("opencl-3.bin"));
    assert_true(is_kept("opencl-2.bin"));
    bl_cl_prune_cache(ctx, directory, fresh, 0);
    assert_false(is_kept("opencl-2.bin") || is_kept("opencl-4.bin"));
    assert_true(is_kept("opencl-1.bin") && is_kept("other.bin"));
    bl_cl_prune_cache(ctx, "test_opencl_nowhere", fresh, 0); /* nothing there: nothing happens */
    bl_context_destroy(ctx);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keyframes_are_not_compiled_in),
        cmocka_unit_test(constants_are_written_exactly),
        cmocka_unit_test(errors_are_clear),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(broken_cache_is_replaced),
        cmocka_unit_test(old_programs_are_removed),
    };
    RUN_ON_DEVICE(argc, argv, tests);
}
#endif
