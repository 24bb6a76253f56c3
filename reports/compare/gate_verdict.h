// SPDX-License-Identifier: MIT
/// Applies the rules of a gate to a difference.
#ifndef TS_REPORTS_GATE_VERDICT_H
#define TS_REPORTS_GATE_VERDICT_H

#include "reports/compare/gate_rules.h"

typedef struct ts_gate_finding {
  size_t pair;
  const ts_field *field; ///< NULL: the row itself vanished or appeared
  const ts_gate_rule *rule;
} ts_gate_finding;

typedef struct ts_gate_findings {
  size_t count, capacity;
  ts_gate_finding *items; ///< [count], by pair, then by column
} ts_gate_findings;

typedef struct ts_gate_verdict {
  ts_gate_findings broken;
  ts_gate_findings better; ///< judged, and better by the column's sense, beyond the tolerance
  size_t compared_count;   ///< rows that are in both
  size_t limited_count;    ///< rows of the results alone that have limits
  size_t new_count;        ///< rows that the baseline does not have
  size_t absent_count;     ///< rows of the baseline that are not in the results, which is allowed
  size_t unjudged_count; ///< rows with a change that no rule forbids, in which nothing is broken or
                         ///< better
  bool *has_row;         ///< [rules->count]: whether each rule applies to some row of either side
} ts_gate_verdict;

/// Judges new against old, the baseline, and by limits alone what the baseline does not have. A row
/// whose outcome changed is judged only by its outcome, since its measures follow from it; a number
/// that is no longer measured breaks any rule about it, and so does one that is not measured a
/// limit. A skipped row has no limits. Where no rule but limits can apply, `old` may be NULL: there
/// is no baseline. With `is_partial` rows of the baseline may be absent. TS_E_INPUT when a rule
/// needs a column that a side lacks, when `old` is given but no row is in both, whatever limits
/// there are, and when the rules ignore all rows. Call `ts_gate_verdict_free` whatever the result.
ts_status ts_gate_judge(ts_gate_verdict *out, const ts_gate_rules *rules,
                        const ts_difference *difference, const ts_rows_of *old,
                        const ts_rows_of *new, bool is_partial);
void ts_gate_verdict_free(ts_gate_verdict *verdict);

#endif
