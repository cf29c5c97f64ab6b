/* The stage of a picture of liquids: surfaces of the fluids, bodies of the boundaries, a ground, caustics. */
#include "render/caustics.h"
#include "render/colormap.h"
#include "render/pose.h"
#include "render/shapes.h"
#include "surface/surface.h"
#include <math.h>
#include <string.h>

/* Solids give way by this much (stage units), so that a liquid's wet face and the wall under it are never at the same
 * place. */
static const double GAP = 1e-3;

/* The overlap of liquids that touch, in spacings: twice what the meshes of their common interface differ by. */
static const double OVERLAP = 0.04;

/* Colours of the scene's key table that stand for "not chosen". */
static const bl_vec3d PLAIN_FLUID = {0.25, 0.55, 0.85}, PLAIN_BOUNDARY = {0.75, 0.75, 0.75};

/* Clear glass, for what stands in the way. */
static const bl_material PANE = {.kind = BL_MATERIAL_PANE, .color = {0.97, 0.98, 0.98}, .ior = 1.3};

static bool same_color(bl_vec3d a, bl_vec3d b) { return bl_v3d_norm(bl_v3d_sub(a, b)) < 1e-6; }

static bl_vec3d linear(bl_vec3d c) {
    return bl_v3d_make(bl_srgb_decode(c.x), bl_srgb_decode(c.y), bl_srgb_decode(c.z));
}

/* What is gathered on the way. */
typedef struct dresser {
    bl_stage *stage;
    const bl_subject *s;
    bl_vec3d min, max; /* of the liquids, on the stage */
    double lowest;     /* of everything along up, on the stage */
    bool has_floor, has_body;
    bool look_given; /* of the boundary at hand: it stays what it is, even if it hides the liquid */
    double open;     /* seconds that the shutter is open */
} dresser;

static void note_height(dresser *d, bl_vec3d x) { d->lowest = fmin(d->lowest, bl_v3d_dot(x, d->s->up)); }

static size_t count_of(const bl_subject *s, bl_set_kind kind) {
    size_t count = 0;
    for (int k = 0; k < s->sets->count; k++)
        if (s->sets->items[k].kind == kind) count += s->frames[k].count;
    return count;
}

/* The particles of all frames in one piece, as the surface builder wants them. */
typedef struct particles {
    bl_vec3 *x, *v, *wall_x, *wall_normal;
    uint32_t *phase;
} particles;

static void release_particles(bl_context *ctx, particles *p) {
    bl_release(ctx, p->x);
    bl_release(ctx, p->v);
    bl_release(ctx, p->phase);
    bl_release(ctx, p->wall_x);
    bl_release(ctx, p->wall_normal);
}

static bl_status gather_particles(const bl_subject *s, particles *out, bl_surface_input *input) {
    size_t fluid = count_of(s, BL_SET_FLUID), walls = count_of(s, BL_SET_BOUNDARY), i = 0, j = 0;
    *out = (particles){bl_alloc(s->ctx, fluid, sizeof(bl_vec3)), bl_alloc(s->ctx, fluid, sizeof(bl_vec3)),
                       bl_alloc(s->ctx, walls, sizeof(bl_vec3)), bl_alloc(s->ctx, walls, sizeof(bl_vec3)),
                       bl_alloc(s->ctx, fluid, sizeof(uint32_t))};
    if (!out->x || !out->v || !out->wall_x || !out->wall_normal || !out->phase) return BL_ERR_MEMORY;
    for (int k = 0; k < s->sets->count; k++) {
        const bl_frame *f = &s->frames[k];
        const bl_array *normal = f->count ? bl_frame_array(f, "normal") : NULL;
        const bl_array *v = f->count ? bl_frame_array(f, "v") : NULL;
        for (size_t n = 0; n < f->count; n++) {
            bl_vec3 x = bl_v3_from_d(bl_array_vec3(&f->points, n));
            if (s->sets->items[k].kind == BL_SET_FLUID) {
                out->phase[i] = (uint32_t)s->sets->items[k].index;
                if (v) out->v[i] = bl_v3_from_d(bl_array_vec3(v, n));
                out->x[i++] = x;
            } else if (normal) {
                out->wall_normal[j] = bl_v3_from_d(bl_array_vec3(normal, n));
                out->wall_x[j++] = x;
            }
        }
    }
    *input = (bl_surface_input){.spacing = s->scene->spacing,
                                .count = i,
                                .x = out->x,
                                .v = out->v,
                                .phase = out->phase,
                                .phase_count = s->scene->fluid_count,
                                .wall_count = j,
                                .wall_x = out->wall_x,
                                .wall_normal = out->wall_normal,
                                .options = bl_default_surface_options()};
    return BL_OK;
}

