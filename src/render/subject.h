/* From a frame of a run to a stage that can be traced.
 *
 * The stage's unit of length is half the largest edge of the fluid's box, its origin the middle of that box: so the
 * tracer's tolerances, the tints of liquids and the fading of floors need no scale of their own. */
#ifndef BL_RENDER_SUBJECT_H
#define BL_RENDER_SUBJECT_H

#include "output/reader.h"
#include "render/stage.h"

typedef struct bl_subject {
    bl_context *ctx;
    const bl_scene *scene;
    const bl_sets *sets;
    bl_frame *frames; /* one a set */
    double time;
    bl_vec3d min, max;   /* of the fluids, in metres, without stray particles */
    bl_vec3d center, up; /* of the stage */
    double scale;        /* stage units a metre */
} bl_subject;

/* All sets of frame `number`. */
bl_status bl_subject_load(const bl_reader *reader, int number, bl_subject *out);
/* The same from frames in memory, one a set of `sets`; they stay the caller's. */
bl_status bl_subject_make(bl_context *ctx, const bl_scene *scene, const bl_sets *sets, bl_frame *frames, double time,
                          bl_subject *out);
void bl_subject_clear(bl_subject *subject); /* with the frames; a zeroed one is fine */
/* Choose the stage's box: that of several frames, say, so that a film's camera stands still. */
void bl_subject_set_box(bl_subject *subject, bl_vec3d min, bl_vec3d max);

static inline bl_vec3d bl_subject_to_stage(const bl_subject *s, bl_vec3d x) {
    return bl_v3d_scale(s->scale, bl_v3d_sub(x, s->center));
}

/* The scene's camera, or one that sees the whole fluid from the direction `view` (NULL: slightly from above). */
bl_camera bl_subject_camera(const bl_subject *subject, const double *view, double aspect);

/* Fluids as balls coloured by `field` between low and high, boundaries as grey balls. */
bl_status bl_stage_fill_particles(bl_stage *stage, const bl_subject *subject, const char *field, double low,
                                  double high);
/* Fluids as liquids, boundaries as bodies. `open`: seconds of exposure, over which the liquids move. `photons` and
 * `seed`: of the caustics. */
bl_status bl_stage_fill_liquid(bl_stage *stage, const bl_subject *subject, double open, size_t photons, uint64_t seed);
/* One elastic body from its particles (dress_elastic.c); *lowest goes down to its lowest point along up. */
bl_status bl_stage_add_elastic(bl_stage *stage, const bl_subject *subject, const bl_frame *frame,
                               const bl_material *material, double *lowest);

#endif
