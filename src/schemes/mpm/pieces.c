/* The surface as pieces: points on the zero set of the level set with an area each (section 5.1 of Hyde et al. 2020).
 *
 * Lines and triangles of the marching squares and cubes are cut into equal parts, a quarter of a cell wide or less, and
 * each part is a piece at its middle: linear fields are integrated exactly, and no random numbers are needed.
 *
 * A piece may lie in a cell without particles, where some nodes have no mass. It feels the flow of the cell below it
 * then, or of that of the nearest particle, whose splines are continued beyond the cell: their sums still are one and
 * linear, so that forces have no sum and no torque. Feeling the flow where those cells are instead would change the
 * tension by the ratio of both radii, cubed. */
/* *
 * Walls: the free surface ends where it enters a wall, and the wetted part of a wall is made of pieces of its own, one
 * at each surface point that lies inside the liquid, with k = gamma_BF - gamma_BV = -k cos(theta). */
#include "base/parallel.h"
#include "physics/spline.h"
#include "schemes/mpm/mpm.h"

#include <string.h>

/* Edge of a piece in cells, and the width over which pieces fade out at a wall. */
static const double PART = 0.25;
/* Liquid lies on a wall if there is no more than this between them, in cells, and its surface faces the wall like that.
 */
static const double GAP = 0.6, FACING = -0.7;
/* A node of this grad N over mass moves by a fifth of its distance to the next one in a capillary step, if nothing but
 * one piece pulls at it. */
static const double LOOSEST = 20;
/* It would even carry the node beyond the next one: spray, whose surface is left alone. */
static const double TOO_LOOSE = 100;
/* What is further from all particles, in cells, is no surface of liquid but of what goes on behind walls. */
static const double FARTHEST = 1.25;

typedef struct piece_job {
    const bl_world *world;
    bl_mpm *m;
} piece_job;

/* Where pieces go. `out` NULL: they are only counted. */
typedef struct sink {
    bl_mpm_piece *out;
    size_t count;
} sink;

/* A cell of the level set: a node and those above it. Places are seen from the node, m. */
typedef struct box {
    const piece_job *job;
    uint32_t node, corner[8];
    float inside[8]; /* minus the level, m */
    int corners;
} box;

static bl_vec3 corner_place(const bl_mpm *m, int c) {
    return bl_v3_make((real)(c & 1) * (real)m->cell[0], (real)(c >> 1 & 1) * (real)m->cell[1],
                      (real)(c >> 2 & 1) * (real)m->cell[2]);
}

/* False: there is no surface in it. */
static bool open_box(const piece_job *job, size_t i, box *b) {
    const bl_mpm *m = job->m;
    int in = 0;
    b->job = job;
    b->node = (uint32_t)i;
    b->corners = m->flat ? 4 : 8;
    for (int c = 0; c < b->corners; c++) {
        const int k = m->middle + (c & 1) + 3 * (c >> 1 & 1) + 9 * (c >> 2 & 1);
        b->corner[c] = m->near[i * (size_t)m->stencil + (size_t)k];
        if (b->corner[c] == BL_MPM_NONE) return false;
        b->inside[c] = (float)-m->level[b->corner[c]];
        in += b->inside[c] > 0;
    }
    return in > 0 && in < b->corners;
}

/* What is left of a piece next to walls: 1 in the open, 0 inside one, and between one and liquid that lies on it. */
static real share_outside(const box *b, bl_vec3 x, bl_vec3 normal) {
    const bl_mpm *m = b->job->m;
    const real wide = (real)bl_mpm_beside(b->job->world, m, false);
    real least = (real)m->cell[0];
    for (int c = 0; c < b->corners && m->any_wall; c++) {
        const uint32_t node = b->corner[c];
        if (m->wall_near[node] == BL_MPM_NONE) continue;
        const bl_vec3 from = bl_v3_sub(x, bl_v3_add(corner_place(m, c), m->wall_toward[node]));
        const bl_vec3 out = b->job->world->boundary.normal[m->wall_near[node]];
        const real d = bl_v3_dot(from, out);
        if (!(bl_v3_norm2(from) - d * d < wide)) continue;
        if (d < least) least = d;
        if (bl_v3_dot(normal, out) < (real)FACING && d < (real)(GAP * m->cell[0])) return 0;
    }
    return (real)fmin(fmax(0.5 + (double)least / (PART * m->cell[0]), 0), 1);
}

