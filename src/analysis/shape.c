#include "analysis/shape.h"

#include "surface/surface.h"

#include <math.h>

/* r^n P_n(cos theta), a polynomial in z and r^2. */
static double solid_legendre(int n, double z, double r2) {
    double z2 = z * z;
    if (n == 2) return (3 * z2 - r2) / 2;
    if (n == 3) return z * (5 * z2 - 3 * r2) / 2;
    return (35 * z2 * z2 - 30 * z2 * r2 + 3 * r2 * r2) / 8;
}

/* r^n cos(n phi), the real part of (x + iy)^n. */
static double solid_cosine(int n, double x, double y) {
    double re = 1, im = 0;
    for (int k = 0; k < n; k++) {
        double next = re * x - im * y;
        im = re * y + im * x;
        re = next;
    }
    return re;
}

double bl_mode_amplitude(const bl_liquid *liquid, int n) {
    if (liquid->count == 0) return (double)NAN;
    bl_vec3d center = bl_liquid_center(liquid);
    bool flat = liquid->dimension == 2;
    double sum = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        bl_vec3d d = bl_v3d_sub(liquid->x[i], center);
        sum += flat ? solid_cosine(n, d.x, d.y) : solid_legendre(n, d.z, bl_v3d_norm2(d));
    }
    double moment = sum / ((double)liquid->count * pow(bl_liquid_radius(liquid), n));
    return flat ? moment : (2 * n + 1) / 3.0 * moment;
}

enum { MAX_WAVES = 24, OUTLINE_POINTS = 1440 };

/* Fourier series of r(phi)^2 / 2 around `center`: a[n] cos n phi + b[n] sin n phi. Returns the last wave. */
static int outline_series(const bl_liquid *liquid, bl_vec3d center, double a[MAX_WAVES + 1], double b[MAX_WAVES + 1]) {
    int waves = (int)(bl_liquid_radius(liquid) / (2 * liquid->h));
    waves = waves < 4 ? 4 : waves > MAX_WAVES ? MAX_WAVES : waves;
    for (int n = 0; n <= waves; n++) a[n] = b[n] = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        double phi = atan2(liquid->x[i].y - center.y, liquid->x[i].x - center.x);
        for (int n = 0; n <= waves; n++) {
            double weight = liquid->h * liquid->h / (n == 0 ? 2 * M_PI : M_PI);
            a[n] += weight * cos(n * phi);
            b[n] += weight * sin(n * phi);
        }
    }
    return waves;
}

double bl_outline_length(const bl_liquid *liquid) {
    if (liquid->count == 0) return (double)NAN;
    double a[MAX_WAVES + 1], b[MAX_WAVES + 1], length = 0;
    int waves = outline_series(liquid, bl_liquid_center(liquid), a, b);
    bl_vec3d last = bl_v3d_zero();
    for (int k = 0; k <= OUTLINE_POINTS; k++) {
        double phi = 2 * M_PI * (k % OUTLINE_POINTS) / OUTLINE_POINTS, half_r2 = 0;
        for (int n = 0; n <= waves; n++) half_r2 += a[n] * cos(n * phi) + b[n] * sin(n * phi);
        double r = sqrt(2 * fmax(half_r2, 0));
        bl_vec3d at = bl_v3d_make(r * cos(phi), r * sin(phi), 0);
        if (k > 0) length += bl_v3d_norm(bl_v3d_sub(at, last));
        last = at;
    }
    return length;
}

static bl_vec3 *to_working(bl_context *ctx, const bl_vec3d *x, size_t count) {
    bl_vec3 *out = bl_alloc(ctx, count, sizeof *out);
    for (size_t i = 0; out && i < count; i++) out[i] = bl_v3_from_d(x[i]);
    return out;
}

/* Volume and area of the mesh around the particles. */
static bl_status measure_mesh(bl_context *ctx, const bl_liquid *liquid, const bl_walls_sample *walls, double gap,
                              bl_shape_result *out) {
    size_t wall_count = walls ? walls->count : 0;
    bl_vec3 *x = to_working(ctx, liquid->x, liquid->count);
    bl_vec3 *wall_x = wall_count ? to_working(ctx, walls->x, wall_count) : NULL;
    bl_vec3 *wall_normal = wall_count ? to_working(ctx, walls->normal, wall_count) : NULL;
    bl_status status = x && (!wall_count || (wall_x && wall_normal)) ? BL_OK : BL_ERR_MEMORY;
    bl_surface_input input = {.spacing = liquid->h,
                              .count = liquid->count,
                              .x = x,
                              .phase_count = 1,
                              .wall_count = wall_count,
                              .wall_x = wall_x,
                              .wall_normal = wall_normal,
                              .options = bl_default_surface_options()};
    input.options.wall_offset = gap / liquid->h;
    bl_surface_mesh mesh = {0};
    if (status == BL_OK) status = bl_surface_build(ctx, &input, &mesh);
    if (status == BL_OK) {
        out->volume = bl_surface_mesh_volume(&mesh);
        out->area = bl_surface_mesh_area(&mesh);
    }
    bl_surface_mesh_clear(ctx, &mesh);
    bl_release(ctx, x);
    bl_release(ctx, wall_x);
    bl_release(ctx, wall_normal);
    return status;
}

bl_status bl_measure_shape(bl_context *ctx, const bl_liquid *liquid, const bl_walls_sample *walls, double gap,
                           bl_shape_result *out) {
    *out = (bl_shape_result){.center = bl_liquid_center(liquid)};
    for (int n = 2; n <= 4; n++) out->mode[n - 2] = bl_mode_amplitude(liquid, n);
    if (liquid->dimension == 2) {
        out->volume = bl_liquid_volume(liquid);
        out->area = bl_outline_length(liquid);
        out->sphericity = 2 * sqrt(M_PI * out->volume) / out->area;
        return BL_OK;
    }
    bl_status status = measure_mesh(ctx, liquid, walls, gap, out);
    out->sphericity = cbrt(36 * M_PI * out->volume * out->volume) / out->area;
    return status;
}
