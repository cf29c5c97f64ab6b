/* Loops over all particles. Each writes its own particle only, so results do not depend on the number of threads. */
#define BL_ALL_CUBIC
#include "base/clones.h"
#include "base/parallel.h"
#include "schemes/pcisph/pcisph.h"

BL_CLONES static void density_range(void *user, size_t begin, size_t end) {
    const bl_pcisph *s = user;
    for (size_t i = begin; i < end; ++i) {
        s->fill[i] = bl_pcisph_fill(s, (bl_index)i, s->x, s->b_x);
        s->density[i] = s->density0[s->phase[i]] * s->fill[i];
        s->excess[i] = bl_max(BL_R(0), s->fill[i] - BL_R(1) - s->mend);
        s->lightest[i] = bl_pcisph_lightest(s, (bl_index)i);
    }
}

BL_CLONES static void normal_range(void *user, size_t begin, size_t end) {
    const bl_pcisph *s = user;
    for (size_t i = begin; i < end; ++i) s->normal[i] = bl_cohesion_normal(s, (bl_index)i);
}

/* What the iterations start from: no pressure, and the accelerations that they leave alone. */
BL_CLONES static void fixed_range(void *user, size_t begin, size_t end) {
    const bl_pcisph *s = user;
    const bl_vec3 g = bl_v3_make(s->gravity[0], s->gravity[1], s->gravity[2]);
    for (size_t k = begin; k < end; ++k) {
        const bl_index i = (bl_index)k;
        real virial;
        bl_vec3 f = bl_v3_zero();
        if (s->viscid) f = bl_pcisph_viscosity_fluid(s, i);
        if (s->fb.near[i]) f = bl_v3_add(f, bl_pcisph_viscosity_walls(s, i));
        if (s->normal) f = bl_v3_add(f, bl_cohesion_force(s, i, &virial));
        if (s->normal && s->fb.near[i]) f = bl_v3_add(f, bl_adhesion_force(s, i));
        s->a_fixed[i] = bl_v3_mad(g, 1 / s->mass[s->phase[i]], f);
        s->a_solved[i] = bl_v3_zero();
        s->p[i] *= s->warm;
        s->x_p[i] = bl_v4_make(s->x[i], s->p[i]);
        s->x_next[i] = s->x[i];
    }
}

BL_CLONES static void predict_range(void *user, size_t begin, size_t end) {
    const bl_pcisph *s = user;
    for (size_t i = begin; i < end; ++i) bl_pcisph_predict(s, (bl_index)i);
}

BL_CLONES static void error_range(void *user, size_t begin, size_t end) {
    const bl_pcisph *s = user;
    for (size_t i = begin; i < end; ++i)
        s->error[i] = bl_pcisph_fill(s, (bl_index)i, s->x_next, s->b_x_next) - BL_R(1) - s->excess[i];
}

static void correct_range(void *user, size_t begin, size_t end) {
    const bl_pcisph *s = user;
    for (size_t i = begin; i < end; ++i) bl_pcisph_correct(s, (bl_index)i);
}

BL_CLONES static void force_range(void *user, size_t begin, size_t end) {
    const bl_pcisph *s = user;
    for (size_t k = begin; k < end; ++k) {
        const bl_index i = (bl_index)k;
        bl_vec3 wall;
        real virial;
        bl_vec3 f = bl_pcisph_pressure(s, i, &wall);
        if (!s->normal) {
            f = bl_v3_add(f, bl_pairwise_fluid(s, i, &virial));
            if (s->fb.all[i]) f = bl_v3_add(f, bl_pairwise_walls(s, i));
        }
        s->a_solved[i] = bl_v3_scale(1 / s->mass[s->phase[i]], f);
    }
}

static const struct {
    const char *name;
    bl_range_fn fn;
} passes[BL_PCISPH_PASSES] = {
    [BL_PCISPH_DENSITY] = {"density", density_range},   [BL_PCISPH_NORMAL] = {"normals", normal_range},
    [BL_PCISPH_FIXED] = {"forces", fixed_range},        [BL_PCISPH_PREDICT] = {"predict", predict_range},
    [BL_PCISPH_ERROR] = {"density error", error_range}, [BL_PCISPH_CORRECT] = {"correct", correct_range},
    [BL_PCISPH_FORCE] = {"pressure", force_range},
};

void bl_pcisph_run(bl_world *world, pcisph *s, bl_pcisph_pass pass) {
    double start = bl_now();
    bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, passes[pass].fn, &s->view);
    bl_timers_add(&world->timers, passes[pass].name, bl_now() - start);
}
