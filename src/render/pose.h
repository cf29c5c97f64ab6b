/* Where a boundary stands in a frame. */
#ifndef BL_RENDER_POSE_H
#define BL_RENDER_POSE_H

#include "render/subject.h"
#include "rigid/motion.h"

/* A kinematic body by the scene and the time; a rigid one by its particles in the frame of set `set`: the motion that
 * takes those of the scene there (Horn 1987). */
bl_status bl_subject_pose(const bl_subject *subject, int set, bl_pose *pose);

#endif
