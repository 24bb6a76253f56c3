// SPDX-License-Identifier: MIT
#include "harness/merge/shard_set.h"

#include "base/status.h"
#include "harness/plan/options.h"
#include "harness/run/run_context.h"
#include "reports/rows/context.h"
#include "reports/rows/outcome.h"
#include "reports/rows/results.h"
#include "reports/rows/rows.h"
#include "reports/rows/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *run_of(const ts_shard_folder *folder, const char *key) {
  return json_object_get(json_object_get(folder->context, "run"), key);
}

static ts_status open_folder(ts_shard_folder *out, ts_arena *arena, const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  *out = (ts_shard_folder){.path = ts_arena_format(arena, "%.*s", (int)length, path)};
  const char *file = out->path ? ts_arena_format(arena, "%s/context.json", out->path) : NULL;
  if (!file)
    return TS_E_MEMORY;
  TS_TRY(ts_context_read(&out->context, arena, file));
  json_int_t schema = json_integer_value(json_object_get(out->context, TS_SCHEMA_KEY));
  if (schema != TS_SCHEMA_VERSION)
    return ts_fail(TS_E_INPUT,
                   "%s has results of schema %lld, and this program writes schema %d; merge with "
                   "the program that wrote them, or run the shards again",
                   out->path, (long long)schema, TS_SCHEMA_VERSION);
  const char *shard = ts_context_option(out->context, "shard");
  if (!shard || !json_is_integer(run_of(out, TS_PLAN_CELLS_KEY)))
    return ts_fail(TS_E_INPUT,
                   "%s is not a shard: merge joins results of touchstone run --shard I/N; those of "
                   "a whole run, or merged already, need no merging",
                   out->path);
  return ts_shard_parse(&out->shard, shard);
}

/// Options that do not change the contents of rows, or in which shards differ by their nature.
static bool is_free_option(const char *argument) {
  static const char *const names[] = {"shard",  "jobs",  "time-limit", "memory-limit",
                                      "plugin", "scene", "gzip"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(argument + 2, names[i], length) == 0 &&
        (argument[2 + length] == '=' || argument[2 + length] == '\0'))
      return true;
  }
  return false;
}

/// The next argument that is not free; NULL after the last one.
static const char *next_argument(const json_t *arguments, size_t *at) {
  while (*at < json_array_size(arguments)) {
    const char *text = json_string_value(json_array_get(arguments, (*at)++));
    if (text && strncmp(text, "--", 2) == 0 && !is_free_option(text))
      return text;
  }
  return NULL;
}

/// Whether the arguments, a list of JSON strings, have this one.
static bool has_argument(const ts_shard_folder *folder, const char *argument) {
  const json_t *list = run_of(folder, "arguments");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (text && strcmp(text, argument) == 0)
      return true;
  }
  return false;
}

/// The first argument of `folder` that the other one lacks; NULL if it has all.
static const char *lacking_argument(const ts_shard_folder *folder, const ts_shard_folder *other) {
  size_t at = 0;
  const char *text;
  do
    text = next_argument(run_of(folder, "arguments"), &at);
  while (text && has_argument(other, text));
  return text;
}

static bool is_same_option(const char *a, const char *b) {
  size_t length = strcspn(a, "=");
  return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

static ts_status check_options(const ts_shard_folder *a, const ts_shard_folder *b) {
  size_t at_a = 0, at_b = 0;
  const char *x, *y;
  do {
    x = next_argument(run_of(a, "arguments"), &at_a);
    y = next_argument(run_of(b, "arguments"), &at_b);
  } while (x && y && strcmp(x, y) == 0);
  if (!x && !y)
    return TS_OK;
  x = lacking_argument(a, b);
  y = lacking_argument(b, a);
  if (x && y && is_same_option(x, y))
    return ts_fail(TS_E_INPUT,
                   "the shards have different options: %.150s has %.150s and %.150s has %.150s; "
                   "give shards of one run",
                   a->path, x, b->path, y);
  if (x || y)
    return ts_fail(TS_E_INPUT,
                   "the shards have different options: %.150s has %.150s and %.150s has not; give "
                   "shards of one run",
                   x ? a->path : b->path, x ? x : y, x ? b->path : a->path);
  return ts_fail(TS_E_INPUT,
                 "the shards %.150s and %.150s have the same options in another order, so their "
                 "cells are numbered differently; give shards of one run",
                 a->path, b->path);
}

/// Compares the plug-ins or the scenes of two shards by what they are, not by where their files
/// lie.
static bool have_same(const ts_shard_folder *a, const ts_shard_folder *b, const char *list) {
  static const char *const keys[] = {"hash", "methods", "case", "parameters"};
  const json_t *x = run_of(a, list), *y = run_of(b, list);
  bool are_same = json_array_size(x) == json_array_size(y);
  for (size_t i = 0; are_same && i < json_array_size(x); i++)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      const json_t *p = json_object_get(json_array_get(x, i), keys[k]);
      const json_t *q = json_object_get(json_array_get(y, i), keys[k]);
      are_same = are_same && (p == q || json_equal(p, q));
    }
  return are_same;
}

