/* Scenes with rigid bodies for the tests of src/rigid. */
#ifndef TESTS_RIGID_HELPERS_H
#define TESTS_RIGID_HELPERS_H

#include "rigid/body.h"
#include "sim_helpers.h"

#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* Bodies as `boundaries` says, with steps of that length, beside a drop far away that takes no part. */
static inline void open_bodies(fixture *f, int dimension, const char *gravity, const char *step,
                               const char *boundaries) {
    char text[3000];
    snprintf(text, sizeof text,
             "dimension: %d\nspacing: 1 mm\ngravity: %s\nscheme: {name: ballistic}\n"
             "time: {end: 100 s, fixed_step: %s}\n"
             "fluids: {water: {density: 1000, volumes: [{sphere: {radius: 1 mm}, translate: [9000 mm, 0%s]}]}}\n"
             "boundaries: {%s}\n",
             dimension, gravity, step, dimension == 3 ? ", 0" : "", boundaries);
    open_sim(f, text, 1);
}

static inline void go_on(fixture *f, double until) {
    if (bl_sim_advance(f->sim, until) != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
}

static inline const bl_rigid_state *state_of(const fixture *f, int body) {
    return bl_rigid_state_at(f->sim->rigid, body);
}

static inline bl_vec3d center_of(const fixture *f, int body) { return bl_body_center(&state_of(f, body)->pose); }

/* Angular momentum about the centre of mass, and energy of the turning, in space. */
static inline bl_vec3d spin_of(const fixture *f, int body) {
    const bl_rigid_body *b = &f->sim->rigid->bodies[body];
    bl_vec3d w = bl_pose_direction_back(&b->now.pose, b->now.w);
    return bl_pose_direction(&b->now.pose, bl_mat3_apply(&b->inertia, w));
}

#endif
