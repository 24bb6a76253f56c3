// SPDX-License-Identifier: MIT
/// Explaining a row that is measured here, and one of results.
#include "harness/commands/explain.h"

#include "base/status.h"
#include "harness/commands/input.h"
#include "harness/commands/run.h"
#include "harness/explain/measure_row.h"
#include "harness/explain/result_row.h"
#include "harness/picture/cell_snapshot.h"
#include "harness/plan/shell_word.h"
#include "harness/run/rerun.h"
#include "methods/modifiers/modifier_chain.h"
#include "reports/rows/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A state to make again.
typedef struct again {
  ts_explain *e;
  ts_snapshot_request request;
} again;

/// Called with the state while its scene lives.
static ts_status look(void *context, const ts_cell_state *state) {
  ts_explain *e = context;
  TS_TRY(ts_explain_compare(e, state));
  return ts_explanation_look(&e->told, e->arena, state);
}

ts_status ts_explain_compare(ts_explain *e, const ts_cell_state *state) {
  const char *was = e->told.record.contacts_hash, *is = state->record.contacts_hash;
  if (strcmp(was, is) == 0)
    return TS_OK;
  e->differs = ts_arena_format(
      e->arena,
      "%s on %s: made again, the contacts are not those of the row (contacts_hash was %s, and is "
      "%s): another build, a file that has changed, or a method that answers anew; what follows is "
      "of those made again, counts are of the row",
      state->record.method, state->record.case_name, was, is);
  return e->differs ? TS_OK : TS_E_MEMORY;
}

static ts_status make_again(ts_made_files *out, void *context) {
  again *a = context;
  ts_explain *e = a->e;
  TS_TRY(ts_cell_snapshot(&e->snapshot, NULL, e->arena, &a->request));
  e->told.snapshot = &e->snapshot;
  return ts_explain_make(out, e);
}

/// Makes the state of a row that is ok again, and prints. Of a row that is not ok there is nothing
/// to make.
static ts_status print_row(ts_explain *e, again *a) {
  if (!ts_record_is_ok(&e->told.record))
    return ts_explain_finish(e);
  a->e = e;
  a->request.look = look;
  a->request.context = e;
  const ts_kept_files_job job = {.make = make_again,
                                 .context = a,
                                 .case_name = a->request.case_name,
                                 .method = a->request.method,
                                 .limits = ts_limits_of(e->values.limits)};
  ts_kept_files made;
  TS_TRY(ts_cell_snapshot_check(e->arena, &a->request));
  TS_TRY(ts_kept_files_make(&made, e->arena, &job));
  if (made.outcome == TS_OUTCOME_OK)
    return ts_explain_print(e, &made.files);
  e->has_failed = true;
  e->differs = ts_arena_format(e->arena,
                               "%s on %s: asked again, it %s: %s; what follows is of the row alone",
                               e->told.record.method, e->told.record.case_name,
                               ts_outcomes[made.outcome].words, made.reason);
  return e->differs ? ts_explain_finish(e) : TS_E_MEMORY;
}

// ---- measured here ----------------------------------------------------------------------------

static ts_status find_cell(ts_cell *out, ts_explain *e, const ts_catalog *catalog) {
  const ts_case *c;
  const ts_method *method;
  TS_TRY(ts_catalog_case(&c, e->arena, catalog, e->case_name));
  TS_TRY(ts_catalog_method(&method, e->arena, catalog, e->method));
  double step = e->values.score.step;
  if (step == 1)
    return ts_fail(TS_E_INPUT,
                   "there is no step 1: 0 is the scene as built, and the first step of its motion "
                   "is 2");
  ts_plan_request wanted = {.catalog = catalog,
                            .cases = e->case_name,
                            .methods = e->method,
                            .steps = step > 0 ? (int64_t)step : 1,
                            .set_count = e->values.score.sets.count,
                            .sets = e->values.score.sets.items,
                            .chain_count = e->values.score.modifiers ? 1 : 0,
                            .chains = &e->values.score.modifiers};
  ts_plan plan;
  TS_TRY(ts_plan_create(&plan, e->arena, &wanted));
  *out = plan.cells[0]; // a name matches only itself, and nothing is swept
  return TS_OK;
}

