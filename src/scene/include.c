#include "scene/include.h"

#include "base/file.h"
#include "scene/yaml.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SOURCES = 200, MAX_MATERIALS = 64, PATH_BYTES = 1024 };

/* Folders with the files that come with Beadlet. */
static const char *const data_folders[] = {BL_INSTALLED_SCENES, BL_SOURCE_SCENES};
enum { DATA_FOLDERS = sizeof data_folders / sizeof *data_folders };

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

/* Looks beside the file it is named in, then among the files that come with Beadlet. */
static bool find_file(const bl_source *source, const char *name, char *path, size_t *size) {
    if (!*name || strlen(name) >= PATH_BYTES / 2) return false;
    size_t folder = source && *name != '/' ? folder_length(source->name) : 0;
    snprintf(path, PATH_BYTES, "%.*s%s", (int)folder, source ? source->name : "", name);
    if (is_file(path, size)) return true;
    for (int i = 0; *name != '/' && i < DATA_FOLDERS; i++) {
        snprintf(path, PATH_BYTES, "%s/%s", data_folders[i], name);
        if (is_file(path, size)) return true;
    }
    return false;
}

char *bl_find_mesh(bl_reader *r, const bl_source *source, const char *name) {
    char path[PATH_BYTES], absolute[PATH_MAX];
    size_t size;
    if (!find_file(source, name, path, &size) || !realpath(path, absolute)) return NULL;
    char *copy = bl_arena_text(r->memory, absolute, strlen(absolute));
    r->no_memory |= !copy;
    return copy;
}

/* Read a file that `name`, written at `place`, refers to. Reports what is wrong. */
static const bl_source *read_source(bl_reader *r, const char *path, size_t size, bl_place place) {
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
    char path[PATH_BYTES];
    size_t size;
    if (name->kind != BL_NODE_SCALAR) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "include: found %s, expected the name of a file",
                    bl_node_kind_name(name));
        return NULL;
    }
    if (!find_file(name->place.source, name->text, path, &size)) {
        bl_diag_add(r->diags, BL_DIAG_MISSING_FILE, name->place, "include: there is no file '%.200s'", name->text);
        return NULL;
    }
    if (is_open(files, path)) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "include: '%.200s' includes itself", name->text);
        return NULL;
    }
    const bl_source *source = read_source(r, path, size, name->place);
    return source ? load_source(r, source, files) : NULL;
}

/* What all entries of `include` give together: a later one overrides an earlier one. */
static bl_node *include_all(bl_reader *r, const bl_node *names, const open_file *files) {
    bl_node *under = bl_node_make(r->scratch, BL_NODE_MAP, names->place);
    int count = names->kind == BL_NODE_LIST ? names->count : 1;
    for (int i = 0; under && i < count; i++) {
        bl_node *document = include_file(r, names->kind == BL_NODE_LIST ? names->items[i] : names, files);
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
    bl_node *under = include_all(r, include->value, &files);
    bl_node *over = bl_node_without(r->scratch, root, "include");
    bl_node *merged = under && over ? bl_node_merge(r->scratch, under, over) : NULL;
    r->no_memory |= !merged;
    if (merged && merged->size > BL_SCENE_MAX_NODES) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, include->place, "the scene is too large with what it includes");
        return NULL;
    }
    return merged;
}

bl_node *bl_load_document(bl_reader *r, const bl_source *source) { return load_source(r, source, NULL); }

static bool is_plain_name(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && !strchr("_-", name[i])) return false;
    return length > 0 && length <= 64;
}

/* Names of materials/NAME.yaml among the files that come with Beadlet, for suggestions. */
static int list_shipped(bl_reader *r, const char **names, int count) {
    for (int i = 0; i < DATA_FOLDERS; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/materials", data_folders[i]);
        DIR *folder = opendir(path);
        struct dirent *entry;
        while (folder && count < MAX_MATERIALS && (entry = readdir(folder))) {
            size_t length = strcspn(entry->d_name, ".");
            if (length == 0 || strcmp(entry->d_name + length, ".yaml") != 0) continue;
            names[count] = bl_arena_text(r->scratch, entry->d_name, length);
            count += names[count] != NULL;
        }
        if (folder) closedir(folder);
    }
    return count;
}

