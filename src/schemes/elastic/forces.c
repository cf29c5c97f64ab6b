/* Deformation, stress and forces; the formulas are at the top of elastic.h. */
#include "base/parallel.h"
#include "schemes/elastic/body.h"

enum { CHUNK = 256 }; /* few particles with much work each */

/* A_i of the positions or displacements y. */
static bl_mat3 gradient(const bl_elastic *e, const bl_vec3d *y, size_t i) {
    bl_mat3 d = bl_mat3_zero();
    for (size_t k = e->rows.start[i]; k < e->rows.start[i + 1]; k++)
        bl_mat3_add_outer(&d, e->rows.weight[k], bl_v3d_sub(y[e->rows.neighbour[k]], y[i]), e->rows.offset[k]);
    return bl_mat3_multiply(&d, &e->inverse[i]);
}

/* --- rotations --- */

typedef struct rotate_job {
    bl_elastic *e;
    int dimension;
} rotate_job;

static void rotate_range(void *user, size_t begin, size_t end) {
    const rotate_job *job = user;
    for (size_t i = begin; i < end; i++) {
        bl_mat3 a = gradient(job->e, job->e->x, i);
        if (job->dimension == 2) a.m[2][2] = 1; /* a plane turns in its plane */
        job->e->rotation[i] = bl_mat3_rotation(&a);
    }
}

void bl_elastic_rotate(bl_elastic *e, int dimension) {
    rotate_job job = {e, dimension};
    bl_parallel_for(e->ctx, e->count, CHUNK, rotate_range, &job);
}

/* --- forces --- */

typedef struct force_job {
    bl_elastic *e;
    const bl_vec3d *y;
    bool linear;
    bl_vec3d *force;
} force_job;

/* sym(B R^T), B = A or its change; where R keeps the directions without neighbours out. */
static bl_mat3 strain_of(const bl_elastic *e, size_t i, const bl_mat3 *a, bool linear) {
    bl_mat3 b = *a;
    if (!linear) {
        bl_mat3 rest = bl_mat3_multiply(&e->rotation[i], &e->projection[i]);
        for (int k = 0; k < 9; k++) b.m[k / 3][k % 3] -= rest.m[k / 3][k % 3];
    }
    bl_mat3 g = bl_mat3_multiply_transposed(&b, &e->rotation[i]), s;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) s.m[r][c] = 0.5 * (g.m[r][c] + g.m[c][r]);
    return s;
}

static void stress_range(void *user, size_t begin, size_t end) {
    const force_job *job = user;
    bl_elastic *e = job->e;
    for (size_t i = begin; i < end; i++) {
        const bl_elastic_material *m = &e->materials[e->body[i]];
        bl_mat3 a = gradient(e, job->y, i), p = strain_of(e, i, &a, job->linear);
        double trace = bl_mat3_trace(&p), square = 0;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                square += p.m[r][c] * p.m[r][c];
                p.m[r][c] = 2 * m->mu * p.m[r][c] + (r == c ? m->lambda * trace : 0);
            }
        e->energy[i] = e->volume * (m->mu * square + 0.5 * m->lambda * trace * trace);
        bl_mat3 turned = bl_mat3_multiply(&p, &e->rotation[i]), z = bl_mat3_multiply(&turned, &e->inverse[i]);
        for (int k = 0; k < 9; k++)
            e->z[i].m[k / 3][k % 3] = e->volume * z.m[k / 3][k % 3] - m->hold * a.m[k / 3][k % 3];
    }
}

static void force_range(void *user, size_t begin, size_t end) {
    const force_job *job = user;
    const bl_elastic *e = job->e;
    for (size_t i = begin; i < end; i++) {
        double hold = 2 * e->materials[e->body[i]].hold;
        bl_vec3d f = bl_v3d_zero();
        for (size_t k = e->rows.start[i]; k < e->rows.start[i + 1]; k++) {
            uint32_t j = e->rows.neighbour[k];
            bl_mat3 z;
            for (int n = 0; n < 9; n++) z.m[n / 3][n % 3] = e->z[i].m[n / 3][n % 3] + e->z[j].m[n / 3][n % 3];
            bl_vec3d pair = bl_mat3_apply(&z, e->rows.offset[k]);
            pair = bl_v3d_mad(pair, hold, bl_v3d_sub(job->y[j], job->y[i]));
            f = bl_v3d_mad(f, e->rows.weight[k], pair);
        }
        job->force[i] = f;
    }
}

void bl_elastic_forces(bl_elastic *e, const bl_vec3d *y, bool linear, bl_vec3d *force) {
    force_job job = {e, y, linear, force};
    bl_parallel_for(e->ctx, e->count, CHUNK, stress_range, &job);
    bl_parallel_for(e->ctx, e->count, CHUNK, force_range, &job);
}
