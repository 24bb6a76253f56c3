// SPDX-License-Identifier: MIT
#include "harness/run/rerun.h"

#include "base/number.h"
#include "base/param.h"
#include "base/status.h"
#include "harness/plan/plan.h"
#include "harness/plan/shell_word.h"
#include "harness/run/run_context.h"
#include "methods/modifiers/modifier_registry.h"
#include "methods/plugins/engines.h"
#include "methods/registry.h"
#include "reports/rows/context.h"
#include "reports/rows/modified_names.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// An owner of parameters, and their defaults.
typedef struct owner {
  const char *name;
  const char *defaults; ///< "name=value;name=value"
} owner;

typedef struct book {
  ts_arena *arena;
  owner *cases, *methods; ///< [case_count], [method_count]
  size_t case_count, method_count;
  owner scoring, simulation;
  size_t first_control;  ///< the methods from here on need --controls
  const json_t *plugins; ///< of the run; NULL: unknown
  const json_t *scenes;  ///< likewise
  const json_t *parts;   ///< likewise
  ts_run_values defaults;
} book;

static ts_status add_owner(owner *out, ts_arena *arena, const char *name, const ts_param *params,
                           size_t count) {
  double *values = ts_arena_array(arena, count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  ts_param_defaults(values, params, count);
  *out = (owner){name, ts_param_join(arena, params, count, values)};
  return out->defaults ? TS_OK : TS_E_MEMORY;
}

static ts_status open_cases(book *b) {
  ts_catalog catalog;
  TS_TRY(ts_catalog_create(&catalog, b->arena, false));
  b->case_count = catalog.case_count;
  b->cases = ts_arena_array(b->arena, b->case_count, sizeof *b->cases);
  if (!b->cases)
    return TS_E_MEMORY;
  for (size_t i = 0; i < b->case_count; i++) {
    const ts_param *params = ts_case_params(b->arena, catalog.cases[i]);
    if (!params)
      return TS_E_MEMORY;
    TS_TRY(add_owner(&b->cases[i], b->arena, catalog.cases[i]->name, params,
                     ts_case_param_count(catalog.cases[i])));
  }
  return TS_OK;
}

static ts_status open_methods(book *b) {
  ts_catalog plain, all;
  TS_TRY(ts_catalog_create(&plain, b->arena, false));
  TS_TRY(ts_catalog_create(&all, b->arena, true));
  b->first_control = plain.method_count;
  b->method_count = all.method_count;
  b->methods = ts_arena_array(b->arena, b->method_count, sizeof *b->methods);
  if (!b->methods)
    return TS_E_MEMORY;
  for (size_t i = 0; i < b->method_count; i++)
    TS_TRY(add_owner(&b->methods[i], b->arena, all.methods[i]->name, all.methods[i]->params,
                     all.methods[i]->param_count));
  return TS_OK;
}

static ts_status open_book(book *out, ts_arena *arena, const json_t *context) {
  *out = (book){.arena = arena,
                .plugins = ts_run_context_plugins(context),
                .scenes = ts_run_context_scenes(context),
                .parts = ts_context_parts(context)};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&out->defaults, &parsed, arena, &ts_command_run, 0, NULL));
  TS_TRY(open_cases(out));
  TS_TRY(open_methods(out));
  TS_TRY(add_owner(&out->scoring, arena, "scoring", ts_scoring_params, TS_SCORING_COUNT));
  return add_owner(&out->simulation, arena, "simulation", ts_simulation_params,
                   TS_SIMULATION_COUNT);
}

/// The owner of that name; one without defaults if not found.
static owner find_owner(const owner *owners, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(owners[i].name, name) == 0)
      return owners[i];
  return (owner){name, ""};
}

/// Two texts that are written in parallel, and the same as data.
typedef struct pair {
  FILE *name, *command;
  ts_rerun *rerun;
  const ts_rerun_files *now;
} pair;

/// Adds an assignment "owner.name=value", given as one word, which is kept.
static ts_status add_set(ts_assignments *sets, ts_arena *arena, char *word) {
  ts_assignment *items = ts_arena_array(arena, sets->count + 1, sizeof *items);
  char *equals = strchr(word, '=');
  if (!items)
    return TS_E_MEMORY;
  if (!equals)
    return TS_OK; // the row was written by something else
  if (sets->count > 0)
    memcpy(items, sets->items, sets->count * sizeof *items);
  *equals = '\0';
  items[sets->count++] = (ts_assignment){.name = word, .value = equals + 1};
  sets->items = items;
  return TS_OK;
}

