/* Sums over nodes: what particles make of the nodes around them, the energy's derivatives there, what nodes do to the
 * particles around them. Loops over a tile run row by row, BL_NODES_X nodes side by side. */
#include "schemes/unified/field.h"

#include "base/clones.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { X = BL_NODES_X, Y = BL_NODES_Y, Z = BL_NODES_Z, NODES = BL_NODES_A_TILE };
enum { TILES_A_CHUNK = 4, POINTS_A_CHUNK = 1024 };

/* Derivatives of the energy at the nodes of a tile: e_a times the support, e_g; and e/a times dimension and support. */
typedef struct field_tile {
    real by_a[NODES], gx[NODES], gy[NODES], gz[NODES], share[NODES];
    bool idle; /* all of them are next to nothing */
} field_tile;

/* Forces and virials of points, images included. */
typedef struct pulls {
    bl_vec4 *of;
    size_t room;
} pulls;

struct bl_field {
    bl_kernel kernel;
    bl_field_law law;
    bl_lattice lattice; /* at its first place */
    double low[3];
    bl_node_tiles tiles;
    bl_node_points liquid, walls;
    field_tile *terms[BL_MAX_PHASES]; /* of each liquid */
    field_tile *bearing;              /* of walls, less what dry ones have */
    double *energy;                   /* of each tile */
    size_t terms_room;
    pulls on_liquid, on_walls;
    bl_vec3 *wall_force; /* on each point of walls */
    size_t wall_room;
    double scale; /* of them */
    real v0;      /* of a particle, */
    real step[3]; /* distance of nodes over the support */
    const bl_field_input *in;
};

/* --- one tile and one point --- */

/* Where the nodes of a tile are, seen from a point, in supports; the squares, and the least of x^2 and y^2. */
typedef struct offsets {
    real x[X], y[Y], z[Z], y2[Y], z2[Z], least_x2, least_y2;
} offsets;

static real least_square(real first, real last) {
    real beside = bl_max(BL_R(0), bl_max(first, -last));
    return beside * beside;
}

/* False: the tile is out of reach. */
static inline __attribute__((always_inline)) bool
look_from(const bl_field *f, const int32_t tile[3], const int32_t home[3], const bl_lattice_point *p, offsets *o) {
    const real ax = ((real)((home[0] - tile[0]) * X) + p->at[0]) * f->step[0];
    const real ay = ((real)((home[1] - tile[1]) * Y) + p->at[1]) * f->step[1];
    const real az = ((real)((home[2] - tile[2]) * Z) + p->at[2]) * f->step[2];
    o->least_x2 = least_square(-ax, (real)(X - 1) * f->step[0] - ax);
    o->least_y2 = least_square(-ay, (real)(Y - 1) * f->step[1] - ay);
    if (o->least_x2 + o->least_y2 + least_square(-az, (real)(Z - 1) * f->step[2] - az) >= BL_R(1)) return false;
    for (int k = 0; k < X; ++k) o->x[k] = (real)k * f->step[0] - ax;
    for (int k = 0; k < Y; ++k) o->y[k] = (real)k * f->step[1] - ay, o->y2[k] = o->y[k] * o->y[k];
    for (int k = 0; k < Z; ++k) o->z[k] = (real)k * f->step[2] - az, o->z2[k] = o->z[k] * o->z[k];
    return true;
}

/* Sums of V W and of its gradient times the support, over norm. */
typedef struct sums {
    real a[NODES], gx[NODES], gy[NODES], gz[NODES];
} sums;

static inline __attribute__((always_inline)) void add_row(const bl_kernel *k, const offsets *o, int y, int z, real yz,
                                                          real volume, sums *s) {
    const int row = (z * Y + y) * X;
    const real dy = o->y[y], dz = o->z[z];
    BL_SIMD for (int n = 0; n < X; ++n) {
        real u = bl_max(BL_R(1) - (o->x[n] * o->x[n] + yz), BL_R(0)), v = u * u;
        real w = volume * bl_window_shape(*k, v), slope = volume * bl_window_slope(*k, u, v);
        s->a[row + n] += w;
        s->gx[row + n] += slope * o->x[n];
        s->gy[row + n] += slope * dy;
        s->gz[row + n] += slope * dz;
    }
}