static void report_unknown_material(bl_reader *r, const bl_node *materials, const bl_node *name) {
    const char *names[MAX_MATERIALS];
    int count = 0;
    for (int i = 0; materials && materials->kind == BL_NODE_MAP && i < materials->count && count < MAX_MATERIALS; i++)
        names[count++] = materials->pairs[i].key;
    count = list_shipped(r, names, count);
    const char *nearest = bl_nearest_word(name->text, names, count);
    bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "unknown material '%.60s'%s%s%s", name->text,
                nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* The material's keys: from the scene's own `materials`, or from materials/NAME.yaml. NULL with the error reported. */
static bl_node *find_material(bl_reader *r, const bl_node *materials, const bl_node *name) {
    if (name->kind != BL_NODE_SCALAR) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "material: found %s, expected a name such as 'water'",
                    bl_node_kind_name(name));
        return NULL;
    }
    const bl_pair *own = bl_node_find(materials, name->text);
    if (own) return own->value;
    char file[128], path[PATH_BYTES];
    size_t size;
    snprintf(file, sizeof file, "materials/%.64s.yaml", name->text);
    if (!is_plain_name(name->text) || !find_file(name->place.source, file, path, &size)) {
        report_unknown_material(r, materials, name);
        return NULL;
    }
    const bl_source *source = read_source(r, path, size, name->place);
    bl_node *document = source ? load_source(r, source, NULL) : NULL;
    if (!document) return NULL;
    const bl_pair *shipped = bl_node_find(document, "materials");
    const bl_pair *entry = shipped ? bl_node_find(shipped->value, name->text) : NULL;
    if (!entry) bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "'%.200s' has no materials.%s", path, name->text);
    return entry ? entry->value : NULL;
}

/* The keys of every material are checked, used or not. */
static void check_materials(bl_reader *r, const bl_node *materials) {
    bl_fluid unused;
    if (materials->kind != BL_NODE_MAP) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, materials->place, "materials: found %s, expected a map of names",
                    bl_node_kind_name(materials));
        return;
    }
    size_t old = bl_reader_enter(r, "materials");
    r->partial = true;
    for (int i = 0; i < materials->count; i++) {
        size_t outer = bl_reader_enter(r, materials->pairs[i].key);
        memset(&unused, 0, sizeof unused);
        bl_read_section(r, &bl_section_material, materials->pairs[i].value, materials->pairs[i].place, &unused);
        bl_reader_leave(r, outer);
    }
    r->partial = false;
    bl_reader_leave(r, old);
}

static bl_node *apply_material(bl_reader *r, const bl_node *materials, bl_node *fluid) {
    const bl_pair *pair = bl_node_find(fluid, "material");
    bl_node *material = pair ? find_material(r, materials, pair->value) : NULL;
    if (!material || material->kind != BL_NODE_MAP) return fluid;
    bl_node *own = bl_node_without(r->scratch, fluid, "material");
    bl_node *merged = own ? bl_node_merge(r->scratch, material, own) : NULL;
    r->no_memory |= !merged;
    return merged ? merged : fluid;
}

bl_node *bl_apply_materials(bl_reader *r, bl_node *root) {
    const bl_pair *materials = bl_node_find(root, "materials"), *fluids = bl_node_find(root, "fluids");
    if (materials) check_materials(r, materials->value);
    if (!fluids || fluids->value->kind != BL_NODE_MAP) return root;
    bl_node *map = bl_node_make(r->scratch, BL_NODE_MAP, fluids->value->place);
    bl_pair *pairs = bl_arena_zeroed(r->scratch, (size_t)fluids->value->count + 1, sizeof *pairs);
    r->no_memory |= !map || !pairs;
    if (r->no_memory) return root;
    map->pairs = pairs;
    for (int i = 0; i < fluids->value->count; i++) {
        pairs[i] = fluids->value->pairs[i];
        pairs[i].value = apply_material(r, materials ? materials->value : NULL, pairs[i].value);
        map->size += pairs[i].value->size;
        map->count++;
    }
    bl_node *result = bl_node_with(r->scratch, root, "fluids", fluids->place, map);
    r->no_memory |= !result;
    return result ? result : root;
}
