/* Compiled kernels on disk: one file for every program, device and driver. The least recently used go when there are
 * too many. All of this is a favour to the next run: failures are silent. */
#include "backends/opencl/opencl.h"

#include "base/file.h"
#include "base/hash.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the kept file starts with. */
typedef struct cache_head {
    char magic[8];
    uint64_t key, size, hash;
} cache_head;
static const char MAGIC[8] = "BLCLBIN";

/* XDG_CACHE_HOME/beadlet, else HOME/.cache/beadlet; false: there is no such place. */
static bool cache_directory(bl_text *path) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache)
        bl_text_add(path, "%s/beadlet", cache);
    else if (home && *home)
        bl_text_add(path, "%s/.cache/beadlet", home);
    return !path->failed && *bl_text_str(path);
}

/* The kept program, or NULL if there is none that fits; a broken file is like none. */
static cl_program read_program(bl_device *d, const char *path, uint64_t key) {
    char *data = NULL;
    size_t size = 0;
    cl_program program = NULL;
    cache_head head;
    if (!bl_file_exists(path) || bl_file_read(d->ctx, path, &data, &size) != BL_OK) return NULL;
    if (size > sizeof head) {
        memcpy(&head, data, sizeof head);
        const unsigned char *binary = (const unsigned char *)data + sizeof head;
        size_t length = size - sizeof head;
        cl_int code;
        if (memcmp(head.magic, MAGIC, sizeof MAGIC) == 0 && head.key == key && head.size == length &&
            head.hash == bl_hash(BL_HASH_START, binary, length)) {
            program = clCreateProgramWithBinary(d->context, 1, &d->id, &length, &binary, NULL, &code);
            if (program && code == CL_SUCCESS) code = clBuildProgram(program, 1, &d->id, "", NULL, NULL);
            if (program && code != CL_SUCCESS) clReleaseProgram(program), program = NULL;
        }
    }
    bl_release(d->ctx, data);
    return program;
}

static void write_program(bl_device *d, const char *directory, const char *path, uint64_t key) {
    size_t size = 0;
    if (clGetProgramInfo(d->program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS || size == 0)
        return;
    unsigned char *binary = bl_alloc(d->ctx, size, 1);
    bl_outfile file;
    if (binary && clGetProgramInfo(d->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS &&
        bl_dir_create(d->ctx, directory) == BL_OK && bl_outfile_open(d->ctx, path, &file) == BL_OK) {
        cache_head head = {.key = key, .size = size, .hash = bl_hash(BL_HASH_START, binary, size)};
        memcpy(head.magic, MAGIC, sizeof MAGIC);
        fwrite(&head, sizeof head, 1, file.stream);
        fwrite(binary, size, 1, file.stream);
        bl_outfile_commit(d->ctx, &file);
    }
    bl_release(d->ctx, binary);
}

/* --- how much is kept --- */

typedef struct kept_file {
    char path[600];
    uint64_t size;
    struct timespec used;
} kept_file;

static int least_recent_first(const void *a, const void *b) {
    const struct timespec x = ((const kept_file *)a)->used, y = ((const kept_file *)b)->used;
    if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? -1 : 1;
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

static bool is_program(const char *name) {
    const size_t length = strlen(name);
    return strncmp(name, "opencl-", 7) == 0 && length > 4 && strcmp(name + length - 4, ".bin") == 0;
}

/* The programs in a directory, `most` at most; 0 as well if it cannot be read. */
static size_t find_programs(const char *directory, kept_file *files, size_t most) {
    size_t count = 0;
    DIR *stream = opendir(directory);
    if (!stream) return 0;
    for (struct dirent *entry; count < most && (entry = readdir(stream));) {
        struct stat info;
        kept_file *f = &files[count];
        if (!is_program(entry->d_name)) continue;
        if (snprintf(f->path, sizeof f->path, "%s/%s", directory, entry->d_name) >= (int)sizeof f->path) continue;
        if (stat(f->path, &info) != 0) continue;
        f->size = (uint64_t)info.st_size, f->used = info.st_mtim;
        count++;
    }
    closedir(stream);
    return count;
}

void bl_cl_prune_cache(bl_context *ctx, const char *directory, const char *keep, uint64_t most) {
    enum { MOST_FILES = 4096 };
    kept_file *files = bl_alloc(ctx, MOST_FILES, sizeof *files);
    uint64_t total = 0;
    if (!files) return;
    const size_t count = find_programs(directory, files, MOST_FILES);
    for (size_t k = 0; k < count; k++) total += files[k].size;
    qsort(files, count, sizeof *files, least_recent_first);
    for (size_t k = 0; k < count && total > most; k++)
        if (strcmp(files[k].path, keep) != 0 && remove(files[k].path) == 0) total -= files[k].size;
    bl_release(ctx, files);
}

/* --- programs --- */

/* Where the program with this key is kept; false: nowhere. */
static bool place_of(uint64_t key, bl_text *directory, bl_text *path) {
    if (!cache_directory(directory)) return false;
    bl_text_add(path, "%s/opencl-%016llx.bin", bl_text_str(directory), (unsigned long long)key);
    return !path->failed;
}

cl_program bl_cl_load_program(bl_device *d, uint64_t key) {
    bl_text directory = bl_text_make(d->ctx), path = bl_text_make(d->ctx);
    cl_program program = NULL;
    if (place_of(key, &directory, &path)) program = read_program(d, bl_text_str(&path), key);
    if (program) utimensat(AT_FDCWD, bl_text_str(&path), NULL, 0); /* used now */
    bl_text_clear(&directory);
    bl_text_clear(&path);
    return program;
}

void bl_cl_keep_program(bl_device *d, uint64_t key) {
    bl_text directory = bl_text_make(d->ctx), path = bl_text_make(d->ctx);
    if (place_of(key, &directory, &path)) {
        write_program(d, bl_text_str(&directory), bl_text_str(&path), key);
        bl_cl_prune_cache(d->ctx, bl_text_str(&directory), bl_text_str(&path), (uint64_t)BL_CL_CACHE_MB << 20);
    }
    bl_text_clear(&directory);
    bl_text_clear(&path);
}
