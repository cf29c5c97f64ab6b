/* What becomes of a run whose device fails.
 *
 * The calls of OpenCL that can fail when a device is lost, is full or has no compiler are caught on their way to the
 * driver: the definitions below stand in front of the library's. At the n-th call the device is lost: this call and all
 * that follow return the error and do nothing. Whatever n is, the run has to end with a message and its exit code, its
 * last checkpoint has to be one that a sound run wrote, nothing may be left behind, and the run goes on from there on
 * the CPU. */
#define _GNU_SOURCE
#include "backends/opencl/opencl.h"
#include "base/context.h"
#include "beadlet/beadlet.h"
#include "output/checkpoint.h"
#include "sim_helpers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BL_HAVE_OPENCL
int main(void) {
    printf("built without OpenCL\n");
    return 77;
}
#else

/* --- a driver that fails --- */

typedef enum kind { COMMAND, MEMORY, BUILD, SEARCH, KINDS } kind;

static struct driver {
    kind fails;       /* which calls count */
    int fails_at;     /* the number of the first one that fails, from 1; 0: none */
    int calls[KINDS]; /* so far */
    cl_int code;
    bool stays;            /* lost: all later commands fail, too */
    int objects;           /* made and not yet released */
    cl_command_queue last; /* the queue, to let it end what it had begun when it was lost */
} driver;

static void *real_one(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    assert_non_null(found);
    return found;
}
#define REAL(name)                                                                                                     \
    static __typeof__(&name) driver_one;                                                                               \
    if (!driver_one) *(void **)&driver_one = real_one(#name)

static cl_int fault(kind k) {
    int call = ++driver.calls[k];
    if (driver.fails_at == 0 || k != driver.fails) return CL_SUCCESS;
    if (call != driver.fails_at && !(driver.stays && call > driver.fails_at)) return CL_SUCCESS;
    if (call == driver.fails_at && k == COMMAND && driver.last) {
        __typeof__(&clFinish) finish;
        *(void **)&finish = real_one("clFinish");
        finish(driver.last);
    }
    return driver.code;
}

/* Calls that give back an error. */
#define CATCH(kind, name, params, args)                                                                                \
    cl_int name params {                                                                                               \
        REAL(name);                                                                                                    \
        cl_int code = fault(kind);                                                                                     \
        return code == CL_SUCCESS ? driver_one args : code;                                                            \
    }
/* Commands, the last argument being the event. */
#define CATCH_COMMAND(name, params, args)                                                                              \
    cl_int name params {                                                                                               \
        REAL(name);                                                                                                    \
        cl_int code = fault(COMMAND);                                                                                  \
        driver.last = queue;                                                                                           \
        if (code == CL_SUCCESS) code = driver_one args;                                                                \
        driver.objects += code == CL_SUCCESS && event;                                                                 \
        return code;                                                                                                   \
    }
/* Calls that make an object. */
#define CATCH_MAKER(kind, type, name, params, args)                                                                    \
    type name params {                                                                                                 \
        REAL(name);                                                                                                    \
        cl_int failed = fault(kind);                                                                                   \
        type made = failed == CL_SUCCESS ? driver_one args : NULL;                                                     \
        if (failed != CL_SUCCESS) *code = failed;                                                                      \
        driver.objects += made != NULL;                                                                                \
        return made;                                                                                                   \
    }
#define COUNT_RELEASE(name, type)                                                                                      \
    cl_int name(type object) {                                                                                         \
        REAL(name);                                                                                                    \
        driver.objects--;                                                                                              \
        return driver_one(object);                                                                                     \
    }

#define WAITS cl_uint n_waits, const cl_event *waits, cl_event *event
CATCH_COMMAND(clEnqueueNDRangeKernel,
              (cl_command_queue queue, cl_kernel kernel, cl_uint dim, const size_t *offset, const size_t *global,
               const size_t *local, WAITS),
              (queue, kernel, dim, offset, global, local, n_waits, waits, event))
CATCH_COMMAND(clEnqueueReadBuffer,
              (cl_command_queue queue, cl_mem mem, cl_bool wait, size_t offset, size_t size, void *to, WAITS),
              (queue, mem, wait, offset, size, to, n_waits, waits, event))
CATCH_COMMAND(clEnqueueWriteBuffer,
              (cl_command_queue queue, cl_mem mem, cl_bool wait, size_t offset, size_t size, const void *from, WAITS),
              (queue, mem, wait, offset, size, from, n_waits, waits, event))
CATCH_COMMAND(clEnqueueCopyBuffer,
              (cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t to_at, size_t size, WAITS),
              (queue, from, to, at, to_at, size, n_waits, waits, event))
CATCH_COMMAND(clEnqueueUnmapMemObject, (cl_command_queue queue, cl_mem mem, void *mapped, WAITS),
              (queue, mem, mapped, n_waits, waits, event))
CATCH(COMMAND, clFinish, (cl_command_queue queue), (queue))
CATCH(COMMAND, clFlush, (cl_command_queue queue), (queue))
CATCH(COMMAND, clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))
CATCH(BUILD, clBuildProgram,
      (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
       void(CL_CALLBACK *told)(cl_program, void *), void *user),
      (program, count, devices, options, told, user))
