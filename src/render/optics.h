/* Reflection, refraction, and the materials of a picture. */
#ifndef BL_RENDER_OPTICS_H
#define BL_RENDER_OPTICS_H

#include "base/context.h"
#include "base/vec3.h"

typedef enum bl_material_kind {
    BL_MATERIAL_DIFFUSE, /* matt */
    BL_MATERIAL_COATED,  /* matt under a clear coat */
    BL_MATERIAL_METAL,
    BL_MATERIAL_LIQUID, /* clear, with absorption; the object must be closed */
    BL_MATERIAL_PANE,   /* a thin sheet of glass: reflects a little, does not bend */
    BL_MATERIAL_UNLIT   /* the colour as it is: diagrams */
} bl_material_kind;

typedef struct bl_material {
    bl_material_kind kind;
    bl_vec3d color;      /* linear; metals: reflectance at normal incidence */
    double ior;          /* refractive index of coat, pane, liquid */
    double roughness;    /* 0: mirror */
    bl_vec3d absorption; /* liquid: per unit of length of the stage */
    double film;         /* liquid: thickness at the origin of a film that colours reflections, nm; 0: none */
    bl_vec3d film_slope; /* and how that changes with the place, nm a unit of length */
} bl_material;

static inline bl_vec3d bl_v3d_unit(bl_vec3d a) { return bl_v3d_scale(1 / bl_v3d_norm(a), a); }
static inline bl_vec3d bl_v3d_mul(bl_vec3d a, bl_vec3d b) { return bl_v3d_make(a.x * b.x, a.y * b.y, a.z * b.z); }

/* Share of unpolarised light reflected at a boundary from index 1 to index `eta` (relative), `cos_i` >= 0 of the angle
 * of incidence. 1 beyond the angle of total reflection. */
double bl_fresnel(double cos_i, double eta);
/* Share of red, green and blue reflected by a film of `thickness` nm and index `ior` in air, all orders of
 * interference (Airy): 0 for a film much thinner than light waves. */
bl_vec3d bl_film_reflectance(double cos_i, double ior, double thickness);
bl_vec3d bl_reflect(bl_vec3d dir, bl_vec3d normal);
/* Snell: `normal` against `dir`, `eta` = index behind / index before. False: total reflection. */
bool bl_refract(bl_vec3d dir, bl_vec3d normal, double eta, bl_vec3d *out);

/* Two unit vectors that make a right-handed frame with n. */
void bl_frame_around(bl_vec3d n, bl_vec3d *a, bl_vec3d *b);
bl_vec3d bl_sample_cosine(bl_vec3d n, const double u[2]); /* on the hemisphere of n, density cos/pi */
/* A direction about `axis` with the lobe of width `roughness`. */
bl_vec3d bl_sample_lobe(bl_vec3d axis, double roughness, const double u[2]);

/* What a substance looks like: of that `appearance`, or if this is "auto" or NULL, of that name. `color` (linear)
 * matters for inks, paints and unknown solids; `given` says whether the scene chose it: a liquid keeps that much of
 * white light over two units of length, the width of the fluid on the stage. */
bl_material bl_material_of_fluid(const char *appearance, const char *name, bl_vec3d color, bool given);
bl_material bl_material_of_solid(const char *appearance, const char *name, bl_vec3d color, bool given);

#endif
