/* Contact: impulses that keep bodies from going through each other and through walls, with Coulomb friction.
 *
 * After the step a touch may have closed its gap, no more: v_n' >= -gap/dt. Where bodies overlap already, a share of
 * that is mended. The impulse p_n >= 0 is nothing where the touch parts; across it the impulse stops what slides, up to
 * mu p_n. Touches are met one after the other until nobody changes any more (projected Gauss-Seidel); all impulses come
 * in pairs, so momentum is kept to rounding however many rounds it takes. There is no rebound. */
#include "rigid/body.h"

#include <math.h>

enum { MOST_ROUNDS = 500 };
static const double TOLERANCE = 1e-10;  /* change of a velocity by a round, in spacings a step */
static const double MENDED = 0.2;       /* share of an overlap that one step mends */
static const double MENDED_MOST = 0.02; /* in spacings */

static bl_vec3d sliding(const bl_rigid *r, const bl_touch *t) {
    const bl_rigid_body *a = &r->bodies[t->a];
    bl_vec3d v = bl_v3d_sub(bl_twist_at(a->made, t->arm_a), t->wall);
    if (t->b < 0) return v;
    const bl_rigid_body *b = &r->bodies[t->b];
    return bl_v3d_sub(v, bl_twist_at(b->made, t->arm_b));
}

static void push(bl_rigid_body *b, bl_vec3d arm, bl_vec3d impulse) {
    bl_twist change = bl_body_respond(b, impulse, bl_v3d_cross(arm, impulse));
    b->made.v = bl_v3d_add(b->made.v, change.v);
    b->made.w = bl_v3d_add(b->made.w, change.w);
}

static void push_both(bl_rigid *r, const bl_touch *t, bl_vec3d impulse) {
    push(&r->bodies[t->a], t->arm_a, impulse);
    if (t->b >= 0) push(&r->bodies[t->b], t->arm_b, bl_v3d_scale(-1, impulse));
}

/* Velocity of the touch along `direction` by a unit impulse along it. */
static double ease(const bl_rigid_body *b, bl_vec3d arm, bl_vec3d direction) {
    bl_twist change = bl_body_respond(b, direction, bl_v3d_cross(arm, direction));
    return bl_v3d_dot(bl_twist_at(change, arm), direction);
}

static double ease_of_both(const bl_rigid *r, const bl_touch *t, bl_vec3d direction) {
    double own = ease(&r->bodies[t->a], t->arm_a, direction);
    return t->b < 0 ? own : own + ease(&r->bodies[t->b], t->arm_b, direction);
}

static double inverse(double ease) { return ease > 0 ? 1 / ease : 0; }

/* Across the normal the stiffer of two directions decides, which is safe in any. */
static void prepare(const bl_rigid *r, bl_touch *t) {
    bl_vec3d u, v;
    bl_tangents(t->normal, &u, &v);
    if (r->dimension == 2) u = v = bl_v3d_make(-t->normal.y, t->normal.x, 0);
    t->push = 0;
    t->drag = bl_v3d_zero();
    t->inv_push = inverse(ease_of_both(r, t, t->normal));
    t->inv_drag = inverse(fmax(ease_of_both(r, t, u), ease_of_both(r, t, v)));
}

/* The normal velocity that a touch must have at least. */
static double least_velocity(const bl_rigid *r, const bl_touch *t, double dt) {
    if (t->gap >= 0) return -t->gap / dt;
    return fmin(-MENDED * t->gap, MENDED_MOST * r->spacing) / dt;
}

/* Returns how much a velocity changed. */
static double meet(bl_rigid *r, bl_touch *t, double dt) {
    double want = least_velocity(r, t, dt) - bl_v3d_dot(sliding(r, t), t->normal);
    double before = t->push;
    t->push = fmax(0, before + t->inv_push * want);
    if (t->push > 0 || before > 0) push_both(r, t, bl_v3d_scale(t->push - before, t->normal));
    double change = t->inv_push > 0 ? fabs(t->push - before) / t->inv_push : 0;
    if (!(t->friction > 0) || (t->push <= 0 && bl_v3d_norm2(t->drag) <= 0)) return change;
    bl_vec3d slip = sliding(r, t), old = t->drag;
    slip = bl_v3d_mad(slip, -bl_v3d_dot(slip, t->normal), t->normal);
    bl_vec3d drag = bl_v3d_mad(old, -t->inv_drag, slip);
    double size = bl_v3d_norm(drag), most = t->friction * t->push;
    t->drag = size > most ? bl_v3d_scale(most / size, drag) : drag;
    bl_vec3d more = bl_v3d_sub(t->drag, old);
    push_both(r, t, more);
    return fmax(change, t->inv_drag > 0 ? bl_v3d_norm(more) / t->inv_drag : 0);
}

void bl_rigid_push_apart(bl_rigid *r, double dt) {
    const double enough = TOLERANCE * r->spacing / dt;
    for (int k = 0; k < r->touch_count; k++) prepare(r, &r->touches[k]);
    for (int round = 0; round < MOST_ROUNDS && r->touch_count > 0; round++) {
        double change = 0;
        for (int k = 0; k < r->touch_count; k++) change = fmax(change, meet(r, &r->touches[k], dt));
        if (change <= enough) break;
    }
}
