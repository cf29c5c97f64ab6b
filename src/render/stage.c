#include "render/stage.h"
#include "render/caustics.h"
#include <math.h>
#include <string.h>

static const float BOX_MARGIN = 1e-4f; /* around the objects, against rounding */

bl_status bl_stage_init(bl_context *ctx, bl_tracer_kind kind, bl_stage *out) {
    const bl_vec3d far = bl_v3d_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *out = (bl_stage){.ctx = ctx, .min = far, .max = bl_v3d_scale(-1, far)};
    return bl_tracer_create(ctx, kind, &out->tracer);
}

void bl_stage_clear(bl_stage *stage) {
    if (!stage->ctx) return;
    for (int i = 0; i < stage->object_count; i++) {
        bl_stage_object *o = &stage->objects[i];
        bl_release(stage->ctx, o->normal);
        bl_release(stage->ctx, o->trait);
        bl_release(stage->ctx, o->triangles);
        bl_release(stage->ctx, o->color);
    }
    bl_release(stage->ctx, stage->objects);
    bl_caustics_destroy(stage->ctx, stage->caustics);
    bl_tracer_destroy(stage->tracer);
    *stage = (bl_stage){0};
}

static bl_stage_object *append(bl_stage *stage, const bl_stage_object *look) {
    if (stage->object_count == stage->object_capacity) {
        int capacity = stage->object_capacity ? 2 * stage->object_capacity : 8;
        bl_stage_object *objects =
            bl_grow(stage->ctx, stage->objects, (size_t)stage->object_capacity, (size_t)capacity, sizeof *objects);
        if (!objects) return NULL;
        stage->objects = objects;
        stage->object_capacity = capacity;
    }
    const bool liquid = look->material.kind == BL_MATERIAL_LIQUID;
    if (liquid && stage->medium_count == BL_MEDIUM_MAX) {
        bl_fail(stage->ctx, BL_ERR_DATA, "more than %d liquids on one picture", BL_MEDIUM_MAX);
        return NULL;
    }
    bl_stage_object *o = &stage->objects[stage->object_count++];
    if (liquid) stage->medium_object[stage->medium_count] = stage->object_count - 1;
    *o = (bl_stage_object){.material = look->material, .one_sided = look->one_sided, .fade = look->fade};
    if (liquid) o->medium = stage->medium_count++;
    return o;
}

/* A copy of `count` items, NULL for NULL. *ok turns false when memory runs out. */
static void *copy(bl_context *ctx, const void *data, size_t count, size_t item_size, bool *ok) {
    if (!data) return NULL;
    void *out = bl_alloc(ctx, count, item_size);
    *ok = *ok && out;
    return out ? memcpy(out, data, count * item_size) : NULL;
}

/* The box that holds all objects grows by `count` points, `stride` floats apart, and by `margin` around them. */
static void widen_box(bl_stage *stage, const float *x, size_t count, size_t stride, float margin) {
    for (size_t i = 0; x && i < count; i++, x += stride) {
        const double r = (double)(stride > 3 ? x[3] : 0) + (double)margin, a = (double)x[0], b = (double)x[1],
                     c = (double)x[2];
        stage->min = bl_v3d_make(fmin(stage->min.x, a - r), fmin(stage->min.y, b - r), fmin(stage->min.z, c - r));
        stage->max = bl_v3d_make(fmax(stage->max.x, a + r), fmax(stage->max.y, b + r), fmax(stage->max.z, c + r));
    }
}

bl_status bl_stage_add_floor(bl_stage *stage, bl_vec3d point, bl_vec3d normal, const bl_stage_object *look) {
    if (stage->floor_count == BL_FLOOR_MAX)
        return bl_fail(stage->ctx, BL_ERR_DATA, "more than %d endless planes on one picture", BL_FLOOR_MAX);
    stage->floors[stage->floor_count++] = (bl_stage_floor){*look, point, normal};
    return BL_OK;
}

bl_status bl_stage_add_mesh(bl_stage *stage, const bl_stage_mesh *mesh, const bl_stage_object *look) {
    bl_stage_object *o = append(stage, look);
    if (!o) return BL_ERR_MEMORY;
    bool ok = true;
    o->triangles = copy(stage->ctx, mesh->triangles, 3 * mesh->triangle_count, sizeof(uint32_t), &ok);
    o->normal = copy(stage->ctx, mesh->normal, mesh->vertex_count, sizeof *o->normal, &ok);
    o->trait = copy(stage->ctx, mesh->trait, mesh->triangle_count, 1, &ok);
    uint32_t id;
    stage->moves = stage->moves || mesh->x_end;
    widen_box(stage, (const float *)mesh->x, mesh->vertex_count, 3, BOX_MARGIN);
    widen_box(stage, (const float *)mesh->x_end, mesh->vertex_count, 3, BOX_MARGIN);
    return ok ? bl_tracer_add_mesh(stage->tracer, mesh->x, mesh->x_end, mesh->vertex_count, mesh->triangles,
                                   mesh->triangle_count, &id)
              : BL_ERR_MEMORY;
}

