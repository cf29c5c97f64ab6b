/* Scene to constants, volumes of walls, pointers of the view. */
#include "base/parallel.h"
#include "geometry/geometry.h"
#include "schemes/pcisph/pcisph.h"

#include <math.h>
#include <string.h>

/* Of the last pressure, in the one that a step starts from; the paper starts from zero. More makes the pressure swing
 * from step to step: the solve only ever adds where liquid is too dense. */
static const double WARM_SHARE = 0.5;

/* --- what the methods do not know --- */

static bl_status refuse(bl_world *world, bl_pos pos, const char *name, const char *what) {
    return bl_scene_fail(world->ctx, BL_ERR_DATA, pos, "scheme %s: %s", name, what);
}

bl_status bl_pcisph_check_scene(bl_world *world, const char *name, int most_fluids) {
    const bl_scene *scene = world->scene;
    if (scene->fluid_count > most_fluids)
        return bl_scene_fail(world->ctx, BL_ERR_DATA, scene->fluids[scene->fluid_count - 1].pos,
                             "scheme %s: %d fluids found, it knows %d", name, scene->fluid_count, most_fluids);
    for (int k = 0; k < scene->fluid_count; ++k)
        if (bl_curve_largest(&scene->fluids[k].friction, 0, INFINITY) > 0)
            bl_scene_warn(world->ctx, scene->fluids[k].pos, "scheme %s has no friction: that of `%s` is left out", name,
                          scene->fluids[k].name);
    for (int k = 0; k < scene->boundary_count; ++k) {
        const bl_boundary *body = &scene->boundaries[k];
        if (body->elastic.given)
            return refuse(
                world, body->pos, name,
                "an elastic boundary found, expected walls that keep their shape; the scheme unified has both");
        if (bl_curve_largest(&body->friction, 0, INFINITY) > 0)
            bl_scene_warn(world->ctx, body->pos,
                          "scheme %s has no friction: that of `%s` is left out, its walls drag by viscosity alone",
                          name, body->name);
    }
    return BL_OK;
}

/* --- walls --- */

static bl_status make_search(bl_world *world, double reach, bl_neighbours **out) {
    const bl_scene *scene = world->scene;
    bl_search_def def = {.dimension = scene->dimension,
                         .near_radius = 2 * scene->spacing,
                         .far_radius = reach * scene->spacing,
                         .min = scene->domain.min,
                         .max = scene->domain.max};
    memcpy(def.periodic, scene->domain.periodic, sizeof def.periodic);
    return bl_neighbours_create(world->ctx, &def, out);
}

typedef struct wall_sums {
    const bl_boundary_store *b;
    bl_list bb;
    bl_kernel kernel;
    bl_period period;
    const double *volume; /* of each body's particles; 0: sampled */
    real *to;
} wall_sums;

/* V_b as it was sampled; particles of a single layer have 1/sum W over their own body, itself included (Akinci et al.
 * 2012), so that one layer does for several. */
static void find_volumes(void *user, size_t begin, size_t end) {
    const wall_sums *w = user;
    for (size_t i = begin; i < end; ++i) {
        double volume = (double)w->b->volume[i], sum = (double)bl_kernel_w(w->kernel, 0);
        if (w->volume[w->b->body[i]] > 0) {
            for (bl_index k = 0; k < w->bb.near[i]; ++k) {
                bl_index j = bl_neighbour(&w->bb, (bl_index)i, k);
                real r = bl_v3_norm(bl_difference(w->b->x[i], w->b->x[j], w->period));
                if (w->b->body[j] == w->b->body[i]) sum += (double)bl_kernel_w(w->kernel, r);
            }
            volume = 1 / sum;
        }
        w->to[i] = (real)volume;
    }
}

/* Rigid bodies keep their volumes. */
static bl_status weigh_walls(bl_world *world, pcisph *s) {
    const bl_boundary_store *b = &world->boundary;
    bl_neighbours *search = NULL;
    bool single = false;
    for (int k = 0; k < world->scene->boundary_count; ++k) single |= s->wall_volume[k] > 0;
    bl_status status = make_search(world, 2, &search);
    if (status == BL_OK && single) status = bl_neighbours_build_boundary(search, (bl_positions){b->x, b->count});
    if (status == BL_OK) {
        bl_period period = {{s->view.par.period[0], s->view.par.period[1], s->view.par.period[2]},
                            {s->view.par.inv_period[0], s->view.par.inv_period[1], s->view.par.inv_period[2]}};
        wall_sums sums = {b, bl_neighbours_bb(search), s->view.par.near, period, s->wall_volume, s->b_volume};
        bl_parallel_for(world->ctx, b->count, BL_CHUNK, find_volumes, &sums);
    }
    bl_neighbours_destroy(search);
    return status;
}

/* --- constants --- */

