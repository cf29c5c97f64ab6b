/* Whole-file reads, directories, and files that appear only when complete. */
#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bl_status read_stream(bl_context *ctx, const char *path, FILE *stream, char **out, size_t *size) {
    size_t used = 0, capacity = 1 << 14;
    char *data = bl_alloc(ctx, capacity, 1);
    while (data) {
        used += fread(data + used, 1, capacity - 1 - used, stream);
        if (used < capacity - 1) break;
        char *grown = bl_grow(ctx, data, used, 2 * capacity, 1);
        if (!grown) bl_release(ctx, data);
        data = grown;
        capacity *= 2;
    }
    if (!data) return BL_ERR_MEMORY;
    if (ferror(stream)) {
        const int error = errno;
        bl_release(ctx, data);
        return bl_fail(ctx, BL_ERR_IO, "%s: cannot read: %s", path, strerror(error));
    }
    data[used] = 0;
    *out = data;
    if (size) *size = used;
    return BL_OK;
}

bl_status bl_file_read(bl_context *ctx, const char *path, char **out, size_t *size) {
    *out = NULL;
    if (size) *size = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        const bl_status status = errno == ENOENT || errno == ENOTDIR ? BL_ERR_NO_INPUT : BL_ERR_IO;
        return bl_fail(ctx, status, "%s: cannot open: %s", path, strerror(errno));
    }
    const bl_status status = read_stream(ctx, path, stream, out, size);
    fclose(stream);
    return status;
}

bool bl_file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

static bool is_directory(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bl_status make_one(bl_context *ctx, const char *path) {
    if (mkdir(path, 0777) == 0 || is_directory(path)) return BL_OK;
    const int error = is_directory(path) ? 0 : errno;
    return bl_fail(ctx, BL_ERR_CANT_CREATE, "%s: cannot create the folder: %s", path,
                   error == EEXIST ? "a file of this name is in the way" : strerror(error));
}

bl_status bl_dir_create(bl_context *ctx, const char *path) {
    if (!*path) return bl_fail(ctx, BL_ERR_CANT_CREATE, "cannot create a folder with an empty name");
    char *copy = bl_strdup(ctx, path);
    if (!copy) return BL_ERR_MEMORY;

    /* Each parent in turn: the path is cut at its slashes, the first character aside (it may be the root). */
    bl_status status = BL_OK;
    for (char *c = copy + 1; *c && status == BL_OK; c++) {
        if (*c != '/') continue;
        *c = 0;
        status = make_one(ctx, copy);
        *c = '/';
    }
    if (status == BL_OK) status = make_one(ctx, copy);
    bl_release(ctx, copy);
    return status;
}

static void outfile_clear(bl_context *ctx, bl_outfile *file) {
    bl_release(ctx, file->path);
    bl_release(ctx, file->part);
    *file = (bl_outfile){0};
}

bl_status bl_outfile_open(bl_context *ctx, const char *path, bl_outfile *out) {
    static const char suffix[] = ".part";
    const size_t length = strlen(path);
    *out = (bl_outfile){.path = bl_strdup(ctx, path), .part = bl_alloc(ctx, length + sizeof suffix, 1)};
    if (!out->path || !out->part) {
        outfile_clear(ctx, out);
        return BL_ERR_MEMORY;
    }
    memcpy(out->part, path, length);
    memcpy(out->part + length, suffix, sizeof suffix);

    out->stream = fopen(out->part, "wb");
    if (out->stream) return BL_OK;
    const int error = errno;
    outfile_clear(ctx, out);
    return bl_fail(ctx, BL_ERR_CANT_CREATE, "%s: cannot create: %s", path, strerror(error));
}

/* Close the stream; true if every byte since the opening has arrived. */
static bool close_stream(FILE *stream) {
    const bool earlier = ferror(stream) != 0;
    errno = earlier ? EIO : 0;
    const bool flushed = fflush(stream) == 0;
    const int error = errno;
    const bool closed = fclose(stream) == 0;
    if (!flushed) errno = error;
    return flushed && closed && !earlier;
}

bl_status bl_outfile_commit(bl_context *ctx, bl_outfile *file) {
    bl_status status = BL_OK;
    errno = 0;
    if (!close_stream(file->stream))
        status = bl_fail(ctx, BL_ERR_IO, "%s: cannot write: %s", file->path, strerror(errno ? errno : EIO));
    else if (rename(file->part, file->path) != 0)
        status = bl_fail(ctx, BL_ERR_IO, "%s: cannot rename to %s: %s", file->part, file->path, strerror(errno));
    if (status != BL_OK) unlink(file->part);
    outfile_clear(ctx, file);
    return status;
}

void bl_outfile_abandon(bl_context *ctx, bl_outfile *file) {
    if (file->stream) {
        fclose(file->stream);
        unlink(file->part);
    }
    outfile_clear(ctx, file);
}
