// SPDX-License-Identifier: MIT
#include "reports/history/history.h"

#include "base/status.h"
#include "reports/compare/difference.h"
#include "reports/tables/counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The rows of a method in a run that count, by identity.
typedef struct row_set {
  const ts_record **rows; ///< [count]
  size_t count;
} row_set;

/// A sum of what rows count, of times of the logarithms.
typedef struct mean {
  const ts_field *field;
  double sum;
  size_t count;
} mean;

static double counted(const ts_field *field, const ts_record *record) {
  double value = ts_row_counted(field, record);
  if (field->role == TS_ROLE_TIME)
    return value > 0 ? log(value) : (double)NAN;
  return isfinite(value) ? value : (double)NAN;
}

static void add(mean *m, const ts_record *record) {
  m->sum += counted(m->field, record);
  m->count++;
}

static double value_of(const mean *m) {
  double value = m->count > 0 ? m->sum / (double)m->count : (double)NAN;
  return m->field->role == TS_ROLE_TIME ? exp(value) : value;
}

/// All records in one array, for an axis: a method has one label in all runs.
static ts_status find_methods(ts_history *out, ts_arena *arena) {
  size_t count = 0;
  for (size_t i = 0; i < out->run_count; i++)
    count += out->runs[i].count;
  ts_record *all = ts_arena_array(arena, count, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  count = 0;
  for (size_t i = 0; i < out->run_count; i++)
    for (size_t k = 0; k < out->runs[i].count; k++)
      all[count++] = out->runs[i].records[k];
  return ts_axis_of_methods(&out->methods, arena, all, count);
}

static int compare_pointed(const void *a, const void *b) {
  return ts_rows_compare_identity(*(const ts_record *const *)a, *(const ts_record *const *)b);
}

/// Adds each row that counts to its set; without room for rows, counts them.
static void fill_sets(row_set *sets, const ts_history *history) {
  const size_t *entry_of = history->methods.entry_of;
  for (size_t i = 0; i < history->run_count; i++)
    for (size_t k = 0; k < history->runs[i].count; k++) {
      const ts_record *record = &history->runs[i].records[k];
      row_set *set = &sets[*entry_of++ * history->run_count + i];
      if (isnan(counted(history->field, record)))
        continue;
      if (set->rows)
        set->rows[set->count] = record;
      set->count++;
    }
}

/// Fills the sets [methods.count][run_count], each sorted.
static ts_status sort_rows(row_set *sets, ts_arena *arena, const ts_history *history) {
  size_t count = history->methods.count * history->run_count;
  fill_sets(sets, history);
  for (size_t i = 0; i < count; i++) {
    if (!(sets[i].rows = ts_arena_array(arena, sets[i].count, sizeof *sets[i].rows)))
      return TS_E_MEMORY;
    sets[i].count = 0;
  }
  fill_sets(sets, history);
  for (size_t i = 0; i < count; i++)
    if (sets[i].count > 1)
      qsort(sets[i].rows, sets[i].count, sizeof *sets[i].rows, compare_pointed);
  return TS_OK;
}

/// Compares a point with that of the last run that has the figure.
static void compare_sets(ts_history_point *point, const ts_history *history, const row_set *old,
                         const row_set *new, size_t run) {
  mean was = {.field = history->field}, now = was;
  for (size_t i = 0, k = 0; i < old->count && k < new->count;) {
    int order = ts_rows_compare_identity(old->rows[i], new->rows[k]);
    if (order == 0) {
      add(&was, old->rows[i]);
      add(&now, new->rows[k]);
    }
    i += order <= 0;
    k += order >= 0;
  }
  point->common = was.count;
  if (history->field->role == TS_ROLE_TIME &&
      history->runs[point->before].machine != history->runs[run].machine)
    return;
  point->was = value_of(&was);
  point->now = value_of(&now);
  point->is_joined = point->before + 1 == run && old->count == was.count && new->count == was.count;
}

static void fill_method(ts_history_point *points, const ts_history *history, const row_set *sets) {
  size_t before = TS_HISTORY_NONE;
  for (size_t i = 0; i < history->run_count; i++) {
    mean all = {.field = history->field};
    for (size_t k = 0; k < sets[i].count; k++)
      add(&all, sets[i].rows[k]);
    points[i] = (ts_history_point){.value = value_of(&all),
                                   .rows = all.count,
                                   .before = before,
                                   .was = (double)NAN,
                                   .now = (double)NAN};
    if (all.count == 0)
      continue;
    if (before != TS_HISTORY_NONE)
      compare_sets(&points[i], history, &sets[before], &sets[i], i);
    before = i;
  }
}

static double size_of_change(const ts_field *field, const ts_history_point *point) {
  if (isnan(point->was) || point->was == point->now)
    return 0;
  return field->role == TS_ROLE_TIME ? fabs(log(point->now / point->was))
                                     : fabs(point->now - point->was);
}

/// The last one of equal changes: the newest is the one to look at.
static void find_biggest(ts_history *history) {
  double most = 0;
  for (size_t i = 0; i < history->run_count; i++)
    for (size_t m = 0; m < history->methods.count; m++) {
      double size = size_of_change(history->field, ts_history_at(history, m, i));
      if (size == 0 || size < most)
        continue;
      most = size;
      history->biggest_method = m;
      history->biggest_run = i;
    }
}

static ts_status check_common(const ts_history *history) {
  size_t rows = 0, common = 0;
  for (size_t i = 0; i < history->methods.count * history->run_count; i++) {
    rows += history->points[i].rows;
    common += history->points[i].common;
  }
  if (rows == 0)
    return ts_fail(TS_E_INPUT,
                   "none of these rows has a value of %s; choose another --figure, or another "
                   "--step: columns of motion are measured from step 2 on",
                   history->field->column);
  if (history->run_count > 1 && common == 0)
    return ts_fail(TS_E_INPUT,
                   "these runs have no row with %s in common, so there is no history: "
                   "cases, methods and parameters all have to be the same; compare "
                   "their context.json, or give the runs of one plan",
                   history->field->column);
  return TS_OK;
}

ts_status ts_history_make(ts_history *out, ts_arena *arena, const ts_history_run *runs,
                          size_t run_count, const ts_field *field) {
  *out = (ts_history){.field = field,
                      .runs = runs,
                      .run_count = run_count,
                      .biggest_method = TS_HISTORY_NONE,
                      .biggest_run = TS_HISTORY_NONE};
  TS_TRY(find_methods(out, arena));
  size_t count = out->methods.count * run_count;
  row_set *sets = ts_arena_array(arena, count, sizeof *sets);
  ts_history_point *points = ts_arena_array(arena, count, sizeof *points);
  if (!sets || !points)
    return TS_E_MEMORY;
  TS_TRY(sort_rows(sets, arena, out));
  for (size_t m = 0; m < out->methods.count; m++)
    fill_method(&points[m * run_count], out, &sets[m * run_count]);
  out->points = points;
  find_biggest(out);
  return check_common(out);
}

const ts_history_point *ts_history_at(const ts_history *history, size_t method, size_t run) {
  return &history->points[method * history->run_count + run];
}

const char *ts_history_direction(const ts_field *field, double was, double now) {
  double worse = ts_field_badness(field, now) - ts_field_badness(field, was);
  return worse > 0 ? "worse" : worse < 0 ? "better" : "other";
}
