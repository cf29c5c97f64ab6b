#include "geometry/solid.h"
#include "geometry/points.h"
#include "geometry/primitives.h"
#include "geometry/solid_index.h"

#include <math.h>

/* --- making ------------------------------------------------------------------------------------------------------ */

static bl_vec3d times(bl_vec3d a, bl_vec3d b) { return bl_v3d_make(a.x * b.x, a.y * b.y, a.z * b.z); }

static bl_vec3d absolute(bl_vec3d a) { return bl_v3d_make(fabs(a.x), fabs(a.y), fabs(a.z)); }

static bool is_even(bl_vec3d a) { return fabs(a.x) == fabs(a.y) && fabs(a.x) == fabs(a.z); }

/* Drop what has no meaning in two dimensions: every z, rotations out of the plane. */
static bl_shape flatten(const bl_shape *shape, int dimension) {
    bl_shape s = *shape;
    if (dimension == 3) return s;
    s.rotate.x = s.rotate.y = s.translate.z = 0;
    s.scale.z = fabs(s.scale.x) == fabs(s.scale.y) ? s.scale.x : 1;
    s.a.z = s.b.z = 0;
    if (s.kind == BL_SHAPE_TORUS) s.b = bl_v3d_make(0, 0, 1);
    if (s.kind == BL_SHAPE_CYLINDER && bl_v3d_norm2(bl_v3d_sub(s.a, s.b)) == 0) s.kind = BL_SHAPE_SPHERE;
    /* A third radius that is not the smallest keeps the nearest point in the plane. */
    if (s.kind == BL_SHAPE_ELLIPSOID) s.b.z = fmax(s.b.x, s.b.y);
    return s;
}

static bl_status check_shape(bl_context *ctx, const bl_shape *s) {
    double scale = s->scale.x * s->scale.y * s->scale.z;
    if (scale == 0 || !isfinite(scale))
        return bl_scene_fail(ctx, BL_ERR_DATA, s->pos,
                             "a scale of %g %g %g leaves nothing of the shape; expected numbers "
                             "other than 0",
                             s->scale.x, s->scale.y, s->scale.z);
    bool has_direction = s->kind == BL_SHAPE_PLANE || s->kind == BL_SHAPE_HALF_SPACE || s->kind == BL_SHAPE_TORUS;
    if (has_direction && !(bl_v3d_norm(s->b) > 0))
        return bl_scene_fail(ctx, BL_ERR_DATA, s->pos, "the %s is zero; expected a direction",
                             s->kind == BL_SHAPE_TORUS ? "axis" : "normal");
    if (s->kind == BL_SHAPE_CYLINDER && !(bl_v3d_norm(bl_v3d_sub(s->a, s->b)) > 0))
        return bl_scene_fail(ctx, BL_ERR_DATA, s->pos, "`from` and `to` of the cylinder are the same point");
    return BL_OK;
}

static bl_status load_mesh(bl_context *ctx, const bl_shape *shape, const bl_frame *frame, bl_solid *solid) {
    bl_status status = bl_mesh_read(ctx, shape->file, &solid->mesh);
    if (status) return status;
    bl_mesh_transform(solid->mesh, frame);
    solid->frame = bl_frame_identity();
    return bl_bvh_create(ctx, solid->mesh, &solid->bvh);
}

/* A leaf keeps its own scale out of its frame where its parameters can carry it, so that its distance stays exact. */
static bl_status make_leaf(bl_context *ctx, const bl_shape *shape, const bl_frame *parent, bl_solid *out) {
    bl_shape s = *shape;
    bl_vec3d one = bl_v3d_make(1, 1, 1);
    bool in_plane = out->dimension == 2;
    if (s.kind == BL_SHAPE_SPHERE && !is_even(s.scale)) {
        s.kind = BL_SHAPE_ELLIPSOID;
        s.b = bl_v3d_make(s.radius, s.radius, s.radius);
    }
    out->kind = s.kind;
    out->radius = s.radius;
    out->radius2 = s.radius2;
    out->frame = bl_frame_place(parent, s.scale, s.rotate, s.translate);
    bl_frame even = bl_frame_place(parent, one, s.rotate, s.translate);
    switch (s.kind) {
    case BL_SHAPE_BOX:
        out->frame = even;
        out->frame.origin = bl_frame_to_world(&even, times(s.scale, bl_v3d_scale(0.5, bl_v3d_add(s.a, s.b))));
        out->a = absolute(times(s.scale, bl_v3d_scale(0.5, bl_v3d_sub(s.b, s.a))));
        if (in_plane) out->a.z = INFINITY;
        break;
    case BL_SHAPE_ELLIPSOID:
        out->frame = even;
        out->frame.origin = bl_frame_to_world(&even, times(s.scale, s.a));
        out->a = absolute(times(s.scale, s.b));
        if (in_plane) out->a.z = fmax(out->a.x, out->a.y);
        break;
    case BL_SHAPE_SPHERE: out->frame.origin = bl_frame_to_world(&out->frame, s.a); break;
    case BL_SHAPE_TORUS:
        out->frame.origin = bl_frame_to_world(&out->frame, s.a);
        out->b = bl_unit(s.b);
        break;
    case BL_SHAPE_PLANE:
    case BL_SHAPE_HALF_SPACE:
        out->a = bl_frame_to_world(&out->frame, s.a);
        out->b = bl_unit(bl_matrix_apply_transposed(out->frame.to_local, bl_unit(s.b)));
        out->radius = s.radius * out->frame.stretch;
        out->frame = bl_frame_identity();
        break;
    case BL_SHAPE_MESH: {
        bl_frame frame = out->frame;
        return load_mesh(ctx, &s, &frame, out);
    }
    default: out->a = s.a, out->b = s.b; break;
    }
    return BL_OK;
}

