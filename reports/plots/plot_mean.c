// SPDX-License-Identifier: MIT
#include "reports/plots/plot_mean.h"

#include "base/array.h"
#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/study/study.h"
#include "reports/tables/field_text.h"

#include <math.h>

static bool is_time(const ts_field *field) {
  return field->role == TS_ROLE_TIME;
}

ts_status ts_plot_mean_add(ts_plot_mean *mean, ts_arena *arena, const ts_record *record,
                           size_t stratum) {
  double value = ts_study_value_of(mean->field, record);
  if (isnan(value) || (is_time(mean->field) && !(value > 0)))
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(mean->values, mean->capacity, mean->count, 1, arena));
  TS_TRY(TS_ARENA_GROW(mean->strata, mean->strata_capacity, mean->count, 1, arena));
  mean->values[mean->count] = is_time(mean->field) ? log(value) : value;
  mean->strata[mean->count++] = stratum;
  mean->measured += ts_record_is_ok(record) && !isnan(ts_row_number(mean->field, record));
  return TS_OK;
}

ts_status ts_plot_mean_add_cell(ts_plot_mean *mean, ts_arena *arena, const ts_plot_source *source,
                                size_t case_entry, size_t method_entry) {
  size_t before = mean->count, stratum = source->strata[case_entry];
  ts_plot_cell cell = ts_plot_cell_of(source, case_entry, method_entry);
  for (size_t i = 0; i < cell.count; i++)
    TS_TRY(ts_plot_mean_add(mean, arena, &source->records[cell.rows[i]], stratum));
  mean->cell_count += mean->count > before;
  return TS_OK;
}

static double mean_of(const ts_plot_mean *mean) {
  double sum = 0;
  for (size_t i = 0; i < mean->count; i++)
    sum += mean->values[i];
  return sum / (double)mean->count;
}

double ts_plot_mean_value(const ts_plot_mean *mean) {
  if (mean->measured == 0)
    return (double)NAN;
  return is_time(mean->field) ? exp(mean_of(mean)) : mean_of(mean);
}

/// Takes off what the mean cannot be: an interval of few values reaches beyond all of them.
static void clip(ts_interval *interval, const ts_plot_mean *mean) {
  double least = INFINITY;
  for (size_t i = 0; i < mean->count; i++)
    least = fmin(least, mean->values[i]);
  if (least >= 0)
    interval->low = fmax(interval->low, 0);
  if (least >= 0 && ts_field_is_percent(mean->field))
    interval->high = fmin(interval->high, 100);
}

ts_status ts_plot_mean_interval(ts_interval *out, ts_arena *arena, const ts_plot_mean *mean) {
  double value = ts_plot_mean_value(mean);
  *out = (ts_interval){.mean = value, .low = (double)NAN, .high = (double)NAN};
  if (mean->count < 2 || !isfinite(value))
    return TS_OK;
  TS_TRY(ts_bootstrap_mean(out, arena, mean->values, mean->strata, mean->count));
  if (is_time(mean->field))
    *out = (ts_interval){exp(out->mean), exp(out->low), exp(out->high), out->count};
  else
    clip(out, mean);
  return TS_OK;
}
