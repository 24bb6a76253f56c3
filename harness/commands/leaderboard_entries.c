// SPDX-License-Identifier: MIT
#include "harness/commands/leaderboard_entries.h"

#include "base/array.h"
#include "base/param.h"
#include "base/status.h"
#include "harness/commands/input.h"
#include "harness/dataset/dataset_make.h"
#include "harness/dataset/dataset_source.h"
#include "harness/plan/plan.h"
#include "harness/run/output.h"
#include "harness/run/rerun.h"
#include "harness/run/run_context.h"
#include "methods/registry.h"
#include "reports/rows/modified_names.h"
#include "reports/tables/format_text.h"
#include "reports/tables/table_axis.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// State while results are read.
typedef struct reader {
  ts_arena *arena;
  const ts_manifest *manifest;
  const char *scoring; ///< the default parameters of the scoring
  ts_board_entry *entries;
  const char **folders; ///< [count], of the results of each
  size_t count, capacity, folder_capacity;
  const char *out; ///< the folder of the leaderboard
} reader;

/// Results that are being read.
typedef struct results {
  const char *name; ///< as given before the =; NULL: none
  const char *path;
  ts_input input;
  json_t *context;
  ts_reruns repeats;
  ts_axis methods;
} results;

static ts_status check_version(const reader *r, const results *x) {
  const char *version =
      json_string_value(json_object_get(json_object_get(x->context, TS_DATASET_KEY), "version"));
  if (!version)
    return ts_fail(TS_E_INPUT,
                   "%s is not of the data set: run its scene files, or score contacts of them, by "
                   "the files that touchstone dataset has written",
                   x->path);
  if (strcmp(version, r->manifest->version) != 0)
    return ts_fail(TS_E_INPUT,
                   "%s is of version %.60s of the data set, and the leaderboard of version %s; "
                   "results of two versions are not comparable: score it again, or give the "
                   "folder of the other version by --dataset",
                   x->path, version, r->manifest->version);
  return TS_OK;
}

/// Whether the context says that the scene was a file of the data set.
static bool has_scene(const json_t *context, const char *name) {
  const json_t *names = json_object_get(json_object_get(context, TS_DATASET_KEY), "scenes");
  for (size_t i = 0; i < json_array_size(names); i++) {
    const char *text = json_string_value(json_array_get(names, i));
    if (text && strcmp(text, name) == 0)
      return true;
  }
  return false;
}

static ts_status check_row(const reader *r, const results *x, const ts_record *row) {
  const ts_manifest_scene *scene = ts_manifest_find_scene(r->manifest, row->case_name);
  if (!scene || !has_scene(x->context, row->case_name))
    return ts_fail(TS_E_INPUT,
                   "%s has a row of %s, which was no scene of the data set; run those alone",
                   x->path, row->case_name);
  if (strcmp(row->case_parameters, scene->parameters) != 0)
    return ts_fail(TS_E_INPUT,
                   "%s has scene %s with other parameters than the data set (%.200s); run it "
                   "without --set and --sweep of them",
                   x->path, row->case_name, row->case_parameters);
  if (strcmp(row->scoring_parameters, r->scoring) != 0)
    return ts_fail(TS_E_INPUT,
                   "%s was scored by other rules than those of the leaderboard (%.200s); leave "
                   "the parameters of the scoring as they are",
                   x->path, row->scoring_parameters);
  return TS_OK;
}

/// The rows as built, which are those that are ranked.
static ts_status keep_built(const reader *r, results *x) {
  size_t kept = 0;
  for (size_t i = 0; i < x->input.count; i++) {
    if (x->input.records[i].step > 0)
      continue;
    x->input.records[kept] = x->input.records[i];
    TS_TRY(check_row(r, x, &x->input.records[kept]));
    kept++;
  }
  x->input.count = kept;
  return kept > 0 ? TS_OK
                  : ts_fail(TS_E_INPUT, "%s has no row of a scene as built; run with --steps 1",
                            x->path);
}

/// A summary.csv alone does not say what its scenes were.
static ts_status check_folder(const reader *r, const results *x) {
  struct stat facts;
  if (stat(x->path, &facts) != 0)
    return ts_fail(TS_E_INPUT,
                   "cannot read %s: %s; give the folder of a run or a scoring of the data set",
                   x->path, strerror(errno));
  if (!S_ISDIR(facts.st_mode))
    return ts_fail(TS_E_INPUT,
                   "%s is a file; give its whole results folder, whose context.json says what the "
                   "scenes were",
                   x->path);
  return ts_output_spare_folder("--out", r->out, x->path);
}

