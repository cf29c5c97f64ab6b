/* Sampling boundaries: one shape after the other, each layer by layer. */
#include "geometry/sample.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "geometry/point_grid.h"
#include "geometry/spacing.h"
#include "geometry/tessellate.h"

#include <math.h>
#include <string.h>

enum { FILLED_LAYERS = 3 };
static const double SHAPE_DISTANCE = 0.499999; /* in spacings: nearer points of two shapes are one */
static const double THIN_HALF = 0.95;          /* half the thickness of a plate that bl_sample_box gives one layer */
/* In spacings: what a liquid feels of single points comes from the first layer, and gets less the nearer they are. */
static const double FINE_NOISE = 0.75;
static const double NORMAL_STEP = 0.05; /* wider than a tessellated edge is off, so that its points face both sides */

/* --- rest volumes ------------------------------------------------------------------------------------------------ */

typedef struct density_job {
    const bl_sampling *s;
    bl_points *points;
    size_t begin;
    double reach;
    double integral; /* of the weights, over the plane or the line */
    double *old;     /* volumes so far */
    bool first;      /* round */
    bl_point_grid grid;
} density_job;

/* The sum of w = (1 - (r/R)^2)^n over points is its integral times their density. n = 2 and R = 2 spacings suit points
 * at even distances on a line. On a surface n = 3 and R = 1.8 give a square lattice its volume to 0.1 %, and blue
 * noise what makes it feel even half a spacing above: a wider kernel averages over gaps that a liquid still feels. */
static double density_weight(const density_job *job, double r2) {
    double w = 1 - r2 / (job->reach * job->reach);
    if (w <= 0) return 0;
    return job->s->dimension == 3 ? w * w * w : w * w;
}

static density_job density_job_make(const bl_sampling *s, bl_points *points, size_t begin) {
    double reach = (s->dimension == 3 ? 1.8 : 2) * s->along;
    double integral = s->dimension == 3 ? 3.14159265358979323846 * reach * reach / 4 : 16 * reach / 15;
    return (density_job){.s = s, .points = points, .begin = begin, .reach = reach, .integral = integral, .old = NULL};
}

/* A point's volume is made smaller by what the volumes around it sum up to over the layer's thickness. At rims, where
 * points lie on one side only, that is the layer's end and no lack of points: after the first round they are left. */
static void measure_density(void *user, size_t begin, size_t end) {
    const double rim = 0.2; /* of the reach, to the centre of what is around */
    density_job *job = user;
    const bl_vec3d *x = job->points->x + job->begin;
    for (size_t i = begin; i < end; i++) {
        double sum = 0;
        bl_vec3d offset = bl_v3d_zero();
        bl_grid_walk walk = bl_grid_walk_begin(&job->grid, x[i], job->reach);
        const bl_grid_item *item;
        while ((item = bl_grid_walk_next(&walk))) {
            bl_vec3d d = bl_v3d_sub(item->x, x[i]);
            double w = job->old[item->index] * density_weight(job, bl_v3d_norm2(d));
            sum += w;
            offset = bl_v3d_mad(offset, w, d);
        }
        bool inside = bl_v3d_norm(offset) < rim * job->reach * sum;
        double factor = job->first || inside ? job->s->h * job->integral / sum : 1;
        job->points->volume[job->begin + i] = job->old[i] * factor;
    }
}

static double volume_of(const bl_point_list *list, size_t begin) {
    double sum = 0;
    for (size_t i = begin; i < list->points.count; i++) sum += list->points.volume[i];
    return sum;
}

static void scale_volumes(bl_point_list *list, size_t begin, double total) {
    double sum = volume_of(list, begin), factor = sum > 0 ? total / sum : 1;
    for (size_t i = begin; i < list->points.count; i++) list->points.volume[i] *= factor;
}

bl_status bl_estimate_volumes(const bl_sampling *s, bl_point_list *list, size_t begin, double area) {
    enum { ROUNDS = 12 }; /* the first says how dense points are, the others even out what is left */
    density_job job = density_job_make(s, &list->points, begin);
    size_t count = list->points.count - begin;
    double total = 0;
    if (count == 0) return BL_OK;
    if (!(job.old = bl_alloc(s->ctx, count, sizeof *job.old))) return BL_ERR_MEMORY;
    bl_status status = bl_point_grid_build(s->ctx, list->points.x + begin, count, 2 * job.reach, &job.grid);
    for (size_t i = 0; i < count; i++) list->points.volume[begin + i] = 1;
    for (int round = 0; round < ROUNDS && !status; round++) {
        memcpy(job.old, list->points.volume + begin, count * sizeof *job.old);
        job.first = round == 0;
        bl_parallel_for(s->ctx, count, BL_CHUNK, measure_density, &job);
        if (job.first) total = volume_of(list, begin);
    }
    bl_release(s->ctx, job.old);
    if (status) return status;
    bl_point_grid_clear(&job.grid);
    scale_volumes(list, begin, total);
    if (area <= 0) return BL_OK;

    /* Where both faces of a plate thinner than h share their points, the density tells more than the area. */
    if (s->h * area <= 1.4 * total) scale_volumes(list, begin, s->h * area);
    return BL_OK;
}

