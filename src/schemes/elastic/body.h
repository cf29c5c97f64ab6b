/* The inside of bl_elastic. Particles of all elastic bodies are numbered together, in the order of the store. */
#ifndef BL_SCHEMES_ELASTIC_BODY_H
#define BL_SCHEMES_ELASTIC_BODY_H

#include "schemes/elastic/elastic.h"
#include "schemes/elastic/matrix.h"

typedef struct bl_elastic_material {
    double mu, lambda; /* Lame's constants, Pa */
    double mass;       /* of a particle */
    double hold;       /* stabilization mu V, J */
    double contact;    /* stiffness of contact, N/m */
} bl_elastic_material;

/* A pair in contact: `other` is a place in the boundary store, `normal` points from it to the particle. */
typedef struct bl_contact {
    uint32_t other;
    double overlap, stiffness;
    bl_vec3d normal;
} bl_contact;

/* Rows of pairs: those of particle i are [start[i], start[i + 1]). */
typedef struct bl_rest_rows {
    size_t *start;
    uint32_t *neighbour; /* elastic number */
    bl_vec3d *offset;    /* X_j - X_i */
    double *weight;      /* q_ij, 1/m^2 */
} bl_rest_rows;

enum { BL_NOT_ELASTIC = UINT32_MAX };

struct bl_elastic {
    bl_context *ctx;
    double volume, spacing;
    double tolerance; /* the strictest of all bodies */
    int max_iterations;
    bl_elastic_material *materials; /* of each boundary; zero where it is rigid */
    size_t count, boundary_count;
    uint32_t *at;     /* place in the boundary store, of each particle */
    uint32_t *number; /* the other way round; BL_NOT_ELASTIC: none */
    uint32_t *body;
    bool *free;
    const bl_vec3d *rest_by_id, *normal_by_id;
    bl_rest_rows rows;
    bl_mat3 *inverse, *projection; /* of N_i: its inverse, and on the directions in which there are neighbours */
    bl_mat3 *rotation;             /* R_i of this step */
    bl_mat3 *z;                    /* Z_i - hold A_i of the last force evaluation */
    double *energy;                /* of strain, likewise */
    bl_vec3d *x, *v, *next;        /* at t, at t, the solution */
    bl_vec3d *y, *force, *outside, *residual, *direction, *product;
    size_t *contact_start;
    bl_contact *contacts;
    size_t contact_capacity;
};

/* rest.c */
bl_status bl_elastic_prepare(bl_elastic *e, const bl_world *world);
/* forces.c: the rotations of the positions x. */
void bl_elastic_rotate(bl_elastic *e, int dimension);
/* Forces at the positions y, or with `linear` their change by the displacements y. Fixed particles get theirs too. */
void bl_elastic_forces(bl_elastic *e, const bl_vec3d *y, bool linear, bl_vec3d *force);
/* contact.c: the pairs in contact at x; their forces at the velocities v' after dt, or their change. Adds to `force`.
 */
bl_status bl_elastic_find_contacts(bl_elastic *e, const bl_world *world);
void bl_elastic_add_contacts(const bl_elastic *e, const bl_world *world, const bl_vec3d *velocity, double dt,
                             bool linear, bl_vec3d *force);
/* What the particles push away at the velocities v' is pushed: boundary.f of rigid bodies, which move after elastic
 * ones.
 */
void bl_elastic_push_rigid(const bl_elastic *e, bl_world *world, const bl_vec3d *velocity, double dt);

#endif
