/* Materials: `material: water` in a fluid stands for the keys of that material. */
#include "scene/include.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { MAX_MATERIALS = 64 };

static bool is_plain_name(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && !strchr("_-", name[i])) return false;
    return length > 0 && length <= 64;
}

/* Names of materials/NAME.yaml among the files that come with Beadlet, for suggestions. */
static int list_shipped(bl_reader *r, const char **names, int count) {
    for (int i = 0; i < BL_DATA_FOLDERS; i++) {
        char path[BL_FILE_BYTES];
        snprintf(path, sizeof path, "%s/materials", bl_data_folders[i]);
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
static bl_node *find_material(bl_reader *r, const bl_node *root, const bl_node *name) {
    if (name->kind != BL_NODE_SCALAR) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "material: found %s, expected a name such as 'water'",
                    bl_node_kind_name(name));
        return NULL;
    }
    const bl_pair *materials = bl_node_find(root, "materials");
    const bl_pair *own = materials ? bl_node_find(materials->value, name->text) : NULL;
    if (own) return own->value;
    char file[128], path[BL_FILE_BYTES];
    size_t size;
    snprintf(file, sizeof file, "materials/%.64s.yaml", name->text);
    if (!is_plain_name(name->text) || !bl_find_file(name->place.source, file, path, &size)) {
        if (!bl_node_find(root, "include")) /* else it may be in the file that was not found */
            report_unknown_material(r, materials ? materials->value : NULL, name);
        return NULL;
    }
    const bl_source *source = bl_read_source(r, path, size, name->place);
    bl_node *document = source ? bl_load_document(r, source) : NULL;
    if (!document) return NULL;
    const bl_pair *shipped = bl_node_find(document, "materials");
    const bl_pair *entry = shipped ? bl_node_find(shipped->value, name->text) : NULL;
    if (!entry) bl_diag_add(r->diags, BL_DIAG_ERROR, name->place, "'%.200s' has no materials.%s", path, name->text);
    return entry ? entry->value : NULL;
}

static bool is_used(const bl_node *fluids, const char *material) {
    for (int i = 0; fluids && fluids->kind == BL_NODE_MAP && i < fluids->count; i++) {
        const bl_pair *pair = bl_node_find(fluids->pairs[i].value, "material");
        if (pair && pair->value->kind == BL_NODE_SCALAR && strcmp(pair->value->text, material) == 0) return true;
    }
    return false;
}

/* Materials that no fluid uses; the others are checked as part of their fluid. */
static void check_unused_materials(bl_reader *r, const bl_node *materials, const bl_node *fluids) {
    bl_fluid unused;
    if (materials->kind != BL_NODE_MAP) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, materials->place, "materials: found %s, expected a map of names",
                    bl_node_kind_name(materials));
        return;
    }
    size_t old = bl_reader_enter(r, "materials");
    r->partial = true;
    for (int i = 0; i < materials->count; i++) {
        if (is_used(fluids, materials->pairs[i].key)) continue;
        size_t outer = bl_reader_enter(r, materials->pairs[i].key);
        memset(&unused, 0, sizeof unused);
        bl_read_section(r, &bl_section_material, materials->pairs[i].value, materials->pairs[i].place, &unused);
        bl_reader_leave(r, outer);
    }
    r->partial = false;
    bl_reader_leave(r, old);
}

static bl_node *apply_material(bl_reader *r, const bl_node *root, bl_node *fluid) {
    const bl_pair *pair = bl_node_find(fluid, "material");
    bl_node *material = pair ? find_material(r, root, pair->value) : NULL;
    if (!material || material->kind != BL_NODE_MAP) return fluid;
    bl_node *own = bl_node_without(r->scratch, fluid, "material");
    bl_node *merged = own ? bl_node_merge(r->scratch, material, own) : NULL;
    r->no_memory |= !merged;
    return merged ? merged : fluid;
}

/* The root without `materials`, which have served. */
static bl_node *finish_materials(bl_reader *r, bl_node *root) {
    bl_node *result = bl_node_without(r->scratch, root, "materials");
    r->no_memory |= !result;
    return result ? result : root;
}

bl_node *bl_apply_materials(bl_reader *r, bl_node *root) {
    const bl_pair *materials = bl_node_find(root, "materials"), *fluids = bl_node_find(root, "fluids");
    if (materials) check_unused_materials(r, materials->value, fluids ? fluids->value : NULL);
    if (!fluids || fluids->value->kind != BL_NODE_MAP) return finish_materials(r, root);
    bl_node *map = bl_node_make(r->scratch, BL_NODE_MAP, fluids->value->place);
    bl_pair *pairs = bl_arena_zeroed(r->scratch, (size_t)fluids->value->count + 1, sizeof *pairs);
    r->no_memory |= !map || !pairs;
    if (r->no_memory) return root;
    map->pairs = pairs;
    for (int i = 0; i < fluids->value->count; i++) {
        pairs[i] = fluids->value->pairs[i];
        pairs[i].value = apply_material(r, root, pairs[i].value);
        map->size += pairs[i].value->size;
        map->count++;
    }
    bl_node *result = bl_node_with(r->scratch, root, "fluids", fluids->place, map);
    r->no_memory |= !result;
    return result ? finish_materials(r, result) : root;
}
