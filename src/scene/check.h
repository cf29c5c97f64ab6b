/* Checks that need more than one key: the `finish` functions of the key table. */
#ifndef BL_SCENE_CHECK_H
#define BL_SCENE_CHECK_H

#include "scene/keys.h"

void bl_check_scene(bl_reader *reader, const bl_node *node, void *object);
void bl_check_time(bl_reader *reader, const bl_node *node, void *object);
void bl_check_scheme(bl_reader *reader, const bl_node *node, void *object);
void bl_check_domain(bl_reader *reader, const bl_node *node, void *object);
void bl_check_boundary(bl_reader *reader, const bl_node *node, void *object);
void bl_check_shape(bl_reader *reader, const bl_node *node, void *object);
void bl_check_volume(bl_reader *reader, const bl_node *node, void *object);
void bl_check_box(bl_reader *reader, const bl_node *node, void *object);
void bl_check_ellipsoid(bl_reader *reader, const bl_node *node, void *object);
void bl_check_segment(bl_reader *reader, const bl_node *node, void *object);
void bl_check_torus(bl_reader *reader, const bl_node *node, void *object);

#endif
