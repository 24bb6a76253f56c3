// SPDX-License-Identifier: MIT
/// The rules of a gate: what may not get worse in a result, or may not change, compared with a
/// baseline; and between which limits a value must be, whatever it was.
///
/// A line of a file of rules is empty, a comment from # on, or one rule:
///
///     [case=RE] [method=RE] [step=N] COLUMN may not fall|rise|change|worsen [by more than X[%]]
///     [case=RE] [method=RE] [step=N] COLUMN may not be below|above X
///     [case=RE] [method=RE] [step=N] rows may not vanish|appear
///     [case=RE] [method=RE] [step=N] ignore COLUMN|rows
///
/// COLUMN is one of summary.csv, or `all` for those that are judged. For each row and column the
/// last rule that fits counts, and the default rules come before those of the file. The rules about
/// changes, lower limits and upper limits of a column are three, each with a last one; an ignore
/// cancels all three.
#ifndef TS_REPORTS_GATE_RULES_H
#define TS_REPORTS_GATE_RULES_H

#include "base/arena.h"
#include "reports/compare/difference.h"

#include <regex.h>

typedef enum ts_gate_check {
  TS_GATE_IGNORE,
  TS_GATE_FALL, ///< the value may not fall, and so on
  TS_GATE_RISE,
  TS_GATE_CHANGE,
  TS_GATE_WORSEN, ///< judged by the sense of the column
  TS_GATE_BELOW,  ///< the value may not be below `limit`, in any row of the results
  TS_GATE_ABOVE,
  TS_GATE_VANISH, ///< of rows
  TS_GATE_APPEAR
} ts_gate_check;

typedef enum ts_gate_target {
  TS_GATE_COLUMN, ///< `field`
  TS_GATE_ALL,    ///< every column that is judged; of `ignore all` rows, too
  TS_GATE_ROWS
} ts_gate_target;

typedef struct ts_gate_rule {
  const char *text;            ///< as written, without the comment and the blanks around it
  size_t line;                 ///< 0 for the default rules
  regex_t *case_name, *method; ///< NULL: any
  double step;                 ///< NaN: any
  ts_gate_target target;
  const ts_field *field; ///< of TS_GATE_COLUMN
  ts_gate_check check;
  double allowed; ///< by more than this, beyond the tolerance of the column; NaN: not said
  bool is_percent;
  double limit; ///< of TS_GATE_BELOW and TS_GATE_ABOVE
} ts_gate_rule;

typedef struct ts_gate_rules {
  ts_gate_rule *rules; ///< [count], in the arena
  size_t count;
} ts_gate_rules;

/// The default rules in the form of a file: those of the columns that have one, in the order of the
/// columns, then the one about rows. NULL when out of memory.
const char *ts_gate_default_rules(ts_arena *arena);

/// The default rule of a column in words: "may not fall"; "" when it has none.
const char *ts_gate_default_rule(const ts_field *field);

/// The default rules, then those of `text` (NULL: none), the content of the file `name`.
/// TS_E_INPUT, with the line, for an invalid rule. Call `ts_gate_rules_free` whatever the result;
/// texts and memory are in the arena.
ts_status ts_gate_rules_make(ts_gate_rules *out, ts_arena *arena, const char *text,
                             const char *name);
void ts_gate_rules_free(ts_gate_rules *rules);

/// Whether the rule limits a value, whatever it was.
bool ts_gate_rule_is_limit(const ts_gate_rule *rule);

/// Whether some rule about changes judges the column and no rule for all rows ignores it.
bool ts_gate_rules_need(const ts_gate_rules *rules, const ts_field *field);

/// Whether the rule applies to this row.
bool ts_gate_rule_fits(const ts_gate_rule *rule, const ts_record *record);

#endif