/// Checks that two folders are shards of the same run.
static ts_status check_pair(const ts_shard_folder *a, const ts_shard_folder *b) {
  char difference[700];
  if (ts_context_other_numbers(difference, sizeof difference,
                               &(ts_named_context){a->context, a->path},
                               &(ts_named_context){b->context, b->path}))
    return ts_fail(TS_E_INPUT,
                   "the shards were run by different programs: %s; run one of them again",
                   difference);
  TS_TRY(check_options(a, b));
  if (!have_same(a, b, "plugins"))
    return ts_fail(TS_E_INPUT, "the plug-ins or engines of %.200s and %.200s differ; run one again",
                   a->path, b->path);
  if (!have_same(a, b, "scenes"))
    return ts_fail(TS_E_INPUT, "the scene files of %.200s and %.200s differ; run one again",
                   a->path, b->path);
  if (a->shard.count != b->shard.count ||
      !json_equal(run_of(a, TS_PLAN_CELLS_KEY), run_of(b, TS_PLAN_CELLS_KEY)) ||
      !json_equal(run_of(a, "plan"), run_of(b, "plan")))
    return ts_fail(TS_E_INPUT,
                   "%.200s (shard %zu/%zu) and %.200s (shard %zu/%zu) are of different plans; give "
                   "shards of one",
                   a->path, a->shard.number, a->shard.count, b->path, b->shard.number,
                   b->shard.count);
  if (a->shard.number == b->shard.number)
    return ts_fail(TS_E_INPUT, "%.200s and %.200s are both shard %zu/%zu; leave out one", a->path,
                   b->path, a->shard.number, a->shard.count);
  return TS_OK;
}

/// Counts the cells of a summary, and whether the last one lacks steps.
typedef struct cell_count {
  double last_step; ///< NaN: unknown
  char cell[64];    ///< the last one
  size_t cells;
  bool is_short;
} cell_count;

static ts_status count_cell(void *context, const void *row) {
  cell_count *c = context;
  const ts_record *record = row;
  if (c->cells == 0 || strncmp(c->cell, record->cell, sizeof c->cell - 1) != 0) {
    c->cells++;
    snprintf(c->cell, sizeof c->cell, "%s", record->cell);
  }
  c->is_short = ts_record_is_ok(record) && record->step < c->last_step;
  return TS_OK;
}

/// Number of cells that a shard has in full.
static ts_status count_cells(size_t *out, ts_arena *arena, const ts_shard_folder *folder) {
  const json_t *last = json_object_get(folder->context, TS_LAST_STEP_KEY);
  cell_count count = {.last_step = json_is_number(last) ? json_number_value(last) : -1};
  const char *summary = ts_arena_format(arena, "%s/summary.csv", folder->path);
  if (!summary)
    return TS_E_MEMORY;
  TS_TRY(ts_rows_visit(&ts_summary_rows, summary, count_cell, &count));
  *out = count.cells - (count.cells > 0 && count.is_short);
  return TS_OK;
}

static ts_status check_whole(const ts_shard_set *set, ts_arena *arena) {
  for (size_t i = 0; i < set->count; i++) {
    const ts_shard_folder *f = &set->folders[i];
    size_t cells, wanted = ts_shard_cells(f->shard, set->plan_cells);
    TS_TRY(count_cells(&cells, arena, f));
    if (cells != wanted)
      return ts_fail(TS_E_INPUT,
                     "shard %zu/%zu in %.300s has %zu of %zu cells; finish it, then merge again: "
                     "touchstone run --resume %.300s",
                     f->shard.number, f->shard.count, f->path, cells, wanted, f->path);
    TS_TRY(ts_results_verify(arena, f->path));
  }
  return TS_OK;
}

/// Names the shards that are not among the folders, unless they have no cell.
static ts_status check_all_there(const ts_shard_set *set) {
  char list[300] = "";
  size_t missing = 0, cells = 0, next = 0;
  for (size_t number = 1; number <= set->shard_count; number++) {
    if (next < set->count && set->folders[next].shard.number == number) {
      next++;
      continue;
    }
    size_t lost = ts_shard_cells((ts_shard){number, set->shard_count}, set->plan_cells);
    if (lost == 0)
      continue;
    size_t used = strlen(list);
    if (used + 40 < sizeof list)
      snprintf(list + used, sizeof list - used, "%s%zu/%zu", used ? ", " : "", number,
               set->shard_count);
    else if (list[used - 1] != '.')
      snprintf(list + used, sizeof list - used, ", ...");
    missing++;
    cells += lost;
  }
  if (missing == 0)
    return TS_OK;
  return ts_fail(
      TS_E_INPUT,
      "%zu of %zu shards %s missing, with %zu of %zu cells: %s; run %s with --shard, then "
      "merge again",
      missing, set->shard_count, missing == 1 ? "is" : "are", cells, set->plan_cells, list,
      missing == 1 ? "it" : "them");
}

