/* Passes and reductions as parallel loops over chunks of their domain. */
#include "backends/cpu/ranges.h"
#include "base/clones.h"
#include "neighbours/groups.h"

#define X(name, domain, op, width, settle)                                                                             \
    static void fold_##name(const bl_view *s, bl_index begin, bl_index end, double *acc) {                             \
        for (bl_index k = begin; k < end; ++k) bl_reduce_##name(s, BL_INDEX_##domain(s, k), acc);                      \
    }
BL_REDUCTIONS(X)
#undef X

/* The loops over a range of each pass, with cubic and with smooth kernels. */
static const bl_pass_range by_rows[BL_PASS_COUNT][2] = {
#define X(name, ...) [BL_PASS_##name] = {bl_rows_##name, bl_rows_##name},
    BL_PASSES_LOCAL(X)
#undef X
#define X(name, ...) [BL_PASS_##name] = {bl_rows_##name, bl_smooth_rows_##name},
        BL_KERNEL_PASSES(X)
#undef X
};

static const bl_pass_range by_groups[BL_PASS_COUNT][2] = {
#define X(name) [BL_PASS_##name] = {bl_groups_##name, bl_smooth_groups_##name},
    BL_GROUP_PASSES(X)
#undef X
};
#ifdef BL_NARROW_CLONES
static const bl_pass_range by_wide_groups[BL_PASS_COUNT][2] = {
#define X(name) [BL_PASS_##name] = {bl_wide_groups_##name, bl_wide_smooth_groups_##name},
    BL_GROUP_PASSES(X)
#undef X
};
#endif

/* The loop over a range of groups that suits this processor; NULL if a pass has none. */
static bl_pass_range range_by_groups(bl_pass_id pass, int smooth) {
#ifdef BL_NARROW_CLONES
    if (__builtin_cpu_supports("x86-64-v4")) return by_wide_groups[pass][smooth];
#endif
    return by_groups[pass][smooth];
}

typedef struct reduction {
    const char *name;
    void (*fold)(const bl_view *, bl_index, bl_index, double *);
    bl_domain domain;
    bl_reduce_op op;
    int width;
} reduction;
static const reduction reductions[BL_RED_COUNT] = {
#define X(name, domain, op, width, settle) {"reduce " #name, fold_##name, BL_OVER_##domain, BL_REDUCE_##op, width},
    BL_REDUCTIONS(X)
#undef X
};

static bl_index domain_size(const bl_view *view, bl_domain domain) {
    switch (domain) {
    case BL_OVER_BOUNDARY: return view->boundary_count;
    case BL_OVER_ACTIVE: return view->active_count;
    default: return view->fluid_count;
    }
}

/* Rows cost some 100 neighbours each: chunks smaller than BL_CHUNK balance two threads on small drops too. */
enum { PASS_CHUNK = 128 };
_Static_assert(PASS_CHUNK % BL_GROUP == 0, "chunks are whole groups");

typedef struct pass_job {
    const bl_view *view;
    bl_pass_range range;
} pass_job;
static void pass_chunk(void *user, size_t begin, size_t end) {
    const pass_job *job = user;
    job->range(job->view, (bl_index)begin, (bl_index)end);
}

void bl_cpu_run(bl_context *ctx, bl_timers *timers, bl_pass_id pass, const bl_view *view) {
    double start = bl_now();
    int smooth = bl_kernel_is_smooth(view->par->near);
    pass_job job = {view, view->groups.index ? range_by_groups(pass, smooth) : NULL};
    if (!job.range) job.range = by_rows[pass][smooth];
    bl_parallel_for(ctx, domain_size(view, bl_pass_infos[pass].domain), PASS_CHUNK, pass_chunk, &job);
    bl_timers_add(timers, bl_pass_infos[pass].name, bl_now() - start);
}

typedef struct reduce_job {
    const bl_view *view;
    const reduction *red;
} reduce_job;
static void reduce_chunk(void *user, size_t begin, size_t end, double *acc) {
    const reduce_job *job = user;
    job->red->fold(job->view, (bl_index)begin, (bl_index)end, acc);
}

void bl_cpu_reduce(bl_context *ctx, bl_timers *timers, bl_reduction_id id, const bl_view *view, double *out) {
    double start = bl_now();
    const reduction *red = &reductions[id];
    reduce_job job = {view, red};
    bl_parallel_reduce(ctx, domain_size(view, red->domain), red->width, red->op, reduce_chunk, &job, out);
    bl_timers_add(timers, red->name, bl_now() - start);
}
