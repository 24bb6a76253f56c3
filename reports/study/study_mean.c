// SPDX-License-Identifier: MIT
#include "reports/study/study_mean.h"

#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"

#include <math.h>

bool ts_row_found_nothing(const ts_record *record) {
  return ts_record_is_ok(record) && isnan(record->quality_percent) &&
         !isnan(record->coverage_percent);
}

double ts_row_counted(const ts_field *field, const ts_record *record) {
  bool is_judged = ts_field_is_percent(field) && field->sense == TS_SENSE_HIGHER &&
                   field->shown & TS_SHOWN_TABLE;
  if (!ts_record_is_ok(record))
    return is_judged && ts_record_has_failed(record) ? 0 : (double)NAN;
  double value = ts_row_number(field, record);
  // A method must not be ahead by finding nothing.
  return is_judged && isnan(value) && ts_row_found_nothing(record) ? 0 : value;
}

ts_status ts_study_mean(ts_interval *out, ts_arena *arena, const ts_field *field, double *values,
                        const size_t *strata, size_t count) {
  // Times differ by orders of magnitude between cases: their geometric mean is moved alike by a
  // method that is twice as fast on a fast case and on a slow one.
  bool is_geometric = field->role == TS_ROLE_TIME;
  double least = INFINITY;
  for (size_t i = 0; i < count; i++) {
    least = fmin(least, values[i]);
    values[i] = is_geometric ? log(values[i]) : values[i];
  }
  TS_TRY(ts_bootstrap_mean(out, arena, values, strata, count));
  if (is_geometric)
    *out =
        (ts_interval){exp(out->mean), exp(out->low), exp(out->high), out->count, out->exceptions};
  if (out->count > 1 && least >= 0)
    out->low = fmax(out->low, 0);
  if (out->count > 1 && ts_field_is_percent(field))
    out->high = fmin(out->high, 100);
  return TS_OK;
}
