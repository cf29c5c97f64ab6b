/* What a rigid body weighs. */
#include "geometry/integrals.h"
#include "rigid/rigid.h"

static bl_status make_solids(bl_context *ctx, const bl_scene *scene, const bl_boundary *b, bl_solid **solids) {
    bl_status status = BL_OK;
    for (int k = 0; k < b->shape_count && !status; k++) {
        status = bl_solid_create(ctx, &b->shapes[k], scene->dimension, &solids[k]);
        if (!status && bl_solid_is_sheet(solids[k]))
            status = bl_scene_fail(ctx, BL_ERR_DATA, solids[k]->pos,
                                   "rigid boundary `%s`: an open mesh has no volume; expected a closed one", b->name);
    }
    return status;
}

/* second - volume c c^T, as the tensor trace 1 - that, times the density. */
static void set_inertia(const bl_solid_integrals *m, double density, bl_rigid_mass *out) {
    const bl_vec3d c = out->center;
    const double cc[6] = {c.x * c.x, c.y * c.y, c.z * c.z, c.y * c.z, c.x * c.z, c.x * c.y};
    double s[6];
    for (int k = 0; k < 6; k++) s[k] = density * (m->second[k] - m->volume * cc[k]);
    const double inertia[6] = {s[1] + s[2], s[0] + s[2], s[0] + s[1], -s[3], -s[4], -s[5]};
    for (int k = 0; k < 6; k++) out->inertia[k] = inertia[k];
}

bl_status bl_rigid_mass_of(bl_context *ctx, const bl_scene *scene, int boundary, bl_rigid_mass *out) {
    const bl_boundary *b = &scene->boundaries[boundary];
    *out = (bl_rigid_mass){0};
    bl_solid **solids = bl_alloc(ctx, (size_t)b->shape_count, sizeof *solids);
    if (!solids) return BL_ERR_MEMORY;
    bl_status status = make_solids(ctx, scene, b, solids);
    if (!status) {
        bl_solid_integrals m = bl_solid_integrate(solids, b->shape_count);
        if (!(m.volume > 0)) {
            status = bl_scene_fail(ctx, BL_ERR_DATA, b->pos,
                                   "rigid boundary `%s`: nothing is inside of its shapes; expected a volume", b->name);
        } else {
            out->volume = m.volume;
            out->mass = b->rigid.mass > 0 ? b->rigid.mass : b->rigid.density * m.volume;
            out->center = bl_v3d_scale(1 / m.volume, m.first);
            set_inertia(&m, out->mass / m.volume, out);
        }
    }
    for (int k = 0; k < b->shape_count; k++) bl_solid_destroy(ctx, solids[k]);
    bl_release(ctx, solids);
    return status;
}
