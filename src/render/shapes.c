#include "render/shapes.h"
#include "geometry/tessellate.h"
#include "render/isosurface.h"
#include "rigid/motion.h"
#include <math.h>

/* Corners whose triangles meet at less than this angle share a normal. */
static const double CREASE_COSINE = 0.78; /* 39 degrees */

void bl_body_mesh_clear(bl_body_mesh *mesh) {
    if (mesh->ctx) {
        bl_release(mesh->ctx, mesh->x);
        bl_release(mesh->ctx, mesh->normal);
        bl_release(mesh->ctx, mesh->triangles);
    }
    *mesh = (bl_body_mesh){0};
}

/* Room for more corners; three each triangle. */
static bl_status reserve(bl_body_mesh *m, size_t triangles) {
    size_t vertices = m->vertex_count + 3 * triangles, count = m->triangle_count + triangles;
    if (vertices > m->vertex_capacity) {
        bl_vec3d *x = bl_grow(m->ctx, m->x, m->vertex_count, vertices, sizeof *x);
        if (x) m->x = x;
        bl_vec3d *normal = x ? bl_grow(m->ctx, m->normal, m->vertex_count, vertices, sizeof *normal) : NULL;
        if (normal) m->normal = normal;
        uint32_t *t = normal ? bl_grow(m->ctx, m->triangles, 3 * m->triangle_count, 3 * count, sizeof *t) : NULL;
        if (!t) return BL_ERR_MEMORY;
        m->triangles = t;
        m->vertex_capacity = vertices;
        m->triangle_capacity = count;
    }
    return BL_OK;
}

static void add_triangle(bl_body_mesh *m, const bl_vec3d x[3], const bl_vec3d normal[3]) {
    for (int k = 0; k < 3; k++) {
        m->triangles[3 * m->triangle_count + (size_t)k] = (uint32_t)m->vertex_count;
        m->x[m->vertex_count] = x[k];
        m->normal[m->vertex_count++] = normal[k];
    }
    m->triangle_count++;
}

static bl_status add_quad(bl_body_mesh *m, bl_vec3d center, bl_vec3d half_u, bl_vec3d half_v) {
    bl_status status = reserve(m, 2);
    if (status) return status;
    bl_vec3d n = bl_unit(bl_v3d_cross(half_u, half_v)), x[4];
    static const int su[4] = {-1, 1, 1, -1}, sv[4] = {-1, -1, 1, 1};
    for (int k = 0; k < 4; k++) x[k] = bl_v3d_mad(bl_v3d_mad(center, su[k], half_u), sv[k], half_v);
    bl_vec3d normals[3] = {n, n, n}, first[3] = {x[0], x[1], x[2]}, second[3] = {x[0], x[2], x[3]};
    add_triangle(m, first, normals);
    add_triangle(m, second, normals);
    return BL_OK;
}

/* A plate whose upper face is the plane. */
static bl_status add_slab(bl_body_mesh *m, bl_vec3d middle, bl_vec3d normal, double size, double thickness) {
    bl_vec3d u, v;
    bl_tangents(normal, &u, &v);
    bl_vec3d a = bl_v3d_scale(size / 2, u), b = bl_v3d_scale(size / 2, v), c = bl_v3d_scale(thickness / 2, normal);
    bl_vec3d center = bl_v3d_sub(middle, c), minus_a = bl_v3d_scale(-1, a), minus_b = bl_v3d_scale(-1, b),
             minus_c = bl_v3d_scale(-1, c);
    bl_status status = add_quad(m, middle, a, b);
    if (!status) status = add_quad(m, bl_v3d_add(center, minus_c), b, a);
    if (!status) status = add_quad(m, bl_v3d_add(center, a), b, c);
    if (!status) status = add_quad(m, bl_v3d_add(center, minus_a), minus_b, c);
    if (!status) status = add_quad(m, bl_v3d_add(center, b), minus_a, c);
    return status ? status : add_quad(m, bl_v3d_add(center, minus_b), a, c);
}

/* Triangles around each vertex. */
typedef struct fans {
    size_t *start;
    uint32_t *triangle;
} fans;

static bl_status make_fans(bl_context *ctx, const bl_mesh *mesh, fans *out) {
    out->start = bl_alloc(ctx, mesh->vertex_count + 2, sizeof *out->start);
    out->triangle = bl_alloc(ctx, 3 * mesh->triangle_count, sizeof *out->triangle);
    if (!out->start || !out->triangle) return BL_ERR_MEMORY;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) out->start[mesh->triangles[t].v[k] + 2]++;
    for (size_t v = 0; v < mesh->vertex_count; v++) out->start[v + 2] += out->start[v + 1];
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) out->triangle[out->start[mesh->triangles[t].v[k] + 1]++] = (uint32_t)t;
    return BL_OK;
}

