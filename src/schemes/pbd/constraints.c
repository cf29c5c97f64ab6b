/* Densities (eqs. 1 to 4), distances (eqs. 9 and 10) and walls, and the displacements by all constraints together.
 *
 * Walls of several layers go on as the liquid's lattice, so densities and their gradients count them with their
 * volumes; a wall's own density is no constraint. */
#include "base/clones.h"
#include "schemes/pbd/pbd.h"

#include <math.h>
#include <string.h>

/* --- multipliers of the densities --- */

typedef struct density {
    real value, squares; /* over the rest density; sum of squares of the gradients at neighbours */
    bl_vec3 gradient, wall;
    real wall_virial; /* sum of the wall's gradients times offsets */
} density;

BL_FN density density_of_fluid(const pbd *s, bl_index i, const bl_vec3 *x) {
    const bl_view *view = &s->base.view;
    const bl_params *par = view->par;
    real w[BL_LANES] = {0}, gx[BL_LANES] = {0}, gy[BL_LANES] = {0}, gz[BL_LANES] = {0}, squares[BL_LANES] = {0};
    bl_index n = view->ff.all[i];
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &view->ff, i, k0, n, x[i], x, &p);
        BL_FOR_LANES(l) {
            real slope = p.on[l] * par->v0 * bl_kernel_dw_over_r(par->far, p.r[l]);
            w[l] += p.on[l] * bl_kernel_w(par->far, p.r[l]);
            gx[l] += slope * p.d.x[l], gy[l] += slope * p.d.y[l], gz[l] += slope * p.d.z[l];
            squares[l] += slope * slope * p.r[l] * p.r[l];
        }
    }
    density out;
    out.value = par->v0 * (bl_kernel_w(par->far, BL_R(0)) + bl_lane_sum(w));
    out.squares = bl_lane_sum(squares);
    out.gradient = bl_lane_sum3(gx, gy, gz);
    out.wall = bl_v3_zero();
    out.wall_virial = BL_R(0);
    return out;
}

BL_FN void add_density_of_walls(const pbd *s, bl_index i, const bl_vec3 *x, density *out) {
    const bl_view *view = &s->base.view;
    const bl_params *par = view->par;
    real w[BL_LANES] = {0}, gx[BL_LANES] = {0}, gy[BL_LANES] = {0}, gz[BL_LANES] = {0}, work[BL_LANES] = {0};
    bl_index n = view->fb.all[i];
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &view->fb, i, k0, n, x[i], view->b_x_next, &p);
        BL_FOR_LANES(l) {
            real volume = p.on[l] * view->b_volume[p.j[l]];
            real slope = volume * bl_kernel_dw_over_r(par->far, p.r[l]);
            w[l] += volume * bl_kernel_w(par->far, p.r[l]);
            work[l] += slope * p.r[l] * p.r[l];
            gx[l] += slope * p.d.x[l], gy[l] += slope * p.d.y[l], gz[l] += slope * p.d.z[l];
        }
    }
    out->value += bl_lane_sum(w);
    out->wall = bl_lane_sum3(gx, gy, gz);
    out->gradient = bl_v3_add(out->gradient, out->wall);
    out->wall_virial = bl_lane_sum(work);
}

/* Eq. 3. The paper's constraint is an equation; the physical one has the density between two limits, and a multiplier
 * pushes (is negative) at the upper or pulls at the lower one. *error: how far from being met it is, which for a
 * particle that pushes includes being less dense than the upper one. */
static real change_between(const pbd *s, bl_index i, real value, real weight) {
    real before = s->multiplier[i];
    real push = before - (value - s->rest[i]) / weight, pull = before - (value - s->least[i]) / weight;
    bool pulls = pull > BL_R(0) && !(s->label[i] & PBD_SURFACE);
    return (push < BL_R(0) ? push : pulls ? pull : BL_R(0)) - before;
}
static real multiplier_of(const pbd *s, bl_index i, const density *rho, real *error) {
    real excess = rho->value - s->rest[i];
    real weight = bl_v3_norm2(rho->gradient) + rho->squares + s->eps_density, change = -excess / weight;
    if (s->paper && (s->label[i] & PBD_FILAMENT)) change = BL_R(0);
    if (!s->paper) change = change_between(s, i, rho->value, weight);
    *error = BL_FABS(change) * weight;
    return change;
}

