/* A run in the browser, also while it grows. */
#ifndef BEADLET_VIEW_H
#define BEADLET_VIEW_H

#include "beadlet/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All pointers are borrowed. */
typedef struct bl_view_def {
    const char *address;                        /* IPv4 address to listen on; default "127.0.0.1": this machine only */
    int port;                                   /* default 0: 8400, or the next free one */
    void (*ready)(void *user, const char *url); /* called once it listens; may be NULL */
    bool (*stop)(void *user);                   /* asked ten times a second; NULL: never */
    void *user;
} bl_view_def;

BL_API bl_view_def bl_default_view_def(void);

/* Serves the run in `dir`, finished or not, until `stop` says so: the page, frames, surfaces, series. Nothing is asked
 * for from elsewhere, nothing in `dir` is changed. Requests that name another host than `address` (or this machine) are
 * refused, so that a page from elsewhere cannot read the run through the browser. `def` may be NULL for the defaults.
 * BL_ERR_NO_INPUT: no run in `dir`; BL_ERR_DATA: it is damaged; BL_ERR_CANT_CREATE: the port is taken, or the address
 * is not of this machine; BL_ERR_USAGE: built without CivetWeb. */
BL_API bl_status bl_view_run(bl_context *ctx, const char *dir, const bl_view_def *def);

#ifdef __cplusplus
}
#endif
#endif
