// SPDX-License-Identifier: MIT
/// Runs one cell in this process: scores the scene as built, then each step of its simulation.
#ifndef TS_HARNESS_CELL_H
#define TS_HARNESS_CELL_H

#include "geometry/contact_set.h"
#include "harness/run/cell_state.h"

/// Runs a cell and leaves its rows in the arena. Returns TS_OK whenever there is a row to write: if
/// a method fails or skips, the row has the outcome and reason, and it is not an error here. The
/// only error is our own: out of memory.
///
/// There is a row for each state that the cell asks for, up to the first one that is not ok; that
/// row holds what was known before the failure, and has no contacts or samples.
ts_status ts_cell_run(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                      const ts_timing *timing);

/// The step of the last row of a cell that is ok throughout, for the requested steps (see
/// ts_plan_request).
int64_t ts_cell_last_step(int64_t steps);

/// The contacts of a method for the scene, without timing or scoring, for tests and pictures. One
/// canonical set per candidate pair, sorted by (a, b), in the arena (do not clear them); `scene` is
/// as built. Returns the failure or skip of the method.
ts_status ts_cell_contacts(ts_contact_set **out, size_t *out_count, ts_arena *arena,
                           const ts_scene *scene, const ts_method *method,
                           const double *method_values);

#endif
