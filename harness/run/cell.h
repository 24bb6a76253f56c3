// SPDX-License-Identifier: MIT
/// One cell, run in this process: the scene as built, then the steps of its simulation, each moment
/// scored.
#ifndef TS_HARNESS_CELL_H
#define TS_HARNESS_CELL_H

#include "geometry/contact_set.h"
#include "harness/run/cell_state.h"

/// Runs a cell and leaves its rows in the arena. The result is TS_OK whenever there is a row to
/// write: a method that fails or skips is the row's outcome and reason, not an error here. Errors
/// are those of our own making: out of memory.
///
/// There is a row for each moment that the cell asks for, up to the first that does not end well;
/// that one's row holds what was known before it ended, and no contacts and samples go with it.
ts_status ts_cell_run(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                      const ts_timing *timing);

/// The step of the last row of a cell that ends well, for the steps that are asked for (see
/// ts_plan_request).
int64_t ts_cell_last_step(int64_t steps);

/// The contacts a method gives for the scene, without timing or scoring: what tests and pictures
/// need. One canonical set for each candidate pair, sorted by (a, b), in the arena and not to be
/// cleared; `scene` is as built. A failure or a skip of the method is the result.
ts_status ts_cell_contacts(ts_contact_set **out, size_t *out_count, ts_arena *arena,
                           const ts_scene *scene, const ts_method *method,
                           const double *method_values);

#endif
