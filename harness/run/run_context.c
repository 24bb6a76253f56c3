// SPDX-License-Identifier: MIT
#include "harness/run/run_context.h"

#include "base/status.h"
#include "harness/dataset/dataset_source.h"
#include "harness/plan/shard.h"
#include "harness/plan/shell_word.h"
#include "harness/run/cell.h"
#include "reports/rows/context.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define RUN_KEY       "run"
#define ARGUMENTS_KEY "arguments"
#define CELLS_KEY     "cells"
#define PLAN_KEY      "plan"
#define SCENES_KEY    "scenes"
#define PLUGINS_KEY   "plugins"
#define PLUGIN_OPTION "--plugin="
#define SCENE_OPTION  "--scene="

/// The options that are allowed together with --resume: they do not change the contents of rows.
/// --plugin is allowed because the plug-ins must be the same ones, wherever their files are now.
static uint64_t free_options(void) {
  static const char *const names[] = {"resume",       "jobs",         "time-limit",
                                      "memory-limit", "tetgen-limit", "quiet",
                                      "plugin",       "scene",        "gzip"};
  uint64_t bits = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    bits |= ts_options_bit(&ts_command_run, names[i]);
  return bits;
}

static const char *plan_text(char out[17], const ts_plan *plan) {
  snprintf(out, 17, "%016" PRIx64, ts_plan_hash(plan));
  return out;
}

/// What is recorded of a plug-in's path: results get published, and an absolute path reveals people
/// and machines.
static const char *public_path(const char *path) {
  return path[0] == '/' ? strrchr(path, '/') + 1 : path;
}

/// The current plug-ins: [{"file", "hash", "methods": [{"name", "source"}], "modifiers":
/// [{"name"}]}]; NULL when out of memory.
static json_t *describe_plugins(const ts_plan *plan) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < plan->plugin_count; i++) {
    const ts_plugin *plugin = plan->plugins[i];
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, plugin->hash);
    json_t *methods = json_array();
    for (size_t k = 0; k < plugin->method_count; k++)
      json_array_append_new(methods, json_pack("{s:s, s:s}", "name", plugin->methods[k]->name,
                                               "source", plugin->methods[k]->source));
    json_t *modifiers = json_array();
    for (size_t k = 0; k < plugin->modifier_count; k++)
      json_array_append_new(modifiers, json_pack("{s:s}", "name", plugin->modifiers[k]->name));
    // A path is not necessarily valid UTF-8.
    json_t *file = json_string(public_path(plugin->path));
    json_array_append_new(list,
                          json_pack("{s:o, s:s, s:o, s:o}", "file", file ? file : json_null(),
                                    "hash", hash, "methods", methods, "modifiers", modifiers));
  }
  return list;
}

const json_t *ts_run_context_plugins(const json_t *context) {
  return json_object_get(json_object_get(context, RUN_KEY), PLUGINS_KEY);
}

const char *ts_run_context_plugin_of(const json_t *plugins, const char *what, const char *name) {
  for (size_t i = 0; i < json_array_size(plugins); i++) {
    const json_t *plugin = json_array_get(plugins, i), *has = json_object_get(plugin, what);
    for (size_t k = 0; k < json_array_size(has); k++) {
      const char *one = json_string_value(json_object_get(json_array_get(has, k), "name"));
      if (one && strcmp(one, name) == 0)
        return json_string_value(json_object_get(plugin, "file"));
    }
  }
  return NULL;
}

/// The scene files that cases come from: [{"file", "case", "parameters", "hash"}]; NULL when out of
/// memory.
static json_t *describe_scenes(const ts_plan *plan) {
  json_t *list = json_array();
  const ts_case *last = NULL;
  for (size_t i = 0; list && i < plan->cell_count; i++) {
    const ts_case *c = plan->cells[i].c;
    if (!c->origin.path || c == last)
      continue;
    last = c; // cells of a case are consecutive
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, c->origin.hash);
    json_t *file = json_string(public_path(c->origin.path));
    json_array_append_new(list, json_pack("{s:o, s:s, s:s, s:s}", "file", file ? file : json_null(),
                                          "case", c->name, "parameters", c->origin.parameters,
                                          "hash", hash));
  }
  return list;
}

