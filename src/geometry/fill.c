/* Filling fluid volumes with particles.
 *
 * A volume is filled in its own frame, before rotation and translation, so the lattice turns with the shape. A site is
 * taken when its centre is inside the shape and away from walls and other fluid. */
#include "base/parallel.h"
#include "base/rng.h"
#include "geometry/point_grid.h"
#include "geometry/points.h"
#include "geometry/sites.h"
#include "geometry/solid.h"

#include <math.h>
#include <stdlib.h>

static const double TAKEN_DISTANCE = 0.9; /* in spacings, between particles of different volumes */
static const double IMAGE_DISTANCE = 0.6; /* in spacings, between sites through a period */
static const double WALL_DISTANCE = 0.5;  /* in spacings, from wall points and from a surface that they lie on */
static const double OVER_LAYERS = 0.01;   /* in spacings, from a surface that they lie under; see near_wall */
static const double WALL_REACH = 0.9;     /* in spacings: how far a wall point's tangent plane stands for the surface */
static const double WALL_SEARCH = 1.35;   /* the farthest such place: over a point half a spacing deep, to the side */
static const double CUT = 0.86;       /* in spacings: how far a wall may be from the centre of a cell that it cuts */
static const double CUT_SEARCH = 1.9; /* the farthest point of such a wall */

/* --- what is in the way ------------------------------------------------------------------------------------------ */

typedef struct wall_solid {
    bl_solid *solid;
} wall_solid;

typedef struct obstacle_set {
    double h;
    const bl_points *walls, *taken; /* NULL: none */
    const bl_points *own;           /* of the volumes before this one */
    bl_point_grid wall_grid, taken_grid, own_grid;
    int solid_count;
    wall_solid *solids; /* of all boundaries */
} obstacle_set;

/* Where sites lie anyhow to a wall the first are half a spacing from its surface on average if all outside of it are
 * taken: only so a round vessel holds its volume, and nothing falls onto its walls. Layers below the surface leave room
 * for that; points on the surface do not. */
static bool near_wall_point(const obstacle_set *o, bl_vec3d x, size_t wall) {
    double reach = WALL_REACH * o->h, keep = WALL_DISTANCE * o->h * (1 - 1e-6);
    bl_vec3d d = bl_v3d_sub(x, o->walls->x[wall]);
    if (bl_v3d_norm2(d) < keep * keep) return true;
    if (!o->walls->normal) return false;
    double height = bl_v3d_dot(d, o->walls->normal[wall]), depth = o->walls->depth ? o->walls->depth[wall] : 0;
    double over = depth > 0 ? OVER_LAYERS * o->h : keep;
    bool beside = bl_v3d_norm2(d) - height * height >= reach * reach;
    return !beside && height > -keep && height - depth < over;
}

static bool near_wall(const obstacle_set *o, bl_vec3d x, bool layers_only) {
    if (!o->walls || (layers_only && !o->walls->depth)) return false;
    bl_grid_walk walk = bl_grid_walk_begin(&o->wall_grid, x, WALL_SEARCH * o->h);
    const bl_grid_item *item;
    while ((item = bl_grid_walk_next(&walk)))
        if (!(layers_only && o->walls->depth[item->index] == 0) && near_wall_point(o, x, item->index)) return true;
    return false;
}

static bool near_points(const bl_point_grid *grid, bl_vec3d x, double distance) {
    bl_grid_walk walk = bl_grid_walk_begin(grid, x, distance);
    const bl_grid_item *item;
    while ((item = bl_grid_walk_next(&walk)))
        if (bl_v3d_norm2(bl_v3d_sub(x, item->x)) < distance * distance) return true;
    return false;
}

static bool is_in_wall(const obstacle_set *o, bl_vec3d x) {
    for (int i = 0; i < o->solid_count; i++)
        if (!bl_solid_is_sheet(o->solids[i].solid) && bl_solid_inside(o->solids[i].solid, x)) return true;
    return false;
}

enum { SITE_OUTSIDE, SITE_FREE, SITE_HELD, SITE_AT_WALL, SITE_TAKEN }; /* held: free where the lattice has it */

static uint8_t judge(const obstacle_set *o, bl_vec3d x) {
    double distance = TAKEN_DISTANCE * o->h;
    if (near_wall(o, x, false)) return SITE_AT_WALL;
    if (is_in_wall(o, x)) return SITE_AT_WALL;
    if (o->taken && near_points(&o->taken_grid, x, distance)) return SITE_TAKEN;
    if (o->own && near_points(&o->own_grid, x, distance)) return SITE_TAKEN;
    return SITE_FREE;
}

