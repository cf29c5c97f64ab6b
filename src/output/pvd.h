/* NAME.pvd: the list of one set's VTU files and their times, as ParaView opens it. */
#ifndef BL_OUTPUT_PVD_H
#define BL_OUTPUT_PVD_H

#include "output/reader.h"

typedef struct bl_pvd {
    bl_context *ctx;
    size_t count, capacity;
    bl_frame_entry *entries; /* rising numbers */
} bl_pvd;

/* On failure *out is empty. BL_ERR_NO_INPUT: no such file; BL_ERR_DATA: not a list as written here. */
bl_status bl_pvd_read(bl_context *ctx, const char *path, bl_pvd *out);
bl_status bl_pvd_parse(bl_context *ctx, const char *name, const char *bytes, size_t size, bl_pvd *out);
/* Adds a frame; drops those of this number and above first. */
bl_status bl_pvd_add(bl_pvd *pvd, int number, double time);
void bl_pvd_drop_after(bl_pvd *pvd, int number);
/* The list of SET_000042.vtu files as DIR/SET.pvd; replaces the old one in one go. */
bl_status bl_pvd_write(const bl_pvd *pvd, bl_context *ctx, const char *path, const char *set_file);
void bl_pvd_clear(bl_pvd *pvd);

#endif
