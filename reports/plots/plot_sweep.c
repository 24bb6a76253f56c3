// SPDX-License-Identifier: MIT
#include "reports/plots/plot_sweep.h"

#include "base/array.h"
#include "base/number.h"
#include "base/status.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICS_MAX ((size_t)6) ///< labels that fit below an axis

enum { CASE, METHOD, SCORING, SIMULATION, LIST_COUNT };

static const char **list_of(ts_record *record, int list) {
  const char **lists[LIST_COUNT] = {&record->case_parameters, &record->method_parameters,
                                    &record->scoring_parameters, &record->simulation_parameters};
  return lists[list];
}

static const char *list_text(const ts_record *record, int list) {
  const char *texts[LIST_COUNT] = {record->case_parameters, record->method_parameters,
                                   record->scoring_parameters, record->simulation_parameters};
  return texts[list];
}

/// A parameter, and whether it has two values anywhere.
typedef struct candidate {
  const char *name;
  int list;
  const char *value; ///< the first value found
  bool differs;
} candidate;

typedef struct candidates {
  candidate *items;
  size_t count, capacity;
} candidates;

static ts_status note_param(candidates *list, ts_arena *arena, int which, const char *word,
                            size_t length) {
  const char *equals = memchr(word, '=', length);
  size_t name_length = equals ? (size_t)(equals - word) : length;
  if (!equals)
    return TS_OK;
  const char *value = ts_arena_format(arena, "%.*s", (int)(length - name_length - 1), equals + 1);
  const char *name = ts_arena_format(arena, "%.*s", (int)name_length, word);
  if (!value || !name)
    return TS_E_MEMORY;
  for (size_t i = 0; i < list->count; i++) {
    candidate *c = &list->items[i];
    if (c->list != which || strcmp(c->name, name) != 0)
      continue;
    c->differs |= strcmp(c->value, value) != 0;
    return TS_OK;
  }
  TS_TRY(TS_ARENA_GROW(list->items, list->capacity, list->count, 1, arena));
  list->items[list->count++] = (candidate){name, which, value, false};
  return TS_OK;
}

/// Collects the parameters of all rows. Most rows repeat the list of the previous one, which is
/// skipped.
static ts_status find_candidates(candidates *out, ts_arena *arena, const ts_plot_source *source) {
  const char *previous[LIST_COUNT] = {"", "", "", ""};
  for (size_t i = 0; i < source->count; i++)
    for (int list = 0; list < LIST_COUNT; list++) {
      const char *text = list_text(&source->records[i], list);
      if (strcmp(text, previous[list]) == 0)
        continue;
      previous[list] = text;
      while (*text) {
        size_t length = strcspn(text, ";");
        TS_TRY(note_param(out, arena, list, text, length));
        text += length + (text[length] == ';');
      }
    }
  return TS_OK;
}

/// Whether "name=value" [length] sets the parameter `name`.
static bool is_param(const char *word, size_t length, const char *name) {
  size_t name_length = strlen(name);
  return length > name_length && word[name_length] == '=' && memcmp(word, name, name_length) == 0;
}

/// The list without the parameter.
static const char *take_off(ts_arena *arena, const char *text, const char *name) {
  char *rest = ts_arena_alloc(arena, strlen(text) + 1), *end = rest;
  while (rest && *text) {
    size_t length = strcspn(text, ";");
    if (!is_param(text, length, name)) {
      if (end > rest)
        *end++ = ';';
      memcpy(end, text, length);
      end += length;
    }
    text += length + (text[length] == ';');
  }
  return rest;
}

/// The numeric value of a parameter in a list; false if it has none.
static bool read_value(double *out, ts_arena *arena, const char *text, const char *name) {
  while (*text) {
    size_t length = strcspn(text, ";");
    if (is_param(text, length, name)) {
      size_t start = strlen(name) + 1;
      const char *value = ts_arena_format(arena, "%.*s", (int)(length - start), text + start);
      return value && ts_number_parse(out, value) == TS_OK && isfinite(*out);
    }
    text += length + (text[length] == ';');
  }
  return false;
}

