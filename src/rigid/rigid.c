/* Life of the rigid bodies, and their step. */
#include "rigid/rigid.h"

#include "base/parallel.h"
#include "rigid/body.h"

#include <math.h>
#include <stdio.h>

/* --- life --- */

static bl_status collect_particles(const bl_world *world, bl_context *ctx, bl_rigid_body *b) {
    const bl_boundary_store *store = &world->boundary;
    for (size_t i = 0; i < store->count; i++) b->count += store->body[i] == (uint32_t)b->boundary;
    b->at = bl_alloc(ctx, b->count, sizeof *b->at);
    if (!b->at) return BL_ERR_MEMORY;
    size_t n = 0;
    for (size_t i = 0; i < store->count; i++)
        if (store->body[i] == (uint32_t)b->boundary) b->at[n++] = (uint32_t)i;
    return BL_OK;
}

/* About the pivot it is larger by that of all mass at the centre. */
static void set_inertia(bl_rigid_body *b) {
    const double *s = b->mass.inertia;
    b->inertia = (bl_mat3){{{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}}};
    if (b->def->hinged) {
        bl_vec3d d = bl_v3d_sub(b->mass.center, b->pivot);
        for (int k = 0; k < 3; k++) b->inertia.m[k][k] += b->mass.mass * bl_v3d_norm2(d);
        bl_mat3_add_outer(&b->inertia, -b->mass.mass, d, d);
    }
    bl_mat3 ignored;
    bl_mat3_pseudo_inverse(&b->inertia, 1e-12, &b->inverse, &ignored);
}

/* Where it stands at time 0, and how it moves then. */
static void set_start(bl_rigid_body *b, const bl_boundary *boundary) {
    b->now = (bl_rigid_state){.pose = {.pivot = b->mass.center, .w = 1}};
    if (boundary->velocity.count > 0) b->now.v = bl_curve_at3(&boundary->velocity, 0);
    if (boundary->angular_velocity.count > 0) b->now.w = bl_curve_at3(&boundary->angular_velocity, 0);
    if (!b->def->turns) b->now.w = bl_v3d_zero();
    if (!b->ball) b->now.w = bl_v3d_scale(bl_v3d_dot(b->now.w, b->axis), b->axis);
    const bool *locked = b->def->locked;
    b->now.v = bl_v3d_make(locked[0] ? 0 : b->now.v.x, locked[1] ? 0 : b->now.v.y, locked[2] ? 0 : b->now.v.z);
    if (b->def->hinged) b->now.v = bl_v3d_cross(b->now.w, bl_v3d_sub(b->mass.center, b->pivot));
}

/* The share of a first correction (couple.c): all of the body counts as under the densest liquid. */
static double first_share(const bl_scene *scene, const bl_rigid_body *b) {
    double density = 0;
    for (int f = 0; f < scene->fluid_count; f++) density = fmax(density, scene->fluids[f].density);
    return b->mass.mass / (b->mass.mass + density * b->mass.volume);
}

static bl_status make_body(const bl_world *world, bl_context *ctx, int boundary, bl_rigid_body *b) {
    const bl_boundary *def = &world->scene->boundaries[boundary];
    b->boundary = boundary;
    b->def = &def->rigid;
    b->pivot = def->pivot;
    b->axis = world->scene->dimension == 2 ? bl_v3d_make(0, 0, 1) : bl_unit(def->rigid.axis);
    b->ball = b->def->turns && !(bl_v3d_norm2(b->axis) > 0);
    bl_status status = bl_rigid_mass_of(ctx, world->scene, boundary, &b->mass);
    if (!status) status = collect_particles(world, ctx, b);
    if (!status) status = bl_body_find_features(ctx, world->scene, b);
    if (status) return status;
    set_inertia(b);
    set_start(b, def);
    b->share = first_share(world->scene, b);
    return BL_OK;
}

