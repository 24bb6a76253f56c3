/// How many bodies, pairs, regions and contacts there are.
#include "harness/metrics/metric.h"

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  ts_truth_totals totals = ts_scene_truth_totals(judgement->scene, judgement->scoring.reference);
  size_t speculative = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    for (size_t i = 0; i < judgement->pairs[p].set->count; i++)
      speculative += judgement->pairs[p].verdicts[i].is_speculative;
  record->bodies = (double)judgement->scene->body_count;
  record->pairs_touching = (double)totals.pairs;
  record->regions = (double)totals.regions;
  record->minimum = (double)totals.minimum;
  record->contacts = (double)ts_judgement_count(judgement);
  record->speculative = (double)speculative;
  return TS_OK;
}

extern const ts_metric ts_metric_contact_count;
const ts_metric ts_metric_contact_count = {
    .name = "contact_count",
    .unit = "",
    .needs = "regions",
    .summary =
        "Counts of bodies, touching pairs, regions, and of contacts in and ahead of a touch.",
    .source = "Erleben 2018, section 5",
    .columns = "bodies pairs_touching regions minimum contacts speculative",
    .compute = compute,
};
