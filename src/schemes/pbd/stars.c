/* Local meshes (section 4.2): the star of every particle on the free surface among those near it, on its tangent plane,
 * and of every particle that wets a wall among those which do, on the wall's.
 *
 * A lattice has squares, whose diagonals would be drawn from all corners or from none: connections are those of places
 * shaken by SHAKE spacings, each particle always the same way, so that its neighbours agree about it. */
#include "base/rng.h"
#include "schemes/kernels.h"
#include "schemes/pbd/pbd.h"

#include <math.h>

enum { CANDIDATES = 128 };
static const double SHAKE = 2e-3, APART = 1e-3; /* closer than APART spacings on the plane: no neighbour */

/* Neighbours on the plane, in order of their distance. */
typedef struct candidates {
    int count;
    bl_index index[CANDIDATES];
    real x[CANDIDATES], y[CANDIDATES], r2[CANDIDATES];
} candidates;

static bl_vec3 shake(const pbd *s, bl_index i) {
    const bl_view *view = &s->base.view;
    double part[3];
    for (int k = 0; k < 3; ++k) part[k] = SHAKE * (double)s->d * (2 * bl_rng_uniform(17, view->id[i], (uint64_t)k) - 1);
    return bl_v3_make((real)part[0], (real)part[1], view->par->dimension == 2 ? BL_R(0) : (real)part[2]);
}

static void add_candidate(candidates *c, bl_index j, real x, real y) {
    real r2 = x * x + y * y;
    if (c->count == CANDIDATES && r2 >= c->r2[CANDIDATES - 1]) return;
    int k = c->count < CANDIDATES ? c->count++ : CANDIDATES - 1;
    for (; k > 0 && c->r2[k - 1] > r2; --k) {
        c->index[k] = c->index[k - 1], c->r2[k] = c->r2[k - 1];
        c->x[k] = c->x[k - 1], c->y[k] = c->y[k - 1];
    }
    c->index[k] = j, c->r2[k] = r2;
    c->x[k] = x, c->y[k] = y;
}

/* Whether j is of the surface that i is on; d = p_i - p_j. */
static bool belongs(const pbd *s, bl_index i, bl_index j, bl_vec3 d, bool wet) {
    const bl_view *view = &s->base.view;
    const real same_wall = BL_R(0.7);
    if (!(s->label[j] & (wet ? PBD_WET : PBD_SURFACE))) return false;
    if (!wet) return !bl_back_to_back(s->normal[i], s->normal[j], d);
    return bl_v3_dot(view->b_normal[s->plane[0][i]], view->b_normal[s->plane[0][j]]) > same_wall;
}

static void find_candidates(const pbd *s, bl_index i, bl_vec3 normal, bool wet, candidates *c) {
    const bl_view *view = &s->base.view;
    bl_vec3 t, b, own = shake(s, i);
    bl_tangents(normal, &t, &b);
    c->count = 0;
    for (bl_index k = 0; k < view->ff.all[i]; ++k) {
        bl_index j = bl_neighbour(&view->ff, i, k);
        bl_vec3 d = bl_delta(&s->base.par, s->at[i], s->at[j]);
        if (!belongs(s, i, j, d, wet)) continue;
        bl_vec3 to = bl_v3_sub(bl_v3_sub(shake(s, j), own), d);
        add_candidate(c, j, bl_v3_dot(to, t), bl_v3_dot(to, b));
    }
}

/* In 2D the plane is a line, and the star the nearest particle on each side; nearest in space, since a line does not
 * tell what lies across. */
static bl_star star_on_line(const pbd *s, bl_index i, bl_vec3 normal, bool wet, bl_index *members) {
    const bl_view *view = &s->base.view;
    bl_vec3 along = bl_v3_make(normal.y, -normal.x, BL_R(0));
    real least[2] = {(real)INFINITY, (real)INFINITY};
    bl_index best[2] = {0, 0};
    bl_star star = {0, 0, {0}};
    for (bl_index k = 0; k < view->ff.all[i]; ++k) {
        bl_index j = bl_neighbour(&view->ff, i, k);
        bl_vec3 d = bl_delta(&s->base.par, s->at[i], s->at[j]);
        real r2 = bl_v3_norm2(d), t = -bl_v3_dot(d, along);
        int side = t > BL_R(0);
        if (!belongs(s, i, j, d, wet) || t * t < BL_R(0.04) * r2 || r2 >= least[side]) continue;
        least[side] = r2;
        best[side] = j;
    }
    for (int side = 0; side < 2; ++side)
        if (least[side] < (real)INFINITY) members[star.count++] = best[side];
    star.links = (uint32_t)(1 << star.count) - 1;
    return star;
}

