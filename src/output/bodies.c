#include "output/bodies.h"

#include <string.h>

/* `body` as in the frames of boundaries: the number of the boundary in the scene, from 0. */
const char bl_bodies_header[] = "step,time,body,x,y,z,vx,vy,vz,qw,qx,qy,qz,wx,wy,wz,fx,fy,fz,tx,ty,tz\n";

void bl_bodies_row(const bl_rigid *rigid, int body, uint64_t step, double time, double row[BL_BODIES_WIDTH]) {
    const bl_rigid_state *s = bl_rigid_state_at(rigid, body);
    bl_vec3d x = bl_v3d_add(s->pose.pivot, s->pose.shift);
    const double values[BL_BODIES_WIDTH] = {(double)step, time,        bl_rigid_boundary(rigid, body),
                                            x.x,          x.y,         x.z,
                                            s->v.x,       s->v.y,      s->v.z,
                                            s->pose.w,    s->pose.x,   s->pose.y,
                                            s->pose.z,    s->w.x,      s->w.y,
                                            s->w.z,       s->force.x,  s->force.y,
                                            s->force.z,   s->torque.x, s->torque.y,
                                            s->torque.z};
    memcpy(row, values, sizeof values);
}
