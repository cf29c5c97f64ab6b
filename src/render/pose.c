#include "render/pose.h"

#include "geometry/points.h"
#include "schemes/elastic/matrix.h"

/* Of a rotation, by its largest component. */
static void set_quaternion(const bl_mat3 *r, bl_pose *pose) {
    const double(*m)[3] = r->m;
    const double square[4] = {1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
                              1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
    const double products[4][4] = {{square[0], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
                                   {m[2][1] - m[1][2], square[1], m[0][1] + m[1][0], m[0][2] + m[2][0]},
                                   {m[0][2] - m[2][0], m[0][1] + m[1][0], square[2], m[1][2] + m[2][1]},
                                   {m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], square[3]}};
    int best = 0;
    for (int k = 1; k < 4; k++)
        if (square[k] > square[best]) best = k;
    double scale = 0.5 / sqrt(square[best]);
    pose->w = scale * products[best][0];
    pose->x = scale * products[best][1];
    pose->y = scale * products[best][2];
    pose->z = scale * products[best][3];
}

/* Points in the order of their ids, at rest and in the frame. */
static void fit(const bl_points *rest, const bl_array *now, int dimension, bl_pose *pose) {
    bl_vec3d from = bl_v3d_zero(), to = bl_v3d_zero();
    for (size_t i = 0; i < rest->count; i++) {
        from = bl_v3d_mad(from, 1 / (double)rest->count, rest->x[i]);
        to = bl_v3d_mad(to, 1 / (double)rest->count, bl_array_vec3(now, i));
    }
    bl_mat3 sum = bl_mat3_zero();
    for (size_t i = 0; i < rest->count; i++)
        bl_mat3_add_outer(&sum, 1, bl_v3d_sub(bl_array_vec3(now, i), to), bl_v3d_sub(rest->x[i], from));
    if (dimension == 2) sum.m[2][2] = bl_mat3_trace(&sum); /* a plane turns in its plane */
    bl_mat3 rotation = bl_mat3_rotation(&sum);
    *pose = (bl_pose){.pivot = from, .shift = bl_v3d_sub(to, from)};
    set_quaternion(&rotation, pose);
}

bl_status bl_subject_pose(const bl_subject *s, int set, bl_pose *pose) {
    const int body = s->sets->items[set].index;
    const bl_boundary *boundary = &s->scene->boundaries[body];
    const bl_frame *frame = &s->frames[set];
    if (!boundary->rigid.given) {
        *pose = bl_body_pose(boundary, s->time);
        return BL_OK;
    }
    *pose = (bl_pose){.w = 1};
    if (frame->count == 0) return BL_OK; /* boundaries were not written */
    bl_points rest;
    bl_status status = bl_sample_boundary(s->ctx, s->scene, body, bl_box_empty(), &rest);
    if (status) return status;
    if (rest.count == frame->count) fit(&rest, &frame->points, s->scene->dimension, pose);
    bl_points_clear(s->ctx, &rest);
    return BL_OK;
}