CATCH(SEARCH, clGetPlatformIDs, (cl_uint most, cl_platform_id *platforms, cl_uint *count), (most, platforms, count))

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool wait, cl_map_flags flags, size_t offset,
                         size_t size, WAITS, cl_int *code) {
    REAL(clEnqueueMapBuffer);
    cl_int failed = fault(COMMAND);
    if (failed == CL_SUCCESS) return driver_one(queue, mem, wait, flags, offset, size, n_waits, waits, event, code);
    *code = failed;
    return NULL;
}

CATCH_MAKER(MEMORY, cl_mem, clCreateBuffer,
            (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code),
            (context, flags, size, host, code))
CATCH_MAKER(MEMORY, cl_mem, clCreateSubBuffer,
            (cl_mem mem, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *code),
            (mem, flags, type, info, code))
CATCH_MAKER(MEMORY, cl_command_queue, clCreateCommandQueue,
            (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code),
            (context, device, properties, code))
CATCH_MAKER(MEMORY, cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *code),
            (program, name, code))
CATCH_MAKER(MEMORY, cl_program, clCreateProgramWithSource,
            (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *code),
            (context, count, texts, lengths, code))
CATCH_MAKER(MEMORY, cl_program, clCreateProgramWithBinary,
            (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
             const unsigned char **binaries, cl_int *status, cl_int *code),
            (context, count, devices, lengths, binaries, status, code))
CATCH_MAKER(MEMORY, cl_context, clCreateContext,
            (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
             void(CL_CALLBACK *told)(const char *, const void *, size_t, void *), void *user, cl_int *code),
            (properties, count, devices, told, user, code))
COUNT_RELEASE(clReleaseMemObject, cl_mem)
COUNT_RELEASE(clReleaseCommandQueue, cl_command_queue)
COUNT_RELEASE(clReleaseKernel, cl_kernel)
COUNT_RELEASE(clReleaseProgram, cl_program)
COUNT_RELEASE(clReleaseContext, cl_context)
COUNT_RELEASE(clReleaseEvent, cl_event)

static void sound_driver(void) { driver = (struct driver){0}; }
static void failing_driver(kind fails, int at, cl_int code, bool stays) {
    driver = (struct driver){.fails = fails, .fails_at = at, .code = code, .stays = stays};
}

/* --- memory of the host is counted, and the log kept --- */

static int blocks; /* one thread allocates at a time here */
static void *count_alloc(void *user, size_t size) {
    (void)user;
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory) __atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
    return memory;
}
static void count_release(void *user, void *memory) {
    (void)user;
    if (memory) __atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
    free(memory);
}

static char told[10000];

/* --- runs --- */

/* Every path: walls, friction, viscosity, a source and a sink, a frame and a checkpoint at every other step. */
static const char scene_text[] =
    "name: lost\n"
    "spacing: 0.5 mm\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "scheme: {name: unified, min_iterations: 2, max_iterations: 2}\n"
    "time: {relax_steps: 1, end: 0.4 ms, fixed_step: 0.1 ms, frames_per_second: 5000}\n"
    "output: {checkpoint_every: 1}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, viscosity: 10 mPa s, surface_tension: 0.07 N/m,\n"
    "    volumes: [{sphere: {center: [0, 0, 1 mm], radius: 1 mm}}]}\n"
    "boundaries:\n"
    "  glass: {contact_angle: 60 deg, friction: 0.3, shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -0.25 mm],\n"
    "    size: 4 mm}}]}\n";
enum { FRAMES = 2, STEPS = 4 };
static const char DIRECTORY[] = "test_opencl_lost_run";

typedef struct outcome {
    bl_status status;
    bl_run_result result;
    char message[1024];
} outcome;

