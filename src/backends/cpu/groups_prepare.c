/* What a solve starts from and what is left to do after it, by groups. */
#include "backends/cpu/groups.h"
#include "physics/group_solver.h"

BL_DEFINE_RANGE(groups_volume) {
    BL_FOR_GROUPS(s, b, begin, end) {
        real rho[BL_GROUP];
        bl_group3 mu;
        bl_group_fetch_next(s, &b);
        BL_GROUP_SUM_OF(bl_group_moments, s, &b, rho, &mu);
        BL_FOR_MEMBERS(b, l) {
            bl_moments m = {rho[l], bl_group_get(&mu, l)};
            bl_volume_with(s, b.first + (bl_index)l, m);
        }
    }
}

BL_DEFINE_RANGE(groups_diagonal_p) {
    real inv_mass = s->fluids[0].inv_mass;
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 sum;
        real squares[BL_GROUP];
        bl_group_fetch_next(s, &b);
        BL_GROUP_SUM_OF(bl_group_volume_diagonal, s, &b, &sum, squares);
        BL_FOR_MEMBERS(b, l)
        bl_diagonal_p_with(s, b.first + (bl_index)l, bl_group_get(&sum, l), inv_mass * squares[l]);
    }
}

BL_DEFINE_RANGE(groups_start_warm) {
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 tension, gradient;
        real squares[BL_GROUP];
        BL_GROUP_SUM(bl_group_start, s, &b, &tension, &gradient, squares);
        BL_FOR_MEMBERS(b, l) {
            bl_index i = b.first + (bl_index)l;
            bl_start_warm_with(s, i, bl_group_get(&tension, l));
            bl_alpha_st_with(s, i, bl_group_get(&gradient, l), bl_v3_zero(), squares[l]);
        }
    }
}

BL_DEFINE_RANGE(groups_alpha_st) {
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 unused, gradient;
        real squares[BL_GROUP];
        BL_GROUP_SUM(bl_group_start, s, &b, &unused, &gradient, squares);
        BL_FOR_MEMBERS(b, l)
        bl_alpha_st_with(s, b.first + (bl_index)l, bl_group_get(&gradient, l), bl_v3_zero(), squares[l]);
    }
}

BL_DEFINE_RANGE(groups_virial) {
    BL_FOR_GROUPS(s, b, begin, end) {
        real pressure[BL_GROUP], tension[BL_GROUP];
        BL_GROUP_SUM_OF(bl_group_virials, s, &b, pressure, tension);
        BL_FOR_MEMBERS(b, l) bl_virial_with(s, b.first + (bl_index)l, pressure[l], tension[l]);
    }
}
