#include "output/paths.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *bl_path_make(bl_context *ctx, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *path = bl_alloc(ctx, (size_t)length + 1, 1);
    if (!path) return NULL;
    va_start(args, fmt);
    vsnprintf(path, (size_t)length + 1, fmt, args);
    va_end(args);
    return path;
}

/* The digits at *text as a number; moves *text behind them. At least `width` of them. */
static bool read_digits(const char **text, size_t width, uint64_t max, uint64_t *value) {
    const char *c = *text;
    for (*value = 0; *c >= '0' && *c <= '9'; c++) {
        if (*value > (max - (uint64_t)(*c - '0')) / 10) return false;
        *value = *value * 10 + (uint64_t)(*c - '0');
    }
    bool enough = (size_t)(c - *text) >= width;
    *text = c;
    return enough;
}

bool bl_frame_file_number(const char *file, const char *set, const char *extension, int *number) {
    const char *bar = strrchr(file, '_');
    if (!bar) return false;
    if (set && (strlen(set) != (size_t)(bar - file) || strncmp(file, set, strlen(set)) != 0)) return false;
    uint64_t value;
    const char *rest = bar + 1;
    if (!read_digits(&rest, 6, INT_MAX, &value) || strcmp(rest, extension) != 0) return false;
    *number = (int)value;
    return true;
}

bool bl_checkpoint_file_number(const char *file, int *frame, uint64_t *step) {
    static const char head[] = "frame_", middle[] = "_step_";
    uint64_t value;
    if (strncmp(file, head, strlen(head)) != 0) return false;
    file += strlen(head);
    if (!read_digits(&file, 6, INT_MAX, &value) || strncmp(file, middle, strlen(middle)) != 0) return false;
    file += strlen(middle);
    *frame = (int)value;
    return read_digits(&file, 9, UINT64_MAX, step) && strcmp(file, ".h5") == 0;
}

bl_status bl_dir_visit(bl_context *ctx, const char *dir, bl_visit_fn visit, void *user) {
    DIR *stream = opendir(dir);
    if (!stream && errno == ENOENT) return BL_OK;
    if (!stream) return bl_fail(ctx, BL_ERR_IO, "%s: cannot list the folder: %s", dir, strerror(errno));
    bl_status status = BL_OK;
    for (struct dirent *entry; status == BL_OK && (entry = readdir(stream));) status = visit(user, entry->d_name);
    closedir(stream);
    return status;
}

bl_status bl_file_remove(bl_context *ctx, const char *path) {
    if (unlink(path) == 0 || errno == ENOENT) return BL_OK;
    return bl_fail(ctx, BL_ERR_IO, "%s: cannot delete: %s", path, strerror(errno));
}