/* --- one leaf, first layer --------------------------------------------------------------------------------------- */

bl_status bl_sample_outline(const bl_sampling *s, const bl_solid *solid, bl_point_list *list) {
    bl_outline outline;
    bl_status status = bl_outline_create(s->ctx, solid, s->along, &outline);
    if (status) return status;
    bl_curve_net net = {outline.x, outline.vertex_count, (const uint32_t(*)[2])outline.edges, outline.edge_count};
    bl_curve_sample *samples = NULL;
    size_t count = 0;
    status = bl_curve_net_sample(s->ctx, &net, s->along, &samples, &count);
    for (size_t i = 0; i < count && !status; i++) {
        bl_vec3d n = outline.normals ? outline.normals[samples[i].edge]
                                     : bl_solid_normal(solid, samples[i].x, NORMAL_STEP * s->h);
        status = bl_point_list_add(list, samples[i].x, n, s->h * samples[i].length, 0);
    }
    bl_release(s->ctx, samples);
    bl_outline_clear(&outline);
    return status;
}

/* Move tessellated points onto the true surface and give them its normal. */
typedef struct project_job {
    const bl_solid *solid;
    bl_points *points;
    size_t begin;
    double step;
} project_job;

static void project_range(void *user, size_t begin, size_t end) {
    project_job *job = user;
    for (size_t k = begin; k < end; k++) {
        size_t i = job->begin + k;
        bl_vec3d n = bl_solid_normal(job->solid, job->points->x[i], job->step);
        job->points->x[i] = bl_v3d_mad(job->points->x[i], -bl_solid_distance(job->solid, job->points->x[i]), n);
        job->points->normal[i] = n;
    }
}

static bl_status sample_curved(const bl_sampling *s, const bl_solid *solid, bl_point_list *list) {
    size_t begin = list->points.count;
    bl_mesh *mesh = NULL;
    bl_bvh *bvh = NULL;
    bl_status status = bl_tessellate(s->ctx, solid, s->along, &mesh);
    if (!status) status = bl_bvh_create(s->ctx, mesh, &bvh);
    if (!status) status = bl_sample_mesh(s, mesh, bvh, list);
    if (!status && solid->frame.similar) {
        project_job job = {solid, &list->points, begin, NORMAL_STEP * s->h};
        bl_parallel_for(s->ctx, list->points.count - begin, BL_CHUNK, project_range, &job);
    }
    bl_bvh_destroy(bvh);
    bl_mesh_destroy(mesh);
    return status;
}

/* No convex shape has more surface than its box; others may, but not by much. */
static bl_status check_size(const bl_sampling *s, const bl_solid *solid) {
    bl_box box = bl_solid_bounds(solid);
    bl_vec3d n = bl_v3d_scale(1 / s->along, bl_v3d_sub(box.max, box.min));
    double points = s->dimension == 3 ? 2 * (n.x * n.y + n.y * n.z + n.z * n.x) : 2 * (n.x + n.y);
    if (points <= BL_SAMPLES_MAX) return BL_OK;
    return bl_scene_fail(s->ctx, BL_ERR_DATA, solid->pos,
                         "the shape's surface needs too many particles at a spacing of %g m (about %g)", s->h, points);
}

/* `hollow`: it is taken away from something. */
static bl_status sample_leaf(const bl_sampling *s, const bl_solid *solid, bool hollow, bl_point_list *list) {
    if (solid->kind == BL_SHAPE_PLANE || solid->kind == BL_SHAPE_HALF_SPACE) return bl_sample_plane(s, solid, list);
    bl_status status = check_size(s, solid);
    if (status) return status;
    if (solid->kind == BL_SHAPE_BOX && solid->frame.similar) return bl_sample_box(s, solid, 0, list);
    if (s->dimension == 2) return bl_sample_outline(s, solid, list);
    if (solid->kind == BL_SHAPE_MESH) return bl_sample_mesh(s, solid->mesh, solid->bvh, list);
    if (bl_has_rings(s, solid, hollow)) return bl_sample_rings(s, solid, hollow, list);
    return sample_curved(s, solid, list);
}

