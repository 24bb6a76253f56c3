// SPDX-License-Identifier: MIT
#include "harness/judge/metrics/coherence_columns.h"

void ts_coherence_fill(ts_record *record, const ts_coherence *coherence) {
  const ts_coherence_step *step = ts_coherence_last(coherence);
  record->churn_percent = step->churn_percent;
  record->set_jump_m = step->set_jump_m;
  record->set_jump_per_m = step->set_jump_per_m;
  record->cone_jump = step->cone_jump;
  record->features_kept_percent = step->features_kept_percent;
  record->impulse_jump_percent = step->impulse_jump_percent;
  record->stale_percent = step->stale_percent;
  ts_coherence_run run = ts_coherence_so_far(coherence);
  record->churn_percent_mean = run.churn_percent_mean;
  record->set_jump_m_max = run.set_jump_m_max;
  record->set_jump_step = run.set_jump_step;
  record->set_jump_per_m_max = run.set_jump_per_m_max;
  record->cone_jump_max = run.cone_jump_max;
  record->features_kept_percent_min = run.features_kept_percent_min;
  record->impulse_jump_percent_mean = run.impulse_jump_percent_mean;
  record->stale_percent_mean = run.stale_percent_mean;
}
