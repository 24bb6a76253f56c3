// SPDX-License-Identifier: MIT
#include "tests/harness/run/cell_fixture.h"

#include "base/param.h"
#include "base/status.h"
#include "harness/controls/controls.h"

#include <criterion/criterion.h>
#include <string.h>

static double *defaults(ts_arena *arena, const ts_param *params, size_t count) {
  double *values = ts_arena_array(arena, count, sizeof *values);
  ts_param_defaults(values, params, count);
  return values;
}

cell_draft draft_cell(ts_arena *arena, const char *case_name, const ts_method *method) {
  const ts_case *c = ts_case_find(case_name);
  cr_assert(c, "case %s", case_name);
  cell_draft draft = {
      .cell = {.c = c,
               .method = method,
               .key = "0123456789abcdef",
               .case_parameters = "a=1",
               .method_parameters = "b=2",
               .scoring_parameters = "c=3",
               .simulation_parameters = "d=4",
               .steps = 1},
      .case_values = defaults(arena, ts_case_params(arena, c), ts_case_param_count(c)),
      .method_values = defaults(arena, method->params, method->param_count),
      .scoring_values = defaults(arena, ts_scoring_params, TS_SCORING_COUNT),
      .simulation_values = defaults(arena, ts_simulation_params, TS_SIMULATION_COUNT)};
  draft.cell.case_values = draft.case_values;
  draft.cell.method_values = draft.method_values;
  draft.cell.scoring_values = draft.scoring_values;
  draft.cell.simulation_values = draft.simulation_values;
  if (strcmp(case_name, "wall") == 0) {
    draft_set(arena, &draft, "layers", 3);
    draft_set(arena, &draft, "span", 3);
  }
  return draft;
}

void draft_set(ts_arena *arena, cell_draft *draft, const char *parameter, double value) {
  const ts_case *c = draft->cell.c;
  int index = ts_param_find(ts_case_params(arena, c), ts_case_param_count(c), parameter);
  cr_assert_geq(index, 0, "parameter %s", parameter);
  draft->case_values[index] = value;
}

ts_cell_rows run_draft(ts_arena *arena, const cell_draft *draft) {
  ts_cell_rows rows;
  cr_assert_eq(ts_cell_run(&rows, arena, &draft->cell, &once), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(rows.record_count, 1);
  return rows;
}

ts_cell_rows run_draft_steps(ts_arena *arena, cell_draft *draft, int64_t steps) {
  ts_cell_rows rows;
  draft->cell.steps = steps;
  cr_assert_eq(ts_cell_run(&rows, arena, &draft->cell, &once), TS_OK, "%s", ts_status_detail());
  return rows;
}

const ts_method *control_named(const char *name) {
  for (size_t i = 0; ts_controls[i]; i++)
    if (strcmp(ts_controls[i]->name, name) == 0)
      return ts_controls[i];
  cr_assert_fail("no control is called %s", name);
  return NULL;
}
