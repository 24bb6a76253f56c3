// SPDX-License-Identifier: MIT
/// The number of contacts relative to the minimum.
#include "harness/judge/metrics/metric.h"

#include <math.h>

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  size_t minimum = ts_scene_truth_totals(judgement->scene, judgement->scoring.reference).minimum;
  double count = (double)ts_judgement_count(judgement);
  record->excess_factor = minimum > 0 ? count / (double)minimum : (double)NAN;
  return TS_OK;
}

extern const ts_metric ts_metric_excess;
const ts_metric ts_metric_excess = {
    .name = "excess",
    .unit = "",
    .needs = "regions",
    .summary = "Number of contacts over the minimum number that represents the truth.",
    .source = "Erleben 2018, section 5, Table 8",
    .compute = compute,
};
