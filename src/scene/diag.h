/* Errors and warnings about a scene: collected while reading, sent to the log together, in the order of the file. */
#ifndef BL_SCENE_DIAG_H
#define BL_SCENE_DIAG_H

#include "scene/node.h"

enum { BL_DIAG_MAX = 100 }; /* kept; more are only counted */

typedef enum bl_diag_kind { BL_DIAG_ERROR, BL_DIAG_MISSING_FILE, BL_DIAG_WARNING } bl_diag_kind;

typedef struct bl_diag {
    bl_diag_kind kind;
    bl_place place;
    char *text;
} bl_diag;

typedef struct bl_diags {
    bl_context *ctx;
    bl_arena *arena;
    bl_diag items[BL_DIAG_MAX];
    int count;   /* of items */
    int dropped; /* errors beyond BL_DIAG_MAX */
    int errors, missing_files;
} bl_diags;

/* An equal message at an equal place is kept once. */
void bl_diag_add(bl_diags *diags, bl_diag_kind kind, bl_place place, const char *fmt, ...) BL_PRINTF(4, 5);
/* Log everything; then the status that follows from the errors, with the context's error set to "2 errors in NAME". */
bl_status bl_diags_report(bl_diags *diags, const char *name);

#endif
