/* Life of the elastic bodies, and their step. */
#include "schemes/elastic/elastic.h"

#include "base/parallel.h"
#include "schemes/elastic/body.h"

#include <math.h>
#include <stdio.h>

/* --- life --- */

static size_t count_particles(const bl_world *world) {
    size_t count = 0;
    for (size_t b = 0; b < world->boundary.count; b++)
        count += world->scene->boundaries[world->boundary.body[b]].elastic.given;
    return count;
}

static bl_status take_memory(bl_elastic *e, int bodies) {
    size_t n = e->count;
#define TAKE(member, items)                                                                                            \
    if (!(e->member = bl_alloc(e->ctx, (items), sizeof *e->member))) return BL_ERR_MEMORY
    TAKE(materials, (size_t)bodies);
    TAKE(at, n);
    TAKE(number, e->boundary_count);
    TAKE(body, n);
    TAKE(free, n);
    TAKE(rows.start, n + 1);
    TAKE(inverse, n);
    TAKE(projection, n);
    TAKE(rotation, n);
    TAKE(z, n);
    TAKE(energy, n);
    TAKE(x, n);
    TAKE(v, n);
    TAKE(next, n);
    TAKE(y, n);
    TAKE(force, n);
    TAKE(outside, n);
    TAKE(residual, n);
    TAKE(direction, n);
    TAKE(product, n);
    TAKE(contact_start, n + 1);
#undef TAKE
    return BL_OK;
}

static void number_particles(bl_elastic *e, const bl_world *world) {
    size_t n = 0;
    for (size_t b = 0; b < e->boundary_count; b++) {
        uint32_t body = world->boundary.body[b];
        bool elastic = world->scene->boundaries[body].elastic.given;
        e->number[b] = elastic ? (uint32_t)n : BL_NOT_ELASTIC;
        if (!elastic) continue;
        e->at[n] = (uint32_t)b;
        e->body[n++] = body;
    }
}

bl_status bl_elastic_create(bl_world *world, const bl_vec3d *rest, const bl_vec3d *normal, bl_elastic **out) {
    *out = NULL;
    size_t count = count_particles(world);
    if (count == 0) return BL_OK;
    if (world->device)
        return bl_fail(world->ctx, BL_ERR_USAGE,
                       "elastic boundaries are computed on the CPU only; run without --device opencl");
    bl_elastic *e = bl_alloc(world->ctx, 1, sizeof *e);
    if (!e) return BL_ERR_MEMORY;
    e->ctx = world->ctx;
    e->count = count;
    e->boundary_count = world->boundary.count;
    e->rest_by_id = rest;
    e->normal_by_id = normal;
    bl_status status = take_memory(e, world->scene->boundary_count);
    if (!status) {
        number_particles(e, world);
        status = bl_elastic_prepare(e, world);
    }
    if (status) {
        bl_elastic_destroy(e);
        return status;
    }
    *out = e;
    return BL_OK;
}

void bl_elastic_destroy(bl_elastic *e) {
    if (!e) return;
    void *arrays[] = {e->materials,     e->at,          e->number,    e->body,       e->free,     e->rows.start,
                      e->rows.offset,   e->rows.weight, e->inverse,   e->projection, e->rotation, e->z,
                      e->energy,        e->x,           e->v,         e->next,       e->y,        e->force,
                      e->outside,       e->residual,    e->direction, e->product,    e->contacts, e->contact_start,
                      e->rows.neighbour};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) bl_release(e->ctx, arrays[k]);
    bl_release(e->ctx, e);
}

bool bl_elastic_is_free(const bl_elastic *e, size_t boundary) {
    return e && e->number[boundary] != BL_NOT_ELASTIC && e->free[e->number[boundary]];
}

double bl_elastic_speed(const bl_world *world, const bl_elastic *e) {
    double speed2 = 0;
    for (size_t i = 0; e && i < e->count; i++)
        if (e->free[i]) speed2 = fmax(speed2, bl_v3d_norm2(bl_v3d_from(world->boundary.v[e->at[i]])));
    return sqrt(speed2);
}

/* --- a step --- */

typedef struct step_job {
    bl_elastic *e;
    const bl_world *world;
    double dt, alpha, beta;
} step_job;

static double mass_of(const bl_elastic *e, size_t i) { return e->materials[e->body[i]].mass; }

/* State from the store, and the forces that do not depend on the solution. */
static void load(bl_elastic *e, const bl_world *world, double dt) {
    bl_vec3d g = bl_curve_at3(&world->scene->gravity, world->time + dt);
    for (size_t i = 0; i < e->count; i++) {
        uint32_t b = e->at[i];
        e->x[i] = bl_v3d_from(world->boundary.x[b]);
        e->v[i] = e->next[i] = bl_v3d_from(world->boundary.v[b]);
        e->outside[i] = bl_v3d_mad(bl_v3d_from(world->boundary.f[b]), mass_of(e, i), g);
    }
}

/* All forces on the particles if their velocities over the step are `next`. */
static void evaluate(step_job *job) {
    bl_elastic *e = job->e;
    for (size_t i = 0; i < e->count; i++) e->y[i] = bl_v3d_mad(e->x[i], job->dt, e->next[i]);
    bl_elastic_forces(e, e->y, false, e->force);
    bl_elastic_add_contacts(e, job->world, e->next, job->dt, false, e->force);
    for (size_t i = 0; i < e->count; i++) e->force[i] = bl_v3d_add(e->force[i], e->outside[i]);
}

