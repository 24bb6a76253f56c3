// SPDX-License-Identifier: MIT
/// Measures: the definition of a metric, and the list of all.
#ifndef TS_HARNESS_METRIC_H
#define TS_HARNESS_METRIC_H

#include "harness/judge/judge.h"
#include "reports/rows/record.h"

typedef struct ts_metric {
  const char *name; ///< as in `list metrics` and in the list of columns
  const char *unit; ///< "" for none
  /// The truth it needs: "normals", "regions", "motions" or "nothing". In scenes whose truth is
  /// unknown, metrics that need it are not computed, except those of motions where an oracle is
  /// present (ts_scene).
  const char *needs;
  const char *summary; ///< one sentence
  const char *source;  ///< paper and section
  /// Fills the columns that name it as their metric (reports/rows/columns.h) and no others.
  ts_status (*compute)(ts_record *record, const ts_judgement *judgement);
} ts_metric;

/// Every metric, in the order of the columns; NULL-terminated.
extern const ts_metric *const ts_metrics[];

/// Computes every metric. In a scene whose truth is unknown, only the metrics that need none; the
/// fields of the others keep their value, NaN in a new record.
ts_status ts_metrics_compute(ts_record *record, const ts_judgement *judgement);

#endif