/* --- combinations ------------------------------------------------------------------------------------------------ */

/* Points of all leaves; those of leaves that are taken away face the other way. */
static bl_status sample_leaves(const bl_sampling *s, const bl_solid *solid, bool inverted, bl_point_list *list) {
    size_t begin = list->points.count;
    bl_status status = BL_OK;
    if (solid->kind < BL_SHAPE_UNION) {
        status = sample_leaf(s, solid, inverted, list);
        for (size_t i = begin; i < list->points.count && inverted; i++)
            list->points.normal[i] = bl_v3d_scale(-1, list->points.normal[i]);
        return status;
    }
    for (int c = 0; c < solid->child_count && !status; c++) {
        bool taken_away = solid->kind == BL_SHAPE_DIFFERENCE && c > 0;
        status = sample_leaves(s, &solid->children[c], inverted != taken_away, list);
    }
    return status;
}

typedef struct surface_job {
    const bl_solid *solid;
    const bl_points *points;
    size_t begin;
    double step;
    bool *keep;
} surface_job;

/* On the surface of the whole: outside just in front, inside just behind. */
static void test_surface(void *user, size_t begin, size_t end) {
    surface_job *job = user;
    for (size_t k = begin; k < end; k++) {
        bl_vec3d x = job->points->x[job->begin + k], n = job->points->normal[job->begin + k];
        job->keep[k] = !bl_solid_inside(job->solid, bl_v3d_mad(x, job->step, n)) &&
                       bl_solid_inside(job->solid, bl_v3d_mad(x, -job->step, n));
    }
}

static bl_status refuse_sheets(bl_context *ctx, const bl_solid *solid) {
    if (bl_solid_is_sheet(solid))
        return bl_scene_fail(ctx, BL_ERR_DATA, solid->pos,
                             "%s has no inside and cannot be cut or cut with; expected %s",
                             solid->kind == BL_SHAPE_PLANE ? "a plane" : "an open mesh",
                             solid->kind == BL_SHAPE_PLANE ? "a half_space" : "a closed one");
    bl_status status = BL_OK;
    for (int c = 0; c < solid->child_count && !status; c++) status = refuse_sheets(ctx, &solid->children[c]);
    return status;
}

static bl_status sample_combination(const bl_sampling *given, const bl_solid *solid, bl_point_list *list) {
    bl_sampling single = *given;
    single.layers = 1;
    bl_box box = bl_solid_bounds(solid); /* what endless parts have to cover */
    if (isfinite(bl_v3d_norm(bl_v3d_sub(box.max, box.min)))) single.fluid_bounds = box;
    size_t begin = list->points.count;
    bl_status status = refuse_sheets(given->ctx, solid);
    if (!status) status = sample_leaves(&single, solid, false, list);
    if (status) return status;
    size_t count = list->points.count - begin;
    surface_job job = {solid, &list->points, begin, 0.02 * given->h, bl_alloc(given->ctx, count, sizeof(bool))};
    if (!job.keep) return BL_ERR_MEMORY;
    bl_parallel_for(given->ctx, count, BL_CHUNK, test_surface, &job);
    bl_point_list_filter(list, begin, job.keep);
    bl_release(given->ctx, job.keep);
    return BL_OK;
}

bl_status bl_sample_skin(const bl_sampling *s, const bl_solid *solid, bl_point_list *list) {
    size_t begin = list->points.count;
    bl_status status =
        solid->kind < BL_SHAPE_UNION ? sample_leaf(s, solid, false, list) : sample_combination(s, solid, list);
    return status ? status : bl_point_list_thin(s, list, begin, SHAPE_DISTANCE);
}

/* --- shapes with their layers ------------------------------------------------------------------------------------- */

/* An open mesh faces the fluid; with fluid on both sides its layers are centred about it. */
static void orient_open_mesh(bl_sampling *s, bl_point_list *list, size_t begin) {
    bl_points *p = &list->points;
    if (bl_box_is_empty(s->fluid_bounds)) return;
    bl_vec3d center = bl_v3d_scale(0.5, bl_v3d_add(s->fluid_bounds.min, s->fluid_bounds.max));
    double front = 0, behind = 0;
    for (size_t i = begin; i < p->count; i++) {
        double side = bl_v3d_dot(bl_v3d_sub(center, p->x[i]), p->normal[i]);
        *(side >= 0 ? &front : &behind) += p->volume[i];
    }
    bool both = fmin(front, behind) > 0.1 * (front + behind);
    if (both) s->layers = s->sheet_layers;
    for (size_t i = begin; i < p->count; i++) {
        if (!both && behind > front) p->normal[i] = bl_v3d_scale(-1, p->normal[i]);
        if (both && s->layers > 1) p->x[i] = bl_v3d_mad(p->x[i], 0.5 * s->layers * s->h, p->normal[i]);
    }
}

