// SPDX-License-Identifier: MIT
/// What the findings of relate come to: for each method and relation the worst, and whether it was
/// expected.
#ifndef TS_HARNESS_RELATE_REVIEW_H
#define TS_HARNESS_RELATE_REVIEW_H

#include "harness/relations/expected_violations.h"
#include "harness/relations/relate_run.h"

/// A pair of bodies with a violation.
typedef struct ts_relation_violation {
  const ts_cell *cell;
  const ts_relation_finding *finding;
} ts_relation_violation;

/// A relation of a method over all cases.
typedef struct ts_relation_review {
  const ts_method *method;
  ts_relation_kind relation;
  size_t ok, failed; ///< cases; the rest is skipped
  size_t pairs, pairs_measured, pairs_differ;
  size_t beyond;               ///< cases with a distance above TS_RELATION_DISTANCE
  double distance_max;         ///< NaN: nothing was measured
  ts_relation_violation worst; ///< that with the largest distance; no cell: there is none
  const char *reason;          ///< why that one was expected; NULL: it was not
  size_t unexpected;           ///< cases with a violation that nobody expects
  /// The row about it that no case needed, though all were run; NULL: none.
  const ts_expected_violation *stale;
} ts_relation_review;

typedef struct ts_relate_review {
  size_t method_count;
  ts_relation_review *items; ///< [method_count * TS_RELATION_COUNT]
  size_t cases, failed;      ///< cases run; findings that failed
  size_t unexpected, stale;  ///< findings; rows
} ts_relate_review;

typedef struct ts_relate_reviewed {
  const ts_plan *plan; ///< one cell for each case and method
  bool with_engines;   ///< whether methods with the name of a packaged engine are that engine
  const ts_relation_finding *findings;
  const bool *is_wanted; ///< [TS_RELATION_COUNT]
  /// Whether the cases are those of the default, all of them with their defaults, so that a row
  /// which none needs is out of date.
  bool is_default;
} ts_relate_reviewed;

/// Whether a finding is a violation.
bool ts_relation_is_violated(const ts_relation_finding *finding);

/// Why a violation is expected; NULL: it is not, or the method is that of a plug-in.
const char *ts_relation_expected(const ts_relate_reviewed *of, const ts_cell *cell,
                                 ts_relation_kind relation);

/// The plug-in that a method is of, which is not a packaged engine; NULL: none.
const ts_plugin *ts_relate_plugin_of(const ts_relate_reviewed *of, const ts_method *method);

/// In the arena. TS_E_MEMORY.
ts_status ts_relate_review_make(ts_relate_review *out, ts_arena *arena,
                                const ts_relate_reviewed *of);

#endif
