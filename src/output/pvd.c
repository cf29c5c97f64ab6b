#include "output/pvd.h"

#include "base/file.h"
#include "base/text.h"
#include "output/formats.h"
#include "output/paths.h"
#include "output/xml.h"

#include <string.h>

void bl_pvd_clear(bl_pvd *pvd) {
    bl_release(pvd->ctx, pvd->entries);
    memset(pvd, 0, sizeof *pvd);
}

void bl_pvd_drop_after(bl_pvd *pvd, int number) {
    while (pvd->count > 0 && pvd->entries[pvd->count - 1].number > number) pvd->count--;
}

bl_status bl_pvd_add(bl_pvd *pvd, int number, double time) {
    bl_pvd_drop_after(pvd, number - 1);
    if (pvd->count == pvd->capacity) {
        size_t capacity = pvd->capacity ? 2 * pvd->capacity : 64;
        bl_frame_entry *grown = bl_grow(pvd->ctx, pvd->entries, pvd->count, capacity, sizeof *grown);
        if (!grown) return BL_ERR_MEMORY;
        pvd->entries = grown;
        pvd->capacity = capacity;
    }
    pvd->entries[pvd->count++] = (bl_frame_entry){number, time};
    return BL_OK;
}

bl_status bl_pvd_write(const bl_pvd *pvd, bl_context *ctx, const char *path, const char *set_file) {
    bl_outfile file;
    bl_status status = bl_outfile_open(ctx, path, &file);
    if (status != BL_OK) return status;
    fprintf(file.stream, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n");
    for (size_t k = 0; k < pvd->count; k++) {
        char time[32];
        fprintf(file.stream, "<DataSet timestep=\"%s\" part=\"0\" file=\"%s_%06d.vtu\"/>\n",
                bl_format_double(time, pvd->entries[k].time), set_file, pvd->entries[k].number);
    }
    fprintf(file.stream, "</Collection>\n</VTKFile>\n");
    return bl_finish_file(ctx, &file, BL_OK);
}

static bl_status parse_entry(bl_pvd *pvd, const char *name, bl_xml_tag tag) {
    char file[256];
    int number;
    double time;
    if (!bl_xml_number(tag, "timestep", &time) || !bl_xml_attribute(tag, "file", file, sizeof file) ||
        !bl_frame_file_number(file, NULL, ".vtu", &number))
        return bl_fail(pvd->ctx, BL_ERR_DATA, "%s: entry %zu needs timestep=\"...\" and file=\"NAME_000000.vtu\"", name,
                       pvd->count + 1);
    if (pvd->count > 0 && number <= pvd->entries[pvd->count - 1].number)
        return bl_fail(pvd->ctx, BL_ERR_DATA, "%s: frame %d stands behind frame %d", name, number,
                       pvd->entries[pvd->count - 1].number);
    return bl_pvd_add(pvd, number, time);
}

bl_status bl_pvd_parse(bl_context *ctx, const char *name, const char *bytes, size_t size, bl_pvd *out) {
    *out = (bl_pvd){.ctx = ctx};
    const char *end = bytes + size;
    bl_status status = BL_OK;
    bool closed = false;
    bl_xml_tag tag = {bytes, bytes};
    while (status == BL_OK && !closed && bl_xml_next(tag.end, end, &tag)) {
        if (bl_xml_is(tag, "DataSet")) status = parse_entry(out, name, tag);
        closed = bl_xml_is(tag, "/Collection");
    }
    if (status == BL_OK && !closed) status = bl_fail(ctx, BL_ERR_DATA, "%s: not a complete PVD collection", name);
    if (status != BL_OK) bl_pvd_clear(out);
    return status;
}

bl_status bl_pvd_read(bl_context *ctx, const char *path, bl_pvd *out) {
    *out = (bl_pvd){.ctx = ctx};
    char *bytes;
    size_t size;
    bl_status status = bl_file_read(ctx, path, &bytes, &size);
    if (status == BL_OK) status = bl_pvd_parse(ctx, path, bytes, size, out);
    bl_release(ctx, bytes);
    return status;
}
