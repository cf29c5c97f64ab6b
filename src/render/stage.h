/* Everything a picture shows: objects with materials, light, camera. Lengths are in stage units, in which the subject
 * has a size of about 1: see bl_stage_def. A committed stage is constant. */
#ifndef BL_RENDER_STAGE_H
#define BL_RENDER_STAGE_H

#include "render/camera.h"
#include "render/light.h"
#include "render/optics.h"
#include "render/tracer.h"

typedef enum bl_stage_trait {
    BL_STAGE_WET = 1, /* of a liquid: lies on a solid, no light is bent there */
    BL_STAGE_FLAT = 2 /* shaded with its own normal */
} bl_stage_trait;

typedef struct bl_stage_object {
    bl_material material;
    bool one_sided;      /* seen on its outer side only: walls that one looks through from behind */
    int medium;          /* number of a liquid among the liquids, by the order of adding; see media.h */
    double fade;         /* > 0: a floor that melts into the dome between this distance and four times it */
    float (*normal)[3];  /* per vertex; NULL: the triangles' own, or a sphere */
    uint8_t *trait;      /* bl_stage_trait of each triangle; NULL: none */
    uint32_t *triangles; /* NULL for spheres */
    float (*color)[3];   /* per sphere, linear; NULL: the material's */
} bl_stage_object;

/* A plane to the horizon, seen from above only: not worth a tracer. */
typedef struct bl_stage_floor {
    bl_stage_object look;
    bl_vec3d point, normal;
} bl_stage_floor;

enum { BL_MEDIUM_MAX = 32, BL_FLOOR_MAX = 8 };
struct bl_caustics;
typedef struct bl_stage {
    bl_context *ctx;
    bl_tracer *tracer;
    bl_light light;
    bl_camera camera;
    int object_count, object_capacity;
    bl_stage_object *objects;
    bl_vec3d min, max; /* of the objects */
    int floor_count;
    bl_stage_floor floors[BL_FLOOR_MAX];
    int medium_count;
    int medium_object[BL_MEDIUM_MAX]; /* the liquids among the objects */
    bool moves;                       /* something moves while the shutter is open */
    struct bl_caustics *caustics;     /* NULL: lamps shine straight through liquids */
} bl_stage;

bl_status bl_stage_init(bl_context *ctx, bl_tracer_kind kind, bl_stage *out);
void bl_stage_clear(bl_stage *stage); /* a zeroed one is fine */

/* Arrays are copied; `normal`, `trait` and `x_end` (where the vertices are when the shutter closes) may be NULL. */
typedef struct bl_stage_mesh {
    size_t vertex_count, triangle_count;
    const float (*x)[3];
    const float (*normal)[3];
    const uint8_t *trait;
    const uint32_t *triangles;
    const float (*x_end)[3];
} bl_stage_mesh;
/* `look` gives material, one_sided and fade. At most BL_MEDIUM_MAX objects may be liquids. */
bl_status bl_stage_add_mesh(bl_stage *stage, const bl_stage_mesh *mesh, const bl_stage_object *look);
bl_status bl_stage_add_spheres(bl_stage *stage, const bl_sphere *spheres, const float (*color)[3], size_t count,
                               const bl_stage_object *look);

/* BL_ERR_DATA beyond BL_FLOOR_MAX of them. */
bl_status bl_stage_add_floor(bl_stage *stage, bl_vec3d point, bl_vec3d normal, const bl_stage_object *look);

/* What a ray meets, ready for shading. */
typedef struct bl_surface_point {
    double t;
    bl_vec3d x;
    bl_vec3d outer;  /* geometric normal, outward */
    bl_vec3d normal; /* for shading, on the side of the ray */
    bool inside;     /* the ray comes from behind the surface */
    bool wet;
    double time; /* of the ray */
    bl_vec3d color;
    const bl_stage_object *object;
} bl_surface_point;
/* The first thing seen; the backs of one-sided objects are passed through. */
bool bl_stage_hit(const bl_stage *stage, bl_ray ray, bl_surface_point *out);

#endif