/* The same of walls, with gamma cos(theta). */
typedef struct wall_sums {
    sums of;
    real wetting[NODES];
} wall_sums;

static int layers_of(const bl_field *f) { return f->lattice.dimension == 2 ? 1 : Z; }

static inline __attribute__((always_inline)) void sum_point(const bl_field *f, const offsets *o, real volume, sums *s) {
    const int layers = layers_of(f);
    for (int z = 0; z < layers; ++z) {
        if (o->z2[z] + o->least_y2 + o->least_x2 >= BL_R(1)) continue;
        for (int y = 0; y < Y; ++y) {
            real yz = o->y2[y] + o->z2[z];
            if (yz + o->least_x2 < BL_R(1)) add_row(&f->kernel, o, y, z, yz, volume, s);
        }
    }
}

static void sum_wall(const bl_field *f, const offsets *o, real volume, real wetting, wall_sums *s) {
    sum_point(f, o, volume, &s->of);
    if (wetting == BL_R(0)) return;
    const int layers = layers_of(f);
    for (int n = 0; n < layers * Y * X; ++n) {
        real dx = o->x[n % X], dy = o->y[n / X % Y], dz = o->z[n / (X * Y)];
        real u = bl_max(BL_R(1) - (dx * dx + dy * dy + dz * dz), BL_R(0));
        s->wetting[n] += wetting * volume * bl_window_shape(f->kernel, u * u);
    }
}

/* --- nodes --- */

static uint32_t phase_of(const bl_field *f, uint32_t particle) { return f->in->phase ? f->in->phase[particle] : 0; }
static const int32_t *place_of(const bl_field *f, size_t tile) { return f->tiles.place[tile].at; }

/* `liquids`: the sums of each. */
BL_CLONES static void sum_around(const bl_field *f, size_t tile, const uint32_t *around, sums *liquids) {
    offsets o;
    for (int m = 0; m < BL_TILES_AROUND; ++m) {
        if (around[m] == BL_NO_TILE) continue;
        for (uint32_t p = f->liquid.first[around[m]]; p < f->liquid.first[around[m] + 1]; ++p) {
            const bl_lattice_point *point = &f->liquid.of[p];
            if (look_from(f, place_of(f, tile), place_of(f, around[m]), point, &o))
                sum_point(f, &o, f->v0, &liquids[phase_of(f, point->index)]);
        }
    }
}

BL_CLONES static void sum_walls_around(const bl_field *f, size_t tile, const uint32_t *around, wall_sums *walls) {
    const bl_field_input *in = f->in;
    offsets o;
    for (int m = 0; m < BL_TILES_AROUND; ++m) {
        if (around[m] == BL_NO_TILE) continue;
        for (uint32_t p = f->walls.first[around[m]]; p < f->walls.first[around[m] + 1]; ++p) {
            const bl_lattice_point *point = &f->walls.of[p];
            if (!look_from(f, place_of(f, tile), place_of(f, around[m]), point, &o)) continue;
            sum_wall(f, &o, in->wall_volume[point->index], (real)in->wetting[in->wall_body[point->index]], walls);
        }
    }
}

static bl_vec3 gradient_of(const bl_field *f, const sums *s, int n) {
    const real slope = f->kernel.norm * f->kernel.inv_support;
    return bl_v3_make(slope * s->gx[n], slope * s->gy[n], slope * s->gz[n]);
}

static void keep_term(const bl_field *f, field_tile *t, int n, bl_field_term term, real share) {
    const real support = BL_R(1) / f->kernel.inv_support, nothing = BL_R(BL_FIELD_NOTHING);
    t->by_a[n] = support * term.by_a;
    t->share[n] = (real)f->lattice.dimension * support * share;
    t->gx[n] = term.by_grad.x, t->gy[n] = term.by_grad.y, t->gz[n] = term.by_grad.z;
    t->idle &= BL_FABS(t->by_a[n]) < nothing && bl_v3_norm2(term.by_grad) < nothing * nothing;
}