static void set_period(const bl_scene *scene, bl_params *par) {
    const double *min = &scene->domain.min.x, *max = &scene->domain.max.x;
    for (int k = 0; k < 3; ++k) {
        bool on = scene->domain.periodic[k];
        par->period[k] = on ? (real)(max[k] - min[k]) : BL_R(0);
        par->inv_period[k] = on ? (real)(1 / (max[k] - min[k])) : BL_R(0);
        par->periodic |= on;
    }
}

static void set_constants(const bl_scene *scene, pcisph *s) {
    bl_pcisph *view = &s->view;
    double h = scene->spacing, v0 = pow(h, scene->dimension);
    view->par.dimension = scene->dimension;
    view->par.h = (real)h;
    view->par.v0 = (real)v0;
    view->par.near = bl_kernel_make(scene->dimension, 2 * h);
    view->par.n_phases = scene->fluid_count;
    for (int k = 0; k < scene->fluid_count; ++k) {
        s->density0[k] = (real)scene->fluids[k].density;
        s->mass[k] = (real)(scene->fluids[k].density * v0);
    }
    view->inv_reach = (real)(1 / (BL_PAIRWISE_REACH * h));
    set_period(scene, &view->par);
    bl_template_init(scene->dimension, &s->lattice);
    /* F_p of a full template against the density that it changes; sums on the template in spacings */
    s->inv_delta = 2 * s->lattice.gradients / (h * h);
    if (s->method == BL_METHOD_AKINCI2013) bl_pull_constants_init(scene->dimension, &s->pull);
    for (int k = 0; k < scene->boundary_count; ++k) {
        int layers = bl_boundary_layers(scene, k);
        double volume = layers == 1 ? bl_single_layer_volume(scene->dimension) : 1;
        s->wall_volume[k] = layers == 1 ? volume : 0;
        s->wall_work[k] = s->method == BL_METHOD_AKINCI2013
                              ? bl_adhesion_work(scene->dimension, layers, volume) * s->pull.flat_adhesion
                              : bl_pairwise_share(scene->dimension, layers, volume);
    }
}

bl_status bl_pcisph_setup(bl_world *world, pcisph *s) {
    const bl_scene *scene = world->scene;
    size_t bodies = (size_t)scene->boundary_count, fluids = (size_t)scene->fluid_count, walls = world->boundary.count;
    s->history_capacity = (scene->scheme.max_iterations > 3 ? scene->scheme.max_iterations : 3) + 1;
    s->history = bl_alloc(world->ctx, 3 * (size_t)s->history_capacity, sizeof *s->history);
    s->wall_volume = bl_alloc(world->ctx, bodies, sizeof *s->wall_volume);
    s->wall_work = bl_alloc(world->ctx, bodies, sizeof *s->wall_work);
    s->b_pull = bl_alloc(world->ctx, bodies * fluids, sizeof *s->b_pull);
    s->b_drag = bl_alloc(world->ctx, bodies * fluids, sizeof *s->b_drag);
    s->b_volume = bl_alloc(world->ctx, walls, sizeof *s->b_volume);
    s->b_x_next = bl_alloc(world->ctx, walls + 1, sizeof *s->b_x_next); /* read four numbers at a time */
    if (!s->history || !s->wall_volume || !s->wall_work || !s->b_pull || !s->b_drag || !s->b_volume || !s->b_x_next)
        return BL_ERR_MEMORY;
    set_constants(scene, s);
    double reach = s->method == BL_METHOD_YANG2016 ? BL_PAIRWISE_REACH : 2;
    bl_status status = make_search(world, reach, &s->neighbours);
    return status == BL_OK ? weigh_walls(world, s) : status;
}

void bl_pcisph_clear(bl_world *world, pcisph *s) {
    bl_neighbours_destroy(s->neighbours);
    void *all[] = {s->history, s->wall_volume, s->wall_work, s->b_pull, s->b_drag, s->b_volume, s->b_x_next};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) bl_release(world->ctx, all[k]);
}

void bl_pcisph_set_step(bl_world *world, pcisph *s, double dt) {
    const bl_scene *scene = world->scene;
    bl_vec3d g = bl_curve_at3(&scene->gravity, world->time + dt);
    bl_pcisph *view = &s->view;
    const bool paper = scene->scheme.calibration == BL_CALIBRATION_PAPER;
    view->dt = (real)dt;
    view->mend = (real)scene->time.correction_speed;
    view->warm = (real)(scene->scheme.warm_start && !paper ? WARM_SHARE : 0);
    view->gravity[0] = (real)g.x, view->gravity[1] = (real)g.y, view->gravity[2] = (real)g.z;
    view->stiffness = dt > 0 ? (real)(scene->scheme.relaxation / (s->inv_delta * dt * dt)) : BL_R(0);
    bl_pcisph_set_material(world, s, world->time + dt);
}
