// SPDX-License-Identifier: MIT
#include "reports/study/study_mean.h"

#include "base/status.h"
#include "reports/tables/field_text.h"

#include <math.h>

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