static void clear_obstacles(bl_context *ctx, obstacle_set *o) {
    for (int i = 0; i < o->solid_count; i++) bl_solid_destroy(ctx, o->solids[i].solid);
    bl_release(ctx, o->solids);
    if (o->walls) bl_point_grid_clear(&o->wall_grid);
    if (o->taken) bl_point_grid_clear(&o->taken_grid);
    if (o->own) bl_point_grid_clear(&o->own_grid);
}

/* The solids behind the walls' points: so that nothing is left deep inside a wall. */
static bl_status make_wall_solids(bl_context *ctx, const bl_scene *scene, obstacle_set *o) {
    int count = 0;
    for (int b = 0; b < scene->boundary_count; b++) count += scene->boundaries[b].shape_count;
    o->solids = bl_alloc(ctx, (size_t)count, sizeof *o->solids);
    if (!o->solids) return BL_ERR_MEMORY;
    for (int b = 0; b < scene->boundary_count; b++)
        for (int s = 0; s < scene->boundaries[b].shape_count; s++) {
            const bl_shape *shape = &scene->boundaries[b].shapes[s];
            bl_status status = bl_solid_create(ctx, shape, scene->dimension, &o->solids[o->solid_count].solid);
            if (status) return status;
            o->solid_count++;
        }
    return BL_OK;
}

static bl_status make_obstacles(bl_context *ctx, const bl_scene *scene, const bl_points *walls, const bl_points *taken,
                                obstacle_set *o) {
    bl_status status = BL_OK;
    *o = (obstacle_set){.h = scene->spacing};
    if (walls) {
        status = bl_point_grid_build(ctx, walls->x, walls->count, 2 * WALL_SEARCH * o->h, &o->wall_grid);
        if (status) return status;
        o->walls = walls;
        status = make_wall_solids(ctx, scene, o);
    }
    if (taken && !status) {
        status = bl_point_grid_build(ctx, taken->x, taken->count, 2 * TAKEN_DISTANCE * o->h, &o->taken_grid);
        if (!status) o->taken = taken;
    }
    return status;
}

/* --- filling ----------------------------------------------------------------------------------------------------- */

typedef struct fill_job {
    const bl_sites *sites;
    const bl_solid *solid;
    const obstacle_set *obstacles;
    bl_frame place; /* of the shape's frame in the world */
    bl_vec3d last;  /* sites beyond it along an axis are images of the first ones; INFINITY: none are */
    uint8_t *verdict;
    float *margin; /* of sites whose cell a wall cuts: from the centre to the wall, in spacings; else NOT_CUT */
    float *room;   /* share of these cells that is inside the shape and outside of walls */
} fill_job;

static const float NOT_CUT = 1;

/* Where the lattice has a site. */
static bl_vec3d lattice_site(const fill_job *job, size_t site) {
    return bl_frame_to_world(&job->place, bl_sites_at(job->sites, site));
}

/* Whether a place is the image of another site in periodic space. */
static bool is_image(const fill_job *job, bl_vec3d x) {
    return x.x > job->last.x || x.y > job->last.y || x.z > job->last.z;
}

static bl_vec3d jittered_site(const fill_job *job, size_t site) {
    return bl_frame_to_world(&job->place, bl_sites_jittered(job->sites, site));
}

/* Distance to the nearest wall with an inside, if it may cut the cell around x; else NOT_CUT. */
static float find_margin(const obstacle_set *o, bl_vec3d x) {
    double least = INFINITY;
    if (!o->walls || !near_points(&o->wall_grid, x, CUT_SEARCH * o->h)) return NOT_CUT;
    for (int i = 0; i < o->solid_count; i++)
        if (!bl_solid_is_sheet(o->solids[i].solid)) least = fmin(least, bl_solid_distance(o->solids[i].solid, x));
    return fabs(least) < CUT * o->h ? (float)(least / o->h) : NOT_CUT;
}

/* Whether a wall takes a part of the site's cell, and which share of it is inside the shape and outside of walls. */
static bool find_room(const fill_job *job, size_t site, float *room) {
    const int parts = bl_sites_parts(job->sites);
    int free = 0, walled = 0;
    for (int part = 0; part < parts; part++) {
        bl_vec3d x = bl_sites_part(job->sites, site, part);
        bool in_wall = is_in_wall(job->obstacles, bl_frame_to_world(&job->place, x));
        walled += in_wall;
        free += !in_wall && bl_solid_inside(job->solid, x);
    }
    *room = (float)free / (float)parts;
    return walled > 0;
}

