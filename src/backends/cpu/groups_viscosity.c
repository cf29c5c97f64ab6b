/* Viscosity, by groups. */
#include "backends/cpu/groups.h"
#include "physics/group_viscosity.h"

BL_DEFINE_GROUPS(groups_viscosity_explicit) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 force;
        bl_group_viscous_force(s, &b, &k, periodic, s->v, &force);
        BL_FOR_MEMBERS(&b, l) bl_viscosity_explicit_with(s, b.first + (bl_index)l, bl_group_get(&force, l));
    }
}

BL_DEFINE_GROUPS(groups_viscosity_finish) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 force;
        bl_group_viscous_force(s, &b, &k, periodic, s->vis_x, &force);
        BL_FOR_MEMBERS(&b, l) bl_viscous_velocity_with(s, b.first + (bl_index)l, s->vis_x, bl_group_get(&force, l));
    }
}

BL_DEFINE_GROUPS(groups_viscosity_start) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 force, row, rest; /* row: xx xy xz, rest: yy yz zz */
        bl_group_viscous_force(s, &b, &k, periodic, s->v, &force);
        bl_group_viscous_blocks(s, &b, &k, periodic, &row, &rest);
        BL_FOR_MEMBERS(&b, l) {
            bl_block block = {row.x[l], row.y[l], row.z[l], rest.x[l], rest.y[l], rest.z[l]};
            bl_viscosity_start_with(s, b.first + (bl_index)l, bl_group_get(&force, l), block);
        }
    }
}

BL_DEFINE_GROUPS(groups_viscosity_apply) {
    const bl_leans k = bl_leans_of(s->par);
    BL_FOR_GROUPS(s, b, begin, end) {
        bl_group3 force;
        bl_group_viscous_force(s, &b, &k, periodic, s->vis_d, &force);
        BL_FOR_MEMBERS(&b, l) bl_viscosity_apply_with(s, b.first + (bl_index)l, bl_group_get(&force, l));
    }
}