static bl_status make_solid(bl_context *ctx, const bl_shape *given, int dimension, const bl_frame *parent,
                            bl_solid *out) {
    bl_shape shape = flatten(given, dimension);
    *out = (bl_solid){.kind = shape.kind, .pos = shape.pos, .dimension = dimension};
    bl_status status = check_shape(ctx, &shape);
    if (status) return status;
    if (shape.kind < BL_SHAPE_UNION) return make_leaf(ctx, &shape, parent, out);
    if (shape.child_count < 1)
        return bl_scene_fail(ctx, BL_ERR_DATA, shape.pos, "no shapes to combine; expected one or more");
    out->frame = bl_frame_place(parent, shape.scale, shape.rotate, shape.translate);
    out->children = bl_alloc(ctx, (size_t)shape.child_count, sizeof *out->children);
    if (!out->children) return BL_ERR_MEMORY;
    out->child_count = shape.child_count;
    for (int i = 0; i < shape.child_count && !status; i++)
        status = make_solid(ctx, &shape.children[i], dimension, &out->frame, &out->children[i]);
    int kept = shape.kind == BL_SHAPE_DIFFERENCE; /* the first part, from which the others are taken away */
    if (!status && shape.kind != BL_SHAPE_INTERSECTION)
        status = bl_solid_index_create(ctx, out->children + kept, out->child_count - kept, &out->index);
    return status;
}

static void clear_solid(bl_context *ctx, bl_solid *solid) {
    for (int i = 0; i < solid->child_count; i++) clear_solid(ctx, &solid->children[i]);
    bl_solid_index_destroy(ctx, solid->index);
    bl_release(ctx, solid->children);
    bl_bvh_destroy(solid->bvh);
    bl_mesh_destroy(solid->mesh);
}

bl_status bl_solid_create(bl_context *ctx, const bl_shape *shape, int dimension, bl_solid **out) {
    *out = NULL;
    bl_solid *solid = bl_alloc(ctx, 1, sizeof *solid);
    if (!solid) return BL_ERR_MEMORY;
    bl_frame world = bl_frame_identity();
    bl_status status = make_solid(ctx, shape, dimension, &world, solid);
    if (status)
        bl_solid_destroy(ctx, solid);
    else
        *out = solid;
    return status;
}

void bl_solid_destroy(bl_context *ctx, bl_solid *solid) {
    if (!solid) return;
    clear_solid(ctx, solid);
    bl_release(ctx, solid);
}

/* --- asking ------------------------------------------------------------------------------------------------------ */

bool bl_solid_is_sheet(const bl_solid *solid) {
    return solid->kind == BL_SHAPE_PLANE || (solid->kind == BL_SHAPE_MESH && !solid->mesh->watertight);
}

static bool mesh_holds(const bl_solid *solid, bl_vec3d x) {
    return solid->mesh->watertight ? bl_bvh_crossings(solid->bvh, x) > 0 : bl_bvh_winding(solid->bvh, x) > 0.5;
}

static double mesh_distance(const bl_solid *solid, bl_vec3d x) {
    double d = bl_bvh_closest(solid->bvh, x, INFINITY).distance;
    return mesh_holds(solid, x) ? -d : d;
}

/* In the leaf's own frame. */
static double local_distance(const bl_solid *solid, bl_vec3d x) {
    switch (solid->kind) {
    case BL_SHAPE_BOX: return bl_box_distance(x, solid->a);
    case BL_SHAPE_SPHERE: return bl_v3d_norm(x) - solid->radius;
    case BL_SHAPE_ELLIPSOID: return bl_ellipsoid_distance(x, solid->a);
    case BL_SHAPE_CYLINDER: return bl_cylinder_distance(x, solid->a, solid->b, solid->radius);
    case BL_SHAPE_CAPSULE: return bl_capsule_distance(x, solid->a, solid->b, solid->radius);
    default: return bl_torus_distance(x, solid->b, solid->radius, solid->radius2);
    }
}

