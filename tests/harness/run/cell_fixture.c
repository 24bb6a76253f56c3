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

static const ts_modifier_chain no_modifiers = {.text = ""};

cell_draft draft_cell(ts_arena *arena, const char *case_name, const ts_method *method) {
  const ts_case *c = ts_case_find(case_name);
  cr_assert(c, "case %s", case_name);
  cell_draft draft = {
      .cell = {.modifiers = &no_modifiers,
               .c = c,
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

/// Rows that were collected, in `arena`.
typedef struct collection {
  ts_arena *arena;
  ts_cell_rows rows;
} collection;

/// A copy of rows [count] behind those of `before`; texts are copied, too.
static void *append(ts_arena *arena, const ts_row_type *type, const void *before,
                    size_t before_count, const void *rows, size_t count) {
  char *all = ts_arena_array(arena, before_count + count, type->row_bytes);
  if (before_count > 0)
    memcpy(all, before, before_count * type->row_bytes);
  for (size_t i = 0; i < count; i++) {
    char *row = all + (before_count + i) * type->row_bytes;
    memcpy(row, (const char *)rows + i * type->row_bytes, type->row_bytes);
    for (size_t k = 0; k < type->field_count; k++)
      if (type->fields[k].kind == TS_FIELD_TEXT)
        ts_row_set_text(&type->fields[k], row,
                        ts_arena_string(arena, ts_row_text(&type->fields[k], row)));
  }
  return all;
}

static ts_status begin_nothing(void *context, int64_t step) {
  (void)context, (void)step;
  return TS_OK;
}

static ts_status collect(void *context, const ts_cell_rows *rows) {
  collection *c = context;
  ts_cell_rows *all = &c->rows;
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    ts_rows_view before = ts_cell_rows_of(all, f), more = ts_cell_rows_of(rows, f);
    void *both =
        append(c->arena, ts_results_row_type(f), before.rows, before.count, more.rows, more.count);
    ts_cell_rows_set(all, f, (ts_rows_view){both, before.count + more.count});
  }
  return TS_OK;
}

ts_status collect_cell(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                       const ts_timing *timing) {
  collection c = {.arena = arena};
  ts_status status = ts_cell_run(&(ts_cell_sink){begin_nothing, collect, &c}, cell, timing);
  *out = c.rows;
  return status;
}

ts_cell_rows run_draft(ts_arena *arena, const cell_draft *draft) {
  ts_cell_rows rows;
  cr_assert_eq(collect_cell(&rows, arena, &draft->cell, &once), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(rows.record_count, 1);
  return rows;
}

ts_cell_rows run_draft_steps(ts_arena *arena, cell_draft *draft, int64_t steps) {
  ts_cell_rows rows;
  draft->cell.steps = steps;
  cr_assert_eq(collect_cell(&rows, arena, &draft->cell, &once), TS_OK, "%s", ts_status_detail());
  return rows;
}

const ts_method *control_named(const char *name) {
  for (size_t i = 0; ts_controls[i]; i++)
    if (strcmp(ts_controls[i]->name, name) == 0)
      return ts_controls[i];
  cr_assert_fail("no control is called %s", name);
  return NULL;
}