/// Notes which version of the data set the scene files are of.
static ts_status put_dataset(json_t *context, ts_arena *arena, const ts_plan *plan) {
  ts_dataset_source source = {.arena = arena};
  const ts_case *last = NULL;
  for (size_t i = 0; i < plan->cell_count; i++) {
    const ts_case *c = plan->cells[i].c;
    if (!c->origin.path || c == last)
      continue;
    last = c; // cells of a case are consecutive
    ts_status status = ts_dataset_source_add(&source, c->origin.path);
    if (status != TS_OK) {
      ts_dataset_source_drop(&source);
      return status;
    }
  }
  return ts_dataset_source_put(&source, context);
}

const json_t *ts_run_context_scenes(const json_t *context) {
  return json_object_get(json_object_get(context, RUN_KEY), SCENES_KEY);
}

/// Refuses to resume with scene files that have changed.
static ts_status check_scenes(const json_t *begun, const ts_plan *plan) {
  json_t *now = describe_scenes(plan);
  if (!now)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = TS_OK;
  for (size_t i = 0; i < json_array_size(now) && status == TS_OK; i++) {
    const json_t *was = json_array_get(begun, i), *is = json_array_get(now, i);
    const char *file = json_string_value(json_object_get(is, "file"));
    if (!json_equal(json_object_get(was, "hash"), json_object_get(is, "hash")))
      status = ts_fail(TS_E_INPUT,
                       "scene %.300s, or one of its meshes, has changed since the run began, so "
                       "rows would not be comparable; start a new run",
                       file ? file : "");
  }
  json_decref(now);
  return status;
}

/// Refuses to resume with plug-ins other than those that the run began with.
static ts_status check_plugins(const json_t *begun, const ts_plan *plan) {
  json_t *now = describe_plugins(plan);
  if (!now)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = TS_OK;
  size_t count = json_array_size(begun);
  if (count != json_array_size(now))
    status = ts_fail(TS_E_INPUT,
                     "the run began with methods of %zu plug-ins and engines, but now there are "
                     "%zu; restore the missing ones, or start a new run",
                     count, json_array_size(now));
  for (size_t i = 0; i < count && status == TS_OK; i++) {
    const json_t *was = json_array_get(begun, i), *is = json_array_get(now, i);
    if (!json_equal(json_object_get(was, "methods"), json_object_get(is, "methods")))
      status = ts_fail(TS_E_INPUT,
                       "plug-in %.300s has other methods, or methods from another source, than "
                       "when the run began; start a new run",
                       plan->plugins[i]->path);
    else if (!json_equal(json_object_get(was, "hash"), json_object_get(is, "hash")))
      status = ts_fail(TS_E_INPUT,
                       "plug-in %.300s has changed since the run began, so rows would not be "
                       "comparable; start a new run",
                       plan->plugins[i]->path);
  }
  json_decref(now);
  return status;
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
    for (size_t k = 0; k < 2; k++) {
      const char *option = k == 0 ? PLUGIN_OPTION : SCENE_OPTION;
      size_t length = strlen(option);
      if (arguments[i] && strncmp(arguments[i], option, length) == 0)
        arguments[i] = ts_arena_format(arena, "%s%s", option, public_path(arguments[i] + length));
    }
    if (!arguments[i])
      return TS_E_MEMORY;
    json_t *text = json_string(arguments[i]);
    if (!text && list) {
      json_decref(list);
      return ts_fail(TS_E_INPUT, "%.300s is not UTF-8 text", arguments[i]);
    }
    json_array_append_new(list, text);
  }
  char hash[17];
  ts_shard shard;
  TS_TRY(ts_shard_parse(&shard, values->shard));
  json_t *run = json_pack("{s:o, s:I, s:I, s:s, s:o, s:o}", ARGUMENTS_KEY, list, CELLS_KEY,
                          (json_int_t)ts_shard_cells(shard, plan->cell_count), TS_PLAN_CELLS_KEY,
                          (json_int_t)plan->cell_count, PLAN_KEY, plan_text(hash, plan),
                          PLUGINS_KEY, describe_plugins(plan), SCENES_KEY, describe_scenes(plan));
  json_t *last_step = json_integer(ts_cell_last_step((int64_t)values->steps));
  if (!list || !run || json_object_set_new(context, RUN_KEY, run) != 0 ||
      json_object_set_new(context, TS_LAST_STEP_KEY, last_step) != 0)
    return ts_fail(TS_E_MEMORY, "out of memory");
  return put_dataset(context, arena, plan);
}

