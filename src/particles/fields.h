/* Every per-particle array, declared once.
 *
 * The list drives allocation, sorting, checkpoints, frame output and the view that passes see. Columns:
 *   X(type, name, flags, unit, meaning)
 * type is real, bl_vec3 or uint32_t. Flags:
 *   STATE  survives a step: sorted, in checkpoints
 *   OUT    written to frames (under its name)
 * a field with neither is scratch of one step. */
#ifndef BL_PARTICLES_FIELDS_H
#define BL_PARTICLES_FIELDS_H

#define BL_FIELD_STATE 1u
#define BL_FIELD_OUT 2u

/* clang-format off */
#define BL_FLUID_FIELDS(X) \
    X(uint32_t, id,          BL_FIELD_STATE | BL_FIELD_OUT, "1",     "stable number of the particle") \
    X(uint32_t, phase,       BL_FIELD_STATE | BL_FIELD_OUT, "1",     "index of the fluid in the scene") \
    X(bl_vec3,  x,           BL_FIELD_STATE,                "m",     "position (the points of a frame)") \
    X(bl_vec3,  v,           BL_FIELD_STATE | BL_FIELD_OUT, "m/s",   "velocity") \
    X(real,     p,           BL_FIELD_STATE | BL_FIELD_OUT, "Pa",    "pressure, the multiplier of the volume constraint") \
    X(bl_vec3,  f_st,        BL_FIELD_STATE | BL_FIELD_OUT, "N",     "surface tension force") \
    X(bl_vec3,  f_fr,        BL_FIELD_STATE | BL_FIELD_OUT, "N",     "friction force") \
    X(bl_vec3,  f_n,         BL_FIELD_STATE | BL_FIELD_OUT, "N",     "normal force from boundaries (eq. 14)") \
    X(real,     density,     BL_FIELD_STATE | BL_FIELD_OUT, "kg/m^3","density") \
    X(real,     s_fv,        BL_FIELD_STATE | BL_FIELD_OUT, "1",     "S of the fluid-vapour interface (eq. 12)") \
    X(real,     virial_p,    BL_FIELD_STATE | BL_FIELD_OUT, "Pa",    "virial of the pressure forces over dim V0") \
    X(real,     virial_st,   BL_FIELD_STATE | BL_FIELD_OUT, "Pa",    "virial of the tension forces over dim V0") \
    BL_FLUID_SCRATCH(X)

/* Scratch of the unified scheme (schemes/unified). */
#define BL_FLUID_SCRATCH(X) \
    X(bl_vec3,  v_next,      0, "m/s",   "predicted velocity (eq. 20)") \
    X(bl_vec3,  x_next,      0, "m",     "predicted position") \
    X(bl_vec3,  f_p,         0, "N",     "pressure force (eq. 4)")

#define BL_BOUNDARY_FIELDS(X) \
    X(uint32_t, id,          BL_FIELD_STATE | BL_FIELD_OUT, "1",     "stable number of the particle") \
    X(uint32_t, body,        BL_FIELD_STATE | BL_FIELD_OUT, "1",     "index of the boundary in the scene") \
    X(bl_vec3,  x,           BL_FIELD_STATE,                "m",     "position") \
    X(bl_vec3,  v,           BL_FIELD_STATE | BL_FIELD_OUT, "m/s",   "velocity") \
    X(bl_vec3,  normal,      BL_FIELD_STATE | BL_FIELD_OUT, "1",     "surface normal, out of the solid") \
    X(real,     volume,      BL_FIELD_STATE,                "m^3",   "rest volume V_b (area in 2D)") \
    BL_BOUNDARY_SCRATCH(X)

#define BL_BOUNDARY_SCRATCH(X) \
    X(real,     w_bb,        0, "1",     "kernel sum over boundary neighbours, 3h (eq. 8d)") \
    X(real,     s_bv,        0, "1",     "S of the boundary-vapour interface") \
    X(real,     s_bf,        0, "1",     "S of the boundary-fluid interface")
/* clang-format on */

/* Field numbers: BL_F_x for fluid, BL_B_x for boundary. */
enum {
#define X(type, name, flags, unit, doc) BL_F_##name,
    BL_FLUID_FIELDS(X)
#undef X
    BL_F_COUNT
};
enum {
#define X(type, name, flags, unit, doc) BL_B_##name,
    BL_BOUNDARY_FIELDS(X)
#undef X
    BL_B_COUNT
};

#endif
