/* Loading: read, merge, override, check. */
#include "base/file.h"
#include "scene/include.h"

#include <string.h>
#include <sys/stat.h>

/* The file's name without folder and ending: the scene's name if it gives none. */
static char *stem(bl_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return bl_arena_text(arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static void read_scene(bl_reader *r, const bl_source *source, const char *const *overrides, int count) {
    bl_node *root = bl_load_document(r, source);
    if (!root) return;
    bl_node *chosen = root; /* an override may choose the quality, and all of them win over it */
    for (int i = 0; i < count; i++)
        if (strncmp(overrides[i], "quality=", 8) == 0) chosen = bl_apply_override(r, chosen, overrides[i]);
    root = chosen ? bl_apply_quality(r, chosen) : NULL;
    for (int i = 0; root && i < count; i++)
        if (strncmp(overrides[i], "quality=", 8) != 0) root = bl_apply_override(r, root, overrides[i]);
    if (!root) return;
    root = bl_apply_materials(r, root);
    bl_place top = {source, 1, 1, 1};
    r->scene->dimension = 3; /* until the key is read */
    bl_read_section(r, &bl_section_scene, root, top, r->scene);
    if (!r->scene->name) r->scene->name = stem(r->memory, source->name);
    r->no_memory |= !r->scene->name;
}

static bl_scene *make_scene(bl_context *ctx, const char *path) {
    bl_scene *scene = bl_alloc(ctx, 1, sizeof *scene);
    if (!scene) return NULL;
    scene->ctx = ctx;
    if (bl_arena_create(ctx, "scene", &scene->memory) != BL_OK ||
        !(scene->path = bl_arena_text(scene->memory, path, strlen(path)))) {
        bl_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

static bl_status load_into(bl_scene *scene, bl_diags *diags, const char *text, size_t size,
                           const char *const *overrides, int count) {
    bl_reader reader = {
        .ctx = scene->ctx, .scene = scene, .memory = scene->memory, .scratch = diags->arena, .diags = diags};
    const bl_source *source = bl_add_source(&reader, scene->path, text, size);
    if (source) read_scene(&reader, source, overrides, count);
    bl_status status = bl_diags_report(diags, scene->path);
    if (reader.no_memory || (status == BL_OK && !scene->name))
        return bl_fail(scene->ctx, BL_ERR_MEMORY, "%s: out of memory while reading the scene", scene->path);
    return status;
}

bl_status bl_scene_load_text(bl_context *ctx, const char *text, size_t size, const char *name,
                             const char *const *overrides, int count, bl_scene **out) {
    *out = NULL;
    if (size > BL_SCENE_MAX_BYTES)
        return bl_fail(ctx, BL_ERR_DATA, "%s: larger than 8 MiB, too large for a scene", name);
    bl_scene *scene = make_scene(ctx, name);
    bl_diags *diags = bl_alloc(ctx, 1, sizeof *diags);
    bl_status status = BL_ERR_MEMORY;
    if (scene && diags && bl_arena_create(ctx, "scene reader", &diags->arena) == BL_OK) {
        diags->ctx = ctx;
        status = load_into(scene, diags, text, size, overrides, count);
        bl_arena_destroy(diags->arena);
    }
    bl_release(ctx, diags);
    if (status == BL_OK)
        *out = scene;
    else
        bl_scene_destroy(scene);
    return status;
}

bl_status bl_scene_load(bl_context *ctx, const char *path, const char *const *overrides, int count, bl_scene **out) {
    struct stat info;
    *out = NULL;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return bl_fail(
            ctx, BL_ERR_NO_INPUT,
            "%s: found a folder, expected a scene file such as drop.yaml; to go on with the run in a folder: "
            "beadlet run SCENE -o %s --resume",
            path, path);
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > BL_SCENE_MAX_BYTES)
        return bl_fail(ctx, BL_ERR_DATA, "%s: larger than 8 MiB, too large for a scene", path);
    char *text = NULL;
    size_t size = 0;
    bl_status status = bl_file_read(ctx, path, &text, &size);
    if (status == BL_OK) status = bl_scene_load_text(ctx, text, size, path, overrides, count, out);
    bl_release(ctx, text);
    return status;
}

void bl_scene_destroy(bl_scene *scene) {
    if (!scene) return;
    bl_arena_destroy(scene->memory);
    bl_release(scene->ctx, scene);
}
