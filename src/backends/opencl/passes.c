/* Running passes. */
#include "backends/opencl/opencl.h"

#include <string.h>

/* Constants of the step, if they are not those that were sent last. They travel as the argument of a kernel, which is
 * copied when the kernel is queued: nothing waits, and the host may change its own at once. */
static void send_params(bl_device *d, const bl_view *view) {
    bl_cl_constants now;
    memset(&now, 0, sizeof now);
    memcpy(&now.par, view->par, sizeof now.par);
    memcpy(now.fluids, view->fluids, sizeof now.fluids);
    memcpy(&now.step, view->step, sizeof now.step);
    now.fluid_count = (cl_uint)*d->fluid.count, now.fluid_capacity = (cl_uint)d->fluid.capacity;
    now.boundary_count = (cl_uint)*d->boundary.count, now.boundary_capacity = (cl_uint)d->boundary.capacity;
    now.active_count = (cl_uint)d->active_count;
    now.bare_apart = d->walls.bare_apart, now.all_walls = (cl_uint)bl_cl_all_walls(d);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): at worst padding differs, and they are sent once more */
    if (d->params_sent && memcmp(&d->sent, &now, sizeof now) == 0) return;
    if (!bl_cl_reserve(d, &d->params, sizeof now, "constants")) return;
    memcpy(&d->sent, &now, sizeof now);
    d->params_sent = true;
    BL_CL_LAUNCH(d, set_params, 1, 1, BL_CL_MEM(d->params), {sizeof d->sent, &d->sent});
}

static void send_bodies(bl_device *d, const bl_body_params *bodies, size_t count) {
    size_t size = count * sizeof *bodies;
    if (d->bodies_sent && count == d->bodies_count && (count == 0 || memcmp(d->bodies_sent, bodies, size) == 0)) return;
    bl_release(d->ctx, d->bodies_sent);
    d->bodies_sent = bl_alloc(d->ctx, count, sizeof *bodies);
    if (!d->bodies_sent) {
        d->status = BL_ERR_MEMORY;
        return;
    }
    d->bodies_count = count;
    if (!bl_cl_reserve(d, &d->bodies, size, "bodies") || count == 0) return;
    memcpy(d->bodies_sent, bodies, size);
    bl_cl_check(d, clEnqueueWriteBuffer(d->queue, d->bodies.mem, CL_TRUE, 0, size, d->bodies_sent, 0, NULL, NULL),
                "writing constants");
}

/* --- arguments: the order of VIEW_PARAMS in kernels/passes.cl --- */

typedef struct arguments {
    bl_device *d;
    cl_kernel kernel;
    cl_uint next;
} arguments;

static void add_buffer(arguments *a, const bl_cl_buffer *buffer) {
    bl_cl_check(a->d, clSetKernelArg(a->kernel, a->next++, sizeof(cl_mem), &buffer->mem), "setting an argument");
}
static void add_list(arguments *a, const bl_cl_list *list) {
    add_buffer(a, &list->rows);
    add_buffer(a, &list->index);
}

bool bl_cl_set_view(bl_device *d, bl_cl_view_kernel *kernel) {
    if (kernel->arguments == d->arguments) return false;
    arguments a = {d, kernel->kernel, 0};
    add_buffer(&a, &d->params);
    add_buffer(&a, &d->steer);
    add_buffer(&a, &d->bodies);
    add_buffer(&a, &d->active);
    add_list(&a, &d->ff);
    add_list(&a, &d->fb);
    add_list(&a, &d->bf);
    add_buffer(&a, &d->fluid.block);
    add_buffer(&a, &d->fluid.extra_block);
    add_buffer(&a, &d->boundary.block);
    kernel->arguments = d->arguments;
    kernel->view_end = a.next;
    return true;
}

size_t bl_cl_domain_size(const bl_device *d, bl_domain domain) {
    switch (domain) {
    case BL_OVER_BOUNDARY: return *d->boundary.count;
    case BL_OVER_ACTIVE: return d->active_count;
    default: return *d->fluid.count;
    }
}

enum { FEW_ROWS_A_UNIT = 72, ROWS_A_UNIT = 704 };
/* A small drop leaves most of the device without work, unless several work items share a row. The choice depends on
 * the count alone: a run that goes on from a checkpoint makes the same one. */
static size_t row_items_for(const bl_device *d) {
    const size_t count = *d->fluid.count;
    if (!d->shuffles || count > ROWS_A_UNIT * d->units) return 1;
    return count <= FEW_ROWS_A_UNIT * d->units ? BL_CL_MANY_ROW_ITEMS : BL_CL_ROW_ITEMS;
}

/* Groups of a solve in one launch: of drops so small that several work items share a row. */
static size_t solve_groups_for(const bl_device *d) {
    return *d->fluid.count <= ROWS_A_UNIT * d->units && d->last_ends ? d->together : 0;
}

