// SPDX-License-Identifier: MIT
/// Makes the snapshot of one state of a cell: its scene, and with a method also the bodies as the
/// method is given them and its contacts with their verdicts.
#ifndef TS_HARNESS_CELL_SNAPSHOT_H
#define TS_HARNESS_CELL_SNAPSHOT_H

#include "base/arena.h"
#include "harness/plan/plan.h"
#include "reports/export/snapshot.h"

typedef struct ts_snapshot_request {
  const ts_catalog *catalog; ///< to look names up in; NULL: all that is built in, with the controls
  const char *case_name;     ///< a full name, not a pattern
  const char *method;        ///< likewise; NULL: none
  int64_t step;              ///< as in contacts.csv: 0 (as built), 2, 3, ...; 0 without a method
  size_t set_count;
  const ts_assignment *sets; ///< as in ts_plan_request
} ts_snapshot_request;

/// Runs the method in this process up to the step, and stores the state there; everything is in the
/// arena. The contacts are those that `run` writes for the same cell. TS_E_INPUT, with the valid
/// names, for unknown names and parameters; otherwise the status of the method.
ts_status ts_cell_snapshot(ts_snapshot *out, ts_arena *arena, const ts_snapshot_request *request);

/// The scene of a request, and the parameters of its case as written in rows; in the arena. As
/// built it has its truth; at a later step the truth of its file would be one of exact touch, so
/// that it is unknown. The catalog must not be NULL.
ts_status ts_cell_snapshot_scene(ts_scene **out, const char **out_parameters, ts_arena *arena,
                                 const ts_snapshot_request *request);

/// The bodies of a cell where the contacts of a step above 1 are found, after a run up to there in
/// this process; in the arena, with an unknown truth.
ts_status ts_cell_scene_at(ts_scene **out, ts_arena *arena, const ts_cell *cell, int64_t step);

#endif