static bl_status sample_shape(const bl_sampling *s, const bl_solid *solid, bl_point_list *list);

/* Each part with its own layers, less what lies inside another part. */
static bl_status sample_union(const bl_sampling *given, const bl_solid *solid, bl_point_list *list) {
    bl_status status = BL_OK;
    for (int c = 0; c < solid->child_count && !status; c++) {
        bl_sampling s = *given;
        s.seed += (uint64_t)c;
        size_t begin = list->points.count;
        status = sample_shape(&s, &solid->children[c], list);
        bool *keep = status ? NULL : bl_alloc(s.ctx, list->points.count - begin, sizeof *keep);
        if (!status && !keep) status = BL_ERR_MEMORY;
        for (size_t i = begin; i < list->points.count && !status; i++) {
            keep[i - begin] = true;
            for (int other = 0; other < solid->child_count && keep[i - begin]; other++)
                keep[i - begin] = other == c || !bl_solid_inside(&solid->children[other], list->points.x[i]);
        }
        if (!status) bl_point_list_filter(list, begin, keep);
        bl_release(s.ctx, keep);
        if (!status) status = bl_point_list_thin(&s, list, begin, SHAPE_DISTANCE);
    }
    return status;
}

/* A plate with room for one layer only. */
static bool is_thin_plate(const bl_sampling *s, const bl_solid *solid) {
    double half = fmin(fmin(solid->a.x, solid->a.y), solid->a.z) * solid->frame.stretch;
    return s->dimension == 3 && s->layers > 1 && half < THIN_HALF * s->h;
}

/* Box within box, if there is room for the first. A single layer has four times the points: on one with points h apart
 * a column of 25 spacings is pressed through at the edges. */
static bl_status sample_box_layers(const bl_sampling *given, const bl_solid *solid, bl_point_list *list) {
    bl_sampling s = *given;
    if (is_thin_plate(&s, solid)) s.along = 0.5 * s.h;
    size_t begin = list->points.count;
    bl_status status = check_size(&s, solid);
    for (int layer = 0; layer < s.layers && !status; layer++)
        status = bl_sample_box(&s, solid, bl_layer_depth(&s, layer), list);
    return status || list->points.count > begin ? status : bl_sample_box(&s, solid, 0, list);
}

/* Whether some of its points are blue noise, which is never as even as a lattice or rings. */
static bool has_blue_noise(const bl_sampling *s, const bl_solid *solid, bool hollow) {
    if (s->dimension == 2 || solid->kind == BL_SHAPE_PLANE || solid->kind == BL_SHAPE_HALF_SPACE) return false;
    if (solid->kind == BL_SHAPE_MESH) return true;
    if (solid->kind == BL_SHAPE_BOX) return !solid->frame.similar;
    if (solid->kind < BL_SHAPE_UNION) return !bl_has_rings(s, solid, hollow);
    for (int c = 0; c < solid->child_count; c++) {
        bool taken_away = solid->kind == BL_SHAPE_DIFFERENCE && c > 0;
        if (has_blue_noise(s, &solid->children[c], hollow != taken_away)) return true;
    }
    return false;
}

static bl_status sample_shape(const bl_sampling *given, const bl_solid *solid, bl_point_list *list) {
    bl_sampling s = *given;
    size_t begin = list->points.count;
    if (solid->kind == BL_SHAPE_UNION) return sample_union(&s, solid, list);
    if (solid->kind == BL_SHAPE_PLANE || solid->kind == BL_SHAPE_HALF_SPACE) return bl_sample_plane(&s, solid, list);
    if (solid->kind == BL_SHAPE_BOX && solid->frame.similar) return sample_box_layers(&s, solid, list);
    s.weigh = s.layers == 1 || bl_solid_is_sheet(solid);
    s.sink = bl_layer_depth(&s, 0);
    s.along = s.h; /* layers of several faces cross at edges, and are thinned by one distance in all directions */
    if (s.layers > 1 && has_blue_noise(&s, solid, false)) s.along = FINE_NOISE * s.h;
    bl_status status = bl_sample_skin(&s, solid, list);
    if (!status && bl_solid_is_sheet(solid)) orient_open_mesh(&s, list, begin);
    return status ? status : bl_sink_layers(&s, solid, begin, list);
}

