/* The area constraint (eqs. 7 and 8): measured star by star, then gathered by those who are in them. */
#include "base/parallel.h"
#include "schemes/pbd/pbd.h"

#include <math.h>

/* Area (length) of a star and its gradients, at x_next. */
static void measure_star(pbd *s, size_t place) {
    const bl_view *view = &s->base.view;
    pbd_star *star = &s->stars[place];
    const bl_index *ring = s->ring + place * BL_STAR_MOST;
    bl_vec3 *gradient = s->ring_gradient + place * BL_STAR_MOST, e[BL_STAR_MOST], centre = view->x_next[star->centre];
    star->area = BL_R(0);
    star->centre_gradient = bl_v3_zero();
    for (int k = 0; k < star->count; ++k) {
        e[k] = bl_delta(&s->base.par, view->x_next[ring[k]], centre);
        gradient[k] = bl_v3_zero();
    }
    for (int k = 0; k < star->count; ++k) {
        if (!(star->links >> k & 1)) continue;
        int next = k + 1 < star->count ? k + 1 : 0;
        bool flat = view->par->dimension == 2;
        bl_area t = flat ? bl_segment_length(e[k]) : bl_triangle_area(e[k], e[next]);
        star->area += t.value;
        star->centre_gradient = bl_v3_add(star->centre_gradient, t.at_centre);
        gradient[k] = bl_v3_add(gradient[k], t.at_a);
        if (!flat) gradient[next] = bl_v3_add(gradient[next], t.at_b);
    }
    star->square = bl_v3_norm2(star->centre_gradient);
    for (int k = 0; k < star->count; ++k) star->square += bl_v3_norm2(gradient[k]);
}

/* The paper's multiplier, or that of the energy sigma/dim times the area: every triangle is in three stars. */
static real multiplier_of(const pbd *s, const pbd_star *star) {
    if (s->paper) return -star->area / (star->square + s->eps_area);
    return star->wet ? star->gain * s->tension : -s->tension;
}

static void measure_stars(pbd *s, size_t begin, size_t end) {
    for (size_t place = begin; place < end; ++place) {
        measure_star(s, place);
        s->stars[place].spread = multiplier_of(s, &s->stars[place]);
    }
}

/* What is wet changes where the liquid ends. Elsewhere on a wall particles take each other's places: pulls cancel
 * there, and at edges and in corners of the wall, where they do not, they would drive the liquid around. */
static bool feels(const pbd *s, bl_index i, const pbd_star *star) {
    return !star->wet || (s->label[i] & PBD_SURFACE) != 0;
}

static void gather_pulls(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        bl_vec3 sum = bl_v3_zero();
        real work = BL_R(0); /* a star's gradients times positions: it grows like a length to the power dim - 1 */
        for (uint32_t place = s->star_first[i]; place < s->star_first[i + 1]; ++place) {
            const pbd_star *star = &s->stars[place];
            if (!feels(s, i, star)) continue;
            sum = bl_v3_mad(sum, star->spread, star->centre_gradient);
            work += star->spread * star->area * (real)(view->par->dimension - 1);
        }
        for (uint32_t use = s->use_first[i]; use < s->use_first[i + 1]; ++use) {
            const pbd_star *star = &s->stars[s->uses[use] / BL_STAR_MOST];
            if (feels(s, i, star)) sum = bl_v3_mad(sum, star->spread, s->ring_gradient[s->uses[use]]);
        }
        s->target[i] = sum;
        s->virial_area[i] = s->paper ? s->virial_area[i] + work : work;
        view->e_st[i] = bl_v3_norm(bl_v3_sub(sum, s->pull[i])) / s->d;
    }
}

void bl_pbd_measure_areas(bl_world *world, pbd *s) {
    bl_pbd_for(world, s, "areas", s->star_count, measure_stars);
    bl_pbd_for(world, s, "pulls", world->fluid.count, gather_pulls);
}