double bl_solid_distance(const bl_solid *solid, bl_vec3d x) {
    if (solid->dimension == 2) x.z = 0;
    double d;
    switch (solid->kind) {
    case BL_SHAPE_PLANE: return bl_sheet_distance(bl_v3d_sub(x, solid->a), solid->b, solid->radius);
    case BL_SHAPE_HALF_SPACE: return bl_v3d_dot(bl_v3d_sub(x, solid->a), solid->b);
    case BL_SHAPE_MESH: return mesh_distance(solid, x);
    case BL_SHAPE_UNION:
        if (solid->index) return bl_solid_index_distance(solid->index, x, INFINITY);
        d = INFINITY;
        for (int i = 0; i < solid->child_count; i++) d = fmin(d, bl_solid_distance(&solid->children[i], x));
        return d;
    case BL_SHAPE_INTERSECTION:
        d = -HUGE_VAL;
        for (int i = 0; i < solid->child_count; i++) d = fmax(d, bl_solid_distance(&solid->children[i], x));
        return d;
    case BL_SHAPE_DIFFERENCE:
        d = bl_solid_distance(&solid->children[0], x);
        if (solid->index) return -bl_solid_index_distance(solid->index, x, -d);
        for (int i = 1; i < solid->child_count; i++) d = fmax(d, -bl_solid_distance(&solid->children[i], x));
        return d;
    default: return solid->frame.stretch * local_distance(solid, bl_frame_to_local(&solid->frame, x));
    }
}

bool bl_solid_inside(const bl_solid *solid, bl_vec3d x) {
    if (solid->dimension == 2) x.z = 0;
    switch (solid->kind) {
    case BL_SHAPE_PLANE: return false;
    case BL_SHAPE_MESH: return mesh_holds(solid, x);
    case BL_SHAPE_UNION:
        if (solid->index) return bl_solid_index_holds(solid->index, x);
        for (int i = 0; i < solid->child_count; i++)
            if (bl_solid_inside(&solid->children[i], x)) return true;
        return false;
    case BL_SHAPE_INTERSECTION:
        for (int i = 0; i < solid->child_count; i++)
            if (!bl_solid_inside(&solid->children[i], x)) return false;
        return true;
    case BL_SHAPE_DIFFERENCE:
        if (!bl_solid_inside(&solid->children[0], x)) return false;
        if (solid->index) return !bl_solid_index_holds(solid->index, x);
        for (int i = 1; i < solid->child_count; i++)
            if (bl_solid_inside(&solid->children[i], x)) return false;
        return true;
    default: return bl_solid_distance(solid, x) < 0;
    }
}

bl_vec3d bl_solid_normal(const bl_solid *solid, bl_vec3d x, double step) {
    bl_vec3d dx = bl_v3d_make(step, 0, 0), dy = bl_v3d_make(0, step, 0), dz = bl_v3d_make(0, 0, step);
    bl_vec3d g = bl_v3d_zero();
    g.x = bl_solid_distance(solid, bl_v3d_add(x, dx)) - bl_solid_distance(solid, bl_v3d_sub(x, dx));
    g.y = bl_solid_distance(solid, bl_v3d_add(x, dy)) - bl_solid_distance(solid, bl_v3d_sub(x, dy));
    if (solid->dimension == 3)
        g.z = bl_solid_distance(solid, bl_v3d_add(x, dz)) - bl_solid_distance(solid, bl_v3d_sub(x, dz));
    return bl_unit(g);
}

/* --- bounds ------------------------------------------------------------------------------------------------------ */

static bl_box everything(void) {
    const double inf = INFINITY;
    return (bl_box){{-inf, -inf, -inf}, {inf, inf, inf}};
}

/* Half-spaces and planes are bounded across an axis only when they stand square to it. */
static bl_box half_space_bounds(const bl_solid *s) {
    bl_box box = everything();
    double *min[3] = {&box.min.x, &box.min.y, &box.min.z}, *max[3] = {&box.max.x, &box.max.y, &box.max.z};
    const double n[3] = {s->b.x, s->b.y, s->b.z}, p[3] = {s->a.x, s->a.y, s->a.z};
    for (int k = 0; k < 3; k++) {
        if (fabs(n[k]) < 1) continue;
        if (n[k] > 0 || s->kind == BL_SHAPE_PLANE) *max[k] = p[k];
        if (n[k] < 0 || s->kind == BL_SHAPE_PLANE) *min[k] = p[k];
    }
    return box;
}

