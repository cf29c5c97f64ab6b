/* Which particles lie on the surface, where it faces, and which walls they are near (sections 4.1 and 5). */
#include "base/clones.h"
#include "schemes/pbd/pbd.h"

#include <math.h>

/* Of a particle's neighbours, along or next to its filament: the second eigenvalue of their scatter over the largest.
 * In 2D a half-space has 0.28 and a filament is two particles wide at most (1/12): between these. */
static const double FILAMENT_3D = 0.25, FILAMENT_2D = 0.12;

static bl_vec3 offset_of(const pbd *s, bl_vec3 a, bl_vec3 b) { return bl_delta(&s->base.par, a, b); }

/* --- densities, for the volumes in the normals --- */

BL_CLONES static void volumes(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    const bl_params *par = view->par;
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k, n = view->ff.all[i], n_walls = view->fb.all[i];
        real w[BL_LANES] = {0};
        bl_pairs p;
        BL_FOR_BLOCKS(k0, n) {
            bl_gather(par, &view->ff, i, k0, n, s->at[i], s->at, &p);
            BL_FOR_LANES(l) w[l] += p.on[l] * par->v0 * bl_kernel_w(par->far, p.r[l]);
        }
        BL_FOR_BLOCKS(k0, n_walls) {
            bl_gather(par, &view->fb, i, k0, n_walls, s->at[i], view->b_x_next, &p);
            BL_FOR_LANES(l) w[l] += p.on[l] * view->b_volume[p.j[l]] * bl_kernel_w(par->far, p.r[l]);
        }
        s->volume[i] = par->v0 / (par->v0 * bl_kernel_w(par->far, BL_R(0)) + bl_lane_sum(w));
    }
}

/* --- light shading --- */

BL_FN int lit_rays(const bl_rays *rays, const int *lit) {
    int n = 0;
    for (int k = 0; k < rays->count; ++k) n += lit[k];
    return n;
}

/* Shade by the neighbours [from, to) of a row; returns how many rays are left. */
BL_FN int shade_row(const pbd *s, const bl_list *list, bl_index i, const bl_vec3 *others, bl_index from, bl_index to,
                    int *lit) {
    enum { LOOK_EVERY = 8 };
    const bl_vec3 xi = s->at[i];
    int left = s->rays.count;
    for (bl_index k = from; k < to; ++k) {
        bl_vec3 d = offset_of(s, others[bl_neighbour(list, i, k)], xi);
        bl_shade(&s->rays, d, bl_v3_norm(d), BL_R(0.5) * s->d, lit);
        if ((k - from) % LOOK_EVERY == LOOK_EVERY - 1) left = lit_rays(&s->rays, lit);
        if (left == 0) return 0;
    }
    return lit_rays(&s->rays, lit);
}

/* Near neighbours stop most rays of a particle inside, so they come first. */
BL_FN int count_lit(const pbd *s, bl_index i) {
    const bl_view *view = &s->base.view;
    const bl_list *ff = &view->ff, *fb = &view->fb;
    int lit[BL_RAYS_3D];
    for (int k = 0; k < s->rays.count; ++k) lit[k] = 1;
    if (!shade_row(s, ff, i, s->at, 0, ff->near[i], lit)) return 0;
    if (!shade_row(s, fb, i, view->b_x_next, 0, fb->near[i], lit)) return 0;
    if (!shade_row(s, ff, i, s->at, ff->near[i], ff->all[i], lit)) return 0;
    return shade_row(s, fb, i, view->b_x_next, fb->near[i], fb->all[i], lit);
}

/* --- filaments --- */