/* No light is bent where a triangle lies on a solid. At the seam the normals are those of the free surface: triangles
 * of the interface there take their own. */
static uint8_t trait_of(const bl_surface_mesh *mesh, size_t triangle) {
    int count[BL_SURFACE_SEAM + 1] = {0};
    for (int k = 0; k < 3; k++) count[mesh->kind[mesh->triangle[3 * triangle + (size_t)k]]]++;
    if (count[BL_SURFACE_FREE] == 3) return 0;
    if (count[BL_SURFACE_WALL] > 0 && count[BL_SURFACE_FREE] == 0) return BL_STAGE_WET;
    bool at_seam = count[BL_SURFACE_SEAM] > 0 && count[BL_SURFACE_INTERFACE] > 0;
    return at_seam ? BL_STAGE_FLAT : 0;
}

/* How far a fluid's interface is moved outwards: each fluid reaches into those that have the place before it (media.h),
 * opaque ones first. */
static double overlap_of(const dresser *d, const bl_material *material) {
    double step = OVERLAP * d->s->scene->spacing * d->s->scale;
    return material->kind == BL_MATERIAL_LIQUID ? step * (d->stage->medium_count + 1) : 0;
}

static bl_material material_of_fluid(const dresser *d, const bl_fluid *fluid) {
    bl_material m = bl_material_of_fluid(fluid->appearance, fluid->name, linear(fluid->color),
                                         !same_color(fluid->color, PLAIN_FLUID));
    m.film_slope = bl_v3d_scale(-0.7 * m.film, d->s->up); /* films drain: thin at the top, thick below */
    return m;
}

/* Where the vertices are `seconds` from the frame's time. */
static void place_vertices(const dresser *d, const bl_surface_mesh *mesh, double seconds, double overlap,
                           float (*x)[3]) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        bl_vec3d moved = bl_v3d_from(mesh->x[i]);
        if (mesh->v) moved = bl_v3d_mad(moved, seconds, bl_v3d_from(mesh->v[i]));
        bl_vec3d p = bl_subject_to_stage(d->s, moved);
        if (mesh->kind[i] == BL_SURFACE_INTERFACE || mesh->kind[i] == BL_SURFACE_SEAM)
            p = bl_v3d_mad(p, overlap, bl_v3d_from(mesh->normal[i]));
        x[i][0] = (float)p.x, x[i][1] = (float)p.y, x[i][2] = (float)p.z;
    }
}

