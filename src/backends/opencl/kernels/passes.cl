/* Every pass and reduction of physics/passes.h as a kernel. All kernels have the same arguments, so that the host sets
 * them in one loop; what a kernel does not use costs nothing. */
#ifdef BL_NO_FP64
/* Sums then run in single precision: short in every work item, and in a tree above it. */
#define double float
#else
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if BL_ROW_ITEMS > 1
/* The number of the work item `distance` away, of those that share a row; the host asks for this on NVIDIA devices
 * alone. Only the items of a row have to be here at the same time: other rows may have gone another way. */
uint exchange_word(uint word, uint distance) {
    uint other, first = (uint)get_local_id(0) % 32 / BL_ROW_ITEMS * BL_ROW_ITEMS;
    uint together = ((1u << BL_ROW_ITEMS) - 1) << first;
    __asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, %3;"
                 : "=r"(other)
                 : "r"(word), "r"(distance), "r"(together));
    return other;
}
/* What one of the items that share a row wrote is seen by the others from here on. */
void row_fence(void) {
    uint first = (uint)get_local_id(0) % 32 / BL_ROW_ITEMS * BL_ROW_ITEMS;
    __asm__ volatile("bar.warp.sync %0;" ::"r"(((1u << BL_ROW_ITEMS) - 1) << first) : "memory");
}
#ifdef BL_DOUBLE
double bl_row_exchange(double a, uint distance) {
    uint2 words = as_uint2(a);
    return as_double((uint2)(exchange_word(words.x, distance), exchange_word(words.y, distance)));
}
#else
float bl_row_exchange(float a, uint distance) { return as_float(exchange_word(as_uint(a), distance)); }
#endif
#else
void row_fence(void) {}
#endif

#include "physics/passes.h"
#include "physics/bare.h"

/* Filled in by the host: struct bl_cl_constants. */
typedef struct bl_cl_constants {
    bl_params par;
    bl_phase_params fluids[BL_MAX_PHASES];
    bl_step_params step;
    uint fluid_count, boundary_count, active_count, fluid_capacity, boundary_capacity;
    uint bare_apart; /* energies of walls are those beyond what they have without liquid */
    uint all_walls;  /* of the store, of which boundary_count are here */
} bl_cl_constants;

/* What the host knew when it had this compiled (known.c) is here, and what is read from here is folded away. With
 * BL_NUMBERS_IN_MEMORY numbers are read from memory all the same, to see what that costs. */
#if defined(BL_KNOWN) && !defined(BL_NUMBERS_IN_MEMORY)
__constant bl_params known_params = {KNOWN_PARAMS};
#define PARAMS &known_params
#else
#define PARAMS &con->par
#endif
#if defined(KNOWN_FLUIDS) && !defined(BL_NUMBERS_IN_MEMORY)
__constant bl_phase_params known_fluids[BL_FACT_n_phases] = {KNOWN_FLUIDS};
#define FLUIDS known_fluids
#else
#define FLUIDS con->fluids
#endif

#define NOWHERE 0xffffffffu /* in place of an index: none */

/* Constants of a step, given by value, to where the passes find them. */
__kernel void set_params(__global bl_cl_constants *to, const bl_cl_constants given) { *to = given; }

/* Where the fields of a particle are in the buffer they share, for one particle. */
enum {
#define X(type, name, flags, unit, doc) AT_##name, LAST_##name = AT_##name + (int)sizeof(type) - 1,
    BL_FLUID_FIELDS(X)
#undef X
        AT_END
};
enum {
#define X(type, name, flags, unit, doc) B_AT_##name, B_LAST_##name = B_AT_##name + (int)sizeof(type) - 1,
    BL_BOUNDARY_FIELDS(X)
#undef X
        B_AT_END
};

#define LIST_PARAMS(name) , __global const bl_index *name##_rows, __global const bl_entry *name##_index
#define VIEW_PARAMS                                                                                                    \
    __constant bl_cl_constants *con, __global const bl_steer *steer, __global const bl_body_params *bodies,            \
        __global const bl_index *active LIST_PARAMS(ff) LIST_PARAMS(fb) LIST_PARAMS(bf),                               \
        __global uchar *fluid, __global uchar *fluid_extra, __global uchar *boundary

/* Rows: lengths of the near part, lengths, starts of slabs; columns are padded to multiples of PART. */
bl_list list_of(__global const bl_index *rows, __global const bl_entry *index, uint count) {
    bl_list list;
    uint column = (count + PART - 1) / PART * PART;
    list.near = rows, list.all = rows + column, list.index = index;
    list.start = (__global const bl_offset *)(rows + 2 * (ulong)column);
    return list;
}

