/* Accelerators. A device keeps its own copy of all particle arrays and runs passes on it; the stores on the host are
 * brought up to date on request. The CPU backend works on the stores themselves and is written as a NULL device:
 * every call here accepts NULL and then does nothing, unless it says otherwise.
 *
 * Work is queued: calls return before it is done, and only reductions and fetches wait. An error (out of memory, a
 * device that was lost) is kept: the calls after it do nothing, reductions give NaN, and bl_device_status tells. */
#ifndef BL_BACKENDS_DEVICE_H
#define BL_BACKENDS_DEVICE_H

#include "backends/backend.h"
#include "neighbours/neighbours.h"
#include "particles/store.h"

typedef struct bl_device bl_device;

/* The stores and timers are the caller's and outlive the device. */
typedef struct bl_device_def {
    const char *name; /* "cpu", "opencl", "opencl:PLATFORM.DEVICE", "auto" (falls back to the CPU and logs it) */
    bl_search_def search;
    bl_fluid_store *fluid;
    bl_boundary_store *boundary;
    bl_timers *timers;
    bool walls_stand; /* all of them, for ever, and nobody asks for the forces on them: some room is saved */
} bl_device_def;

/* *out is NULL for the CPU. BL_ERR_DEVICE: there is no such device, or its compiler refuses the kernels. */
bl_status bl_device_create(bl_context *ctx, const bl_device_def *def, bl_device **out);
void bl_device_destroy(bl_device *device);
const char *bl_device_name(const bl_device *device); /* "cpu", "opencl:0.0 (NVIDIA H200)" */
bl_status bl_device_status(const bl_device *device);
size_t bl_device_memory(const bl_device *device);      /* bytes held on the device, ... */
size_t bl_device_memory_most(const bl_device *device); /* ... and the most that were at any time */
/* With `on`, the time that the device is busy with each pass, by its own clock, goes to the timers; every call then
 * waits until its work is done. */
void bl_device_profile(bl_device *device, bool on);

/* Only par, bodies and body_count of the view are looked at. The device must not be NULL. */
void bl_device_run(bl_device *device, bl_pass_id pass, const bl_view *view);
/* Several passes in one launch (BL_BUNDLES), and some with the reduction of what they wrote (BL_SETTLED). */
void bl_device_run_bundle(bl_device *device, bl_bundle_id bundle, const bl_view *view);
void bl_device_run_settled(bl_device *device, bl_settled_id settled, const bl_view *view);
/* Reductions, by their bits, are queued by one call, and another one waits for their results: ask for all, then look at
 * them. None of those that are asked for together may need another. What was asked for before and would be the same
 * again costs nothing. */
void bl_device_ask(bl_device *device, uint64_t reductions, const bl_view *view);
void bl_device_answer(bl_device *device, bl_reduction_id reduction, double *out);

/* A solve: what its reductions settle (physics/steer.h) stays on the device, and passes that are queued after it is
 * done do nothing. So the host queues iterations ahead and looks from time to time whether there is need for more. */
void bl_device_solve_begin(bl_device *device, bl_goal goal);
/* A whole solve, from its beginning to its end, where a device can run it in one launch: with `share` the pass
 * `wall_share`, all iterations, the reduction `finite`. False: it cannot. */
bool bl_device_solve_at_once(bl_device *device, bl_goal goal, bool share, const bl_view *view);
/* Whether the solve was done when this was called the last time. */
bool bl_device_solve_done(bl_device *device);
void bl_device_solve_end(bl_device *device);
/* Queues the reading of what bl_device_solve_log will be asked for: it then waits for that, but for nothing that is
 * queued after this. */
void bl_device_solve_fetch(bl_device *device, int rows);
/* The same for bl_device_answer. */
void bl_device_fetch_answers(bl_device *device);
/* Waits; the number of iterations, 0 after an error. `log` (NULL: not asked for) receives the sums of the first `rows`
 * iterations, in rows of BL_RESIDUAL_WIDTH. */
int bl_device_solve_log(bl_device *device, double *log, int rows);
/* Kernels queued so far. */
size_t bl_device_launches(const bl_device *device);

/* Lists of the present positions; nothing, if there are such. Boundary lists (bb) are gone after the next call for the
 * fluid's. */
void bl_device_find_neighbours(bl_device *device);
void bl_device_find_boundary_neighbours(bl_device *device);
/* From the next search on, walls that stand for ever and are far from liquid stay on the host, where there are many; to
 * be called once their sums over each other are made. True where walls stand, however many there are: the reduction
 * `energy_wall` then lacks what walls have without liquid (physics/bare.h), and the store has w_bb and faces of all. */
bool bl_device_leave_walls(bl_device *device);
/* Bring the fluid into a spatial order, moving all STATE fields. */
void bl_device_sort(bl_device *device, double cell);
/* Keep the STATE fields, and go back to what was kept. */
void bl_device_save(bl_device *device);
void bl_device_restore(bl_device *device);

/* Fields by their bits, 1 << BL_F_x and 1 << BL_B_x. */
#define BL_ALL_FIELDS UINT64_MAX
#define BL_BIT(field) ((uint64_t)1 << (field))
/* Make the store's arrays of these fields what the device has. */
void bl_device_fetch(bl_device *device, uint64_t fluid, uint64_t boundary);
/* The host wrote these arrays: the device takes them before its next pass. When counts change, all STATE fields must
 * have been fetched before and are said to have changed. */
void bl_device_changed(bl_device *device, uint64_t fluid, uint64_t boundary);

/* --- sources, sinks and periodic directions --- */

/* Particles that the host deals with at the end of a step: their numbers on the device in rising order, places,
 * velocities, and who is held. */
typedef struct bl_loan {
    size_t count, capacity;
    bl_index *index;
    bl_vec3 *x, *v;
    uint32_t *held;
} bl_loan;
/* Who is in one of the boxes {min, max}, was there a time dt ago, or will be there once wrapped; with `fence`, also who
 * is outside of the domain in a direction that is not periodic. Waits. The loan's arrays are kept from call to call,
 * and given back by bl_loan_clear. */
bl_status bl_device_lend(bl_device *device, const bl_vec3d (*boxes)[2], int box_count, double dt, bool fence,
                         bl_loan *loan);
void bl_loan_clear(bl_context *ctx, bl_loan *loan);
/* Brings back what left a periodic domain. */
void bl_device_wrap(bl_device *device);
/* The new places and velocities of particles that were lent. */
void bl_device_return(bl_device *device, const bl_loan *loan);
/* Removes the particles with these numbers, in rising order, then appends the last `added` particles of `from`. The
 * fluid store's count follows; its arrays have to be fetched before they are read. */
void bl_device_replace(bl_device *device, const bl_index *removed, size_t removed_count, const bl_fluid_store *from,
                       size_t added);

/* The k-th device of this machine in words, as for `beadlet info`: "opencl:0.0  NAME, ..."; false beyond the last. */
bool bl_device_describe(int k, char *text, size_t size);

#endif
