/* The liquid and the bodies must agree on how the bodies move.
 *
 * A guess û gives forces which give velocities u'(û), and û = u' is wanted. Near it u' is linear: a body that is told
 * to be faster is held back by the liquid it would have to push, u' ~ const - (added mass/mass) û, so putting u' in for
 * û diverges for light bodies. A first correction takes only the share mass/(mass + liquid displaced) of the residual
 * u' - û; from then on differences of guesses and residuals of this step tell how the liquid answers (Anderson 1965; as
 * IQN-ILS of Degroote et al. 2009): the combination of the differences that comes nearest to the residual is taken out,
 * and a share of what is left. Nothing is kept from step to step. */
#include "rigid/body.h"

#include <math.h>

enum { COMPONENTS = 6 };
static const double SAME = 1e-2; /* a difference says nothing new if this share of it, or less, is across the others */

static size_t size_of(const bl_rigid *r) { return (size_t)r->count * COMPONENTS; }

bl_status bl_rigid_couple_create(bl_rigid *r) {
    size_t n = size_of(r), all = n * (size_t)r->max_passes;
    r->guesses = bl_alloc(r->ctx, all, sizeof *r->guesses);
    r->residuals = bl_alloc(r->ctx, all, sizeof *r->residuals);
    r->moved = bl_alloc(r->ctx, all, sizeof *r->moved);
    r->changed = bl_alloc(r->ctx, all, sizeof *r->changed);
    r->combined = bl_alloc(r->ctx, n, sizeof *r->combined);
    return r->guesses && r->residuals && r->moved && r->changed && r->combined ? BL_OK : BL_ERR_MEMORY;
}

void bl_rigid_couple_destroy(bl_rigid *r) {
    bl_release(r->ctx, r->guesses);
    bl_release(r->ctx, r->residuals);
    bl_release(r->ctx, r->moved);
    bl_release(r->ctx, r->changed);
    bl_release(r->ctx, r->combined);
}

/* A twist as six speeds of the body's points. */
static void write_speeds(const bl_rigid_body *b, bl_twist u, double *out) {
    const double speeds[COMPONENTS] = {u.v.x, u.v.y, u.v.z, b->reach * u.w.x, b->reach * u.w.y, b->reach * u.w.z};
    for (int k = 0; k < COMPONENTS; k++) out[k] = speeds[k];
}

static bl_twist read_speeds(const bl_rigid_body *b, const double *s) {
    return (bl_twist){bl_v3d_make(s[0], s[1], s[2]), bl_v3d_scale(1 / b->reach, bl_v3d_make(s[3], s[4], s[5]))};
}

static bl_twist difference(bl_twist a, bl_twist b) { return (bl_twist){bl_v3d_sub(a.v, b.v), bl_v3d_sub(a.w, b.w)}; }

bool bl_rigid_agrees(bl_rigid *r, double dt) {
    double worst = 0;
    for (int k = 0; k < r->count; k++) {
        const bl_rigid_body *b = &r->bodies[k];
        bl_twist d = difference(b->made, b->guess);
        worst = fmax(worst, bl_v3d_norm(d.v) + b->reach * bl_v3d_norm(d.w));
    }
    r->residual = worst * dt / r->spacing;
    return r->residual <= r->tolerance;
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

static void subtract(double *a, double factor, const double *b, size_t n) {
    for (size_t k = 0; k < n; k++) a[k] -= factor * b[k];
}

/* The difference of passes k + 1 and k, made orthogonal (Gram-Schmidt) to the `kept` ones before it, which are of
 * length 1; what it moved goes along. false: nothing is left of it. */
static bool make_orthogonal(bl_rigid *r, int k, int kept) {
    size_t n = size_of(r);
    double *moved = r->moved + (size_t)kept * n, *changed = r->changed + (size_t)kept * n;
    for (size_t i = 0; i < n; i++) {
        moved[i] = r->guesses[((size_t)k + 1) * n + i] - r->guesses[(size_t)k * n + i];
        changed[i] = r->residuals[((size_t)k + 1) * n + i] - r->residuals[(size_t)k * n + i];
    }
    double whole = dot(changed, changed, n);
    for (int j = 0; j < kept; j++) {
        double along = dot(r->changed + (size_t)j * n, changed, n);
        subtract(changed, along, r->changed + (size_t)j * n, n);
        subtract(moved, along, r->moved + (size_t)j * n, n);
    }
    double left = dot(changed, changed, n);
    if (!(left > SAME * SAME * whole)) return false;
    for (size_t i = 0; i < n; i++) {
        moved[i] /= sqrt(left);
        changed[i] /= sqrt(left);
    }
    return true;
}

/* The newest differences first: they are nearest to the solution. */
static int find_directions(bl_rigid *r, int pass) {
    int kept = 0;
    for (int k = pass - 1; k >= 0; k--) kept += make_orthogonal(r, k, kept);
    return kept;
}

void bl_rigid_guess_again(bl_rigid *r) {
    size_t n = size_of(r), pass = (size_t)r->pass;
    double *guess = r->guesses + pass * n, *residual = r->residuals + pass * n, *next = r->combined;
    for (int k = 0; k < r->count; k++) {
        const bl_rigid_body *b = &r->bodies[k];
        write_speeds(b, b->guess, guess + (size_t)k * COMPONENTS);
        write_speeds(b, difference(b->made, b->guess), residual + (size_t)k * COMPONENTS);
    }
    int kept = find_directions(r, r->pass);
    for (size_t k = 0; k < n; k++) next[k] = r->bodies[k / COMPONENTS].share * residual[k];
    for (int j = 0; j < kept; j++) {
        const double *moved = r->moved + (size_t)j * n, *changed = r->changed + (size_t)j * n;
        double along = dot(changed, residual, n);
        for (size_t k = 0; k < n; k++) next[k] -= along * (moved[k] + r->bodies[k / COMPONENTS].share * changed[k]);
    }
    for (size_t k = 0; k < n; k++) next[k] += guess[k];
    for (int k = 0; k < r->count; k++) r->bodies[k].guess = read_speeds(&r->bodies[k], next + (size_t)k * COMPONENTS);
}
