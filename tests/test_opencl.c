/* The OpenCL backend against the CPU's: lists, order, one step, twenty steps, conservation, determinism, checkpoints.
 */
#include "backends/opencl/opencl.h"
#include "base/rng.h"
#include "beadlet/beadlet.h"
#include "schemes/unified/unified.h"
#include "sim_helpers.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef BL_HAVE_OPENCL
int main(void) {
    printf("built without OpenCL\n");
    return 77;
}
#else

/* A drop of two fluids with every term switched on, on a floor. A fixed step and a fixed number of iterations: both
 * backends do the same operations, in another order. */
#define TERMS                                                                                                          \
    "name: parity\n"                                                                                                   \
    "spacing: 0.5 mm\n"                                                                                                \
    "gravity: [1 m/s^2, 0, -9.81 m/s^2]\n"                                                                             \
    "scheme: {name: unified, min_iterations: 12, max_iterations: 12}\n"                                                \
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
static const char free_drop[] =
    "name: free\n"
    "spacing: 0.5 mm\n"
    "gravity: [0, 0, 0]\n"
    "scheme: {name: unified, min_iterations: 5, max_iterations: 5}\n"
    "time: {end: 1 s, fixed_step: 0.1 ms, relax_steps: 0, frames_per_second: 1000}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, viscosity: 5 mPa s, surface_tension: 0.07 N/m,\n"
    "    volumes: [{sphere: {radius: 3 mm}, velocity: [0.1 m/s, 0.05 m/s, 0], angular_velocity: [0, 0, 20 rad/s]}]}\n";

