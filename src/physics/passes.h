/* Every pass and every reduction, declared once.
 *
 *   X(name, domain, near_fluid, near_boundary, writes_fluid, writes_boundary)
 *
 * `name` stands for the function bl_pass_name(view, i). The masks say which arrays it reads from neighbours (what a
 * halo exchange must have fetched before) and which arrays it writes at i. A backend expands the list into loops or
 * kernels; the physics is not touched. */
#ifndef BL_PHYSICS_PASSES_H
#define BL_PHYSICS_PASSES_H

#include "physics/load.h"
#include "physics/reaction.h"
#include "physics/steer.h"
#include "physics/unified.h"
#include "physics/viscosity.h"

#define BL_FL(name) (1ull << BL_F_##name)
#define BL_BD(name) (1ull << BL_B_##name)

/* clang-format off */
/* Without neighbours: ... */
#define BL_PASSES_LOCAL(X) \
    X(hold,                FLUID, 0, 0, BL_FL(v) | BL_FL(vis_k), 0) \
    X(stop,                FLUID, 0, 0, BL_FL(v) | BL_FL(a), 0) \
    X(let_go,              FLUID, 0, 0, BL_FL(v), 0) \
    X(kick,                FLUID, 0, 0, BL_FL(v), 0) \
    X(alpha_finish,        FLUID, 0, 0, BL_FL(alpha_p) | BL_FL(p) | BL_FL(p_mean) | BL_FL(g_src), 0) \
    X(predict_free,        FLUID, 0, 0, BL_FL(v_next) | BL_FL(x_next), 0) \
    X(start_cold,          FLUID, 0, 0, BL_FL(p) | BL_FL(f_st) | BL_FL(f_fr), 0) \
    X(start_field,         FLUID, 0, 0, BL_FL(f_fr), 0) \
    X(start_field_cold,    FLUID, 0, 0, BL_FL(p) | BL_FL(f_fr), 0) \
    X(pressure_products,   FLUID, 0, 0, BL_FL(pqc), 0) \
    X(update,              FLUID, 0, 0, BL_FL(p) | BL_FL(f_st) | BL_FL(f_fr) | BL_FL(d_p) | BL_FL(d_st) | BL_FL(d_fr) | BL_FL(pqc), 0) \
    X(integrate,           FLUID, 0, 0, BL_FL(a) | BL_FL(v) | BL_FL(x) | BL_FL(f_n), 0) \
    X(accept_velocity,     FLUID, 0, 0, BL_FL(v), 0)
/* walls, and what a solve starts from, ... */
#define BL_PASSES_PREPARE(X) \
    X(boundary_sum,        BOUNDARY, 0, BL_BD(x) | BL_BD(volume) | BL_BD(normal), 0, BL_BD(w_bb) | BL_BD(faces) | BL_BD(v_far) | BL_BD(share)) \
    X(boundary_predict,    BOUNDARY, 0, 0, 0, BL_BD(x_next)) \
    X(volume,              FLUID, BL_FL(x), BL_BD(x) | BL_BD(volume), BL_FL(g_err) | BL_FL(g_a) | BL_FL(g_b) | BL_FL(density) | BL_FL(held), 0) \
    X(wall_contact,        FLUID, 0, BL_BD(x) | BL_BD(v) | BL_BD(volume) | BL_BD(body), BL_FL(wall_n) | BL_FL(wall_v) | BL_FL(wall_w) | BL_FL(wall_mu) | BL_FL(load) | BL_FL(spare) | BL_FL(want), 0) \
    X(wall_load,           ACTIVE, BL_FL(x) | BL_FL(pqc) | BL_FL(xt) | BL_FL(t_fb) | BL_FL(wall_w) | BL_FL(spare) | BL_FL(want) | BL_FL(c_fb), 0, 0, BL_BD(load) | BL_BD(spare)) \
    X(wall_share,          FLUID, 0, BL_BD(x) | BL_BD(volume) | BL_BD(load) | BL_BD(spare), BL_FL(wall_pull) | BL_FL(lent), 0) \
    X(diagonal_p,          FLUID, BL_FL(x) | BL_FL(phase), BL_BD(x) | BL_BD(volume), BL_FL(alpha_p), 0) \
    X(alpha_st,            FLUID, BL_FL(x) | BL_FL(phase) | BL_FL(c_fv) | BL_FL(c_ff), BL_BD(x) | BL_BD(volume) | BL_BD(v_far) | BL_BD(body) | BL_BD(w_bb) | BL_BD(faces) | BL_BD(c_bv) | BL_BD(c_bf) | BL_BD(c_back), BL_FL(alpha_st), 0) \
    X(interface_boundary,  ACTIVE, BL_FL(x_next), 0, 0, BL_BD(c_bv) | BL_BD(c_bf) | BL_BD(t_b) | BL_BD(c_back) | BL_BD(t_back)) \
    X(interface_bare,      BOUNDARY, 0, 0, 0, BL_BD(c_bv) | BL_BD(c_bf) | BL_BD(t_b) | BL_BD(c_back) | BL_BD(t_back)) \
    X(reaction_clear,      BOUNDARY, 0, 0, 0, BL_BD(f)) \
    X(reaction_viscous,    ACTIVE, BL_FL(x) | BL_FL(vis_x) | BL_FL(phase), 0, 0, BL_BD(f)) \
    X(reaction,            ACTIVE, BL_FL(x) | BL_FL(pqc) | BL_FL(xt) | BL_FL(t_fb) | BL_FL(f_fr) | BL_FL(wall_w), 0, 0, BL_BD(f))
