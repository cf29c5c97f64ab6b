/* Affine frames of shapes. */
#ifndef BL_GEOMETRY_FRAME_H
#define BL_GEOMETRY_FRAME_H

#include "base/vec3.h"
#include <stdbool.h>

/* world = to_world * local + origin */
typedef struct bl_frame {
    bl_vec3d to_world[3], to_local[3]; /* rows */
    bl_vec3d origin;
    double stretch; /* no local length shrinks by more than this factor; all do by it if `similar` */
    bool similar;   /* rotation, mirroring and one common factor: distances carry over exactly */
} bl_frame;

bl_frame bl_frame_identity(void);
/* The frame of something placed in `parent` by scale, then rotate (axis times angle), then translate. */
bl_frame bl_frame_place(const bl_frame *parent, bl_vec3d scale, bl_vec3d rotate, bl_vec3d translate);
/* Rotation about the direction of `rotate` by its length. */
void bl_rotation(bl_vec3d rotate, bl_vec3d rows[3]);

bl_vec3d bl_matrix_apply(const bl_vec3d rows[3], bl_vec3d x);
bl_vec3d bl_matrix_apply_transposed(const bl_vec3d rows[3], bl_vec3d x);
bl_vec3d bl_frame_to_world(const bl_frame *frame, bl_vec3d x);
bl_vec3d bl_frame_to_local(const bl_frame *frame, bl_vec3d x);

bl_vec3d bl_unit(bl_vec3d a); /* of length 1; zero stays zero */
/* Two unit vectors that make a right-handed orthonormal basis with the unit vector `n`: u x v = n. Along the
 * coordinate axes where n is. */
void bl_tangents(bl_vec3d n, bl_vec3d *u, bl_vec3d *v);

#endif
