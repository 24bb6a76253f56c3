// SPDX-License-Identifier: MIT
/// Contacts where nothing touches, and touching regions without a contact or with too few.
#include "harness/judge/metrics/metric.h"

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  size_t phantom = 0, missed = 0, missing = 0;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t i = 0; i < pair->set->count; i++)
      phantom += pair->verdicts[i].is_phantom;
    for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
      missed += ts_judged_misses(judgement, pair, r);
      missing += ts_judged_missing_contacts(judgement, pair, r);
    }
  }
  record->phantom = (double)phantom;
  record->regions_missed = (double)missed;
  record->contacts_missing = (double)missing;
  return TS_OK;
}

extern const ts_metric ts_metric_phantom;
const ts_metric ts_metric_phantom = {
    .name = "phantom",
    .unit = "",
    .needs = "regions",
    .summary = "Contacts of pairs that do not touch or away from every region, regions without a "
               "contact, and contacts that regions lack of their minimum.",
    .source = "touchstone",
    .compute = compute,
};
