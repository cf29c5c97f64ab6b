/* Vertices on the edges of the grid, triangles from the cells.
 *
 * A vertex belongs to the block that holds the lower end of its edge among its first 8^3 nodes. Blocks are counted
 * first; then each writes its own part of the arrays, so the order follows from the blocks alone. */
#include "surface/extract.h"

#include "base/parallel.h"
#include "geometry/cubes.h"

#include <string.h>

enum { OWN_EDGES = BL_BLOCK * BL_BLOCK * BL_BLOCK * 3 };
#define T_MIN 1e-3f /* vertices keep off the nodes, else triangles could lose their area */

typedef struct extraction {
    const bl_blocks *blocks;
    int phase;
    bl_cubes cubes;
    uint32_t *first_vertex, *first_triangle; /* of each block, and one more; counts until they are summed up */
    uint32_t *slot;                          /* of each block in `rank`; BL_NO_BLOCK: it has no vertices */
    uint16_t (*rank)[OWN_EDGES];             /* number of the vertex on an own edge among those of its block */
    bl_surface_mesh *mesh;
} extraction;

static int own_edge(const int n[3], int axis) { return ((n[2] * BL_BLOCK + n[1]) * BL_BLOCK + n[0]) * 3 + axis; }

static int next_node(const int n[3], int axis) {
    return bl_node(n[0] + (axis == 0), n[1] + (axis == 1), n[2] + (axis == 2));
}

static bool is_crossed(const float *value, const int n[3], int axis) {
    return (value[bl_node(n[0], n[1], n[2])] > 0.0f) != (value[next_node(n, axis)] > 0.0f);
}

/* Calls the body for the lower corner n of each cell of a block, x fastest. */
#define FOR_CELLS(n)                                                                                                   \
    for (n[2] = 0; n[2] < BL_BLOCK; n[2]++)                                                                            \
        for (n[1] = 0; n[1] < BL_BLOCK; n[1]++)                                                                        \
            for (n[0] = 0; n[0] < BL_BLOCK; n[0]++)

/* Which nodes of a block are inside: bit x of row (z, y). */
typedef struct insides {
    uint16_t row[BL_NODES][BL_NODES];
} insides;

static insides find_insides(const float *value) {
    insides in;
    for (int z = 0; z < BL_NODES; z++)
        for (int y = 0; y < BL_NODES; y++) {
            unsigned bits = 0;
            for (int x = 0; x < BL_NODES; x++) bits |= (unsigned)(value[bl_node(x, y, z)] > 0.0f) << x;
            in.row[z][y] = (uint16_t)bits;
        }
    return in;
}

/* Whether the corners of cell n differ: only then is there anything in it. */
static bool is_cell_crossed(const insides *in, const int n[3]) {
    const unsigned some =
        in->row[n[2]][n[1]] | in->row[n[2]][n[1] + 1] | in->row[n[2] + 1][n[1]] | in->row[n[2] + 1][n[1] + 1];
    const unsigned all =
        in->row[n[2]][n[1]] & in->row[n[2]][n[1] + 1] & in->row[n[2] + 1][n[1]] & in->row[n[2] + 1][n[1] + 1];
    return (some >> n[0] & 3) != 0 && (all >> n[0] & 3) != 3;
}

static const bl_cube_case *cell_case(const bl_cubes *cubes, const float *value, const int n[3], bl_cube_case *buffer) {
    float corner[8];
    for (int c = 0; c < 8; c++) corner[c] = value[bl_node(n[0] + (c & 1), n[1] + (c >> 1 & 1), n[2] + (c >> 2))];
    return bl_cubes_find(cubes, corner, buffer);
}

/* Most blocks of the margin are not crossed at all. */
static bool is_block_crossed(const insides *in) {
    unsigned some = 0, all = ~0u;
    for (int z = 0; z < BL_NODES; z++)
        for (int y = 0; y < BL_NODES; y++) some |= in->row[z][y], all &= in->row[z][y];
    return some != 0 && (all & ((1u << BL_NODES) - 1)) != (1u << BL_NODES) - 1;
}

static void count_block(extraction *e, size_t b) {
    float value[BL_BLOCK_VALUES];
    bl_block_combined(e->blocks, b, e->phase, value);
    const insides in = find_insides(value);
    if (!is_block_crossed(&in)) return;
    uint32_t vertices = 0, triangles = 0;
    int n[3];
    FOR_CELLS(n) {
        if (!is_cell_crossed(&in, n)) continue;
        bl_cube_case buffer;
        const bl_cube_case *c = cell_case(&e->cubes, value, n, &buffer);
        triangles += c->count;
        vertices += c->center_size > 0;
        for (int axis = 0; axis < 3; axis++) vertices += is_crossed(value, n, axis);
    }
    e->first_vertex[b] = vertices, e->first_triangle[b] = triangles;
}

