// SPDX-License-Identifier: MIT
#include "reports/plots/plot_source.h"

#include "base/status.h"
#include "reports/plots/plot_style.h"
#include "reports/rows/outcome.h"
#include "reports/tables/draws.h"

#include <stdlib.h>
#include <string.h>

ts_status ts_plot_source_make(ts_plot_source *out, ts_arena *arena, const ts_record *records,
                              size_t count) {
  ts_record *plain = ts_arena_copy(arena, records, count, sizeof *plain);
  if (!plain)
    return TS_E_MEMORY;
  TS_TRY(ts_take_draws_off(arena, plain, count));
  out->records = plain;
  out->count = count;
  return ts_plot_source_index(out, arena);
}

/// Sorts the rows by counting: first how many each cell has, then each row into its place.
static ts_status sort_rows(ts_plot_source *source, ts_arena *arena) {
  size_t cells = source->cases.count * source->methods.count;
  size_t *starts = ts_arena_array(arena, cells + 1, sizeof *starts);
  size_t *next = ts_arena_array(arena, cells + 1, sizeof *next);
  size_t *order = ts_arena_array(arena, source->count, sizeof *order);
  if (!starts || !next || !order)
    return TS_E_MEMORY;
  memset(starts, 0, (cells + 1) * sizeof *starts);
  for (size_t i = 0; i < source->count; i++)
    starts[source->cases.entry_of[i] * source->methods.count + source->methods.entry_of[i] + 1]++;
  for (size_t i = 0; i < cells; i++)
    starts[i + 1] += starts[i];
  memcpy(next, starts, (cells + 1) * sizeof *next);
  for (size_t i = 0; i < source->count; i++)
    order[next[source->cases.entry_of[i] * source->methods.count + source->methods.entry_of[i]]++] =
        i;
  source->order = order;
  source->starts = starts;
  return TS_OK;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Gives cases of one name one number.
static ts_status find_strata(ts_plot_source *source, ts_arena *arena) {
  size_t count = source->cases.count, different = 0;
  const char **names = ts_arena_array(arena, count, sizeof *names);
  size_t *strata = ts_arena_array(arena, count, sizeof *strata);
  if (!names || !strata)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    names[i] = source->cases.entries[i].name;
  qsort(names, count, sizeof *names, compare_texts);
  for (size_t i = 0; i < count; i++)
    if (different == 0 || strcmp(names[different - 1], names[i]) != 0)
      names[different++] = names[i];
  for (size_t i = 0; i < count; i++) {
    const char **found =
        bsearch(&source->cases.entries[i].name, names, different, sizeof *names, compare_texts);
    strata[i] = (size_t)(found - names);
  }
  source->strata = strata;
  return TS_OK;
}

ts_status ts_plot_source_index(ts_plot_source *source, ts_arena *arena) {
  TS_TRY(ts_axis_of_cases(&source->cases, arena, source->records, source->count));
  TS_TRY(ts_axis_of_methods(&source->methods, arena, source->records, source->count));
  TS_TRY(find_strata(source, arena));
  return sort_rows(source, arena);
}

ts_plot_cell ts_plot_cell_of(const ts_plot_source *source, size_t case_entry, size_t method_entry) {
  size_t cell = case_entry * source->methods.count + method_entry;
  return (ts_plot_cell){&source->order[source->starts[cell]],
                        source->starts[cell + 1] - source->starts[cell]};
}

size_t ts_plot_case_seeds(const ts_plot_source *source, size_t case_entry) {
  size_t most = 0;
  for (size_t i = 0; i < source->methods.count; i++) {
    size_t count = ts_plot_cell_of(source, case_entry, i).count;
    most = count > most ? count : most;
  }
  return most;
}

double ts_plot_case_step(const ts_plot_source *source, size_t case_entry) {
  size_t first = source->order[source->starts[case_entry * source->methods.count]];
  return source->records[first].step;
}

bool ts_plot_is_first(const ts_plot_source *source, size_t row) {
  return ts_plot_cell_of(source, source->cases.entry_of[row], source->methods.entry_of[row])
             .rows[0] == row;
}

size_t ts_plot_steps_shown(double steps[TS_PLOT_STEPS], const ts_plot_source *source) {
  bool has_published = false, has_built = false;
  double last = 0;
  for (size_t i = 0; i < source->count; i++) {
    if (!ts_record_is_ok(&source->records[i]))
      continue;
    double step = source->records[i].step;
    has_built |= step == 0;
    has_published |= step == TS_PUBLISHED_STEP;
    last = step > last ? step : last;
  }
  size_t count = 0;
  if (has_built)
    steps[count++] = 0;
  if (has_published)
    steps[count++] = TS_PUBLISHED_STEP;
  if (last > 0 && last != TS_PUBLISHED_STEP)
    steps[count++] = last;
  return count;
}

bool ts_plot_case_is_shown(const ts_plot_source *source, size_t case_entry) {
  double steps[TS_PLOT_STEPS];
  size_t count = ts_plot_steps_shown(steps, source);
  for (size_t i = 0; i < count; i++)
    if (ts_plot_case_step(source, case_entry) == steps[i])
      return true;
  return false;
}

size_t ts_plot_method_place(const ts_plot_source *source, const char *method) {
  return ts_style_place(source->method_names, source->method_count, method);
}

size_t ts_plot_method_variant(const ts_plot_source *source, size_t entry) {
  size_t variant = 0;
  for (size_t i = 0; i < entry; i++)
    variant += strcmp(source->methods.entries[i].name, source->methods.entries[entry].name) == 0;
  return variant;
}

ts_status ts_plot_rows_of_case(const size_t **out, size_t *out_count, ts_arena *arena,
                               const ts_plot_source *source, size_t case_entry) {
  size_t *rows = ts_arena_array(arena, source->methods.count, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  *out = rows;
  *out_count = 0;
  for (size_t i = 0; i < source->methods.count; i++) {
    ts_plot_cell cell = ts_plot_cell_of(source, case_entry, i);
    if (cell.count > 0)
      rows[(*out_count)++] = cell.rows[0];
  }
  return TS_OK;
}