static bl_status make_bodies(const bl_world *world, bl_rigid *r) {
    const bl_scene *scene = world->scene;
    r->bodies = bl_alloc(r->ctx, (size_t)r->count, sizeof *r->bodies);
    r->from = bl_alloc(r->ctx, (size_t)scene->boundary_count, sizeof *r->from);
    r->to = bl_alloc(r->ctx, (size_t)scene->boundary_count, sizeof *r->to);
    if (!r->bodies || !r->from || !r->to) return BL_ERR_MEMORY;
    bl_status status = BL_OK;
    for (int b = 0, k = 0; b < scene->boundary_count && !status; b++) {
        const bl_rigid_def *def = &scene->boundaries[b].rigid;
        if (!def->given) continue;
        r->tolerance = fmin(r->tolerance, def->tolerance);
        if (def->max_passes > r->max_passes) r->max_passes = def->max_passes;
        status = make_body(world, r->ctx, b, &r->bodies[k++]);
    }
    if (!status) status = bl_rigid_couple_create(r);
    return status ? status : bl_rigid_find_obstacles(r, scene);
}

static void place_range(void *user, size_t begin, size_t end);

typedef struct place_job {
    const bl_rigid *rigid;
    const bl_rigid_body *body;
    bl_boundary_store *store;
    double inv_dt;
} place_job;

static void place_bodies(bl_world *world, const bl_rigid *r) {
    for (int k = 0; k < r->count; k++) {
        place_job job = {r, &r->bodies[k], &world->boundary, 0};
        bl_parallel_for(r->ctx, r->bodies[k].count, BL_CHUNK, place_range, &job);
    }
}

bl_status bl_rigid_create(bl_world *world, const bl_vec3d *rest, const bl_vec3d *normal, bl_rigid **out) {
    *out = NULL;
    int count = 0;
    const bl_scene *scene = world->scene;
    /* these tell the forces of the liquid on walls, or have none */
    const bool fits = scene->scheme.name == BL_SCHEME_UNIFIED || scene->scheme.name == BL_SCHEME_BALLISTIC;
    for (int b = 0; b < scene->boundary_count; b++) {
        if (!scene->boundaries[b].rigid.given) continue;
        count++;
        if (!fits)
            return bl_scene_fail(
                world->ctx, BL_ERR_DATA, scene->boundaries[b].pos,
                "boundary \"%s\" is a rigid body, which moves by the forces of the liquid: found the scheme "
                "%s, expected unified",
                scene->boundaries[b].name, bl_scheme_find(scene->scheme.name)->name);
    }
    if (count == 0) return BL_OK;
    if (world->device)
        return bl_fail(world->ctx, BL_ERR_USAGE,
                       "rigid bodies are computed on the CPU only; run without --device opencl");
    bl_rigid *r = bl_alloc(world->ctx, 1, sizeof *r);
    if (!r) return BL_ERR_MEMORY;
    r->ctx = world->ctx;
    r->dimension = world->scene->dimension;
    r->spacing = world->scene->spacing;
    r->tolerance = 1;
    r->rest_by_id = rest;
    r->normal_by_id = normal;
    r->count = count;
    bl_status status = make_bodies(world, r);
    if (status) {
        bl_rigid_destroy(r);
        return status;
    }
    if (world->step == 0) place_bodies(world, r);
    *out = r;
    return BL_OK;
}

void bl_rigid_destroy(bl_rigid *r) {
    if (!r) return;
    for (int k = 0; r->bodies && k < r->count; k++) {
        bl_release(r->ctx, r->bodies[k].at);
        bl_release(r->ctx, r->bodies[k].features);
    }
    bl_rigid_couple_destroy(r);
    bl_rigid_clear_obstacles(r);
    bl_release(r->ctx, r->bodies);
    bl_release(r->ctx, r->touches);
    bl_release(r->ctx, r->from);
    bl_release(r->ctx, r->to);
    bl_release(r->ctx, r);
}

int bl_rigid_count(const bl_rigid *r) { return r ? r->count : 0; }
int bl_rigid_boundary(const bl_rigid *r, int body) { return r->bodies[body].boundary; }
const bl_rigid_mass *bl_rigid_mass_at(const bl_rigid *r, int body) { return &r->bodies[body].mass; }
bl_rigid_state *bl_rigid_state_at(const bl_rigid *r, int body) { return &r->bodies[body].now; }