static bl_vec3d corner_normal(const bl_mesh *mesh, const fans *f, size_t triangle, int corner) {
    uint32_t v = mesh->triangles[triangle].v[corner];
    bl_vec3d own = bl_unit(bl_mesh_triangle_area(mesh, triangle)), sum = bl_v3d_zero();
    for (size_t i = f->start[v]; i < f->start[v + 1]; i++) {
        bl_vec3d area = bl_mesh_triangle_area(mesh, f->triangle[i]);
        if (bl_v3d_dot(bl_unit(area), own) > CREASE_COSINE) sum = bl_v3d_add(sum, area);
    }
    return bl_v3d_norm(sum) > 0 ? bl_unit(sum) : own;
}

static bl_status add_mesh(bl_body_mesh *m, const bl_mesh *mesh) {
    fans f = {0};
    bl_status status = reserve(m, mesh->triangle_count);
    if (!status) status = make_fans(m->ctx, mesh, &f);
    for (size_t t = 0; t < mesh->triangle_count && !status; t++) {
        bl_vec3d x[3], normal[3];
        for (int k = 0; k < 3; k++) {
            x[k] = mesh->x[mesh->triangles[t].v[k]];
            normal[k] = corner_normal(mesh, &f, t, k);
        }
        add_triangle(m, x, normal);
    }
    bl_release(m->ctx, f.start);
    bl_release(m->ctx, f.triangle);
    return status;
}

static double box_size(bl_box box) {
    bl_vec3d d = bl_v3d_sub(box.max, box.min);
    return fmax(d.x, fmax(d.y, d.z));
}

typedef struct builder {
    bl_body_mesh *mesh;
    bool still; /* the body never moves */
    bl_box particles;
    bl_vec3d up;
    double spacing;
} builder;

/* A plane without a size is as large as its particles; those of a body that moved tell its size only. */
static bl_status add_plane(builder *b, const bl_solid *solid) {
    bl_vec3d normal = solid->b, middle = solid->a;
    double size = solid->radius;
    if (!(size > 0)) {
        bl_vec3d center = bl_v3d_scale(0.5, bl_v3d_add(b->particles.min, b->particles.max));
        size = fmax(box_size(b->particles), b->spacing);
        if (b->still) middle = bl_v3d_mad(center, -bl_v3d_dot(bl_v3d_sub(center, middle), normal), normal);
    }
    b->mesh->flat = true;
    b->mesh->point = middle;
    b->mesh->normal_of_plane = normal;
    b->mesh->endless = b->still && !(solid->radius > 0) && bl_v3d_dot(normal, b->up) > 0.9995;
    if (b->mesh->endless) return BL_OK;
    return add_slab(b->mesh, middle, normal, size, fmax(size / 60, b->spacing));
}

static bl_status add_isosurface(builder *b, const bl_solid *solid) {
    bl_mesh *mesh = NULL;
    bl_status status = bl_isosurface_create(b->mesh->ctx, solid, b->particles, b->spacing, &mesh);
    if (!status) status = add_mesh(b->mesh, mesh);
    bl_mesh_destroy(mesh);
    return status;
}

static bl_status add_solid(builder *b, const bl_solid *solid) {
    bl_status status = BL_OK;
    bl_mesh *mesh = NULL;
    switch (solid->kind) {
    case BL_SHAPE_UNION:
        for (int i = 0; i < solid->child_count && !status; i++) status = add_solid(b, &solid->children[i]);
        return status;
    case BL_SHAPE_INTERSECTION:
    case BL_SHAPE_DIFFERENCE: return add_isosurface(b, solid);
    case BL_SHAPE_PLANE:
    case BL_SHAPE_HALF_SPACE: return add_plane(b, solid);
    case BL_SHAPE_MESH: return add_mesh(b->mesh, solid->mesh);
    default:
        status = bl_tessellate(b->mesh->ctx, solid, box_size(bl_solid_bounds(solid)) / 4, &mesh);
        if (!status) status = add_mesh(b->mesh, mesh);
        bl_mesh_destroy(mesh);
        return status;
    }
}

static void move(bl_body_mesh *m, const bl_pose *pose) {
    for (size_t i = 0; i < m->vertex_count; i++) {
        m->x[i] = bl_pose_point(pose, m->x[i]);
        m->normal[i] = bl_pose_direction(pose, m->normal[i]);
    }
    m->point = bl_pose_point(pose, m->point);
    m->normal_of_plane = bl_pose_direction(pose, m->normal_of_plane);
}

bl_status bl_body_mesh_build(bl_context *ctx, const bl_scene *scene, int body, int shape, const bl_pose *pose,
                             bl_vec3d min, bl_vec3d max, bl_vec3d up, bl_body_mesh *out) {
    *out = (bl_body_mesh){.ctx = ctx};
    const bl_boundary *boundary = &scene->boundaries[body];
    builder b = {out, !bl_body_moves(boundary), {min, max}, up, scene->spacing};
    bl_solid *solid = NULL;
    bl_status status = bl_solid_create(ctx, &boundary->shapes[shape], scene->dimension, &solid);
    if (!status) status = add_solid(&b, solid);
    bl_solid_destroy(ctx, solid);
    if (status) {
        bl_body_mesh_clear(out);
        return status;
    }
    if (!b.still) move(out, pose);
    return BL_OK;
}
