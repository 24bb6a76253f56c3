// SPDX-License-Identifier: MIT
/// How many of the needed normals are matched by a contact.
#include "harness/judge/metrics/metric.h"

#include <math.h>

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  size_t needed = 0, met = 0;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
      size_t here = ts_region_needed_normals(&judgement->scene->regions[r],
                                             judgement->scoring.reference, pair->limits);
      needed += here;
      met += here > 0 ? ts_judged_met_normals(judgement, pair, r) : 0;
    }
  }
  record->coverage_percent = needed > 0 ? 100 * (double)met / (double)needed : (double)NAN;
  return TS_OK;
}

extern const ts_metric ts_metric_normal_coverage;
const ts_metric ts_metric_normal_coverage = {
    .name = "normal_coverage",
    .unit = "percent",
    .needs = "normals",
    .summary =
        "Share of the needed feasible normals that are matched by a contact of their region.",
    .source = "Erleben 2018, section 5, Table 8",
    .compute = compute,
};
