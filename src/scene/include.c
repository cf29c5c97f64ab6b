#include "scene/include.h"

#include "base/file.h"
#include "scene/yaml.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SOURCES = 200 };

const char *const bl_data_folders[BL_DATA_FOLDERS] = {BL_INSTALLED_SCENES, BL_SOURCE_SCENES};

/* The files being read, innermost first: an include of one of them is a cycle. */
typedef struct open_file {
    const struct open_file *outer;
    const bl_source *source;
} open_file;

static bl_node *load_source(bl_reader *r, const bl_source *source, const open_file *outer);

const bl_source *bl_add_source(bl_reader *r, const char *name, const char *text, size_t size) {
    bl_source *source = bl_arena_zeroed(r->scratch, 1, sizeof *source);
    char *name_copy = bl_arena_text(r->memory, name, strlen(name));
    char *text_copy = bl_arena_text(r->scratch, text, size);
    r->no_memory |= !source || !name_copy || !text_copy;
    if (r->no_memory) return NULL;
    *source = (bl_source){name_copy, text_copy, size, r->source_count++};
    return source;
}

static bool is_file(const char *path, size_t *size) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    *size = (size_t)info.st_size;
    return true;
}

/* Length of the folder part of a path, with its slash. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool bl_find_file(const bl_source *source, const char *name, char *path, size_t *size) {
    if (!*name || strlen(name) >= BL_FILE_BYTES / 2) return false;
    size_t folder = source && *name != '/' ? folder_length(source->name) : 0;
    snprintf(path, BL_FILE_BYTES, "%.*s%s", (int)folder, source ? source->name : "", name);
    if (is_file(path, size)) return true;
    for (int i = 0; *name != '/' && i < BL_DATA_FOLDERS; i++) {
        snprintf(path, BL_FILE_BYTES, "%s/%s", bl_data_folders[i], name);
        if (is_file(path, size)) return true;
    }
    return false;
}

char *bl_find_mesh(bl_reader *r, const bl_source *source, const char *name) {
    char path[BL_FILE_BYTES], absolute[PATH_MAX];
    size_t size;
    if (!bl_find_file(source, name, path, &size) || !realpath(path, absolute)) return NULL;
    char *copy = bl_arena_text(r->memory, absolute, strlen(absolute));
    r->no_memory |= !copy;
    return copy;
}

const bl_source *bl_read_source(bl_reader *r, const char *path, size_t size, bl_place place) {
    char *text = NULL;
    size_t length = 0;
    if (size > BL_SCENE_MAX_BYTES || r->source_count >= MAX_SOURCES) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, place, "'%.200s' is too large, or one file too many", path);
        return NULL;
    }
    if (bl_file_read(r->ctx, path, &text, &length) != BL_OK) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, place, "%.300s", bl_context_error(r->ctx));
        return NULL;
    }
    const bl_source *source = bl_add_source(r, path, text, length);
    bl_release(r->ctx, text);
    return source;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat one, two;
    return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

static bool is_open(const open_file *files, const char *path) {
    for (; files; files = files->outer)
        if (is_same_file(files->source->name, path)) return true;
    return false;
}

/* One entry of `include`: its document, or NULL with the error reported. */
static bl_node *include_file(bl_reader *r, const bl_node *name, const open_file *files) {
    char path[BL_FILE_BYTES];
    size_t size;
    if (name->kind != BL_NODE_SCALAR) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "include: found %s, expected the name of a file",
                    bl_node_kind_name(name));
        return NULL;
    }
    if (!bl_find_file(name->place.source, name->text, path, &size)) {
        bl_diag_add(r->diags, BL_DIAG_MISSING_FILE, name->place, "include: there is no file '%.200s'", name->text);
        return NULL;
    }
    if (is_open(files, path)) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "include: '%.200s' includes itself", name->text);
        return NULL;
    }
    const bl_source *source = bl_read_source(r, path, size, name->place);
    return source ? load_source(r, source, files) : NULL;
}

/* What all entries of `include` give together: a later one overrides an earlier one. */
static bl_node *include_all(bl_reader *r, const bl_node *names, const open_file *files, bool *complete) {
    bl_node *under = bl_node_make(r->scratch, BL_NODE_MAP, names->place);
    int count = names->kind == BL_NODE_LIST ? names->count : 1;
    for (int i = 0; under && i < count; i++) {
        bl_node *document = include_file(r, names->kind == BL_NODE_LIST ? names->items[i] : names, files);
        *complete &= document != NULL;
        if (document) under = bl_node_merge(r->scratch, under, document);
    }
    return under;
}

static bl_node *load_source(bl_reader *r, const bl_source *source, const open_file *outer) {
    open_file files = {outer, source};
    bl_node *root = bl_yaml_parse(r->diags, r->scratch, source, 0);
    if (!root) return NULL;
    if (root->kind != BL_NODE_MAP) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, root->place, "found %s, expected a map with keys such as 'fluids'",
                    bl_node_kind_name(root));
        return NULL;
    }
    const bl_pair *include = bl_node_find(root, "include");
    if (!include) return root;
    bool complete = true;
    bl_node *under = include_all(r, include->value, &files, &complete);
    bl_node *over = complete ? bl_node_without(r->scratch, root, "include") : root;
    bl_node *merged = under && over ? bl_node_merge(r->scratch, under, over) : NULL;
    r->no_memory |= !merged;
    if (merged && merged->size > BL_SCENE_MAX_NODES) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, include->place, "the scene is too large with what it includes");
        return NULL;
    }
    return merged;
}

bl_node *bl_load_document(bl_reader *r, const bl_source *source) { return load_source(r, source, NULL); }