/// Removes the parameter from a row; shares text with the previous row.
static ts_status reduce(ts_record *record, ts_arena *arena, const candidate *c,
                        const ts_record *before, const ts_record *before_reduced) {
  for (int list = 0; list < LIST_COUNT; list++) {
    const char *text = list_text(record, list), *rest;
    if (before && strcmp(list_text(before, list), text) == 0)
      rest = list_text(before_reduced, list);
    else
      rest = list == c->list ? take_off(arena, text, c->name) : text;
    if (!rest)
      return TS_E_MEMORY;
    *list_of(record, list) = rest;
  }
  return TS_OK;
}

static ts_status make_sweep(ts_plot_sweep *out, ts_arena *arena, const ts_plot_source *source,
                            const candidate *c) {
  ts_record *records = ts_arena_array(arena, source->count, sizeof *records);
  size_t *original = ts_arena_array(arena, source->count, sizeof *original);
  double *values = ts_arena_array(arena, source->count, sizeof *values);
  if (!records || !original || !values)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < source->count; i++) {
    const ts_record *r = &source->records[i];
    // Parameters of the simulation do not affect the scene as built.
    if ((!ts_record_is_ok(r) && !ts_record_has_failed(r)) ||
        (c->list == SIMULATION && r->step == 0) ||
        !read_value(&values[count], arena, list_text(r, c->list), c->name))
      continue;
    records[count] = *r;
    original[count] = i;
    TS_TRY(reduce(&records[count], arena, c,
                  count > 0 ? &source->records[original[count - 1]] : NULL,
                  count > 0 ? &records[count - 1] : NULL));
    count++;
  }
  *out = (ts_plot_sweep){
      .name = c->name,
      .is_of_simulation = c->list == SIMULATION,
      .source = {.records = records,
                 .count = count,
                 .method_names = source->method_names,
                 .method_count = source->method_count},
      .original = original,
      .values = values,
  };
  return ts_plot_source_index(&out->source, arena);
}

ts_status ts_plot_find_sweeps(ts_plot_sweep **out, size_t *out_count, ts_arena *arena,
                              const ts_plot_source *source) {
  candidates found = {0};
  TS_TRY(find_candidates(&found, arena, source));
  *out = ts_arena_array(arena, found.count, sizeof **out);
  *out_count = 0;
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < found.count; i++) {
    if (!found.items[i].differs)
      continue;
    ts_plot_sweep *sweep = &(*out)[*out_count];
    ts_plot_run *runs;
    size_t run_count;
    TS_TRY(make_sweep(sweep, arena, source, &found.items[i]));
    TS_TRY(ts_plot_find_runs(&runs, &run_count, arena, sweep));
    *out_count += run_count > 0;
  }
  return TS_OK;
}

typedef struct place {
  size_t case_entry, method_entry, row;
  double value;
} place;

