// SPDX-License-Identifier: MIT
#include "harness/score/score_judge.h"

#include "base/status.h"
#include "harness/run/cell.h"
#include "harness/run/run_folder.h"
#include "harness/score/score_modify.h"

#include <stdio.h>
#include <unistd.h>

ts_scoring ts_score_scoring(const ts_score *s) {
  ts_scoring scoring = ts_cell_scoring(&s->cell);
  scoring.has_no_gaps = !s->found.has_gaps;
  return scoring;
}

ts_status ts_score_judge(ts_score *s) {
  TS_TRY(ts_score_read_contacts(s));
  TS_TRY(ts_score_name_method(s));
  ts_cell_state *m = &s->state;
  double step = s->found.states.count > 0 ? s->found.states.items[0].step : s->values.step;
  ts_cell_state_begin(m, &s->cell, step > 0 ? step : 0);
  ts_cell_state_set_bodies(m, s->scene, s->envelope);
  TS_TRY(ts_score_modify(&m->record, s, s->arena, s->scene, s->found.sets, s->found.set_count));
  ts_cell_state_set_contacts(m, s->found.sets, s->found.set_count);
  return ts_cell_state_score(m, s->arena, s->scene, s->envelope, ts_score_scoring(s), true);
}

static ts_status create_results(ts_results **out, const char *folder, const json_t *context) {
  TS_TRY(ts_results_create_by(out, folder, "--results", context));
  ts_status status = ts_results_set_next(*out, "score again");
  if (status != TS_OK)
    ts_results_close(*out);
  return status;
}

ts_status ts_score_results_begin(ts_results **out, ts_arena *arena, const char *folder, int count,
                                 char *const *arguments, ts_dataset_source *source) {
  json_t *context = NULL;
  const char *made = ts_arena_format(arena, "%s/context.json", folder);
  ts_status status = made ? TS_OK : TS_E_MEMORY;
  if (made && access(made, F_OK) == 0)
    status = ts_fail(TS_E_INPUT, "%s already has results; choose another --results", folder);
  if (status == TS_OK)
    status = ts_run_folder_context(&context, arena, "score", count, arguments);
  if (status == TS_OK)
    status = ts_dataset_source_put(source, context);
  if (status == TS_OK)
    status = create_results(out, folder, context);
  json_decref(context);
  ts_dataset_source_drop(source);
  return status;
}

/// Removes results that could not be written whole: nothing goes on with them, unlike a run. What
/// else is in the folder stays.
static ts_status drop_results(const char *folder, ts_status status) {
  char detail[900], path[4096];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  for (size_t i = 0; ts_results_names[i]; i++)
    if (snprintf(path, sizeof path, "%s/%s", folder, ts_results_names[i]) < (int)sizeof path)
      unlink(path);
  rmdir(folder);
  return ts_fail(status, "%s (no results are written)", detail);
}

ts_status ts_score_results_end(ts_results *results, const char *folder, ts_status status) {
  char detail[1024];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  ts_status closed = ts_results_close(results);
  if (status == TS_OK)
    status = closed;
  else
    ts_fail(status, "%s", detail); // closing may have failed, too
  return status == TS_OK ? TS_OK : drop_results(folder, status);
}