static outcome run_on(const char *device, bl_run_start start) {
    outcome o = {0};
    bl_context_def def = bl_default_context_def();
    def.allocator = (bl_allocator){count_alloc, count_release, NULL};
    def.log = keep_log;
    def.log_user = told;
    def.device = device;
    def.threads = 1;
    bl_context *ctx;
    bl_scene *scene;
    told[0] = '\0';
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    assert_int_equal(bl_scene_load_text(ctx, scene_text, strlen(scene_text), "test.yaml", NULL, 0, &scene), BL_OK);
    bl_run_options options = bl_default_run_options();
    options.directory = DIRECTORY;
    options.start = start;
    o.status = bl_run(ctx, scene, &options, &o.result);
    snprintf(o.message, sizeof o.message, "%s", o.status == BL_OK ? "" : bl_context_error(ctx));
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return o;
}

/* The newest checkpoint: its frame, and a hash of the liquid. */
static int newest_checkpoint(uint64_t *hash) {
    bl_context *ctx;
    bl_checkpoint checkpoint = {0};
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    if (bl_checkpoint_find(ctx, DIRECTORY, -1, 0, &checkpoint, NULL) != BL_OK) fail_msg("%s", bl_context_error(ctx));
    int frame = checkpoint.head.frame;
    *hash = bl_fluid_store_hash(&checkpoint.fluid);
    bl_checkpoint_clear(&checkpoint);
    bl_context_destroy(ctx);
    return frame;
}

/* Hashes of the checkpoints of a sound run, by frame. */
static uint64_t sound[FRAMES + 1];
static int sound_calls[KINDS];

static void record_sound_run(void) {
    sound_driver();
    outcome o = run_on("opencl", BL_RUN_OVERWRITE);
    if (o.status != BL_OK) fail_msg("%s", o.message);
    assert_int_equal(o.result.steps, STEPS);
    assert_int_equal(driver.objects, 0);
    memcpy(sound_calls, driver.calls, sizeof sound_calls);
    bl_context *ctx;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    for (int frame = 0; frame <= FRAMES; frame++) {
        bl_checkpoint checkpoint = {0};
        assert_int_equal(bl_checkpoint_find(ctx, DIRECTORY, frame, 0, &checkpoint, NULL), BL_OK);
        assert_int_equal(checkpoint.head.frame, frame);
        sound[frame] = bl_fluid_store_hash(&checkpoint.fluid);
        bl_checkpoint_clear(&checkpoint);
    }
    bl_context_destroy(ctx);
}

/* What holds of every failed run. */
static void assert_failed_well(const outcome *o, int n, bl_status status, int exit_code, const char *words) {
    uint64_t hash;
    if (o->status != status) fail_msg("call %d: status %d, not %d: %s", n, (int)o->status, (int)status, o->message);
    assert_int_equal(bl_status_exit_code(o->status), exit_code);
    if (!strstr(o->message, words) || !strstr(o->message, "opencl:0.0"))
        fail_msg("call %d: \"%s\" does not say \"%s\"", n, o->message, words);
    if (driver.objects != 0) fail_msg("call %d: %d objects of OpenCL are left (%s)", n, driver.objects, o->message);
    if (blocks != 0) fail_msg("call %d: %d blocks of memory are left (%s)", n, blocks, o->message);
    int frame = newest_checkpoint(&hash);
    if (hash != sound[frame]) fail_msg("call %d: the checkpoint of frame %d is not what it should be", n, frame);
    if (!strstr(o->message, "--resume")) fail_msg("call %d: \"%s\" does not say how to go on", n, o->message);
}

static const cl_int lost_codes[] = {CL_DEVICE_NOT_AVAILABLE, CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE};

/* Lost at every call of a run in turn, the three errors that drivers report taking turns; on from the checkpoint on the
 * CPU after some. */
static void lost_at_every_call(void **state) {
    (void)state;
    enum { RESUME_EVERY = 20 };
    int failed = 0;
    record_sound_run();
    for (int n = 1; n <= sound_calls[COMMAND]; n++) {
        failing_driver(COMMAND, n, lost_codes[n % 3], true);
        outcome o = run_on("opencl", BL_RUN_OVERWRITE);
        if (o.status == BL_OK) { /* the device was lost when all was done: at its end */
            assert_int_equal(o.result.steps, STEPS);
            continue;
        }
        failed++;
        /* nobody can tell a device without resources from one without memory, when it is memory that is asked for */
        bool full = lost_codes[n % 3] == CL_OUT_OF_RESOURCES && strstr(o.message, "making room for");
        assert_failed_well(&o, n, full ? BL_ERR_MEMORY : BL_ERR_DEVICE, full ? 70 : 69, "failed: the device");
        if (n % RESUME_EVERY != 0) continue;
        sound_driver();
        o = run_on("cpu", BL_RUN_RESUME);
        if (o.status != BL_OK) fail_msg("call %d: resuming: %s", n, o.message);
        assert_int_equal(o.result.steps, STEPS);
        assert_int_equal(o.result.frames, FRAMES);
    }
    print_message("%d of %d calls\n", failed, sound_calls[COMMAND]);
    assert_true(failed > sound_calls[COMMAND] - 20 && failed > 200);
}