/* By where the lattice has them: jitter must not thin out the layer along a wall, nor lead into the wall. */
static void judge_sites(void *user, size_t begin, size_t end) {
    fill_job *job = user;
    for (size_t site = begin; site < end; site++) {
        bl_vec3d x = lattice_site(job, site);
        job->margin[site] = NOT_CUT;
        float margin = find_margin(job->obstacles, x);
        if (margin < NOT_CUT && find_room(job, site, &job->room[site])) job->margin[site] = margin;
        if (is_image(job, x) || !bl_sites_inside(job->sites, job->solid, site)) continue;
        uint8_t verdict = judge(job->obstacles, x);
        bool moved = verdict == SITE_FREE && job->sites->jitter > 0;
        job->verdict[site] = moved && near_wall(job->obstacles, jittered_site(job, site), true) ? SITE_HELD : verdict;
    }
}

typedef struct cut_site {
    size_t site;
    float margin;
    uint64_t draw; /* among those as near to a wall as each other chance decides */
} cut_site;

static int compare_cuts(const void *a, const void *b) {
    const cut_site *u = a, *v = b;
    if (u->margin != v->margin) return u->margin < v->margin ? -1 : 1;
    return u->draw < v->draw ? -1 : u->draw > v->draw;
}

static bool is_filled(const fill_job *job, size_t site) {
    return job->verdict[site] == SITE_FREE || job->verdict[site] == SITE_HELD;
}

/* Room in cells and sites that are filled, of cells that walls cut and of all. */
static void sum_room(void *user, size_t begin, size_t end, double *acc) {
    const fill_job *job = user;
    for (size_t site = begin; site < end; site++) {
        bl_vec3d x = lattice_site(job, site);
        if (job->verdict[site] == SITE_TAKEN) continue;
        bool cut = job->margin[site] < NOT_CUT, filled = is_filled(job, site);
        double depth = cut ? 0 : -bl_solid_distance(job->solid, bl_sites_at(job->sites, site)) / job->sites->h;
        double room = cut ? (double)job->room[site] : fmax(0, fmin(0.5 + depth, 1));
        if (!cut && !filled && room > 0 && is_in_wall(job->obstacles, x)) continue; /* all of it is wall */
        acc[0] += cut ? room : 0, acc[1] += cut ? filled : 0;
        acc[2] += room, acc[3] += filled;
    }
}

/* A vessel gets no more than it has room for. Along a wall that lies anyhow to the lattice every cell that it cuts has
 * a share of room, and the sites outside are as many as these shares only on average: a pipe 14 spacings wide had 1.4 %
 * more than fits, which jams, and other ones blew up. What is too many, of the volume as a whole and at the wall, is
 * left out, nearest to the wall first. */
static bl_status leave_out_surplus(bl_context *ctx, fill_job *job, size_t total) {
    size_t count = 0;
    double sums[4] = {0};
    for (size_t site = 0; site < total; site++) count += job->margin[site] < NOT_CUT;
    if (count == 0) return BL_OK;
    bl_parallel_reduce(ctx, total, 4, BL_REDUCE_SUM, sum_room, job, sums);
    double surplus = fmin(sums[1] - sums[0], sums[3] - sums[2]);
    if (surplus < 0.5) return BL_OK;
    cut_site *cuts = bl_alloc(ctx, count, sizeof *cuts);
    if (!cuts) return BL_ERR_MEMORY;
    count = 0;
    for (size_t site = 0; site < total; site++)
        if (job->margin[site] < NOT_CUT && is_filled(job, site))
            cuts[count++] = (cut_site){site, job->margin[site], bl_rng_u64(job->sites->seed, job->sites->stream, site)};
    qsort(cuts, count, sizeof *cuts, compare_cuts);
    for (size_t k = 0; k < (size_t)rint(surplus); k++) job->verdict[cuts[k].site] = SITE_AT_WALL;
    bl_release(ctx, cuts);
    return BL_OK;
}

typedef struct fill_counts {
    size_t inside, at_wall, taken;
} fill_counts;