/// Adds the parameters of one owner that differ from the defaults. Each is prefixed with the
/// owner's name, so that it is not applied to another owner with a parameter of that name.
static ts_status put_params(const pair *p, ts_arena *arena, const owner *o, const char *params) {
  while (*params) {
    size_t length = strcspn(params, ";");
    if (!ts_param_list_has(o->defaults, params, length)) {
      char *word = ts_arena_format(arena, "%s.%.*s", o->name, (int)length, params);
      if (!word)
        return TS_E_MEMORY;
      fputs(" --set ", p->command);
      ts_shell_put_word(p->command, word);
      TS_TRY(add_set(&p->rerun->sets, arena, word));
      fputc('/', p->name);
      for (size_t i = 0; i < length; i++)
        fputc(params[i] == '=' ? ':' : params[i], p->name);
    }
    params += length + (params[length] == ';');
  }
  return TS_OK;
}

/// Adds a plug-in to those that the row needs; NULL, and one that is there, change nothing.
static ts_status add_plugin(ts_texts *plugins, ts_arena *arena, const char *file) {
  for (size_t i = 0; i < plugins->count; i++)
    if (file && strcmp(plugins->items[i], file) == 0)
      return TS_OK;
  if (!file)
    return TS_OK;
  // A row has one method and a chain of few modifiers.
  const char **items = ts_arena_array(arena, plugins->count + 1, sizeof *items);
  const char *copy = ts_arena_string(arena, file); // the context ends before the arena does
  if (!items || !copy)
    return TS_E_MEMORY;
  if (plugins->count > 0)
    memcpy(items, plugins->items, plugins->count * sizeof *items);
  items[plugins->count++] = copy;
  plugins->items = items;
  return TS_OK;
}

/// Adds the plug-ins of the modifiers of a row that are not built in.
static ts_status add_plugins_of_modifiers(ts_texts *plugins, const book *b, const char *modifiers) {
  char *names = ts_arena_alloc(b->arena, strlen(modifiers) + 1), *save = NULL;
  if (!names)
    return TS_E_MEMORY;
  ts_modifier_names(names, strlen(modifiers) + 1, modifiers);
  for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save))
    if (!ts_modifier_find(name))
      TS_TRY(
          add_plugin(plugins, b->arena, ts_run_context_plugin_of(b->plugins, "modifiers", name)));
  return TS_OK;
}

/// Adds the options that make the method and its modifiers available.
static ts_status put_sources(const pair *p, const book *b, const char *method,
                             const char *modifiers) {
  owner control =
      find_owner(b->methods + b->first_control, b->method_count - b->first_control, method);
  ts_texts *plugins = &p->rerun->plugins;
  if (control.defaults[0] || strncmp(method, "control_", strlen("control_")) == 0) {
    fputs(" --controls", p->command);
  } else if (ts_engine_find(method)) {
    fputs(" --engines", p->command);
    p->rerun->needs_engines = true;
  } else if (!ts_method_find(method)) {
    TS_TRY(add_plugin(plugins, b->arena, ts_run_context_plugin_of(b->plugins, "methods", method)));
  }
  TS_TRY(add_plugins_of_modifiers(plugins, b, modifiers));
  ts_shell_put_option(p->command, "--plugin",
                      p->now->plugins.count > 0 ? &p->now->plugins : plugins);
  return TS_OK;
}

/// The scene file that a case came from; NULL: none, or its path is unknown.
static const json_t *scene_of(const book *b, const char *case_name) {
  for (size_t i = 0; i < json_array_size(b->scenes); i++) {
    const json_t *scene = json_array_get(b->scenes, i);
    const char *name = json_string_value(json_object_get(scene, "case"));
    if (name && strcmp(name, case_name) == 0 && json_is_string(json_object_get(scene, "file")))
      return scene;
  }
  return NULL;
}

/// Adds the parameters that were set on top of a scene file: they follow those of the file, as
/// "then_scale=2" (ts_case_parameters). Without parameters in the file: all that differ from the
/// defaults.
static ts_status put_scene_params(const pair *p, const book *b, const json_t *scene,
                                  const ts_record *r) {
  const char *of_file = json_string_value(json_object_get(scene, "parameters"));
  size_t length = of_file ? strlen(of_file) : 0;
  owner c = {.name = r->case_name, .defaults = ""};
  if (length == 0 || strncmp(of_file, r->case_parameters, length) != 0) {
    TS_TRY(add_owner(&c, b->arena, r->case_name, ts_common_params, TS_COMMON_COUNT));
    return put_params(p, b->arena, &c, r->case_parameters);
  }
  char *over = ts_arena_string(b->arena, r->case_parameters + length);
  if (!over)
    return TS_E_MEMORY;
  char *save = NULL;
  const size_t then = strlen(TS_CASE_THEN);
  for (char *word = strtok_r(over, ";", &save); word; word = strtok_r(NULL, ";", &save))
    if (strncmp(word, TS_CASE_THEN, then) == 0)
      TS_TRY(put_params(p, b->arena, &c, word + then));
  return TS_OK;
}

