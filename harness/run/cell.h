// SPDX-License-Identifier: MIT
/// Runs one cell in this process: scores the scene as built, then each step of its simulation.
#ifndef TS_HARNESS_CELL_H
#define TS_HARNESS_CELL_H

#include "geometry/contact_set.h"
#include "harness/run/cell_state.h"

/// What a cell gives its rows to, as it runs. An error that a function returns ends the cell.
typedef struct ts_cell_sink {
  /// A state begins: that of a step, or as built (0). Not every state gets rows.
  ts_status (*begin)(void *context, int64_t step);
  /// The rows of that state: one record. They are valid until the function returns.
  ts_status (*add)(void *context, const ts_cell_rows *rows);
  void *context;
} ts_cell_sink;

/// Runs a cell. Returns TS_OK whenever it gave all rows that there are: if a method fails or skips,
/// the row has the outcome and reason, and it is not an error here. TS_E_IO: this machine has no
/// process or descriptor left for the cell, which says nothing about the method; TS_E_MEMORY: we
/// are out of memory; else the errors of the sink.
///
/// There is a row for each state that the cell asks for, up to the first one that is not ok; that
/// row holds what was known before the failure, and has no contacts or samples.
ts_status ts_cell_run(const ts_cell_sink *sink, const ts_cell *cell, const ts_timing *timing);

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
