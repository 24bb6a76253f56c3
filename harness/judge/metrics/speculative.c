// SPDX-License-Identifier: MIT
/// Contacts ahead of a touch that are not as the surfaces of the bodies are.
#include "harness/judge/metrics/metric.h"

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  size_t wrong = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    for (size_t i = 0; i < judgement->pairs[p].set->count; i++)
      wrong += judgement->pairs[p].verdicts[i].is_wrong_ahead;
  record->speculative_wrong = (double)wrong;
  return TS_OK;
}

extern const ts_metric ts_metric_speculative;
const ts_metric ts_metric_speculative = {
    .name = "speculative",
    .unit = "",
    .needs = "nothing",
    .summary = "Contacts ahead of a touch whose place, normal or gap is not that of the surfaces.",
    .source = "touchstone",
    .compute = compute,
};
