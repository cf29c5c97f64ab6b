#include "render/light.h"
#include <math.h>
#include <string.h>

static bl_vec3d grey(double level) { return bl_v3d_make(level, level, level); }

static bl_vec3d mix(bl_vec3d a, bl_vec3d b, double t) { return bl_v3d_mad(bl_v3d_scale(1 - t, a), t, b); }

static double smooth(double x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}

/* Boxes are of full brightness up to this half width, and fade from there to their edge. */
#define FULL 0.8

static double ring_profile(double e) { return e >= 1 ? 0 : 1 - smooth((e - FULL) / (1 - FULL)); }

static double box_profile(double a, double b) { return ring_profile(fmax(fabs(a), fabs(b))); }

/* Tables for sampling: the light of square rings, 8 e profile(e) de, summed up from FULL to 1. */
static void prepare_sampling(bl_light *light) {
    enum { STEPS = 1024 };
    const double de = (1 - FULL) / STEPS;
    double total = 0, power = 0, sum = 0;
    for (int i = 0; i < STEPS; i++) total += 8 * (FULL + (i + 0.5) * de) * ring_profile(FULL + (i + 0.5) * de) * de;
    light->profile = 4 * FULL * FULL + total;
    light->rim[0] = FULL, light->rim[BL_FADE_STEPS] = 1;
    for (int i = 0, k = 1; i < STEPS && k < BL_FADE_STEPS; i++) {
        const double e = FULL + (i + 0.5) * de;
        sum += 8 * e * ring_profile(e) * de;
        if (sum >= total * k / BL_FADE_STEPS) light->rim[k++] = e;
    }
    for (int i = 0; i < light->box_count; i++) {
        const bl_softbox *b = &light->boxes[i];
        light->share[i] = (b->radiance.x + b->radiance.y + b->radiance.z) * bl_v3d_norm(b->right) * bl_v3d_norm(b->up);
        power += light->share[i];
    }
    for (int i = 0; i < light->box_count; i++) light->share[i] /= power;
}

typedef struct frame {
    bl_vec3d right, forward, up;
} frame;

/* A box at `azimuth` (0: behind the subject, positive to the right) and `elevation`, in degrees, `width` and `height`
 * being tangents of half angles. */
static void add_box(bl_light *light, const frame *f, double azimuth, double elevation, double width, double height,
                    bl_vec3d radiance) {
    double a = azimuth * (3.14159265358979323846 / 180), e = elevation * (3.14159265358979323846 / 180);
    bl_vec3d flat = bl_v3d_mad(bl_v3d_scale(cos(a), f->forward), sin(a), f->right);
    bl_vec3d axis = bl_v3d_mad(bl_v3d_scale(cos(e), flat), sin(e), f->up);
    bl_vec3d right = bl_v3d_mad(bl_v3d_scale(-sin(a), f->forward), cos(a), f->right);
    bl_vec3d up = bl_v3d_cross(right, axis);
    light->boxes[light->box_count++] =
        (bl_softbox){axis, bl_v3d_scale(width, right), bl_v3d_scale(height, up), radiance};
}