/// The limits that the cell of that index in the run had, NULL when unknown: those of the last part
/// that began at it or before.
static const json_t *limits_of(const book *b, size_t cell) {
  const json_t *options = NULL;
  for (size_t i = 0; i < json_array_size(b->parts); i++) {
    const json_t *part = json_array_get(b->parts, i), *first = json_object_get(part, "first_cell");
    if (json_is_integer(first) && json_integer_value(first) <= (json_int_t)cell)
      options = json_object_get(part, "options");
  }
  return options;
}

/// Adds the limits that are not the default.
static void put_limits(const pair *p, const book *b, size_t cell) {
  static const char *const names[][2] = {{"time_limit_s", "time-limit"},
                                         {"memory_limit_mib", "memory-limit"},
                                         {"tetgen_limit_s", "tetgen-limit"}};
  const json_t *options = limits_of(b, cell);
  const double usual[] = {b->defaults.limits.time_limit_s, b->defaults.limits.memory_limit_mib,
                          b->defaults.limits.tetgen_limit_s};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char text[TS_NUMBER_BYTES];
    const json_t *value = json_object_get(options, names[i][0]);
    if (json_is_number(value) && json_number_value(value) != usual[i])
      fprintf(p->command, " --%s %s", names[i][1],
              ts_number_format(text, json_number_value(value)));
  }
}

/// Adds the case, by its scene file if it has one.
static ts_status put_case(const pair *p, const book *b, const json_t *scene,
                          const char *case_name) {
  const ts_texts *now = &p->now->scenes;
  const char *file = scene ? json_string_value(json_object_get(scene, "file")) : NULL;
  p->rerun->scene = file ? ts_arena_string(b->arena, file) : NULL;
  if (file && !p->rerun->scene)
    return TS_E_MEMORY;
  ts_shell_put_option(p->command, "--scene", now->count > 0 || !file ? now : &(ts_texts){1, &file});
  if (!file || now->count > 1) {
    fputs(" --case ", p->command);
    ts_shell_put_word(p->command, case_name);
  }
  return TS_OK;
}

static ts_status put_row(const pair *p, const book *b, const ts_record *r) {
  owner c = find_owner(b->cases, b->case_count, r->case_name);
  const json_t *scene = scene_of(b, r->case_name);
  const char *method_name = ts_unmodified_name(b->arena, r->method);
  if (!method_name)
    return TS_E_MEMORY;
  owner method = find_owner(b->methods, b->method_count, method_name);
  fprintf(p->name, "%s/%s", r->case_name, method_name);
  fputs("touchstone run", p->command);
  TS_TRY(put_case(p, b, scene, r->case_name));
  fputs(" --method ", p->command);
  ts_shell_put_word(p->command, method_name);
  TS_TRY(put_sources(p, b, method_name, r->modifiers));
  TS_TRY(scene ? put_scene_params(p, b, scene, r)
               : put_params(p, b->arena, &c, r->case_parameters));
  TS_TRY(put_params(p, b->arena, &method, r->method_parameters));
  TS_TRY(put_params(p, b->arena, &b->scoring, r->scoring_parameters));
  TS_TRY(put_params(p, b->arena, &b->simulation, r->simulation_parameters));
  if (*r->modifiers) {
    fputs(" --modify ", p->command);
    ts_shell_put_word(p->command, r->modifiers);
    fprintf(p->name, "/modifiers:%s", r->modifiers);
  }
  char step[TS_NUMBER_BYTES];
  if (isnan(r->step) || r->step == 0)
    fputs(r->step == 0 ? " --steps 1" : "", p->command); // only the scene as built
  else
    fprintf(p->name, "/step:%s", ts_number_format(step, r->step));
  if (r->step > 0 && r->step != TS_PUBLISHED_STEP) // which a run includes by default
    fprintf(p->command, " --steps %s", ts_number_format(step, r->step));
  return TS_OK;
}

/// Closes a stream of open_memstream (NULL: it did not open) and puts its text into the arena.
static ts_status end_text(const char **out, ts_arena *arena, FILE *stream, char *const *text) {
  bool is_whole = stream && fclose(stream) == 0;
  *out = is_whole ? ts_arena_string(arena, *text) : NULL;
  free(*text);
  if (!is_whole)
    return ts_fail(TS_E_MEMORY, "out of memory");
  return *out ? TS_OK : TS_E_MEMORY;
}