/* product = (M + dt^2 K) direction */
static void apply(step_job *job) {
    bl_elastic *e = job->e;
    bl_elastic_forces(e, e->direction, true, e->product);
    for (size_t i = 0; i < e->count; i++) e->product[i] = bl_v3d_scale(job->dt, e->product[i]);
    bl_elastic_add_contacts(e, job->world, e->direction, job->dt, true, e->product);
    for (size_t i = 0; i < e->count; i++) {
        bl_vec3d m = bl_v3d_scale(mass_of(e, i), e->direction[i]);
        e->product[i] = e->free[i] ? bl_v3d_mad(m, -job->dt, e->product[i]) : bl_v3d_zero();
    }
}

static void dot_range(void *user, size_t begin, size_t end, double *acc) {
    bl_vec3d *const *pair = user;
    for (size_t i = begin; i < end; i++) acc[0] += bl_v3d_dot(pair[0][i], pair[1][i]);
}

static double dot(const bl_elastic *e, bl_vec3d *a, bl_vec3d *b) {
    bl_vec3d *pair[2] = {a, b};
    double out = 0;
    bl_parallel_reduce(e->ctx, e->count, 1, BL_REDUCE_SUM, dot_range, pair, &out);
    return out;
}

/* Conjugate gradients; returns the iterations, or -1 if they were not enough. */
static int solve(step_job *job) {
    bl_elastic *e = job->e;
    evaluate(job);
    for (size_t i = 0; i < e->count; i++)
        e->residual[i] = e->direction[i] = e->free[i] ? bl_v3d_scale(job->dt, e->force[i]) : bl_v3d_zero();
    double norm = dot(e, e->residual, e->residual), limit = e->tolerance * e->tolerance * norm;
    int iterations = 0;
    for (; norm > limit; iterations++) {
        if (iterations == e->max_iterations) return -1;
        apply(job);
        double curvature = dot(e, e->direction, e->product);
        if (!(curvature > 0)) return -1;
        double alpha = norm / curvature, old = norm;
        for (size_t i = 0; i < e->count; i++) {
            e->next[i] = bl_v3d_mad(e->next[i], alpha, e->direction[i]);
            e->residual[i] = bl_v3d_mad(e->residual[i], -alpha, e->product[i]);
        }
        norm = dot(e, e->residual, e->residual);
        for (size_t i = 0; i < e->count; i++) e->direction[i] = bl_v3d_mad(e->residual[i], norm / old, e->direction[i]);
    }
    return iterations;
}

/* The velocities that the forces of the solution make: equal to it when it is exact, and with the momentum of these
 * forces when it is not. */
static void finish(step_job *job, bl_world *world) {
    bl_elastic *e = job->e;
    evaluate(job);
    bl_elastic_push_rigid(e, world, e->next, job->dt);
    for (size_t i = 0; i < e->count; i++)
        if (e->free[i]) e->next[i] = bl_v3d_mad(e->v[i], job->dt / mass_of(e, i), e->force[i]);
}

static bl_status fail(const bl_elastic *e, const bl_world *world, size_t i, bl_failure *failure) {
    failure->term = "elasticity";
    failure->id = world->boundary.id[e->at[i]];
    failure->x = e->x[i];
    return BL_ERR_DIVERGED;
}

static bl_status check(const step_job *job, int iterations, bl_failure *failure) {
    const bl_elastic *e = job->e;
    for (size_t i = 0; i < e->count; i++) {
        double way = job->dt * bl_v3d_norm(e->next[i]) / e->spacing;
        if (way <= 1) continue;
        snprintf(failure->text, sizeof failure->text, "a particle of the elastic body moves %.3g spacings in one step",
                 way);
        return fail(e, job->world, i, failure);
    }
    if (iterations >= 0) return BL_OK;
    snprintf(failure->text, sizeof failure->text, "the solver of the elastic body did not converge in %d iterations",
             e->max_iterations);
    return fail(e, job->world, 0, failure);
}

static void store(const step_job *job, bl_world *world) {
    const bl_elastic *e = job->e;
    for (size_t i = 0; i < e->count; i++) {
        uint32_t b = e->at[i];
        if (!e->free[i]) continue;
        world->boundary.x[b] = bl_v3_from_d(bl_v3d_mad(e->x[i], job->dt, e->next[i]));
        world->boundary.v[b] = bl_v3_from_d(e->next[i]);
        bl_vec3d normal = bl_mat3_apply(&e->rotation[i], e->normal_by_id[world->boundary.id[b]]);
        world->boundary.normal[b] = bl_v3_from_d(normal);
    }
}

bl_status bl_elastic_step(bl_world *world, bl_elastic *e, double dt, bl_observation *report, bl_failure *failure) {
    if (!e) return BL_OK;
    double start = bl_now();
    step_job job = {.e = e, .world = world, .dt = dt};
    load(e, world, dt);
    bl_elastic_rotate(e, world->scene->dimension);
    if (bl_elastic_find_contacts(e, world) != BL_OK) return BL_ERR_MEMORY;
    int iterations = solve(&job);
    finish(&job, world);
    bl_status status = check(&job, iterations, failure);
    if (status == BL_OK) store(&job, world);
    report->elastic_iterations = iterations;
    for (size_t i = 0; i < e->count; i++) report->energy_elastic += e->energy[i];
    bl_timers_add(&world->timers, "elastic", bl_now() - start);
    return status;
}
