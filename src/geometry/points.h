/* A growing list of points, and the thinning of points that lie too close together. */
#ifndef BL_GEOMETRY_POINTS_H
#define BL_GEOMETRY_POINTS_H

#include "geometry/geometry.h"

typedef struct bl_point_list {
    bl_context *ctx;
    bl_points points;
    size_t capacity;
} bl_point_list;

bl_point_list bl_point_list_make(bl_context *ctx);
void bl_point_list_clear(bl_point_list *list);
bl_status bl_point_list_reserve(bl_point_list *list, size_t capacity);
/* At depth 0. */
bl_status bl_point_list_add(bl_point_list *list, bl_vec3d x, bl_vec3d normal, double volume, int source);
/* Drop the points from `begin` on whose flag (flags[0] belongs to point `begin`) is false; the order stays. */
void bl_point_list_filter(bl_point_list *list, size_t begin, const bool *keep);

/* Which points from `begin` on stay when no two may be nearer than `distance`; those before stay anyway. They are asked
 * one after the other, by falling priority (NULL, and where it is the same: by index), and stay when none that stays is
 * too near. keep[0] and priority[0] belong to point `begin`. */
bl_status bl_points_thin(bl_context *ctx, const bl_vec3d *x, size_t count, size_t begin, double distance,
                         const uint64_t *priority, bool *keep);

bl_box bl_box_empty(void);
bool bl_box_is_empty(bl_box box);
bl_box bl_box_add(bl_box box, bl_vec3d x);
bool bl_box_holds(bl_box box, bl_vec3d x);
bl_box bl_box_of(const bl_vec3d *x, size_t count);

#endif
