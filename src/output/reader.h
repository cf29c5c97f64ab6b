/* What a run left, for measurements, meshes and pictures. */
#ifndef BL_OUTPUT_READER_H
#define BL_OUTPUT_READER_H

#include "output/frame.h"

/* One VTU file as this library writes it: raw or base64 appended data, inline base64 or ASCII arrays; no compression.
 * BL_ERR_NO_INPUT: missing; BL_ERR_DATA: not such a file, or cut off. On failure *out is empty. */
bl_status bl_vtu_read(bl_context *ctx, const char *path, bl_frame *out);
/* The same from memory: bytes[size] must be 0; `name` stands for the file in messages. */
bl_status bl_vtu_parse(bl_context *ctx, const char *name, const char *bytes, size_t size, bl_frame *out);

typedef struct bl_frame_entry {
    int number;
    double time;
} bl_frame_entry;

typedef struct bl_reader {
    bl_context *ctx;
    char *dir;
    bl_scene *scene; /* as resolved by the run */
    bl_sets sets;    /* fluids first, then boundaries */
    size_t frame_count;
    bl_frame_entry *frames; /* of the fluids, rising */
} bl_reader;

/* Opens the directory of a run, finished or not. BL_ERR_NO_INPUT if `dir` holds no run, BL_ERR_DATA if it is damaged.
 */
bl_status bl_reader_open(bl_context *ctx, const char *dir, bl_reader *out);
void bl_reader_close(bl_reader *reader);                           /* a zeroed one is fine */
int bl_reader_find_set(const bl_reader *reader, const char *name); /* by scene name; -1: none */
/* Position of frame `number` in reader->frames, or -1. */
long bl_reader_find_frame(const bl_reader *reader, int number);
/* Positions [*first, *last] of the frames that a text asks for: "all", "last", one number or a range such as "10..20".
 * BL_ERR_USAGE: it is none of these; BL_ERR_NO_INPUT: the run has no such frame. */
bl_status bl_reader_choose_frames(const bl_reader *reader, const char *text, size_t *first, size_t *last);
/* Frame `number` of set `set`; of a fixed boundary its only one. The caller clears *out. */
bl_status bl_reader_load(const bl_reader *reader, int set, int number, bl_frame *out);

#endif
