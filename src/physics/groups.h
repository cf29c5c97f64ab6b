/* Sums over fluid neighbours for eight particles side by side (neighbours/groups.h): the CPU's fast path for a single
 * fluid. The pair formulas are those of volume.h, tension.h and viscosity.h; here constant factors are taken out of the
 * sums and what both supports need of a pair is computed once. A particle meets itself in its group: at distance zero
 * all gradients vanish, and what is a difference of two particles does too.
 *
 * `periodic` and `corrected` are constants at each call, so that a loop has no branch for them. */
#ifndef BL_PHYSICS_GROUPS_H
#define BL_PHYSICS_GROUPS_H

#include "neighbours/groups.h"
#include "physics/lean.h"
#include "physics/view.h"

#include <string.h>
#ifdef __AVX512VL__
#include <immintrin.h>
#endif

#define BL_FOR_GROUP(l) BL_SIMD for (int l = 0; l < BL_GROUP; ++l)

/* Compiled for a processor with 32 vector registers (AVX-512), where some loops are written otherwise. */
#ifdef __AVX512VL__
enum { BL_32_REGISTERS = 1 };
#else
enum { BL_32_REGISTERS = 0 };
#endif

/* Smooth kernels need neither roots nor quotients, so that vectors of 16 numbers pay where a processor has them: they
 * take two neighbours of a list abreast, and sums are kept in two parts, of every other neighbour each. Others take the
 * neighbours one after the other and keep the parts in turn: the same bits. */
#ifdef BL_ALL_SMOOTH
enum { BL_PARTS = 2 };
#else
enum { BL_PARTS = 1 };
#endif
enum { BL_ABREAST = BL_32_REGISTERS && sizeof(real) == 4 ? BL_PARTS : 1, BL_TURNS = BL_PARTS / BL_ABREAST };
enum { BL_WIDTH = BL_ABREAST * BL_GROUP };
#define BL_FOR_WIDTH(l) BL_SIMD for (int l = 0; l < BL_WIDTH; ++l)

/* Eight vectors; those that a loop over neighbours works with once for each neighbour abreast. */
typedef struct bl_group3 {
    real x[BL_WIDTH], y[BL_WIDTH], z[BL_WIDTH];
} bl_group3;
typedef struct bl_group1 {
    real of[BL_WIDTH];
} bl_group1;

/* Neighbours that a loop meets one after the other: one number each for the whole group, or pairs of them, one for the
 * first and one for the last half of it (neighbours/halves.h). Which of the two is a constant at each call, `paired`.
 */
typedef struct bl_slots {
    const bl_index *index;
    size_t count;
} bl_slots;

/* Both kernels: made once for many groups. */
typedef struct bl_leans {
    bl_lean near, far;
} bl_leans;
BL_FN bl_leans bl_leans_of(const bl_params *par) {
    bl_leans k;
    k.near = bl_lean_of(par->near, par->v0), k.far = bl_lean_of(par->far, par->v0);
    return k;
}

/* Group b: its particles and the lists they share. Lanes past the last particle repeat it. */
typedef struct bl_group {
    bl_index first, count;    /* particles */
    bl_slots near[2], far[2]; /* by `paired` */
} bl_group;

BL_FN void bl_group_slots(const bl_index *index, size_t count, size_t pairs, bl_slots *out) {
    out[1].count = pairs;
    out[0].count = count - 2 * pairs;
    out[0].index = index;
    out[1].index = index + out[0].count;
}
BL_FN bl_group bl_group_at(const bl_view *s, bl_index b) {
    bl_group group;
    const bl_index *row = s->groups.index + s->groups.start[b];
    bl_index near = s->groups.near[b], all = s->groups.all[b];
    group.first = b * BL_GROUP;
    group.count = s->fluid_count - group.first < BL_GROUP ? s->fluid_count - group.first : BL_GROUP;
    bl_group_slots(row + BL_GROUP_HEAD, near, row[BL_GROUP_NEAR_PAIRS], group.near);
    bl_group_slots(row + BL_GROUP_HEAD + near, all - near, row[BL_GROUP_FAR_PAIRS], group.far);
    return group;
}

