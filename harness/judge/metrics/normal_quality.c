// SPDX-License-Identifier: MIT
/// How many of the contacts have a correct normal.
#include "harness/judge/metrics/metric.h"

#include <math.h>

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  size_t count = ts_judgement_count(judgement), correct = 0;
  bool is_any_needed = false;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    is_any_needed |= pair->touches;
    for (size_t i = 0; i < pair->set->count; i++)
      correct += ts_judged_counts(pair, i) && pair->verdicts[i].is_correct;
  }
  // A method must not rise in a mean by finding nothing. The published tables leave a blank.
  double of_none = judgement->scoring.rule != TS_RULE_PUBLISHED && is_any_needed ? 0 : (double)NAN;
  record->quality_percent = count > 0 ? 100 * (double)correct / (double)count : of_none;
  return TS_OK;
}

extern const ts_metric ts_metric_normal_quality;
const ts_metric ts_metric_normal_quality = {
    .name = "normal_quality",
    .unit = "percent",
    .needs = "normals",
    .summary =
        "Share of the contacts whose normal, as delivered, matches a feasible one, up to sign; 0 "
        "where contacts are needed and none was found.",
    .source = "Erleben 2018, section 5, Table 8",
    .compute = compute,
};
