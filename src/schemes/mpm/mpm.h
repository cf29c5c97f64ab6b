/* Inside of the scheme hyde2020: an implicit material point method with surface energy.
 *
 *  one step:
 *    grid (cells, nodes) ─▶ particles to nodes ─▶ walls at nodes ─▶ level set ─▶ pieces of surface
 *        ─▶ Newton: ┌─▶ forces, residual ─▶ converged? ─▶ nodes to particles ─▶ observe
 *                   └──── conjugate gradients ◀─ no
 *
 * The grid is sparse: nodes are numbered as they are found, and know the 9 or 27 nodes around them by number. A node is
 * also a cell: that of the particles it is nearest to, which see the nodes around it. The first `cells` nodes have
 * particles, the first `masses` see one, all others surround those and are for the level set alone.
 *
 * What particles give to nodes is added up within each cell first (a patch), then each node adds up the patches of the
 * cells around it. Nothing is ever added by two threads, and the order is always the same. */
#ifndef BL_SCHEMES_MPM_H
#define BL_SCHEMES_MPM_H

#include "geometry/cubes.h"
#include "physics/surface_energy.h"
#include "schemes/scheme.h"

enum {
    BL_MPM_SPAN = 3,     /* nodes that a point sees along an axis */
    BL_MPM_MOST = 27,    /* nodes that a point sees */
    BL_MPM_PAD = 32,     /* the same, filled up to whole vectors */
    BL_MPM_CELLS = 32,   /* cells, nodes of a chunk */
    BL_MPM_DILATION = 0, /* annex of a particle: J - 1, ... */
    BL_MPM_AFFINE = 1,   /* ... and the 9 numbers of the affine velocity, 1/s, row by row */
    BL_MPM_ANNEX = 10,
    BL_MPM_NEWTON = 5, /* iterations at most (as the paper's figure 8) */
    BL_MPM_FACES = 3,  /* walls that a node can feel at once */
};
#define BL_MPM_NONE UINT32_MAX

/* Cell size of the grid over the spacing: 8 particles a cell in 3D, 4 in 2D. */
#define BL_MPM_CELL 2.0
/* Radius of the level set of a particle in cells. The zero set of a lattice cut off half-way between two layers then
 * lies there, and no node inside counts as outside (docs/theory/hyde2020.md). */
#define BL_MPM_RADIUS_2D 0.57
#define BL_MPM_RADIUS_3D 0.55

/* The walls at a node: whose nearest points stand there, and which of them hold it now. */
typedef struct bl_mpm_wall {
    uint32_t node;
    uint8_t count, held, axes; /* held: bit of each; axes: what is left of those that hold */
    uint32_t body[BL_MPM_FACES];
    bl_vec3 normal[BL_MPM_FACES], velocity[BL_MPM_FACES];
    real push[BL_MPM_FACES];    /* impulse over the step, along the normal; below 0: the wall pulls */
    real glue[BL_MPM_FACES];    /* the most it can pull with, N s */
    real drag;                  /* along the wall, N s/m times the step: kg */
    bl_vec3 rubbed;             /* impulse of friction over the step, N s */
    bl_vec3 axis[BL_MPM_FACES]; /* orthonormal: what the held ones forbid, ... */
    real target[BL_MPM_FACES];  /* ... and the velocity they ask for along them, m/s */
} bl_mpm_wall;

/* A piece of surface, free or wet. */
typedef struct bl_mpm_piece {
    uint32_t cell;  /* where it is evaluated */
    uint32_t owner; /* the nearest particle */
    bl_vec3 f;      /* place in the cell, in steps of the grid */
    bl_vec3 normal;
    real area;    /* before the step */
    real tension; /* k, N/m */
    uint32_t wet; /* 0: free, else 1 + boundary */
} bl_mpm_piece;

/* The same while a step is solved for. */
typedef struct bl_mpm_sheet {
    bl_pair3 w, f;
    bl_surface_frame frame;
    real energy; /* k |dA| */
} bl_mpm_sheet;

/* A particle as the cells see it, in their order. */
typedef struct bl_mpm_point {
    bl_vec3 f;
    real dilation; /* J - 1 at the beginning of the step */
    real j;
    real volume; /* J V0 */
} bl_mpm_point;

/* Arrays of one step; they grow and stay. */
typedef struct bl_mpm_room {
    size_t particles, nodes, numbers, cells, pieces, walls, table;
} bl_mpm_room;

