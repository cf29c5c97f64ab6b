/* What a solve starts from and what is left to do after it, by groups. */
#include "backends/cpu/groups.h"
#include "physics/group_solver.h"

BL_GROUP_REST volume_members(const bl_view *s, const bl_group *b, const real *rho, const bl_group3 *mu) {
    BL_FOR_MEMBERS(b, l) {
        bl_moments m = {rho[l], bl_group_get(mu, l)};
        bl_volume_with(s, b->first + (bl_index)l, m);
    }
}
BL_DEFINE_GROUPS_OF(groups_volume) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        real rho[BL_GROUP];
        bl_group3 mu;
        bl_group_fetch_next(s, &b);
        bl_group_moments(s, &b, &k, corrected, periodic, rho, &mu);
        volume_members(s, &b, rho, &mu);
    }
}

BL_GROUP_REST diagonal_p_members(const bl_view *s, const bl_group *b, const bl_group3 *sum, const real *squares) {
    real inv_mass = s->fluids[0].inv_mass;
    BL_FOR_MEMBERS(b, l)
    bl_diagonal_p_with(s, b->first + (bl_index)l, bl_group_get(sum, l), inv_mass * squares[l]);
}
BL_DEFINE_GROUPS_OF(groups_diagonal_p) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 sum;
        real squares[BL_GROUP];
        bl_group_fetch_next(s, &b);
        bl_group_volume_diagonal(s, &b, &k, corrected, periodic, &sum, squares);
        diagonal_p_members(s, &b, &sum, squares);
    }
}

/* Of a warm start: the tension and its step size, which need the same neighbours. Of a cold one: the step size. */
BL_GROUP_REST start_members(const bl_view *s, const bl_group *b, int warm, const bl_group3 *tension,
                            const bl_group3 *gradient, const real *squares) {
    BL_FOR_MEMBERS(b, l) {
        bl_index i = b->first + (bl_index)l;
        if (warm) bl_start_warm_with(s, i, bl_group_get(tension, l));
        bl_alpha_st_with(s, i, bl_group_get(gradient, l), bl_v3_zero(), squares[l]);
    }
}
BL_FN void start(const bl_view *s, bl_index begin, bl_index end, int warm, int periodic) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 tension, gradient;
        real squares[BL_GROUP];
        bl_group_start(s, &b, &k, periodic, &tension, &gradient, squares);
        start_members(s, &b, warm, &tension, &gradient, squares);
    }
}
BL_GROUPS_CLONES static void start_open(const bl_view *s, bl_index begin, bl_index end, int warm) {
    start(s, begin, end, warm, 0);
}
BL_GROUPS_CLONES static void start_periodic(const bl_view *s, bl_index begin, bl_index end, int warm) {
    start(s, begin, end, warm, 1);
}
void BL_GROUPS_NAME(groups_start_warm)(const bl_view *s, bl_index begin, bl_index end) {
    (s->par->periodic ? start_periodic : start_open)(s, begin, end, 1);
}
void BL_GROUPS_NAME(groups_alpha_st)(const bl_view *s, bl_index begin, bl_index end) {
    (s->par->periodic ? start_periodic : start_open)(s, begin, end, 0);
}

BL_GROUP_REST virial_members(const bl_view *s, const bl_group *b, const real *pressure, const real *tension) {
    BL_FOR_MEMBERS(b, l) bl_virial_with(s, b->first + (bl_index)l, pressure[l], tension[l]);
}
BL_DEFINE_GROUPS_OF(groups_virial) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        real pressure[BL_GROUP], tension[BL_GROUP];
        bl_group_virials(s, &b, &k, corrected, periodic, pressure, tension);
        virial_members(s, &b, pressure, tension);
    }
}
