#include "harness/run_context.h"

#include "base/status.h"
#include "harness/cell.h"

#include <inttypes.h>
#include <string.h>

#define RUN_KEY       "run"
#define ARGUMENTS_KEY "arguments"
#define CELLS_KEY     "cells"
#define PLAN_KEY      "plan"

/// The options that may be given to a run that goes on: they do not change what its rows say.
static uint64_t free_options(void) {
  static const char *const names[] = {"resume", "jobs", "time-limit", "memory-limit", "quiet"};
  uint64_t bits = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    bits |= ts_options_bit(&ts_command_run, names[i]);
  return bits;
}

static const char *plan_text(char out[17], const ts_plan *plan) {
  snprintf(out, 17, "%016" PRIx64, ts_plan_hash(plan));
  return out;
}

ts_status ts_run_context_write(json_t *context, ts_arena *arena, const ts_run_values *values,
                               const ts_plan *plan) {
  const char **arguments;
  size_t count;
  uint64_t without = ts_options_bit(&ts_command_run, "out") |
                     ts_options_bit(&ts_command_run, "resume") |
                     ts_options_bit(&ts_command_run, "quiet");
  TS_TRY(ts_options_format(&arguments, &count, arena, &ts_command_run, values, without));
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t *text = json_string(arguments[i]);
    if (!text && list) {
      json_decref(list);
      return ts_fail(TS_E_INPUT, "%.300s is not UTF-8 text", arguments[i]);
    }
    json_array_append_new(list, text);
  }
  char hash[17];
  json_t *run = json_pack("{s:o, s:I, s:s}", ARGUMENTS_KEY, list, CELLS_KEY,
                          (json_int_t)plan->cell_count, PLAN_KEY, plan_text(hash, plan));
  json_t *last_step = json_integer(ts_cell_last_step((int64_t)values->steps));
  if (!list || !run || json_object_set_new(context, RUN_KEY, run) != 0 ||
      json_object_set_new(context, TS_LAST_STEP_KEY, last_step) != 0)
    return ts_fail(TS_E_MEMORY, "out of memory");
  return TS_OK;
}

/// The arguments of the run as argv has them.
static ts_status read_arguments(char ***out, int *out_count, ts_arena *arena,
                                const json_t *context) {
  const json_t *list = json_object_get(json_object_get(context, RUN_KEY), ARGUMENTS_KEY);
  size_t count = json_array_size(list);
  char **arguments = ts_arena_array(arena, count, sizeof *arguments);
  if (!arguments)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (!text || count > 100000)
      return ts_fail(TS_E_INPUT, "context.json does not tell the arguments of a touchstone run; "
                                 "start a new run");
    arguments[i] = ts_arena_string(arena, text);
    if (!arguments[i])
      return TS_E_MEMORY;
  }
  *out = arguments;
  *out_count = (int)count;
  return count > 0
             ? TS_OK
             : ts_fail(TS_E_INPUT, "context.json does not tell the arguments of a touchstone run; "
                                   "start a new run");
}

/// Whether a row says that it is of the cell, in its key and in what the key stands for.
static bool is_of_cell(const ts_record *record, const ts_cell *cell) {
  return strcmp(record->cell, cell->key) == 0 && strcmp(record->case_name, cell->c->name) == 0 &&
         strcmp(record->case_parameters, cell->case_parameters) == 0 &&
         strcmp(record->method, cell->method->name) == 0 &&
         strcmp(record->method_parameters, cell->method_parameters) == 0 &&
         strcmp(record->scoring_parameters, cell->scoring_parameters) == 0 &&
         strcmp(record->simulation_parameters, cell->simulation_parameters) == 0;
}

/// Finds the first cell of the plan that has no rows.
static ts_status check_rows(size_t *out_first, const ts_plan *plan, const ts_record *records,
                            size_t count) {
  size_t cell = 0; // cells begun
  for (size_t i = 0; i < count; i++) {
    if (cell > 0 && is_of_cell(&records[i], &plan->cells[cell - 1]))
      continue; // a further step of the same cell
    if (cell == plan->cell_count || !is_of_cell(&records[i], &plan->cells[cell]))
      return ts_fail(TS_E_INPUT,
                     "row %zu of summary.csv is not of the run that context.json tells of; this "
                     "folder holds another run, start a new one",
                     i + 1);
    cell++;
  }
  *out_first = cell;
  return TS_OK;
}

ts_status ts_run_context_read(ts_run_values *values, ts_plan *out, size_t *out_first,
                              ts_arena *arena, const json_t *context, uint64_t given,
                              const ts_record *records, size_t count) {
  const ts_command *command = &ts_command_run;
  for (size_t i = 0; i < command->option_count; i++)
    if (given & ~free_options() & UINT64_C(1) << i)
      return ts_fail(TS_E_INPUT,
                     "--%s cannot be given with --resume, which goes on with the run as it was "
                     "begun; leave it out, or start a new run",
                     command->options[i].name);
  char **arguments = NULL;
  int argument_count = 0;
  ts_arguments parsed;
  ts_run_values stored = {0};
  TS_TRY(read_arguments(&arguments, &argument_count, arena, context));
  TS_TRY(ts_options_parse(&stored, &parsed, arena, command, argument_count, arguments));
  ts_options_copy(&stored, values, command, given);
  *values = stored;
  TS_TRY(ts_run_make_plan(out, arena, values));
  char hash[17];
  const char *begun =
      json_string_value(json_object_get(json_object_get(context, RUN_KEY), PLAN_KEY));
  if (!begun || strcmp(begun, plan_text(hash, out)) != 0)
    return ts_fail(TS_E_INPUT,
                   "this program would run other cells than the one that began the run: "
                   "cases, methods or defaults have changed; start a new run");
  return check_rows(out_first, out, records, count);
}
