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
/* motion_file.c: fill shift and turn from the boundary's motion_file. */
void bl_read_motion(bl_reader *reader, const bl_node *node, bl_boundary *boundary);
/* check_source.c */
void bl_check_emitter(bl_reader *reader, const bl_node *node, void *object);
void bl_check_rain(bl_reader *reader, const bl_node *node, void *object);
void bl_check_printer(bl_reader *reader, const bl_node *node, void *object);
void bl_check_sink(bl_reader *reader, const bl_node *node, void *object);
/* Every fluid comes from somewhere: volumes or a source. */
void bl_check_fluid_sources(bl_reader *reader, const bl_node *node);

/* --- shared --- */
void bl_check_fail(bl_reader *reader, const bl_node *node, const char *key, const char *message);
bool bl_check_given(const bl_node *node, const char *key);
bool bl_shape_has_sheet(const bl_shape *shape);

#endif
