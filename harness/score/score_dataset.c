// SPDX-License-Identifier: MIT
#include "harness/score/score_dataset.h"

#include "base/status.h"
#include "harness/dataset/dataset_make.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/// State while the files are scored.
typedef struct work {
  ts_arena *arena;
  ts_score_all *out;
  const ts_score_values *values;
  const char *name;    ///< of the method
  ts_results *results; ///< NULL: not asked for
} work;

/// The path of the contacts of a scene, NULL when out of memory.
static const char *contacts_path(ts_arena *arena, const ts_score_values *values, const char *name) {
  return ts_arena_format(arena, "%s/%s.csv", values->contacts, name);
}

/// Refuses a CSV file of the folder that is not called like a scene: its contacts would be lost.
static ts_status check_name(const work *w, const char *file) {
  size_t length = strlen(file);
  if (length < 5 || strcmp(file + length - 4, ".csv") != 0)
    return TS_OK;
  char *name = ts_arena_string(w->arena, file);
  if (!name)
    return TS_E_MEMORY;
  name[length - 4] = '\0';
  if (ts_manifest_find_scene(&w->out->manifest, name))
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%.300s/%.200s is of no scene of the data set: a file is called like its scene, "
                 "as in %.200s/" TS_DATASET_SCENES "/",
                 w->values->contacts, file, w->values->dataset);
}

static ts_status check_folder(const work *w) {
  DIR *folder = opendir(w->values->contacts);
  if (!folder)
    return ts_fail(TS_E_INPUT,
                   "cannot read folder %s: %s; --contacts takes a folder with NAME.csv for each "
                   "scene NAME",
                   w->values->contacts, strerror(errno));
  ts_status status = TS_OK;
  for (struct dirent *entry; status == TS_OK && (entry = readdir(folder)) != NULL;)
    status = check_name(w, entry->d_name);
  closedir(folder);
  return status;
}

/// Splits the scenes into those with a file and those without.
static ts_status find_missing(work *w) {
  ts_score_all *out = w->out;
  out->missing = ts_arena_array(w->arena, out->manifest.scene_count, sizeof *out->missing);
  if (!out->missing)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->manifest.scene_count; i++) {
    const char *path = contacts_path(w->arena, w->values, out->manifest.scenes[i].name);
    if (!path)
      return TS_E_MEMORY;
    if (access(path, F_OK) != 0)
      out->missing[out->missing_count++] = out->manifest.scenes[i].name;
  }
  if (out->missing_count == out->manifest.scene_count)
    return ts_fail(TS_E_INPUT,
                   "%s has no contacts of any scene: write those of scene NAME to %s/NAME.csv",
                   w->values->contacts, w->values->contacts);
  return TS_OK;
}

/// Notes which version the scenes are of. All of them have to be as the manifest says.
static ts_status add_sources(const work *w, ts_dataset_source *source) {
  const ts_manifest *m = &w->out->manifest;
  for (size_t i = 0; i < m->scene_count; i++) {
    const char *path = ts_arena_format(w->arena, "%s/" TS_DATASET_SCENES "/%s/scene.json",
                                       w->values->dataset, m->scenes[i].name);
    if (!path)
      return TS_E_MEMORY;
    TS_TRY(ts_dataset_source_add(source, path));
    if (json_array_size(source->names) != i + 1)
      return ts_fail(TS_E_INPUT,
                     "scene %s is not as %s/%s says; see touchstone dataset --check %s, and take "
                     "the data set again from where it came from",
                     m->scenes[i].name, w->values->dataset, TS_MANIFEST_NAME, w->values->dataset);
  }
  return TS_OK;
}

/// Copies a record out of the arena that it was made in.
static ts_status keep_record(work *w, const ts_record *record) {
  ts_record *copy = &w->out->records[w->out->count];
  *copy = *record;
  TS_TRY(ts_row_keep_texts(&ts_summary_rows, copy, w->arena, NULL));
  w->out->count++;
  return TS_OK;
}

static ts_status check_method(const work *w, const ts_score *s) {
  const ts_record *first = w->out->records;
  if (w->out->count == 0 || strcmp(first->method, s->state.record.method) == 0)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s has contacts of the method %s, the files before it of %s; select one with "
                 "--method, or name them all with --name",
                 s->path, s->state.record.method, first->method);
}

/// Scores one scene in an arena of its own, so that memory does not grow with the data set.
static ts_status score_scene(work *w, ts_arena *arena, const char *name) {
  ts_score s = {.arena = arena, .values = *w->values, .source = {.step = (double)NAN}};
  const char *operands[] = {
      ts_arena_format(arena, "%s/" TS_DATASET_SCENES "/%s/scene.json", w->values->dataset, name),
      contacts_path(arena, w->values, name)};
  if (!operands[0] || !operands[1])
    return TS_E_MEMORY;
  s.fallback_name = w->name;
  TS_TRY(ts_score_read_scene(&s, &(ts_arguments){.operand_count = 2, .operands = operands}));
  TS_TRY(ts_score_select(&s));
  TS_TRY(ts_score_judge(&s));
  TS_TRY(check_method(w, &s));
  ts_cell_rows rows = ts_cell_state_rows(&s.state);
  if (w->results)
    TS_TRY(ts_results_append(w->results, &rows));
  return keep_record(w, &s.state.record);
}

static ts_status score_scenes(work *w) {
  const ts_manifest *m = &w->out->manifest;
  size_t missing = 0;
  for (size_t i = 0; i < m->scene_count; i++) {
    if (missing < w->out->missing_count && w->out->missing[missing] == m->scenes[i].name) {
      missing++;
      continue;
    }
    ts_arena *arena;
    TS_TRY(ts_arena_create(&arena));
    ts_status status = score_scene(w, arena, m->scenes[i].name);
    ts_arena_destroy(arena);
    TS_TRY(status);
  }
  return TS_OK;
}

/// "mine" of "results/mine/".
static const char *folder_name(ts_arena *arena, const char *path) {
  char *copy = ts_arena_string(arena, path);
  size_t length = copy ? strlen(copy) : 0;
  while (length > 1 && copy[length - 1] == '/')
    copy[--length] = '\0';
  return copy ? ts_score_name_of_path(arena, copy) : NULL;
}

ts_status ts_score_dataset(ts_score_all *out, ts_arena *arena, const ts_score_values *values,
                           int count, char *const *arguments) {
  *out = (ts_score_all){.count = 0};
  work w = {
      .arena = arena, .out = out, .values = values, .name = folder_name(arena, values->contacts)};
  if (!w.name)
    return TS_E_MEMORY;
  TS_TRY(ts_manifest_read(&out->manifest, arena, values->dataset));
  TS_TRY(check_folder(&w));
  TS_TRY(find_missing(&w));
  out->records = ts_arena_array(arena, out->manifest.scene_count, sizeof *out->records);
  if (!out->records)
    return TS_E_MEMORY;
  ts_dataset_source source = {.arena = arena};
  ts_status status = add_sources(&w, &source);
  if (status == TS_OK && values->results)
    status = ts_score_results_begin(&w.results, arena, values->results, count, arguments, &source);
  ts_dataset_source_drop(&source);
  TS_TRY(status);
  status = score_scenes(&w);
  return w.results ? ts_score_results_end(w.results, values->results, status) : status;
}
