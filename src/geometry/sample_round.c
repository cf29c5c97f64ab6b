/* Spheres, cylinders, capsules and tori in rings.
 *
 * Liquid feels how evenly the points of a wall lie. Blue noise, and points that were moved below a curved surface, are
 * denser here and thinner there by a few per cent over some spacings, which holds a liquid like a rough wall: a plug in
 * a tube without drag and friction came to 0.6 of the speed that gravity gives it. On rings h apart, with points h
 * apart on each, there is no structure wider than h, and kernels do not see finer ones. Every layer has rings of its
 * own: they are even where the layer is, s->sink below the surface that the points are handed out on. */
#include "geometry/sample.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double SMALLEST = 0.25; /* in distances along the wall: a radius that has no room for a ring */
/* A ring on the surface over one in its layer: points that are nearer to each other than half a spacing count as one
 * (sample.c), so layers that are much wider are sampled otherwise. */
static const double NARROWEST = 0.55;

typedef struct body {
    const bl_sampling *s;
    const bl_frame *frame;
    bl_vec3d center, axis, u, v; /* in the leaf's frame */
    double scale;                /* from there to the world */
    double sink;                 /* towards the inside; negative: what is outside is solid */
    bl_point_list *list;
} body;

static int count_along(const body *b, double length) { return (int)fmax(1, rint(length / b->s->along)); }

/* A ring on the surface: its radius there and in the layer, its place along the axis, and the normal's parts across and
 * along it. Lengths of the world. Every other ring is turned by half a distance. */
static bl_status add_ring(const body *b, int row, double radius, double in_layer, double height, double across,
                          double along) {
    int count = in_layer < SMALLEST * b->s->along ? 1 : count_along(b, 2 * PI * in_layer);
    bl_status status = BL_OK;
    for (int k = 0; k < count && !status; k++) {
        double angle = 2 * PI * (k + 0.5 * (row % 2)) / count;
        bl_vec3d out = bl_v3d_mad(bl_v3d_scale(cos(angle), b->u), sin(angle), b->v);
        bl_vec3d x = bl_v3d_mad(bl_v3d_mad(b->center, radius / b->scale, out), height / b->scale, b->axis);
        bl_vec3d n = bl_v3d_mad(bl_v3d_scale(across, out), along, b->axis);
        bl_vec3d tip = bl_frame_to_world(b->frame, bl_v3d_add(x, n));
        x = bl_frame_to_world(b->frame, x);
        status = bl_point_list_add(b->list, x, bl_unit(bl_v3d_sub(tip, x)), 0, 0);
    }
    return status;
}

/* Rings on a part of a sphere around the height `middle`, from one angle to another, measured from the axis. */
static bl_status add_cap(const body *b, double radius, double middle, double from, double to) {
    double deep = radius - b->sink;
    if (deep < SMALLEST * b->s->along) return BL_OK;
    int rows = count_along(b, deep * (to - from));
    bl_status status = BL_OK;
    for (int k = 0; k < rows && !status; k++) {
        double angle = from + (to - from) * (k + 0.5) / rows, sine = sin(angle), cosine = cos(angle);
        status = add_ring(b, k, radius * sine, deep * sine, middle + radius * cosine, sine, cosine);
    }
    return status;
}

static bl_status add_tube(const body *b, double radius, double half) {
    if (radius - b->sink < SMALLEST * b->s->along) return BL_OK;
    int rows = count_along(b, 2 * half);
    bl_status status = BL_OK;
    for (int k = 0; k < rows && !status; k++)
        status = add_ring(b, k, radius, radius - b->sink, half * ((2 * k + 1.0) / rows - 1), 1, 0);
    return status;
}

/* One end of a cylinder; `side` is 1 or -1. */
static bl_status add_end(const body *b, double radius, double half, double side) {
    int rows = count_along(b, radius);
    bl_status status = BL_OK;
    for (int k = 0; k < rows && !status; k++) {
        double r = radius * (k + 0.5) / rows;
        status = add_ring(b, k, r, r, side * half, 0, side);
    }
    return status;
}

static bl_status add_torus(const body *b, double major, double minor) {
    double deep = minor - b->sink;
    if (deep < SMALLEST * b->s->along) return BL_OK;
    int rows = count_along(b, 2 * PI * deep);
    bl_status status = BL_OK;
    for (int k = 0; k < rows && !status; k++) {
        double angle = 2 * PI * k / rows, across = cos(angle), along = sin(angle);
        status = add_ring(b, k, major + minor * across, major + deep * across, minor * along, across, along);
    }
    return status;
}

/* The radius that bends most. */
static double smallest_radius(const bl_solid *solid) {
    double radius =
        solid->kind == BL_SHAPE_TORUS ? fmin(solid->radius2, solid->radius - solid->radius2) : solid->radius;
    return radius * solid->frame.stretch;
}

bool bl_has_rings(const bl_sampling *s, const bl_solid *solid, bool hollow) {
    bool round = solid->kind == BL_SHAPE_SPHERE || solid->kind == BL_SHAPE_CYLINDER ||
                 solid->kind == BL_SHAPE_CAPSULE || solid->kind == BL_SHAPE_TORUS;
    if (!round || !solid->frame.similar || s->dimension != 3 || s->sink <= 0) return false;
    /* the hole of a torus bends the other way */
    double radius = smallest_radius(solid);
    bool widens = hollow || solid->kind == BL_SHAPE_TORUS;
    return !widens || radius > NARROWEST * (radius + s->sink);
}

bl_status bl_sample_rings(const bl_sampling *s, const bl_solid *solid, bool hollow, bl_point_list *list) {
    bool long_one = solid->kind == BL_SHAPE_CYLINDER || solid->kind == BL_SHAPE_CAPSULE;
    body b = {.s = s, .frame = &solid->frame, .list = list, .scale = solid->frame.stretch};
    double half = 0, r = solid->radius * b.scale;
    b.sink = hollow ? -s->sink : s->sink;
    b.axis = bl_v3d_make(0, 0, 1);
    if (solid->kind == BL_SHAPE_TORUS) b.axis = bl_unit(solid->b);
    if (long_one) {
        bl_vec3d way = bl_v3d_sub(solid->b, solid->a);
        b.center = bl_v3d_scale(0.5, bl_v3d_add(solid->a, solid->b));
        b.axis = bl_unit(way);
        half = 0.5 * bl_v3d_norm(way) * b.scale;
    }
    bl_tangents(b.axis, &b.u, &b.v);
    bl_status status = BL_OK;
    switch (solid->kind) {
    case BL_SHAPE_SPHERE: return add_cap(&b, r, 0, 0, PI);
    case BL_SHAPE_TORUS: return add_torus(&b, r, solid->radius2 * b.scale);
    case BL_SHAPE_CAPSULE:
        status = add_cap(&b, r, half, 0, PI / 2);
        if (!status) status = add_cap(&b, r, -half, PI / 2, PI);
        return status ? status : add_tube(&b, r, half);
    default: /* a cylinder */
        status = add_tube(&b, r, half);
        if (!status) status = add_end(&b, r, half, 1);
        return status ? status : add_end(&b, r, half, -1);
    }
}
