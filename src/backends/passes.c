#include "backends/backend.h"

const bl_pass_info bl_pass_infos[BL_PASS_COUNT] = {
#define X(name, domain, nf, nb, wf, wb) {#name, BL_OVER_##domain, nf, nb, wf, wb},
    BL_PASSES(X)
#undef X
};