/* Node n of a tile; walls may be NULL. */
static void judge_node(const bl_field *f, size_t tile, const sums *liquids, const wall_sums *walls, int n) {
    bl_field_node node = {.count = f->in->liquid_count};
    real a = BL_R(0);
    for (int k = 0; k < node.count; ++k) {
        a += node.a[k] = f->kernel.norm * liquids[k].a[n];
        node.grad_a[k] = gradient_of(f, &liquids[k], n);
    }
    if (a <= BL_R(0)) return;
    const bool walled = walls && walls->of.a[n] > BL_R(0);
    if (walled) {
        node.b = f->kernel.norm * walls->of.a[n];
        node.grad_b = gradient_of(f, &walls->of, n);
        node.wetting = walls->wetting[n] / walls->of.a[n];
    }
    const bl_field_judged judged = bl_field_judge(&f->law, f->in->liquids, &node);
    f->energy[tile] += (double)judged.energy;
    for (int k = 0; k < node.count; ++k)
        keep_term(f, &f->terms[k][tile], n, judged.liquid[k], judged.energy / judged.a);
    if (walled) keep_term(f, &f->bearing[tile], n, judged.wall, BL_R(0));
}

static void judge_nodes(const bl_field *f, size_t tile, const sums *liquids, const wall_sums *walls) {
    int nodes[3];
    bl_node_tiles_extent(&f->tiles, tile, nodes);
    for (int n = 0; n < NODES; ++n) {
        if (n % X < nodes[0] && n / X % Y < nodes[1] && n / (X * Y) < nodes[2]) judge_node(f, tile, liquids, walls, n);
    }
}

static void clear_tile(field_tile *t) {
    memset(t, 0, sizeof *t);
    t->idle = true;
}

static void nodes_of_tiles(void *user, size_t begin, size_t end) {
    bl_field *f = user;
    const int count = f->in->liquid_count;
    const bool walled = f->in->wall_count > 0;
    for (size_t tile = begin; tile < end; ++tile) {
        uint32_t around[BL_TILES_AROUND];
        sums liquids[BL_MAX_PHASES];
        wall_sums walls;
        memset(liquids, 0, (size_t)count * sizeof *liquids);
        memset(&walls, 0, walled ? sizeof walls : 0);
        for (int k = 0; k < count; ++k) clear_tile(&f->terms[k][tile]);
        if (walled) clear_tile(&f->bearing[tile]);
        f->energy[tile] = 0;
        bl_node_tiles_around(&f->tiles, tile, around);
        sum_around(f, tile, around, liquids);
        if (walled) sum_walls_around(f, tile, around, &walls);
        judge_nodes(f, tile, liquids, walled ? &walls : NULL);
    }
}

/* --- particles --- */

typedef struct pull {
    real x[X], y[X], z[X], virial[X];
} pull;

/* The virial of a particle is -x.F over the nodes less its share of their energy, dim e V0 W/a: the stress of the field
 * is what nodes do to particles and -e, since a node stands for room that grows with what is in it.
 *
 * e_a grad W + (grad grad W) e_g of a row, over norm/support^2: with q = x/support and W' = slope(u) q this is
 * slope (e_a support q + e_g) - 2 slope'(u) q (q.e_g). */
static inline __attribute__((always_inline)) void pull_row(const bl_kernel *k, const offsets *o, const field_tile *t,
                                                           int y, int z, real yz, pull *s) {
    const int row = (z * Y + y) * X;
    const real dy = o->y[y], dz = o->z[z];
    BL_SIMD for (int n = 0; n < X; ++n) {
        real dx = o->x[n], u = bl_max(BL_R(1) - (dx * dx + yz), BL_R(0)), v = u * u;
        real slope = bl_window_slope(*k, u, v);
        real bend = u > BL_R(0) ? bl_window_bend(*k, v) : BL_R(0);
        real along = dx * t->gx[row + n] + dy * t->gy[row + n] + dz * t->gz[row + n];
        real c = slope * t->by_a[row + n] - BL_R(2) * bend * along;
        s->x[n] += c * dx + slope * t->gx[row + n];
        s->y[n] += c * dy + slope * t->gy[row + n];
        s->z[n] += c * dz + slope * t->gz[row + n];
        s->virial[n] -= c * (dx * dx + yz) + slope * along + t->share[row + n] * bl_window_shape(*k, v);
    }
}