bool bl_light_make(const char *name, bl_vec3d up, bl_vec3d forward, bl_light *out) {
    *out = (bl_light){.up = up};
    frame f = {bl_v3d_cross(forward, up), forward, up};
    if (!strcmp(name, "studio")) {
        out->zenith = bl_v3d_make(0.09, 0.12, 0.17);
        out->horizon = bl_v3d_make(0.42, 0.48, 0.55);
        out->nadir = grey(0.15);
        add_box(out, &f, -42, 54, 0.12, 0.12, bl_v3d_make(95, 90, 82));     /* key: behind the subject, from the left */
        add_box(out, &f, 60, 55, 0.32, 0.12, bl_v3d_make(4.0, 4.3, 4.8));   /* rim: above, from the right */
        add_box(out, &f, -150, 40, 0.20, 0.28, bl_v3d_make(3.0, 3.1, 3.3)); /* fill: beside the camera */
    } else if (!strcmp(name, "sky")) {
        out->zenith = bl_v3d_make(0.22, 0.42, 0.85);
        out->horizon = bl_v3d_make(0.80, 0.86, 0.92);
        out->nadir = bl_v3d_make(0.28, 0.26, 0.22);
        add_box(out, &f, -60, 42, 0.05, 0.05, bl_v3d_make(330, 300, 250));
    } else if (!strcmp(name, "white")) {
        out->zenith = out->horizon = out->nadir = grey(1);
    } else if (!strcmp(name, "black")) {
        out->zenith = out->horizon = out->nadir = grey(0.012);
        add_box(out, &f, -120, 50, 0.4, 0.4, grey(7));
        add_box(out, &f, 30, 35, 0.8, 0.25, bl_v3d_make(7, 7.4, 8));
    } else if (!strcmp(name, "diagram")) {
        out->zenith = grey(0.85);
        out->horizon = grey(0.75);
        out->nadir = grey(0.45);
        add_box(out, &f, -150, 50, 0.5, 0.5, grey(1.5));
    } else {
        return false;
    }
    prepare_sampling(out);
    return true;
}

bl_vec3d bl_light_dome(const bl_light *light, bl_vec3d dir) {
    double height = bl_v3d_dot(dir, light->up);
    return height >= 0 ? mix(light->horizon, light->zenith, smooth(height * 1.2))
                       : mix(light->horizon, light->nadir, smooth(-height * 2));
}

bl_vec3d bl_light_all(const bl_light *light, bl_vec3d dir) {
    bl_vec3d sum = bl_light_dome(light, dir);
    for (int i = 0; i < light->box_count; i++) {
        const bl_softbox *box = &light->boxes[i];
        double along = bl_v3d_dot(dir, box->axis);
        if (along <= 0) continue;
        double a = bl_v3d_dot(dir, box->right) / along / bl_v3d_norm2(box->right);
        double b = bl_v3d_dot(dir, box->up) / along / bl_v3d_norm2(box->up);
        sum = bl_v3d_mad(sum, box_profile(a, b), box->radiance);
    }
    return sum;
}

int bl_light_choose(const bl_light *light, double u, double *chance) {
    int box = 0;
    while (box + 1 < light->box_count && u >= light->share[box]) u -= light->share[box++];
    *chance = light->share[box];
    return box;
}

/* Half width e of the square ring that a point of a box lies on, such that the points follow the profile; *spread is
 * the area around a point over its probability. */
static double sample_ring(const bl_light *light, double u, double *spread) {
    const double inner = 4 * FULL * FULL / light->profile; /* share of the part of full brightness */
    if (u < inner) {
        *spread = light->profile;
        return FULL * sqrt(u / inner);
    }
    double at = (u - inner) / (1 - inner) * BL_FADE_STEPS;
    int k = at < BL_FADE_STEPS - 1 ? (int)at : BL_FADE_STEPS - 1;
    double width = light->rim[k + 1] - light->rim[k], e = light->rim[k] + (at - k) * width;
    *spread = 8 * e * width * BL_FADE_STEPS / (1 - inner);
    return e;
}

bl_vec3d bl_light_sample(const bl_light *light, int index, const double u[2], bl_vec3d *weight) {
    const bl_softbox *box = &light->boxes[index];
    double spread, e = sample_ring(light, u[0], &spread), side = floor(4 * u[1]), s = 2 * (4 * u[1] - side) - 1;
    double a = side < 2 ? s * e : side < 3 ? e : -e, b = side < 1 ? e : side < 2 ? -e : s * e;
    bl_vec3d point = bl_v3d_mad(bl_v3d_mad(box->axis, a, box->right), b, box->up);
    double r2 = bl_v3d_norm2(point), area = spread * bl_v3d_norm(box->right) * bl_v3d_norm(box->up);
    /* area to solid angle: the rectangle stands at distance 1, its normal along the axis */
    *weight = bl_v3d_scale(box_profile(a, b) * area / (r2 * sqrt(r2)), box->radiance);
    return bl_v3d_scale(1 / sqrt(r2), point);
}
