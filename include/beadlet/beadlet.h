/* Beadlet: simulation of small liquids. This header includes the whole public interface.
 *
 *   bl_context   allocator, log, threads; everything else belongs to one
 *   bl_scene     a checked scene, from a YAML or JSON file
 *   bl_sim       a simulation in memory, step by step
 *   bl_run       a whole run into a directory
 *   bl_render    pictures and films of a run
 *   bl_plot_runs plots of what runs recorded
 *   bl_report    all of it on one page
 *   bl_view_run  a run in the browser, also while it grows
 *   bl_validate  cases with known answers
 *
 * Every call that can fail returns a bl_status; bl_context_error has the message. The library never prints, never
 * exits and keeps no global state. */
#ifndef BEADLET_BEADLET_H
#define BEADLET_BEADLET_H

#include "beadlet/bench.h"
#include "beadlet/context.h"
#include "beadlet/convert.h"
#include "beadlet/info.h"
#include "beadlet/measure.h"
#include "beadlet/mesh.h"
#include "beadlet/plot.h"
#include "beadlet/render.h"
#include "beadlet/report.h"
#include "beadlet/run.h"
#include "beadlet/scene.h"
#include "beadlet/sim.h"
#include "beadlet/validate.h"
#include "beadlet/view.h"

#endif