double bl_rigid_speed(const bl_rigid *r) {
    double speed = 0;
    for (int k = 0; r && k < r->count; k++) {
        const bl_rigid_body *b = &r->bodies[k];
        speed = fmax(speed, bl_v3d_norm(b->now.v) + b->reach * bl_v3d_norm(b->now.w));
    }
    return speed;
}

/* --- a step --- */

static void tell_range(void *user, size_t begin, size_t end) {
    const place_job *job = user;
    for (size_t i = begin; i < end; i++) {
        uint32_t at = job->body->at[i];
        bl_vec3d rest = job->rigid->rest_by_id[job->store->id[at]];
        bl_vec3d way = bl_v3d_sub(bl_pose_point(&job->body->next, rest), bl_pose_point(&job->body->now.pose, rest));
        job->store->v[at] = bl_v3_from_d(bl_v3d_scale(job->inv_dt, way));
        job->store->f[at] = bl_v3_zero(); /* of schemes that push nothing */
    }
}

/* The mean velocity of the step, so that the particles arrive where the liquid was told they would. */
void bl_rigid_tell(bl_world *world, bl_rigid *r, double dt) {
    for (int k = 0; r && k < r->count; k++) {
        bl_rigid_body *b = &r->bodies[k];
        bl_body_advance(b, b->guess, dt, &b->next, &b->end);
        place_job job = {r, b, &world->boundary, 1 / dt};
        bl_parallel_for(r->ctx, b->count, BL_CHUNK, tell_range, &job);
    }
}

/* `made` by these forces of the liquid, gravity and contact. */
static void apply_forces(const bl_world *world, bl_rigid *r, double dt) {
    bl_vec3d g = bl_curve_at3(&world->scene->gravity, world->time + dt);
    for (int k = 0; k < r->count; k++) {
        bl_rigid_body *b = &r->bodies[k];
        bl_vec3d force = bl_v3d_mad(b->force, b->mass.mass, g);
        bl_twist change = bl_body_respond(b, bl_v3d_scale(dt, force), bl_v3d_scale(dt, b->torque));
        b->made = (bl_twist){bl_v3d_add(b->now.v, change.v), bl_v3d_add(b->now.w, change.w)};
    }
    bl_rigid_push_apart(r, dt);
}

bl_status bl_rigid_begin(bl_world *world, bl_rigid *r, double dt) {
    if (!r) return BL_OK;
    for (int b = 0; b < world->scene->boundary_count; b++) {
        const bl_boundary *boundary = &world->scene->boundaries[b];
        if (boundary->rigid.given) continue;
        r->from[b] = bl_body_pose(boundary, world->time);
        r->to[b] = bl_body_pose(boundary, world->time + dt);
    }
    for (int k = 0; k < r->count; k++) {
        bl_rigid_body *b = &r->bodies[k];
        bl_body_weigh(b, r->dimension);
        b->force = b->now.force;
        b->torque = b->now.torque;
    }
    bl_status status = bl_rigid_find_touches(r, world->scene, dt);
    if (status) return status;
    apply_forces(world, r, dt);
    for (int k = 0; k < r->count; k++) r->bodies[k].guess = r->bodies[k].made;
    r->pass = 0;
    bl_rigid_tell(world, r, dt);
    return BL_OK;
}

static void force_range(void *user, size_t begin, size_t end, double *acc) {
    const place_job *job = user;
    bl_vec3d center = bl_body_center(&job->body->now.pose);
    for (size_t i = begin; i < end; i++) {
        uint32_t at = job->body->at[i];
        bl_vec3d f = bl_v3d_from(job->store->f[at]);
        bl_vec3d arm =
            bl_v3d_sub(bl_pose_point(&job->body->now.pose, job->rigid->rest_by_id[job->store->id[at]]), center);
        bl_vec3d n = bl_v3d_cross(arm, f);
        acc[0] += f.x, acc[1] += f.y, acc[2] += f.z;
        acc[3] += n.x, acc[4] += n.y, acc[5] += n.z;
    }
}