/* Where in a list the number is that a half of the lanes reads at step k: the first and the last half of the group for
 * one neighbour, then for the one abreast. */
BL_FN size_t bl_slot_place(int paired, size_t k, size_t half) {
    half %= 2 * BL_ABREAST;
    return BL_ABREAST * (paired ? 2 : 1) * k + (paired ? half : half / 2);
}
BL_FN bl_index bl_slot_of(bl_slots at, int paired, size_t k, size_t half) {
    return at.index[bl_slot_place(paired, k, half)];
}
/* One of four numbers, by the half that lane l is in. */
#define BL_BY_HALF(l, a, b, c, d)                                                                                      \
    ((l) < BL_GROUP / 2 ? (a) : (l) < BL_GROUP ? (b) : (l) < BL_GROUP + BL_GROUP / 2 ? (c) : (d))
BL_FN void bl_slot_spread(int paired, size_t k, const real *list, real *out) {
    real a = list[bl_slot_place(paired, k, 0)], b = list[bl_slot_place(paired, k, 1)];
    real c = list[bl_slot_place(paired, k, 2)], d = list[bl_slot_place(paired, k, 3)];
    BL_FOR_WIDTH(l) out[l] = BL_BY_HALF(l, a, b, c, d);
}
BL_FN void bl_slot_spread_index(bl_slots at, int paired, size_t k, bl_index *out) {
    bl_index a = bl_slot_of(at, paired, k, 0), b = bl_slot_of(at, paired, k, 1);
    bl_index c = bl_slot_of(at, paired, k, 2), d = bl_slot_of(at, paired, k, 3);
    BL_FOR_WIDTH(l) out[l] = BL_BY_HALF(l, a, b, c, d);
}
BL_FN void bl_slot_spread_pair(real first, real last, real *out) {
    BL_FOR_GROUP(l) out[l] = l < BL_GROUP / 2 ? first : last;
}
/* Two vectors are loaded as four numbers each, as they are (the store keeps room behind its arrays), and spread
 * afterwards, in half as many instructions. (With AVX-512, blends of what six loads have spread take fewer ports.) */
typedef real bl_half __attribute__((vector_size(BL_GROUP / 2 * sizeof(real))));
typedef real bl_half_at __attribute__((vector_size(BL_GROUP / 2 * sizeof(real)), aligned(sizeof(real)), may_alias));
typedef real bl_whole __attribute__((vector_size(BL_GROUP * sizeof(real))));
#define BL_SPREAD(v, n) __builtin_shufflevector(v, v, n, n, n, n, n + 4, n + 4, n + 4, n + 4)
BL_FN void bl_slot_spread4(const void *first, const void *last, bl_group3 *out, real *w) {
    bl_half u = *(const bl_half_at *)first, v = *(const bl_half_at *)last;
    bl_whole two = __builtin_shufflevector(u, v, 0, 1, 2, 3, 4, 5, 6, 7);
    bl_whole x = BL_SPREAD(two, 0), y = BL_SPREAD(two, 1), z = BL_SPREAD(two, 2), rest = BL_SPREAD(two, 3);
    memcpy(out->x, &x, sizeof x), memcpy(out->y, &y, sizeof y), memcpy(out->z, &z, sizeof z);
    memcpy(w, &rest, sizeof rest);
}
/* The same for two neighbours abreast, of vectors `size` bytes apart: loads that spread and blend at once, which no
 * compiler makes of shuffles. w may be NULL. */
