/* Lattices on planes and boxes. */
#include "geometry/sample.h"

#include <math.h>

/* Edge length and middle of the square that stands for an endless plane. */
static double sheet_extent(const bl_sampling *s, const bl_solid *solid, bl_vec3d *middle) {
    *middle = solid->a;
    if (solid->radius > 0) return solid->radius;
    double size = 20 * s->h;
    if (!bl_box_is_empty(s->fluid_bounds)) {
        bl_vec3d edges = bl_v3d_sub(s->fluid_bounds.max, s->fluid_bounds.min);
        bl_vec3d center = bl_v3d_scale(0.5, bl_v3d_add(s->fluid_bounds.min, s->fluid_bounds.max));
        double height = bl_v3d_dot(bl_v3d_sub(center, solid->a), solid->b);
        *middle = bl_v3d_mad(center, -height, solid->b);
        size += 3 * fmax(edges.x, fmax(edges.y, edges.z));
    }
    bl_log(s->ctx, BL_LOG_DEBUG, "endless plane sampled as a square of %g m around (%g, %g, %g)", size, middle->x,
           middle->y, middle->z);
    return size;
}

/* How far something reaches in front of a plane and behind it. */
typedef struct reach {
    double front, behind;
} reach;

static void reach_to(reach *r, const bl_solid *plane, bl_vec3d x) {
    double height = bl_v3d_dot(bl_v3d_sub(x, plane->a), plane->b);
    r->front = fmax(r->front, height), r->behind = fmax(r->behind, -height);
}

/* Point k of a lattice of n points along each edge of a box, its corners included. */
static bl_vec3d lattice_point(const bl_box *b, int n, int k) {
    double x = (double)(k % n) / (n - 1), y = (double)(k / n % n) / (n - 1), z = (double)(k / (n * n)) / (n - 1);
    return bl_v3d_make(b->min.x + x * (b->max.x - b->min.x), b->min.y + y * (b->max.y - b->min.y),
                       b->min.z + z * (b->max.z - b->min.z));
}

/* The box around a drop on a slope reaches behind the slope where the drop does not: look at the volumes themselves. */
static bl_status volumes_reach(const bl_sampling *s, const bl_solid *plane, reach *r) {
    enum { PROBES = 33 };
    bl_status status = BL_OK;
    for (int f = 0; f < s->scene->fluid_count; f++) {
        for (int k = 0; k < s->scene->fluids[f].volume_count && !status; k++) {
            bl_solid *solid;
            status = bl_solid_create(s->ctx, &s->scene->fluids[f].volumes[k].shape, s->dimension, &solid);
            bl_box box = status ? bl_box_empty() : bl_solid_bounds(solid);
            const int count = PROBES * PROBES * (s->dimension == 3 ? PROBES : 1);
            for (int i = 0; i < count && !status; i++) {
                bl_vec3d x = lattice_point(&box, PROBES, i);
                if (s->dimension == 2) x.z = 0;
                if (bl_solid_inside(solid, x)) reach_to(r, plane, x);
            }
            bl_solid_destroy(s->ctx, solid);
        }
    }
    return status;
}

static bool comes_from_volumes_alone(const bl_scene *scene) {
    return scene && scene->fluid_count > 0 && scene->emitter_count == 0 && scene->rain_count == 0 &&
           scene->printer_count == 0;
}

/* On which sides of the plane the fluid lies: bit 0 in front (along the normal), bit 1 behind. What does not reach a
 * spacing beyond a plane that has liquid on its other side, as a ball that was put a little too low, is no liquid of
 * its own there. */
static bl_status fluid_sides(const bl_sampling *s, const bl_solid *solid, int *sides) {
    reach r = {0};
    bl_status status = BL_OK;
    *sides = 1;
    if (bl_box_is_empty(s->fluid_bounds)) return BL_OK;
    for (int corner = 0; corner < 8; corner++) reach_to(&r, solid, lattice_point(&s->fluid_bounds, 2, corner));
    if (fmin(r.front, r.behind) > s->h && comes_from_volumes_alone(s->scene)) {
        r = (reach){0};
        status = volumes_reach(s, solid, &r);
    }
    double least = fmax(r.front, r.behind) > s->h ? s->h : 0.25 * s->h;
    *sides = (r.front > least ? 1 : 0) | (r.behind > least ? 2 : 0);
    return status;
}

static bl_status add_sheet(const bl_sampling *s, bl_vec3d middle, bl_vec3d axis, double size, bl_vec3d normal,
                           bl_point_list *list) {
    bl_vec3d u, v;
    bl_tangents(axis, &u, &v);
    if (s->dimension == 2) u = bl_v3d_make(axis.y, -axis.x, 0);
    long n = (long)ceil(size / s->along - 1e-9), rows = s->dimension == 2 ? 1 : n;
    double volume = s->h * pow(s->along, s->dimension - 1);
    bl_status status = BL_OK;
    for (long j = 0; j < rows; j++)
        for (long i = 0; i < n && !status; i++) {
            double a = ((double)i - 0.5 * (double)(n - 1)) * s->along;
            double b = ((double)j - 0.5 * (double)(rows - 1)) * s->along;
            status = bl_point_list_add(list, bl_v3d_mad(bl_v3d_mad(middle, a, u), b, v), normal, volume, 0);
        }
    return status;
}

