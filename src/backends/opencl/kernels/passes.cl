/* Every pass and reduction of physics/passes.h as a kernel. All kernels have the same arguments, so that the host sets
 * them in one loop; what a kernel does not use costs nothing. */
#ifdef BL_NO_FP64
/* Sums then run in single precision: short in every work item, and in a tree above it. */
#define double float
#else
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#include "physics/passes.h"

#define LIST_PARAMS(name)                                                                                              \
    , __global const bl_offset *name##_start, __global const bl_index *name##_near, __global const bl_index *name##_all, \
        __global const bl_index *name##_index
#define FLUID_PARAM(type, name, flags, unit, doc) , __global type *name
#define BOUNDARY_PARAM(type, name, flags, unit, doc) , __global type *b_##name
#define VIEW_PARAMS                                                                                                    \
    __constant bl_params *par, __global const bl_body_params *bodies, bl_index fluid_count, bl_index boundary_count,   \
        bl_index active_count,                                                                                         \
        __global const bl_index *active LIST_PARAMS(ff) LIST_PARAMS(fb) LIST_PARAMS(bf) LIST_PARAMS(bb)                \
            BL_FLUID_FIELDS(FLUID_PARAM) BL_BOUNDARY_FIELDS(BOUNDARY_PARAM)

#define BIND_LIST(name)                                                                                                \
    s.name.start = name##_start, s.name.near = name##_near, s.name.all = name##_all, s.name.index = name##_index;
#define BIND_FLUID(type, name, flags, unit, doc) s.name = name;
#define BIND_BOUNDARY(type, name, flags, unit, doc) s.b_##name = b_##name;
#define BIND_VIEW                                                                                                      \
    bl_view s;                                                                                                         \
    s.par = par, s.bodies = bodies, s.fluid_count = fluid_count, s.boundary_count = boundary_count;                    \
    s.active_count = active_count, s.active = active;                                                                  \
    BIND_LIST(ff) BIND_LIST(fb) BIND_LIST(bf) BIND_LIST(bb)                                                            \
    BL_FLUID_FIELDS(BIND_FLUID) BL_BOUNDARY_FIELDS(BIND_BOUNDARY)

/* Constants of a step, given by value, to where the passes find them. */
__kernel void set_params(__global bl_params *to, const bl_params given) { *to = given; }

#define COUNT_FLUID fluid_count
#define COUNT_BOUNDARY boundary_count
#define COUNT_ACTIVE active_count
#define INDEX_FLUID(k) (k)
#define INDEX_BOUNDARY(k) (k)
#define INDEX_ACTIVE(k) active[k]

#define PASS_KERNEL(name, domain, near_fluid, near_boundary, writes_fluid, writes_boundary)                            \
    __kernel void pass_##name(VIEW_PARAMS) {                                                                           \
        bl_index k = (bl_index)get_global_id(0);                                                                       \
        BIND_VIEW                                                                                                      \
        if (k < COUNT_##domain) bl_pass_##name(&s, INDEX_##domain(k));                                                 \
    }
BL_PASSES(PASS_KERNEL)

/* Each work item folds the particles k, k + items, k + 2 items, ...; a group adds its items in a fixed tree, and
 * reduce_groups the groups in another: the result depends on the count alone. */
#define NEUTRAL_SUM 0
#define NEUTRAL_MIN INFINITY
#define NEUTRAL_MAX -INFINITY
#define COMBINE_SUM(a, b) ((a) + (b))
#define COMBINE_MIN(a, b) ((b) < (a) ? (b) : (a))
#define COMBINE_MAX(a, b) ((b) > (a) ? (b) : (a))

#define REDUCE_TREE(op, width)                                                                                         \
    for (int half_size = REDUCE_GROUP / 2; half_size > 0; half_size /= 2) {                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (item < half_size)                                                                                          \
            for (int c = 0; c < (width); ++c)                                                                          \
                tree[c * REDUCE_GROUP + item] =                                                                        \
                    COMBINE_##op(tree[c * REDUCE_GROUP + item], tree[c * REDUCE_GROUP + item + half_size]);            \
    }

#define REDUCE_KERNEL(name, domain, op, width)                                                                         \
    __kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void reduce_##name(                             \
        VIEW_PARAMS, __global double *partial, __local double *tree) {                                                 \
        const int item = (int)get_local_id(0);                                                                         \
        double acc[width];                                                                                             \
        BIND_VIEW                                                                                                      \
        for (int c = 0; c < (width); ++c) acc[c] = NEUTRAL_##op;                                                       \
        for (bl_index k = (bl_index)get_global_id(0); k < COUNT_##domain; k += (bl_index)get_global_size(0))           \
            bl_reduce_##name(&s, INDEX_##domain(k), acc);                                                              \
        for (int c = 0; c < (width); ++c) tree[c * REDUCE_GROUP + item] = acc[c];                                      \
        REDUCE_TREE(op, width)                                                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (item < (width)) partial[get_group_id(0) * (width) + item] = tree[item * REDUCE_GROUP];                     \
    }
BL_REDUCTIONS(REDUCE_KERNEL)

/* One group: the partial results of all groups into the first one's place. */
#define GROUPS_KERNEL(op)                                                                                              \
    __kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void groups_##op(                               \
        __global double *partial, uint groups, uint width, __local double *tree) {                                     \
        const int item = (int)get_local_id(0);                                                                         \
        for (uint c = 0; c < width; ++c) {                                                                             \
            double acc = NEUTRAL_##op;                                                                                 \
            for (uint g = (uint)item; g < groups; g += REDUCE_GROUP) acc = COMBINE_##op(acc, partial[g * width + c]);  \
            tree[c * REDUCE_GROUP + item] = acc;                                                                       \
        }                                                                                                              \
        REDUCE_TREE(op, (int)width)                                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (item < (int)width) partial[item] = tree[item * REDUCE_GROUP];                                              \
    }
GROUPS_KERNEL(SUM)
GROUPS_KERNEL(MIN)
GROUPS_KERNEL(MAX)