static bl_status add_liquid(dresser *d, const bl_surface_mesh *mesh, const bl_fluid *fluid) {
    bl_context *ctx = d->s->ctx;
    bool moves = d->open > 0 && mesh->v;
    float(*x)[3] = bl_alloc(ctx, mesh->vertex_count, sizeof *x);
    float(*x_end)[3] = bl_alloc(ctx, moves ? mesh->vertex_count : 0, sizeof *x);
    float(*normal)[3] = bl_alloc(ctx, mesh->vertex_count, sizeof *normal);
    uint8_t *trait = bl_alloc(ctx, mesh->triangle_count, 1);
    bl_stage_object look = {.material = material_of_fluid(d, fluid)};
    double overlap = overlap_of(d, &look.material);
    bl_status status = x && x_end && normal && trait ? BL_OK : BL_ERR_MEMORY;
    if (!status) {
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            bl_vec3d p = bl_subject_to_stage(d->s, bl_v3d_from(mesh->x[i])), n = bl_v3d_from(mesh->normal[i]);
            normal[i][0] = (float)n.x, normal[i][1] = (float)n.y, normal[i][2] = (float)n.z;
            d->min = bl_v3d_make(fmin(d->min.x, p.x), fmin(d->min.y, p.y), fmin(d->min.z, p.z));
            d->max = bl_v3d_make(fmax(d->max.x, p.x), fmax(d->max.y, p.y), fmax(d->max.z, p.z));
            note_height(d, p);
        }
        for (size_t t = 0; t < mesh->triangle_count; t++) trait[t] = trait_of(mesh, t);
        bl_stage_mesh m = {mesh->vertex_count,
                           mesh->triangle_count,
                           (const float(*)[3])x,
                           (const float(*)[3])normal,
                           trait,
                           mesh->triangle,
                           moves ? (const float(*)[3])x_end : NULL};
        /* the frame's time is the middle of the exposure */
        place_vertices(d, mesh, moves ? -d->open / 2 : 0, overlap, x);
        if (moves) place_vertices(d, mesh, d->open / 2, overlap, x_end);
        status = bl_stage_add_mesh(d->stage, &m, &look);
    }
    bl_release(ctx, x);
    bl_release(ctx, x_end);
    bl_release(ctx, normal);
    bl_release(ctx, trait);
    return status;
}

static bl_status add_liquids(dresser *d) {
    bl_surface_mesh meshes[BL_SURFACE_MAX_PHASES] = {0};
    bl_surface_input input;
    particles p = {0};
    const bl_scene *scene = d->s->scene;
    if (scene->fluid_count > BL_SURFACE_MAX_PHASES)
        return bl_fail(d->s->ctx, BL_ERR_DATA, "%d fluids: at most %d can be drawn as liquids", scene->fluid_count,
                       BL_SURFACE_MAX_PHASES);
    bl_status status = gather_particles(d->s, &p, &input);
    if (!status) status = bl_surface_build(d->s->ctx, &input, meshes);
    for (int f = 0; f < scene->fluid_count && !status; f++)
        if (meshes[f].triangle_count) status = add_liquid(d, &meshes[f], &scene->fluids[f]);
    for (int f = 0; f < scene->fluid_count; f++) bl_surface_mesh_clear(d->s->ctx, &meshes[f]);
    release_particles(d->s->ctx, &p);
    return status;
}

static void frame_box(const bl_frame *frame, bl_vec3d *min, bl_vec3d *max) {
    *min = bl_v3d_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *max = bl_v3d_scale(-1, *min);
    for (size_t i = 0; i < frame->count; i++) {
        bl_vec3d x = bl_array_vec3(&frame->points, i);
        *min = bl_v3d_make(fmin(min->x, x.x), fmin(min->y, x.y), fmin(min->z, x.z));
        *max = bl_v3d_make(fmax(max->x, x.x), fmax(max->y, x.y), fmax(max->z, x.z));
    }
}

/* Whether a shape stands between the camera and most of the fluid: it is then drawn as clear glass. */
static bl_status hides_fluid(const dresser *d, const float (*x)[3], const bl_body_mesh *mesh, bool *out) {
    bl_tracer *tracer;
    uint32_t object;
    bl_status status = bl_tracer_create(d->s->ctx, BL_TRACER_BUILTIN, &tracer);
    if (status) return status;
    status = bl_tracer_add_mesh(tracer, x, NULL, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &object);
    if (!status) status = bl_tracer_commit(tracer);
    int hidden = 0, asked = 0;
    for (int k = 0; k < d->s->sets->count && !status; k++) {
        const bl_frame *f = &d->s->frames[k];
        if (d->s->sets->items[k].kind != BL_SET_FLUID) continue;
        for (size_t i = 0; i < f->count; i += f->count / 64 + 1) {
            bl_vec3d to = bl_v3d_sub(bl_subject_to_stage(d->s, bl_array_vec3(&f->points, i)), d->stage->camera.origin);
            bl_ray ray = {d->stage->camera.origin, bl_v3d_unit(to), 0, bl_v3d_norm(to), 0.5};
            bl_hit hit;
            hidden += bl_tracer_hit(tracer, &ray, &hit);
            asked++;
        }
    }
    *out = 2 * hidden > asked;
    bl_tracer_destroy(tracer);
    return status;
}

