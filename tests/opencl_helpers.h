/* What tests of the OpenCL backend share: scenes, opening them on a device, and comparing fields with the CPU's. */
#ifndef BL_TESTS_OPENCL_HELPERS_H
#define BL_TESTS_OPENCL_HELPERS_H

#include "backends/opencl/opencl.h"
#include "beadlet/beadlet.h"
#include "sim_helpers.h"

#include <stdio.h>
#include <stdlib.h>

/* A drop of two fluids with every term switched on, on a floor. A fixed step and a fixed number of iterations: both
 * backends do the same operations, in another order. */
#define TERMS TERMS_WITH("")
#define TERMS_WITH(more)                                                                                               \
    "name: parity\n"                                                                                                   \
    "spacing: 0.5 mm\n"                                                                                                \
    "gravity: [1 m/s^2, 0, -9.81 m/s^2]\n"                                                                             \
    "scheme: {name: unified, interface: particles, min_iterations: 12, max_iterations: 12" more "}\n"                  \
    "time: {relax_steps: 0, end: 1 s, fixed_step: 0.1 ms, frames_per_second: 1000}\n"                                  \
    "fluids:\n"                                                                                                        \
    "  water: {density: 1000 kg/m^3, viscosity: 10 mPa s, surface_tension: 0.07 N/m, fluid_fluid: 0.01 N/m,\n"         \
    "    volumes: [{sphere: {center: [0, 0, 1 mm], radius: 3 mm}, velocity: [0.1 m/s, 0, -0.1 m/s]}]}\n"
#define OIL                                                                                                            \
    "  oil: {density: 800 kg/m^3, viscosity: 20 mPa s, surface_tension: 0.03 N/m, fluid_fluid: 0.01 N/m,\n"            \
    "    friction: 0.6,\n"                                                                                             \
    "    volumes: [{sphere: {center: [3.5 mm, 0, 1 mm], radius: 2 mm}}]}\n"
#define GLASS                                                                                                          \
    "boundaries:\n"                                                                                                    \
    "  glass: {contact_angle: 60 deg, friction: 0.3, shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -0.5 mm],\n"   \
    "    size: 16 mm}}]}\n"
static const char drop_on_floor[] = TERMS OIL GLASS;
static const char drop_relaxed[] = TERMS_WITH(", friction: relaxed") OIL GLASS;
static const char drop_cubic[] = TERMS_WITH(", kernel: cubic") OIL GLASS;
static const char free_drop[] =
    "name: free\n"
    "spacing: 0.5 mm\n"
    "gravity: [0, 0, 0]\n"
    "scheme: {name: unified, interface: particles, min_iterations: 5, max_iterations: 5}\n"
    "time: {end: 1 s, fixed_step: 0.1 ms, relax_steps: 0, frames_per_second: 1000}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, viscosity: 5 mPa s, surface_tension: 0.07 N/m,\n"
    "    volumes: [{sphere: {radius: 3 mm}, velocity: [0.1 m/s, 0.05 m/s, 0], angular_velocity: [0, 0, 20 rad/s]}]}\n";

static inline void open_on(fixture *f, const char *text, const char *device) {
    *f = (fixture){0};
    bl_context_def def = bl_default_context_def();
    def.threads = 1;
    def.device = device;
    assert_int_equal(bl_context_create(&def, &f->ctx), BL_OK);
    bl_status status = bl_scene_load_text(f->ctx, text, strlen(text), "test.yaml", NULL, 0, &f->scene);
    if (status == BL_OK) status = bl_sim_create(f->ctx, f->scene, &f->sim);
    if (status != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
}

static inline void steps(fixture *f, int count) {
    for (int k = 0; k < count; k++)
        if (bl_sim_step(f->sim, (double)INFINITY) != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
    bl_sim_fetch(f->sim);
}

/* --- comparing --- */

typedef struct tolerance {
    int field;
    double one, twenty; /* of the field's largest magnitude (x: of the spacing), after 1 and 20 steps */
} tolerance;

/* Both backends evaluate the same formulas in single precision; the device may contract products and sums, divides to
 * 2.5 ulp and adds neighbours in another order. A sum over 100 neighbours is then off by some 1e-6 of its terms, and
 * where terms cancel (forces inside the fluid, S near its threshold with slope 1/eps = 20) by 1e-5 to 1e-4 of the
 * largest value. Over 20 steps these differences are carried on by the drop's own motion. */
static const tolerance tolerances[] = {
    {BL_F_x, 1e-5, 1e-2},    {BL_F_v, 2e-5, 2e-3},        {BL_F_p, 1e-4, 2e-2},         {BL_F_a, 2e-4, 2e-2},
    {BL_F_f_st, 2e-4, 2e-2}, {BL_F_f_fr, 2e-4, 2e-2},     {BL_F_f_n, 2e-4, 2e-2},       {BL_F_density, 1e-5, 2e-3},
    {BL_F_s_fv, 2e-4, 2e-2}, {BL_F_virial_p, 2e-4, 2e-2}, {BL_F_virial_st, 2e-4, 2e-2},
};

static inline double *numbers_by_id(const bl_sim *sim, int field, int *width) {
    const bl_field_info *info = &bl_fluid_fields[field];
    const bl_fluid_store *s = &sim->world.fluid;
    *width = info->type == BL_TYPE_VEC3 ? 3 : 1;
    double *out = calloc(s->count * 3, sizeof *out);
    const real *data = bl_field_data(info, s);
    for (size_t i = 0; i < s->count; i++)
        for (int c = 0; c < *width; c++)
            out[s->id[i] * (size_t)*width + (size_t)c] = (double)data[i * (size_t)*width + (size_t)c];
    return out;
}

static inline void compare_field(const bl_sim *cpu, const bl_sim *device, const tolerance *t, bool one) {
    int width;
    double *a = numbers_by_id(cpu, t->field, &width), *b = numbers_by_id(device, t->field, &width);
    double largest = 0, worst = 0, allowed = one ? t->one : t->twenty;
    for (size_t k = 0; k < cpu->world.fluid.count * (size_t)width; k++) {
        largest = fmax(largest, fabs(a[k]));
        worst = fmax(worst, fabs(a[k] - b[k]));
    }
    if (t->field == BL_F_x) largest = cpu->scene->spacing;
    assert_true(largest > 0);
    if (!(worst <= allowed * largest))
        fail_msg("%s after %d steps: off by %.3g of %.3g, allowed %.3g", bl_fluid_fields[t->field].name, one ? 1 : 20,
                 worst / largest, largest, allowed);
    free(a);
    free(b);
}

/* Of main: runs the tests that fit argv[1], if it is given ("exchange*"); 77 without a device. */
#define RUN_ON_DEVICE(argc, argv, tests)                                                                               \
    do {                                                                                                               \
        char text[512];                                                                                                \
        if ((argc) > 1) cmocka_set_test_filter((argv)[1]);                                                             \
        if (!bl_device_describe(0, text, sizeof text)) {                                                               \
            printf("no OpenCL device\n");                                                                              \
            return 77;                                                                                                 \
        }                                                                                                              \
        printf("%s\n", text);                                                                                          \
        setenv("XDG_CACHE_HOME", "test_opencl_cache", 1);                                                              \
        return cmocka_run_group_tests(tests, NULL, NULL);                                                              \
    } while (0)

#endif