/// Makes the name and the command of a row, and what is in them, in the arena.
static ts_status make_row(const char **name, ts_rerun *rerun, const book *b,
                          const ts_record *record, size_t cell, const ts_rerun_files *now) {
  char *texts[2] = {NULL, NULL};
  size_t counts[2];
  *rerun = (ts_rerun){.scene = NULL};
  pair p = {open_memstream(&texts[0], &counts[0]), open_memstream(&texts[1], &counts[1]), rerun,
            now};
  ts_status written = p.name && p.command ? put_row(&p, b, record) : TS_OK; // or end_text() fails
  if (p.name && p.command)
    put_limits(&p, b, cell);
  ts_status ended = end_text(name, b->arena, p.name, &texts[0]);
  ts_status ended_too = end_text(&rerun->command, b->arena, p.command, &texts[1]);
  return written != TS_OK ? written : ended != TS_OK ? ended : ended_too;
}

/// Whether a cell begins at a record.
static bool begins_cell(const ts_record *records, size_t i) {
  return i == 0 || strcmp(records[i].cell, records[i - 1].cell) != 0;
}

static int compare_names(const void *a, const void *b) {
  const char *const *const *x = a, *const *const *y = b;
  int order = strcmp(**x, **y);
  return order != 0 ? order : (*x > *y) - (*x < *y);
}

/// Numbers duplicate names.
static ts_status number_names(ts_arena *arena, const char **names, size_t count) {
  const char ***order = ts_arena_array(arena, count, sizeof *order);
  if (!order)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    order[i] = &names[i];
  qsort(order, count, sizeof *order, compare_names);
  const char *first = NULL;
  size_t number = 1;
  for (size_t i = 0; i < count; i++) {
    if (!first || strcmp(first, *order[i]) != 0) {
      first = *order[i];
      number = 1;
      continue;
    }
    *order[i] = ts_arena_format(arena, "%s#%zu", first, ++number);
    if (!*order[i])
      return TS_E_MEMORY;
  }
  return TS_OK;
}

/// Writes the words of a command that scored a file, without those that say where it wrote.
static void put_score_words(FILE *file, const json_t *arguments) {
  fputs("touchstone score", file);
  for (size_t i = 2; i < json_array_size(arguments); i++) {
    const char *word = json_string_value(json_array_get(arguments, i));
    if (!word || strcmp(word, "--force") == 0 || strncmp(word, "--results=", 10) == 0 ||
        strncmp(word, "--out=", 6) == 0)
      continue;
    if (strcmp(word, "--results") == 0 || strcmp(word, "--out") == 0) {
      i++;
      continue;
    }
    fputc(' ', file);
    ts_shell_put_word(file, word);
  }
}

/// The command of contacts that were scored; NULL: they are of a run.
static ts_status score_command(const char **out, ts_arena *arena, const json_t *context) {
  const json_t *arguments = json_object_get(context, "arguments");
  const char *name = json_string_value(json_array_get(arguments, 1));
  *out = NULL;
  if (!name || strcmp(name, "score") != 0)
    return TS_OK;
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  if (file)
    put_score_words(file, arguments);
  return end_text(out, arena, file, &text);
}

ts_status ts_reruns_of_run(ts_reruns *out, ts_arena *arena, const ts_record *records, size_t count,
                           const json_t *context) {
  book b;
  TS_TRY(open_book(&b, arena, context));
  out->names = ts_arena_array(arena, count, sizeof *out->names);
  out->commands = ts_arena_array(arena, count, sizeof *out->commands);
  if (!out->names || !out->commands)
    return TS_E_MEMORY;
  for (size_t i = 0, cells = 0; i < count; i++) {
    cells += begins_cell(records, i);
    ts_rerun rerun;
    TS_TRY(make_row(&out->names[i], &rerun, &b, &records[i], cells - 1, &(ts_rerun_files){0}));
    out->commands[i] = rerun.command;
  }
  const char *scored;
  TS_TRY(score_command(&scored, arena, context));
  for (size_t i = 0; scored && i < count; i++)
    out->commands[i] = scored;
  return number_names(arena, out->names, count);
}

ts_status ts_reruns_make(ts_reruns *out, ts_arena *arena, const ts_record *records, size_t count) {
  return ts_reruns_of_run(out, arena, records, count, NULL);
}

ts_status ts_rerun_of_row(ts_rerun *out, ts_arena *arena, const ts_record *records, size_t index,
                          const json_t *context, const ts_rerun_files *now) {
  book b;
  const char *name;
  size_t cells = 0;
  for (size_t i = 0; i <= index; i++)
    cells += begins_cell(records, i);
  TS_TRY(open_book(&b, arena, context));
  return make_row(&name, out, &b, &records[index], cells - 1, now);
}