/* And the way from it to x. */
static uint32_t nearest_particle(const box *b, bl_vec3 x, bl_vec3 *away) {
    const bl_mpm *m = b->job->m;
    uint32_t nearest = BL_MPM_NONE;
    real best = (real)INFINITY;
    for (int c = 0; c < b->corners; c++) {
        const uint32_t node = b->corner[c];
        if (m->nearest[node] == BL_MPM_NONE) continue;
        const bl_vec3 way = bl_v3_sub(x, bl_v3_add(corner_place(m, c), m->toward[node]));
        if (!(bl_v3_norm2(way) < best)) continue;
        best = bl_v3_norm2(way);
        *away = way;
        nearest = m->nearest[node];
    }
    return nearest;
}

/* The cell that a point `x` from a node lies in, BL_MPM_NONE if that has no particles, and where it lies as seen from
 * there, in steps of the grid. */
static uint32_t cell_at(const bl_mpm *m, uint32_t node, bl_vec3 x, real f[3]) {
    const real q[3] = {x.x * m->inv_step[0], x.y * m->inv_step[1], m->flat ? 0 : x.z * m->inv_step[2]};
    int32_t spot[3];
    for (int a = 0; a < 3; a++) {
        const real nearest = (real)floor((double)q[a] + 0.5);
        f[a] = q[a] - nearest;
        int64_t at = (int64_t)m->place[node][a] + (int64_t)nearest;
        if (m->period[a] > 0) at = (at + m->period[a]) % m->period[a];
        spot[a] = (int32_t)at;
    }
    const uint32_t cell = bl_mpm_find_node(m, spot);
    return cell < m->cells ? cell : BL_MPM_NONE;
}

/* The largest grad N over the mass of a node, for a piece at f of a cell; in steps of the grid and particles. */
static real looseness(const bl_mpm *m, uint32_t cell, const real f[3]) {
    real w[3][3], d[3][3], worst = 0;
    for (int a = 0; a < 3; a++) {
        bl_spline_weights(f[a], w[a]);
        bl_spline_slopes(f[a], d[a]);
    }
    if (m->flat) w[2][1] = 1, d[2][1] = 0;
    for (int s = 0; s < m->stencil; s++) {
        const int x = s % 3, y = s / 3 % 3, z = m->flat ? 1 : s / 9;
        const real g = BL_FABS(d[0][x] * w[1][y] * w[2][z]) + BL_FABS(w[0][x] * d[1][y] * w[2][z]) +
                       BL_FABS(w[0][x] * w[1][y] * d[2][z]);
        const real ratio = g / m->inertia[m->near[cell * (size_t)m->stencil + (size_t)s]];
        if (ratio > worst) worst = ratio;
    }
    return worst * (real)m->mass;
}

/* Where a piece is evaluated: its own cell, one below it, or that of its particle, which `away` leads from; the first
 * that has no node so light that the piece would tear it off, else the best of them, if that is good enough. */
static void place_piece(const bl_mpm *m, uint32_t node, bl_vec3 x, bl_vec3 below, bl_vec3 away, bl_mpm_piece *piece) {
    real least = (real)INFINITY;
    for (int choice = 0; choice < 4 && least > (real)LOOSEST; choice++) {
        const bl_vec3 beyond = choice == 3 ? away : bl_v3_scale((real)-choice, below);
        const bl_vec3 at = m->f[piece->owner];
        real f[3] = {at.x, at.y, at.z};
        const uint32_t cell = choice == 3 ? m->base[piece->owner] : cell_at(m, node, bl_v3_sub(x, beyond), f);
        if (cell == BL_MPM_NONE) continue;
        f[0] += beyond.x * m->inv_step[0];
        f[1] += beyond.y * m->inv_step[1];
        f[2] += m->flat ? 0 : beyond.z * m->inv_step[2];
        const real loose = looseness(m, cell, f);
        if (!(loose < least)) continue;
        least = loose;
        piece->cell = cell;
        piece->f = bl_v3_make(f[0], f[1], f[2]);
    }
    if (least > (real)(TOO_LOOSE)) piece->tension = 0;
}