#ifdef __AVX512VL__
BL_FN void bl_slot_spread_abreast(bl_slots at, int paired, size_t k, const void *a, size_t size, bl_group3 *out,
                                  real *w) {
    const float *of[4];
    for (size_t half = 0; half < 4; ++half)
        of[half] = (const void *)((const char *)a + size * bl_slot_of(at, paired, k, half));
    real *to[4] = {out->x, out->y, out->z, w};
    for (int c = 0; c < 3 + (w != NULL) && !paired; ++c)
        _mm512_storeu_ps(to[c], _mm512_mask_broadcastss_ps(_mm512_set1_ps(of[0][c]), 0xff00, _mm_load_ss(&of[2][c])));
    if (!paired) return;
    __m512 all = _mm512_broadcast_f32x4(_mm_loadu_ps(of[0]));
    all = _mm512_mask_broadcast_f32x4(all, 0x00f0, _mm_loadu_ps(of[1]));
    all = _mm512_mask_broadcast_f32x4(all, 0x0f00, _mm_loadu_ps(of[2]));
    all = _mm512_mask_broadcast_f32x4(all, 0xf000, _mm_loadu_ps(of[3]));
    _mm512_storeu_ps(out->x, _mm512_permute_ps(all, 0x00));
    _mm512_storeu_ps(out->y, _mm512_permute_ps(all, 0x55));
    _mm512_storeu_ps(out->z, _mm512_permute_ps(all, 0xaa));
    if (w) _mm512_storeu_ps(w, _mm512_permute_ps(all, 0xff));
}
#else
BL_FN void bl_slot_spread_abreast(bl_slots at, int paired, size_t k, const void *a, size_t size, bl_group3 *out,
                                  real *w) {
    (void)at, (void)paired, (void)k, (void)a, (void)size, (void)out, (void)w; /* never called */
}
#endif
BL_FN void bl_slot_load(bl_slots at, int paired, size_t k, const bl_vec3 *a, bl_group3 *out) {
    const bl_vec3 *u = &a[bl_slot_of(at, paired, k, 0)], *v = &a[bl_slot_of(at, paired, k, 1)];
    real unused[BL_WIDTH];
    if (BL_ABREAST > 1)
        bl_slot_spread_abreast(at, paired, k, a, sizeof *a, out, NULL);
    else if (paired && BL_32_REGISTERS)
        bl_slot_spread_pair(u->x, v->x, out->x), bl_slot_spread_pair(u->y, v->y, out->y),
            bl_slot_spread_pair(u->z, v->z, out->z);
    else if (paired)
        bl_slot_spread4(u, v, out, unused);
    else
        BL_FOR_GROUP(l) out->x[l] = u->x, out->y[l] = u->y, out->z[l] = u->z;
}
BL_FN void bl_slot_load4(bl_slots at, int paired, size_t k, const bl_vec4 *a, bl_group3 *out, real *w) {
    const bl_vec4 *u = &a[bl_slot_of(at, paired, k, 0)], *v = &a[bl_slot_of(at, paired, k, 1)];
    if (BL_ABREAST > 1)
        bl_slot_spread_abreast(at, paired, k, a, sizeof *a, out, w);
    else if (paired)
        bl_slot_spread4(u, v, out, w);
    else
        BL_FOR_GROUP(l) out->x[l] = u->x, out->y[l] = u->y, out->z[l] = u->z, w[l] = u->w;
}

