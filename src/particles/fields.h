/* Every per-particle array, declared once.
 *
 * The list drives allocation, sorting, checkpoints, frame output and the view that passes see. Columns:
 *   X(type, name, flags, unit, meaning)
 * type is real, bl_vec3, bl_vec4 (scratch only) or uint32_t. Flags:
 *   STATE  survives a step: sorted, in checkpoints
 *   MADE   STATE that every step makes anew: nothing to go back to before it is repeated
 *   OUT    written to frames (under its name)
 * a field with neither is scratch of one step. Some share an array (BL_FLUID_SHARED). */
#ifndef BL_PARTICLES_FIELDS_H
#define BL_PARTICLES_FIELDS_H

#define BL_FIELD_STATE 1u
#define BL_FIELD_OUT 2u
#define BL_FIELD_MADE (4u | BL_FIELD_STATE)

/* clang-format off */
#define BL_FLUID_FIELDS(X) \
    X(uint32_t, id,          BL_FIELD_STATE | BL_FIELD_OUT, "1",     "stable number of the particle") \
    X(uint32_t, phase,       BL_FIELD_STATE | BL_FIELD_OUT, "1",     "index of the fluid in the scene") \
    X(uint32_t, held,        BL_FIELD_STATE,                "1",     "0, or: goes on with its velocity whatever pushes it; the place in a nozzle (from 1)") \
    X(bl_vec3,  x,           BL_FIELD_STATE,                "m",     "position (the points of a frame)") \
    X(bl_vec3,  v,           BL_FIELD_STATE | BL_FIELD_OUT, "m/s",   "velocity") \
    X(real,     p,           BL_FIELD_STATE | BL_FIELD_OUT, "Pa",    "pressure, the multiplier of the volume constraint") \
    X(real,     p_mean,      BL_FIELD_STATE,                "Pa",    "pressure, a mean over the last steps where weight makes it") \
    X(bl_vec3,  a,           BL_FIELD_STATE | BL_FIELD_OUT, "m/s^2", "acceleration over the last step") \
    X(bl_vec3,  f_fr,        BL_FIELD_STATE | BL_FIELD_OUT, "N",     "friction force") \
    X(real,     lent,        BL_FIELD_STATE,                "N",     "friction that neighbours at the wall lend it; negative: it lends") \
    X(real,     load,        BL_FIELD_STATE,                "N",     "load that presses it to boundaries (physics/load.h), the length of f_n") \
    X(real,     s_fv,        BL_FIELD_STATE | BL_FIELD_OUT, "1",     "S of the fluid-vapour interface (eq. 12)") \
    X(bl_vec3,  f_st,        BL_FIELD_MADE | BL_FIELD_OUT,  "N",     "surface tension force") \
    X(bl_vec3,  f_n,         BL_FIELD_MADE | BL_FIELD_OUT,  "N",     "load that presses it to boundaries, along the normal") \
    X(real,     density,     BL_FIELD_MADE | BL_FIELD_OUT,  "kg/m^3","density") \
    X(real,     virial_p,    BL_FIELD_MADE | BL_FIELD_OUT,  "Pa",    "virial of the pressure forces over dim V0") \
    X(real,     virial_st,   BL_FIELD_MADE | BL_FIELD_OUT,  "Pa",    "virial of the tension forces over dim V0") \
    BL_FLUID_SCRATCH(X)

/* Scratch of the unified scheme (schemes/unified). */
#define BL_FLUID_SCRATCH(X) \
    X(bl_vec3,  x_next,      0, "m",     "predicted position (eq. 25)") \
    X(real,     g_err,       0, "1",     "volume error 1 - G before the step") \
    X(real,     g_src,       0, "1",     "the part of it that this step corrects") \
    X(bl_vec3,  g_a,         0, "1/m",   "a n of the free-surface correction of G") \
    X(real,     g_b,         0, "1",     "1 - b of the free-surface correction of G") \
    X(bl_vec4,  pqc,         0, "Pa",    "p a n (Pa/m) and p (1 - b): what neighbours feel of the pressure") \
    X(real,     alpha_p,     0, "Pa",    "step size of the pressure (eq. 30)") \
    X(bl_vec3,  wall_n,      0, "1",     "unit normal of the wall near the particle; zero away from walls") \
    X(bl_vec3,  wall_v,      0, "m/s",   "velocity of the wall, kernel mean") \
    X(real,     wall_w,      0, "1",     "kernel sum over the wall, kappa = sum V_b W") \
    X(real,     wall_mu,     0, "1",     "friction coefficient, kernel mean over the wall") \
    X(real,     wall_pull,   0, "N",     "load at the wall beside the pressure on the particle") \
    X(real,     c_fv,        0, "1",     "contribution to the fluid-vapour interface (eq. 24a)") \
    X(real,     c_ff,        0, "1",     "contribution to the fluid-fluid interface (eq. 24b)") \
    X(real,     c_fb,        0, "1",     "contribution to the fluid-boundary interface (eq. 24c)") \
    X(bl_vec4,  xt,          0, "J",     "position (m) and A0 gamma_FV S_FV") \
    X(real,     t_ff,        0, "J",     "A0 gamma_FF S_FF") \
    X(real,     t_fb,        0, "J",     "A0 gamma_FB S_FB") \
    X(real,     d_p,         0, "Pa",    "NNCG direction of p") \
    X(bl_vec3,  d_st,        0, "N",     "NNCG direction of f_st") \
    X(real,     e_v,         0, "1",     "predicted volume error (eq. 21)") \
    X(real,     e_st,        0, "h",     "residual of the tension force, as a displacement") \
    X(real,     e_fr,        0, "h",     "residual of the friction force, as a displacement") \
    X(bl_vec3,  vis_k,       0, "N s",   "viscosity solver: matrix times direction") \
    X(bl_vec3,  vis_x,       0, "m/s",   "viscosity solver: velocity") \
    X(bl_vec3,  vis_r,       0, "N s",   "viscosity solver: residual") \
    X(bl_vec3,  vis_diag,    0, "1/kg",  "viscosity solver: inverse of the diagonal block, xx yy zz") \
    X(bl_vec3,  vis_off,     0, "1/kg",  "viscosity solver: the same, yz xz xy") \
    X(bl_vec3,  vis_z,       0, "m/s",   "viscosity solver: preconditioned residual") \
    X(bl_vec3,  vis_d,       0, "m/s",   "viscosity solver: direction")