static void put_piece(const box *b, sink *s, bl_vec3 x, bl_vec3 normal, real area) {
    const bl_mpm *m = b->job->m;
    bl_vec3 away;
    const real left = share_outside(b, x, normal);
    const uint32_t owner = nearest_particle(b, x, &away);
    if (!(left > 0) || owner == BL_MPM_NONE || bl_v3_norm(away) > (real)(FARTHEST * m->cell[0])) return;
    if (s->out) {
        const bl_vec3 below = bl_v3_scale((real)(-0.5 * b->job->world->scene->spacing), normal);
        bl_mpm_piece piece = {
            .owner = owner, .normal = normal, .area = area * left, .tension = (real)m->tension, .wet = 0};
        place_piece(m, b->node, x, below, away, &piece);
        s->out[s->count] = piece;
    }
    s->count++;
}

static bl_vec3 crossing(const box *b, int c, int d) {
    const bl_mpm *m = b->job->m;
    const real t = (real)(b->inside[c] / (b->inside[c] - b->inside[d]));
    const bl_vec3 from = corner_place(m, c);
    return bl_v3_mad(from, t, bl_v3_sub(corner_place(m, d), from));
}

/* --- two dimensions --- */

/* From where the inside ends to where it begins, going round the cell counter-clockwise: outside is on the right. */
static void put_line(const box *b, sink *s, bl_vec3 from, bl_vec3 to) {
    const bl_vec3 d = bl_v3_sub(to, from);
    const real length = bl_v3_norm(d);
    if (!(length > BL_R(1e-6) * (real)b->job->m->cell[0])) return;
    const int parts = (int)ceil((double)length / (PART * b->job->m->cell[0]));
    const bl_vec3 normal = bl_v3_make(d.y / length, -d.x / length, 0);
    for (int k = 0; k < parts; k++)
        put_piece(b, s, bl_v3_mad(from, ((real)k + BL_R(0.5)) / (real)parts, d), normal, length / (real)parts);
}

static void cut_square(const box *b, sink *s) {
    static const int round[5] = {0, 1, 3, 2, 0};
    const bool joined = b->inside[0] + b->inside[1] + b->inside[2] + b->inside[3] > 0;
    int ends[2], begins[2], n_ends = 0, n_begins = 0;
    for (int e = 0; e < 4; e++) {
        const bool in = b->inside[round[e]] > 0, next = b->inside[round[e + 1]] > 0;
        if (in && !next) ends[n_ends++] = e;
        if (!in && next) begins[n_begins++] = e;
    }
    for (int k = 0; k < n_ends; k++) {
        /* with two pairs: around the outside corner ahead, or around the inside corner just left */
        int other = 0;
        if (n_ends == 2) other = joined == (begins[0] == (ends[k] + 1) % 4) ? 0 : 1;
        const int e = ends[k], f = begins[other];
        put_line(b, s, crossing(b, round[e], round[e + 1]), crossing(b, round[f], round[f + 1]));
    }
}

/* --- three dimensions --- */

static void put_triangle(const box *b, sink *s, bl_vec3 p, bl_vec3 q, bl_vec3 r) {
    const bl_vec3 u = bl_v3_sub(q, p), v = bl_v3_sub(r, p), twice = bl_v3_cross(u, v);
    const real size = bl_v3_norm(twice), cell = (real)b->job->m->cell[0];
    if (!(size > BL_R(1e-8) * cell * cell)) return;
    const int rows = (int)ceil(sqrt((double)size / 2) / (PART * (double)cell));
    const real area = size / 2 / (real)(rows * rows), step = 1 / (real)rows;
    const bl_vec3 normal = bl_v3_scale(1 / size, twice);
    for (int i = 0; i < rows; i++)
        for (int j = 0; i + j < rows; j++)
            for (int down = 0; down < (i + j + 1 < rows ? 2 : 1); down++) {
                const real third = (real)(1 + down) / 3;
                const bl_vec3 x = bl_v3_mad(bl_v3_mad(p, ((real)i + third) * step, u), ((real)j + third) * step, v);
                put_piece(b, s, x, normal, area);
            }
}