static bl_box sheet_bounds(const bl_solid *s) {
    bl_vec3d u, v;
    bl_tangents(s->b, &u, &v);
    bl_box box = bl_box_empty();
    for (int corner = 0; corner < 4; corner++) {
        double i = corner & 1 ? 0.5 : -0.5, j = corner & 2 ? 0.5 : -0.5;
        box = bl_box_add(box, bl_v3d_mad(bl_v3d_mad(s->a, i * s->radius, u), j * s->radius, v));
    }
    return box;
}

/* Box of the leaf in its own frame, not always the smallest one. */
static bl_box local_bounds(const bl_solid *s) {
    bl_vec3d r = bl_v3d_make(s->radius, s->radius, s->radius);
    bl_box box;
    switch (s->kind) {
    case BL_SHAPE_BOX:
    case BL_SHAPE_ELLIPSOID: r = s->a; break;
    case BL_SHAPE_CYLINDER:
    case BL_SHAPE_CAPSULE:
        box = bl_box_add(bl_box_add(bl_box_empty(), s->a), s->b);
        if (s->kind == BL_SHAPE_CYLINDER) { /* a disc reaches sqrt(1 - u_k^2) of its radius along axis k */
            bl_vec3d u = bl_unit(bl_v3d_sub(s->b, s->a));
            r = bl_v3d_scale(s->radius, bl_v3d_make(sqrt(fmax(1 - u.x * u.x, 0)), sqrt(fmax(1 - u.y * u.y, 0)),
                                                    sqrt(fmax(1 - u.z * u.z, 0))));
        }
        return (bl_box){bl_v3d_sub(box.min, r), bl_v3d_add(box.max, r)};
    case BL_SHAPE_TORUS: {
        bl_vec3d u = s->b;
        r = bl_v3d_make(s->radius * sqrt(fmax(1 - u.x * u.x, 0)) + s->radius2,
                        s->radius * sqrt(fmax(1 - u.y * u.y, 0)) + s->radius2,
                        s->radius * sqrt(fmax(1 - u.z * u.z, 0)) + s->radius2);
        break;
    }
    default: break;
    }
    return (bl_box){bl_v3d_scale(-1, r), r};
}

static bl_box leaf_bounds(const bl_solid *s) {
    if (s->kind == BL_SHAPE_PLANE && s->radius > 0) return sheet_bounds(s);
    if (s->kind == BL_SHAPE_PLANE || s->kind == BL_SHAPE_HALF_SPACE) return half_space_bounds(s);
    if (s->kind == BL_SHAPE_MESH) return bl_box_of(s->mesh->x, s->mesh->vertex_count);
    bl_box local = local_bounds(s), box = bl_box_empty();
    if (s->dimension == 2) local.min.z = local.max.z = 0;
    if (s->kind == BL_SHAPE_SPHERE && s->frame.similar) {
        double r = s->radius * s->frame.stretch;
        bl_vec3d reach = bl_v3d_make(r, r, r);
        return (bl_box){bl_v3d_sub(s->frame.origin, reach), bl_v3d_add(s->frame.origin, reach)};
    }
    for (int corner = 0; corner < 8; corner++) {
        bl_vec3d x = bl_v3d_make(corner & 1 ? local.max.x : local.min.x, corner & 2 ? local.max.y : local.min.y,
                                 corner & 4 ? local.max.z : local.min.z);
        box = bl_box_add(box, bl_frame_to_world(&s->frame, x));
    }
    return box;
}

static bl_box unite(bl_box a, bl_box b) { return bl_box_add(bl_box_add(a, b.min), b.max); }

static bl_box intersect(bl_box a, bl_box b) {
    return (bl_box){{fmax(a.min.x, b.min.x), fmax(a.min.y, b.min.y), fmax(a.min.z, b.min.z)},
                    {fmin(a.max.x, b.max.x), fmin(a.max.y, b.max.y), fmin(a.max.z, b.max.z)}};
}

bl_box bl_solid_bounds(const bl_solid *solid) {
    if (solid->kind < BL_SHAPE_UNION) {
        bl_box box = leaf_bounds(solid);
        if (solid->dimension == 2) box.min.z = box.max.z = 0;
        return box;
    }
    bl_box box = bl_solid_bounds(&solid->children[0]);
    if (solid->kind == BL_SHAPE_DIFFERENCE) return box;
    for (int i = 1; i < solid->child_count; i++) {
        bl_box other = bl_solid_bounds(&solid->children[i]);
        box = solid->kind == BL_SHAPE_UNION ? unite(box, other) : intersect(box, other);
    }
    return box;
}