static bl_status collect(bl_context *ctx, fill_job *job, size_t total, int volume, bl_point_list *list,
                         fill_counts *counts) {
    job->verdict = bl_alloc(ctx, total, sizeof *job->verdict);
    job->margin = bl_alloc(ctx, total, sizeof *job->margin);
    job->room = bl_alloc(ctx, total, sizeof *job->room);
    bl_status status = job->verdict && job->margin && job->room ? BL_OK : BL_ERR_MEMORY;
    if (!status) {
        bl_parallel_for(ctx, total, BL_CHUNK, judge_sites, job);
        status = leave_out_surplus(ctx, job, total);
    }
    for (size_t site = 0; site < total && !status; site++) {
        counts->inside += job->verdict[site] != SITE_OUTSIDE;
        counts->at_wall += job->verdict[site] == SITE_AT_WALL;
        counts->taken += job->verdict[site] == SITE_TAKEN;
        bool held = job->verdict[site] == SITE_HELD;
        if (is_filled(job, site))
            status = bl_point_list_add(list, held ? lattice_site(job, site) : jittered_site(job, site), bl_v3d_zero(),
                                       0, volume);
    }
    bl_release(ctx, job->verdict);
    bl_release(ctx, job->margin);
    bl_release(ctx, job->room);
    return status;
}

/* In a shape as long as the period the lattice may have a plane at both ends, which is one plane. */
static bl_vec3d last_places(const bl_scene *scene, const fill_job *job, bool turned) {
    const bl_domain_def *d = &scene->domain;
    bl_vec3d first = lattice_site(job, 0), last = bl_v3d_make(INFINITY, INFINITY, INFINITY);
    const double apart = IMAGE_DISTANCE * scene->spacing;
    if (turned) return last;
    if (d->periodic[0]) last.x = first.x + (d->max.x - d->min.x) - apart;
    if (d->periodic[1]) last.y = first.y + (d->max.y - d->min.y) - apart;
    if (d->periodic[2]) last.z = first.z + (d->max.z - d->min.z) - apart;
    return last;
}

static bl_sites describe_sites(const bl_scene *scene, int fluid, int index) {
    const bl_volume *volume = &scene->fluids[fluid].volumes[index];
    return (bl_sites){.filling = volume->filling,
                      .dimension = scene->dimension,
                      .h = scene->spacing,
                      .jitter = volume->jitter * scene->spacing / sqrt(scene->dimension),
                      .seed = volume->seed, /* the scene's if it gives none of its own */
                      .stream = (uint64_t)fluid << 32 | (uint32_t)index};
}

static bl_status check_extent(bl_context *ctx, const bl_scene *scene, int fluid, int index, double sites) {
    const bl_volume *volume = &scene->fluids[fluid].volumes[index];
    const char *name = scene->fluids[fluid].name;
    if (volume->shape.kind == BL_SHAPE_PLANE)
        return bl_scene_fail(ctx, BL_ERR_DATA, volume->pos,
                             "fluid `%s`: a plane has no volume; expected a closed shape", name);
    if (!isfinite(sites))
        return bl_scene_fail(ctx, BL_ERR_DATA, volume->pos,
                             "fluid `%s`: the volume is endless; expected a closed shape", name);
    if (sites > BL_SITES_MAX)
        return bl_scene_fail(
            ctx, BL_ERR_DATA, volume->pos,
            "fluid `%s`: the volume needs too many particles at a spacing of %g m (about %.2g), expected "
            "at most %g; make spacing larger or the shape smaller",
            name, scene->spacing, sites, BL_SITES_MAX);
    return BL_OK;
}

/* Neither turned nor moved: the lattice lies along the shape's own axes. */
static bl_status create_in_place(bl_context *ctx, const bl_scene *scene, const bl_volume *volume, bl_solid **out) {
    bl_shape shape = volume->shape;
    shape.rotate = shape.translate = bl_v3d_zero();
    return bl_solid_create(ctx, &shape, scene->dimension, out);
}

bl_status bl_fill_check(bl_context *ctx, const bl_scene *scene) {
    bl_status status = BL_OK;
    for (int f = 0; f < scene->fluid_count; f++) {
        for (int v = 0; v < scene->fluids[f].volume_count && !status; v++) {
            bl_solid *solid;
            status = create_in_place(ctx, scene, &scene->fluids[f].volumes[v], &solid);
            if (status) return status;
            bl_box box = bl_solid_bounds(solid);
            bl_vec3d cells = bl_v3d_scale(1 / scene->spacing, bl_v3d_sub(box.max, box.min));
            double sites = bl_box_is_empty(box) ? 0 : cells.x * cells.y * (scene->dimension == 3 ? cells.z : 1);
            status = check_extent(ctx, scene, f, v, sites);
            bl_solid_destroy(ctx, solid);
        }
    }
    return status;
}