static void cut_cube(const box *b, sink *s) {
    const bl_cubes *cubes = &b->job->m->cubes;
    bl_cube_case buffer;
    const bl_cube_case *found = bl_cubes_find(cubes, b->inside, &buffer);
    bl_vec3 vertex[BL_CUBE_EDGES + 1];
    for (int t = 0; t < found->count; t++)
        for (int k = 0; k < 3; k++) {
            const int e = found->triangle[t][k];
            if (e == BL_CUBE_CENTER) continue;
            const int low = cubes->edge_corner[e];
            vertex[e] = crossing(b, low, low | 1 << e / 4);
        }
    vertex[BL_CUBE_CENTER] = bl_v3_zero();
    for (int k = 0; k < found->center_size; k++)
        vertex[BL_CUBE_CENTER] =
            bl_v3_mad(vertex[BL_CUBE_CENTER], 1 / (real)found->center_size, vertex[found->center_loop[k]]);
    for (int t = 0; t < found->count; t++) {
        const uint8_t *c = found->triangle[t];
        put_triangle(b, s, vertex[c[0]], vertex[c[1]], vertex[c[2]]);
    }
}

static void cut_box(const piece_job *job, size_t i, sink *s) {
    box b;
    if (!open_box(job, i, &b)) return;
    if (job->m->flat)
        cut_square(&b, s);
    else
        cut_cube(&b, s);
}

static void count_free(void *user, size_t begin, size_t end, size_t *n) {
    sink s = {NULL, 0};
    for (size_t i = begin; i < end; i++) cut_box(user, i, &s);
    n[0] += s.count;
}

static void fill_free(void *user, size_t begin, size_t end, const size_t *at) {
    const piece_job *job = user;
    sink s = {job->m->piece + at[0], 0};
    for (size_t i = begin; i < end; i++) cut_box(job, i, &s);
}

/* --- wet walls --- */

/* The level `up` cells above surface point k. */
static real level_above(const piece_job *job, size_t k, real up) {
    const bl_mpm *m = job->m;
    const bl_vec3 at = bl_v3_mad(m->surface_f[k], up, job->world->boundary.normal[m->surface[k]]);
    const real f[3] = {at.x, at.y, at.z};
    real w[3][3], level = 0;
    for (int a = 0; a < 3; a++) bl_spline_weights(f[a], w[a]);
    if (m->flat) w[2][1] = 1;
    for (int s = 0; s < m->stencil; s++)
        level += w[0][s % 3] * w[1][s / 3 % 3] * w[2][m->flat ? 1 : s / 9] *
                 m->level[m->near[m->surface_cell[k] * (size_t)m->stencil + (size_t)s]];
    return level;
}

/* How much of the wall around surface point k is wet, by the level there (a film) or half a cell above it (liquid that
 * is not quite down); 0 where no node knows. */
static real wet_share(const piece_job *job, size_t k) {
    const bl_mpm *m = job->m;
    const uint32_t c = m->surface_cell[k];
    if (c == BL_MPM_NONE || c >= m->masses) return 0;
    const real at = level_above(job, k, 0), above = level_above(job, k, BL_R(0.5)), level = at < above ? at : above;
    return (real)fmin(fmax(0.5 - (double)level / (2 * PART * m->cell[0]), 0), 1);
}