static void put_run_command(FILE *file, const ts_explain *e, const ts_limit_values *usual) {
  const ts_explain_values *v = &e->values;
  fputs("touchstone run", file);
  ts_shell_put_option(file, "--scene", &v->scenes);
  fputs(" --case ", file);
  ts_shell_put_word(file, e->case_name);
  fputs(" --method ", file);
  ts_shell_put_word(file, e->method);
  ts_shell_put_option(file, "--plugin", &v->plugins);
  fputs(v->with_engines ? " --engines" : "", file);
  fputs(strncmp(e->method, "control_", strlen("control_")) == 0 ? " --controls" : "", file);
  for (size_t i = 0; i < v->score.sets.count; i++) {
    const ts_assignment *set = &v->score.sets.items[i];
    fputs(" --set ", file);
    ts_shell_put_word(file, set->name);
    fputc('=', file);
    ts_shell_put_word(file, set->value);
  }
  if (v->score.modifiers) {
    fputs(" --modify ", file);
    ts_shell_put_word(file, v->score.modifiers);
  }
  fprintf(file, " --steps %.0f", v->score.step > 0 ? v->score.step : 1);
  if (v->limits.time_limit_s != usual->time_limit_s)
    fprintf(file, " --time-limit %.15g", v->limits.time_limit_s);
  if (v->limits.memory_limit_mib != usual->memory_limit_mib)
    fprintf(file, " --memory-limit %.15g", v->limits.memory_limit_mib);
  if (v->limits.tetgen_limit_s != usual->tetgen_limit_s)
    fprintf(file, " --tetgen-limit %.15g", v->limits.tetgen_limit_s);
}

