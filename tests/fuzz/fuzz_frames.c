/* VTU and PVD files from hostile bytes. */
#include "output/pvd.h"
#include "output/reader.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bl_context *ctx;
    if (bl_context_create(NULL, &ctx) != BL_OK) return 0;
    char *text = bl_alloc(ctx, size + 1, 1); /* files are read with a zero byte behind them */
    if (text) {
        if (size) memcpy(text, data, size);
        bl_frame frame;
        bl_vtu_parse(ctx, "fuzz", text, size, &frame);
        bl_frame_clear(&frame);
        bl_pvd pvd;
        bl_pvd_parse(ctx, "fuzz", text, size, &pvd);
        bl_pvd_clear(&pvd);
    }
    bl_release(ctx, text);
    bl_context_destroy(ctx);
    return 0;
}