static void gather_forces(bl_world *world, bl_rigid *r) {
    for (int k = 0; k < r->count; k++) {
        bl_rigid_body *b = &r->bodies[k];
        place_job job = {r, b, &world->boundary, 0};
        double sum[6];
        bl_parallel_reduce(r->ctx, b->count, 6, BL_REDUCE_SUM, force_range, &job, sum);
        b->force = bl_v3d_make(sum[0], sum[1], sum[2]);
        b->torque = bl_v3d_make(sum[3], sum[4], sum[5]);
    }
}

/* It must go somewhere, and not further than a spacing. */
static bl_status check(const bl_world *world, const bl_rigid *r, double dt, bl_failure *failure) {
    for (int k = 0; k < r->count; k++) {
        const bl_rigid_body *b = &r->bodies[k];
        double speed = bl_v3d_norm(b->made.v) + b->reach * bl_v3d_norm(b->made.w), way = speed * dt / r->spacing;
        if (way <= 1 || (isfinite(way) && world->scene->time.fixed_step > 0)) continue;
        const char *name = world->scene->boundaries[b->boundary].name;
        if (isfinite(way))
            snprintf(failure->text, sizeof failure->text,
                     "rigid body `%s` moves %.3g spacings in one step (%.3g m/s); expected at most one", name, way,
                     speed);
        else
            snprintf(failure->text, sizeof failure->text,
                     "the velocity of rigid body `%s` is not a number; is it much lighter than the liquid?", name);
        failure->term = "rigid body";
        failure->id = b->count ? world->boundary.id[b->at[0]] : 0;
        failure->x = bl_body_center(&b->now.pose);
        return BL_ERR_DIVERGED;
    }
    return BL_OK;
}

bl_status bl_rigid_correct(bl_world *world, bl_rigid *r, double dt, bool *again, bl_failure *failure) {
    *again = false;
    if (!r) return BL_OK;
    double start = bl_now();
    gather_forces(world, r);
    apply_forces(world, r, dt);
    bl_status status = check(world, r, dt, failure);
    if (!status && !bl_rigid_agrees(r, dt) && r->pass + 1 < r->max_passes) {
        bl_rigid_guess_again(r);
        *again = true;
    }
    r->pass++;
    for (int k = 0; k < r->count && !status && !*again; k++) {
        bl_rigid_body *b = &r->bodies[k];
        bl_body_advance(b, b->made, dt, &b->next, &b->end);
    }
    bl_timers_add(&world->timers, "rigid bodies", bl_now() - start);
    return status;
}

static void place_range(void *user, size_t begin, size_t end) {
    const place_job *job = user;
    const bl_rigid_state *now = &job->body->now;
    const bl_vec3d center = bl_body_center(&now->pose);
    for (size_t i = begin; i < end; i++) {
        uint32_t at = job->body->at[i], id = job->store->id[at];
        bl_vec3d x = bl_pose_point(&now->pose, job->rigid->rest_by_id[id]);
        bl_twist u = {now->v, now->w};
        job->store->x[at] = bl_v3_from_d(x);
        job->store->v[at] = bl_v3_from_d(bl_twist_at(u, bl_v3d_sub(x, center)));
        job->store->normal[at] = bl_v3_from_d(bl_pose_direction(&now->pose, job->rigid->normal_by_id[id]));
    }
}

/* A body whose centre leaves a periodic domain comes in again on the other side. */
static void wrap(const bl_scene *scene, bl_pose *pose) {
    const double *min = &scene->domain.min.x, *max = &scene->domain.max.x, *pivot = &pose->pivot.x;
    double *shift = &pose->shift.x;
    for (int k = 0; k < 3; k++) {
        if (!scene->domain.periodic[k]) continue;
        double length = max[k] - min[k];
        shift[k] -= length * floor((pivot[k] + shift[k] - min[k]) / length);
    }
}

void bl_rigid_finish(bl_world *world, bl_rigid *r, bl_observation *report) {
    if (!r) return;
    for (int k = 0; k < r->count; k++) {
        bl_rigid_body *b = &r->bodies[k];
        b->now = (bl_rigid_state){b->next, b->end.v, b->end.w, b->force, b->torque};
        wrap(world->scene, &b->now.pose);
    }
    place_bodies(world, r);
    report->rigid_passes = r->pass;
    report->rigid_residual = r->residual;
}
