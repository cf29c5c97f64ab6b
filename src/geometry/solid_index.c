#include "geometry/solid_index.h"
#include "geometry/points.h"

#include <math.h>

enum { FEWEST = 8, LEAF_SIZE = 2, MAX_DEPTH = 64 };
static const double ROUNDING = 1e-12; /* of the size of everything */

/* Nodes in depth-first order: the left child follows its parent. */
typedef struct node {
    bl_box box;
    int right;        /* right child; 0: leaf */
    int begin, count; /* solids order[begin ...] */
} node;

struct bl_solid_index {
    const bl_solid *solids;
    int *order; /* first those whose distance may be less than that of their box: all of them are asked */
    int loose;
    node *nodes;
    int node_count;
    double slack;
};

/* Only where distances are exact does a box tell how far a solid is at least. */
static bool is_exact(const bl_solid *s) {
    if (s->kind == BL_SHAPE_MESH) return s->mesh->watertight;
    bool known = s->kind == BL_SHAPE_BOX || s->kind == BL_SHAPE_SPHERE || s->kind == BL_SHAPE_CYLINDER ||
                 s->kind == BL_SHAPE_CAPSULE || s->kind == BL_SHAPE_TORUS;
    return known && s->frame.similar;
}

static bl_box box_of(const bl_solid *s) {
    bl_box box = bl_solid_bounds(s);
    if (s->dimension == 2) box.min.z = -INFINITY, box.max.z = INFINITY;
    return box;
}

static double center_of(const bl_solid *s, int axis) {
    bl_box box = bl_solid_bounds(s);
    bl_vec3d sum = bl_v3d_add(box.min, box.max);
    return 0.5 * (axis == 0 ? sum.x : axis == 1 ? sum.y : sum.z);
}

/* --- building ---------------------------------------------------------------------------------------------------- */

static int widest_axis(const bl_solid_index *index, int begin, int end) {
    int widest = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = begin; k < end; k++) {
            double c = center_of(&index->solids[index->order[k]], axis);
            low = fmin(low, c);
            high = fmax(high, c);
        }
        if (high - low > most) {
            most = high - low;
            widest = axis;
        }
    }
    return widest;
}

/* Insertion sort: there are hundreds, not millions. */
static void sort_along(bl_solid_index *index, int begin, int end, int axis) {
    for (int i = begin + 1; i < end; i++) {
        int solid = index->order[i], k = i;
        double c = center_of(&index->solids[solid], axis);
        for (; k > begin && center_of(&index->solids[index->order[k - 1]], axis) > c; k--)
            index->order[k] = index->order[k - 1];
        index->order[k] = solid;
    }
}

static int build(bl_solid_index *index, int begin, int end) {
    int number = index->node_count++;
    node *n = &index->nodes[number];
    *n = (node){.box = bl_box_empty(), .begin = begin, .count = end - begin};
    for (int k = begin; k < end; k++) {
        bl_box box = box_of(&index->solids[index->order[k]]);
        n->box = bl_box_add(bl_box_add(n->box, box.min), box.max);
    }
    if (n->count <= LEAF_SIZE) return number;
    sort_along(index, begin, end, widest_axis(index, begin, end));
    int middle = begin + (end - begin) / 2;
    build(index, begin, middle);
    n->right = build(index, middle, end);
    return number;
}

static void fill_index(bl_solid_index *index, const bl_solid *solids, int count) {
    int exact = count;
    index->solids = solids;
    for (int i = 0; i < count; i++) index->order[is_exact(&solids[i]) ? --exact : index->loose++] = i;
    if (index->loose == count) return;
    build(index, index->loose, count);
    bl_vec3d size = bl_v3d_sub(index->nodes[0].box.max, index->nodes[0].box.min);
    index->slack = ROUNDING * (fabs(size.x) + fabs(size.y));
}