static inline __attribute__((always_inline)) void pull_point(const bl_field *f, const offsets *o, const field_tile *t,
                                                             pull *s) {
    const int layers = layers_of(f);
    for (int z = 0; z < layers; ++z) {
        if (o->z2[z] + o->least_y2 + o->least_x2 >= BL_R(1)) continue;
        for (int y = 0; y < Y; ++y) {
            real yz = o->y2[y] + o->z2[z];
            if (yz + o->least_x2 < BL_R(1)) pull_row(&f->kernel, o, t, y, z, yz, s);
        }
    }
}

static real sum_lanes(const real *v) { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }

BL_CLONES static bl_vec4 pull_on(const bl_field *f, const field_tile *terms, size_t home, const uint32_t *around,
                                 const bl_lattice_point *point) {
    const real scale = f->kernel.norm * f->kernel.inv_support * f->kernel.inv_support;
    offsets o;
    pull s;
    memset(&s, 0, sizeof s);
    for (int m = 0; m < BL_TILES_AROUND; ++m) {
        if (around[m] != BL_NO_TILE && look_from(f, place_of(f, around[m]), place_of(f, home), point, &o))
            pull_point(f, &o, &terms[around[m]], &s);
    }
    bl_vec3 force = bl_v3_make(scale * sum_lanes(s.x), scale * sum_lanes(s.y), scale * sum_lanes(s.z));
    return bl_v4_make(force, scale / f->kernel.inv_support * sum_lanes(s.virial));
}

/* The tiles around one whose nodes pull. */
static bool tiles_that_pull(const bl_field *f, const field_tile *terms, size_t home, uint32_t *around) {
    bool any = false;
    bl_node_tiles_around(&f->tiles, home, around);
    for (int m = 0; m < BL_TILES_AROUND; ++m) {
        if (around[m] != BL_NO_TILE && (around[m] >= f->tiles.with_nodes || terms[around[m]].idle))
            around[m] = BL_NO_TILE;
        any |= around[m] != BL_NO_TILE;
    }
    return any;
}

static void pull_liquid(bl_field *f, size_t home) {
    for (int k = 0; k < f->in->liquid_count; ++k) {
        uint32_t around[BL_TILES_AROUND];
        bool any = tiles_that_pull(f, f->terms[k], home, around);
        for (uint32_t p = f->liquid.first[home]; p < f->liquid.first[home + 1]; ++p) {
            if (phase_of(f, f->liquid.of[p].index) != (uint32_t)k) continue;
            f->on_liquid.of[p] = any ? pull_on(f, f->terms[k], home, around, &f->liquid.of[p]) : (bl_vec4){0};
        }
    }
}

static void pull_walls(bl_field *f, size_t home) {
    uint32_t around[BL_TILES_AROUND], first = f->walls.first[home], end = f->walls.first[home + 1];
    bool any = first < end && tiles_that_pull(f, f->bearing, home, around);
    for (uint32_t p = first; p < end; ++p)
        f->on_walls.of[p] = any ? pull_on(f, f->bearing, home, around, &f->walls.of[p]) : (bl_vec4){0};
}

static void pull_of_tiles(void *user, size_t begin, size_t end) {
    bl_field *f = user;
    for (size_t home = begin; home < end; ++home) {
        if (f->liquid.first[home] < f->liquid.first[home + 1]) pull_liquid(f, home);
        if (f->in->wall_count) pull_walls(f, home);
    }
}

/* --- what the sums over nodes leave of the total force and moment --- */

typedef struct balance {
    const bl_vec3 *x;
    bl_vec3 *force;
    double center[3], mean[3], turn[3]; /* turn: angular acceleration times the mass of a particle */
} balance;

