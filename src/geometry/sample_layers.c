/* Layers of a wall below its surface. */
#include "base/parallel.h"
#include "base/rng.h"
#include "geometry/sample.h"

static const double LAYER_DISTANCE = 0.7; /* in spacings: nearer points of the layers of a curved wall are one */
static const double GAP_DISTANCE = 0.6;   /* and where they part */
/* In spacings: how much of a solid has to lie below a layer, so that it is not near another surface of it. A solid
 * without room for the first one has a layer on its surface. */
static const double BELOW_LAYER = 0.49;
enum { LAYER_STREAM = 0x1a7e }; /* of random numbers */

bl_status bl_point_list_thin(const bl_sampling *s, bl_point_list *list, size_t begin, double distance) {
    size_t count = list->points.count;
    bool *keep = bl_alloc(s->ctx, count - begin, sizeof *keep);
    if (!keep) return BL_ERR_MEMORY;
    bl_status status = bl_points_thin(s->ctx, list->points.x, count, begin, distance * s->along, NULL, keep);
    if (!status) bl_point_list_filter(list, begin, keep);
    bl_release(s->ctx, keep);
    return status;
}

/* Points so far below the surface. */
typedef struct layer_job {
    const bl_solid *solid;
    const bl_points *points; /* at their `depth` now */
    size_t begin;
    double depth;
    bool *inside; /* of the solid, there; inside[0] belongs to point `begin` */
} layer_job;

static bl_vec3d place_in_layer(const layer_job *job, size_t i) {
    const bl_points *p = job->points;
    return bl_v3d_mad(p->x[i], p->depth[i] - job->depth, p->normal[i]);
}

static void test_layer(void *user, size_t begin, size_t end) {
    layer_job *job = user;
    for (size_t k = begin; k < end; k++)
        job->inside[k] = bl_solid_inside(job->solid, place_in_layer(job, job->begin + k));
}

/* Whether the points of a solid are lattices on flat faces. Then its layers continue that of a liquid, which fills an
 * edge of theirs by itself, and points on arcs would press on it. */
static bool is_of_boxes(const bl_solid *solid) {
    if (solid->child_count == 0) return solid->kind == BL_SHAPE_BOX || solid->kind == BL_SHAPE_HALF_SPACE;
    for (int k = 0; k < solid->child_count; k++)
        if (!is_of_boxes(&solid->children[k])) return false;
    return true;
}

/* Close the gaps that points [begin, end) leave at a depth, as far as the solid goes on below them. */
static bl_status close_gaps(const bl_sampling *s, const bl_solid *solid, double depth, size_t begin, size_t end,
                            bl_point_list *list) {
    if (is_of_boxes(solid)) return BL_OK;
    size_t first = list->points.count;
    bl_status status = bl_add_gap_places(s, begin, end, depth, list);
    size_t count = list->points.count - first;
    if (status || count == 0) return status;
    if (!bl_solid_is_sheet(solid)) {
        double below = depth + BELOW_LAYER * s->h;
        layer_job job = {solid, &list->points, first, below, bl_alloc(s->ctx, count, sizeof(bool))};
        if (!job.inside) return BL_ERR_MEMORY;
        bl_parallel_for(s->ctx, count, BL_CHUNK, test_layer, &job);
        bl_point_list_filter(list, first, job.inside);
        bl_release(s->ctx, job.inside);
    }
    return bl_point_list_thin(s, list, first, GAP_DISTANCE);
}

/* Move the points from `begin` on, which lie on the surface, down to the first layer. They stay where the solid is too
 * thin to have a layer there. */