static bl_status fill_volume(bl_context *ctx, const bl_scene *scene, int fluid, int index,
                             const obstacle_set *obstacles, bl_point_list *list, fill_counts *counts) {
    const bl_volume *volume = &scene->fluids[fluid].volumes[index];
    bl_vec3d rotate = volume->shape.rotate, translate = volume->shape.translate;
    if (scene->dimension == 2) rotate.x = rotate.y = translate.z = 0;
    bl_solid *solid;
    bl_status status = create_in_place(ctx, scene, volume, &solid);
    if (status) return status;

    bl_frame world = bl_frame_identity();
    bl_sites sites = describe_sites(scene, fluid, index);
    double total = bl_box_is_empty(bl_solid_bounds(solid)) ? 0 : bl_sites_plan(ctx, &sites, solid);
    status = check_extent(ctx, scene, fluid, index, total);
    if (!status && total > 0) {
        fill_job job = {.sites = &sites, .solid = solid, .obstacles = obstacles};
        job.place = bl_frame_place(&world, bl_v3d_make(1, 1, 1), rotate, translate);
        job.last = last_places(scene, &job, bl_v3d_norm2(rotate) > 0);
        status = collect(ctx, &job, (size_t)total, index, list, counts);
    }
    bl_solid_destroy(ctx, solid);
    return status;
}

static bl_status fail_empty(bl_context *ctx, const bl_scene *scene, const bl_fluid *fluid, fill_counts counts) {
    if (fluid->volume_count == 0)
        return bl_scene_fail(ctx, BL_ERR_DATA, fluid->pos, "fluid `%s` has no volumes and so no particles",
                             fluid->name);
    if (counts.inside == 0)
        return bl_scene_fail(ctx, BL_ERR_DATA, fluid->pos,
                             "fluid `%s` has no particles: its volumes are too small for the spacing of %g m; make "
                             "spacing smaller",
                             fluid->name, scene->spacing);
    return bl_scene_fail(ctx, BL_ERR_DATA, fluid->pos,
                         "fluid `%s` has no particles: of %zu places %zu lie inside walls or too near to them, %zu "
                         "too near to other fluid",
                         fluid->name, counts.inside, counts.at_wall, counts.taken);
}

bl_status bl_fill_fluid(bl_context *ctx, const bl_scene *scene, int fluid, const bl_points *walls,
                        const bl_points *taken, bl_points *out) {
    const bl_fluid *f = &scene->fluids[fluid];
    bl_point_list list = bl_point_list_make(ctx);
    fill_counts counts = {0};
    obstacle_set obstacles;
    bl_status status = make_obstacles(ctx, scene, walls && walls->count ? walls : NULL, taken, &obstacles);
    for (int v = 0; v < f->volume_count && !status; v++) {
        status = fill_volume(ctx, scene, fluid, v, &obstacles, &list, &counts);
        if (status || v + 1 == f->volume_count) break;
        if (obstacles.own) bl_point_grid_clear(&obstacles.own_grid);
        obstacles.own = NULL;
        status = bl_point_grid_build(ctx, list.points.x, list.points.count, 2 * TAKEN_DISTANCE * scene->spacing,
                                     &obstacles.own_grid);
        if (!status) obstacles.own = &list.points;
    }
    clear_obstacles(ctx, &obstacles);
    if (!status && list.points.count == 0) status = fail_empty(ctx, scene, f, counts);
    *out = (bl_points){0};
    if (status) {
        bl_point_list_clear(&list);
        return status;
    }
    bl_release(ctx, list.points.normal);
    bl_release(ctx, list.points.volume);
    bl_release(ctx, list.points.depth);
    list.points.normal = NULL;
    list.points.depth = NULL;
    list.points.volume = NULL;
    *out = list.points;
    if (counts.at_wall + counts.taken > 0)
        bl_log(ctx, BL_LOG_DEBUG, "fluid `%s`: %zu particles; %zu places at walls and %zu at other fluid left free",
               f->name, out->count, counts.at_wall, counts.taken);
    return BL_OK;
}