typedef struct bl_mpm {
    /* constants of the scene */
    int dimension, flat, stencil, middle, pad; /* nodes that a point sees, the place of its own, with room */
    double cell[3], inv_cell[3];               /* steps of the grid, m */
    real inv_step[3];
    int64_t period[3]; /* nodes of a periodic direction; 0: open */
    double origin[3];
    double mass, volume; /* of a particle, at rest */
    double bulk, scale;  /* k_p and the pressure that it is made for, Pa */
    real radius;         /* of a particle's level set, m */
    bool any_wall;
    bl_cubes cubes;

    /* constants of the step */
    double dt, tension, viscosity;
    struct bl_mpm_body *bodies;

    /* the grid */
    bl_mpm_room room;
    size_t particles, cells, masses, nodes, pieces, walls;
    uint64_t *table_key;
    uint32_t *table_node, *near; /* near: the nodes around each, `stencil` of them */
    uint64_t table_mask;
    int32_t (*place)[3];
    uint32_t *first, *order; /* of each cell: its particles in `order`; one more as the end */
    uint32_t *base;          /* of each particle: its cell */
    int32_t (*spot)[3];      /* its place on the grid */
    bl_vec3 *f;              /* and within its cell */
    bl_mpm_point *point;     /* by `order` */

    /* numbers of nodes */
    real *inertia;                 /* kg */
    bl_vec3 *start, *v, *residual; /* velocity without forces, now, m/s; N s */
    bl_vec3 *change, *direction, *image, *scaled;
    bl_vec3 *push_tension; /* impulse of the surface, N s */
    uint32_t *wall_of;     /* place in `wall`, or BL_MPM_NONE */
    bl_mpm_wall *wall;
    real *patch; /* of each cell: 4 x pad numbers */

    /* level set */
    uint32_t *nearest, *nearest_next, *wall_near, *wall_near_next;
    bl_vec3 *toward, *toward_next;           /* from the node (or what stands for it) to the nearest particle */
    bl_vec3 *wall_toward, *wall_toward_next; /* to the nearest point of a wall's surface */
    real *raw, *level;

    /* walls */
    size_t surface_points, wall_room;
    uint32_t *surface; /* boundary particles of the first layer */
    uint32_t *surface_cell;
    uint32_t *surface_first, *surface_order;
    bl_vec3 *surface_f;

    /* surface */
    bl_mpm_piece *piece, *piece_sorted;
    bl_mpm_sheet *sheet;
    uint32_t *piece_first;

    /* what is reported */
    double history[3 * (BL_MPM_NEWTON + 1)];
    int newton_iterations, cg_iterations;
} bl_mpm;

/* A boundary at the time of the step. */
typedef struct bl_mpm_body {
    double tension;  /* k of a wet piece: gamma_BF - gamma_BV */
    double adhesion; /* work that parts liquid and wall, N/m */
    double line;     /* what a free surface pulls at the wall with, N/m */
    double friction, viscosity, offset;
} bl_mpm_body;

/* setup.c */
bl_status bl_mpm_setup(bl_world *world, bl_mpm *m);
void bl_mpm_set_step(bl_world *world, bl_mpm *m, double dt);
/* A larger array in place of *array; its contents are lost. */
bl_status bl_mpm_renew(bl_context *ctx, void *array, size_t count, size_t item_size);

/* How far beside its surface point a wall goes on: for the nearest one, and for those that nodes around have found. */
static inline double bl_mpm_beside(const bl_world *world, const bl_mpm *m, bool own) {
    const double h = world->scene->spacing;
    return own ? 1.5 * h * h : 1.2 * m->cell[0] * m->cell[0];
}

/* grid.c */
bl_status bl_mpm_build_grid(bl_world *world, bl_mpm *m);
uint32_t bl_mpm_find_node(const bl_mpm *m, const int32_t place[3]); /* BL_MPM_NONE: there is none */
void bl_mpm_locate(const bl_mpm *m, bl_vec3 x, int32_t spot[3], bl_vec3 *f);
/* Where the node at place k of a cell's surroundings stands, in nodes from it. */
static inline void bl_mpm_offset(const bl_mpm *m, int k, int d[3]) {
    d[0] = k % BL_MPM_SPAN - 1;
    d[1] = k / BL_MPM_SPAN % BL_MPM_SPAN - 1;
    d[2] = m->flat ? 0 : k / (BL_MPM_SPAN * BL_MPM_SPAN) - 1;
}

/* transfer.c */
bl_status bl_mpm_gather_mass(bl_world *world, bl_mpm *m);
bl_status bl_mpm_begin(bl_world *world, bl_mpm *m); /* the first step, once there is a grid */
bl_status bl_mpm_move_particles(bl_world *world, bl_mpm *m, bl_failure *failure);

/* pressure.c: what nodes feel of the dilations of particles goes to their pressures and densities. */
void bl_mpm_find_pressures(bl_world *world, bl_mpm *m);

/* walls.c */
bl_status bl_mpm_find_walls(bl_world *world, bl_mpm *m);
void bl_mpm_find_lines(bl_world *world, bl_mpm *m); /* needs the level set, too */
void bl_mpm_hold_walls(bl_world *world, bl_mpm *m, bool first);
bool bl_mpm_walls_change(const bl_world *world, const bl_mpm *m); /* others would hold now */
void bl_mpm_push_walls(bl_world *world, bl_mpm *m);
void bl_mpm_rub_walls(bl_world *world, bl_mpm *m);
/* What walls leave of a vector at node i. */
static inline bl_vec3 bl_mpm_project(const bl_mpm *m, size_t i, bl_vec3 v) {
    if (m->wall_of[i] == BL_MPM_NONE) return v;
    const bl_mpm_wall *wall = &m->wall[m->wall_of[i]];
    for (int k = 0; k < wall->axes; k++) v = bl_v3_mad(v, -bl_v3_dot(v, wall->axis[k]), wall->axis[k]);
    return v;
}

/* level.c, pieces.c */
void bl_mpm_find_level(bl_world *world, bl_mpm *m);
bl_status bl_mpm_find_pieces(bl_world *world, bl_mpm *m);

/* system.c */
void bl_mpm_find_residual(bl_world *world, bl_mpm *m);
void bl_mpm_apply(bl_world *world, bl_mpm *m, const bl_vec3 *x, bl_vec3 *y);
void bl_mpm_find_tension(bl_world *world, bl_mpm *m);

/* newton.c */
bl_status bl_mpm_solve(bl_world *world, bl_mpm *m, bl_observation *report, bl_failure *failure);

/* observe.c */
void bl_mpm_observe(bl_world *world, bl_mpm *m, bl_observation *report);

#endif
