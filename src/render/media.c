#include "render/media.h"
#include <math.h>

/* What fills the place; NULL: air. */
static const bl_material *filling(const bl_stage *stage, bl_media media) {
    for (int m = 0; m < stage->medium_count; m++)
        if (media >> m & 1) return &stage->objects[stage->medium_object[m]].material;
    return NULL;
}

static bl_media bit_of(const bl_surface_point *p) {
    return p->object->material.kind == BL_MATERIAL_LIQUID ? (bl_media)1 << p->object->medium : 0;
}

void bl_media_arrive(const bl_stage *stage, const bl_surface_point *p, bl_media *media, bl_vec3d *weight) {
    /* the side of the surface is certain, memory is not: a ray may start within a liquid, or slip through an edge */
    const bl_media bit = bit_of(p);
    *media = p->inside ? *media | bit : *media & ~bit;
    const bl_material *m = filling(stage, *media);
    if (!m) return;
    *weight = bl_v3d_make(weight->x * exp(-m->absorption.x * p->t), weight->y * exp(-m->absorption.y * p->t),
                          weight->z * exp(-m->absorption.z * p->t));
}

bl_crossing bl_media_cross(const bl_stage *stage, const bl_surface_point *p, bl_media media) {
    const bl_media after = media ^ bit_of(p);
    return (bl_crossing){filling(stage, media), filling(stage, after), after};
}

double bl_crossing_eta(const bl_crossing *crossing) {
    const double from = crossing->from ? crossing->from->ior : 1, to = crossing->to ? crossing->to->ior : 1;
    return to / from;
}
