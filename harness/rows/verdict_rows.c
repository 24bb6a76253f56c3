// SPDX-License-Identifier: MIT
#include "harness/rows/verdict_rows.h"

#include "base/feature.h"
#include "base/status.h"
#include "harness/judge/pair_motion.h"

#include <math.h>

static double feature_index(ts_feature feature) {
  return feature.kind == TS_FEATURE_NONE ? (double)NAN : (double)feature.index;
}

static ts_contact_row contact_row(const ts_record *record, const ts_judgement *judgement,
                                  const ts_judged_pair *pair, size_t i) {
  const ts_contact *contact = &pair->set->contacts[i];
  const ts_verdict *verdict = &pair->verdicts[i];
  ts_contact_row row;
  ts_row_init(&ts_contact_rows, &row);
  row.cell = record->cell;
  row.case_name = record->case_name;
  row.method = record->method;
  row.step = record->step;
  row.body_a = pair->set->body_a;
  row.body_b = pair->set->body_b;
  row.index = (double)i;
  row.point_x_m = contact->point.x;
  row.point_y_m = contact->point.y;
  row.point_z_m = contact->point.z;
  row.normal_x = contact->normal.x;
  row.normal_y = contact->normal.y;
  row.normal_z = contact->normal.z;
  row.gap_m = contact->gap_m;
  row.area_m2 = contact->area_m2;
  row.feature_a = ts_feature_word(contact->feature_a.kind);
  row.feature_a_index = feature_index(contact->feature_a);
  row.feature_b = ts_feature_word(contact->feature_b.kind);
  row.feature_b_index = feature_index(contact->feature_b);
  row.group = contact->group;
  row.normal_error_deg = verdict->normal_error_deg;
  if (verdict->region != TS_NO_REGION)
    row.region = (double)(verdict->region - pair->first_region);
  row.position_error_m = verdict->position_error_m;
  row.gap_error_m = verdict->gap_error_m;
  row.speculative = verdict->is_speculative;
  row.speculative_wrong = verdict->is_wrong_ahead;
  if (!judgement->scene->truth_is_unknown && !pair->is_unknown) {
    row.correct = verdict->is_correct;
    row.phantom = verdict->is_phantom;
    row.gap_wrong = verdict->is_gap_wrong;
    row.flipped = verdict->is_flipped;
  }
  return row;
}

ts_status ts_verdict_rows_make(ts_contact_row **out, size_t *out_count, ts_arena *arena,
                               const ts_record *record, const ts_judgement *judgement) {
  size_t total = 0, row = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    total += judgement->pairs[p].set->count;
  ts_contact_row *rows = ts_arena_array(arena, total, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    double *residuals = ts_arena_array(arena, pair->set->count, sizeof *residuals);
    if (!residuals)
      return TS_E_MEMORY;
    TS_TRY(ts_motion_residuals(residuals, judgement, pair));
    for (size_t i = 0; i < pair->set->count; i++) {
      rows[row] = contact_row(record, judgement, pair, i);
      rows[row++].wrench_residual = residuals[i];
    }
  }
  *out = rows;
  *out_count = total;
  return TS_OK;
}
