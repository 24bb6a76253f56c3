// SPDX-License-Identifier: MIT
/// How much of the area that contacts stand for has a correct normal: that of normal_quality, each
/// contact weighted by its area, so that many slivers do not count for more than the patch that
/// they surround.
#include "harness/judge/metrics/metric.h"

#include <math.h>

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  double total_m2 = 0, correct_m2 = 0; // NaN as soon as one area is
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t i = 0; i < pair->set->count; i++) {
      if (!ts_judged_counts(pair, i))
        continue;
      double area_m2 = pair->set->contacts[i].area_m2;
      total_m2 += area_m2;
      if (pair->verdicts[i].is_correct)
        correct_m2 += area_m2;
    }
  }
  bool is_known = total_m2 > 0 && isfinite(total_m2);
  record->quality_area_percent = is_known ? 100 * (correct_m2 / total_m2) : (double)NAN;
  return TS_OK;
}

extern const ts_metric ts_metric_quality_area;
const ts_metric ts_metric_quality_area = {
    .name = "quality_area",
    .unit = "percent",
    .needs = "normals",
    .summary = "Share of the area of the contacts whose normal, as delivered, matches a feasible "
               "one, up to sign.",
    .source = "touchstone",
    .compute = compute,
};