static void sum_forces(void *user, size_t begin, size_t end, double *acc) {
    const balance *b = user;
    for (size_t i = begin; i < end; ++i) {
        const double x[3] = {(double)b->x[i].x, (double)b->x[i].y, (double)b->x[i].z};
        const double f[3] = {(double)b->force[i].x, (double)b->force[i].y, (double)b->force[i].z};
        for (int k = 0; k < 3; ++k) acc[k] += f[k], acc[3 + k] += x[k];
    }
}

/* Moment about the centre, and the moments of inertia xx, yy, zz, xy, yz, zx. */
static void sum_moments(void *user, size_t begin, size_t end, double *acc) {
    const balance *b = user;
    for (size_t i = begin; i < end; ++i) {
        const double x = (double)b->x[i].x - b->center[0], y = (double)b->x[i].y - b->center[1],
                     z = (double)b->x[i].z - b->center[2];
        const double fx = (double)b->force[i].x, fy = (double)b->force[i].y, fz = (double)b->force[i].z;
        acc[0] += y * fz - z * fy, acc[1] += z * fx - x * fz, acc[2] += x * fy - y * fx;
        acc[3] += y * y + z * z, acc[4] += z * z + x * x, acc[5] += x * x + y * y;
        acc[6] -= x * y, acc[7] -= y * z, acc[8] -= z * x;
    }
}

static void take_away(void *user, size_t begin, size_t end) {
    const balance *b = user;
    for (size_t i = begin; i < end; ++i) {
        const double x = (double)b->x[i].x - b->center[0], y = (double)b->x[i].y - b->center[1],
                     z = (double)b->x[i].z - b->center[2];
        b->force[i].x -= (real)(b->mean[0] + b->turn[1] * z - b->turn[2] * y);
        b->force[i].y -= (real)(b->mean[1] + b->turn[2] * x - b->turn[0] * z);
        b->force[i].z -= (real)(b->mean[2] + b->turn[0] * y - b->turn[1] * x);
    }
}

/* turn = inertia^-1 moment, by Cramer's rule; none where the liquid is a point or a line. */
static void set_turn(balance *b, int dimension, const double *m) {
    if (dimension == 2) {
        b->turn[2] = m[5] > 0 ? m[2] / m[5] : 0;
        return;
    }
    const double a[3][3] = {{m[3], m[6], m[8]}, {m[6], m[4], m[7]}, {m[8], m[7], m[5]}};
    double det = 0, scale = m[3] + m[4] + m[5];
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        det += a[0][k] * (a[1][i] * a[2][j] - a[1][j] * a[2][i]);
    }
    if (!(det > 1e-6 * scale * scale * scale)) return;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int r = 0; r < 3; ++r) {
            int p = (r + 1) % 3, q = (r + 2) % 3;
            b->turn[k] += (a[p][i] * a[q][j] - a[p][j] * a[q][i]) * m[r] / det;
        }
    }
}

/* Total force and moment on points; adds to total[0..5]. */
static void add_total(bl_context *ctx, balance *b, size_t count, const bl_vec3 *x, bl_vec3 *force, double *total) {
    double forces[6], moments[9];
    b->x = x, b->force = force;
    bl_parallel_reduce(ctx, count, 6, BL_REDUCE_SUM, sum_forces, b, forces);
    bl_parallel_reduce(ctx, count, 9, BL_REDUCE_SUM, sum_moments, b, moments);
    for (int k = 0; k < 3; ++k) total[k] += forces[k], total[3 + k] += moments[k];
}

/* Nodes at rest in space are no liquid: their sums leave a small force and a small moment, which all of the liquid has
 * to give back, as if it were rigid. What walls bear counts: they take what the liquid loses. */