static bool put_wet(const piece_job *job, size_t k, bl_mpm_piece *out) {
    const bl_mpm *m = job->m;
    const bl_boundary_store *boundary = &job->world->boundary;
    const uint32_t b = m->surface[k], c = m->surface_cell[k];
    const double tension = m->bodies[boundary->body[b]].tension, h = job->world->scene->spacing;
    const real share = tension != 0 ? wet_share(job, k) : 0;
    if (!(share > 0) || m->nearest[c] == BL_MPM_NONE) return false;
    const bl_vec3 n = boundary->normal[b], f = m->surface_f[k];
    const bl_vec3 here = bl_v3_make(f.x * (real)m->cell[0], f.y * (real)m->cell[1], f.z * (real)m->cell[2]);
    *out = (bl_mpm_piece){.owner = m->nearest[c],
                          .normal = bl_v3_scale(-1, n),
                          .area = share * boundary->volume[b] / (real)h,
                          .tension = (real)tension,
                          .wet = boundary->body[b] + 1};
    place_piece(m, c, here, bl_v3_scale((real)(0.5 * h), n), bl_v3_sub(here, m->toward[c]), out);
    return true;
}

static void count_wet(void *user, size_t begin, size_t end, size_t *n) {
    bl_mpm_piece piece;
    for (size_t k = begin; k < end; k++) n[0] += put_wet(user, k, &piece);
}

static void fill_wet(void *user, size_t begin, size_t end, const size_t *at) {
    const piece_job *job = user;
    bl_mpm_piece *out = job->m->piece + at[0];
    for (size_t k = begin; k < end; k++) out += put_wet(job, k, out);
}

/* --- all --- */

static bl_status reserve_pieces(bl_world *world, bl_mpm *m, size_t count) {
    m->pieces = count;
    if (count <= m->room.pieces) return BL_OK;
    size_t n = count + count / 4;
    m->room.pieces = 0;
    bl_status status = bl_mpm_renew(world->ctx, &m->piece, n, sizeof *m->piece);
    if (status == BL_OK) status = bl_mpm_renew(world->ctx, &m->piece_sorted, n, sizeof *m->piece);
    if (status == BL_OK) status = bl_mpm_renew(world->ctx, &m->sheet, n, sizeof *m->sheet);
    if (status == BL_OK) m->room.pieces = n;
    return status;
}

/* By the cell they are evaluated in. */
static void sort_pieces(bl_mpm *m) {
    uint32_t *first = m->piece_first;
    memset(first, 0, (m->cells + 1) * sizeof *first);
    for (size_t q = 0; q < m->pieces; q++) first[m->piece[q].cell + 1]++;
    for (size_t c = 0; c < m->cells; c++) first[c + 1] += first[c];
    for (size_t q = 0; q < m->pieces; q++) m->piece_sorted[first[m->piece[q].cell]++] = m->piece[q];
    for (size_t c = m->cells; c > 0; c--) first[c] = first[c - 1];
    first[0] = 0;
    bl_mpm_piece *const unsorted = m->piece;
    m->piece = m->piece_sorted, m->piece_sorted = unsorted;
    for (size_t q = 0; q < m->pieces; q++) {
        m->sheet[q].w = bl_surface_plane(m->piece[q].normal, m->flat);
        m->sheet[q].energy = m->piece[q].tension * m->piece[q].area;
    }
}

bl_status bl_mpm_find_pieces(bl_world *world, bl_mpm *m) {
    piece_job job = {world, m};
    bl_listing open = {0}, wet = {0};
    const size_t surface = m->any_wall ? m->surface_points : 0;
    if (m->tension > 0) bl_parallel_count(world->ctx, m->nodes, count_free, &job, &open);
    bl_parallel_count(world->ctx, surface, count_wet, &job, &wet);
    bl_status status = reserve_pieces(world, m, open.total[0] + wet.total[0]);
    if (status != BL_OK) return status;
    if (m->tension > 0) bl_parallel_fill(world->ctx, &open, fill_free, &job);
    bl_mpm_piece *const all = m->piece;
    m->piece = all + open.total[0];
    bl_parallel_fill(world->ctx, &wet, fill_wet, &job);
    m->piece = all;
    sort_pieces(m);
    return BL_OK;
}
