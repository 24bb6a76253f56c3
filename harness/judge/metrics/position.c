// SPDX-License-Identifier: MIT
/// Distance of the contacts from the touching regions, and errors of their gaps.
#include "harness/judge/metrics/metric.h"

#include <math.h>

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  double position_m = NAN, gap_m = NAN;
  size_t wrong = 0;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t i = 0; i < pair->set->count; i++) {
      if (!ts_judged_counts(pair, i))
        continue;
      // The larger of two; of a number and a NaN, the number.
      position_m = fmax(position_m, pair->verdicts[i].position_error_m);
      gap_m = fmax(gap_m, pair->verdicts[i].gap_error_m);
      wrong += pair->verdicts[i].is_gap_wrong;
    }
  }
  record->position_error_m_max = position_m;
  record->gap_error_m_max = gap_m;
  record->gaps_wrong = (double)wrong;
  return TS_OK;
}

extern const ts_metric ts_metric_position;
const ts_metric ts_metric_position = {
    .name = "position",
    .unit = "m",
    .needs = "regions",
    .summary = "Largest distance of a contact from the regions of its pair, and largest gap error "
               "beyond what the envelope explains; also the number of wrong gaps.",
    .source = "touchstone",
    .compute = compute,
};