/* Scratch that has no array of its own: X(type, name, of, unit, meaning) lies in the array `of`, which is made from it,
 * or which nobody needs at the same time. Nobody needs f_n and virials before the end of a step. Friction
 * that is solved for in closed form leaves r_fr and d_fr alone, and viscosity is done with before. */
#define BL_FLUID_SHARED(X) \
    X(bl_vec3,  v_next,   a,         "m/s", "predicted velocity (eq. 20)") \
    X(real,     alpha_st, e_st,      "1",   "step size of the tension before the minimum is taken (eq. 34b)") \
    X(real,     r_p,      virial_p,  "Pa",  "change of p by one Jacobi iteration (eq. 41)") \
    X(bl_vec3,  r_st,     f_n,       "N",   "change of f_st by one Jacobi iteration") \
    X(bl_vec3,  r_fr,     vis_r,     "N",   "change of f_fr by one Jacobi iteration") \
    X(bl_vec3,  d_fr,     vis_d,     "N",   "NNCG direction of f_fr") \
    X(real,     grip,     e_st,      "N",   "load by the field (scheme.interface: field), before there are residuals") \
    X(real,     spare,    virial_p,  "N",   "friction that a particle can spare (physics/load.h), before there are residuals, ...") \
    X(real,     want,     virial_st, "N",   "... and that it wants to be lent")

#define BL_BOUNDARY_FIELDS(X) \
    X(uint32_t, id,          BL_FIELD_STATE | BL_FIELD_OUT, "1",     "stable number of the particle") \
    X(uint32_t, body,        BL_FIELD_STATE | BL_FIELD_OUT, "1",     "index of the boundary in the scene") \
    X(bl_vec3,  x,           BL_FIELD_STATE,                "m",     "position") \
    X(bl_vec3,  v,           BL_FIELD_STATE | BL_FIELD_OUT, "m/s",   "velocity") \
    X(bl_vec3,  normal,      BL_FIELD_STATE | BL_FIELD_OUT, "1",     "surface normal, out of the solid") \
    X(real,     volume,      BL_FIELD_STATE,                "m^3",   "rest volume V_b (area in 2D)") \
    BL_BOUNDARY_SCRATCH(X)

#define BL_BOUNDARY_SCRATCH(X) \
    X(real,     w_bb,        0, "1",     "kernel sum over boundary particles, itself included, far support (eq. 8d)") \
    X(uint32_t, faces,       0, "1",     "which sides liquid wets it from: BL_FACES_*") \
    X(real,     v_far,       0, "m^3",   "volume that liquid sees within the far support: more than V_b where it stands for what is behind, too") \
    X(real,     share,       0, "1",     "how many particles on the surface of a lattice it stands for in the energies") \
    X(real,     c_bv,        0, "1",     "contribution to the boundary-vapour interface (eq. 24d)") \
    X(real,     c_bf,        0, "1",     "contribution to the boundary-fluid interface (eq. 24e)") \
    X(real,     t_b,         0, "J",     "A0 (gamma_BV S_BV - gamma_BF S_BF)") \
    X(real,     c_back,      0, "1",     "c_bv of the back of a thin plate; 0 if there is none") \
    X(real,     t_back,      0, "J",     "t_b for liquid behind it") \
    X(real,     load,        0, "N m^dim", "normal force of the liquid over the weight of those who share it") \
    X(real,     spare,       0, "N m^dim", "spare friction of the liquid over the same") \
    X(bl_vec3,  pull,        0, "N",     "force of the field on it (scheme.interface: field)") \
    X(bl_vec3,  x_next,      0, "m",     "position at t + dt") /* from here on: not where walls stand for ever */ \
    X(bl_vec3,  f,           0, "N",     "force of the fluid over the last step; known in scenes with elastic or rigid bodies")
/* clang-format on */

/* Field numbers: BL_F_x for fluid, BL_B_x for boundary. */
enum {
#define X(type, name, flags, unit, doc) BL_F_##name,
    BL_FLUID_FIELDS(X)
#undef X
        BL_F_COUNT,
#define X(type, name, of, unit, doc) BL_F_##name = BL_F_##of,
    BL_FLUID_SHARED(X)
#undef X
        BL_F_END
};
enum {
#define X(type, name, flags, unit, doc) BL_B_##name,
    BL_BOUNDARY_FIELDS(X)
#undef X
        BL_B_COUNT
};

#endif
