#include "geometry/tessellate.h"

#include <math.h>

static const double SAGITTA = 1.0 / 400; /* in spacings */
static const double PI = 3.14159265358979323846;
enum { MIN_SEGMENTS = 32, MAX_SEGMENTS = 4000 };

/* Segments for a full circle of world radius r. */
static int circle_segments(double r, double h) {
    double chord = sqrt(8 * r * SAGITTA * h), n = ceil(2 * PI * r / chord);
    return n < MIN_SEGMENTS ? MIN_SEGMENTS : n < MAX_SEGMENTS ? (int)n : MAX_SEGMENTS;
}

/* --- bodies of revolution ---------------------------------------------------------------------------------------- */

/* A profile turned about an axis: rows of (distance from the axis, place along it). */
typedef struct profile {
    bl_context *ctx;
    double (*points)[2];
    int count;
    bool closed; /* the last row joins the first, as in a torus */
} profile;

typedef struct body_frame {
    const bl_frame *frame;
    bl_vec3d center, axis, u, v; /* in the leaf's frame */
    bl_vec3d scale;              /* along u, v and the axis */
} body_frame;

static bl_status make_profile(bl_context *ctx, int count, bool closed, profile *p) {
    *p = (profile){.ctx = ctx, .count = count, .closed = closed};
    p->points = bl_alloc(ctx, (size_t)count, sizeof *p->points);
    return p->points ? BL_OK : BL_ERR_MEMORY;
}

/* The profile of half a sphere pair with `half` of straight wall between: a capsule, or a sphere if half is 0. */
static bl_status capsule_profile(bl_context *ctx, double radius, double half, int segments, profile *p) {
    int n = segments / 4 + 1; /* rows from a pole to the widest circle */
    bl_status status = make_profile(ctx, half > 0 ? 2 * n : 2 * n - 1, false, p);
    for (int i = 0; i < n && !status; i++) {
        double angle = 0.5 * PI * i / (n - 1), r = i == 0 ? 0 : radius * sin(angle), z = radius * cos(angle);
        int mirror = p->count - 1 - i;
        p->points[i][0] = p->points[mirror][0] = r;
        p->points[i][1] = -half - (i == n - 1 ? 0 : z);
        p->points[mirror][1] = half + (i == n - 1 ? 0 : z);
    }
    return status;
}

static bl_status cylinder_profile(bl_context *ctx, double radius, double half, profile *p) {
    bl_status status = make_profile(ctx, 4, false, p);
    if (status) return status;
    const double rows[4][2] = {{0, -half}, {radius, -half}, {radius, half}, {0, half}};
    for (int i = 0; i < 4; i++) p->points[i][0] = rows[i][0], p->points[i][1] = rows[i][1];
    return BL_OK;
}

static bl_status torus_profile(bl_context *ctx, double major, double minor, int segments, profile *p) {
    bl_status status = make_profile(ctx, segments, true, p);
    for (int i = 0; i < segments && !status; i++) {
        double angle = 2 * PI * i / segments;
        p->points[i][0] = major + minor * cos(angle);
        p->points[i][1] = minor * sin(angle);
    }
    return status;
}

static bl_vec3d body_point(const body_frame *b, double r, double angle, double z) {
    bl_vec3d x = bl_v3d_mad(b->center, b->scale.x * r * cos(angle), b->u);
    x = bl_v3d_mad(x, b->scale.y * r * sin(angle), b->v);
    return bl_frame_to_world(b->frame, bl_v3d_mad(x, b->scale.z * z, b->axis));
}

/* Rows of `segments` vertices; a row on the axis is one vertex. Two triangles for each piece of the surface. */
static bl_status revolve(const profile *p, const body_frame *body, int segments, bl_mesh_builder *builder) {
    bl_status status = BL_OK;
    uint32_t row[2] = {0, 0}, first = 0;
    bool point[2] = {false, false};
    int rows = p->closed ? p->count + 1 : p->count;
    for (int i = 0; i < rows && !status; i++) {
        const double *at = p->points[i % p->count];
        row[0] = row[1], point[0] = point[1];
        point[1] = at[0] == 0;
        row[1] = i == p->count ? first : (uint32_t)builder->mesh->vertex_count;
        if (i == 0) first = row[1];
        for (int k = 0; k < (point[1] ? 1 : segments) && i < p->count && !status; k++)
            status = bl_mesh_add_vertex(builder, body_point(body, at[0], 2 * PI * k / segments, at[1]));
        for (int k = 0; k < segments && i > 0 && !status; k++) {
            uint32_t s = (uint32_t)k, next = (uint32_t)((k + 1) % segments);
            uint32_t a = row[0] + (point[0] ? 0 : s), b = row[0] + (point[0] ? 0 : next);
            uint32_t c = row[1] + (point[1] ? 0 : next), d = row[1] + (point[1] ? 0 : s);
            if (!point[0]) status = bl_mesh_add_triangle(builder, a, b, c);
            if (!point[1] && !status) status = bl_mesh_add_triangle(builder, a, c, d);
        }
    }
    return status;
}