BL_FN bl_index bl_group_lane(const bl_group *b, int l) {
    return b->first + ((bl_index)l < b->count ? (bl_index)l : b->count - 1);
}
/* Once more for a neighbour abreast. */
BL_FN void bl_group_repeat(real *a) {
    if (BL_ABREAST > 1) BL_FOR_GROUP(l) a[(l + BL_GROUP) % BL_WIDTH] = a[l];
}
BL_FN void bl_group_repeat3(bl_group3 *a) { bl_group_repeat(a->x), bl_group_repeat(a->y), bl_group_repeat(a->z); }
/* Whole groups are loaded by loops that vectorise. */
BL_FN void bl_group_load1(const bl_group *b, const real *a, real *out) {
    if (b->count == BL_GROUP)
        BL_FOR_GROUP(l) out[l] = a[b->first + (bl_index)l];
    else
        for (int l = 0; l < BL_GROUP; ++l) out[l] = a[bl_group_lane(b, l)];
    bl_group_repeat(out);
}
BL_FN void bl_group_load(const bl_group *b, const bl_vec3 *a, bl_group3 *out) {
    const bl_vec3 *v = a + b->first;
    if (b->count == BL_GROUP) {
        BL_FOR_GROUP(l) out->x[l] = v[l].x, out->y[l] = v[l].y, out->z[l] = v[l].z;
    } else {
        for (int l = 0; l < BL_GROUP; ++l) {
            bl_vec3 u = a[bl_group_lane(b, l)];
            out->x[l] = u.x, out->y[l] = u.y, out->z[l] = u.z;
        }
    }
    bl_group_repeat3(out);
}
BL_FN void bl_group_load4(const bl_group *b, const bl_vec4 *a, bl_group3 *out, real *w) {
    const bl_vec4 *v = a + b->first;
    if (b->count == BL_GROUP) {
        BL_FOR_GROUP(l) out->x[l] = v[l].x, out->y[l] = v[l].y, out->z[l] = v[l].z, w[l] = v[l].w;
    } else {
        for (int l = 0; l < BL_GROUP; ++l) {
            bl_vec4 u = a[bl_group_lane(b, l)];
            out->x[l] = u.x, out->y[l] = u.y, out->z[l] = u.z, w[l] = u.w;
        }
    }
    bl_group_repeat3(out), bl_group_repeat(w);
}
/* Eight particles away from all walls. */
BL_FN int bl_group_is_free(const bl_view *s, const bl_group *b) {
    bl_index at_walls = 0;
    if (b->count < BL_GROUP) return 0;
    for (int l = 0; l < BL_GROUP; ++l) at_walls |= s->fb.all[b->first + (bl_index)l];
    return at_walls == 0;
}
BL_FN int bl_group_all_zero(const real *a) {
    int zero = 1;
    for (int l = 0; l < BL_GROUP; ++l) zero &= a[l] == BL_R(0);
    return zero;
}
BL_FN bl_vec3 bl_group_get(const bl_group3 *a, int l) { return bl_v3_make(a->x[l], a->y[l], a->z[l]); }
BL_FN bl_vec3 bl_group_difference(const bl_group3 *a, const bl_group3 *b, int l) {
    return bl_v3_make(a->x[l] - b->x[l], a->y[l] - b->y[l], a->z[l] - b->z[l]);
}
/* The parts of a sum of lane l together. */
BL_FN real bl_group_total(const real *first, const real *last, int l) {
    return BL_PARTS > 1 ? first[l] + last[(l + BL_GROUP) % BL_WIDTH] : first[l];
}
/* out = scale a, for a sum in parts. Results are handed on by loops, not as a whole: a compiler that takes *out for the
 * accumulator `a` of a sum no longer knows that it overlaps nothing. */
BL_FN void bl_group_put(real scale, const bl_group3 *a, bl_group3 *out) {
    const bl_group3 *z = &a[BL_TURNS - 1];
    BL_FOR_GROUP(l) out->x[l] = scale * bl_group_total(a->x, z->x, l);
    BL_FOR_GROUP(l) out->y[l] = scale * bl_group_total(a->y, z->y, l);
    BL_FOR_GROUP(l) out->z[l] = scale * bl_group_total(a->z, z->z, l);
}
BL_FN void bl_group_put1(real scale, const bl_group1 *a, real *out) {
    BL_FOR_GROUP(l) out[l] = scale * bl_group_total(a->of, a[BL_TURNS - 1].of, l);
}

/* x_i - x_j of lane l. */
BL_FN bl_vec3 bl_group_offset(const bl_params *par, int periodic, const bl_group3 *xi, int l, const bl_group3 *xj) {
    bl_vec3 d = bl_group_difference(xi, xj, l);
    if (!periodic) return d;
    return bl_v3_make(d.x - par->period[0] * BL_RINT(d.x * par->inv_period[0]),
                      d.y - par->period[1] * BL_RINT(d.y * par->inv_period[1]),
                      d.z - par->period[2] * BL_RINT(d.z * par->inv_period[2]));
}

BL_FN bl_reach bl_group_reach(const bl_params *par, int periodic, bl_lean k, const bl_group3 *xi, int l,
                              const bl_group3 *xj) {
    bl_vec3 d = bl_group_offset(par, periodic, xi, l, xj);
    return bl_reach_of(k, d, bl_lean_measure(bl_v3_norm2(d)));
}

