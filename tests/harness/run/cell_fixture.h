// SPDX-License-Identifier: MIT
/// Cells made by hand, for the tests of the cell and of the controls.
#ifndef TS_TESTS_HARNESS_CELL_FIXTURE_H
#define TS_TESTS_HARNESS_CELL_FIXTURE_H

#include "harness/run/cell.h"

/// A cell with writable values.
typedef struct cell_draft {
  ts_cell cell;
  double *case_values, *method_values, *scoring_values, *simulation_values;
} cell_draft;

/// A cell of this case and method with every parameter at its default; the wall is 3 x 3.
cell_draft draft_cell(ts_arena *arena, const char *case_name, const ts_method *method);

/// Sets a parameter of the case by its name.
void draft_set(ts_arena *arena, cell_draft *draft, const char *parameter, double value);

/// Runs a cell in this process; its rows are in the arena. Errors of ts_cell_run().
ts_status collect_cell(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                       const ts_timing *timing);

/// The rows of a cell, run once.
ts_cell_rows run_draft(ts_arena *arena, const cell_draft *draft);

/// Runs the cell up to this step, every one of which is scored.
ts_cell_rows run_draft_steps(ts_arena *arena, cell_draft *draft, int64_t steps);

/// One repeat, cold.
static const ts_timing once = {1, 0, 1, 1};

/// The control with this name.
const ts_method *control_named(const char *name);

#endif