static void keep_momenta(bl_context *ctx, const bl_field *f, bl_vec3 *force) {
    const bl_field_input *in = f->in;
    balance b = {.x = in->x, .force = force};
    double places[6], moments[9], total[6] = {0};
    bool open = true;
    for (int k = 0; k < 3; ++k) open &= f->lattice.period[k] == 0;
    bl_parallel_reduce(ctx, in->count, 6, BL_REDUCE_SUM, sum_forces, &b, places);
    for (int k = 0; k < 3; ++k) b.center[k] = places[3 + k] / (double)in->count;
    bl_parallel_reduce(ctx, in->count, 9, BL_REDUCE_SUM, sum_moments, &b, moments);
    add_total(ctx, &b, in->count, in->x, force, total);
    if (in->wall_count) add_total(ctx, &b, in->wall_count, in->wall_x, f->wall_force, total);
    for (int k = 0; k < 3; ++k) b.mean[k] = total[k] / (double)in->count, moments[k] = total[3 + k];
    if (open) set_turn(&b, f->lattice.dimension, moments);
    b.x = in->x, b.force = force;
    bl_parallel_for(ctx, in->count, POINTS_A_CHUNK, take_away, &b);
}

/* --- a step --- */

bl_status bl_field_create(bl_context *ctx, int dimension, double h, const double period[3], const double low[3],
                          bl_field **out) {
    static const double terms[] = BL_FAR_SMOOTH_TERMS;
    bl_field *f = bl_alloc(ctx, 1, sizeof *f);
    if (!f) return BL_ERR_MEMORY;
    const double support = BL_FIELD_SUPPORT * h;
    f->kernel = bl_kernel_make_window(dimension, support, terms);
    f->law = bl_field_law_of(&f->kernel, dimension);
    f->v0 = (real)pow(h, dimension);
    f->lattice = (bl_lattice){.dimension = dimension, .reach = support};
    for (int k = 0; k < 3; ++k) {
        double g = BL_FIELD_NODES * h;
        if (period[k] > 0) {
            f->lattice.period[k] = (int64_t)fmax(1, floor(period[k] / g + 1e-6));
            g = period[k] / (double)f->lattice.period[k];
        }
        f->lattice.spacing[k] = g;
        f->low[k] = low[k];
        f->step[k] = (real)(g / support);
    }
    *out = f;
    return BL_OK;
}

void bl_field_destroy(bl_context *ctx, bl_field *f) {
    if (!f) return;
    bl_node_tiles_clear(ctx, &f->tiles);
    bl_node_points_clear(ctx, &f->liquid);
    bl_node_points_clear(ctx, &f->walls);
    for (int k = 0; k < BL_MAX_PHASES; ++k) bl_release(ctx, f->terms[k]);
    bl_release(ctx, f->energy);
    bl_release(ctx, f->bearing);
    bl_release(ctx, f->on_liquid.of);
    bl_release(ctx, f->on_walls.of);
    bl_release(ctx, f->wall_force);
    bl_release(ctx, f);
}