static bl_material material_of(const bl_boundary *b) {
    return bl_material_of_solid(b->appearance, b->name, linear(b->color), !same_color(b->color, PLAIN_BOUNDARY));
}

/* A floor to the horizon, melting into the dome well behind the subject. */
static bl_status add_floor(dresser *d, bl_vec3d point, bl_vec3d normal, const bl_material *material) {
    double far = bl_v3d_norm(d->stage->camera.origin) + 1;
    bl_stage_object look = {.material = *material, .one_sided = true, .fade = 0.9 * far};
    d->has_floor = true;
    return bl_stage_add_floor(d->stage, point, normal, &look);
}

/* `triangles` of the mesh, from its first one on: a plane as a pane is its face only. */
static bl_status add_body_mesh(dresser *d, const bl_body_mesh *mesh, size_t triangles, const bl_material *material) {
    bl_context *ctx = d->s->ctx;
    float(*x)[3] = bl_alloc(ctx, mesh->vertex_count, sizeof *x);
    float(*normal)[3] = bl_alloc(ctx, mesh->vertex_count, sizeof *normal);
    bl_status status = x && normal ? BL_OK : BL_ERR_MEMORY;
    bool hides = false;
    bl_stage_object look = {.material = *material};
    if (!status) {
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            bl_vec3d n = mesh->normal[i], p = bl_v3d_mad(bl_subject_to_stage(d->s, mesh->x[i]), -GAP, n);
            x[i][0] = (float)p.x, x[i][1] = (float)p.y, x[i][2] = (float)p.z;
            normal[i][0] = (float)n.x, normal[i][1] = (float)n.y, normal[i][2] = (float)n.z;
            note_height(d, p);
        }
        status = hides_fluid(d, (const float(*)[3])x, mesh, &hides);
    }
    if (hides && !d->look_given) look.material = PANE;
    bl_stage_mesh m = {mesh->vertex_count, triangles, (const float(*)[3])x, (const float(*)[3])normal, NULL,
                       mesh->triangles,    NULL};
    if (!status) status = bl_stage_add_mesh(d->stage, &m, &look);
    bl_release(ctx, x);
    bl_release(ctx, normal);
    return status;
}

/* A wall, not a floor or a ceiling. */
static bool is_upright(const dresser *d, const bl_body_mesh *mesh) {
    return mesh->flat && fabs(bl_v3d_dot(mesh->normal_of_plane, d->s->up)) < 0.7;
}

static bool seen_from_behind(const dresser *d, const bl_body_mesh *mesh) {
    bl_vec3d to = bl_v3d_sub(d->stage->camera.origin, bl_subject_to_stage(d->s, mesh->point));
    return bl_v3d_dot(to, mesh->normal_of_plane) < 0;
}

static bl_status add_shape(dresser *d, const bl_body_mesh *mesh, const bl_material *material, bool panes) {
    if (mesh->endless) {
        bl_vec3d p = bl_subject_to_stage(d->s, mesh->point);
        return add_floor(d, bl_v3d_mad(p, -GAP, mesh->normal_of_plane), mesh->normal_of_plane, material);
    }
    if (!mesh->triangle_count) return BL_OK;
    d->has_body = true;
    bool pane = panes && is_upright(d, mesh);
    return add_body_mesh(d, mesh, pane ? 2 : mesh->triangle_count, pane ? &PANE : material);
}