static int is_filament(const pbd *s, bl_index i) {
    const bl_view *view = &s->base.view;
    double a[6] = {0}, sum[3] = {0}, first, second;
    bl_index n = view->ff.all[i];
    for (bl_index k = 0; k < n; ++k) {
        bl_vec3 d = offset_of(s, s->at[bl_neighbour(&view->ff, i, k)], s->at[i]);
        double x = (double)d.x, y = (double)d.y, z = (double)d.z;
        a[0] += x * x, a[1] += x * y, a[2] += x * z, a[3] += y * y, a[4] += y * z, a[5] += z * z;
        sum[0] += x, sum[1] += y, sum[2] += z;
    }
    double whole = (double)n + 1; /* the particle itself lies at the origin */
    a[0] -= sum[0] * sum[0] / whole, a[1] -= sum[0] * sum[1] / whole, a[2] -= sum[0] * sum[2] / whole;
    a[3] -= sum[1] * sum[1] / whole, a[4] -= sum[1] * sum[2] / whole, a[5] -= sum[2] * sum[2] / whole;
    bl_largest_eigenvalues(a, &first, &second);
    return n > 1 && second < (view->par->dimension == 2 ? FILAMENT_2D : FILAMENT_3D) * first;
}

/* --- normals --- */

/* Eq. 6, with walls at half their weight: liquid alone leans the normal away from the wall, liquid and wall together
 * towards it, and at a contact line, for any angle, the mean of both is the normal of the surface (theory page). */
BL_FN bl_vec3 normal_of(const pbd *s, bl_index i) {
    const bl_view *view = &s->base.view;
    const bl_params *par = view->par;
    bl_vec3 n = bl_v3_zero();
    for (bl_index k = 0; k < view->ff.all[i]; ++k) {
        bl_index j = bl_neighbour(&view->ff, i, k);
        bl_vec3 d = offset_of(s, s->at[i], s->at[j]);
        n = bl_v3_mad(n, -s->volume[j] * bl_kernel_dw_over_r(par->far, bl_v3_norm(d)), d);
    }
    for (bl_index k = 0; k < view->fb.all[i]; ++k) {
        bl_index b = bl_neighbour(&view->fb, i, k);
        bl_vec3 d = offset_of(s, s->at[i], view->b_x_next[b]);
        n = bl_v3_mad(n, BL_R(-0.5) * view->b_volume[b] * bl_kernel_dw_over_r(par->far, bl_v3_norm(d)), d);
    }
    return n;
}

/* --- walls --- */

/* Above 0 where a wall bulges from one of its particles to another, around an edge or to the far side of a thin wall;
 * below in a corner that the liquid fills. */
static real bulge(const pbd *s, bl_index a, bl_index b) {
    const bl_view *view = &s->base.view;
    bl_vec3 turn = bl_v3_sub(view->b_normal[a], view->b_normal[b]);
    return bl_v3_dot(turn, offset_of(s, view->b_x_next[a], view->b_x_next[b]));
}

static bool is_within_reach(const pbd *s, bl_index i, bl_index b, real reach, real *r2) {
    const bl_view *view = &s->base.view;
    *r2 = bl_v3_norm2(offset_of(s, s->at[i], view->b_x_next[b]));
    return *r2 < reach * reach * s->d * s->d && bl_v3_norm2(view->b_normal[b]) > BL_R(0);
}

/* The wall particle nearest to i, of those that face another way than `beside`, if there is one, across a corner. */
static bl_index nearest_wall(const pbd *s, bl_index i, bl_index beside) {
    const real same = BL_R(0.7);
    const bl_view *view = &s->base.view;
    bl_index best = PBD_NO_WALL;
    real least = (real)INFINITY, r2;
    for (bl_index k = 0; k < view->fb.all[i]; ++k) {
        bl_index b = bl_neighbour(&view->fb, i, k);
        if (!is_within_reach(s, i, b, BL_R(2), &r2) || r2 >= least) continue;
        if (beside != PBD_NO_WALL &&
            (bl_v3_dot(view->b_normal[b], view->b_normal[beside]) > same || bulge(s, b, beside) > BL_R(0)))
            continue;
        least = r2;
        best = b;
    }
    return best;
}

/* The wall particle whose plane holds i: the nearest, but where the wall bulges the plane that i is furthest from
 * touching, since either face of an edge may be all there is between i and the liquid. Only first layers tell how far
 * that is. */
static bl_index find_face(const pbd *s, bl_index i) {
    const real first_layer = BL_R(1.5);
    const bl_view *view = &s->base.view;
    bl_index nearest = nearest_wall(s, i, PBD_NO_WALL), best = nearest;
    if (nearest == PBD_NO_WALL) return nearest;
    real most = bl_pbd_gap(s, nearest, s->at[i]), r2;
    for (bl_index k = 0; k < view->fb.all[i]; ++k) {
        bl_index b = bl_neighbour(&view->fb, i, k);
        if (!is_within_reach(s, i, b, first_layer, &r2) || !(bulge(s, b, nearest) > BL_R(0))) continue;
        real gap = bl_pbd_gap(s, b, s->at[i]);
        if (gap > most) most = gap, best = b;
    }
    return best;
}

