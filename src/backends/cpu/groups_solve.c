/* The passes of an iteration, by groups. */
#include "backends/cpu/groups.h"
#include "physics/group_solver.h"

BL_GROUP_REST predict_members(const bl_view *s, const bl_group *b, const bl_group3 *force) {
    BL_FOR_MEMBERS(b, l) bl_predict_with(s, b->first + (bl_index)l, bl_group_get(force, l));
}
BL_DEFINE_GROUPS_OF(groups_predict) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 force;
        bl_group_fetch_next(s, &b);
        bl_group_pressure(s, &b, &k, corrected, periodic, &force);
        const bl_view lanes = bl_view_from(s, b.first);
        if (bl_group_is_free(s, &b))
            BL_FOR_GROUP(l) bl_predict_of(&lanes, (bl_index)l, s->fluids, 0, bl_group_get(&force, l));
        else
            predict_members(s, &b, &force);
    }
}

BL_GROUP_REST interface_members(const bl_view *s, const bl_group *b, const real *sum) {
    BL_FOR_MEMBERS(b, l) bl_interface_with(s, b->first + (bl_index)l, sum[l]);
}
BL_DEFINE_GROUPS(groups_interface_fluid) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        real sum[BL_GROUP];
        bl_group_far_sum(s, &b, &k, periodic, s->x_next, sum);
        const bl_view lanes = bl_view_from(s, b.first);
        if (bl_group_is_free(s, &b))
            BL_FOR_GROUP(l) bl_interface_of(&lanes, (bl_index)l, s->fluids, 0, 0, sum[l]);
        else
            interface_members(s, &b, sum);
    }
}

BL_GROUP_REST residual_members(const bl_view *s, const bl_group *b, const real *rate, const bl_group3 *tension) {
    BL_FOR_MEMBERS(b, l) bl_residual_with(s, b->first + (bl_index)l, rate[l], bl_group_get(tension, l));
}
/* Both sums are taken even if one is not solved for (the separated orders), and then not looked at. */
BL_DEFINE_GROUPS_OF(groups_residual) {
    const int both = s->step->solve_pressure && s->step->solve_tension;
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        real rate[BL_GROUP];
        bl_group3 tension;
        bl_group_residuals(s, &b, &k, corrected, periodic, rate, &tension);
        if (both && bl_group_is_free(s, &b)) {
            const bl_view lanes = bl_view_from(s, b.first);
            BL_FOR_GROUP(l)
            bl_residual_of(&lanes, (bl_index)l, s->fluids, 0, 1, 1, rate[l], bl_group_get(&tension, l));
        } else {
            residual_members(s, &b, rate, &tension);
        }
    }
}
