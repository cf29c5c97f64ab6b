#include "analysis/liquid.h"

#include <math.h>

double bl_liquid_volume(const bl_liquid *liquid) { return (double)liquid->count * pow(liquid->h, liquid->dimension); }

double bl_liquid_radius(const bl_liquid *liquid) {
    double volume = bl_liquid_volume(liquid);
    return liquid->dimension == 2 ? sqrt(volume / M_PI) : cbrt(3 * volume / (4 * M_PI));
}

/* Mean of a vector field by mass; NaN without particles. */
static bl_vec3d mean_by_mass(const bl_liquid *liquid, const bl_vec3d *field) {
    bl_vec3d sum = bl_v3d_zero();
    double mass = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        sum = bl_v3d_mad(sum, liquid->mass[i], field[i]);
        mass += liquid->mass[i];
    }
    return mass > 0 ? bl_v3d_scale(1 / mass, sum) : bl_v3d_make((double)NAN, (double)NAN, (double)NAN);
}

bl_vec3d bl_liquid_center(const bl_liquid *liquid) { return mean_by_mass(liquid, liquid->x); }

/* Mean of `field` over the particles within `radius` of `center`. */
static double mean_within(const bl_liquid *liquid, const double *field, bl_vec3d center, double radius) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < liquid->count && field; i++) {
        if (!(bl_v3d_norm2(bl_v3d_sub(liquid->x[i], center)) < radius * radius)) continue;
        sum += field[i];
        n += 1;
    }
    return n > 0 ? sum / n : (double)NAN;
}

bl_pressure_result bl_measure_pressure(const bl_liquid *liquid) {
    bl_vec3d center = bl_liquid_center(liquid);
    double radius = bl_liquid_radius(liquid), core = fmax(radius - 4 * liquid->h, radius / 2);
    return (bl_pressure_result){.radius = radius,
                                .mean = mean_within(liquid, liquid->p, center, (double)INFINITY),
                                .core = mean_within(liquid, liquid->virial, center, core)};
}

bl_motion_result bl_measure_motion(const bl_liquid *liquid) {
    bl_motion_result out = {(double)NAN, (double)NAN, (double)NAN};
    if (!liquid->v || liquid->count == 0) return out;
    double energy = 0, v2_max = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        double v2 = bl_v3d_norm2(liquid->v[i]);
        energy += 0.5 * liquid->mass[i] * v2;
        v2_max = fmax(v2_max, v2);
    }
    out.speed_center = bl_v3d_norm(mean_by_mass(liquid, liquid->v));
    out.speed_max = sqrt(v2_max);
    out.kinetic_energy = energy;
    return out;
}
