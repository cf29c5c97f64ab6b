/* The scene reader on any bytes: no crash, no hang, no leak; and a scene that loads survives a round trip. Where the
 * input holds a zero byte, what stands before it is an override. */
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *resolve(bl_context *ctx, const bl_scene *scene) {
    bl_text text = bl_text_make(ctx);
    bl_json json = bl_json_make(&text, 0);
    bl_scene_write_json(scene, &json, NULL);
    char *copy = bl_strdup(ctx, bl_text_str(&text));
    bl_text_clear(&text);
    return copy;
}

static void check_round_trip(bl_context *ctx, const bl_scene *scene) {
    char *first = resolve(ctx, scene), *second = NULL;
    bl_scene *again = NULL;
    if (bl_scene_load_text(ctx, first, strlen(first), "again.json", NULL, 0, &again) != BL_OK) abort();
    second = resolve(ctx, again);
    if (strcmp(first, second) != 0) abort();
    bl_scene_destroy(again);
    bl_release(ctx, first);
    bl_release(ctx, second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    const char *zero = size > 0 ? memchr(text, 0, size) : NULL;
    const char *rest = zero ? zero + 1 : text;
    bl_context *ctx;
    bl_scene *scene;
    if (bl_context_create(NULL, &ctx) != BL_OK) return 0;
    bl_scene_load_text(ctx, rest, size - (size_t)(rest - text), "fuzz.yaml", &text, zero != NULL, &scene);
    if (scene) check_round_trip(ctx, scene);
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return 0;
}
