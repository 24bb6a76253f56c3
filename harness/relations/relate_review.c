// SPDX-License-Identifier: MIT
#include "harness/relations/relate_review.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <string.h>

bool ts_relation_is_violated(const ts_relation_finding *finding) {
  return finding->outcome == TS_OUTCOME_OK &&
         ts_relation_distance(&finding->difference) > TS_RELATION_DISTANCE;
}

const ts_plugin *ts_relate_plugin_of(const ts_relate_reviewed *of, const ts_method *method) {
  if (of->with_engines && ts_engine_find(method->name))
    return NULL;
  for (size_t p = 0; p < of->plan->plugin_count; p++)
    for (size_t m = 0; m < of->plan->plugins[p]->method_count; m++)
      if (of->plan->plugins[p]->methods[m] == method)
        return of->plan->plugins[p];
  return NULL;
}

/// Of a plug-in nothing is expected, not even where it has the name of an engine.
const char *ts_relation_expected(const ts_relate_reviewed *of, const ts_cell *cell,
                                 ts_relation_kind relation) {
  const ts_expected_violation *row =
      ts_relate_plugin_of(of, cell->method)
          ? NULL
          : ts_expected_violation_find(cell->method->name, relation, cell->c->name);
  return row ? row->reason : NULL;
}

static ts_relation_review *find_review(ts_relate_review *in, const ts_method *method) {
  size_t i = 0;
  while (i < in->method_count && in->items[i * TS_RELATION_COUNT].method != method)
    i++;
  ts_relation_review *first = &in->items[i * TS_RELATION_COUNT];
  if (i == in->method_count) {
    in->method_count++;
    for (int r = 0; r < TS_RELATION_COUNT; r++)
      first[r] = (ts_relation_review){
          .method = method, .relation = (ts_relation_kind)r, .distance_max = NAN};
  }
  return first;
}

/// Whether a violation takes the place of the worst so far: one that nobody expects before all
/// others.
static bool is_worse(const ts_relation_review *review, double distance, const char *reason) {
  if (!review->worst.cell)
    return true;
  if ((review->reason != NULL) != (reason != NULL))
    return reason == NULL;
  return distance > ts_relation_distance(&review->worst.finding->difference);
}

static void add_finding(ts_relation_review *review, const ts_relate_reviewed *of,
                        const ts_cell *cell, const ts_relation_finding *finding) {
  review->failed += ts_outcomes[finding->outcome].is_failure;
  if (finding->outcome != TS_OUTCOME_OK)
    return;
  double distance = ts_relation_distance(&finding->difference);
  review->ok++;
  review->pairs += finding->difference.pairs;
  review->pairs_measured += finding->difference.pairs_measured;
  review->pairs_differ += finding->difference.pairs_differ;
  if (ts_relation_is_violated(finding)) {
    const char *reason = ts_relation_expected(of, cell, review->relation);
    review->beyond++;
    review->unexpected += !reason;
    if (is_worse(review, distance, reason)) {
      review->worst = (ts_relation_violation){cell, finding};
      review->reason = reason;
    }
  }
  review->distance_max = fmax(review->distance_max, distance);
}

/// Whether a row was needed by some case, or may be by one that was not run.
static bool is_needed(const ts_expected_violation *row, const ts_relate_reviewed *of,
                      ts_relation_kind relation) {
  bool was_run = !row->only;
  for (size_t i = 0; i < of->plan->cell_count; i++) {
    const ts_cell *cell = &of->plan->cells[i];
    if (strcmp(cell->method->name, row->method) != 0)
      continue;
    was_run = was_run || strcmp(cell->c->name, row->only) == 0;
    if (ts_expected_violation_find(row->method, relation, cell->c->name) == row &&
        ts_relation_is_violated(&of->findings[i * TS_RELATION_COUNT + relation]))
      return true;
  }
  return !was_run;
}

/// Finds a row that is out of date. Where a case failed, it may have needed it.
static const ts_expected_violation *find_stale(const ts_relation_review *review,
                                               const ts_relate_reviewed *of) {
  if (!of->is_default || review->failed > 0 || review->ok == 0 ||
      ts_relate_plugin_of(of, review->method))
    return NULL;
  const ts_expected_violation *row = ts_expected_violations;
  for (; row->method; row++)
    if (ts_expected_violation_is_of(row, review->method->name, review->relation) &&
        !is_needed(row, of, review->relation))
      return row;
  return NULL;
}

ts_status ts_relate_review_make(ts_relate_review *out, ts_arena *arena,
                                const ts_relate_reviewed *of) {
  size_t count = of->plan->cell_count * TS_RELATION_COUNT; // more than are needed
  *out = (ts_relate_review){.items = ts_arena_array(arena, count, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < of->plan->cell_count; i++) {
    const ts_cell *cell = &of->plan->cells[i];
    ts_relation_review *reviews = find_review(out, cell->method);
    out->cases += cell->method == of->plan->cells[0].method;
    for (int r = 0; r < TS_RELATION_COUNT; r++)
      if (of->is_wanted[r])
        add_finding(&reviews[r], of, cell, &of->findings[i * TS_RELATION_COUNT + (size_t)r]);
  }
  for (size_t i = 0; i < out->method_count * TS_RELATION_COUNT; i++) {
    ts_relation_review *review = &out->items[i];
    review->stale = of->is_wanted[review->relation] ? find_stale(review, of) : NULL;
    out->failed += review->failed;
    out->unexpected += review->unexpected;
    out->stale += review->stale != NULL;
  }
  return TS_OK;
}
