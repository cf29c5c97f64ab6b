/* Checks of emitters, rain, printers and sinks. */
#include "scene/check.h"
#include "scene/reader.h"

static void check_period(bl_reader *r, const bl_node *node, double start, double stop) {
    if (stop > 0 && !(stop > start)) bl_check_fail(r, node, "stop", "stop is not after start");
}

void bl_check_emitter(bl_reader *r, const bl_node *node, void *object) {
    const bl_emitter *emitter = object;
    bool flat = r->scene->dimension == 2;
    bool round = emitter->radius > 0, rectangle = emitter->width > 0, surface = emitter->shape_count > 0;
    if (round + rectangle + surface != 1)
        bl_check_fail(r, node, "", "an emitter has one opening: radius, or width and height, or shapes");
    else if (rectangle && !flat && !(emitter->height > 0))
        bl_check_fail(r, node, "width", "width needs a height");
    bool speed = bl_check_given(node, "speed"), rate = bl_check_given(node, "rate");
    if (speed == rate) bl_check_fail(r, node, rate ? "rate" : "", "an emitter needs a speed or a rate, one of both");
    if (rate && flat) bl_check_fail(r, node, "rate", "a 2D scene has no volume per time; give a speed");
    if (!surface && bl_v3d_norm2(emitter->direction) == 0) bl_check_fail(r, node, "direction", "direction is zero");
    if (!surface && flat && emitter->direction.x == 0 && emitter->direction.y == 0)
        bl_check_fail(r, node, "direction", "in 2D the direction lies in the plane: give x and y");
    for (int k = 0; k < emitter->shape_count; k++)
        if (emitter->shapes[k].kind == BL_SHAPE_HALF_SPACE)
            bl_check_fail(r, node, "shapes", "a half_space has no end; use a plane with a size");
    check_period(r, node, emitter->start, emitter->stop);
}

void bl_check_rain(bl_reader *r, const bl_node *node, void *object) {
    bl_rain *rain = object;
    if (!bl_check_given(node, "seed")) rain->seed = r->scene->seed;
    if (rain->min.x > rain->max.x || rain->min.y > rain->max.y || rain->min.z > rain->max.z)
        bl_check_fail(r, node, "max", "max lies below min");
    if (!bl_check_given(node, "velocity") && bl_curve_largest(&r->scene->gravity, 0, 0) == 0)
        bl_check_fail(r, node, "", "without gravity rain needs a velocity");
    check_period(r, node, rain->start, rain->stop);
}

void bl_check_printer(bl_reader *r, const bl_node *node, void *object) {
    const bl_printer *printer = object;
    if (printer->bitmap && !(printer->pitch > 0)) bl_check_fail(r, node, "bitmap", "a bitmap needs a pitch");
    check_period(r, node, printer->start, printer->stop);
}

void bl_check_sink(bl_reader *r, const bl_node *node, void *object) {
    const bl_sink *sink = object;
    for (int k = 0; k < sink->shape_count; k++)
        if (bl_shape_has_sheet(&sink->shapes[k]))
            bl_check_fail(r, node, "shapes", "a plane has no inside; use a half_space");
    check_period(r, node, sink->start, sink->stop);
}

static bool has_source(const bl_scene *scene, int fluid) {
    for (int k = 0; k < scene->emitter_count; k++)
        if (scene->emitters[k].fluid == fluid) return true;
    for (int k = 0; k < scene->rain_count; k++)
        if (scene->rain[k].fluid == fluid) return true;
    for (int k = 0; k < scene->printer_count; k++)
        if (scene->printers[k].fluid == fluid) return true;
    return false;
}

void bl_check_fluid_sources(bl_reader *r, const bl_node *node) {
    size_t offset;
    const bl_section *section = bl_section_find(&bl_section_scene, "fluids", &offset)->section;
    const bl_key *key = bl_section_find(section, "volumes", &offset);
    const bl_pair *fluids = bl_node_find(node, "fluids");
    for (int f = 0; fluids && f < r->scene->fluid_count; f++) {
        if (r->scene->fluids[f].volume_count > 0 || has_source(r->scene, f)) continue;
        const bl_pair *fluid = &fluids->value->pairs[f], *volumes = bl_node_find(fluid->value, "volumes");
        if (!volumes && fluid->value->kind == BL_NODE_MAP && !bl_key_is_excused(section, fluid->value, key))
            bl_diag_add(r->diags, BL_DIAG_ERROR, fluid->place,
                        "missing key 'volumes' in fluids.%s; expected something like 'volumes: %s'", fluid->key,
                        key->example);
        else if (volumes && volumes->value->kind == BL_NODE_LIST && volumes->value->count == 0)
            bl_diag_add(r->diags, BL_DIAG_ERROR, volumes->value->place,
                        "fluids.%s.volumes: empty; at least one shape is needed, such as '%s'", fluid->key,
                        key->example);
    }
}