/* Where the surface crosses an edge, in spacings, and what it is there. */
typedef struct crossing {
    float x[3];
    bl_surface_kind kind;
} crossing;

static float mix(float a, float b, float t) { return a + t * (b - a); }

static crossing find_crossing(const extraction *e, size_t b, const float *value, const int n[3], int axis) {
    const bl_field *field = e->blocks->field;
    const int from = bl_node(n[0], n[1], n[2]), to = next_node(n, axis);
    float t = value[from] / (value[from] - value[to]);
    t = t < T_MIN ? T_MIN : t > 1.0f - T_MIN ? 1.0f - T_MIN : t;

    int32_t cell[3];
    crossing c;
    bl_cell_of_key(e->blocks->key[b], cell);
    for (int a = 0; a < 3; a++) c.x[a] = ((float)(cell[a] * BL_BLOCK + n[a]) + (a == axis ? t : 0.0f)) * field->cell;

    const bl_terms p = bl_field_terms(field, bl_block_values(e->blocks, b), e->phase, from);
    const bl_terms q = bl_field_terms(field, bl_block_values(e->blocks, b), e->phase, to);
    const float wall = mix(p.wall, q.wall, t), interface = mix(p.interface, q.interface, t);
    const float free = mix(p.free, q.free, t);
    c.kind = wall < free && wall < interface ? BL_SURFACE_WALL
             : interface < free              ? BL_SURFACE_INTERFACE
                                             : BL_SURFACE_FREE;
    return c;
}

static void put_vertex(bl_surface_mesh *mesh, uint32_t v, crossing c) {
    mesh->x[v] = bl_v3_make((real)c.x[0], (real)c.x[1], (real)c.x[2]);
    mesh->kind[v] = (uint8_t)c.kind;
}

/* The extra vertex of a long loop: the middle of it. */
static crossing find_center(const extraction *e, size_t b, const float *value, const int n[3], const bl_cube_case *c) {
    crossing center = {{0}, BL_SURFACE_FREE};
    for (int k = 0; k < c->center_size; k++) {
        const int edge = c->center_loop[k], corner = e->cubes.edge_corner[edge];
        const int from[3] = {n[0] + (corner & 1), n[1] + (corner >> 1 & 1), n[2] + (corner >> 2)};
        const crossing on_edge = find_crossing(e, b, value, from, edge / 4);
        for (int a = 0; a < 3; a++) center.x[a] += on_edge.x[a] / (float)c->center_size;
        if (k == 0) center.kind = on_edge.kind;
    }
    return center;
}

static void place_block(extraction *e, size_t b) {
    if (e->slot[b] == BL_NO_BLOCK) return;
    float value[BL_BLOCK_VALUES];
    bl_block_combined(e->blocks, b, e->phase, value);
    const insides in = find_insides(value);
    uint32_t v = e->first_vertex[b];
    int n[3];
    FOR_CELLS(n) {
        if (!is_cell_crossed(&in, n)) continue;
        for (int axis = 0; axis < 3; axis++) {
            if (!is_crossed(value, n, axis)) continue;
            e->rank[e->slot[b]][own_edge(n, axis)] = (uint16_t)(v - e->first_vertex[b]);
            put_vertex(e->mesh, v++, find_crossing(e, b, value, n, axis));
        }
    }
    FOR_CELLS(n) {
        if (!is_cell_crossed(&in, n)) continue;
        bl_cube_case buffer;
        const bl_cube_case *c = cell_case(&e->cubes, value, n, &buffer);
        if (c->center_size) put_vertex(e->mesh, v++, find_center(e, b, value, n, c));
    }
}

/* The vertex on an edge of a cell, in this block or the next one; `near` are the blocks at the eight corners. */
static uint32_t vertex_on(const extraction *e, const uint32_t near[8], const int n[3], int edge) {
    const int corner = e->cubes.edge_corner[edge];
    int from[3] = {n[0] + (corner & 1), n[1] + (corner >> 1 & 1), n[2] + (corner >> 2)}, owner = 0;
    for (int a = 0; a < 3; a++) {
        if (from[a] < BL_BLOCK) continue;
        from[a] = 0;
        owner |= 1 << a;
    }
    const uint32_t b = near[owner];
    return e->first_vertex[b] + e->rank[e->slot[b]][own_edge(from, edge / 4)];
}

