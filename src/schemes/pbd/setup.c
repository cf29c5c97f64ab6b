/* Constants of the scene and of a step, and memory. */
#include "base/parallel.h"
#include "geometry/geometry.h"
#include "physics/viscosity.h"
#include "schemes/kernels.h"
#include "schemes/pbd/pbd.h"

#include <math.h>

/* The paper's values, in units of the spacing: eps_A/d^2 (1 at d = 0.1), eps_rho d^2, eps_D; of the adhesion it gives
 * none. */
static const double PAPER_AREA = 100, PAPER_DENSITY = 6, PAPER_DISTANCE = 40, PAPER_ADHESION = 40;
/* Neighbours at one distance: as many distance constraints as a particle may be in at a time. */
enum { KISSING_2D = 6, KISSING_3D = 12 };
/* A normal needs a gradient to be made from: this share of that on a flat surface. */
static const double FAINTEST = 0.5;
enum { PAPER_ITERATIONS = 100, PAPER_REBUILD = 10 };
/* At least this share of all rays is lit at a surface particle. In 2D, too, it lies between those inside and those
 * outside: 0 to 3 and 15 to 22 of 64 rays on lattices, 0 to 5 and mostly 9 and more on shaken ones. */
static const double LIT = 1.0 / 9;
/* In 2D, with as many as this its normal need not be steep: next to a void inside there are fewer. In 3D voids are as
 * well lit as the surface. */
static const double WELL_LIT = 1.0 / 4;

/* --- rays --- */

/* Directions of a Fibonacci lattice on the sphere, or evenly on a circle. */
static void set_rays(int dimension, bl_rays *rays) {
    const double pi = 3.14159265358979323846, golden = pi * (3 - sqrt(5.0));
    rays->count = dimension == 2 ? BL_RAYS_2D : BL_RAYS_3D;
    rays->fewest = (int)ceil(LIT * rays->count);
    rays->enough = (int)ceil(WELL_LIT * rays->count);
    for (int k = 0; k < rays->count; ++k) {
        double z = dimension == 2 ? 0 : 1 - (2 * k + 1.0) / rays->count, ring = sqrt(1 - z * z);
        double turn = dimension == 2 ? 2 * pi * (k + 0.5) / rays->count : golden * k;
        rays->x[k] = (real)(ring * cos(turn));
        rays->y[k] = (real)(ring * sin(turn));
        rays->z[k] = (real)z;
    }
}

/* --- how stiff densities are --- */

/* |sum_j V0 grad W_j sin(k.x_j)|^2 over a lattice of spacing 1: what a wave of displacements along the axis or a
 * diagonal makes of the densities, and these of displacements. */
static double stiffness_of_wave(bl_kernel kernel, int dimension, const double k[3]) {
    enum { REACH = 3 };
    double sum[3] = {0, 0, 0}, square = 0;
    int deep = dimension == 3 ? REACH : 0;
    for (int z = -deep; z <= deep; ++z)
        for (int y = -REACH; y <= REACH; ++y)
            for (int x = -REACH; x <= REACH; ++x) {
                double slope = (double)bl_kernel_dw_over_r(kernel, (real)sqrt(x * x + y * y + z * z));
                double wave = slope * sin(k[0] * x + k[1] * y + k[2] * z);
                sum[0] += wave * x, sum[1] += wave * y, sum[2] += wave * z;
            }
    for (int axis = 0; axis < 3; ++axis) square += sum[axis] * sum[axis];
    return square;
}

/* The largest of all waves: with it as eps_rho a Jacobi iteration overshoots for none. */
static double largest_stiffness(int dimension) {
    enum { WAVES = 64 };
    const bl_kernel kernel = bl_kernel_make(dimension, bl_far_reach(BL_KERNELS_CUBIC));
    double most = 0;
    for (int diagonal = 1; diagonal <= dimension; ++diagonal)
        for (int n = 1; n <= WAVES; ++n) {
            double k[3] = {0, 0, 0};
            for (int axis = 0; axis < diagonal; ++axis) k[axis] = 3.14159265358979323846 * n / WAVES;
            most = fmax(most, stiffness_of_wave(kernel, dimension, k));
        }
    return most;
}