bl_status bl_stage_add_spheres(bl_stage *stage, const bl_sphere *spheres, const float (*color)[3], size_t count,
                               const bl_stage_object *look) {
    bl_stage_object *o = append(stage, look);
    if (!o) return BL_ERR_MEMORY;
    bool ok = true;
    o->color = copy(stage->ctx, color, count, sizeof *o->color, &ok);
    widen_box(stage, (const float *)spheres, count, sizeof *spheres / sizeof(float), BOX_MARGIN);
    uint32_t id;
    return ok ? bl_tracer_add_spheres(stage->tracer, spheres, count, &id) : BL_ERR_MEMORY;
}

static bool has_trait(const bl_stage_object *o, const bl_hit *hit, bl_stage_trait trait) {
    return o->trait && o->trait[hit->element] & trait;
}

/* Interpolated vertex normal, bent as little as needed to stay on the ray's side of the surface. */
static bl_vec3d shading_normal(const bl_stage_object *o, const bl_hit *hit, bl_vec3d dir, bl_vec3d facing) {
    if (!o->normal || has_trait(o, hit, BL_STAGE_FLAT)) return facing;
    const uint32_t *t = o->triangles + 3 * (size_t)hit->element;
    double w[3] = {1 - hit->u - hit->v, hit->u, hit->v}, n[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < 3; e++) n[e] += w[k] * (double)o->normal[t[k]][e];
    bl_vec3d s = bl_v3d_make(n[0], n[1], n[2]);
    double length = bl_v3d_norm(s);
    if (!(length > 1e-6)) return facing;
    s = bl_v3d_scale((bl_v3d_dot(s, hit->normal) < 0 ? -1 : 1) / length, s);
    if (bl_v3d_dot(facing, hit->normal) < 0) s = bl_v3d_scale(-1, s);
    double against = -bl_v3d_dot(s, dir);
    if (against < 1e-3) s = bl_v3d_unit(bl_v3d_mad(s, -(1e-3 - against) * 1.01, dir));
    return s;
}

static bl_vec3d color_at(const bl_stage_object *o, const bl_hit *hit) {
    if (!o->color) return o->material.color;
    const float *c = o->color[hit->element];
    return bl_v3d_make((double)c[0], (double)c[1], (double)c[2]);
}

/* Distances at which the ray is between two values of a coordinate, cut to [*near, *far]. */
static void clip_axis(double origin, double dir, double low, double high, double *near, double *far) {
    const double inv = 1 / dir, a = (low - origin) * inv, b = (high - origin) * inv;
    const double first = a < b ? a : b, last = a < b ? b : a;
    if (first > *near) *near = first; /* comparisons with NaN (along a face) leave the range as it is */
    if (last < *far) *far = last;
}

static bool meets_box(const bl_stage *stage, const bl_ray *ray) {
    double near = ray->min, far = ray->max;
    clip_axis(ray->origin.x, ray->dir.x, stage->min.x, stage->max.x, &near, &far);
    clip_axis(ray->origin.y, ray->dir.y, stage->min.y, stage->max.y, &near, &far);
    clip_axis(ray->origin.z, ray->dir.z, stage->min.z, stage->max.z, &near, &far);
    return near <= far;
}

/* The nearest floor before ray->max, which is set to its distance; NULL: none. */
static const bl_stage_floor *hit_floor(const bl_stage *stage, bl_ray *ray) {
    const bl_stage_floor *found = NULL;
    for (int k = 0; k < stage->floor_count; k++) {
        const bl_stage_floor *f = &stage->floors[k];
        const double along = bl_v3d_dot(ray->dir, f->normal);
        if (along >= 0) continue;
        const double t = bl_v3d_dot(bl_v3d_sub(f->point, ray->origin), f->normal) / along;
        if (t <= ray->min || t >= ray->max) continue;
        found = f;
        ray->max = t;
    }
    return found;
}

static bool hit_object(const bl_stage *stage, bl_ray ray, bl_surface_point *out) {
    bl_hit hit;
    for (int passed = 0; passed < 64 && bl_tracer_hit(stage->tracer, &ray, &hit); passed++) {
        const bl_stage_object *o = &stage->objects[hit.object];
        bool inside = bl_v3d_dot(ray.dir, hit.normal) > 0;
        if (inside && o->one_sided) {
            ray.min = hit.t * (1 + 1e-6) + 1e-6;
            continue;
        }
        bl_vec3d facing = inside ? bl_v3d_scale(-1, hit.normal) : hit.normal;
        *out = (bl_surface_point){.t = hit.t,
                                  .x = bl_v3d_mad(ray.origin, hit.t, ray.dir),
                                  .outer = hit.normal,
                                  .normal = shading_normal(o, &hit, ray.dir, facing),
                                  .inside = inside,
                                  .wet = has_trait(o, &hit, BL_STAGE_WET),
                                  .time = ray.time,
                                  .color = color_at(o, &hit),
                                  .object = o};
        return true;
    }
    return false;
}

bool bl_stage_hit(const bl_stage *stage, bl_ray ray, bl_surface_point *out) {
    const bl_stage_floor *f = hit_floor(stage, &ray);
    if (meets_box(stage, &ray) && hit_object(stage, ray, out)) return true;
    if (f)
        *out = (bl_surface_point){.t = ray.max,
                                  .x = bl_v3d_mad(ray.origin, ray.max, ray.dir),
                                  .outer = f->normal,
                                  .normal = f->normal,
                                  .time = ray.time,
                                  .color = f->look.material.color,
                                  .object = &f->look};
    return f != NULL;
}