ts_status ts_run_context_add_part(json_t *context, const ts_run_values *values, size_t first) {
  json_t *options =
      json_pack("{s:I, s:f, s:f, s:f}", "jobs", (json_int_t)values->jobs, "time_limit_s",
                values->limits.time_limit_s, "memory_limit_mib", values->limits.memory_limit_mib,
                "tetgen_limit_s", values->limits.tetgen_limit_s);
  return options ? ts_context_add_part(context, first, options)
                 : ts_fail(TS_E_MEMORY, "out of memory");
}

static void put_paths(FILE *file, const char *option, const ts_texts *paths) {
  bool any_absolute = false;
  for (size_t i = 0; i < paths->count; i++)
    any_absolute = any_absolute || paths->items[i][0] == '/';
  if (any_absolute)
    ts_shell_put_option(file, option, paths);
}

char *ts_run_context_paths(ts_arena *arena, const ts_run_values *values) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  if (!file)
    return NULL;
  put_paths(file, "--plugin", &values->plugins);
  put_paths(file, "--scene", &values->scenes);
  char *paths = fclose(file) == 0 ? ts_arena_string(arena, text) : NULL;
  free(text);
  return paths;
}

/// Writes jobs and limits that are not the default.
static ts_status put_limits(FILE *file, ts_arena *arena, const ts_run_values *values) {
  static const char *const names[] = {"jobs", "time-limit", "memory-limit", "tetgen-limit"};
  const ts_command *command = &ts_command_run;
  ts_run_values defaults = {0};
  ts_arguments parsed;
  const char **now, **usual;
  size_t count, usual_count;
  uint64_t without = ~UINT64_C(0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    without &= ~ts_options_bit(command, names[i]);
  TS_TRY(ts_options_parse(&defaults, &parsed, arena, command, 0, NULL));
  TS_TRY(ts_options_format(&now, &count, arena, command, values, without));
  TS_TRY(ts_options_format(&usual, &usual_count, arena, command, &defaults, without));
  for (size_t i = 0; i < count && i < usual_count; i++)
    if (strcmp(now[i], usual[i]) != 0)
      fprintf(file, " %s", now[i]);
  return TS_OK;
}

char *ts_run_context_command(ts_arena *arena, const char *program, const ts_run_values *values,
                             const char *folder) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  if (!file)
    return NULL;
  fprintf(file, "%s run --resume ", program);
  ts_shell_put_word(file, folder);
  const char *paths = ts_run_context_paths(arena, values);
  fputs(paths ? paths : "", file);
  ts_status status = paths ? put_limits(file, arena, values) : TS_E_MEMORY;
  bool is_whole = fclose(file) == 0;
  char *command = is_whole && status == TS_OK ? ts_arena_string(arena, text) : NULL;
  free(text);
  return command;
}

/// The arguments of the run, in the form of argv.
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
      return ts_fail(
          TS_E_INPUT,
          "context.json does not contain the arguments of a touchstone run; start a new run");
    arguments[i] = ts_arena_string(arena, text);
    if (!arguments[i])
      return TS_E_MEMORY;
  }
  *out = arguments;
  *out_count = (int)count;
  return count > 0 ? TS_OK
                   : ts_fail(TS_E_INPUT, "context.json does not contain the arguments of a "
                                         "touchstone run; start a new run");
}