bl_status bl_solid_index_create(bl_context *ctx, const bl_solid *solids, int count, bl_solid_index **out) {
    *out = NULL;
    if (count < FEWEST) return BL_OK;
    bl_solid_index *index = bl_alloc(ctx, 1, sizeof *index);
    if (!index) return BL_ERR_MEMORY;
    index->order = bl_alloc(ctx, (size_t)count, sizeof *index->order);
    index->nodes = bl_alloc(ctx, 2 * (size_t)count, sizeof *index->nodes);
    if (!index->order || !index->nodes) {
        bl_solid_index_destroy(ctx, index);
        return BL_ERR_MEMORY;
    }
    fill_index(index, solids, count);
    *out = index;
    return BL_OK;
}

void bl_solid_index_destroy(bl_context *ctx, bl_solid_index *index) {
    if (!index) return;
    bl_release(ctx, index->order);
    bl_release(ctx, index->nodes);
    bl_release(ctx, index);
}

/* --- asking ------------------------------------------------------------------------------------------------------ */

static inline double signed_outside(double min, double max, double x) { return x - max > min - x ? x - max : min - x; }

/* No solid inside the box has a smaller distance: outside the box's own, inside as deep as the box goes. */
static inline double least_distance(const bl_box *box, bl_vec3d x) {
    double dx = signed_outside(box->min.x, box->max.x, x.x), dy = signed_outside(box->min.y, box->max.y, x.y);
    double dz = signed_outside(box->min.z, box->max.z, x.z);
    double deepest = dx > dy ? dx : dy;
    if (dz > deepest) deepest = dz;
    if (deepest <= 0) return deepest;
    dx = dx > 0 ? dx : 0, dy = dy > 0 ? dy : 0, dz = dz > 0 ? dz : 0;
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static double nearest_of(const bl_solid_index *index, int begin, int end, bl_vec3d x, double best) {
    for (int k = begin; k < end; k++) best = fmin(best, bl_solid_distance(&index->solids[index->order[k]], x));
    return best;
}

double bl_solid_index_distance(const bl_solid_index *index, bl_vec3d x, double limit) {
    double best = nearest_of(index, 0, index->loose, x, limit), entry[MAX_DEPTH];
    int stack[MAX_DEPTH], top = 0;
    if (index->node_count > 0) {
        entry[top] = least_distance(&index->nodes[0].box, x);
        stack[top++] = 0;
    }
    while (top > 0) {
        int number = stack[--top];
        const node *n = &index->nodes[number];
        if (entry[top] > best + index->slack) continue;
        if (!n->right) {
            best = nearest_of(index, n->begin, n->begin + n->count, x, best);
            continue;
        }
        double left = least_distance(&index->nodes[number + 1].box, x);
        double right = least_distance(&index->nodes[n->right].box, x);
        bool left_first = left <= right;
        stack[top] = left_first ? n->right : number + 1;
        entry[top++] = left_first ? right : left;
        stack[top] = left_first ? number + 1 : n->right;
        entry[top++] = left_first ? left : right;
    }
    return best;
}

static bool one_holds(const bl_solid_index *index, int begin, int end, bl_vec3d x) {
    for (int k = begin; k < end; k++)
        if (bl_solid_inside(&index->solids[index->order[k]], x)) return true;
    return false;
}

bool bl_solid_index_holds(const bl_solid_index *index, bl_vec3d x) {
    if (one_holds(index, 0, index->loose, x)) return true;
    int stack[MAX_DEPTH], top = 0;
    if (index->node_count > 0) stack[top++] = 0;
    while (top > 0) {
        int number = stack[--top];
        const node *n = &index->nodes[number];
        if (least_distance(&n->box, x) > index->slack) continue;
        if (n->right) {
            stack[top++] = n->right;
            stack[top++] = number + 1;
        } else if (one_holds(index, n->begin, n->begin + n->count, x)) {
            return true;
        }
    }
    return false;
}