/* Those that touch a wall, or are less than half a spacing from doing so, wet it. */
static int find_walls(pbd *s, bl_index i) {
    const bl_view *view = &s->base.view;
    s->plane[0][i] = s->plane[1][i] = PBD_NO_WALL;
    s->push[0][i] = s->push[1][i] = BL_R(0);
    if (!view->fb.all[i]) return 0;
    bl_index b = s->plane[0][i] = find_face(s, i);
    if (b == PBD_NO_WALL) return 0;
    s->plane[1][i] = nearest_wall(s, i, b);
    return bl_pbd_gap(s, b, s->at[i]) < BL_R(0.5) * s->d ? PBD_WET : 0;
}

/* Enough rays are the paper's test. Next to a void inside some are left, too, but fewer than above a surface (except
 * next to a wall), and in 3D the gradient there is faint; next to a wall half of it is left (normal_of). */
static bool is_outside(const pbd *s, bl_index i, int lit, real gradient) {
    bool wall = s->base.view.fb.all[i] > 0;
    bool steep = gradient > (wall ? BL_R(0.5) * s->faintest : s->faintest);
    if (s->paper || s->base.par.dimension == 2) return lit >= s->rays.enough || (lit >= s->rays.fewest && steep);
    return lit >= (wall ? s->rays.fewest : s->rays.enough) && steep;
}

/* The density that this step allows: that of rest, or what is left of an excess when a share of it is mended. */
static real most_of(const pbd *s, bl_index i) {
    real excess = s->base.par.v0 / s->volume[i] - s->at_rest;
    if (excess <= BL_R(0) || s->paper) return s->at_rest;
    return s->at_rest + excess - bl_min(s->base.par.share * excess, s->base.now.correction);
}

BL_CLONES static void labels(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        uint32_t label = (uint32_t)find_walls(s, i) | (bl_is_held(view, i) ? PBD_HELD : 0);
        int lit = count_lit(s, i);
        bl_vec3 n = lit >= s->rays.fewest ? normal_of(s, i) : bl_v3_zero();
        real length = bl_v3_norm(n);
        if (is_outside(s, i, lit, length)) label |= PBD_SURFACE;
        if (s->paper && is_filament(s, i)) label |= PBD_FILAMENT;
        s->label[i] = label;
        s->rest[i] = most_of(s, i);
        s->normal[i] = label & PBD_SURFACE && length > BL_R(0) ? bl_v3_scale(BL_R(1) / length, n) : bl_v3_zero();
    }
}

static bool is_deep(const pbd *s, bl_index i) {
    const bl_list *ff = &s->base.view.ff;
    for (bl_index k = 0; k < ff->all[i]; ++k)
        if (s->label[bl_neighbour(ff, i, k)] & PBD_SURFACE) return false;
    return true;
}

/* Liquid does not expand, either, and pressures inside may be negative; at a surface it may. Next to one rest density
 * is not known, since neighbours lack there: it stays. Deeper down what is lacking is mended as an excess is. */
static void least_densities(pbd *s, size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        real now = s->base.par.v0 / s->volume[i], lack = s->at_rest - now;
        s->least[i] = BL_R(0);
        if (s->label[i] & PBD_SURFACE) continue;
        s->least[i] = bl_min(now, s->at_rest);
        if (lack > BL_R(0) && is_deep(s, i)) s->least[i] += bl_min(s->base.par.share * lack, s->base.now.correction);
    }
}

void bl_pbd_find_surface(bl_world *world, pbd *s, const bl_vec3 *x) {
    s->at = x;
    bl_pbd_for(world, s, "volumes", world->fluid.count, volumes);
    bl_pbd_for(world, s, "surface", world->fluid.count, labels);
    if (!s->paper) bl_pbd_for(world, s, "surface", world->fluid.count, least_densities);
}
