/* Contact of elastic bodies with walls, with each other and with themselves: springs between particles that are nearer
 * than a spacing, or than they were at the start. No friction. Rigid bodies are walls here, and are pushed back. */
#include "schemes/elastic/body.h"

#include <math.h>

/* The distance below which particle i and boundary particle b push each other apart; 0: never. Neighbours at rest
 * belong together. */
static double contact_distance(const bl_elastic *e, const bl_world *world, size_t i, uint32_t b) {
    const uint32_t *id = world->boundary.id;
    double h = e->spacing, rest = bl_v3d_norm(bl_v3d_sub(e->rest_by_id[id[e->at[i]]], e->rest_by_id[id[b]]));
    bool same = world->boundary.body[b] == e->body[i];
    return same && rest < 2 * h ? 0 : fmin(h, rest);
}

/* Both sides of a pair must find the same stiffness. */
static double contact_stiffness(const bl_elastic *e, const bl_world *world, size_t i, uint32_t b) {
    double own = e->materials[e->body[i]].contact, other = e->materials[world->boundary.body[b]].contact;
    return other > 0 ? fmin(own, other) : own;
}

static bl_status add_contact(bl_elastic *e, size_t n, bl_contact contact) {
    if (n == e->contact_capacity) {
        size_t room = 2 * e->contact_capacity + 256;
        bl_contact *grown = bl_grow(e->ctx, e->contacts, e->contact_capacity, room, sizeof *grown);
        if (!grown) return BL_ERR_MEMORY;
        e->contacts = grown;
        e->contact_capacity = room;
    }
    e->contacts[n] = contact;
    return BL_OK;
}

bl_status bl_elastic_find_contacts(bl_elastic *e, const bl_world *world) {
    bl_list bb = bl_neighbours_bb(world->neighbours);
    size_t n = 0;
    for (size_t i = 0; i < e->count; i++) {
        e->contact_start[i] = n;
        /* a scheme that needs no neighbours has not looked for any */
        for (bl_index k = 0; bb.near && e->free[i] && k < bb.near[e->at[i]]; k++) {
            uint32_t b = bl_neighbour(&bb, e->at[i], k);
            bl_vec3d d = bl_v3d_sub(e->x[i], bl_v3d_from(world->boundary.x[b]));
            double r = bl_v3d_norm(d), overlap = contact_distance(e, world, i, b) - r;
            if (!(overlap > 0) || !(r > 0)) continue;
            bl_contact contact = {b, overlap, contact_stiffness(e, world, i, b), bl_v3d_scale(1 / r, d)};
            if (add_contact(e, n++, contact) != BL_OK) return BL_ERR_MEMORY;
        }
    }
    e->contact_start[e->count] = n;
    return BL_OK;
}

/* Of contact c of particle i, along its normal. */
static double push_of(const bl_elastic *e, const bl_world *world, size_t i, const bl_contact *c,
                      const bl_vec3d *velocity, double dt, bool linear) {
    uint32_t other = e->number[c->other];
    bool moves = other != BL_NOT_ELASTIC && e->free[other];
    bl_vec3d wall = linear ? bl_v3d_zero() : bl_v3d_from(world->boundary.v[c->other]);
    bl_vec3d v = bl_v3d_sub(velocity[i], moves ? velocity[other] : wall);
    return c->stiffness * ((linear ? 0 : c->overlap) - dt * bl_v3d_dot(v, c->normal));
}

void bl_elastic_add_contacts(const bl_elastic *e, const bl_world *world, const bl_vec3d *velocity, double dt,
                             bool linear, bl_vec3d *force) {
    for (size_t i = 0; i < e->count; i++)
        for (size_t k = e->contact_start[i]; k < e->contact_start[i + 1]; k++) {
            const bl_contact *c = &e->contacts[k];
            force[i] = bl_v3d_mad(force[i], push_of(e, world, i, c, velocity, dt, linear), c->normal);
        }
}

void bl_elastic_push_rigid(const bl_elastic *e, bl_world *world, const bl_vec3d *velocity, double dt) {
    for (size_t i = 0; i < e->count; i++)
        for (size_t k = e->contact_start[i]; k < e->contact_start[i + 1]; k++) {
            const bl_contact *c = &e->contacts[k];
            if (!world->scene->boundaries[world->boundary.body[c->other]].rigid.given) continue;
            bl_vec3d push = bl_v3d_scale(-push_of(e, world, i, c, velocity, dt, false), c->normal);
            world->boundary.f[c->other] = bl_v3_add(world->boundary.f[c->other], bl_v3_from_d(push));
        }
}