bl_status bl_sample_plane(const bl_sampling *given, const bl_solid *solid, bl_point_list *list) {
    bl_sampling sampling = *given;
    const bl_sampling *s = &sampling;
    int sides = 1;
    bl_status status = solid->kind == BL_SHAPE_PLANE ? fluid_sides(s, solid, &sides) : BL_OK;
    if (status) return status;
    if (sides == 3) sampling.layers = given->sheet_layers;
    bl_vec3d middle;
    double size = sheet_extent(s, solid, &middle), count = ceil(size / s->along);
    if (!(pow(count, s->dimension - 1) * s->layers <= BL_SAMPLES_MAX))
        return bl_scene_fail(s->ctx, BL_ERR_DATA, solid->pos,
                             "a plane of %g m needs too many particles at a spacing of %g m", size, s->h);
    double facing = sides == 2 ? -1 : 1, top = sides == 3 && s->layers > 1 ? 0.5 * s->layers * s->h : 0;
    size_t points = (size_t)pow(count, s->dimension - 1) * (size_t)s->layers;
    status = bl_point_list_reserve(list, list->points.count + points);
    for (int layer = 0; layer < s->layers && !status; layer++) {
        size_t begin = list->points.count;
        double depth = bl_layer_depth(s, layer), height = facing * (top - depth);
        /* With fluid on both sides the layers below the middle face down. */
        double up = sides == 3 && height < 0 ? -1 : facing;
        status = add_sheet(s, bl_v3d_mad(middle, height, solid->b), solid->b, size, bl_v3d_scale(up, solid->b), list);
        for (size_t i = begin; i < list->points.count; i++)
            list->points.depth[i] = top > 0 ? top - fabs(height) : depth;
    }
    return status;
}

typedef struct box_lattice {
    const bl_sampling *s;
    const bl_solid *solid;
    double half[3], step[3]; /* world lengths */
    long n[3];               /* cells along each axis */
    bl_vec3d axes[3];        /* unit, world */
} box_lattice;

/* Share of the surface (of the one in the middle, where a thin plate has no cells along an axis) that belongs to a
 * lattice point, and its normal: a quarter of a cell from each corner of a cell on a face that meets in the point. */
static bl_status add_box_point(const box_lattice *box, const long at[3], bl_point_list *list) {
    const bl_sampling *s = box->s;
    const int dimension = s->dimension == 2 ? 2 : 3;
    bl_vec3d x = box->solid->frame.origin, normal = bl_v3d_zero();
    double area = 0;
    for (int k = 0; k < dimension; k++) {
        x = bl_v3d_mad(x, (double)at[k] * box->step[k] - box->half[k], box->axes[k]);
        if (at[k] != 0 && at[k] != box->n[k]) continue;
        double share = 1;
        for (int j = 0; j < dimension; j++)
            if (j != k) share *= at[j] == 0 || at[j] == box->n[j] ? 0.5 * box->step[j] : box->step[j];
        area += share;
        normal = bl_v3d_mad(normal, at[k] == 0 ? -1 : 1, box->axes[k]);
    }
    return bl_point_list_add(list, x, bl_unit(normal), s->h * area, 0);
}

bl_status bl_sample_box(const bl_sampling *s, const bl_solid *solid, double inset, bl_point_list *list) {
    box_lattice box = {.s = s, .solid = solid};
    const double half[3] = {solid->a.x, solid->a.y, solid->a.z};
    const bl_vec3d *m = solid->frame.to_world;
    for (int k = 0; k < (s->dimension == 2 ? 2 : 3); k++) {
        box.axes[k] = bl_unit(k == 0   ? bl_v3d_make(m[0].x, m[1].x, m[2].x)
                              : k == 1 ? bl_v3d_make(m[0].y, m[1].y, m[2].y)
                                       : bl_v3d_make(m[0].z, m[1].z, m[2].z));
        box.half[k] = half[k] * solid->frame.stretch - inset;
        if (inset > 0 && box.half[k] < -1e-6 * s->h) return BL_OK;
        /* what is left of a thin plate is one layer in its middle: two would be too near to each other */
        bool thin = inset > 0 && box.half[k] < 0.45 * s->h;
        if (thin) box.half[k] = 0;
        box.n[k] = thin ? 0 : (long)fmax(rint(2 * box.half[k] / s->along), 1);
        box.step[k] = thin ? 0 : 2 * box.half[k] / (double)box.n[k];
    }

    bl_status status = BL_OK;
    size_t begin = list->points.count;
    long at[3];
    for (at[2] = 0; at[2] <= box.n[2]; at[2]++)
        for (at[1] = 0; at[1] <= box.n[1] && !status; at[1]++) {
            bool on_face = at[1] == 0 || at[1] == box.n[1] || (s->dimension == 3 && (at[2] == 0 || at[2] == box.n[2]));
            long skip = on_face || box.n[0] == 0 ? 1 : box.n[0];
            for (at[0] = 0; at[0] <= box.n[0] && !status; at[0] += skip) status = add_box_point(&box, at, list);
        }
    for (size_t i = begin; i < list->points.count; i++) list->points.depth[i] = inset;
    return status;
}
