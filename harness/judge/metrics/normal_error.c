// SPDX-License-Identifier: MIT
/// How far the normals are off, and which of them are flipped or invalid.
#include "harness/judge/metrics/metric.h"

#include "base/quantile.h"
#include "base/status.h"

static ts_status compute_error(ts_record *record, const ts_judgement *judgement) {
  size_t total = 0, flipped = 0, count = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    total += judgement->pairs[p].set->count;
  ts_arena_mark mark = ts_arena_get_mark(judgement->arena);
  double *errors = ts_arena_array(judgement->arena, total, sizeof *errors);
  if (!errors)
    return TS_E_MEMORY;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t i = 0; i < pair->set->count; i++) {
      flipped += pair->verdicts[i].is_flipped;
      errors[count++] = pair->verdicts[i].normal_error_deg;
    }
  }
  record->normal_error_deg_median = ts_quantile(errors, count, 0.5);
  record->normal_error_deg_p95 = ts_quantile(errors, count, 0.95);
  record->normal_error_deg_max = ts_quantile(errors, count, 1);
  record->normals_flipped = (double)flipped;
  ts_arena_rewind(judgement->arena, mark);
  return TS_OK;
}

static ts_status count_invalid(ts_record *record, const ts_judgement *judgement) {
  size_t invalid = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    for (size_t i = 0; i < judgement->pairs[p].set->count; i++)
      invalid += judgement->pairs[p].verdicts[i].is_invalid;
  record->normals_invalid = (double)invalid;
  return TS_OK;
}

extern const ts_metric ts_metric_normal_error;
const ts_metric ts_metric_normal_error = {
    .name = "normal_error",
    .unit = "deg",
    .needs = "normals",
    .summary = "Angle to the closest feasible normal, up to sign, over the contacts of pairs that "
               "have a region, without speculative ones; also the number of flipped normals.",
    .source = "touchstone",
    .compute = compute_error,
};

extern const ts_metric ts_metric_normal_validity;
const ts_metric ts_metric_normal_validity = {
    .name = "normal_validity",
    .unit = "",
    .needs = "nothing",
    .summary = "Invalid normals: not finite, zero or not of unit length.",
    .source = "touchstone",
    .compute = count_invalid,
};