/* The sum of V0 W over a lattice: the density at the initial configuration, which is rest density. */
static double lattice_density(int dimension) {
    enum { REACH = 3 };
    const bl_kernel kernel = bl_kernel_make(dimension, bl_far_reach(BL_KERNELS_CUBIC));
    int deep = dimension == 3 ? REACH : 0;
    double sum = 0;
    for (int z = -deep; z <= deep; ++z)
        for (int y = -REACH; y <= REACH; ++y)
            for (int x = -REACH; x <= REACH; ++x) sum += (double)bl_kernel_w(kernel, (real)sqrt(x * x + y * y + z * z));
    return sum;
}

/* Gradient of the colour field in the first layer of a half-space of the lattice. */
static double surface_gradient(int dimension) {
    enum { REACH = 3 };
    const bl_kernel kernel = bl_kernel_make(dimension, bl_far_reach(BL_KERNELS_CUBIC));
    int deep = dimension == 3 ? REACH : 0;
    double sum = 0;
    for (int down = 1; down <= REACH; ++down)
        for (int y = -deep; y <= deep; ++y)
            for (int x = -REACH; x <= REACH; ++x)
                sum -= down * (double)bl_kernel_dw_over_r(kernel, (real)sqrt(x * x + y * y + down * down));
    return sum;
}

/* Explicit viscosity is stable for dt lambda <= 2 m, and no eigenvalue lambda of the forces is larger than twice the
 * sum of one particle's coefficients along an axis. */
static double viscous_limit(const bl_scene *scene, const bl_params *par) {
    enum { REACH = 3 };
    double d = scene->spacing, mu = scene->fluids[0].viscosity, sum = 0;
    int deep = scene->dimension == 3 ? REACH : 0;
    for (int z = -deep; z <= deep; ++z)
        for (int y = -REACH; y <= REACH; ++y)
            for (int x = -REACH; x <= REACH; ++x)
                sum += x * d * x * d *
                       (double)bl_viscous_pair(par, (real)mu, par->v0, (real)(d * sqrt(x * x + y * y + z * z)));
    return mu > 0 ? scene->fluids[0].density * (double)par->v0 / sum : (double)INFINITY;
}

/* --- the scene --- */

static bl_status refuse(bl_world *world) {
    const bl_scene *scene = world->scene;
    if (scene->fluid_count > 1)
        return bl_scene_fail(world->ctx, BL_ERR_DATA, scene->fluids[1].pos,
                             "%d fluids found; the scheme pbst2022 has one mass for all particles and takes one fluid "
                             "(the scheme unified takes several)",
                             scene->fluid_count);
    for (int k = 0; k < scene->boundary_count; ++k)
        if (scene->boundaries[k].elastic.given)
            return bl_scene_fail(world->ctx, BL_ERR_DATA, scene->boundaries[k].pos,
                                 "boundary `%s` is elastic; the scheme pbst2022 moves liquid past walls that do not "
                                 "feel it (the scheme unified bends them)",
                                 scene->boundaries[k].name);
    return BL_OK;
}

static bool is_rough(const bl_curve *friction) {
    return friction->count && bl_curve_largest(friction, 0, (double)INFINITY) > 0;
}

static void warn(bl_world *world) {
    const bl_scene *scene = world->scene;
    for (int k = 0; k < scene->boundary_count; ++k)
        if (is_rough(&scene->boundaries[k].friction))
            bl_scene_warn(world->ctx, scene->boundaries[k].pos,
                          "boundary `%s`: its friction has no effect, the scheme pbst2022 knows no Coulomb friction",
                          scene->boundaries[k].name);
    for (int k = 0; k < scene->fluid_count; ++k)
        if (is_rough(&scene->fluids[k].friction))
            bl_scene_warn(world->ctx, scene->fluids[k].pos,
                          "fluid `%s`: its friction has no effect, the scheme pbst2022 knows no Coulomb friction",
                          scene->fluids[k].name);
}

static int between(int value, int least, int most) { return value < least ? least : value > most ? most : value; }

