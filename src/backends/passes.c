#include "backends/backend.h"

const bl_pass_info bl_pass_infos[BL_PASS_COUNT] = {
#define X(name, domain, nf, nb, wf, wb) {#name, BL_OVER_##domain, nf, nb, wf, wb},
    BL_PASSES(X)
#undef X
};

const bl_pass_id bl_pairs_of_passes[BL_PAIR_COUNT][2] = {
#define X(name, pass_a, domain_a, pass_b, domain_b) {BL_PASS_##pass_a, BL_PASS_##pass_b},
    BL_PASS_PAIRS(X)
#undef X
};

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
