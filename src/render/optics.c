#include "render/optics.h"
#include <math.h>
#include <string.h>
#include <strings.h>

#define PI 3.14159265358979323846

double bl_fresnel(double cos_i, double eta) {
    double sin2_t = (1 - cos_i * cos_i) / (eta * eta);
    if (sin2_t >= 1) return 1;
    double cos_t = sqrt(1 - sin2_t);
    double s = (cos_i - eta * cos_t) / (cos_i + eta * cos_t), p = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    return (s * s + p * p) / 2;
}

/* One wavelength (nm), one polarisation: `face` is the share that a single face reflects. */
static double airy(double face, double path, double wavelength) {
    double s = sin(PI * path / wavelength), f = 4 * face / ((1 - face) * (1 - face)) * s * s;
    return f / (1 + f);
}

bl_vec3d bl_film_reflectance(double cos_i, double ior, double thickness) {
    double cos_t = sqrt(1 - (1 - cos_i * cos_i) / (ior * ior)), path = 2 * ior * thickness * cos_t;
    double s = (cos_i - ior * cos_t) / (cos_i + ior * cos_t), p = (ior * cos_i - cos_t) / (ior * cos_i + cos_t);
    static const double wavelengths[3] = {610, 545, 460}; /* where the eye's red, green and blue lie */
    double r[3];
    for (int k = 0; k < 3; k++) r[k] = (airy(s * s, path, wavelengths[k]) + airy(p * p, path, wavelengths[k])) / 2;
    return bl_v3d_make(r[0], r[1], r[2]);
}

bl_vec3d bl_reflect(bl_vec3d dir, bl_vec3d normal) { return bl_v3d_mad(dir, -2 * bl_v3d_dot(dir, normal), normal); }

bool bl_refract(bl_vec3d dir, bl_vec3d normal, double eta, bl_vec3d *out) {
    double cos_i = -bl_v3d_dot(dir, normal), sin2_t = (1 - cos_i * cos_i) / (eta * eta);
    if (sin2_t >= 1) return false;
    *out = bl_v3d_unit(bl_v3d_mad(bl_v3d_scale(1 / eta, dir), cos_i / eta - sqrt(1 - sin2_t), normal));
    return true;
}

void bl_frame_around(bl_vec3d n, bl_vec3d *a, bl_vec3d *b) {
    /* without a root or a branch: Duff et al. 2017, "Building an orthonormal basis, revisited" */
    double sign = copysign(1, n.z), s = -1 / (sign + n.z), t = n.x * n.y * s;
    *a = bl_v3d_make(1 + sign * n.x * n.x * s, sign * t, -sign * n.x);
    *b = bl_v3d_make(t, sign + n.y * n.y * s, -n.y);
}

static bl_vec3d from_frame(bl_vec3d n, double x, double y, double z) {
    bl_vec3d a, b;
    bl_frame_around(n, &a, &b);
    return bl_v3d_mad(bl_v3d_mad(bl_v3d_scale(x, a), y, b), z, n);
}

bl_vec3d bl_sample_cosine(bl_vec3d n, const double u[2]) {
    double r = sqrt(u[0]), phi = 2 * PI * u[1];
    return from_frame(n, r * cos(phi), r * sin(phi), sqrt(1 - u[0]));
}

bl_vec3d bl_sample_lobe(bl_vec3d axis, double roughness, const double u[2]) {
    if (roughness <= 0) return axis;
    double power = 2 / (roughness * roughness * roughness * roughness);
    double cos_t = pow(1 - u[0], 1 / (power + 1)), r = sqrt(fmax(0, 1 - cos_t * cos_t)), phi = 2 * PI * u[1];
    return from_frame(axis, r * cos(phi), r * sin(phi), cos_t);
}

/* Known substances, found by a part of the name. Transmission is the colour left after one half size of the fluid:
 * chosen to look right at that size, since real drops of a few millimetres show no tint at all. */
typedef struct substance {
    const char *name;
    bl_material_kind kind;
    bl_vec3d color; /* transmission, reflectance or albedo */
    double ior, roughness;
    double film; /* nm */
} substance;

