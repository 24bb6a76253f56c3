// SPDX-License-Identifier: MIT
/// The number of contacts relative to the minimum.
#include "harness/judge/metrics/metric.h"

#include <math.h>

/// The number of contacts in C of a pair, held within what represents its truth: every number from
/// the corners that touch to those that touch within the tolerance is right.
static double right_count(const ts_judgement *judgement, const ts_judged_pair *pair) {
  size_t count = 0;
  for (size_t i = 0; i < pair->set->count; i++)
    count += ts_judged_counts(pair, i);
  size_t most = ts_judged_minimum(judgement, pair, TS_CORNERS_ALL);
  if (count >= most) // as is usual
    return (double)most;
  size_t least = ts_judged_minimum(judgement, pair, TS_CORNERS_CLOSED);
  return fmin(fmax((double)count, (double)least), (double)most);
}

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  double right = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    right += right_count(judgement, &judgement->pairs[p]);
  double count = (double)ts_judgement_count(judgement);
  record->excess_factor = right > 0 ? count / right : (double)NAN;
  return TS_OK;
}

extern const ts_metric ts_metric_excess;
const ts_metric ts_metric_excess = {
    .name = "excess",
    .unit = "",
    .needs = "regions",
    .summary = "Number of contacts over the minimum number that represents the truth; where gaps "
               "within the tolerance leave a range, over the nearest number in it.",
    .source = "Erleben 2018, section 5, Table 8",
    .compute = compute,
};
