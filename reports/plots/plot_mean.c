// SPDX-License-Identifier: MIT
#include "reports/plots/plot_mean.h"

#include "base/array.h"
#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/study/study_mean.h"
#include "reports/tables/counted.h"

#include <math.h>
#include <string.h>

static bool is_time(const ts_field *field) {
  return field->role == TS_ROLE_TIME;
}

ts_status ts_plot_mean_add(ts_plot_mean *mean, ts_arena *arena, const ts_record *record,
                           size_t stratum) {
  double value = ts_row_counted(mean->field, record);
  if (isnan(value) || (is_time(mean->field) && !(value > 0)))
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(mean->values, mean->capacity, mean->count, 1, arena));
  TS_TRY(TS_ARENA_GROW(mean->strata, mean->strata_capacity, mean->count, 1, arena));
  mean->values[mean->count] = value;
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

double ts_plot_mean_value(const ts_plot_mean *mean) {
  double sum = 0;
  for (size_t i = 0; i < mean->count; i++)
    sum += is_time(mean->field) ? log(mean->values[i]) : mean->values[i];
  sum /= (double)mean->count;
  if (mean->measured == 0)
    return (double)NAN;
  return is_time(mean->field) ? exp(sum) : sum;
}

ts_status ts_plot_mean_interval(ts_interval *out, ts_arena *arena, const ts_plot_mean *mean) {
  double value = ts_plot_mean_value(mean);
  *out = (ts_interval){.mean = value, .low = (double)NAN, .high = (double)NAN};
  double *values = ts_arena_array(arena, mean->count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  if (mean->count < 2 || !isfinite(value))
    return TS_OK;
  memcpy(values, mean->values, mean->count * sizeof *values);
  return ts_study_mean(out, arena, mean->field, values, mean->strata, mean->count);
}