BL_CLONES static void weigh(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        density rho = density_of_fluid(s, i, view->x_next);
        if (view->fb.all[i]) add_density_of_walls(s, i, view->x_next, &rho);
        real change = multiplier_of(s, i, &rho, &view->e_v[i]);
        s->wall_gradient[i] = rho.wall;
        view->g_err[i] = BL_R(1) - rho.value / s->at_rest;
        bl_v4_set(view->xt, i, view->x_next[i], change);
        s->wall_virial[i] = rho.wall_virial;
    }
}

void bl_pbd_weigh(bl_world *world, pbd *s) { bl_pbd_for(world, s, "densities", world->fluid.count, weigh); }

/* --- displacements --- */

/* Eq. 4 without s_corr, from positions and changes of multipliers in xt, and the distance constraint. */
BL_FN bl_vec3 displacement_by_fluid(const pbd *s, bl_index i, real *virial) {
    const bl_view *view = &s->base.view;
    const bl_params *par = view->par;
    const bl_vec3 xi = bl_v4_xyz(view->xt[i]);
    const real own = view->xt[i].w;
    const uint32_t label = s->label[i] & PBD_SURFACE;
    real dx[BL_LANES] = {0}, dy[BL_LANES] = {0}, dz[BL_LANES] = {0}, change[BL_LANES], c[BL_LANES],
         work[BL_LANES] = {0};
    bl_index n = view->ff.all[i];
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_gather4(par, &view->ff, i, k0, n, xi, view->xt, &p, change);
        BL_FOR_LANES(l)
        c[l] = p.on[l] * par->v0 * (own + change[l]) * bl_kernel_dw_over_r(par->far, p.r[l]);
        if (s->paper)
            for (int l = 0; l < BL_LANES; ++l)
                if ((s->label[p.j[l]] & PBD_SURFACE) == label)
                    c[l] += p.on[l] * bl_apart(p.r[l], s->d, s->eps_distance);
        BL_FOR_LANES(l) dx[l] += c[l] * p.d.x[l], dy[l] += c[l] * p.d.y[l], dz[l] += c[l] * p.d.z[l];
        BL_FOR_LANES(l) work[l] += c[l] * p.r[l] * p.r[l];
    }
    *virial = BL_R(0.5) * bl_lane_sum(work); /* the other half is the neighbours' */
    return bl_lane_sum3(dx, dy, dz);
}

real bl_pbd_gap(const pbd *s, bl_index b, bl_vec3 x) {
    const bl_view *view = &s->base.view;
    return bl_v3_dot(view->b_normal[b], bl_delta(&s->base.par, x, view->b_x_next[b])) - s->bodies[view->b_body[b]].rest;
}

/* Out of the wall as far as it takes. What wets a wall is held there, too, as strongly as the wall can; the paper's
 * adhesion pulls what is not further than a spacing and a half away. */
static bl_vec3 displacement_by_wall(pbd *s, bl_index i, int which, bl_vec3 x) {
    const bl_index b = s->plane[which][i];
    const bl_vec3 n = s->base.view.b_normal[b];
    real gap = bl_pbd_gap(s, b, x), before = s->push[which][i];
    if (s->paper && gap > BL_R(0))
        return bl_v3_scale(gap < BL_R(1.5) * s->d ? -gap / (BL_R(1) + s->eps_adhesion) : BL_R(0), n);
    int held = !s->paper && which == 0 && (s->label[i] & PBD_WET);
    real least = held ? -s->bodies[s->base.view.b_body[b]].hold : s->paper ? before : BL_R(0);
    s->push[which][i] = bl_max(before - gap, least);
    return bl_v3_scale(s->push[which][i] - before, n);
}

static void move_to(pbd *s, bl_index i, bl_vec3 by) {
    const bl_view *view = &s->base.view;
    bl_vec3 moved = bl_v3_add(s->moved[i], by);
    for (int which = 0; which < PBD_PLANES; ++which)
        if (s->plane[which][i] != PBD_NO_WALL)
            moved = bl_v3_add(moved, displacement_by_wall(s, i, which, bl_v3_add(view->x[i], moved)));
    s->moved[i] = moved;
    view->x_next[i] = bl_v3_add(view->x[i], moved);
}

