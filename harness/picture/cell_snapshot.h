// SPDX-License-Identifier: MIT
/// What there is to see of a cell at one moment: its scene, and with a method the bodies as that
/// gets them and its contacts, judged.
#ifndef TS_HARNESS_CELL_SNAPSHOT_H
#define TS_HARNESS_CELL_SNAPSHOT_H

#include "base/arena.h"
#include "harness/plan/plan.h"
#include "reports/export/snapshot.h"

typedef struct ts_snapshot_request {
  const ts_catalog *catalog; ///< to find them in; NULL: what is built in, with the controls
  const char *case_name;     ///< a whole name, not a pattern
  const char *method;        ///< likewise; NULL: none
  int64_t step;              ///< as in contacts.csv: 0 (as built), 2, 3, ...; 0 without a method
  size_t set_count;
  const ts_assignment *sets; ///< as in ts_plan_request
} ts_snapshot_request;

/// Runs the method in this process, up to the step, and keeps what is there to see. All is in the
/// arena. The contacts are those that `run` writes for the same cell. TS_E_INPUT for names and
/// parameters that are not there, with what there is; else the status of the method.
ts_status ts_cell_snapshot(ts_snapshot *out, ts_arena *arena, const ts_snapshot_request *request);

/// The scene of a request as built, and the parameters of its case as rows have them; in the arena.
/// The catalog must be given.
ts_status ts_cell_snapshot_scene(ts_scene **out, const char **out_parameters, ts_arena *arena,
                                 const ts_snapshot_request *request);

#endif