/* forces and residuals, ... */
#define BL_PASSES_SOLVE(X) \
    X(start_warm,          FLUID, BL_FL(x) | BL_FL(xt) | BL_FL(phase) | BL_FL(t_ff) | BL_FL(c_fv) | BL_FL(c_ff), BL_BD(x) | BL_BD(volume) | BL_BD(v_far) | BL_BD(body) | BL_BD(normal) | BL_BD(w_bb) | BL_BD(faces) | BL_BD(t_b) | BL_BD(t_back) | BL_BD(c_bv) | BL_BD(c_bf) | BL_BD(c_back), BL_FL(f_st) | BL_FL(f_fr) | BL_FL(alpha_st), 0) \
    X(predict,             FLUID, BL_FL(x) | BL_FL(pqc), BL_BD(x) | BL_BD(volume), BL_FL(load) | BL_FL(f_fr) | BL_FL(v_next) | BL_FL(x_next), 0) \
    X(interface_fluid,     FLUID, BL_FL(x_next) | BL_FL(phase), BL_BD(x_next) | BL_BD(v_far), BL_FL(c_fv) | BL_FL(c_ff) | BL_FL(c_fb) | BL_FL(s_fv) | BL_FL(xt) | BL_FL(t_ff) | BL_FL(t_fb), 0) \
    X(residual,            FLUID, BL_FL(x) | BL_FL(phase) | BL_FL(v_next) | BL_FL(xt) | BL_FL(t_ff), BL_BD(x) | BL_BD(v) | BL_BD(volume) | BL_BD(v_far) | BL_BD(normal) | BL_BD(t_b) | BL_BD(t_back), BL_FL(r_p) | BL_FL(r_st) | BL_FL(r_fr) | BL_FL(e_v) | BL_FL(e_st) | BL_FL(e_fr), 0) \
    X(virial,              FLUID, BL_FL(x) | BL_FL(phase) | BL_FL(pqc) | BL_FL(xt) | BL_FL(t_ff), BL_BD(x) | BL_BD(volume) | BL_BD(v_far) | BL_BD(normal) | BL_BD(t_b) | BL_BD(t_back), BL_FL(virial_p) | BL_FL(virial_st), 0)
/* viscosity, ... */
#define BL_PASSES_VISCOSITY(X) \
    X(viscosity_explicit,  FLUID, BL_FL(x) | BL_FL(v) | BL_FL(phase), BL_BD(x) | BL_BD(v) | BL_BD(volume) | BL_BD(body), BL_FL(v_next) | BL_FL(vis_x), 0) \
    X(viscosity_start,     FLUID, BL_FL(x) | BL_FL(v) | BL_FL(phase), BL_BD(x) | BL_BD(v) | BL_BD(volume) | BL_BD(body), BL_FL(vis_x) | BL_FL(vis_r) | BL_FL(vis_diag) | BL_FL(vis_off) | BL_FL(vis_z) | BL_FL(vis_d), 0) \
    X(viscosity_apply,     FLUID, BL_FL(x) | BL_FL(vis_d) | BL_FL(phase), BL_BD(x) | BL_BD(volume) | BL_BD(body), BL_FL(vis_k), 0) \
    X(viscosity_advance,   FLUID, 0, 0, BL_FL(vis_x) | BL_FL(vis_r) | BL_FL(vis_z), 0) \
    X(viscosity_turn,      FLUID, 0, 0, BL_FL(vis_d), 0) \
    X(viscosity_finish,    FLUID, BL_FL(x) | BL_FL(vis_x) | BL_FL(phase), BL_BD(x) | BL_BD(v) | BL_BD(volume) | BL_BD(body), BL_FL(v_next), 0)