static int compare_places(const void *a, const void *b) {
  const place *x = a, *y = b;
  if (x->case_entry != y->case_entry)
    return x->case_entry < y->case_entry ? -1 : 1;
  if (x->method_entry != y->method_entry)
    return x->method_entry < y->method_entry ? -1 : 1;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

/// The curve that starts at places[0].
static ts_plot_run start_run(const place *places, size_t count, const size_t *rows) {
  ts_plot_run run = {places[0].case_entry, places[0].method_entry, 1, 1, rows};
  while (run.count < count && places[run.count].case_entry == run.case_entry &&
         places[run.count].method_entry == run.method_entry) {
    run.value_count += places[run.count].value != places[run.count - 1].value;
    run.count++;
  }
  return run;
}

ts_status ts_plot_find_runs(ts_plot_run **out, size_t *out_count, ts_arena *arena,
                            const ts_plot_sweep *sweep) {
  size_t count = sweep->source.count;
  place *places = ts_arena_array(arena, count, sizeof *places);
  size_t *rows = ts_arena_array(arena, count, sizeof *rows);
  *out = ts_arena_array(arena, count, sizeof **out);
  *out_count = 0;
  if (!places || !rows || !*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    places[i] = (place){sweep->source.cases.entry_of[i], sweep->source.methods.entry_of[i], i,
                        sweep->values[i]};
  qsort(places, count, sizeof *places, compare_places);
  for (size_t i = 0; i < count; i++)
    rows[i] = places[i].row;
  for (size_t first = 0; first < count;) {
    ts_plot_run run = start_run(&places[first], count - first, &rows[first]);
    first += run.count;
    if (run.value_count >= 2)
      (*out)[(*out_count)++] = run;
  }
  return TS_OK;
}

/// The end of the rows that have the value of row `first` of the curve.
static size_t end_of_value(const ts_plot_sweep *sweep, const ts_plot_run *run, size_t first) {
  size_t end = first + 1;
  while (end < run->count && sweep->values[run->rows[end]] == sweep->values[run->rows[first]])
    end++;
  return end;
}

ts_status ts_plot_run_points(ts_plot_points *out, ts_arena *arena, const ts_plot_sweep *sweep,
                             const ts_plot_run *run, const ts_field *field, bool has_intervals) {
  *out = (ts_plot_points){.x = ts_arena_array(arena, run->value_count, sizeof *out->x),
                          .y = ts_arena_array(arena, run->value_count, sizeof *out->y)};
  if (!out->x || !out->y)
    return TS_E_MEMORY;
  for (size_t first = 0, end; first < run->count; first = end) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_plot_mean mean = {.field = field};
    end = end_of_value(sweep, run, first);
    for (size_t i = first; i < end; i++)
      TS_TRY(ts_plot_mean_add(&mean, arena, &sweep->source.records[run->rows[i]], 0));
    ts_interval y = {.mean = ts_plot_mean_value(&mean), .low = (double)NAN, .high = (double)NAN};
    if (has_intervals)
      TS_TRY(ts_plot_mean_interval(&y, arena, &mean));
    ts_arena_rewind(arena, mark);
    if (isnan(y.mean))
      continue;
    out->x[out->count] = sweep->values[run->rows[first]];
    out->y[out->count++] = y;
  }
  return TS_OK;
}

bool ts_plot_points_have_intervals(const ts_plot_points *points) {
  for (size_t i = 0; i < points->count; i++)
    if (!isnan(points->y[i].low))
      return true;
  return false;
}

size_t ts_plot_run_seeds(const ts_plot_sweep *sweep, const ts_plot_run *runs, size_t count) {
  size_t seeds = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t first = 0, end; first < runs[i].count; first = end) {
      end = end_of_value(sweep, &runs[i], first);
      seeds = end - first > seeds ? end - first : seeds;
    }
  return seeds;
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

ts_status ts_plot_say_sweep_axis(ts_plot_page *page, const ts_plot_sweep *sweep,
                                 const ts_plot_run *runs, size_t count, bool is_logarithmic) {
  double *values = ts_arena_array(page->book->arena, sweep->source.count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  size_t used = 0, different = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < runs[i].count; k++)
      values[used++] = sweep->values[runs[i].rows[k]];
  qsort(values, used, sizeof *values, compare_numbers);
  for (size_t i = 0; i < used; i++)
    if (i == 0 || values[i] != values[different - 1])
      values[different++] = values[i];
  double min = values[0], max = values[different - 1];
  if (is_logarithmic)
    ts_plot_say(page, "set logscale x\nset xrange [%.9g:%.9g]\n", min / 1.2, max * 1.2);
  else
    ts_plot_say(page, "set xrange [%.9g:%.9g]\n", min - 0.05 * (max - min),
                max + 0.05 * (max - min));
  for (size_t i = 0; i < different && different <= TICS_MAX; i++)
    ts_plot_say(page, "%s%.9g%s", i == 0 ? "set xtics (" : ", ", values[i],
                i + 1 == different ? ")\n" : "");
  return TS_OK;
}
