#include "output/writer.h"

#include "base/file.h"
#include "output/bodies.h"
#include "output/cleanup.h"
#include "output/formats.h"
#include "output/paths.h"
#include "output/pvd.h"
#include "output/queue.h"
#include "output/series.h"

/* What is handed to the writing thread: a frame of all sets, or the bytes of a checkpoint. */
typedef struct job {
    int frame_count; /* 0: a checkpoint */
    bl_frame *frames;
    int *sets; /* set of each frame */
    char *path, *bytes;
    size_t size;
} job;

struct bl_writer {
    bl_context *ctx;
    const bl_scene *scene;
    char *dir;
    bl_sets sets;
    bl_pvd *pvds; /* one a set; used by the writing thread once it runs */
    bl_series_writer *series;
    bl_series_writer *bodies; /* NULL: there are no rigid ones */
    bl_queue *queue;
};

bl_writer_def bl_default_writer_def(void) { return (bl_writer_def){.async = true}; }

/* --- jobs, on the writing thread --- */

static bl_status write_as(bl_context *ctx, const bl_writer *writer, const bl_set *set, const bl_frame *frame,
                          bl_frame_format format) {
    const char *ending = format == BL_FORMAT_VTU ? "vtu" : format == BL_FORMAT_PLY ? "ply" : "vtkhdf";
    char *path = bl_path_make(ctx, "%s/frames/%s_%06d.%s", writer->dir, set->file, frame->number, ending);
    if (!path) return BL_ERR_MEMORY;
    bl_status status = BL_OK;
    if (format == BL_FORMAT_VTU) status = bl_vtu_write(ctx, path, frame, writer->scene->output.base64);
    if (format == BL_FORMAT_PLY) status = bl_ply_write(ctx, path, frame);
    if (format == BL_FORMAT_VTKHDF) status = bl_vtkhdf_write(ctx, path, frame);
    bl_release(ctx, path);
    return status;
}

/* The list is renewed after the file it names is there. */
static bl_status list_frame(bl_context *ctx, bl_writer *writer, int set, const bl_frame *frame) {
    const char *file = writer->sets.items[set].file;
    char *path = bl_path_make(ctx, "%s/frames/%s.pvd", writer->dir, file);
    if (!path) return BL_ERR_MEMORY;
    bl_pvd *pvd = &writer->pvds[set];
    pvd->ctx = ctx;
    bl_status status = bl_pvd_add(pvd, frame->number, frame->time);
    if (status == BL_OK) status = bl_pvd_write(pvd, ctx, path, file);
    bl_release(ctx, path);
    return status;
}

static bl_status write_frame(bl_context *ctx, bl_writer *writer, int set, const bl_frame *frame) {
    static const bl_frame_format formats[] = {BL_FORMAT_PLY, BL_FORMAT_VTKHDF, BL_FORMAT_VTU};
    unsigned wanted = writer->scene->output.formats;
    bl_status status = BL_OK;
    for (int f = 0; f < 3 && status == BL_OK; f++)
        if (wanted & formats[f]) status = write_as(ctx, writer, &writer->sets.items[set], frame, formats[f]);
    if (status == BL_OK && (wanted & BL_FORMAT_VTU)) status = list_frame(ctx, writer, set, frame);
    return status;
}

static bl_status run_job(void *user, bl_context *ctx, void *data) {
    bl_writer *writer = user;
    job *work = data;
    bl_status status = BL_OK;
    for (int f = 0; f < work->frame_count && status == BL_OK; f++)
        status = write_frame(ctx, writer, work->sets[f], &work->frames[f]);
    if (work->bytes) status = bl_checkpoint_save(ctx, work->path, work->bytes, work->size);
    if (work->bytes && status == BL_OK)
        status = bl_checkpoint_prune(ctx, writer->dir, writer->scene->output.keep_checkpoints);
    return status;
}

static void clear_job(void *user, void *data) {
    bl_context *ctx = ((bl_writer *)user)->ctx;
    job *work = data;
    for (int f = 0; f < work->frame_count; f++) bl_frame_clear(&work->frames[f]);
    bl_release(ctx, work->frames);
    bl_release(ctx, work->sets);
    bl_release(ctx, work->path);
    bl_release(ctx, work->bytes);
    bl_release(ctx, work);
}

/* --- start --- */