/* and all of them. */
#define BL_PASSES(X) BL_PASSES_LOCAL(X) BL_PASSES_PREPARE(X) BL_PASSES_SOLVE(X) BL_PASSES_VISCOSITY(X)

/* X(name, domain, operation, width, settle): bl_reduce_name(view, i, acc) folds particle i into acc[0..width), and
 * bl_settle_settle ends it (physics/steer.h). */
#define BL_REDUCTIONS(X) \
    X(diagonal_p,  FLUID,    MAX, 1,                 diagonal_p) \
    X(alpha_st,    FLUID,    MIN, 1,                 alpha_st) \
    X(residual,    FLUID,    SUM, BL_RESIDUAL_WIDTH, residual) \
    X(motion,      FLUID,    MAX, BL_MOTION_WIDTH,   nothing) \
    X(pressure,    FLUID,    SUM, 1,                 nothing) \
    X(finite,      FLUID,    SUM, 1,                 nothing) \
    X(vis_rz,      FLUID,    SUM, BL_VIS_WIDTH,      vis_rz) \
    X(vis_dk,      FLUID,    SUM, 1,                 vis_dk) \
    X(momentum,    FLUID,    SUM, BL_MOMENTUM_WIDTH, momentum) \
    X(energy,      FLUID,    SUM, BL_ENERGY_WIDTH,   nothing) \
    X(energy_wall, BOUNDARY, SUM, 2,                 nothing) \
    X(extremes,    FLUID,    MAX, 2,                 nothing) \
    X(core,        FLUID,    SUM, 2,                 nothing)

/* Passes that a device runs in one launch: over fluid, one after the other, and beside them others over walls, whose
 * domain X(name, domain) names. None of them reads of a neighbour, or of the other side, what another one writes. */
#define BL_BUNDLES(X) \
    X(guess,           BOUNDARY) \
    X(first_interface, ACTIVE) \
    X(interface,       ACTIVE)
#define BL_BUNDLE_FLUID_guess(X)           X(alpha_finish) X(predict_free) X(pressure_products)
#define BL_BUNDLE_WALLS_guess(X)           X(boundary_predict) X(interface_bare)
#define BL_BUNDLE_FLUID_first_interface(X) X(alpha_finish) X(pressure_products) X(interface_fluid)
#define BL_BUNDLE_WALLS_first_interface(X) X(interface_boundary)
#define BL_BUNDLE_FLUID_interface(X)       X(interface_fluid)
#define BL_BUNDLE_WALLS_interface(X)       X(interface_boundary)

/* The same with the reduction of what those over fluid wrote, a few numbers: X(name, reduction, operation, width, domain
 * of walls). Wider ones are faster in a launch of their own (docs/gpu.md). */
#define BL_SETTLED(X) \
    X(constraint,        diagonal_p, MAX, 1,            BOUNDARY) \
    X(alpha_st,          alpha_st,   MIN, 1,            BOUNDARY) \
    X(start_warm,        alpha_st,   MIN, 1,            ACTIVE) \
    X(viscosity_start,   vis_rz,     SUM, BL_VIS_WIDTH, BOUNDARY) \
    X(viscosity_apply,   vis_dk,     SUM, 1,            BOUNDARY) \
    X(viscosity_advance, vis_rz,     SUM, BL_VIS_WIDTH, BOUNDARY)
#define BL_SETTLED_FLUID_constraint(X)        X(volume) X(wall_contact) X(diagonal_p) X(predict_free)
#define BL_SETTLED_WALLS_constraint(X)        BL_BUNDLE_WALLS_guess(X)
#define BL_SETTLED_FLUID_alpha_st(X)          X(alpha_st)
#define BL_SETTLED_WALLS_alpha_st(X)
#define BL_SETTLED_FLUID_start_warm(X)        X(start_warm)
#define BL_SETTLED_WALLS_start_warm(X)        X(wall_load)
#define BL_SETTLED_FLUID_viscosity_start(X)   X(viscosity_start)
#define BL_SETTLED_WALLS_viscosity_start(X)
#define BL_SETTLED_FLUID_viscosity_apply(X)   X(viscosity_apply)
#define BL_SETTLED_WALLS_viscosity_apply(X)
#define BL_SETTLED_FLUID_viscosity_advance(X) X(viscosity_advance)
#define BL_SETTLED_WALLS_viscosity_advance(X)
/* clang-format on */

#endif
