#include "geometry/frame.h"

#include <math.h>

bl_vec3d bl_matrix_apply(const bl_vec3d rows[3], bl_vec3d x) {
    return bl_v3d_make(bl_v3d_dot(rows[0], x), bl_v3d_dot(rows[1], x), bl_v3d_dot(rows[2], x));
}

bl_vec3d bl_matrix_apply_transposed(const bl_vec3d rows[3], bl_vec3d x) {
    return bl_v3d_mad(bl_v3d_mad(bl_v3d_scale(x.x, rows[0]), x.y, rows[1]), x.z, rows[2]);
}

bl_vec3d bl_frame_to_world(const bl_frame *frame, bl_vec3d x) {
    return bl_v3d_add(bl_matrix_apply(frame->to_world, x), frame->origin);
}

bl_vec3d bl_frame_to_local(const bl_frame *frame, bl_vec3d x) {
    return bl_matrix_apply(frame->to_local, bl_v3d_sub(x, frame->origin));
}

bl_vec3d bl_unit(bl_vec3d a) {
    double length = bl_v3d_norm(a);
    return length > 0 ? bl_v3d_scale(1 / length, a) : a;
}

void bl_tangents(bl_vec3d n, bl_vec3d *u, bl_vec3d *v) {
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    /* The axis after the largest component is never parallel to n. */
    bl_vec3d axis = az >= ax && az >= ay ? bl_v3d_make(1, 0, 0)
                    : ax >= ay           ? bl_v3d_make(0, 1, 0)
                                         : bl_v3d_make(0, 0, 1);
    *u = bl_unit(bl_v3d_mad(axis, -bl_v3d_dot(axis, n), n));
    *v = bl_v3d_cross(n, *u);
}

void bl_rotation(bl_vec3d rotate, bl_vec3d rows[3]) {
    double angle = bl_v3d_norm(rotate), c = cos(angle), s = sin(angle);
    bl_vec3d k = bl_unit(rotate);
    rows[0] = bl_v3d_make(c + k.x * k.x * (1 - c), k.x * k.y * (1 - c) - k.z * s, k.x * k.z * (1 - c) + k.y * s);
    rows[1] = bl_v3d_make(k.y * k.x * (1 - c) + k.z * s, c + k.y * k.y * (1 - c), k.y * k.z * (1 - c) - k.x * s);
    rows[2] = bl_v3d_make(k.z * k.x * (1 - c) - k.y * s, k.z * k.y * (1 - c) + k.x * s, c + k.z * k.z * (1 - c));
}

/* c = a b, all as rows. */
static void multiply(const bl_vec3d a[3], const bl_vec3d b[3], bl_vec3d c[3]) {
    for (int i = 0; i < 3; i++) c[i] = bl_matrix_apply_transposed(b, a[i]);
}

bl_frame bl_frame_identity(void) {
    bl_frame f = {.stretch = 1, .similar = true};
    f.to_world[0] = f.to_local[0] = bl_v3d_make(1, 0, 0);
    f.to_world[1] = f.to_local[1] = bl_v3d_make(0, 1, 0);
    f.to_world[2] = f.to_local[2] = bl_v3d_make(0, 0, 1);
    return f;
}

bl_frame bl_frame_place(const bl_frame *parent, bl_vec3d scale, bl_vec3d rotate, bl_vec3d translate) {
    bl_vec3d r[3], place[3], back[3];
    bl_rotation(rotate, r);
    for (int i = 0; i < 3; i++) place[i] = bl_v3d_make(r[i].x * scale.x, r[i].y * scale.y, r[i].z * scale.z);
    back[0] = bl_v3d_scale(1 / scale.x, bl_v3d_make(r[0].x, r[1].x, r[2].x));
    back[1] = bl_v3d_scale(1 / scale.y, bl_v3d_make(r[0].y, r[1].y, r[2].y));
    back[2] = bl_v3d_scale(1 / scale.z, bl_v3d_make(r[0].z, r[1].z, r[2].z));

    bl_frame f;
    multiply(parent->to_world, place, f.to_world);
    multiply(back, parent->to_local, f.to_local);
    f.origin = bl_frame_to_world(parent, translate);
    double least = fmin(fabs(scale.x), fmin(fabs(scale.y), fabs(scale.z)));
    double most = fmax(fabs(scale.x), fmax(fabs(scale.y), fabs(scale.z)));
    f.stretch = parent->stretch * least;
    f.similar = parent->similar && most - least <= 1e-12 * most;
    return f;
}