/* Multiples of these fill the unit cube evenly (powers of the root of x^4 = x + 1). */
static void shift_lattice(const bl_field *f, uint64_t turn, bl_lattice *lattice) {
    static const double share[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    *lattice = f->lattice;
    for (int k = 0; k < f->lattice.dimension; ++k)
        lattice->origin[k] = f->low[k] + lattice->spacing[k] * fmod((double)(turn % 1000003) * share[k], 1);
}

static bl_status make_room_for(bl_context *ctx, const bl_node_points *points, pulls *on) {
    if (points->count <= on->room) return BL_OK;
    bl_release(ctx, on->of);
    on->room = points->room;
    on->of = bl_alloc(ctx, on->room, sizeof *on->of);
    return on->of ? BL_OK : BL_ERR_MEMORY;
}

static bl_status make_tiles(bl_context *ctx, const bl_field *f, bool wanted, field_tile **tiles) {
    bl_release(ctx, *tiles);
    *tiles = wanted ? bl_alloc(ctx, f->terms_room, sizeof **tiles) : NULL;
    return *tiles || !wanted ? BL_OK : BL_ERR_MEMORY;
}

static bl_status make_wall_room(bl_context *ctx, bl_field *f) {
    if (f->in->wall_count <= f->wall_room) return BL_OK;
    bl_release(ctx, f->wall_force);
    f->wall_room = f->in->wall_count;
    f->wall_force = bl_alloc(ctx, f->wall_room, sizeof *f->wall_force);
    return f->wall_force ? BL_OK : BL_ERR_MEMORY;
}

static bl_status make_room(bl_context *ctx, bl_field *f) {
    const bool walled = f->in->wall_count > 0;
    const int last = f->in->liquid_count - 1;
    if (f->tiles.with_nodes > f->terms_room || (walled && !f->bearing) || !f->terms[last]) {
        f->terms_room = f->tiles.with_nodes + f->tiles.with_nodes / 2;
        bl_release(ctx, f->energy);
        if (!(f->energy = bl_alloc(ctx, f->terms_room, sizeof *f->energy))) return BL_ERR_MEMORY;
        for (int k = 0; k <= last; ++k)
            if (make_tiles(ctx, f, true, &f->terms[k])) return BL_ERR_MEMORY;
        if (make_tiles(ctx, f, walled, &f->bearing)) return BL_ERR_MEMORY;
    }
    bl_status status = make_room_for(ctx, &f->liquid, &f->on_liquid);
    if (status == BL_OK && walled) status = make_room_for(ctx, &f->walls, &f->on_walls);
    return status == BL_OK ? make_wall_room(ctx, f) : status;
}

/* Forces of the points, images included, to what they belong to; in the order of the points. */
static void collect(const bl_field *f, const bl_node_points *points, const pulls *on, real volume, const real *volumes,
                    bl_vec3 *force, size_t count) {
    memset(force, 0, count * sizeof *force);
    for (size_t p = 0; p < points->count; ++p) {
        const uint32_t k = points->of[p].index;
        const real v = volumes ? volumes[k] : volume;
        force[k] = bl_v3_mad(force[k], (real)(f->scale * (double)v), bl_v4_xyz(on->of[p]));
    }
}

static bl_status no_forces(bl_context *ctx, bl_field *f, bl_vec3 *force) {
    memset(force, 0, f->in->count * sizeof *force);
    f->liquid.count = 0; /* nor virials */
    bl_status status = make_wall_room(ctx, f);
    if (status == BL_OK) memset(f->wall_force, 0, f->in->wall_count * sizeof *f->wall_force);
    return status;
}

bl_status bl_field_forces(bl_context *ctx, bl_field *f, const bl_field_input *in, bl_vec3 *force, double *energy) {
    bl_lattice lattice;
    double volume = 1;
    *energy = 0;
    f->in = in;
    if (in->count == 0 || !(in->gamma > 0)) return no_forces(ctx, f, force);
    shift_lattice(f, in->turn, &lattice);
    for (int k = 0; k < lattice.dimension; ++k) volume *= lattice.spacing[k];
    bl_status status = bl_node_tiles_build(ctx, &f->tiles, &lattice, in->x, in->count, in->wall_count > 0, &f->liquid);
    if (status == BL_OK && in->wall_count)
        status = bl_node_tiles_sort(ctx, &f->tiles, in->wall_x, in->wall_count, &f->walls);
    if (status == BL_OK) status = make_room(ctx, f);
    if (status != BL_OK) return status;
    bl_parallel_for(ctx, f->tiles.with_nodes, TILES_A_CHUNK, nodes_of_tiles, f);
    for (size_t t = 0; t < f->tiles.with_nodes; ++t) *energy += f->energy[t];
    *energy *= in->gamma * volume;
    bl_parallel_for(ctx, f->tiles.count, TILES_A_CHUNK, pull_of_tiles, f);
    f->scale = in->gamma * volume;
    collect(f, &f->liquid, &f->on_liquid, f->v0, NULL, force, in->count);
    if (in->wall_count) collect(f, &f->walls, &f->on_walls, 0, in->wall_volume, f->wall_force, in->wall_count);
    if (in->wall_count == 0 || in->even) keep_momenta(ctx, f, force);
    return BL_OK;
}

const bl_vec3 *bl_field_wall_forces(const bl_field *f) { return f->wall_force; }

void bl_field_virials(const bl_field *f, double volume, real *virial) {
    const double scale = f->scale * (double)f->v0 / ((double)f->lattice.dimension * volume);
    for (size_t p = 0; p < f->liquid.count; ++p)
        virial[f->liquid.of[p].index] += (real)(scale * (double)f->on_liquid.of[p].w);
}
