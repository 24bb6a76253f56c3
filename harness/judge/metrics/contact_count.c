// SPDX-License-Identifier: MIT
/// Numbers of bodies and contacts, and of pairs and regions that touch in truth.
#include "harness/judge/metrics/metric.h"

static ts_status count_contacts(ts_record *record, const ts_judgement *judgement) {
  size_t speculative = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    for (size_t i = 0; i < judgement->pairs[p].set->count; i++)
      speculative += judgement->pairs[p].verdicts[i].is_speculative;
  record->bodies = (double)judgement->scene->body_count;
  record->contacts = (double)ts_judgement_count(judgement);
  record->speculative = (double)speculative;
  return TS_OK;
}

static ts_status count_truth(ts_record *record, const ts_judgement *judgement) {
  ts_truth_totals totals = ts_scene_truth_totals(judgement->scene, judgement->scoring.reference);
  record->pairs_touching = (double)totals.pairs;
  record->regions = (double)totals.regions;
  record->minimum = (double)totals.minimum;
  size_t most = 0, unknown = 0;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    most += ts_judged_minimum(judgement, &judgement->pairs[p], TS_CORNERS_ALL);
    unknown += judgement->pairs[p].is_unknown;
  }
  record->minimum_most = (double)most;
  record->pairs_unknown = (double)unknown;
  return TS_OK;
}

extern const ts_metric ts_metric_contact_count;
const ts_metric ts_metric_contact_count = {
    .name = "contact_count",
    .unit = "",
    .needs = "nothing",
    .summary = "Number of bodies, of contacts that touch and of speculative ones.",
    .source = "Erleben 2018, section 5",
    .compute = count_contacts,
};

extern const ts_metric ts_metric_truth_count;
const ts_metric ts_metric_truth_count = {
    .name = "truth_count",
    .unit = "",
    .needs = "regions",
    .summary = "Number of touching pairs and regions, and the minimum number of contacts that "
               "represents them.",
    .source = "Erleben 2018, section 5",
    .compute = count_truth,
};
