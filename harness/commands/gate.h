// SPDX-License-Identifier: MIT
/// State shared by the parts of `gate`: the results, the baseline and the verdict of the rules.
#ifndef TS_HARNESS_GATE_H
#define TS_HARNESS_GATE_H

#include "harness/commands/input.h"
#include "harness/run/rerun.h"
#include "reports/compare/difference_print.h"
#include "reports/compare/gate_verdict.h"

#include <stdbool.h>

typedef struct ts_gate {
  ts_arena *arena;
  const char *results_path;
  const char *baseline_path;  ///< NULL: none, and only limits are judged
  int lock;                   ///< with --update: the baseline's folder; -1: none
  ts_input results, baseline; ///< a baseline that does not exist has no rows and every column
  ts_gate_rules rules;
  const char *rules_name; ///< the file; NULL for the default rules alone
  bool is_partial, is_strict;
  ts_comparison
      comparison; ///< of the baseline with the results; has times only once they have been compared
  ts_gate_verdict verdict;
  const char *const *cases, *const *methods; ///< [pair_count], in words
  ts_reruns repeats;                         ///< of the results
  const char *const *explains;               ///< of the results: the commands that explain rows
} ts_gate;

/// The command that measures a pair's row of the results again; NULL when they do not have it.
const char *ts_gate_command(const ts_gate *gate, size_t pair);

/// The command that explains it, likewise.
const char *ts_gate_explain(const ts_gate *gate, size_t pair);

/// "was A, is B" for a finding, or "is B" for a limit, with the reason of an outcome; NULL when out
/// of memory.
const char *ts_gate_describe(const ts_gate *gate, const ts_gate_finding *finding);

/// "rule: quality_percent may not fall (gate.rules, line 3)"; NULL when out of memory.
const char *ts_gate_describe_rule(const ts_gate *gate, const ts_gate_rule *rule);

/// Writes the JUnit XML file, replacing an older one.
ts_status ts_gate_write_junit(const ts_gate *gate, const char *path);

/// Rewrites the baseline from the results, without the columns that no rule judges, and prints what
/// that changes.
ts_status ts_gate_update(const ts_gate *gate);

#endif