static ts_status name_run_command(ts_explain *e, const ts_limit_values *usual) {
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (file)
    put_run_command(file, e, usual);
  bool is_whole = file && fclose(file) == 0;
  e->repeat = is_whole ? ts_arena_string(e->arena, text) : NULL;
  free(text);
  return e->repeat ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

/// The options of a run that names none.
static ts_status usual_values(ts_run_values *out, ts_arena *arena) {
  ts_arguments parsed;
  return ts_options_parse(out, &parsed, arena, &ts_command_run, 0, NULL);
}

ts_status ts_explain_cell(ts_explain *e) {
  ts_catalog catalog;
  ts_cell cell;
  ts_run_values usual;
  ts_limits limits = ts_limits_of(e->values.limits);
  TS_TRY(ts_catalog_open(&catalog, e->arena,
                         &(ts_catalog_request){.with_controls = true,
                                               .with_engines = e->values.with_engines,
                                               .plugin_count = e->values.plugins.count,
                                               .plugins = e->values.plugins.items,
                                               .scene_count = e->values.scenes.count,
                                               .scenes = e->values.scenes.items}));
  if (!e->case_name)
    e->case_name = catalog.cases[0]->name;
  TS_TRY(find_cell(&cell, e, &catalog));
  int64_t step = (int64_t)e->values.score.step;
  e->told.record =
      (ts_record){.case_name = e->case_name, .method = e->method, .step = (double)step};
  TS_TRY(ts_explain_name_picture(e, NULL));
  TS_TRY(usual_values(&usual, e->arena));
  TS_TRY(name_run_command(e, &usual.limits));
  ts_timing timing = ts_run_options_of(&usual, NULL).timing;
  TS_TRY(ts_measure_row(&e->told.record, e->arena, &cell, step, &timing, &limits));
  again a = {.request = {.catalog = &catalog,
                         .case_name = e->case_name,
                         .method = e->method,
                         .step = step,
                         .set_count = e->values.score.sets.count,
                         .sets = e->values.score.sets.items,
                         .modifiers = e->values.score.modifiers}};
  return print_row(e, &a);
}

// ---- of results -------------------------------------------------------------------------------

/// The catalog that has the case, the method and the modifiers of a row.
static ts_status open_catalog(ts_catalog *out, ts_explain *e, const ts_rerun *rerun) {
  ts_texts plugins = e->values.plugins, scenes = e->values.scenes;
  const char *scene = rerun->scene;
  if (plugins.count == 0)
    plugins = rerun->plugins;
  if (scene && scenes.count == 0)
    scenes = (ts_texts){1, &scene};
  for (size_t i = 0; i < plugins.count + scenes.count; i++) {
    bool is_plugin = i < plugins.count;
    const char *path = is_plugin ? plugins.items[i] : scenes.items[i - plugins.count];
    if (access(path, F_OK) != 0)
      return ts_fail(
          TS_E_INPUT,
          "the row was measured with the %s %s, which is not here; say where it is with --%s PATH",
          is_plugin ? "plug-in" : "scene", path, is_plugin ? "plugin" : "scene");
  }
  return ts_catalog_open(
      out, e->arena,
      &(ts_catalog_request){.with_controls = true,
                            .with_engines = rerun->needs_engines || e->values.with_engines,
                            .plugin_count = plugins.count,
                            .plugins = plugins.items,
                            .scene_count = scenes.count,
                            .scenes = scenes.items});
}

static ts_status explain_run_row(ts_explain *e, const ts_input *input, const ts_record *record,
                                 const json_t *context) {
  ts_rerun rerun;
  ts_catalog catalog;
  const ts_rerun_files now = {e->values.scenes, e->values.plugins};
  TS_TRY(ts_rerun_of_row(&rerun, e->arena, input->records, (size_t)(record - input->records),
                         context, &now));
  e->repeat = rerun.command;
  again a = {.e = e};
  if (!ts_record_is_ok(record)) // which is described without the plug-in
    return print_row(e, &a);
  TS_TRY(open_catalog(&catalog, e, &rerun));
  a.request = (ts_snapshot_request){.catalog = &catalog,
                                    .case_name = record->case_name,
                                    .method = record->method,
                                    .step = (int64_t)record->step,
                                    .set_count = rerun.sets.count,
                                    .sets = rerun.sets.items,
                                    .modifiers = *record->modifiers ? record->modifiers : NULL};
  return print_row(e, &a);
}

/// A row that `score` has written.
static ts_status explain_scored_row(ts_explain *e, const ts_input *input, const ts_record *record,
                                    const json_t *context) {
  ts_reruns reruns;
  TS_TRY(ts_reruns_of_run(&reruns, e->arena, input->records, input->count, context));
  e->repeat = reruns.commands[record - input->records];
  TS_TRY(ts_explain_scored(e, json_object_get(context, "arguments")));
  return ts_explain_finish(e);
}

static bool is_scored(const json_t *context) {
  const char *command = json_string_value(json_array_get(json_object_get(context, "arguments"), 1));
  return command && strcmp(command, "score") == 0;
}

/// Notes that the fingerprint of a row is not that of its case, method and parameters.
static ts_status note_edited(ts_explain *e, const ts_record *r) {
  const char *key;
  TS_TRY(ts_plan_name_row(&key, e->arena, r));
  if (strcmp(key, r->cell) == 0)
    return TS_OK;
  e->edited =
      ts_arena_format(e->arena,
                      "%s on %s: the row is not as it was written: its cell is %s, and that "
                      "of its case, method and parameters is %s; its measures may be those "
                      "of another cell",
                      r->method, r->case_name, r->cell, key);
  return e->edited ? TS_OK : TS_E_MEMORY;
}

/// Gives the modifiers that are asked for the text that rows have: with all their parameters.
/// Names alone stay, since they stand for any parameters, and so does what cannot be read, such as
/// a modifier of a plug-in that only the row names.
static ts_status complete_modifiers(ts_explain *e) {
  const char *text = e->values.score.modifiers;
  ts_catalog catalog;
  ts_modifier_chain chain;
  if (!text || !strchr(text, ':'))
    return TS_OK;
  TS_TRY(ts_catalog_open(&catalog, e->arena,
                         &(ts_catalog_request){.plugin_count = e->values.plugins.count,
                                               .plugins = e->values.plugins.items}));
  ts_status status =
      ts_modifier_chain_parse(&chain, e->arena, text, catalog.modifiers, catalog.modifier_count);
  if (status == TS_OK)
    e->values.score.modifiers = chain.text;
  return status == TS_E_INPUT ? TS_OK : status;
}

static ts_status explain_row(ts_explain *e, const ts_input *input, const json_t *context) {
  const ts_record *record;
  TS_TRY(complete_modifiers(e));
  if (!e->case_name) { // --scene: where the scene of the row is now
    ts_catalog catalog;
    TS_TRY(ts_catalog_open(&catalog, e->arena,
                           &(ts_catalog_request){.scene_count = e->values.scenes.count,
                                                 .scenes = e->values.scenes.items}));
    e->case_name = catalog.cases[0]->name;
  }
  const ts_row_wish wish = {.case_name = e->case_name,
                            .method = e->method,
                            .step = e->values.score.step,
                            .cell = e->values.score.cell,
                            .modifiers = e->values.score.modifiers,
                            .sets = e->values.score.sets};
  TS_TRY(ts_result_row_find(&record, e->arena, input->records, input->count, &wish, e->results));
  e->told.record = *record;
  TS_TRY(note_edited(e, record));
  TS_TRY(ts_explain_name_picture(e, input->folder));
  return is_scored(context) ? explain_scored_row(e, input, record, context)
                            : explain_run_row(e, input, record, context);
}

ts_status ts_explain_result(ts_explain *e) {
  ts_input input;
  json_t *context;
  TS_TRY(ts_input_read(&input, e->arena, e->results));
  TS_TRY(ts_input_context(&context, e->arena, &input));
  ts_status status = explain_row(e, &input, context);
  json_decref(context);
  ts_input_warn(&input);
  return status;
}
