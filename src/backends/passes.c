#include "backends/backend.h"

const bl_pass_info bl_pass_infos[BL_PASS_COUNT] = {
#define X(name, domain, nf, nb, wf, wb) {#name, BL_OVER_##domain, nf, nb, wf, wb},
    BL_PASSES(X)
#undef X
};

#define PASS(name) BL_PASS_##name,
#define ONE(name) +1
const bl_together bl_bundles[BL_BUNDLE_COUNT] = {
#define X(label, domain)                                                                                               \
    {.name = #label,                                                                                                   \
     .passes = {BL_BUNDLE_FLUID_##label(PASS) BL_BUNDLE_WALLS_##label(PASS)},                                          \
     .count = 0 BL_BUNDLE_FLUID_##label(ONE) BL_BUNDLE_WALLS_##label(ONE),                                             \
     .fluid_count = 0 BL_BUNDLE_FLUID_##label(ONE)},
    BL_BUNDLES(X)
#undef X
};

const bl_together bl_settled[BL_SETTLED_COUNT] = {
#define X(label, asked, op, width, domain)                                                                             \
    {.name = #label,                                                                                                   \
     .passes = {BL_SETTLED_FLUID_##label(PASS) BL_SETTLED_WALLS_##label(PASS)},                                        \
     .count = 0 BL_SETTLED_FLUID_##label(ONE) BL_SETTLED_WALLS_##label(ONE),                                           \
     .fluid_count = 0 BL_SETTLED_FLUID_##label(ONE),                                                                   \
     .reduction = BL_RED_##asked},
    BL_SETTLED(X)
#undef X
};
#undef PASS
#undef ONE

const bl_settle_fn bl_settlers[BL_RED_COUNT] = {
#define X(name, domain, op, width, settle) bl_settle_##settle,
    BL_REDUCTIONS(X)
#undef X
};

const int bl_reduction_widths[BL_RED_COUNT] = {
#define X(name, domain, op, width, settle) width,
    BL_REDUCTIONS(X)
#undef X
};