/// Whether a row belongs to the cell, by its key and by the identity behind the key.
static bool is_of_cell(const ts_record *record, const ts_cell *cell) {
  return strcmp(record->cell, cell->key) == 0 && strcmp(record->case_name, cell->c->name) == 0 &&
         strcmp(record->case_parameters, cell->case_parameters) == 0 &&
         strcmp(record->method, cell->method->name) == 0 &&
         strcmp(record->method_parameters, cell->method_parameters) == 0 &&
         strcmp(record->scoring_parameters, cell->scoring_parameters) == 0 &&
         strcmp(record->simulation_parameters, cell->simulation_parameters) == 0 &&
         strcmp(record->modifiers, cell->modifiers->text) == 0;
}

/// Finds the first cell of the plan without rows.
static ts_status check_rows(size_t *out_first, const ts_plan *plan, const ts_record *records,
                            size_t count) {
  size_t cell = 0; // cells begun
  for (size_t i = 0; i < count; i++) {
    if (cell > 0 && is_of_cell(&records[i], &plan->cells[cell - 1]))
      continue; // another step of the same cell
    if (cell == plan->cell_count || !is_of_cell(&records[i], &plan->cells[cell]))
      return ts_fail(TS_E_INPUT,
                     "row %zu of summary.csv does not belong to the run that context.json "
                     "describes; the folder has rows of another run, start a new one",
                     i + 1);
    cell++;
  }
  *out_first = cell;
  return TS_OK;
}

static ts_status add_to_detail(ts_status status, const char *more) {
  char detail[900];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(status, "%s%s", detail, more);
}

ts_status ts_run_context_check_given(uint64_t given) {
  const ts_command *command = &ts_command_run;
  for (size_t i = 0; i < command->option_count; i++)
    if (given & ~free_options() & UINT64_C(1) << i)
      return ts_fail(TS_E_INPUT,
                     "--%s cannot be combined with --resume, which continues the run with its "
                     "original options; leave it out, or start a new run",
                     command->options[i].name);
  return TS_OK;
}

ts_status ts_run_context_read(ts_run_values *values, ts_plan *out, size_t *out_first,
                              ts_arena *arena, const json_t *context, uint64_t given,
                              const ts_record *records, size_t count) {
  const ts_command *command = &ts_command_run;
  char **arguments = NULL;
  int argument_count = 0;
  ts_arguments parsed;
  ts_run_values stored = {0};
  TS_TRY(read_arguments(&arguments, &argument_count, arena, context));
  TS_TRY(ts_options_parse(&stored, &parsed, arena, command, argument_count, arguments));
  ts_options_copy(&stored, values, command, given);
  *values = stored;
  ts_status status = ts_run_make_plan(out, arena, values);
  if (status != TS_OK && values->plugins.count > 0 && !(given & ts_options_bit(command, "plugin")))
    status = add_to_detail(
        status, "; if it has moved, give its new path with --plugin in addition to --resume");
  if (status != TS_OK && values->scenes.count > 0 && !(given & ts_options_bit(command, "scene")))
    status = add_to_detail(
        status, "; if the scene has moved, give its new path with --scene in addition to --resume");
  TS_TRY(status);
  TS_TRY(check_plugins(ts_run_context_plugins(context), out));
  TS_TRY(check_scenes(ts_run_context_scenes(context), out));
  char hash[17];
  const char *begun =
      json_string_value(json_object_get(json_object_get(context, RUN_KEY), PLAN_KEY));
  if (!begun || strcmp(begun, plan_text(hash, out)) != 0)
    return ts_fail(TS_E_INPUT, "this touchstone would run different cells than the one that began "
                               "the run: cases, methods or defaults have changed; start a new run");
  ts_shard shard;
  TS_TRY(ts_shard_parse(&shard, values->shard));
  ts_shard_take(out, shard);
  return check_rows(out_first, out, records, count);
}
