// SPDX-License-Identifier: MIT
/// How many of the contacts have a correct normal.
#include "harness/judge/metrics/metric.h"

#include <math.h>

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  size_t count = ts_judgement_count(judgement), correct = 0;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t i = 0; i < pair->set->count; i++)
      correct += ts_judged_counts(pair, i) && pair->verdicts[i].is_correct;
  }
  record->quality_percent = count > 0 ? 100 * (double)correct / (double)count : (double)NAN;
  return TS_OK;
}

extern const ts_metric ts_metric_normal_quality;
const ts_metric ts_metric_normal_quality = {
    .name = "normal_quality",
    .unit = "percent",
    .needs = "normals",
    .summary =
        "Share of the contacts whose normal, as delivered, matches a feasible one, up to sign.",
    .source = "Erleben 2018, section 5, Table 8",
    .compute = compute,
};