BL_CLONES static void displace(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        real change = view->xt[i].w, virial;
        bl_vec3 by = displacement_by_fluid(s, i, &virial);
        by = bl_v3_mad(by, change, s->wall_gradient[i]);
        s->multiplier[i] += change;
        s->virial[i] += virial + change * s->wall_virial[i];
        /* the paper pulls anew in every iteration, the energy has a pull that is to be found */
        bl_vec3 pull = s->paper ? s->target[i] : bl_v3_scale(s->share, bl_v3_sub(s->target[i], s->pull[i]));
        s->pull[i] = bl_v3_add(s->pull[i], pull);
        if (!(s->label[i] & PBD_HELD)) move_to(s, i, bl_v3_add(by, pull));
    }
}

void bl_pbd_displace(bl_world *world, pbd *s) { bl_pbd_for(world, s, "displacements", world->fluid.count, displace); }

/* --- the start of a solve --- */

/* x_next is where velocities lead; the multipliers there are go to xt, and move particles as they would. */
static void lay_out(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t i = begin; i < end; ++i) bl_v4_set(view->xt, (bl_index)i, view->x_next[i], s->multiplier[i]);
}
BL_CLONES static void warm_up(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        density rho = {BL_R(0), BL_R(0), bl_v3_zero(), bl_v3_zero(), BL_R(0)};
        if (view->fb.all[i]) add_density_of_walls(s, i, view->x_next, &rho);
        bl_vec3 by = bl_v3_add(s->pull[i], displacement_by_fluid(s, i, &s->virial[i]));
        s->virial[i] += s->multiplier[i] * rho.wall_virial;
        if (!(s->label[i] & PBD_HELD)) move_to(s, i, bl_v3_mad(by, s->multiplier[i], rho.wall));
    }
}
void bl_pbd_warm_start(bl_world *world, pbd *s) {
    bl_pbd_for(world, s, "warm start", world->fluid.count, lay_out);
    bl_pbd_for(world, s, "warm start", world->fluid.count, warm_up);
}

/* --- even spacing --- */

/* Closer than this share of a spacing particles are a clump; those of a liquid stay further apart by themselves. */
#define CROWDED BL_R(0.75)

/* In the physical calibration the distance constraint moves particles once a step and gives them no velocity: as a
 * constraint like the others it would hold the surface up against the tension. Along the surface only. */
static bl_vec3 keep_out(const pbd *s, bl_index i, bl_index wall, bl_vec3 by) {
    bl_vec3 n = s->base.view.b_normal[wall];
    real gap = bl_pbd_gap(s, wall, bl_v3_add(s->base.view.x_next[i], by)), into = bl_v3_dot(by, n);
    return gap < BL_R(0) && into < BL_R(0) ? bl_v3_mad(by, bl_min(-gap, -into), n) : by;
}
static void spread_out(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        bl_vec3 by = bl_v3_zero(), xi = view->x_next[i];
        for (bl_index n = 0; n < view->ff.near[i]; ++n) {
            bl_index j = bl_neighbour(&view->ff, i, n);
            bl_vec3 d = bl_delta(view->par, xi, view->x_next[j]);
            by = bl_v3_mad(by, bl_apart(bl_v3_norm(d), CROWDED * s->d, s->eps_distance), d);
        }
        if (s->label[i] & PBD_SURFACE) by = bl_v3_mad(by, -bl_v3_dot(by, s->normal[i]), s->normal[i]);
        for (int which = 0; which < PBD_PLANES; ++which)
            if (s->plane[which][i] != PBD_NO_WALL) by = keep_out(s, i, s->plane[which][i], by);
        s->target[i] = s->label[i] & PBD_HELD ? xi : bl_v3_add(xi, by);
    }
}
static void take_spread(pbd *s, size_t begin, size_t end) {
    memcpy(s->base.view.x_next + begin, s->target + begin, (end - begin) * sizeof *s->target);
}
void bl_pbd_spread_out(bl_world *world, pbd *s) {
    bl_pbd_for(world, s, "spacing", world->fluid.count, spread_out);
    bl_pbd_for(world, s, "spacing", world->fluid.count, take_spread);
}
