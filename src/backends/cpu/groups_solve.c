/* The passes of an iteration, by groups. */
#include "backends/cpu/groups.h"
#include "physics/group_solver.h"

BL_DEFINE_RANGE(groups_predict) {
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 force;
        bl_group_fetch_next(s, &b);
        BL_GROUP_SUM_OF(bl_group_pressure, s, &b, &force);
        const bl_view lanes = bl_view_from(s, b.first);
        if (bl_group_is_free(s, &b))
            BL_FOR_GROUP(l) bl_predict_of(&lanes, (bl_index)l, s->fluids, 0, bl_group_get(&force, l));
        else
            BL_FOR_MEMBERS(b, l) bl_predict_with(s, b.first + (bl_index)l, bl_group_get(&force, l));
    }
}

BL_DEFINE_RANGE(groups_interface_fluid) {
    BL_FOR_GROUPS(s, b, begin, end) {
        real sum[BL_GROUP];
        BL_GROUP_SUM(bl_group_far_sum, s, &b, s->x_next, sum);
        const bl_view lanes = bl_view_from(s, b.first);
        if (bl_group_is_free(s, &b))
            BL_FOR_GROUP(l) bl_interface_of(&lanes, (bl_index)l, s->fluids, 0, 0, sum[l]);
        else
            BL_FOR_MEMBERS(b, l) bl_interface_with(s, b.first + (bl_index)l, sum[l]);
    }
}

BL_DEFINE_RANGE(groups_residual) {
    BL_FOR_GROUPS(s, b, begin, end) {
        real rate[BL_GROUP] = {0};
        bl_group3 tension = {{0}, {0}, {0}};
        if (s->step->solve_pressure && s->step->solve_tension)
            BL_GROUP_SUM_OF(bl_group_residuals, s, &b, rate, &tension);
        else if (s->step->solve_pressure)
            BL_GROUP_SUM_OF(bl_group_volume_rate, s, &b, rate);
        else if (s->step->solve_tension)
            BL_GROUP_SUM(bl_group_tension, s, &b, &tension);
        int free = s->step->solve_pressure && s->step->solve_tension && bl_group_is_free(s, &b);
        if (free) {
            const bl_view lanes = bl_view_from(s, b.first);
            BL_FOR_GROUP(l)
            bl_residual_of(&lanes, (bl_index)l, s->fluids, 0, 1, 1, rate[l], bl_group_get(&tension, l));
        } else {
            BL_FOR_MEMBERS(b, l) bl_residual_with(s, b.first + (bl_index)l, rate[l], bl_group_get(&tension, l));
        }
    }
}