static bl_status tessellate_round(bl_context *ctx, const bl_solid *s, double h, bl_mesh_builder *builder) {
    body_frame body = {.frame = &s->frame, .scale = {1, 1, 1}, .axis = {0, 0, 1}};
    double hl = h / s->frame.stretch, half = 0.5 * bl_v3d_norm(bl_v3d_sub(s->b, s->a));
    profile p = {0};
    bl_status status;
    int segments = circle_segments(s->radius, hl);
    if (s->kind == BL_SHAPE_CYLINDER || s->kind == BL_SHAPE_CAPSULE) {
        body.center = bl_v3d_scale(0.5, bl_v3d_add(s->a, s->b));
        if (half > 0) body.axis = bl_unit(bl_v3d_sub(s->b, s->a));
        status = s->kind == BL_SHAPE_CYLINDER ? cylinder_profile(ctx, s->radius, half, &p)
                                              : capsule_profile(ctx, s->radius, half, segments, &p);
    } else if (s->kind == BL_SHAPE_TORUS) {
        body.axis = s->b;
        segments = circle_segments(s->radius + s->radius2, hl);
        status = torus_profile(ctx, s->radius, s->radius2, circle_segments(s->radius2, hl), &p);
    } else if (s->kind == BL_SHAPE_ELLIPSOID) {
        /* the flattest places of a stretched sphere are as coarse as a sphere of radius r^2 / r_min */
        double least = fmin(s->a.x, fmin(s->a.y, s->a.z)), most = fmax(s->a.x, fmax(s->a.y, s->a.z));
        segments = circle_segments(most * fmin(most / least, 4), hl);
        body.scale = s->a;
        status = capsule_profile(ctx, 1, 0, segments, &p);
    } else {
        status = capsule_profile(ctx, s->radius, 0, segments, &p);
    }
    bl_tangents(body.axis, &body.u, &body.v);
    if (!status) status = revolve(&p, &body, segments, builder);
    bl_release(ctx, p.points);
    return status;
}

static bl_status tessellate_box(const bl_solid *s, bl_mesh_builder *builder) {
    static const uint8_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    bl_status status = BL_OK;
    for (int c = 0; c < 8 && !status; c++) {
        bl_vec3d x = bl_v3d_make(c & 1 ? s->a.x : -s->a.x, c & 2 ? s->a.y : -s->a.y, c & 4 ? s->a.z : -s->a.z);
        status = bl_mesh_add_vertex(builder, bl_frame_to_world(&s->frame, x));
    }
    for (int q = 0; q < 6 && !status; q++) {
        const uint8_t *v = quads[q];
        status = bl_mesh_add_triangle(builder, v[0], v[1], v[2]);
        if (!status) status = bl_mesh_add_triangle(builder, v[0], v[2], v[3]);
    }
    return status;
}

bl_status bl_tessellate(bl_context *ctx, const bl_solid *leaf, double h, bl_mesh **out) {
    bl_mesh_builder builder = {0};
    bl_status status = bl_mesh_create(ctx, &builder.mesh);
    if (!status)
        status = leaf->kind == BL_SHAPE_BOX ? tessellate_box(leaf, &builder) : tessellate_round(ctx, leaf, h, &builder);
    if (!status) status = bl_mesh_finish(builder.mesh, "shape");
    if (status) {
        bl_mesh_destroy(builder.mesh);
        builder.mesh = NULL;
    }
    *out = builder.mesh;
    return status;
}

/* --- outlines ---------------------------------------------------------------------------------------------------- */

void bl_outline_clear(bl_outline *o) {
    bl_release(o->ctx, o->x);
    bl_release(o->ctx, o->edges);
    bl_release(o->ctx, o->normals);
    *o = (bl_outline){0};
}

static bl_status reserve(bl_outline *o, size_t vertices, size_t edges) {
    o->x = bl_alloc(o->ctx, vertices, sizeof *o->x);
    o->edges = bl_alloc(o->ctx, edges, sizeof *o->edges);
    return o->x && o->edges ? BL_OK : BL_ERR_MEMORY;
}

/* Join the vertices from `begin` on to a ring. */
static void close_ring(bl_outline *o, size_t begin) {
    for (size_t i = begin; i < o->vertex_count; i++) {
        o->edges[o->edge_count][0] = (uint32_t)i;
        o->edges[o->edge_count++][1] = (uint32_t)(i + 1 < o->vertex_count ? i + 1 : begin);
    }
}

static void add_point(bl_outline *o, const bl_solid *s, double x, double y) {
    bl_vec3d p = bl_frame_to_world(&s->frame, bl_v3d_make(x, y, 0));
    p.z = 0;
    o->x[o->vertex_count++] = p;
}