#define BIND_FLUID(type, name, flags, unit, doc)                                                                       \
    s.name = (__global type *)(AT_##name < AT_vis_k ? fluid + (ulong)AT_##name * con->fluid_capacity                   \
                                                    : fluid_extra + (ulong)(AT_##name - AT_vis_k) * con->fluid_capacity);
#define BIND_BOUNDARY(type, name, flags, unit, doc)                                                                    \
    s.b_##name = (__global type *)(boundary + (ulong)B_AT_##name * con->boundary_capacity);
#define BIND_SHARED(type, name, of, unit, doc) s.name = s.of;
#ifdef BL_WALLS_STAND
#define BIND_STANDING s.b_x_next = s.b_x;
#else
#define BIND_STANDING
#endif
/* `plain`: with numbers from memory. */
#define BIND_VIEW(plain)                                                                                               \
    bl_view s;                                                                                                         \
    s.par = (plain) ? &con->par : PARAMS, s.fluids = FLUIDS, s.step = &con->step;                                      \
    s.steer = steer, s.bodies = bodies, s.active = active;                                                             \
    s.fluid_count = con->fluid_count, s.boundary_count = con->boundary_count, s.active_count = con->active_count;      \
    s.ff = list_of(ff_rows, ff_index, con->fluid_count);                                                               \
    s.fb = list_of(fb_rows, fb_index, con->fluid_count);                                                               \
    s.bf = list_of(bf_rows, bf_index, con->boundary_count);                                                            \
    s.bb = list_of(ff_rows, ff_index, con->boundary_count); /* while it is there */                                    \
    BL_FLUID_FIELDS(BIND_FLUID) BL_BOUNDARY_FIELDS(BIND_BOUNDARY)                                                      \
    BL_FLUID_SHARED(BIND_SHARED) BIND_STANDING

#define COUNT_FLUID con->fluid_count
#define COUNT_BOUNDARY con->boundary_count
#define COUNT_ACTIVE con->active_count
#define INDEX_FLUID(k) (k)
#define INDEX_BOUNDARY(k) (k)
#define INDEX_ACTIVE(k) active[k]

/* Work items a particle: those that share a row, in passes that have one. */
enum {
#define X(name, domain, near_fluid, near_boundary, writes_fluid, writes_boundary)                                      \
    ITEMS_##name = ((near_fluid) | (near_boundary)) != 0 ? BL_ROW_ITEMS : 1,
    BL_PASSES(X)
#undef X
        ITEMS_END
};

/* Passes with a loop over near and another over far neighbours are slower with numbers compiled in, all others faster
 * (docs/gpu.md). */
enum {
#define X(name, domain, near_fluid, near_boundary, writes_fluid, writes_boundary)                                      \
    PLAIN_##name = ((near_fluid)&BL_FL(x)) != 0 && ((near_fluid)&BL_FL(xt)) != 0,
    BL_PASSES(X)
#undef X
        PLAIN_END
};

#define PASS_KERNEL(name, domain, near_fluid, near_boundary, writes_fluid, writes_boundary)                            \
    __kernel void pass_##name(VIEW_PARAMS) {                                                                           \
        bl_index k = (bl_index)get_global_id(0) / ITEMS_##name;                                                        \
        BIND_VIEW(PLAIN_##name)                                                                                        \
        if (k < COUNT_##domain && !steer->done) bl_pass_##name(&s, INDEX_##domain(k));                                 \
    }
BL_PASSES(PASS_KERNEL)

/* Several passes at once: over fluid, one after the other, and over walls in groups behind those of the fluid. Where
 * `items` share a row the first one does what has no neighbours. */
#define RUN_PASS(name)                                                                                                 \
    if (ITEMS_##name == items) {                                                                                       \
        bl_pass_##name(&s, i);                                                                                         \
    } else {                                                                                                           \
        if (BL_ROW_PART == 0) bl_pass_##name(&s, i);                                                                   \
        row_fence();                                                                                                   \
    }
#define SHARES_ROW(name) || ITEMS_##name > 1
#define PLAIN_OF(name) | PLAIN_##name
#define RUN_WALLS(passes, domain, item)                                                                                \
    {                                                                                                                  \
        const uint items = 0 passes(SHARES_ROW) ? BL_ROW_ITEMS : 1;                                                    \
        const bl_index k = (item) / items;                                                                             \
        if (k >= COUNT_##domain) return;                                                                               \
        const bl_index i = INDEX_##domain(k);                                                                          \
        (void)i;                                                                                                       \
        passes(RUN_PASS)                                                                                               \
    }
#define BUNDLE_KERNEL(name, walls)                                                                                     \
    __kernel void bundle_##name(VIEW_PARAMS) {                                                                         \
        const uint items = 0 BL_BUNDLE_FLUID_##name(SHARES_ROW) ? BL_ROW_ITEMS : 1;                                    \
        const uint group = (uint)get_local_size(0), item = (uint)get_global_id(0);                                     \
        const uint behind = (COUNT_FLUID * items + group - 1) / group * group;                                         \
        BIND_VIEW(0 BL_BUNDLE_FLUID_##name(PLAIN_OF))                                                                  \
        if (steer->done) return;                                                                                       \
        if (item < behind) {                                                                                           \
            const bl_index i = item / items;                                                                           \
            if (i >= COUNT_FLUID) return;                                                                              \
            BL_BUNDLE_FLUID_##name(RUN_PASS)                                                                           \
        } else {                                                                                                       \
            RUN_WALLS(BL_BUNDLE_WALLS_##name, walls, item - behind)                                                    \
        }                                                                                                              \
    }
BL_BUNDLES(BUNDLE_KERNEL)