static void connect_block(extraction *e, size_t b) {
    if (e->first_triangle[b] == e->first_triangle[b + 1]) return;
    float value[BL_BLOCK_VALUES];
    bl_block_combined(e->blocks, b, e->phase, value);
    uint32_t near[8];
    for (int c = 0; c < 8; c++) {
        int32_t cell[3];
        bl_cell_of_key(e->blocks->key[b], cell);
        for (int a = 0; a < 3; a++) cell[a] += c >> a & 1;
        near[c] = bl_blocks_find(e->blocks, cell);
    }
    /* Extra vertices are the last of a block. */
    const insides in = find_insides(value);
    uint32_t centers = 0;
    int n[3];
    bl_cube_case buffer;
    FOR_CELLS(n) if (is_cell_crossed(&in, n)) centers += cell_case(&e->cubes, value, n, &buffer)->center_size > 0;
    uint32_t center = e->first_vertex[b + 1] - centers;

    uint32_t *out = e->mesh->triangle + 3 * (size_t)e->first_triangle[b];
    FOR_CELLS(n) {
        if (!is_cell_crossed(&in, n)) continue;
        const bl_cube_case *c = cell_case(&e->cubes, value, n, &buffer);
        for (int k = 0; k < c->count; k++) {
            for (int i = 0; i < 3; i++) {
                const int edge = c->triangle[k][i];
                *out++ = edge == BL_CUBE_CENTER ? center : vertex_on(e, near, n, edge);
            }
        }
        center += c->center_size > 0;
    }
}

static void count_blocks(void *user, size_t begin, size_t end) {
    for (size_t b = begin; b < end; b++) count_block(user, b);
}
static void place_blocks(void *user, size_t begin, size_t end) {
    for (size_t b = begin; b < end; b++) place_block(user, b);
}
static void connect_blocks(void *user, size_t begin, size_t end) {
    for (size_t b = begin; b < end; b++) connect_block(user, b);
}

/* Counts to first numbers; the number of blocks with vertices. */
static bl_status sum_up(bl_context *ctx, extraction *e, size_t *slots) {
    uint64_t vertices = 0, triangles = 0;
    *slots = 0;
    for (size_t b = 0; b <= e->blocks->count; b++) {
        const uint32_t v = e->first_vertex[b], t = e->first_triangle[b];
        e->slot[b] = v > 0 ? (uint32_t)(*slots)++ : BL_NO_BLOCK;
        e->first_vertex[b] = (uint32_t)vertices, e->first_triangle[b] = (uint32_t)triangles;
        vertices += v, triangles += t;
        if (vertices >= UINT32_MAX || triangles >= UINT32_MAX / 3)
            return bl_fail(ctx, BL_ERR_DATA, "the surface has more than %u triangles: use a larger cell",
                           UINT32_MAX / 3);
    }
    e->mesh->vertex_count = vertices, e->mesh->triangle_count = triangles;
    return BL_OK;
}

static bl_status run_extraction(bl_context *ctx, extraction *e) {
    bl_surface_mesh *const mesh = e->mesh;
    size_t slots;
    bl_parallel_for(ctx, e->blocks->count, 4, count_blocks, e);
    const bl_status status = sum_up(ctx, e, &slots);
    if (status) return status;
    mesh->x = bl_alloc(ctx, mesh->vertex_count, sizeof *mesh->x);
    mesh->kind = bl_alloc(ctx, mesh->vertex_count, sizeof *mesh->kind);
    mesh->triangle = bl_alloc(ctx, 3 * mesh->triangle_count, sizeof *mesh->triangle);
    e->rank = bl_alloc(ctx, slots, sizeof *e->rank);
    if (!mesh->x || !mesh->kind || !mesh->triangle || !e->rank) return BL_ERR_MEMORY;
    bl_parallel_for(ctx, e->blocks->count, 4, place_blocks, e);
    bl_parallel_for(ctx, e->blocks->count, 4, connect_blocks, e);
    return BL_OK;
}

bl_status bl_extract(bl_context *ctx, const bl_blocks *blocks, int phase, bl_surface_mesh *out) {
    memset(out, 0, sizeof *out);
    extraction *const e = bl_alloc(ctx, 1, sizeof *e);
    if (!e) return BL_ERR_MEMORY;
    e->blocks = blocks, e->phase = phase, e->mesh = out;
    bl_cubes_init(&e->cubes);
    e->first_vertex = bl_alloc(ctx, blocks->count + 1, sizeof *e->first_vertex);
    e->first_triangle = bl_alloc(ctx, blocks->count + 1, sizeof *e->first_triangle);
    e->slot = bl_alloc(ctx, blocks->count + 1, sizeof *e->slot);
    bl_status status = e->first_vertex && e->first_triangle && e->slot ? BL_OK : BL_ERR_MEMORY;
    if (!status) status = run_extraction(ctx, e);
    bl_release(ctx, e->first_vertex);
    bl_release(ctx, e->first_triangle);
    bl_release(ctx, e->slot);
    bl_release(ctx, e->rank);
    bl_release(ctx, e);
    if (status) bl_surface_mesh_clear(ctx, out);
    return status;
}
