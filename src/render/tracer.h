/* Nearest hits of rays with spheres and triangles: by Embree where it was found, else by a bounding-volume tree of our
 * own. Both give the same hits up to rounding. After commit a tracer is constant and may be asked from any thread. */
#ifndef BL_RENDER_TRACER_H
#define BL_RENDER_TRACER_H

#include "base/context.h"
#include "base/vec3.h"

typedef struct bl_ray {
    bl_vec3d origin, dir; /* dir of unit length */
    double min, max;      /* allowed distance */
    double time;          /* 0 to 1: while the shutter is open, for meshes that move */
} bl_ray;

typedef struct bl_hit {
    double t;
    bl_vec3d normal;  /* geometric, unit, on the outer side (counter-clockwise triangles, out of spheres) */
    double u, v;      /* barycentric weights of vertices 1 and 2 */
    uint32_t object;  /* as numbered by the add calls */
    uint32_t element; /* triangle or sphere of the object */
} bl_hit;

typedef struct bl_sphere {
    float x, y, z, radius;
} bl_sphere;

typedef struct bl_tracer bl_tracer;
typedef enum bl_tracer_kind { BL_TRACER_BEST, BL_TRACER_BUILTIN } bl_tracer_kind;
bl_status bl_tracer_create(bl_context *ctx, bl_tracer_kind kind, bl_tracer **out);
void bl_tracer_destroy(bl_tracer *tracer); /* NULL is allowed */

/* Arrays are copied. *object receives the number of the new object, counted from 0. The vertices go from `x` at time 0
 * to `x_end` at time 1; NULL: they stay. */
bl_status bl_tracer_add_mesh(bl_tracer *tracer, const float (*x)[3], const float (*x_end)[3], size_t vertex_count,
                             const uint32_t *triangles, size_t triangle_count, uint32_t *object);
bl_status bl_tracer_add_spheres(bl_tracer *tracer, const bl_sphere *spheres, size_t count, uint32_t *object);
bl_status bl_tracer_commit(bl_tracer *tracer);

bool bl_tracer_hit(const bl_tracer *tracer, const bl_ray *ray, bl_hit *hit);
const char *bl_tracer_name(const bl_tracer *tracer); /* "embree 3", "built-in" */

#endif