static void set_coefficients(const bl_scene *scene, pbd *s) {
    const bl_scheme_def *def = &scene->scheme;
    double d = scene->spacing;
    s->paper = def->calibration == BL_CALIBRATION_PAPER;
    s->d = (real)d;
    s->iterations = between(PAPER_ITERATIONS, def->min_iterations, def->max_iterations);
    s->rebuild_every = PAPER_REBUILD;
    s->most_iterations = def->max_iterations;
    double unit = scene->dimension == 2 ? 1 : d * d; /* of the square of an area's gradients, all of them */
    s->eps_area = (real)((def->tension_given ? def->tension : PAPER_AREA) * unit);
    s->eps_adhesion = (real)(def->adhesion_given ? def->adhesion : PAPER_ADHESION);
    s->eps_distance = (real)(s->paper ? PAPER_DISTANCE : (scene->dimension == 2 ? KISSING_2D : KISSING_3D) - 2);
    s->eps_density = (real)((s->paper ? PAPER_DENSITY : largest_stiffness(scene->dimension)) / (d * d));
}

bl_status bl_pbd_setup(bl_world *world, pbd *s) {
    const bl_scene *scene = world->scene;
    bl_status status = refuse(world);
    if (status == BL_OK) status = bl_unified_setup(world, &s->base);
    if (status != BL_OK) return status;
    warn(world);
    set_coefficients(scene, s);
    set_rays(scene->dimension, &s->rays);
    s->at_rest = (real)lattice_density(scene->dimension);
    s->faintest = s->paper ? BL_R(0) : (real)(FAINTEST * surface_gradient(scene->dimension) / scene->spacing);
    s->viscous_limit = viscous_limit(scene, &s->base.par);
    s->furthest = scene->time.fixed_step > 0 ? (double)INFINITY : 1;
    s->bodies = bl_alloc(world->ctx, (size_t)scene->boundary_count, sizeof *s->bodies);
    s->history = bl_alloc(world->ctx, 3 * ((size_t)scene->scheme.max_iterations + PAPER_ITERATIONS), sizeof(double));
    if (!s->bodies || !s->history) return BL_ERR_MEMORY;
    for (int k = 0; k < scene->boundary_count; ++k)
        s->bodies[k].rest = (real)(scene->spacing * (bl_boundary_layers(scene, k) > 1 ? 1 : 0.5));
    return BL_OK;
}

/* --- a step --- */

/* cos(theta) by Young's equation from the angle or the energies of the wall; 0 (90 degrees) if neither is given. */
static double wetting(const bl_boundary *wall, double sigma, double time) {
    double angle = bl_curve_at(&wall->contact_angle, time);
    double dry = bl_curve_at(&wall->boundary_vapor, time), wet = bl_curve_at(&wall->boundary_fluid, time);
    if (isfinite(angle)) return cos(angle);
    if (!(sigma > 0)) return 0;
    return fmin(fmax(((isfinite(dry) ? dry : 0) - (isfinite(wet) ? wet : 0)) / sigma, -1), 1);
}

void bl_pbd_set_step(bl_world *world, pbd *s, double dt) {
    /* The area of a mesh answers to a wave of heights with at most 5.2 of its tension (hexagons; 4 d/l for segments l
     * long in 2D), with the obtuse triangles of crowded layers several times as much. */
    const double stiffest = 20;
    const bl_scene *scene = world->scene;
    bl_unified_set_step(world, &s->base, dt);
    double density = scene->fluids[0].density, time = world->time + dt;
    double d = scene->spacing, mass = density * (double)s->base.par.v0;
    double sigma = bl_curve_at(&scene->fluids[0].surface_tension, time);
    s->sigma = isfinite(sigma) ? sigma : 0;
    double once = s->sigma * dt * dt / mass;
    s->tension = (real)(once / scene->dimension);
    s->share = (real)(1 / (1 + stiffest * s->sigma * dt * dt / (density * d * d * d)));
    s->least_share = BL_R(0.1) * s->share;
    for (int k = 0; k < scene->boundary_count; ++k) {
        double cosine = wetting(&scene->boundaries[k], s->sigma, time), sine = sqrt(1 - cosine * cosine);
        /* The work of adhesion over a spacing, and no less than holds the line down: docs/theory/pbst2022.md. */
        double length = scene->dimension == 2 ? 1 : d;
        s->bodies[k].wet = (real)cosine;
        s->bodies[k].hold = (real)(once * length * fmax(1 + cosine, 2 * sine));
    }
}

