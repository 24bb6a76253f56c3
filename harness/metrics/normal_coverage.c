/// How many of the normals that are needed some contact has.
#include "harness/metrics/metric.h"

#include <math.h>

/// Whether a contact of C that belongs to the region has this normal.
static bool is_met(const ts_judgement *judgement, const ts_judged_pair *pair, size_t region,
                   ts_vec3 normal) {
  for (size_t i = 0; i < pair->set->count; i++)
    if (ts_judged_counts(pair, i) && pair->verdicts[i].region == region &&
        ts_scoring_accepts(judgement->scoring, pair->set->contacts[i].normal, normal))
      return true;
  return false;
}

/// How many of the needed normals of a region are met: all that are not open, or any one.
static size_t count_met(const ts_judgement *judgement, const ts_judged_pair *pair, size_t index) {
  const ts_region *region = &judgement->scene->regions[index];
  const ts_feasible_set *set = &region->feasible[judgement->scoring.reference];
  size_t met = 0;
  for (size_t i = 0; i < set->count; i++)
    if (!ts_feasible_is_open(&set->normals[i], ts_judged_open_m(pair)))
      met += is_met(judgement, pair, index, set->normals[i].normal);
  return region->needs_all || met == 0 ? met : 1;
}

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  size_t needed = 0, met = 0;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
      size_t here = ts_region_needed_normals(&judgement->scene->regions[r],
                                             judgement->scoring.reference, ts_judged_open_m(pair));
      needed += here;
      met += here > 0 ? count_met(judgement, pair, r) : 0;
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
    .summary = "Share of the needed feasible normals that some contact of their region has.",
    .source = "Erleben 2018, section 5, Table 8",
    .columns = "coverage_percent",
    .compute = compute,
};
