/* How a pass is run. A backend owns no physics: it applies the functions of physics/passes.h to all particles. */
#ifndef BL_BACKENDS_BACKEND_H
#define BL_BACKENDS_BACKEND_H

#include "base/context.h"
#include "base/parallel.h"
#include "base/timer.h"
#include "physics/passes.h"

typedef enum bl_domain { BL_OVER_FLUID, BL_OVER_BOUNDARY, BL_OVER_ACTIVE } bl_domain;

typedef enum bl_pass_id {
#define X(name, ...) BL_PASS_##name,
    BL_PASSES(X)
#undef X
        BL_PASS_COUNT
} bl_pass_id;

typedef enum bl_reduction_id {
#define X(name, ...) BL_RED_##name,
    BL_REDUCTIONS(X)
#undef X
        BL_RED_COUNT
} bl_reduction_id;
/* Those of the state between two steps. */
#define BL_STATE_REDUCTIONS (BL_BIT(BL_RED_motion) | BL_BIT(BL_RED_pressure))

typedef enum bl_bundle_id {
#define X(name, ...) BL_BUNDLE_##name,
    BL_BUNDLES(X)
#undef X
        BL_BUNDLE_COUNT
} bl_bundle_id;

typedef enum bl_settled_id {
#define X(name, ...) BL_SETTLED_##name,
    BL_SETTLED(X)
#undef X
        BL_SETTLED_COUNT
} bl_settled_id;

/* Passes that belong together: over fluid, then over walls, and what is asked for after them. */
enum { BL_TOGETHER_MOST = 6 };
typedef struct bl_together {
    const char *name;
    bl_pass_id passes[BL_TOGETHER_MOST];
    int count, fluid_count;
    bl_reduction_id reduction; /* of settled ones */
} bl_together;
extern const bl_together bl_bundles[BL_BUNDLE_COUNT], bl_settled[BL_SETTLED_COUNT];

/* The end of a reduction (physics/steer.h). */
typedef int (*bl_settle_fn)(bl_steer *steer, const double *sums, double count);
extern const bl_settle_fn bl_settlers[BL_RED_COUNT];
extern const int bl_reduction_widths[BL_RED_COUNT];

/* What is known of a pass without running it. */
typedef struct bl_pass_info {
    const char *name;
    bl_domain domain;
    uint64_t near_fluid, near_boundary, writes_fluid, writes_boundary; /* bits BL_F_*, BL_B_* */
} bl_pass_info;
extern const bl_pass_info bl_pass_infos[BL_PASS_COUNT];

/* The CPU backend: OpenMP loops over fixed chunks, the same bits for any number of threads. */
void bl_cpu_run(bl_context *ctx, bl_timers *timers, bl_pass_id pass, const bl_view *view);
/* `out` receives the reduction's width numbers. An empty domain gives the neutral element. */
void bl_cpu_reduce(bl_context *ctx, bl_timers *timers, bl_reduction_id reduction, const bl_view *view, double *out);

#endif