static void open_on(fixture *f, const char *text, const char *device) {
    *f = (fixture){0};
    bl_context_def def = bl_default_context_def();
    def.threads = 1;
    def.device = device;
    assert_int_equal(bl_context_create(&def, &f->ctx), BL_OK);
    bl_status status = bl_scene_load_text(f->ctx, text, strlen(text), "test.yaml", NULL, 0, &f->scene);
    if (status == BL_OK) status = bl_sim_create(f->ctx, f->scene, &f->sim);
    if (status != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
}

static void steps(fixture *f, int count) {
    for (int k = 0; k < count; k++)
        if (bl_sim_step(f->sim, (double)INFINITY) != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
    bl_sim_fetch(f->sim);
}

/* --- parity of a step --- */

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

static double *numbers_by_id(const bl_sim *sim, int field, int *width) {
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

static void compare_field(const bl_sim *cpu, const bl_sim *device, const tolerance *t, bool one) {
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

static void agrees_with_cpu(void **state) {
    (void)state;
    fixture cpu, device;
    open_on(&cpu, drop_on_floor, "cpu");
    open_on(&device, drop_on_floor, "opencl");
    assert_true(cpu.sim->world.fluid.count > 900 && cpu.sim->world.boundary.count > 900);
    for (int round = 0; round < 2; round++) {
        steps(&cpu, round ? 19 : 1);
        steps(&device, round ? 19 : 1);
        for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++)
            compare_field(cpu.sim, device.sim, &tolerances[k], round == 0);
        static const char *const columns[] = {"energy_fv", "energy_ff",    "energy_bv",        "energy_kinetic",
                                              "center_x",  "contact_load", "contact_friction", "speed_max"};
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
            double a = bl_sim_value(cpu.sim, columns[k]), b = bl_sim_value(device.sim, columns[k]);
            if (!(fabs(a - b) <= (round ? 5e-3 : 1e-4) * fabs(a))) fail_msg("%s: %.9g and %.9g", columns[k], a, b);
        }
    }
    assert_non_null(strstr(bl_device_name(device.sim->world.device), "opencl:"));
    close_sim(&cpu);
    close_sim(&device);
}

/* As a GPU without double precision would be driven: sums in single precision, with a kernel to end them, and kernels
 * that know the scene. */
static void single_precision_sums_agree(void **state) {
    (void)state;
    fixture cpu, device;
    open_on(&cpu, drop_on_floor, "cpu");
    open_on(&device, drop_on_floor, "opencl");
    bl_device *d = device.sim->world.device;
    d->fp64 = d->last_ends = false;
    d->bake = true;
    steps(&cpu, 1);
    steps(&device, 1);
    assert_true(d->baked);
    for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++)
        compare_field(cpu.sim, device.sim, &tolerances[k], true);
    assert_near(bl_sim_value(device.sim, "iterations"), bl_sim_value(cpu.sim, "iterations"), 0);
    double a = bl_sim_value(cpu.sim, "energy_fv"), b = bl_sim_value(device.sim, "energy_fv");
    assert_near(b, a, 1e-4 * fabs(a));
    close_sim(&cpu);
    close_sim(&device);
}

/* Constants that keyframes change stay arguments of kernels that know all others. */
static void keyframes_are_not_compiled_in(void **state) {
    (void)state;
    static const char rising[] =
        "name: rising\n"
        "spacing: 0.5 mm\n"
        "gravity: [0, 0, 0]\n"
        "scheme: {name: unified, min_iterations: 5, max_iterations: 5}\n"
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
    assert_true(got[facts + 8] == (double)u->par.near.inv_support && got[facts + 13] == (double)u->par.far.grad_norm);
    enum { OF_A_FLUID = sizeof(bl_phase_params) / sizeof(real) };
    assert_int_equal(numbers_of(bl_text_str(&text), "KNOWN_FLUIDS ", got, 64), 2 * OF_A_FLUID);
    assert_true(got[4] == (double)u->fluids[0].a0_fv && got[OF_A_FLUID] == (double)u->fluids[1].mass);
    assert_true(got[4] > 0 && got[OF_A_FLUID] > 0);
    bl_text_clear(&text);
    u->fluids[1].a0_ff = (real)NAN; /* nothing that can be written down */
    assert_false(bl_cl_can_know(&u->view));
    close_sim(&f);
}

static void same_bits_every_time(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_on(&f, drop_on_floor, "opencl");
        steps(&f, 21);
        hashes[k] = bl_sim_hash(f.sim);
        close_sim(&f);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* --- solves: the host queues iterations ahead --- */

#define CONVERGING                                                                                                     \
    "name: converging\n"                                                                                               \
    "spacing: 0.5 mm\n"                                                                                                \
    "gravity: [1 m/s^2, 0, -9.81 m/s^2]\n"                                                                             \
    "time: {relax_steps: 0, end: 1 s, fixed_step: 0.1 ms, frames_per_second: 1000}\n"                                  \
    "fluids:\n"                                                                                                        \
    "  water: {density: 1000 kg/m^3, viscosity: 10 mPa s, surface_tension: 0.07 N/m,\n"                                \
    "    volumes: [{sphere: {center: [0, 0, 1 mm], radius: 2.5 mm}, velocity: [0.1 m/s, 0, -0.1 m/s]}]}\n" GLASS
static const char nncg_drop[] = "scheme: {name: unified, accelerator: nncg, tolerance: 1e-4}\n" CONVERGING;
static const char jacobi_drop[] = "scheme: {name: unified, accelerator: jacobi, tolerance: 1e-4}\n" CONVERGING;

/* As many iterations as the CPU takes, give or take one by rounding, and residuals within the tolerance, whatever the
 * number that was queued before the first look: the same bits for 1 and for 60. */
static void solves_end_where_they_converge(void **state) {
    (void)state;
    static const char *const scenes[] = {nncg_drop, jacobi_drop};
    static const int expected[] = {1, 60};
    for (int k = 0; k < 2; k++) {
        fixture cpu;
        uint64_t hashes[2];
        open_on(&cpu, scenes[k], "cpu");
        steps(&cpu, 3);
        double iterations = bl_sim_value(cpu.sim, "iterations"),
               viscous = bl_sim_value(cpu.sim, "viscosity_iterations");
        assert_true(iterations > 3 && iterations < 50 && viscous > 0);
        for (int e = 0; e < 2; e++) {
            fixture f;
            open_on(&f, scenes[k], "opencl");
            unified *u = f.sim->scheme_state;
            for (int step = 0; step < 3; step++) {
                u->expected = u->expected_viscosity = expected[e];
                steps(&f, 1);
            }
            hashes[e] = bl_sim_hash(f.sim);
            assert_true(fabs(bl_sim_value(f.sim, "iterations") - iterations) <= 1);
            assert_true(fabs(bl_sim_value(f.sim, "viscosity_iterations") - viscous) <= 1);
            assert_true(bl_sim_value(f.sim, "residual_volume") <= 1e-4);
            assert_int_equal(u->history_count, (int)bl_sim_value(f.sim, "iterations"));
            close_sim(&f);
        }
        assert_true(hashes[0] == hashes[1]);
        close_sim(&cpu);
    }
}

/* Forces are pairwise: what rounding leaves is of the order of eps sqrt(n) of all momenta's sum. */
static void momenta_are_conserved(void **state) {
    (void)state;
    fixture f;
    open_on(&f, free_drop, "opencl");
    static const char *const columns[] = {"momentum_x", "momentum_y", "momentum_z",
                                          "angular_x",  "angular_y",  "angular_z"};
    double before[6];
    steps(&f, 1);
    for (int k = 0; k < 6; k++) before[k] = bl_sim_value(f.sim, columns[k]);
    steps(&f, 20);
    double mass = (double)f.sim->world.fluid.count * 1000 * pow(0.5e-3, 3), scale = mass * 0.2;
    for (int k = 0; k < 6; k++)
        assert_near(bl_sim_value(f.sim, columns[k]), before[k], 2e-5 * scale * (k < 3 ? 1 : 3e-3));
    close_sim(&f);
}

/* --- lists --- */

enum { MANY = 3000 };
typedef struct lists_fixture {
    bl_context *ctx;
    bl_fluid_store fluid;
    bl_boundary_store boundary;
    bl_timers timers;
    bl_search_def search;
    bl_device *device;
} lists_fixture;

static void open_lists(lists_fixture *f, int dimension, bool periodic, double spread) {
    *f = (lists_fixture){0};
    size_t first;
    assert_int_equal(bl_context_create(NULL, &f->ctx), BL_OK);
    bl_fluid_store_init(f->ctx, &f->fluid);
    bl_boundary_store_init(f->ctx, &f->boundary);
    assert_int_equal(bl_fluid_store_append(&f->fluid, MANY, &first), BL_OK);
    assert_int_equal(bl_boundary_store_append(&f->boundary, MANY / 2, &first), BL_OK);
    f->search = (bl_search_def){.dimension = dimension, .near_radius = 2, .far_radius = 3};
    f->search.max = bl_v3d_make(15, 15, 15);
    for (int a = 0; a < dimension; a++) f->search.periodic[a] = periodic;
    for (size_t i = 0; i < MANY + MANY / 2; i++) {
        bl_vec3 *x = i < MANY ? &f->fluid.x[i] : &f->boundary.x[i - MANY];
        for (int c = 0; c < dimension; c++) (&x->x)[c] = (real)(15 * bl_rng_uniform(3, i, (uint64_t)c));
        if (i % 50 == 7) x->x += (real)(spread * (double)(i / 50 % 3));
        if (i % 97 == 5) x->y -= (real)(spread * 1.7);
    }
    bl_device_def def = {"opencl", f->search, &f->fluid, &f->boundary, &f->timers};
    if (bl_device_create(f->ctx, &def, &f->device) != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
}

static void close_lists(lists_fixture *f) {
    bl_device_destroy(f->device);
    bl_fluid_store_clear(&f->fluid);
    bl_boundary_store_clear(&f->boundary);
    bl_context_destroy(f->ctx);
}

static int by_number(const void *a, const void *b) {
    bl_index x = *(const bl_index *)a, y = *(const bl_index *)b;
    return (x > y) - (x < y);
}

/* The device's list in the CPU's order of things: row i, near ones sorted, then far ones sorted. */
static void assert_same_list(bl_device *d, const bl_cl_list *got, bl_list want, size_t count, const char *name) {
    size_t slabs = (count + BL_SLAB - 1) / BL_SLAB;
    bl_index *near = calloc(count, sizeof *near), *all = calloc(count, sizeof *all);
    bl_offset *start = calloc(slabs, sizeof *start);
    bl_index *index = malloc(got->index.size);
    assert_true(bl_cl_read(d, &got->near, 0, near, count * sizeof *near));
    assert_true(bl_cl_read(d, &got->all, 0, all, count * sizeof *all));
    assert_true(bl_cl_read(d, &got->start, 0, start, slabs * sizeof *start));
    assert_true(bl_cl_read(d, &got->index, 0, index, got->index.size));
    for (size_t i = 0; i < count; i++) {
        if (near[i] != want.near[i] || all[i] != want.all[i])
            fail_msg("%s of %zu: %u and %u neighbours, not %u and %u", name, i, near[i], all[i], want.near[i],
                     want.all[i]);
        bl_index a[4000], b[4000];
        assert_true(all[i] < 4000);
        for (bl_index k = 0; k < all[i]; k++) {
            a[k] = index[start[i / BL_SLAB] + (bl_offset)k * BL_SLAB + i % BL_SLAB];
            b[k] = want.index[want.start[i] + k];
        }
        for (int part = 0; part < 2; part++) {
            size_t from = part ? near[i] : 0, n = part ? all[i] - near[i] : near[i];
            qsort(a + from, n, sizeof *a, by_number);
            qsort(b + from, n, sizeof *b, by_number);
        }
        if (memcmp(a, b, all[i] * sizeof *a) != 0) fail_msg("%s of %zu: other neighbours", name, i);
    }
    free(near), free(all), free(start), free(index);
}

/* Near neighbours, then far ones, each by cells of the unbounded space, and by number in a cell: whether a particle
 * looks for itself or with others must not show. */
static void assert_in_order(bl_device *d, const bl_cl_list *got, const bl_vec3 *x, size_t count) {
    const real scale = (real)(1 / (1.001 * 1.5));
    bl_index *near = calloc(count, sizeof *near), *all = calloc(count, sizeof *all);
    bl_offset *start = calloc(count / BL_SLAB + 1, sizeof *start);
    bl_index *index = malloc(got->index.size);
    assert_true(bl_cl_read(d, &got->near, 0, near, count * sizeof *near));
    assert_true(bl_cl_read(d, &got->all, 0, all, count * sizeof *all));
    assert_true(bl_cl_read(d, &got->start, 0, start, (count + BL_SLAB - 1) / BL_SLAB * sizeof *start));
    assert_true(bl_cl_read(d, &got->index, 0, index, got->index.size));
    for (size_t i = 0; i < count; i++) {
        double before[4] = {0};
        for (bl_index k = 0; k < all[i]; k++) {
            bl_index j = index[start[i / BL_SLAB] + (bl_offset)k * BL_SLAB + i % BL_SLAB];
            double here[4] = {floor((double)(x[j].z * scale)), floor((double)(x[j].y * scale)),
                              floor((double)(x[j].x * scale)), (double)j};
            int c = 0;
            while (c < 3 && here[c] == before[c]) c++;
            if (k > 0 && k != near[i] && !(here[c] > before[c])) fail_msg("neighbour %u of %zu: out of order", k, i);
            memcpy(before, here, sizeof here);
        }
    }
    free(near), free(all), free(start), free(index);
}

static void assert_same_active(bl_device *d, const bl_index *want, size_t count) {
    bl_index *got = calloc(count + 1, sizeof *got);
    assert_int_equal(d->active_count, count);
    assert_true(bl_cl_read(d, &d->active, 0, got, count * sizeof *got));
    qsort(got, count, sizeof *got, by_number);
    assert_memory_equal(got, want, count * sizeof *got);
    free(got);
}

static void compare_lists(lists_fixture *f) {
    bl_neighbours *nb;
    bl_positions fluid = {f->fluid.x, MANY}, boundary = {f->boundary.x, MANY / 2};
    assert_int_equal(bl_neighbours_create(f->ctx, &f->search, &nb), BL_OK);
    assert_int_equal(bl_neighbours_build(nb, fluid, boundary), BL_OK);
    assert_int_equal(bl_neighbours_build_boundary(nb, boundary), BL_OK);
    bl_device_find_boundary_neighbours(f->device);
    if (bl_device_status(f->device) != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
    assert_same_list(f->device, &f->device->ff, bl_neighbours_bb(nb), MANY / 2, "bb");
    bl_device_find_neighbours(f->device);
    assert_same_list(f->device, &f->device->ff, bl_neighbours_ff(nb), MANY, "ff");
    assert_same_list(f->device, &f->device->fb, bl_neighbours_fb(nb), MANY, "fb");
    assert_same_list(f->device, &f->device->bf, bl_neighbours_bf(nb), MANY / 2, "bf");
    size_t active;
    const bl_index *want = bl_neighbours_active_boundary(nb, &active);
    assert_same_active(f->device, want, active);
    bl_neighbours_destroy(nb);
}

/* Every kind of domain: open and periodic, a box, particles far outside of it (cells are shared then) and one that is
 * nowhere. In no order, where every particle looks for itself, and in the order that simulations have, where slabs look
 * as one. */
static void lists_are_the_cpus(void **state) {
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        lists_fixture f;
        bool periodic = variant & 2, spread = variant & 4 && !periodic;
        open_lists(&f, variant & 1 ? 2 : 3, periodic, spread ? 3e4 : 0);
        if (!periodic) f.fluid.x[11].y = (real)NAN;
        for (int sorted = 0; sorted < 2; sorted++) {
            compare_lists(&f);
            if (!periodic && !spread) assert_in_order(f.device, &f.device->ff, f.fluid.x, MANY);
            bl_device_sort(f.device, 2);
            bl_device_fetch(f.device, BL_BIT(BL_F_x), 0);
        }
        close_lists(&f);
    }
}

/* Sorting moves particles as a whole, and puts those of a cell side by side. */
static void sorting_keeps_particles(void **state) {
    (void)state;
    lists_fixture f;
    open_lists(&f, 3, false, 0);
    bl_vec3 *x = malloc(MANY * sizeof *x);
    memcpy(x, f.fluid.x, MANY * sizeof *x);
    for (size_t i = 0; i < MANY; i++) f.fluid.p[i] = (real)(3 * i), f.fluid.phase[i] = (uint32_t)(i % 5);
    bl_device_sort(f.device, 2);
    bl_device_fetch(f.device, BL_ALL_FIELDS, 0);
    assert_int_equal(bl_device_status(f.device), BL_OK);
    bool seen[MANY] = {false};
    double way = 0;
    for (size_t i = 0; i < MANY; i++) {
        uint32_t id = f.fluid.id[i];
        assert_true(id < MANY && !seen[id]);
        seen[id] = true;
        assert_memory_equal(&f.fluid.x[i], &x[id], sizeof *x);
        assert_true(f.fluid.p[i] == (real)(3 * id) && f.fluid.phase[i] == id % 5);
        if (i > 0) way += bl_v3d_norm(bl_v3d_from(bl_v3_sub(f.fluid.x[i], f.fluid.x[i - 1])));
    }
    assert_true(way / MANY < 3); /* 10 in a random order of this box */
    free(x);
    close_lists(&f);
}

static uint64_t hash_after_step(fixture *f) {
    bl_observation report;
    bl_failure failure;
    assert_int_equal(f->sim->scheme->step(&f->sim->world, f->sim->scheme_state, 1e-4, &report, &failure), BL_OK);
    bl_sim_fetch(f->sim);
    return bl_fluid_store_hash(&f->sim->world.fluid);
}

/* A state that is kept comes back, all but what every step makes anew: a step from it is the same step. */
static void state_is_kept(void **state) {
    (void)state;
    fixture f;
    open_on(&f, drop_on_floor, "opencl");
    steps(&f, 3);
    bl_sim_fetch(f.sim);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    void *before[BL_F_COUNT] = {0};
    for (int k = 0; k < BL_F_COUNT; k++) {
        const bl_field_info *info = &bl_fluid_fields[k];
        if ((info->flags & BL_FIELD_MADE) != BL_FIELD_STATE) continue;
        before[k] = malloc(fluid->count * info->item_size);
        memcpy(before[k], bl_field_data(info, fluid), fluid->count * info->item_size);
    }
    bl_device_save(f.sim->world.device);
    uint64_t after = hash_after_step(&f);
    assert_memory_not_equal(before[BL_F_x], fluid->x, fluid->count * sizeof *fluid->x);
    bl_device_restore(f.sim->world.device);
    bl_sim_fetch(f.sim);
    for (int k = 0; k < BL_F_COUNT; k++) {
        const bl_field_info *info = &bl_fluid_fields[k];
        if (before[k]) assert_memory_equal(before[k], bl_field_data(info, fluid), fluid->count * info->item_size);
        free(before[k]);
    }
    assert_true(hash_after_step(&f) == after);
    close_sim(&f);
}

/* --- sources and sinks --- */

static const char tap_and_drain[] =
    "name: tap\n"
    "spacing: 0.5 mm\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "domain: {min: [-4 mm, -4 mm, -16 mm], max: [4 mm, 4 mm, 16 mm], periodic: [true, false, false], outside: remove}\n"
    "scheme: {name: unified, min_iterations: 6, max_iterations: 6}\n"
    "time: {relax_steps: 0, end: 1 s, fixed_step: 0.2 ms, frames_per_second: 1000}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m,\n"
    "    volumes: [{box: {min: [-2 mm, -2 mm, -6 mm], max: [2 mm, 2 mm, -4 mm]}, velocity: [2 m/s, 0, 0]},\n"
    "              {sphere: {center: [0, 3.2 mm, 0], radius: 0.7 mm}, velocity: [0, 1 m/s, 0]}]}\n"
    "emitters: {tap: {center: [0, 0, 5 mm], direction: [0.5, 0, -1], radius: 1.5 mm, speed: 0.9 m/s}}\n"
    "sinks: {drain: {shapes: [{box: {min: [-4 mm, -1 mm, -5.3 mm], max: [-2.6 mm, 1 mm, 1 mm]}}]}}\n";

/* Comings, goings and wrapping on a device are those of the CPU, bit for bit, from the same state. */
static void exchanges_are_the_cpus(void **state) {
    (void)state;
    fixture f;
    open_on(&f, tap_and_drain, "opencl");
    bl_world *world = &f.sim->world;
    size_t first, filled = world->fluid.count;
    for (int round = 0; round < 12; round++) {
        steps(&f, 1);
        bl_sim clone = *f.sim;
        clone.world.device = NULL;
        bl_fluid_store_init(f.ctx, &clone.world.fluid);
        assert_int_equal(bl_fluid_store_append(&clone.world.fluid, world->fluid.count, &first), BL_OK);
        for (int k = 0; k < BL_F_COUNT; k++)
            if (bl_fluid_fields[k].flags & BL_FIELD_STATE)
                memcpy(bl_field_data(&bl_fluid_fields[k], &clone.world.fluid),
                       bl_field_data(&bl_fluid_fields[k], &world->fluid),
                       world->fluid.count * bl_fluid_fields[k].item_size);
        clone.world.fluid.next_id = world->fluid.next_id;
        double start = world->time, end = start + 0.35e-3;
        assert_int_equal(bl_exchange(&clone, start, end), BL_OK);
        assert_int_equal(bl_exchange(f.sim, start, end), BL_OK);
        bl_sim_fetch(f.sim);
        assert_int_equal(world->fluid.count, clone.world.fluid.count);
        assert_int_equal(world->fluid.next_id, clone.world.fluid.next_id);
        assert_true(bl_fluid_store_hash(&world->fluid) == bl_fluid_store_hash(&clone.world.fluid));
        bl_fluid_store_clear(&clone.world.fluid);
    }
    assert_true(world->fluid.next_id > filled + 50);             /* the tap ran */
    assert_true(world->fluid.next_id - world->fluid.count > 20); /* the drain took, and the border */
    close_sim(&f);
}

/* Largest distance between the particles of two runs, in spacings. */
static double largest_gap(const bl_fluid_store *a, const bl_fluid_store *b) {
    double largest = 0;
    bl_vec3 *x = calloc(a->next_id, sizeof *x);
    for (size_t i = 0; i < a->count; i++) x[a->id[i]] = a->x[i];
    for (size_t i = 0; i < b->count; i++) {
        bl_vec3d d = bl_v3d_sub(bl_v3d_from(b->x[i]), bl_v3d_from(x[b->id[i]]));
        d.x -= 8e-3 * rint(d.x / 8e-3);
        largest = fmax(largest, bl_v3d_norm(d) / 0.5e-3);
    }
    free(x);
    return largest;
}

/* The same counts as on the CPU, step by step, and the same particles in the same places, as far as positions agree
 * after 20 steps without sources. No row of the jet stands exactly where the nozzle lets go of it at the end of a step:
 * rounding would decide there. */
static void sources_agree_with_cpu(void **state) {
    (void)state;
    fixture cpu, device;
    open_on(&cpu, tap_and_drain, "cpu");
    open_on(&device, tap_and_drain, "opencl");
    for (int k = 1; k <= 20; k++) {
        static const char *const columns[] = {"fluid_particles", "emitted", "removed"};
        assert_int_equal(bl_sim_step(cpu.sim, (double)INFINITY), BL_OK);
        assert_int_equal(bl_sim_step(device.sim, (double)INFINITY), BL_OK);
        for (int c = 0; c < 3; c++)
            assert_near(bl_sim_value(device.sim, columns[c]), bl_sim_value(cpu.sim, columns[c]), 0);
        bl_sim_fetch(device.sim);
        double gap = largest_gap(&cpu.sim->world.fluid, &device.sim->world.fluid);
        assert_true(gap < 1e-2);
    }
    assert_true(bl_sim_value(cpu.sim, "removed") > 20 && bl_sim_value(cpu.sim, "emitted") > 50);
    close_sim(&cpu);
    close_sim(&device);
}

/* --- runs: a checkpoint of one backend goes on on the other --- */

static bl_status run_on(const char *device, bl_run_start start, const char *dir, double until, bl_run_result *result) {
    bl_context_def def = bl_default_context_def();
    bl_context *ctx;
    bl_scene *scene;
    def.device = device;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    assert_int_equal(bl_scene_load_text(ctx, drop_on_floor, strlen(drop_on_floor), "test.yaml", NULL, 0, &scene),
                     BL_OK);
    bl_run_options options = bl_default_run_options();
    options.directory = dir;
    options.start = start;
    options.until = until;
    bl_status status = bl_run(ctx, scene, &options, result);
    if (status != BL_OK) print_message("%s\n", bl_context_error(ctx));
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return status;
}

static void checkpoints_change_devices(void **state) {
    (void)state;
    bl_run_result whole, half, rest;
    const char *devices[2] = {"cpu", "opencl"};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(run_on(devices[k], BL_RUN_OVERWRITE, "test_opencl_half", 1e-3, &half), BL_OK);
        assert_int_equal(run_on(devices[1 - k], BL_RUN_RESUME, "test_opencl_half", 2e-3, &rest), BL_OK);
        assert_int_equal(half.steps, 10);
        assert_int_equal(rest.steps, 20);
        /* and on the same device a resumed run is the uninterrupted one, bit for bit */
        assert_int_equal(run_on(devices[k], BL_RUN_OVERWRITE, "test_opencl_half", 1e-3, &half), BL_OK);
        assert_int_equal(run_on(devices[k], BL_RUN_RESUME, "test_opencl_half", 2e-3, &rest), BL_OK);
        assert_int_equal(run_on(devices[k], BL_RUN_OVERWRITE, "test_opencl_whole", 2e-3, &whole), BL_OK);
        assert_true(rest.state_hash == whole.state_hash);
    }
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
    lists_fixture f;
    open_lists(&f, 3, false, 0);
    close_lists(&f);
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

int main(int argc, char **argv) {
    char text[512];
    if (argc > 1) cmocka_set_test_filter(argv[1]); /* "exchange*" */
    if (!bl_device_describe(0, text, sizeof text)) {
        printf("no OpenCL device\n");
        return 77;
    }
    printf("%s\n", text);
    setenv("XDG_CACHE_HOME", "test_opencl_cache", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_the_cpus),
        cmocka_unit_test(sorting_keeps_particles),
        cmocka_unit_test(agrees_with_cpu),
        cmocka_unit_test(single_precision_sums_agree),
        cmocka_unit_test(keyframes_are_not_compiled_in),
        cmocka_unit_test(constants_are_written_exactly),
        cmocka_unit_test(same_bits_every_time),
        cmocka_unit_test(solves_end_where_they_converge),
        cmocka_unit_test(momenta_are_conserved),
        cmocka_unit_test(state_is_kept),
        cmocka_unit_test(exchanges_are_the_cpus),
        cmocka_unit_test(sources_agree_with_cpu),
        cmocka_unit_test(checkpoints_change_devices),
        cmocka_unit_test(errors_are_clear),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(broken_cache_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
