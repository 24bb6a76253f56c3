// SPDX-License-Identifier: MIT
#include "reports/plots/plot_source.h"

#include "reports/plots/plot_style.h"
#include "reports/rows/outcome.h"

#include <string.h>

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
  size_t count = ts_plot_steps_shown(steps, source), row = 0;
  while (row < source->count && source->cases.entry_of[row] != case_entry)
    row++;
  for (size_t i = 0; i < count && row < source->count; i++)
    if (source->records[row].step == steps[i])
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
  size_t *row_of = ts_arena_array(arena, source->methods.count, sizeof *row_of);
  size_t *rows = ts_arena_array(arena, source->methods.count, sizeof *rows);
  if (!row_of || !rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < source->methods.count; i++)
    row_of[i] = SIZE_MAX;
  for (size_t i = 0; i < source->count; i++)
    if (source->cases.entry_of[i] == case_entry && row_of[source->methods.entry_of[i]] == SIZE_MAX)
      row_of[source->methods.entry_of[i]] = i;
  *out = rows;
  *out_count = 0;
  for (size_t i = 0; i < source->methods.count; i++)
    if (row_of[i] != SIZE_MAX)
      rows[(*out_count)++] = row_of[i];
  return TS_OK;
}