static bl_status log_spacing(bl_context *ctx, const bl_boundary *boundary, const bl_points *points, double h) {
    bl_spacing spacing;
    if (!bl_log_wants(ctx, BL_LOG_DEBUG)) return BL_OK;
    bl_status status = bl_spacing_measure(ctx, points, h, &spacing);
    if (!status)
        bl_log(
            ctx, BL_LOG_DEBUG,
            "boundary `%s`: %zu particles, nearest neighbour %.3f spacings on average, at least %.3f, deviation %.3f",
            boundary->name, points->count, spacing.mean, spacing.least, spacing.deviation);
    return status;
}

/* A lattice of walls under rows of a liquid in 2D has teeth: rows that lie in its gaps resist being moved along it, as
 * a solid does on a solid. Twice as many points on planes and boxes leave next to nothing of them; in 3D rows do not
 * catch (docs/theory/calibration.md). */
static double distance_along(const bl_scene *scene, int layers) {
    return scene->dimension == 2 && layers > 1 ? 0.5 * scene->spacing : scene->spacing;
}

/* Where and how finely; what to sample. */
typedef struct shape_set {
    const bl_shape *shapes;
    int count, layers, sheet_layers;
    uint64_t stream; /* of the random numbers */
} shape_set;

static bl_status sample_shapes(bl_context *ctx, const bl_scene *scene, shape_set set, bl_box fluid_bounds,
                               bl_point_list *list) {
    bl_status status = BL_OK;
    for (int shape = 0; shape < set.count && !status; shape++) {
        bl_sampling s = {.ctx = ctx,
                         .h = scene->spacing,
                         .along = distance_along(scene, set.layers),
                         .dimension = scene->dimension,
                         .layers = set.layers,
                         .sheet_layers = set.sheet_layers,
                         .seed = bl_rng_u64(scene->seed, set.stream, (uint64_t)shape),
                         .fluid_bounds = fluid_bounds,
                         .scene = scene};
        size_t begin = list->points.count;
        bl_solid *solid;
        status = bl_solid_create(ctx, &set.shapes[shape], scene->dimension, &solid);
        /* Nothing to be near to: shapes thin their own points, lattices of planes need no thinning; boxes do not. */
        bool alone = !status && begin == 0 && solid->kind != BL_SHAPE_BOX;
        if (!status) status = sample_shape(&s, solid, list);
        bl_solid_destroy(ctx, solid);
        if (!status && !alone) status = bl_point_list_thin(&s, list, begin, SHAPE_DISTANCE);
        for (size_t i = begin; i < list->points.count; i++) list->points.source[i] = shape;
    }
    return status;
}

static bl_status hand_over(bl_status status, bl_point_list *list, bl_points *out) {
    *out = (bl_points){0};
    if (status)
        bl_point_list_clear(list);
    else
        *out = list->points;
    return status;
}

int bl_boundary_layers(const bl_scene *scene, int boundary) {
    if (scene->boundaries[boundary].elastic.given) return FILLED_LAYERS;
    int given = scene->boundaries[boundary].layers;
    return given > 0 ? given : FILLED_LAYERS;
}

bl_status bl_sample_boundary(bl_context *ctx, const bl_scene *scene, int boundary, bl_box fluid_bounds,
                             bl_points *out) {
    const bl_boundary *b = &scene->boundaries[boundary];
    if (b->elastic.given) return bl_fill_elastic(ctx, scene, boundary, out);
    bl_point_list list = bl_point_list_make(ctx);
    shape_set set = {b->shapes, b->shape_count, bl_boundary_layers(scene, boundary), b->layers > 1 ? b->layers : 1,
                     (uint64_t)boundary};
    bl_status status = sample_shapes(ctx, scene, set, fluid_bounds, &list);
    if (!status) status = bl_drop_images(ctx, scene, distance_along(scene, set.layers), &list);
    if (!status && list.points.count == 0)
        status = bl_scene_fail(ctx, BL_ERR_DATA, b->pos, "boundary `%s` has no surface to put particles on", b->name);
    if (!status) status = log_spacing(ctx, b, &list.points, scene->spacing);
    return hand_over(status, &list, out);
}

bl_status bl_sample_surface(bl_context *ctx, const bl_scene *scene, const bl_shape *shapes, int count, uint64_t stream,
                            bl_points *out) {
    bl_point_list list = bl_point_list_make(ctx);
    bl_status status = sample_shapes(ctx, scene, (shape_set){shapes, count, 1, 1, stream}, bl_box_empty(), &list);
    return hand_over(status, &list, out);
}