/* --- memory --- */

typedef struct pbd_job {
    pbd *s;
    pbd_range range;
} pbd_job;
static void run_chunk(void *user, size_t begin, size_t end) {
    const pbd_job *job = user;
    job->range(job->s, begin, end);
}

void bl_pbd_for(bl_world *world, pbd *s, const char *name, size_t count, pbd_range range) {
    enum { CHUNK = 128 };
    double start = bl_now();
    pbd_job job = {s, range};
    bl_parallel_for(world->ctx, count, CHUNK, run_chunk, &job);
    bl_timers_add(&world->timers, name, bl_now() - start);
}

/* A new array in place of `*array`, with room behind its end for whole blocks. */
static bool renew(bl_context *ctx, void **array, size_t capacity, size_t item_size) {
    bl_release(ctx, *array);
    *array = bl_alloc(ctx, capacity + BL_ROW_ROOM, item_size);
    return *array != NULL;
}
#define RENEW(array) renew(world->ctx, (void **)&(array), capacity, sizeof *(array))

static size_t room_for(size_t count, size_t capacity) {
    size_t first = count + count / 8, grown = 2 * capacity;
    return (first > grown ? first : grown) + 1024;
}

bl_status bl_pbd_reserve(bl_world *world, pbd *s) {
    if (world->fluid.count + 1 <= s->capacity) return BL_OK;
    size_t capacity = room_for(world->fluid.count + 1, s->capacity);
    bool ok = RENEW(s->v_start) && RENEW(s->moved) && RENEW(s->pull) && RENEW(s->target) && RENEW(s->normal) &&
              RENEW(s->wall_gradient) && RENEW(s->multiplier) && RENEW(s->volume) && RENEW(s->virial) &&
              RENEW(s->wall_virial) && RENEW(s->virial_area) && RENEW(s->least) && RENEW(s->rest) && RENEW(s->label) &&
              RENEW(s->star_first) && RENEW(s->use_first);
    for (int k = 0; k < PBD_PLANES; ++k) ok = ok && RENEW(s->plane[k]) && RENEW(s->push[k]);
    s->capacity = ok ? capacity : 0;
    return ok ? BL_OK : BL_ERR_MEMORY;
}

bl_status bl_pbd_reserve_stars(bl_world *world, pbd *s) {
    if (s->star_count <= s->star_capacity) return BL_OK;
    size_t stars = room_for(s->star_count, s->star_capacity), capacity = stars;
    bool ok = RENEW(s->stars);
    capacity = stars * BL_STAR_MOST;
    ok = ok && RENEW(s->ring) && RENEW(s->ring_gradient);
    s->star_capacity = ok ? stars : 0;
    return ok ? BL_OK : BL_ERR_MEMORY;
}

bl_status bl_pbd_reserve_uses(bl_world *world, pbd *s) {
    if (s->use_count <= s->use_capacity) return BL_OK;
    size_t capacity = room_for(s->use_count, s->use_capacity);
    bool ok = RENEW(s->uses);
    s->use_capacity = ok ? capacity : 0;
    return ok ? BL_OK : BL_ERR_MEMORY;
}

void bl_pbd_clear(bl_world *world, pbd *s) {
    void *own[] = {s->bodies,        s->history,       s->v_start,    s->moved,      s->pull,      s->target,
                   s->normal,        s->wall_gradient, s->multiplier, s->volume,     s->virial,    s->wall_virial,
                   s->virial_area,   s->rest,          s->label,      s->star_first, s->use_first, s->plane[0],
                   s->plane[1],      s->push[0],       s->push[1],    s->stars,      s->least,     s->ring,
                   s->ring_gradient, s->uses};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) bl_release(world->ctx, own[k]);
}