/* Kernels for the present count and the constants of the run. */
static bool fit_kernels(bl_device *d, const bl_view *view) {
    const size_t items = row_items_for(d), groups = solve_groups_for(d);
    const bool bake = d->bake && bl_cl_can_know(view);
    bl_cl_known known;
    bl_cl_know(view, &known);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): both were cleared before, padding is zero */
    const bool same = bake == d->baked && (!bake || memcmp(&known, &d->known, sizeof known) == 0);
    if (items == d->row_items && groups == d->solve_groups && same) return true;
    d->row_items = items;
    d->solve_groups = groups;
    d->baked = bake;
    memcpy(&d->known, &known, sizeof known);
    d->status = bl_cl_build(d);
    if (d->status == BL_OK) bl_cl_make_kernels(d);
    return d->status == BL_OK;
}

bool bl_cl_prepare(bl_device *d, const bl_view *view) {
    bl_cl_settle_lists(d);
    return bl_cl_prepare_early(d, view);
}

bool bl_cl_prepare_early(bl_device *d, const bl_view *view) {
    if (d->status != BL_OK || !bl_cl_sync(d) || !fit_kernels(d, view)) return false;
    send_params(d, view);
    send_bodies(d, view->bodies, view->body_count);
    return bl_cl_reserve(d, &d->steer, sizeof(bl_steer), "constants");
}

bool bl_cl_has_neighbours(bl_pass_id pass) {
    return bl_pass_infos[pass].near_fluid != 0 || bl_pass_infos[pass].near_boundary != 0;
}
static size_t pass_items(const bl_device *d, bl_pass_id pass) {
    return bl_cl_domain_size(d, bl_pass_infos[pass].domain) * (bl_cl_has_neighbours(pass) ? d->row_items : 1);
}
size_t bl_cl_items_of(const bl_device *d, const bl_pass_id *passes, int count) {
    size_t most = 0;
    for (int k = 0; k < count; k++)
        if (pass_items(d, passes[k]) > most) most = pass_items(d, passes[k]);
    return most;
}

/* Few items in large groups, which end together sooner; but no processor is left without one. */
size_t bl_cl_group_for(const bl_device *d, size_t items) {
    enum { FEW_ITEMS_A_UNIT = 1024 };
    size_t group = items <= FEW_ITEMS_A_UNIT * d->units ? 2 * BL_CL_GROUP : BL_CL_GROUP;
    while (group > BL_CL_SMALL_GROUP && items < 2 * d->units * group) group /= 2;
    return group;
}

/* Iterated friction has its directions in the room of the viscosity solver, which is theirs from the start: what is in
 * it would be lost if it had to grow. Friction in closed form has none. */
static uint64_t writes_fluid(const bl_device *d, bl_pass_id pass) {
    const uint64_t fields = bl_pass_infos[pass].writes_fluid, directions = BL_FL(r_fr) | BL_FL(d_fr);
    if (!d->sent.par.exact_friction) return fields | directions;
    return pass == BL_PASS_residual || pass == BL_PASS_update ? fields & ~directions : fields;
}

/* Room for what is not there from the start: the viscosity solver's fields cost nothing in a scene without it. */
void bl_cl_before_pass(bl_device *d, bl_pass_id pass) {
    bl_cl_set *set = &d->fluid;
    const uint64_t fields = writes_fluid(d, pass) >> set->extra << set->extra;
    for (int f = set->extra; f < set->field_count; f++)
        if (fields >> f & 1) bl_cl_reserve_field(d, set, f);
}
void bl_cl_after_pass(bl_device *d, bl_pass_id pass) {
    bl_cl_wrote(d, writes_fluid(d, pass), bl_pass_infos[pass].writes_boundary);
}

void bl_device_run(bl_device *d, bl_pass_id pass, const bl_view *view) {
    const bl_pass_info *info = &bl_pass_infos[pass];
    const bool needs_lists = bl_cl_has_neighbours(pass) || info->domain == BL_OVER_ACTIVE;
    if (!(needs_lists ? bl_cl_prepare(d, view) : bl_cl_prepare_early(d, view))) return;
    double start = bl_cl_start(d);
    size_t items = pass_items(d, pass);
    bl_cl_before_pass(d, pass);
    bl_cl_set_view(d, &d->pass[pass]);
    bl_cl_enqueue(d, d->pass[pass].kernel, info->name, items, bl_cl_group_for(d, items));
    bl_cl_after_pass(d, pass);
    bl_cl_stop(d, info->name, start);
}

void bl_device_run_bundle(bl_device *d, bl_bundle_id bundle, const bl_view *view) {
    const bl_together *t = &bl_bundles[bundle];
    if (!bl_cl_prepare(d, view)) return;
    if (bundle == BL_BUNDLE_first_interface && bl_cl_apart(d)) {
        bl_device_run_bundle(d, BL_BUNDLE_guess, view);
        bl_device_run_bundle(d, BL_BUNDLE_interface, view);
        return;
    }
    double start = bl_cl_start(d);
    size_t items = bl_cl_items_of(d, t->passes, t->fluid_count), group = bl_cl_group_for(d, items);
    items =
        (items + group - 1) / group * group + bl_cl_items_of(d, t->passes + t->fluid_count, t->count - t->fluid_count);
    for (int k = 0; k < t->count; k++) bl_cl_before_pass(d, t->passes[k]);
    bl_cl_set_view(d, &d->bundle[bundle]);
    bl_cl_enqueue(d, d->bundle[bundle].kernel, t->name, items, group);
    for (int k = 0; k < t->count; k++) bl_cl_after_pass(d, t->passes[k]);
    bl_cl_stop(d, t->name, start);
}