static ts_status open_results(const reader *r, results *x) {
  TS_TRY(check_folder(r, x));
  const char *fault;
  TS_TRY(ts_input_read(&x->input, r->arena, x->path));
  TS_TRY(ts_name_modified(x->input.records, x->input.count, r->arena));
  TS_TRY(ts_input_study_fault(&fault, r->arena, &x->input));
  if (fault)
    return ts_fail(TS_E_INPUT, "%s", fault);
  TS_TRY(ts_input_context(&x->context, r->arena, &x->input));
  TS_TRY(check_version(r, x));
  ts_input_warn(&x->input);
  TS_TRY(keep_built(r, x));
  TS_TRY(ts_axis_of_methods(&x->methods, r->arena, x->input.records, x->input.count));
  return ts_reruns_of_run(&x->repeats, r->arena, x->input.records, x->input.count, x->context);
}

static const char *context_text(const json_t *context, const char *group, const char *key) {
  const json_t *object = group ? json_object_get(context, group) : context;
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "unknown";
}

/// The command of a row, with DIR and SCENE in place of its scene file, so that it is the command
/// of any of them.
static const char *general_command(ts_arena *arena, const char *command) {
  static const char file[] = "scene.json";
  const char *found = strstr(command, file);
  if (!found)
    return command;
  const char *start = found;
  while (start > command && !strchr(" '\"=", start[-1]))
    start--;
  return ts_arena_format(arena, "%.*sDIR/" TS_DATASET_SCENES "/SCENE/%s", (int)(start - command),
                         command, found);
}

/// Who found the contacts, and by what.
static ts_status name_provider(ts_board_entry *e, ts_arena *arena, const results *x) {
  const json_t *plugins = ts_run_context_plugins(x->context);
  const ts_method *known = ts_method_find(e->method);
  e->source = known ? known->source : "";
  e->provider = "touchstone";
  if (!json_object_get(x->context, "run")) {
    e->provider = "contacts from files";
    e->source = "";
    return TS_OK;
  }
  for (size_t i = 0; i < json_array_size(plugins); i++) {
    const json_t *plugin = json_array_get(plugins, i), *list = json_object_get(plugin, "methods");
    for (size_t k = 0; k < json_array_size(list); k++) {
      const json_t *method = json_array_get(list, k);
      if (strcmp(context_text(method, NULL, "name"), e->method) != 0)
        continue;
      e->source = ts_arena_string(arena, context_text(method, NULL, "source"));
      e->provider =
          ts_arena_format(arena, "plug-in %s, fingerprint %s", context_text(plugin, NULL, "file"),
                          context_text(plugin, NULL, "hash"));
    }
  }
  return e->source && e->provider ? TS_OK : TS_E_MEMORY;
}

static ts_status describe_entry(ts_board_entry *e, ts_arena *arena, const results *x) {
  TS_TRY(name_provider(e, arena, x));
  e->program = ts_arena_format(
      arena, "touchstone %s, commit %s, %s, %s", context_text(x->context, NULL, "version"),
      context_text(x->context, NULL, "commit"), context_text(x->context, "build", "compiler"),
      context_text(x->context, "build", "type"));
  e->cpu = ts_arena_string(arena, context_text(x->context, "machine", "cpu"));
  e->system = ts_arena_format(arena, "%s, %s", context_text(x->context, "machine", "distribution"),
                              context_text(x->context, "machine", "kernel"));
  e->date = ts_arena_string(arena, context_text(x->context, NULL, "date"));
  return e->program && e->cpu && e->system && e->date && e->command ? TS_OK : TS_E_MEMORY;
}

/// The name of an entry: the one given, with that of the method if there are several.
static const char *entry_name(ts_arena *arena, const results *x, size_t method) {
  const char *label = ts_axis_label(arena, &x->methods.entries[method]);
  label = label ? ts_text_utf8(arena, label) : NULL;
  if (!x->name || !label)
    return label;
  return x->methods.count == 1 ? x->name : ts_arena_format(arena, "%s %s", x->name, label);
}

static ts_status fill_rows(ts_board_entry *e, const reader *r, const results *x, size_t method) {
  e->rows = ts_arena_array(r->arena, r->manifest->scene_count, sizeof *e->rows);
  if (!e->rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < r->manifest->scene_count; i++)
    e->rows[i] = NULL;
  for (size_t i = 0; i < x->input.count; i++) {
    if (x->methods.entry_of[i] != method)
      continue;
    const ts_record *row = &x->input.records[i];
    const ts_record **place =
        &e->rows[ts_manifest_find_scene(r->manifest, row->case_name) - r->manifest->scenes];
    if (*place)
      return ts_fail(TS_E_INPUT,
                     "%s has scene %s twice for %s; run it once, without a sweep of the simulation",
                     x->path, row->case_name, row->method);
    *place = row;
    e->method = row->method;
    e->method_parameters = row->method_parameters;
    if (!e->command)
      e->command = general_command(r->arena, x->repeats.commands[i]);
  }
  return TS_OK;
}

