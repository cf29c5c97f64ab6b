/* Drops on walls. */
#include "analysis/contact.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

static bl_status contact_of_frame(const bl_trial *trial, int number, bl_contact_result *out) {
    bl_liquid liquid = {0};
    bl_walls_sample walls = {0};
    bl_base base;
    bl_status status = bl_liquid_load(&trial->reader, -1, number, &liquid);
    if (status == BL_OK) status = bl_walls_sample_load(&trial->reader, number, &walls);
    if (status == BL_OK) status = bl_base_find(trial->ctx, &liquid, &walls, &base);
    if (status == BL_OK) status = bl_measure_contact(trial->ctx, &liquid, &base, out);
    bl_walls_sample_clear(trial->ctx, &walls);
    bl_liquid_clear(trial->ctx, &liquid);
    return status;
}

bl_status bl_trial_contact(const bl_trial *trial, double from, bl_contact_result *out) {
    bl_status status = BL_OK;
    bl_contact_result sum = {0};
    double n = 0;
    for (size_t k = 0; k < trial->reader.frame_count && status == BL_OK; k++) {
        if (trial->reader.frames[k].time < from) continue;
        bl_contact_result c;
        status = contact_of_frame(trial, trial->reader.frames[k].number, &c);
        sum.angle += c.angle, sum.angle_fit += c.angle_fit, sum.base_radius += c.base_radius;
        sum.height += c.height, sum.load += c.load, sum.friction += c.friction;
        n++;
    }
    *out = (bl_contact_result){sum.angle / n,  sum.angle_fit / n, sum.base_radius / n,
                               sum.height / n, sum.load / n,      sum.friction / n};
    return status;
}

/* The angle over time, in degrees. */
static bl_status draw_angle(bl_trial *trial, const bl_trial_liquid *d, double wanted) {
    size_t count = trial->reader.frame_count;
    double *t = bl_alloc(trial->ctx, count, sizeof *t), *angle = bl_alloc(trial->ctx, count, sizeof *angle);
    double *law = bl_alloc(trial->ctx, count, sizeof *law);
    bl_status status = t && angle && law ? BL_OK : BL_ERR_MEMORY;
    for (size_t k = 0; k < count && status == BL_OK; k++) {
        bl_contact_result c;
        status = contact_of_frame(trial, trial->reader.frames[k].number, &c);
        t[k] = trial->reader.frames[k].time / sqrt(d->rho * pow(d->radius, 3) / d->gamma);
        angle[k] = c.angle * 180 / M_PI;
        law[k] = wanted * 180 / M_PI;
    }
    if (status == BL_OK)
        status = bl_trial_draw(trial, "time / sqrt(rho R^3/gamma)", "contact angle (degrees)", t, angle, law, count);
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, angle);
    bl_release(trial->ctx, law);
    return status;
}

/* Means over the last third of the run. `angle`, `angle_fit`: by two ways (docs/measure.md), in degrees, of caps;
 * `height`, `base`: against the Young-Laplace equation with the liquid's weight and the contact angle of the scene;
 * `load`: sum of the normal forces against weight plus the pull of the contact line. */
bl_status bl_measure_case_contact(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    const bl_scene *scene = trial->reader.scene;
    if (scene->boundary_count < 1)
        return bl_fail(trial->ctx, BL_ERR_DATA, "%s: the scene has no boundary", trial->reader.dir);
    double wanted =
        scene->boundaries[0].contact_angle.count ? bl_curve_at(&scene->boundaries[0].contact_angle, d.end) : M_PI / 2;
    bl_contact_result c;
    bl_status status = bl_trial_contact(trial, d.end * 2 / 3, &c);
    if (status != BL_OK) return status;
    double length = d.g > 0 ? sqrt(d.gamma / (d.rho * d.g)) : (double)INFINITY;
    double volume = bl_trial_volume(trial);
    bl_sessile shape = bl_law_sessile(d.dimension, wanted, volume, length);
    double line = d.dimension == 2 ? 2 : 2 * M_PI * c.base_radius; /* length of the contact line */
    bl_trial_add(trial, "angle", c.angle * 180 / M_PI, wanted * 180 / M_PI);
    bl_trial_add(trial, "angle_fit", c.angle_fit * 180 / M_PI, wanted * 180 / M_PI);
    bl_trial_add(trial, "height", c.height, shape.height);
    bl_trial_add(trial, "base", c.base_radius, shape.base_radius);
    bl_trial_add(trial, "load", c.load, d.rho * volume * d.g + line * d.gamma * sin(wanted));
    return draw_angle(trial, &d, wanted);
}