/* The n-th request for memory is refused: in the run that is an error of memory; a device that cannot be opened, or
 * whose kernels cannot be made, is none. Every third n, and all of the last ones, which come in the middle of steps. */
static void memory_is_full(void **state) {
    (void)state;
    int full = 0, all;
    record_sound_run();
    all = sound_calls[MEMORY];
    for (int n = 1; n <= all; n += n < all - 60 ? 3 : 1) {
        failing_driver(MEMORY, n, CL_MEM_OBJECT_ALLOCATION_FAILURE, false);
        outcome o = run_on("opencl", BL_RUN_OVERWRITE);
        if (o.status == BL_OK && n < 5) continue; /* a kept program that cannot be loaded is compiled again */
        assert_int_equal(o.status, BL_ERR_MEMORY);
        assert_int_equal(bl_status_exit_code(o.status), 70);
        if (!strstr(o.message, "failed: out of device memory")) fail_msg("call %d: %s", n, o.message);
        full += strstr(o.message, "MB were in use") != NULL;
        assert_int_equal(driver.objects, 0);
        assert_int_equal(blocks, 0);
    }
    assert_true(full > 60);
}

static void cannot_begin(void **state) {
    (void)state;
    static const struct {
        kind fails;
        cl_int code;
        const char *words;
    } cases[] = {{SEARCH, -1001, "no OpenCL device found"},
                 {BUILD, CL_BUILD_PROGRAM_FAILURE, "building the kernels failed: the kernels do not compile"},
                 {MEMORY, CL_DEVICE_NOT_AVAILABLE, "opening the device failed: the device is not available"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        failing_driver(cases[k].fails, 1, cases[k].code, true);
        outcome o = run_on("opencl", BL_RUN_OVERWRITE);
        assert_int_equal(o.status, BL_ERR_DEVICE);
        assert_int_equal(bl_status_exit_code(o.status), 69);
        if (!strstr(o.message, cases[k].words)) fail_msg("%s", o.message);
        assert_int_equal(driver.objects, 0);
        /* and with `auto` the CPU does it all */
        failing_driver(cases[k].fails, 1, cases[k].code, true);
        o = run_on("auto", BL_RUN_OVERWRITE);
        assert_int_equal(o.status, BL_OK);
        assert_int_equal(o.result.steps, STEPS);
        if (!strstr(told, "computing on the cpu: ") || !strstr(told, cases[k].words)) fail_msg("%s", told);
        assert_int_equal(driver.objects, 0);
        assert_int_equal(blocks, 0);
    }
}

/* Lost on the way: the CPU goes on from the last checkpoint, and says so. */
static void cpu_takes_over(void **state) {
    (void)state;
    record_sound_run();
    for (int part = 1; part <= 3; part++) {
        failing_driver(COMMAND, part * sound_calls[COMMAND] / 4, CL_INVALID_COMMAND_QUEUE, true);
        outcome o = run_on("auto", BL_RUN_OVERWRITE);
        if (o.status != BL_OK) fail_msg("%s", o.message);
        assert_int_equal(o.result.steps, STEPS);
        assert_int_equal(o.result.frames, FRAMES);
        if (!strstr(told, "going on on the cpu from the last checkpoint: opencl:0.0") ||
            !strstr(told, "failed: the device was lost") || !strstr(told, "resuming from "))
            fail_msg("%s", told);
        assert_int_equal(driver.objects, 0);
        assert_int_equal(blocks, 0);
    }
}

int main(int argc, char **argv) {
    char text[512];
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    if (!bl_device_describe(0, text, sizeof text)) {
        printf("no OpenCL device\n");
        return 77;
    }
    setenv("XDG_CACHE_HOME", "test_opencl_cache", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_at_every_call),
        cmocka_unit_test(memory_is_full),
        cmocka_unit_test(cannot_begin),
        cmocka_unit_test(cpu_takes_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