static const substance fluids[] = {
    {"soap", BL_MATERIAL_LIQUID, {0.95, 0.97, 0.98}, 1.33, 0, 380},
    {"mercury", BL_MATERIAL_METAL, {0.78, 0.77, 0.76}, 0, 0.03, 0},
    {"galinstan", BL_MATERIAL_METAL, {0.82, 0.81, 0.80}, 0, 0.05, 0},
    {"gallium", BL_MATERIAL_METAL, {0.80, 0.80, 0.82}, 0, 0.05, 0},
    {"metal", BL_MATERIAL_METAL, {0.80, 0.80, 0.80}, 0, 0.05, 0},
    {"milk", BL_MATERIAL_COATED, {0.88, 0.86, 0.80}, 1.35, 0, 0},
    {"paint", BL_MATERIAL_COATED, {0.60, 0.10, 0.08}, 1.45, 0, 0},
    {"honey", BL_MATERIAL_LIQUID, {0.85, 0.45, 0.06}, 1.49, 0, 0},
    {"oil", BL_MATERIAL_LIQUID, {0.93, 0.80, 0.38}, 1.47, 0, 0},
    {"glycerol", BL_MATERIAL_LIQUID, {0.97, 0.97, 0.94}, 1.47, 0, 0},
    {"ethanol", BL_MATERIAL_LIQUID, {0.96, 0.97, 0.98}, 1.36, 0, 0},
    {"ink", BL_MATERIAL_LIQUID, {0.10, 0.16, 0.55}, 1.34, 0, 0},
    {"water", BL_MATERIAL_LIQUID, {0.78, 0.93, 0.97}, 1.333, 0, 0},
};
static const substance solids[] = {
    {"clear_glass", BL_MATERIAL_PANE, {0.97, 0.98, 0.98}, 1.3, 0, 0},
    {"mirror", BL_MATERIAL_METAL, {0.92, 0.92, 0.93}, 0, 0, 0},
    {"matte", BL_MATERIAL_DIFFUSE, {0.30, 0.30, 0.30}, 1, 0, 0},
    {"glass", BL_MATERIAL_COATED, {0.24, 0.28, 0.30}, 1.5, 0.04, 0},
    {"steel", BL_MATERIAL_METAL, {0.56, 0.57, 0.58}, 0, 0.25, 0},
    {"metal", BL_MATERIAL_METAL, {0.60, 0.60, 0.60}, 0, 0.25, 0},
    {"copper", BL_MATERIAL_METAL, {0.85, 0.52, 0.35}, 0, 0.22, 0},
    {"gold", BL_MATERIAL_METAL, {0.95, 0.70, 0.32}, 0, 0.15, 0},
    {"wax", BL_MATERIAL_COATED, {0.78, 0.72, 0.58}, 1.45, 0.2, 0},
    {"wood", BL_MATERIAL_COATED, {0.42, 0.27, 0.15}, 1.4, 0.3, 0},
    {"leaf", BL_MATERIAL_COATED, {0.12, 0.32, 0.07}, 1.45, 0.2, 0},
};

static const substance *find_substance(const substance *list, size_t count, const char *appearance, const char *name) {
    const char *word = appearance && strcmp(appearance, "auto") != 0 ? appearance : name;
    for (size_t i = 0; i < count; i++)
        for (const char *at = word; *at; at++)
            if (!strncasecmp(at, list[i].name, strlen(list[i].name))) return &list[i];
    return NULL;
}

static bl_vec3d absorption_for(bl_vec3d transmission) {
    return bl_v3d_make(-log(fmax(transmission.x, 0.003)), -log(fmax(transmission.y, 0.003)),
                       -log(fmax(transmission.z, 0.003)));
}

bl_material bl_material_of_fluid(const char *appearance, const char *name, bl_vec3d color, bool given) {
    const substance *s = find_substance(fluids, sizeof fluids / sizeof *fluids, appearance, name);
    if (!s) s = &fluids[sizeof fluids / sizeof *fluids - 1];
    bl_material m = {
        .kind = s->kind, .color = given ? color : s->color, .ior = s->ior, .roughness = s->roughness, .film = s->film};
    if (m.kind == BL_MATERIAL_LIQUID) {
        m.absorption = bl_v3d_scale(given ? 0.5 : 1, absorption_for(m.color)); /* given: over the whole width */
        m.color = bl_v3d_make(1, 1, 1);
    }
    return m;
}

bl_material bl_material_of_solid(const char *appearance, const char *name, bl_vec3d color, bool given) {
    static const substance plain = {"plain", BL_MATERIAL_COATED, {0.17, 0.19, 0.21}, 1.4, 0.15, 0};
    const substance *s = find_substance(solids, sizeof solids / sizeof *solids, appearance, name);
    if (!s) s = &plain;
    return (bl_material){.kind = s->kind, .color = given ? color : s->color, .ior = s->ior, .roughness = s->roughness};
}