static bl_status sink_first_layer(const bl_sampling *s, const bl_solid *solid, size_t begin, bl_point_list *list) {
    bl_points *p = &list->points;
    double depth = bl_layer_depth(s, 0);
    bool sheet = bl_solid_is_sheet(solid);
    if (depth == 0) return BL_OK;
    layer_job job = {solid, p, begin, depth + BELOW_LAYER * s->h, bl_alloc(s->ctx, p->count - begin, sizeof(bool))};
    if (!job.inside) return BL_ERR_MEMORY;
    if (!sheet) bl_parallel_for(s->ctx, p->count - begin, BL_CHUNK, test_layer, &job);
    for (size_t i = begin; i < p->count; i++) {
        if (!sheet && !job.inside[i - begin]) continue;
        p->x[i] = bl_v3d_mad(p->x[i], -depth, p->normal[i]);
        p->depth[i] = depth;
    }
    bl_release(s->ctx, job.inside);
    bl_status status = bl_point_list_thin(s, list, begin, LAYER_DISTANCE);
    if (!status) status = close_gaps(s, solid, depth, begin, p->count, list);
    return status ? status : bl_estimate_volumes(s, list, begin, 0);
}

/* Places `depth` below points [begin, end) of `above`, as far as the solid goes on below them. */
static bl_status push_down(const bl_sampling *s, const bl_solid *solid, const bl_points *above, size_t begin,
                           size_t end, double depth, bl_point_list *list) {
    bool sheet = bl_solid_is_sheet(solid);
    layer_job job = {solid, above, begin, depth + BELOW_LAYER * s->h, bl_alloc(s->ctx, end - begin, sizeof(bool))};
    if (!job.inside) return BL_ERR_MEMORY;
    if (!sheet) bl_parallel_for(s->ctx, end - begin, BL_CHUNK, test_layer, &job);
    job.depth = depth;
    bl_status status = bl_point_list_reserve(list, list->points.count + end - begin);
    for (size_t i = begin; i < end && !status; i++) {
        if (!(sheet ? above->depth[i] > 0 : job.inside[i - begin])) continue;
        status = bl_point_list_add(list, place_in_layer(&job, i), above->normal[i], 0, 0);
        if (!status) list->points.depth[list->points.count - 1] = depth;
    }
    bl_release(s->ctx, job.inside);
    return status;
}

/* Of a solid, below points of its surface that know nothing of those of other layers: holes of the layers do not lie
 * above each other. Of a sheet and of lattices, below the points of the first layer. */
static bl_status add_points_of_layer(const bl_sampling *s, const bl_solid *solid, int layer, size_t begin, size_t end,
                                     bl_point_list *list) {
    double depth = bl_layer_depth(s, layer);
    if (bl_solid_is_sheet(solid) || is_of_boxes(solid))
        return push_down(s, solid, &list->points, begin, end, depth, list);
    bl_sampling other = *s;
    other.seed = bl_rng_u64(s->seed, LAYER_STREAM, (uint64_t)layer);
    other.sink = depth;
    bl_point_list surface = bl_point_list_make(s->ctx);
    bl_status status = bl_sample_skin(&other, solid, &surface);
    if (!status) status = push_down(s, solid, &surface.points, 0, surface.points.count, depth, list);
    bl_point_list_clear(&surface);
    return status;
}

/* Layers below the first, against the normals. A layer of a closed solid ends where it would come out of it. */
static bl_status add_inner_layers(const bl_sampling *s, const bl_solid *solid, size_t begin, bl_point_list *list) {
    size_t end = list->points.count;
    bl_status status = BL_OK;
    for (int layer = 1; layer < s->layers && !status; layer++) {
        size_t first = list->points.count;
        status = add_points_of_layer(s, solid, layer, begin, end, list);
        if (!status) status = bl_point_list_thin(s, list, first, LAYER_DISTANCE);
        if (!status) status = close_gaps(s, solid, bl_layer_depth(s, layer), begin, end, list);
        if (!status) status = bl_estimate_volumes(s, list, first, 0);
    }
    return status;
}

bl_status bl_sink_layers(const bl_sampling *s, const bl_solid *solid, size_t begin, bl_point_list *list) {
    bl_sampling below = *s;
    below.along = s->h;
    bl_status status = sink_first_layer(s, solid, begin, list);
    return status ? status : add_inner_layers(&below, solid, begin, list);
}
