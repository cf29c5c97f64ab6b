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
    __constant bl_params *par, __global const bl_steer *steer, __global const bl_body_params *bodies,                  \
        bl_index fluid_count, bl_index boundary_count, bl_index active_count,                                          \
        __global const bl_index *active LIST_PARAMS(ff) LIST_PARAMS(fb) LIST_PARAMS(bf) LIST_PARAMS(bb)                \
            BL_FLUID_FIELDS(FLUID_PARAM) BL_BOUNDARY_FIELDS(BOUNDARY_PARAM)

#define BIND_LIST(name)                                                                                                \
    s.name.start = name##_start, s.name.near = name##_near, s.name.all = name##_all, s.name.index = name##_index;
#define BIND_FLUID(type, name, flags, unit, doc) s.name = name;
#define BIND_BOUNDARY(type, name, flags, unit, doc) s.b_##name = b_##name;
#define BIND_VIEW                                                                                                      \
    bl_view s;                                                                                                         \
    s.par = par, s.steer = steer, s.bodies = bodies, s.fluid_count = fluid_count, s.boundary_count = boundary_count;                    \
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
        if (k < COUNT_##domain && !steer->done) bl_pass_##name(&s, INDEX_##domain(k));                                 \
    }
BL_PASSES(PASS_KERNEL)

/* Two passes at once: the groups of the second come behind those of the first. */
#define PAIR_KERNEL(name, pass_a, domain_a, pass_b, domain_b)                                                          \
    __kernel void pair_##name(VIEW_PARAMS) {                                                                           \
        bl_index k = (bl_index)get_global_id(0), group = (bl_index)get_local_size(0);                                  \
        bl_index first = (COUNT_##domain_a + group - 1) / group * group;                                               \
        BIND_VIEW                                                                                                      \
        if (steer->done) return;                                                                                       \
        if (k < COUNT_##domain_a) bl_pass_##pass_a(&s, INDEX_##domain_a(k));                                           \
        if (k >= first && k - first < COUNT_##domain_b) bl_pass_##pass_b(&s, INDEX_##domain_b(k - first));             \
    }
BL_PASS_PAIRS(PAIR_KERNEL)
