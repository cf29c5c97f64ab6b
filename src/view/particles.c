/* Particles and surfaces of a frame, as arrays for the page. */
#include "surface/frame_input.h"
#include "surface/outline.h"
#include "view/answers.h"

#include <string.h>

static void add_word(bl_text *body, size_t number) {
    const uint32_t word = (uint32_t)number;
    bl_text_add_bytes(body, (const char *)&word, sizeof word);
}

/* In pieces, so that no copy of the whole is needed beside the body. */
static void add_floats(bl_text *body, const bl_array *array, size_t count) {
    float piece[1024];
    const size_t total = count * (size_t)array->components, size = sizeof piece / sizeof *piece;
    const bl_array flat = {.type = array->type, .components = 1, .data = array->data};
    for (size_t from = 0; from < total; from += size) {
        const size_t some = total - from < size ? total - from : size;
        for (size_t k = 0; k < some; k++) piece[k] = (float)bl_array_value(&flat, from + k, 0);
        bl_text_add_bytes(body, (const char *)piece, some * sizeof *piece);
    }
}

static void add_frame(const bl_frame *frame, const bl_array *field, bl_text *body) {
    add_word(body, frame->count);
    add_word(body, field ? (size_t)field->components : 0);
    add_floats(body, &frame->points, frame->count);
    if (field) add_floats(body, field, frame->count);
}

void bl_answer_frame(bl_viewer *viewer, const char *query, bl_answer *out) {
    int set, number;
    char name[64];
    if (!bl_query_integer(query, "set", &set) || !bl_query_integer(query, "number", &number)) {
        bl_answer_fail(out, 400, "expected ?set=S&number=N, as in ?set=0&number=12&field=v");
        return;
    }
    if (set >= viewer->reader.sets.count) {
        bl_answer_fail(out, 404, "there is no set %d: the run has %d", set, viewer->reader.sets.count);
        return;
    }
    bl_frame frame = {0};
    const bl_status status = bl_reader_load(&viewer->reader, set, number, &frame);
    const bool wanted = bl_query_text(query, "field", name, sizeof name) && *name;
    const bl_array *field = !status && wanted ? bl_frame_array(&frame, name) : NULL;
    if (status)
        bl_answer_status(out, viewer->ctx, status);
    else if (wanted && !field)
        bl_answer_fail(out, 404, "frame %d of set %d has no field \"%s\"", number, set, name);
    else
        add_frame(&frame, field, &out->body);
    bl_frame_clear(&frame);
}

/* --- surfaces --- */

static void add_vectors(bl_text *body, const bl_vec3 *v, size_t count) {
    const bl_array array = {
        .type = sizeof(real) == sizeof(float) ? BL_ARRAY_F32 : BL_ARRAY_F64, .components = 3, .data = (void *)v};
    add_floats(body, &array, count);
}

static void add_vertices(bl_text *body, const bl_surface_mesh *mesh, size_t elements, size_t corners) {
    add_word(body, mesh->vertex_count);
    add_word(body, corners * elements);
    add_word(body, corners);
    add_vectors(body, mesh->x, mesh->vertex_count);
    add_vectors(body, mesh->normal, mesh->vertex_count);
}

static void add_triangles(bl_text *body, const bl_surface_mesh *mesh) {
    add_vertices(body, mesh, mesh->triangle_count, 3);
    bl_text_add_bytes(body, (const char *)mesh->triangle, 3 * mesh->triangle_count * sizeof *mesh->triangle);
}

/* Every vertex of a closed line begins one segment. */
static void add_lines(bl_text *body, const bl_surface_mesh *mesh) {
    add_vertices(body, mesh, mesh->vertex_count, 2);
    for (size_t l = 0; l < mesh->loop_count; l++)
        for (uint32_t k = mesh->loop[l]; k < mesh->loop[l + 1]; k++) {
            add_word(body, k);
            add_word(body, k + 1 < mesh->loop[l + 1] ? k + 1 : mesh->loop[l]);
        }
}

void bl_answer_surface(bl_viewer *viewer, const char *query, bl_answer *out) {
    int number;
    if (!bl_query_integer(query, "number", &number)) {
        bl_answer_fail(out, 400, "expected ?number=N, as in ?number=12");
        return;
    }
    const bool flat = viewer->reader.scene->dimension == 2;
    bl_surface_mesh mesh[BL_SURFACE_MAX_PHASES] = {{0}};
    bl_frame_input frame = {0};
    bl_status status = bl_frame_input_init(&viewer->reader, &frame);
    if (!status) status = bl_frame_input_load(&frame, number);
    if (!status && flat) status = bl_outline_build(viewer->ctx, &frame.input, mesh);
    if (!status && !flat) status = bl_surface_build(viewer->ctx, &frame.input, mesh);
    if (status) {
        bl_answer_status(out, viewer->ctx, status);
    } else {
        add_word(&out->body, (size_t)frame.input.phase_count);
        for (int k = 0; k < frame.input.phase_count; k++) (flat ? add_lines : add_triangles)(&out->body, &mesh[k]);
    }
    for (int k = 0; k < BL_SURFACE_MAX_PHASES; k++) bl_surface_mesh_clear(viewer->ctx, &mesh[k]);
    bl_frame_input_clear(&frame);
}
