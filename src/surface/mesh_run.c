/* Meshes of the frames of a run: one frame in memory at a time. */
#include "beadlet/mesh.h"

#include "base/file.h"
#include "base/text.h"
#include "base/timer.h"
#include "surface/frame_input.h"
#include "surface/mesh_file.h"
#include "surface/outline.h"

#include <stdio.h>
#include <string.h>

bl_mesh_options bl_default_mesh_options(void) {
    const bl_surface_options o = bl_default_surface_options();
    return (bl_mesh_options){.frames = "all",
                             .format = "ply",
                             .cell = o.cell,
                             .smooth = o.smooth,
                             .anisotropic = o.anisotropic,
                             .decimate = o.decimate};
}

typedef struct mesh_job {
    bl_context *ctx;
    const bl_mesh_options *options;
    const char *output;
    bl_mesh_write_fn write;
    bl_reader reader;
    bl_frame_input frame;
    bl_surface_mesh mesh[BL_SURFACE_MAX_PHASES];
    int files;
} mesh_job;

static bl_status write_fluid(mesh_job *job, int set, int number) {
    const bl_set *item = &job->reader.sets.items[set];
    bl_text path = bl_text_make(job->ctx);
    bl_text_add(&path, "%s/%s_%06d.%s", job->output, item->file, number, job->options->format);
    bl_status status = path.failed ? BL_ERR_MEMORY : BL_OK;
    if (!status) status = job->write(job->ctx, bl_text_str(&path), &job->mesh[item->index], job->frame.time);
    if (!status) job->files++;
    bl_text_clear(&path);
    return status;
}

static bl_status mesh_frame(mesh_job *job, int number) {
    const double start = bl_now();
    bl_surface_input *const input = &job->frame.input;
    bl_status status = bl_frame_input_load(&job->frame, number);
    if (status) return status;
    const bool flat = job->reader.scene->dimension == 2;
    status = flat ? bl_outline_build(job->ctx, input, job->mesh) : bl_surface_build(job->ctx, input, job->mesh);
    if (status) return status;
    size_t elements = 0; /* triangles, or segments of lines */
    for (int s = 0; s < job->reader.sets.count; s++) {
        if (job->reader.sets.items[s].kind != BL_SET_FLUID) continue;
        const bl_surface_mesh *mesh = &job->mesh[job->reader.sets.items[s].index];
        elements += flat ? mesh->vertex_count : mesh->triangle_count;
        if (!status) status = write_fluid(job, s, number);
    }
    for (int k = 0; k < input->phase_count; k++) bl_surface_mesh_clear(job->ctx, &job->mesh[k]);
    if (!status)
        bl_log(job->ctx, BL_LOG_INFO, "frame %d: %zu particles, %zu %s, %.2f s", number, input->count, elements,
               flat ? "segments" : "triangles", bl_now() - start);
    return status;
}

static bl_status mesh_frames(mesh_job *job) {
    size_t first, last;
    bl_status status = bl_reader_choose_frames(&job->reader, job->options->frames, &first, &last);
    if (!status) status = bl_frame_input_init(&job->reader, &job->frame);
    if (!status) status = bl_dir_create(job->ctx, job->output);
    const bl_mesh_options *o = job->options;
    job->frame.input.options.cell = o->cell;
    job->frame.input.options.smooth = o->smooth;
    job->frame.input.options.anisotropic = o->anisotropic;
    job->frame.input.options.decimate = o->decimate;
    for (size_t k = first; !status && k <= last; k++) status = mesh_frame(job, job->reader.frames[k].number);
    return status;
}

bl_status bl_mesh_run(bl_context *ctx, const char *directory, const bl_mesh_options *options, int *files) {
    const bl_mesh_options defaults = bl_default_mesh_options();
    if (!options) options = &defaults;
    if (files) *files = 0;
    mesh_job job = {.ctx = ctx, .options = options, .write = bl_mesh_writer(options->format)};
    if (!job.write)
        return bl_fail(ctx, BL_ERR_USAGE, "unknown mesh format \"%s\": ply, obj or vtp is expected", options->format);
    bl_text output = bl_text_make(ctx);
    if (options->output)
        bl_text_add(&output, "%s", options->output);
    else
        bl_text_add(&output, "%s/mesh", directory);
    job.output = bl_text_str(&output);
    bl_status status = output.failed ? BL_ERR_MEMORY : bl_reader_open(ctx, directory, &job.reader);
    if (!status) status = mesh_frames(&job);
    if (files) *files = job.files;
    bl_frame_input_clear(&job.frame);
    bl_reader_close(&job.reader);
    bl_text_clear(&output);
    return status;
}
