// SPDX-License-Identifier: MIT
#include "reports/plots/tradeoff.h"

#include "base/status.h"
#include "reports/plots/plot_mean.h"

#include <math.h>
#include <stdlib.h>

/// Sorts by time, then by descending quality.
static int compare_points(const void *a, const void *b) {
  const ts_tradeoff_point *x = a, *y = b;
  if (x->time_ns.mean != y->time_ns.mean)
    return x->time_ns.mean < y->time_ns.mean ? -1 : 1;
  if (x->quality_percent.mean != y->quality_percent.mean)
    return x->quality_percent.mean > y->quality_percent.mean ? -1 : 1;
  return (x->method > y->method) - (x->method < y->method);
}

/// The mean of a column over the cases [count], without an interval if not wanted.
static ts_status find_mean(ts_interval *out, size_t *out_cases, ts_arena *arena,
                           const ts_plot_source *source, const char *column, const size_t *cases,
                           size_t count, size_t method, bool has_interval) {
  ts_plot_mean mean = {.field = ts_row_find(&ts_summary_rows, column)};
  for (size_t i = 0; i < count; i++)
    TS_TRY(ts_plot_mean_add_cell(&mean, arena, source, cases[i], method));
  *out_cases = mean.cell_count;
  if (has_interval)
    return ts_plot_mean_interval(out, arena, &mean);
  *out = (ts_interval){.mean = ts_plot_mean_value(&mean), .low = (double)NAN, .high = (double)NAN};
  return TS_OK;
}

ts_status ts_tradeoff_find(ts_tradeoff *out, ts_arena *arena, const ts_plot_source *source,
                           const size_t *cases, size_t count, bool has_intervals) {
  *out = (ts_tradeoff){.items = ts_arena_array(arena, source->methods.count, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < source->methods.count; i++) {
    ts_tradeoff_point p = {.method = i};
    TS_TRY(find_mean(&p.time_ns, &p.case_count, arena, source, "generate_ns_median", cases, count,
                     i, has_intervals));
    TS_TRY(find_mean(&p.quality_percent, &p.case_count, arena, source, "quality_percent", cases,
                     count, i, has_intervals));
    if (p.time_ns.mean > 0 && !isnan(p.quality_percent.mean))
      out->items[out->count++] = p;
  }
  qsort(out->items, out->count, sizeof *out->items, compare_points);
  double best = 0; // being fast without any quality is no tradeoff
  for (size_t i = 0; i < out->count; i++)
    if (out->items[i].quality_percent.mean > best) {
      best = out->items[i].quality_percent.mean;
      out->items[i].is_best = true;
    }
  return TS_OK;
}

ts_status ts_tradeoff_cases(const size_t **out, size_t *out_count, ts_arena *arena,
                            const ts_plot_source *source, double step) {
  size_t *entries = ts_arena_array(arena, source->cases.count, sizeof *entries), count = 0;
  if (!entries)
    return TS_E_MEMORY;
  for (size_t i = 0; i < source->cases.count; i++) {
    ts_tradeoff all;
    if (ts_plot_case_step(source, i) != step)
      continue;
    TS_TRY(ts_tradeoff_find(&all, arena, source, &i, 1, false));
    if (all.count >= 2)
      entries[count++] = i;
  }
  *out = entries;
  *out_count = count;
  return TS_OK;
}