static bl_status make_folder(bl_writer *writer, const char *name) {
    char *path = bl_path_make(writer->ctx, "%s/%s", writer->dir, name);
    if (!path) return BL_ERR_MEMORY;
    bl_status status = bl_dir_create(writer->ctx, path);
    bl_release(writer->ctx, path);
    return status;
}

/* Read a list and cut it behind `last_frame`. None is fine: VTU may not have been asked for before. */
static bl_status restore_list(bl_writer *writer, const char *path, const char *set_file, int last_frame, bl_pvd *out) {
    bl_status status = bl_pvd_read(writer->ctx, path, out);
    if (status == BL_ERR_NO_INPUT) return BL_OK;
    if (status != BL_OK || out->count == 0 || out->entries[out->count - 1].number <= last_frame) return status;
    bl_pvd_drop_after(out, last_frame);
    return bl_pvd_write(out, writer->ctx, path, set_file);
}

static bl_status start_list(bl_writer *writer, int set, const bl_writer_def *def) {
    const char *file = writer->sets.items[set].file;
    char *path = bl_path_make(writer->ctx, "%s/frames/%s.pvd", writer->dir, file);
    if (!path) return BL_ERR_MEMORY;
    bl_status status = def->resume ? restore_list(writer, path, file, def->resume_frame, &writer->pvds[set])
                                   : bl_file_remove(writer->ctx, path);
    bl_release(writer->ctx, path);
    return status;
}

static bl_status open_series(bl_writer *writer, const bl_writer_def *def) {
    char *path = bl_path_make(writer->ctx, "%s/series.csv", writer->dir);
    if (!path) return BL_ERR_MEMORY;
    bl_status status = bl_series_create(writer->ctx, path, def->resume, def->resume_step, &writer->series);
    bl_release(writer->ctx, path);
    return status;
}

/* A table of an earlier run without rigid bodies is not of this one. */
static bl_status open_bodies(bl_writer *writer, const bl_writer_def *def) {
    bool any = false;
    for (int b = 0; b < def->scene->boundary_count; b++) any |= def->scene->boundaries[b].rigid.given;
    char *path = bl_path_make(writer->ctx, "%s/bodies.csv", writer->dir);
    if (!path) return BL_ERR_MEMORY;
    bl_status status =
        any ? bl_table_create(writer->ctx, path, bl_bodies_header, def->resume, def->resume_step, &writer->bodies)
            : bl_file_remove(writer->ctx, path);
    bl_release(writer->ctx, path);
    return status;
}

/* Lists are cut before the files they name go, so that no list ever names a missing file. */
static bl_status prepare_directory(bl_writer *writer, const bl_writer_def *def) {
    int last_frame = def->resume ? def->resume_frame : -1;
    bl_status status = make_folder(writer, "frames");
    if (status == BL_OK) status = make_folder(writer, "checkpoints");
    for (int s = 0; s < writer->sets.count && status == BL_OK; s++) status = start_list(writer, s, def);
    if (status == BL_OK) status = bl_cleanup(writer->ctx, writer->dir, &writer->sets, last_frame, def->resume_step);
    if (status == BL_OK) status = open_series(writer, def);
    if (status == BL_OK) status = open_bodies(writer, def);
    return status;
}

static bl_status start(bl_writer *writer, const bl_writer_def *def) {
    writer->dir = bl_strdup(writer->ctx, def->dir);
    if (!writer->dir) return BL_ERR_MEMORY;
    bl_status status = bl_sets_from_scene(writer->ctx, def->scene, &writer->sets);
    if (status != BL_OK) return status;
    writer->pvds = bl_alloc(writer->ctx, (size_t)writer->sets.count, sizeof *writer->pvds);
    if (!writer->pvds) return BL_ERR_MEMORY;
    status = prepare_directory(writer, def);
    if (status == BL_OK) status = bl_queue_create(writer->ctx, def->async, run_job, clear_job, writer, &writer->queue);
    return status;
}

bl_status bl_writer_create(bl_context *ctx, const bl_writer_def *def, bl_writer **out) {
    *out = NULL;
    bl_writer *writer = bl_alloc(ctx, 1, sizeof *writer);
    if (!writer) return BL_ERR_MEMORY;
    writer->ctx = ctx;
    writer->scene = def->scene;
    bl_status status = start(writer, def);
    if (status == BL_OK)
        *out = writer;
    else
        bl_writer_destroy(writer);
    return status;
}

