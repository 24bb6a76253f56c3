// SPDX-License-Identifier: MIT
#include "harness/commands/run_facts.h"

#include "base/number.h"
#include "reports/rows/context.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// A fact of a run or of each of its parts.
typedef struct fact {
  const char *group, *key, *words;
} fact;

/// The same in all parts, because a run goes on only with the same.
static const fact of_runs[] = {
    {"machine", "cpu", "machine cpu"},       {"machine", "cores", "machine cores"},
    {"build", "compiler", "build compiler"}, {"build", "type", "build type"},
    {"build", "flags", "build flags"},       {"build", "sanitizers", "build sanitizers"}};

static const fact of_parts[] = {{"options", "jobs", "jobs"},
                                {"options", "time_limit_s", "time limit"},
                                {"options", "memory_limit_mib", "memory limit"},
                                {"options", "tetgen_limit_s", "TetGen limit"},
                                {"machine", "cores_usable", "usable cores"},
                                {"machine", "frequency_governor", "frequency governor"},
                                {"machine", "memory_bytes", "memory"},
                                {"machine", "kernel", "kernel"}};

static const json_t *find(const json_t *object, const char *group, const char *key) {
  return json_object_get(json_object_get(object, group), key);
}

/// The parts of a run; of a context that is older than parts, one that is made of it. Owned by the
/// caller.
static json_t *parts_of(const json_t *context) {
  const json_t *parts = ts_context_parts(context);
  if (parts)
    return json_deep_copy(parts);
  json_t *part = json_object();
  const char *jobs = ts_context_option(context, "jobs");
  json_object_set(part, "machine", json_object_get(context, "machine"));
  if (jobs)
    json_object_set_new(part, "options",
                        json_pack("{s:I}", "jobs", (json_int_t)strtoll(jobs, NULL, 10)));
  return json_pack("[o]", part);
}

/// The parts of both runs, owned by the caller.
static json_t *all_parts(const json_t *old, const json_t *new) {
  json_t *all = parts_of(old), *more = parts_of(new);
  if (all && more)
    json_array_extend(all, more);
  json_decref(more);
  return all;
}

/// A number or a short text.
static const char *value_text(ts_arena *arena, const json_t *value) {
  char number[TS_NUMBER_BYTES];
  if (json_is_string(value))
    return ts_arena_format(arena, "%.40s", json_string_value(value));
  if (json_is_number(value))
    return ts_arena_string(arena, ts_number_format(number, json_number_value(value)));
  return "unknown";
}

static int compare_values(const void *a, const void *b) {
  const json_t *x = *(const json_t *const *)a, *y = *(const json_t *const *)b;
  if (json_is_number(x) && json_is_number(y))
    return (json_number_value(x) > json_number_value(y)) -
           (json_number_value(x) < json_number_value(y));
  return json_is_string(x) && json_is_string(y) ? strcmp(json_string_value(x), json_string_value(y))
                                                : (int)json_typeof(x) - (int)json_typeof(y);
}

/// Adds " jobs (1, 2)" to the list when parts differ in a fact. NULL when out of memory.
static const char *add_fact(const char *list, ts_arena *arena, const json_t *parts, const fact *f) {
  size_t count = 0;
  const json_t **values = ts_arena_array(arena, json_array_size(parts), sizeof *values);
  for (size_t i = 0; values && i < json_array_size(parts); i++) {
    const json_t *value = find(json_array_get(parts, i), f->group, f->key);
    if (value && !json_is_null(value))
      values[count++] = value;
  }
  if (!values)
    return NULL;
  qsort(values, count, sizeof *values, compare_values);
  const char *texts = "";
  size_t distinct = 0;
  for (size_t i = 0; i < count && texts; i++) {
    if (i > 0 && compare_values(&values[i - 1], &values[i]) == 0)
      continue;
    const char *text = value_text(arena, values[i]);
    texts = text ? ts_arena_format(arena, "%s%s%s", texts, distinct > 0 ? ", " : "", text) : NULL;
    distinct++;
  }
  if (!texts || distinct < 2)
    return texts ? list : NULL;
  return ts_arena_format(arena, "%s%s%s (%s)", list, list[0] ? ", " : "", f->words, texts);
}

/// Adds the loads at the beginning of the parts when they are far apart: by more than one process,
/// and than a quarter of the cores.
static const char *add_load(const char *list, ts_arena *arena, const json_t *parts) {
  double least = INFINITY, most = -INFINITY, cores = 0;
  for (size_t i = 0; i < json_array_size(parts); i++) {
    const json_t *part = json_array_get(parts, i), *loads = find(part, "machine", "load_average");
    const json_t *load = json_array_get(loads, 0);
    if (!json_is_number(load))
      continue;
    least = fmin(least, json_number_value(load));
    most = fmax(most, json_number_value(load));
    cores = fmax(cores, json_number_value(find(part, "machine", "cores_usable")));
  }
  if (!(most - least > fmax(1, cores / 4)))
    return list;
  return ts_arena_format(arena, "%s%sload average (%.1f, %.1f)", list, list[0] ? ", " : "", least,
                         most);
}

ts_status ts_run_facts_compare(const char **out, ts_arena *arena, const json_t *old,
                               const json_t *new) {
  *out = "";
  if (!old || !new)
    return TS_OK;
  const char *text = "";
  for (size_t i = 0; i < sizeof of_runs / sizeof *of_runs && text; i++) {
    const fact *f = &of_runs[i];
    const json_t *a = find(old, f->group, f->key), *b = find(new, f->group, f->key);
    if (a && b && !json_equal(a, b))
      text = ts_arena_format(arena, "%s%s%s", text, text[0] ? ", " : "", f->words);
  }
  json_t *parts = all_parts(old, new);
  for (size_t i = 0; i < sizeof of_parts / sizeof *of_parts && text; i++)
    text = add_fact(text, arena, parts, &of_parts[i]);
  if (text)
    text = add_load(text, arena, parts);
  json_decref(parts);
  *out = text;
  return text ? TS_OK : TS_E_MEMORY;
}
