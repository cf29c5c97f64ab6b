/* A simulation in memory: made from a scene, advanced step by step, read by copying.
 *
 * One thread at a time may use a simulation and its context; the steps themselves run on the context's threads, and
 * their results do not depend on how many those are. Pointers must not be NULL unless it says so. */
#ifndef BEADLET_SIM_H
#define BEADLET_SIM_H

#include "beadlet/context.h"
#include "beadlet/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bl_sim bl_sim;

/* Sample the scene into particles at time 0. The scene must outlive the simulation and is never changed by it.
 * The caller owns *out and ends it with bl_sim_destroy; on failure *out is NULL. */
BL_API bl_status bl_sim_create(bl_context *ctx, const bl_scene *scene, bl_sim **out);
BL_API void bl_sim_destroy(bl_sim *sim); /* NULL is allowed */

/* One time step, as long as the scene's limits allow, never beyond `until` (INFINITY: no such bound; a step that
 * would leave a crumb before `until` is split evenly). Does nothing if `until` is reached. BL_ERR_DIVERGED: no
 * smaller step helped either; the simulation is back at the last good state, bl_context_error says what happened. */
BL_API bl_status bl_sim_step(bl_sim *sim, double until);
/* Steps until the time is exactly `until`. */
BL_API bl_status bl_sim_advance(bl_sim *sim, double until);

BL_API double bl_sim_time(const bl_sim *sim);    /* s */
BL_API uint64_t bl_sim_steps(const bl_sim *sim); /* steps done */
/* A number of the last step by its column name in series.csv ("dt", "energy_kinetic", ...); NaN: no such column. */
BL_API double bl_sim_value(const bl_sim *sim, const char *column);

BL_API size_t bl_sim_fluid_count(const bl_sim *sim);
BL_API size_t bl_sim_boundary_count(const bl_sim *sim);

/* Copies for reading, all in the same order, which changes from step to step (ids are stable). `xyz` has room for
 * three floats a particle, `ids` and `phases` for one number; a phase is the fluid's place in the scene, from 0. */
BL_API void bl_sim_copy_positions(const bl_sim *sim, float *xyz);
BL_API void bl_sim_copy_velocities(const bl_sim *sim, float *xyz);
BL_API void bl_sim_copy_ids(const bl_sim *sim, uint32_t *ids);
BL_API void bl_sim_copy_phases(const bl_sim *sim, uint32_t *phases);
BL_API void bl_sim_copy_boundary_positions(const bl_sim *sim, float *xyz);

/* A hash of the whole state: equal for equal states, whatever the thread count. */
BL_API uint64_t bl_sim_hash(const bl_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