static ts_status check_name(const reader *r, const ts_board_entry *e, const char *path) {
  for (size_t i = 0; i < r->count; i++)
    if (strcmp(r->entries[i].name, e->name) == 0)
      return ts_fail(TS_E_INPUT, "%s and %s would both be called \"%.100s\"; name them: NAME=%s",
                     r->folders[i], path, e->name, path);
  return TS_OK;
}

/// Whether two entries are rows of the same calls: no two measurements take the same time, and
/// contacts from files, which have no times, are the same if the method is called the same, too.
static bool is_same(const ts_board_entry *a, const ts_board_entry *b, size_t scene_count) {
  bool is_alike = strcmp(a->method, b->method) == 0 && strcmp(a->date, b->date) == 0;
  for (size_t i = 0; i < scene_count && is_alike; i++) {
    const ts_record *x = a->rows[i], *y = b->rows[i];
    is_alike = !x == !y;
    if (x && y)
      is_alike = strcmp(x->cell, y->cell) == 0 && strcmp(x->contacts_hash, y->contacts_hash) == 0 &&
                 (x->generate_ns_median == y->generate_ns_median ||
                  (isnan(x->generate_ns_median) && isnan(y->generate_ns_median)));
  }
  return is_alike;
}

static ts_status check_rows(const reader *r, const ts_board_entry *e, const char *path) {
  for (size_t i = 0; i < r->count; i++)
    if (is_same(&r->entries[i], e, r->manifest->scene_count))
      return ts_fail(TS_E_INPUT, "%s and %s are the same results of %s; give them once",
                     r->folders[i], path, e->method);
  return TS_OK;
}

static ts_status add_entries(reader *r, const results *x) {
  for (size_t m = 0; m < x->methods.count; m++) {
    ts_board_entry e = {.name = entry_name(r->arena, x, m)};
    if (!e.name)
      return TS_E_MEMORY;
    TS_TRY(fill_rows(&e, r, x, m));
    TS_TRY(describe_entry(&e, r->arena, x));
    TS_TRY(check_rows(r, &e, x->path));
    TS_TRY(check_name(r, &e, x->path));
    TS_TRY(TS_ARENA_GROW(r->entries, r->capacity, r->count, 1, r->arena));
    TS_TRY(TS_ARENA_GROW(r->folders, r->folder_capacity, r->count, 1, r->arena));
    r->folders[r->count] = x->path;
    r->entries[r->count++] = e;
  }
  return TS_OK;
}

static ts_status read_results(reader *r, const char *operand) {
  results x = {0};
  TS_TRY(ts_input_split(&x.name, &x.path, r->arena, operand));
  ts_status status = open_results(r, &x);
  if (status == TS_OK)
    status = add_entries(r, &x);
  json_decref(x.context);
  return status;
}

static ts_status list_scenes(ts_board *out, ts_arena *arena, const ts_manifest *manifest) {
  ts_board_scene *scenes = ts_arena_array(arena, manifest->scene_count, sizeof *scenes);
  if (!scenes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < manifest->scene_count; i++) {
    const ts_manifest_scene *s = &manifest->scenes[i];
    scenes[i] = (ts_board_scene){s->name, s->case_name, s->parameters};
  }
  *out = (ts_board){
      .version = manifest->version, .scene_count = manifest->scene_count, .scenes = scenes};
  return TS_OK;
}

ts_status ts_board_make(ts_board *out, ts_arena *arena, const ts_manifest *manifest,
                        const char *const *operands, size_t count, const char *folder) {
  double scoring[TS_SCORING_COUNT];
  ts_param_defaults(scoring, ts_scoring_params, TS_SCORING_COUNT);
  reader r = {.arena = arena,
              .manifest = manifest,
              .out = folder,
              .scoring = ts_param_join(arena, ts_scoring_params, TS_SCORING_COUNT, scoring)};
  if (!r.scoring)
    return TS_E_MEMORY;
  TS_TRY(list_scenes(out, arena, manifest));
  for (size_t i = 0; i < count; i++)
    TS_TRY(read_results(&r, operands[i]));
  return ts_board_rank(out, arena, r.entries, r.count);
}