/* A body that has a wall between camera and fluid is a tank: all its walls are panes. */
static bl_status add_shapes(dresser *d, int body, bl_body_mesh *meshes, int count) {
    bl_material material = material_of(&d->s->scene->boundaries[body]);
    bool panes = false;
    const char *appearance = d->s->scene->boundaries[body].appearance;
    d->look_given = appearance && strcmp(appearance, "auto") != 0;
    for (int k = 0; k < count && !d->look_given; k++)
        panes = panes || (is_upright(d, &meshes[k]) && seen_from_behind(d, &meshes[k]));
    bl_status status = BL_OK;
    for (int k = 0; k < count && !status; k++) status = add_shape(d, &meshes[k], &material, panes);
    return status;
}

static bl_status add_body(dresser *d, int set) {
    const bl_subject *s = d->s;
    int body = s->sets->items[set].index, count = s->scene->boundaries[body].shape_count;
    if (s->scene->boundaries[body].elastic.given && s->frames[set].count) {
        bl_material material = material_of(&s->scene->boundaries[body]);
        d->has_body = true;
        return bl_stage_add_elastic(d->stage, s, &s->frames[set], &material, &d->lowest);
    }
    bl_vec3d min, max;
    frame_box(&s->frames[set], &min, &max);
    if (!s->frames[set].count) min = s->min, max = s->max; /* boundaries were not written */
    bl_pose pose;
    bl_status status = bl_subject_pose(s, set, &pose);
    if (status) return status;
    bl_body_mesh *meshes = bl_alloc(s->ctx, (size_t)count, sizeof *meshes);
    if (!meshes) return BL_ERR_MEMORY;
    for (int k = 0; k < count && !status; k++)
        status = bl_body_mesh_build(s->ctx, s->scene, body, k, &pose, min, max, s->up, &meshes[k]);
    if (!status) status = add_shapes(d, body, meshes, count);
    for (int k = 0; k < count; k++) bl_body_mesh_clear(&meshes[k]);
    bl_release(s->ctx, meshes);
    return status;
}

static bl_status add_ground(dresser *d) {
    bl_material matt = {.kind = BL_MATERIAL_DIFFUSE, .color = bl_v3d_make(0.16, 0.17, 0.19), .ior = 1};
    return add_floor(d, bl_v3d_scale(d->lowest - 2 * GAP, d->s->up), d->s->up, &matt);
}

static bl_status set_light(dresser *d) {
    bl_vec3d up = d->s->up, forward = d->stage->camera.forward;
    forward = bl_v3d_mad(forward, -bl_v3d_dot(forward, up), up);
    forward = bl_v3d_norm(forward) > 1e-6 ? bl_v3d_unit(forward) : d->stage->camera.up;
    const char *name = d->s->scene->look.background ? d->s->scene->look.background : "studio";
    if (bl_light_make(name, up, forward, &d->stage->light)) return BL_OK;
    return bl_fail(d->s->ctx, BL_ERR_DATA, "no background '%s'; there are studio, sky, white and black", name);
}

static bl_status add_caustics(dresser *d, size_t photons, uint64_t seed) {
    bl_vec3d center = bl_v3d_scale(0.5, bl_v3d_add(d->min, d->max));
    double radius = fmin(3, bl_v3d_norm(bl_v3d_sub(d->max, d->min)) / 2);
    struct bl_caustics *caustics = NULL;
    bl_status status =
        d->min.x <= d->max.x ? bl_caustics_create(d->stage, center, radius * 1.01, photons, seed, &caustics) : BL_OK;
    d->stage->caustics = caustics;
    return status;
}

bl_status bl_stage_fill_liquid(bl_stage *stage, const bl_subject *s, double open, size_t photons, uint64_t seed) {
    dresser d = {.stage = stage, .s = s, .lowest = HUGE_VAL, .open = open};
    d.min = bl_v3d_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    d.max = bl_v3d_scale(-1, d.min);
    bl_status status = set_light(&d);
    if (!status) status = add_liquids(&d);
    for (int k = 0; k < s->sets->count && !status; k++)
        if (s->sets->items[k].kind == BL_SET_BOUNDARY) status = add_body(&d, k);
    if (!status && !d.has_floor && (d.has_body || s->scene->look.ground)) status = add_ground(&d);
    if (!status) status = bl_tracer_commit(stage->tracer);
    return status ? status : add_caustics(&d, photons, seed);
}