/* --- loops that measure ahead ---
 *
 * From the load of a neighbour to what it adds to a sum it is some 60 cycles, most of them spent on waiting for its
 * root and its quotient, for 10 to 20 cycles of work. A processor has registers for two or three such neighbours under
 * way, which is too few to hide that. So these loops measure neighbours some rounds before they use them, as many as
 * there are registers for. Sums have the same terms in the same order. */
enum { BL_AHEAD = BL_ABREAST > 1 ? 3 : BL_32_REGISTERS ? 4 : 2 };
#define BL_FOR_AHEAD(j) _Pragma("GCC unroll 4") for (size_t j = 0; j < BL_AHEAD; ++j)

/* A neighbour measured: offsets, their measures (lean.h), and the number that it has in xt. */
typedef struct bl_met {
    bl_group3 d;
    real measure[BL_WIDTH], t[BL_WIDTH];
} bl_met;

/* What a loop goes over, and where from. */
typedef struct bl_walk {
    const bl_view *s;
    bl_slots at;
    int paired, periodic, corrected;
    bl_lean near, far;
    const bl_group3 *x;
    int bare; /* positions of neighbours are those of `of`; else of xt, with its fourth number */
    const bl_vec3 *of;
    size_t done; /* steps before those of `at` */
} bl_walk;
/* Adds what is met at step k to the sums of `loop`, which begins with a bl_walk, those of this turn. */
typedef void (*bl_walk_add)(const void *loop, size_t k, size_t turn, const bl_met *met);

BL_FN void bl_walk_meet(const bl_walk *w, size_t k, bl_met *out) {
    bl_group3 xj;
    if (w->bare)
        bl_slot_load(w->at, w->paired, k, w->of, &xj);
    else
        bl_slot_load4(w->at, w->paired, k, w->s->xt, &xj, out->t);
    BL_FOR_WIDTH(l) {
        bl_vec3 d = bl_group_offset(w->s->par, w->periodic, w->x, l, &xj);
        out->d.x[l] = d.x, out->d.y[l] = d.y, out->d.z[l] = d.z;
        out->measure[l] = bl_lean_measure(bl_v3_norm2(d));
    }
}
/* A last neighbour without one abreast: it stands in for that, too, out of reach. */
BL_FN void bl_walk_last(bl_walk *w, bl_walk_add add, const void *loop) {
    const size_t k = w->at.count / BL_ABREAST;
    const bl_index *number = w->at.index + (w->paired ? 2 : 1) * (w->at.count - 1);
    const bl_index last[4] = {number[0], number[w->paired], number[0], number[w->paired]};
    bl_met met;
    w->done = k;
    w->at.index = last;
    bl_walk_meet(w, 0, &met);
    for (int l = BL_GROUP; l < BL_WIDTH; ++l) met.measure[l] = BL_R(1e30);
    add(loop, 0, 0, &met);
}
BL_FN void bl_walk_all(bl_walk *w, bl_walk_add add, const void *loop) {
    const size_t n = w->at.count / BL_ABREAST;
    bl_met met[BL_AHEAD];
    size_t k = 0;
    if (n >= BL_AHEAD) {
        BL_FOR_AHEAD(j) bl_walk_meet(w, j, &met[j]);
        for (k = BL_AHEAD; k + BL_AHEAD <= n; k += BL_AHEAD) {
            BL_FOR_AHEAD(j) {
                add(loop, k + j - BL_AHEAD, j % BL_TURNS, &met[j]);
                bl_walk_meet(w, k + j, &met[j]);
            }
        }
        BL_FOR_AHEAD(j) add(loop, k + j - BL_AHEAD, j % BL_TURNS, &met[j]);
    }
    for (; k < n; ++k) {
        bl_walk_meet(w, k, &met[0]);
        add(loop, k, k % BL_TURNS, &met[0]);
    }
    if (w->at.count % BL_ABREAST) bl_walk_last(w, add, loop);
}

#endif