static void add_ellipse(bl_outline *o, const bl_solid *s, double rx, double ry, int segments) {
    size_t begin = o->vertex_count;
    for (int i = 0; i < segments; i++)
        add_point(o, s, rx * cos(2 * PI * i / segments), ry * sin(2 * PI * i / segments));
    close_ring(o, begin);
}

/* Rectangle along from-to, or with round ends a stadium. */
static void add_bar(bl_outline *o, const bl_solid *s, int segments) {
    bl_vec3d along = bl_unit(bl_v3d_sub(s->b, s->a));
    if (bl_v3d_norm2(along) == 0) along.x = 1;
    bool round = s->kind == BL_SHAPE_CAPSULE;
    int n = round ? segments / 2 : 1;
    for (int end = 0; end < 2; end++) {
        bl_vec3d c = end ? s->a : s->b;
        double sign = end ? -1 : 1;
        for (int i = 0; i <= n; i++) {
            double angle = PI * i / n - PI / 2; /* from the right side of the axis round its end to the left */
            double forth = round ? s->radius * cos(angle) : 0, left = s->radius * (i == 0   ? -1
                                                                                   : i == n ? 1
                                                                                            : sin(angle));
            add_point(o, s, c.x + sign * (forth * along.x - left * along.y),
                      c.y + sign * (forth * along.y + left * along.x));
        }
    }
    close_ring(o, 0);
}

/* Where the mesh meets z = 0: a vertex for each mesh edge that crosses, an edge for each such triangle. */
static bl_status slice_mesh(bl_outline *o, const bl_mesh *mesh) {
    bl_mesh_edge *edges;
    size_t count;
    bl_status status = bl_mesh_edges(mesh, &edges, &count);
    if (status) return status;
    uint32_t *joined =
        bl_alloc(o->ctx, mesh->triangle_count, sizeof *joined); /* first crossing of a triangle, plus 1 */
    status = reserve(o, count, mesh->triangle_count);
    o->normals = bl_alloc(o->ctx, mesh->triangle_count, sizeof *o->normals);
    if (!joined || !o->normals) status = BL_ERR_MEMORY;
    for (size_t e = 0; e < count && !status; e++) {
        bl_vec3d a = mesh->x[edges[e].low], b = mesh->x[edges[e].high];
        if ((a.z >= 0) == (b.z >= 0)) continue;
        bool again = e > 0 && edges[e - 1].low == edges[e].low && edges[e - 1].high == edges[e].high;
        if (!again) {
            bl_vec3d x = bl_v3d_mad(a, a.z / (a.z - b.z), bl_v3d_sub(b, a));
            o->x[o->vertex_count++] = bl_v3d_make(x.x, x.y, 0);
        }
        uint32_t vertex = (uint32_t)(o->vertex_count - 1), t = edges[e].triangle;
        if (!joined[t]) {
            joined[t] = vertex + 1;
            continue;
        }
        bl_vec3d n = bl_mesh_triangle_area(mesh, t);
        o->normals[o->edge_count] = bl_unit(bl_v3d_make(n.x, n.y, 0));
        o->edges[o->edge_count][0] = joined[t] - 1;
        o->edges[o->edge_count++][1] = vertex;
    }
    bl_release(o->ctx, joined);
    bl_release(o->ctx, edges);
    return status;
}

bl_status bl_outline_create(bl_context *ctx, const bl_solid *s, double h, bl_outline *o) {
    *o = (bl_outline){.ctx = ctx};
    double hl = h / s->frame.stretch;
    double widest = s->kind == BL_SHAPE_TORUS ? s->radius + s->radius2 : s->radius;
    if (s->kind == BL_SHAPE_ELLIPSOID) widest = fmax(s->a.x, s->a.y) * fmin(fmax(s->a.x / s->a.y, s->a.y / s->a.x), 4);
    int segments = circle_segments(widest, hl);
    size_t room = s->kind == BL_SHAPE_MESH ? 1 : 2 * (size_t)segments + 8;
    bl_status status = s->kind == BL_SHAPE_MESH ? slice_mesh(o, s->mesh) : reserve(o, room, room);
    if (!status) switch (s->kind) {
        case BL_SHAPE_BOX:
            for (int c = 0; c < 4; c++) add_point(o, s, c == 1 || c == 2 ? s->a.x : -s->a.x, c > 1 ? s->a.y : -s->a.y);
            close_ring(o, 0);
            break;
        case BL_SHAPE_SPHERE: add_ellipse(o, s, s->radius, s->radius, segments); break;
        case BL_SHAPE_ELLIPSOID: add_ellipse(o, s, s->a.x, s->a.y, segments); break;
        case BL_SHAPE_TORUS:
            add_ellipse(o, s, s->radius + s->radius2, s->radius + s->radius2, segments);
            if (s->radius > s->radius2) add_ellipse(o, s, s->radius - s->radius2, s->radius - s->radius2, segments);
            break;
        case BL_SHAPE_CYLINDER:
        case BL_SHAPE_CAPSULE: add_bar(o, s, segments); break;
        default: break;
        }
    if (status) bl_outline_clear(o);
    return status;
}