static bl_star star_on_plane(const pbd *s, bl_index i, bl_vec3 normal, bool wet, bl_index *members) {
    candidates c;
    find_candidates(s, i, normal, wet, &c);
    real box = (real)bl_far_reach(BL_KERNELS_CUBIC) * s->d;
    bl_star star = bl_star_make(c.x, c.y, c.count, box, (real)APART * s->d);
    for (int k = 0; k < star.count; ++k) members[k] = c.index[star.member[k]];
    return star;
}

static void make_star(pbd *s, bl_index i, uint32_t place, bool wet) {
    const bl_view *view = &s->base.view;
    bl_vec3 normal = wet ? view->b_normal[s->plane[0][i]] : s->normal[i];
    bl_index *members = s->ring + (size_t)place * BL_STAR_MOST;
    bl_star star = {0, 0, {0}};
    if (bl_v3_norm2(normal) > BL_R(0))
        star = view->par->dimension == 2 ? star_on_line(s, i, normal, wet, members)
                                         : star_on_plane(s, i, normal, wet, members);
    s->stars[place] = (pbd_star){.centre = i, .links = star.links, .count = star.count, .wet = wet};
    if (wet) s->stars[place].gain = s->bodies[view->b_body[s->plane[0][i]]].wet;
}

static bool has_surface(const pbd *s, bl_index i) { return s->label[i] & PBD_SURFACE; }
/* Wetted area is of the physical calibration. */
static bool has_wall(const pbd *s, bl_index i) {
    return !s->paper && (s->label[i] & PBD_WET) && s->bodies[s->base.view.b_body[s->plane[0][i]]].wet != BL_R(0);
}

static void make_stars(pbd *s, size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        uint32_t place = s->star_first[i];
        if (has_surface(s, i)) make_star(s, i, place++, false);
        if (has_wall(s, i)) make_star(s, i, place, true);
    }
}

/* --- who is in which star --- */

/* Calls for every place that i has in a ring; returns their number. A ring is made of neighbours of its centre, so its
 * centre is one of theirs. */
static uint32_t visit_uses(const pbd *s, bl_index i, uint32_t *out) {
    const bl_view *view = &s->base.view;
    uint32_t n = 0;
    if (!(s->label[i] & (PBD_SURFACE | PBD_WET))) return 0;
    for (bl_index k = 0; k < view->ff.all[i]; ++k) {
        bl_index c = bl_neighbour(&view->ff, i, k);
        for (uint32_t star = s->star_first[c]; star < s->star_first[c + 1]; ++star)
            for (int slot = 0; slot < s->stars[star].count; ++slot) {
                uint32_t place = star * BL_STAR_MOST + (uint32_t)slot;
                if (s->ring[place] != i) continue;
                if (out) out[n] = place;
                n++;
            }
    }
    return n;
}
static void count_uses(pbd *s, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) s->use_first[i] = visit_uses(s, (bl_index)i, NULL);
}
static void list_uses(pbd *s, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) visit_uses(s, (bl_index)i, s->uses + s->use_first[i]);
}

/* Counts to where each begins; the end of the last to count[n]. */
static size_t sum_up(uint32_t *count, size_t n) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n; ++i) {
        uint32_t own = count[i];
        count[i] = sum;
        sum += own;
    }
    count[n] = sum;
    return sum;
}

bl_status bl_pbd_make_stars(bl_world *world, pbd *s, const bl_vec3 *x) {
    size_t n = world->fluid.count;
    s->at = x;
    for (size_t i = 0; i < n; ++i)
        s->star_first[i] = (uint32_t)has_surface(s, (bl_index)i) + (uint32_t)has_wall(s, (bl_index)i);
    s->star_count = sum_up(s->star_first, n);
    bl_status status = bl_pbd_reserve_stars(world, s);
    if (status != BL_OK) return status;
    bl_pbd_for(world, s, "stars", n, make_stars);
    bl_pbd_for(world, s, "star users", n, count_uses);
    s->use_count = sum_up(s->use_first, n);
    status = bl_pbd_reserve_uses(world, s);
    if (status == BL_OK) bl_pbd_for(world, s, "star users", n, list_uses);
    return status;
}