static void warn_of_machines(ts_shard_set *set) {
  char difference[700];
  const ts_shard_folder *first = &set->folders[0];
  for (size_t i = 1; i < set->count && !set->are_times_mixed; i++)
    set->are_times_mixed = ts_context_other_times(
        difference, sizeof difference, &(ts_named_context){first->context, first->path},
        &(ts_named_context){set->folders[i].context, set->folders[i].path});
  if (set->are_times_mixed)
    fprintf(stderr,
            "touchstone: warning: the shards ran on different machines (%s), so times do not "
            "compare between their cells; the parts in context.json say which ran where\n",
            difference);
}

static int compare_shards(const void *a, const void *b) {
  size_t x = ((const ts_shard_folder *)a)->shard.number;
  size_t y = ((const ts_shard_folder *)b)->shard.number;
  return (x > y) - (x < y);
}

ts_status ts_shard_set_open(ts_shard_set *out, ts_arena *arena, const char *const *paths,
                            size_t count) {
  *out = (ts_shard_set){.folders = ts_arena_array(arena, count, sizeof *out->folders)};
  if (!out->folders)
    return TS_E_MEMORY;
  while (out->count < count) {
    ts_shard_folder *folder = &out->folders[out->count];
    ts_status status = open_folder(folder, arena, paths[out->count]);
    out->count++;
    TS_TRY(status);
  }
  qsort(out->folders, count, sizeof *out->folders, compare_shards);
  for (size_t i = 1; i < count; i++)
    TS_TRY(check_pair(&out->folders[i - 1], &out->folders[i]));
  out->shard_count = out->folders[0].shard.count;
  out->plan_cells = (size_t)json_integer_value(run_of(&out->folders[0], TS_PLAN_CELLS_KEY));
  TS_TRY(check_all_there(out));
  TS_TRY(check_whole(out, arena));
  warn_of_machines(out);
  return TS_OK;
}

void ts_shard_set_destroy(ts_shard_set *set) {
  for (size_t i = 0; i < set->count; i++)
    json_decref(set->folders[i].context);
}

/// The arguments of the whole run. Where the shards ran different numbers of jobs, the largest.
static json_t *join_arguments(const ts_shard_set *set, bool is_compressed) {
  const ts_shard_folder *busiest = &set->folders[0];
  for (size_t i = 1; i < set->count; i++) {
    const char *jobs = ts_context_option(set->folders[i].context, "jobs");
    const char *most = ts_context_option(busiest->context, "jobs");
    if (jobs && most && atoi(jobs) > atoi(most))
      busiest = &set->folders[i];
  }
  const json_t *from = run_of(busiest, "arguments");
  json_t *list = json_array();
  for (size_t i = 0; i < json_array_size(from); i++) {
    const char *text = json_string_value(json_array_get(from, i));
    if (text && strncmp(text, "--shard=", 8) != 0 && strcmp(text, "--gzip") != 0)
      json_array_append_new(list, json_string(text));
  }
  if (is_compressed)
    json_array_append_new(list, json_string("--gzip"));
  return list;
}

/// Adds to a part which shard it is of, and the machine as far as the part does not tell.
static bool complete_part(json_t *part, const ts_shard_folder *folder) {
  json_t *shard = json_sprintf("%zu/%zu", folder->shard.number, folder->shard.count);
  json_t *machine = json_object_get(part, "machine");
  return json_object_set_new(part, "shard", shard) == 0 &&
         json_object_update_missing(machine, json_object_get(folder->context, "machine")) == 0;
}

/// The parts of all shards, in the order of the shards.
static json_t *list_parts(const ts_shard_set *set) {
  json_t *all = json_array();
  bool is_fine = all != NULL;
  for (size_t i = 0; i < set->count; i++) {
    json_t *parts = json_deep_copy(ts_context_parts(set->folders[i].context));
    for (size_t k = 0; k < json_array_size(parts); k++)
      is_fine &= complete_part(json_array_get(parts, k), &set->folders[i]);
    is_fine = is_fine && (!parts || json_array_extend(all, parts) == 0);
    json_decref(parts);
  }
  if (is_fine)
    return all;
  json_decref(all);
  return NULL;
}

ts_status ts_shard_set_context(json_t **out, const ts_shard_set *set, bool is_compressed) {
  json_t *context = json_deep_copy(set->folders[0].context);
  ts_status status = context ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
  for (size_t i = 1; i < set->count && status == TS_OK; i++)
    status = ts_context_join(context, set->folders[i].context);
  json_t *run = json_object_get(context, "run");
  json_t *arguments = join_arguments(set, is_compressed);
  json_t *command = json_pack("[s, s]", "touchstone", "run");
  json_array_extend(command, arguments);
  bool is_fine = json_object_set_new(run, "arguments", arguments) == 0;
  is_fine &= json_object_set_new(context, "arguments", command) == 0;
  is_fine &= json_object_set_new(run, "cells", json_integer((json_int_t)set->plan_cells)) == 0;
  is_fine &= json_object_set_new(context, "parts", list_parts(set)) == 0;
  if (status == TS_OK && !is_fine)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  if (status == TS_OK)
    *out = context;
  else
    json_decref(context);
  return status;
}
