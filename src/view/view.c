/* The server: CivetWeb takes requests in its threads, one at a time is answered. */
#include "beadlet/view.h"

#include "view/answers.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

bl_view_def bl_default_view_def(void) { return (bl_view_def){.address = "127.0.0.1"}; }

#ifndef BL_HAVE_CIVETWEB

bl_status bl_view_run(bl_context *ctx, const char *dir, const bl_view_def *def) {
    (void)def;
    return bl_fail(ctx, BL_ERR_USAGE,
                   "%s: this build cannot serve pages: CivetWeb (libcivetweb-dev) was not there when it was configured",
                   dir);
}

#else

#include <civetweb.h>

enum { FIRST_PORT = 8400, PORTS_TRIED = 20 };

typedef struct server {
    bl_viewer viewer;
    pthread_mutex_t one_at_a_time;
    const char *address;
    struct mg_context *http;
    int port;
} server;

/* The name before ":PORT" in a Host header is ours. Any other comes from a page that had its own name point here. */
static bool is_our_name(const char *host, const char *address) {
    if (!host) return true; /* HTTP/1.0: no browser */
    const char *const ours[] = {"localhost", "127.0.0.1", address};
    const bool anyone = strcmp(address, "0.0.0.0") == 0;
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) {
        const size_t length = strlen(ours[k]);
        if (strncmp(host, ours[k], length) == 0 && (host[length] == ':' || !host[length])) return true;
    }
    return anyone;
}

static void send(struct mg_connection *connection, const bl_answer *answer, bool body) {
    mg_printf(connection,
              "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
              "Content-Security-Policy: default-src 'self'; img-src 'self' blob: data:\r\n"
              "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
              answer->code, mg_get_response_code_text(connection, answer->code), answer->type, answer->body.size);
    if (body && answer->body.size) mg_write(connection, answer->body.data, answer->body.size);
}

static int on_request(struct mg_connection *connection) {
    const struct mg_request_info *request = mg_get_request_info(connection);
    server *s = request->user_data;
    bl_answer answer = {.body = bl_text_make(s->viewer.ctx)};
    const bool head = strcmp(request->request_method, "HEAD") == 0;
    pthread_mutex_lock(&s->one_at_a_time);
    if (!is_our_name(mg_get_header(connection, "Host"), s->address))
        bl_answer_fail(&answer, 403, "this server is called %s:%d", s->address, s->port);
    else if (!head && strcmp(request->request_method, "GET") != 0)
        bl_answer_fail(&answer, 405, "only GET and HEAD are answered");
    else
        bl_viewer_answer(&s->viewer, request->local_uri, request->query_string, &answer);
    pthread_mutex_unlock(&s->one_at_a_time);
    send(connection, &answer, !head);
    bl_text_clear(&answer.body);
    return answer.code;
}

static int be_silent(const struct mg_connection *connection, const char *message) {
    (void)connection, (void)message;
    return 1;
}

static bool start_at(server *s, int port) {
    char place[128];
    snprintf(place, sizeof place, "%.100s:%d", s->address, port);
    const char *options[] = {"listening_ports", place, "num_threads", "8", "request_timeout_ms", "10000", NULL};
    const struct mg_callbacks callbacks = {.begin_request = on_request, .log_message = be_silent};
    s->http = mg_start(&callbacks, s, options);
    s->port = port;
    return s->http != NULL;
}

static bl_status start(server *s, int port) {
    bl_context *const ctx = s->viewer.ctx;
    if (port) {
        if (start_at(s, port)) return BL_OK;
        return bl_fail(
            ctx, BL_ERR_CANT_CREATE,
            "cannot listen on %s:%d: the port is taken or not allowed, or the address is not of this machine",
            s->address, port);
    }
    for (int k = 0; k < PORTS_TRIED; k++)
        if (start_at(s, FIRST_PORT + k)) return BL_OK;
    return bl_fail(ctx, BL_ERR_CANT_CREATE,
                   "cannot listen on %s: ports %d to %d are all taken, or the address is not of this machine",
                   s->address, FIRST_PORT, FIRST_PORT + PORTS_TRIED - 1);
}

static void serve(const server *s, const bl_view_def *def) {
    char url[160];
    const bool anyone = strcmp(s->address, "0.0.0.0") == 0; /* no place to go to: this machine is one */
    snprintf(url, sizeof url, "http://%.100s:%d/", anyone ? "127.0.0.1" : s->address, s->port);
    if (def->ready) def->ready(def->user, url);
    const struct timespec tenth = {.tv_nsec = 100000000};
    while (!def->stop || !def->stop(def->user)) nanosleep(&tenth, NULL);
}

bl_status bl_view_run(bl_context *ctx, const char *dir, const bl_view_def *def) {
    const bl_view_def defaults = bl_default_view_def();
    if (!def) def = &defaults;
    server s = {.address = def->address ? def->address : defaults.address};
    bl_status status = bl_viewer_open(ctx, dir, &s.viewer);
    if (status) return status;
    pthread_mutex_init(&s.one_at_a_time, NULL);
    mg_init_library(0);
    status = start(&s, def->port);
    if (!status) {
        serve(&s, def);
        mg_stop(s.http);
    }
    mg_exit_library();
    pthread_mutex_destroy(&s.one_at_a_time);
    bl_viewer_close(&s.viewer);
    return status;
}

#endif