void bl_writer_destroy(bl_writer *writer) {
    if (!writer) return;
    bl_queue_destroy(writer->queue);
    bl_series_destroy(writer->series);
    bl_series_destroy(writer->bodies);
    for (int s = 0; s < writer->sets.count && writer->pvds; s++) bl_release(writer->ctx, writer->pvds[s].entries);
    bl_release(writer->ctx, writer->pvds);
    bl_sets_clear(&writer->sets);
    bl_release(writer->ctx, writer->dir);
    bl_release(writer->ctx, writer);
}

/* --- calls of the simulation --- */

static bl_status flush_tables(bl_writer *writer, bool to_disk) {
    bl_status status = bl_series_flush(writer->series, to_disk);
    return status == BL_OK && writer->bodies ? bl_series_flush(writer->bodies, to_disk) : status;
}

static bool is_due(const bl_writer *writer, const bl_set *set, int number) {
    if (set->kind == BL_SET_FLUID) return true;
    return writer->scene->output.boundaries && (!set->fixed || number == 0);
}

static bl_status take_frames(const bl_writer *writer, int number, double time, const bl_fluid_store *fluid,
                             const bl_boundary_store *boundary, job *work) {
    bl_status status = BL_OK;
    for (int s = 0; s < writer->sets.count && status == BL_OK; s++) {
        const bl_set *set = &writer->sets.items[s];
        if (!is_due(writer, set, number)) continue;
        bl_frame *frame = &work->frames[work->frame_count];
        status = set->kind == BL_SET_FLUID ? bl_frame_from_fluid(writer->ctx, fluid, (uint32_t)set->index, frame)
                                           : bl_frame_from_boundary(writer->ctx, boundary, (uint32_t)set->index, frame);
        frame->number = number;
        frame->time = time;
        work->sets[work->frame_count++] = s;
    }
    return status;
}

bl_status bl_writer_frame(bl_writer *writer, int number, double time, const bl_fluid_store *fluid,
                          const bl_boundary_store *boundary) {
    bl_status status = flush_tables(writer, false);
    if (status != BL_OK) return status;
    job *work = bl_alloc(writer->ctx, 1, sizeof *work);
    if (!work) return BL_ERR_MEMORY;
    work->frames = bl_alloc(writer->ctx, (size_t)writer->sets.count, sizeof *work->frames);
    work->sets = bl_alloc(writer->ctx, (size_t)writer->sets.count, sizeof *work->sets);
    status = work->frames && work->sets ? take_frames(writer, number, time, fluid, boundary, work) : BL_ERR_MEMORY;
    if (status == BL_OK) return bl_queue_add(writer->queue, work);
    clear_job(writer, work);
    return status;
}

bl_status bl_writer_bodies(bl_writer *writer, uint64_t step, double time, const bl_rigid *rigid) {
    bl_status status = BL_OK;
    for (int k = 0; k < bl_rigid_count(rigid) && status == BL_OK; k++) {
        double row[BL_BODIES_WIDTH];
        bl_bodies_row(rigid, k, step, time, row);
        status = bl_table_add(writer->bodies, row, BL_BODIES_WIDTH);
    }
    return status;
}

bl_status bl_writer_row(bl_writer *writer, const bl_observation *row) { return bl_series_add(writer->series, row); }

bl_status bl_writer_checkpoint(bl_writer *writer, const bl_checkpoint_head *head, const bl_fluid_store *fluid,
                               const bl_boundary_store *boundary, const bl_blob *blobs, int blob_count) {
    bl_status status = flush_tables(writer, true);
    if (status != BL_OK) return status;
    job *work = bl_alloc(writer->ctx, 1, sizeof *work);
    if (!work) return BL_ERR_MEMORY;
    work->path = bl_checkpoint_path(writer->ctx, writer->dir, head->frame, head->step);
    status = work->path ? bl_checkpoint_encode(writer->ctx, work->path, head, fluid, boundary, blobs, blob_count,
                                               &work->bytes, &work->size)
                        : BL_ERR_MEMORY;
    if (status == BL_OK) return bl_queue_add(writer->queue, work);
    clear_job(writer, work);
    return status;
}

bl_status bl_writer_flush(bl_writer *writer) {
    bl_status status = flush_tables(writer, false);
    bl_status queued = bl_queue_flush(writer->queue);
    return status == BL_OK ? queued : status;
}
