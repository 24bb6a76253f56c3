// SPDX-License-Identifier: MIT
#include "reports/compare/gate_verdict.h"

#include "base/array.h"
#include "base/status.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ts_status add_finding(ts_gate_findings *list, ts_gate_finding finding) {
  TS_TRY(TS_HEAP_GROW(list->items, list->capacity, list->count, 1));
  list->items[list->count++] = finding;
  return TS_OK;
}

void ts_gate_verdict_free(ts_gate_verdict *verdict) {
  free(verdict->broken.items);
  free(verdict->better.items);
  free(verdict->has_row);
  *verdict = (ts_gate_verdict){0};
}

static bool is_outcome(const ts_field *field) {
  return field->offset == offsetof(ts_record, outcome);
}

static bool is_judged(const ts_field *field) {
  return field->compare == TS_COMPARE_EXACT || field->compare == TS_COMPARE_CLOSE;
}

/// Whether the rule applies to this column; NULL means the row itself.
static bool concerns(const ts_gate_rule *rule, const ts_field *field) {
  if (!field)
    return rule->target == TS_GATE_ROWS ||
           (rule->target == TS_GATE_ALL && rule->check == TS_GATE_IGNORE);
  if (rule->target == TS_GATE_COLUMN)
    return rule->field == field;
  if (rule->target != TS_GATE_ALL)
    return false;
  return rule->check == TS_GATE_IGNORE ||
         (is_judged(field) && (rule->check != TS_GATE_WORSEN || field->sense != TS_SENSE_NONE));
}

/// The last rule for the column among those that apply to the row [rules->count]; NULL when there
/// is none, or when it is an ignore rule. For rows, the rules against vanishing and appearing are
/// separate, and for columns those against being below, being above and changing; `kind` selects
/// one, of changes any.
static const ts_gate_rule *find_rule(const ts_gate_rules *rules, const bool *fits,
                                     const ts_field *field, ts_gate_check kind) {
  for (size_t i = rules->count; i-- > 0;) {
    const ts_gate_rule *rule = &rules->rules[i];
    if (!fits[i] || !concerns(rule, field))
      continue;
    if (rule->check == TS_GATE_IGNORE)
      return NULL;
    bool is_separate = !field || ts_gate_rule_is_limit(rule);
    if (rule->check == kind || (!is_separate && kind == TS_GATE_CHANGE))
      return rule;
  }
  return NULL;
}

/// ALLOWED: a change that the rule does not forbid, and that is not for the better.
typedef enum judgement { FINE, ALLOWED, BROKEN, BETTER } judgement;

static judgement judge_outcome(const ts_gate_rule *rule, const ts_row_pair *pair) {
  int was = ts_outcomes[ts_record_outcome(pair->old)].rank,
      is = ts_outcomes[ts_record_outcome(pair->new)].rank;
  if (rule->check == TS_GATE_CHANGE)
    return strcmp(pair->old->outcome, pair->new->outcome) == 0 ? FINE : BROKEN;
  return is > was ? BROKEN : is < was ? BETTER : FINE;
}

/// Whether the rule forbids the way in which two numbers differ.
static bool is_forbidden(ts_gate_check check, ts_order order, ts_change_kind change) {
  return check == TS_GATE_FALL     ? order == TS_ORDER_SMALLER
         : check == TS_GATE_RISE   ? order == TS_ORDER_LARGER
         : check == TS_GATE_WORSEN ? change == TS_CHANGE_WORSE
                                   : true;
}

static bool is_within(const ts_gate_rule *rule, const ts_field *field, double was, double is) {
  if (isnan(rule->allowed) || !isfinite(was) || !isfinite(is))
    return false;
  double allowed = rule->is_percent ? fabs(was) * rule->allowed / 100 : rule->allowed;
  double tolerance = field->compare == TS_COMPARE_CLOSE ? field->tolerance : 0;
  return fabs(is - was) <= allowed + tolerance * fmax(1, fabs(was));
}

/// Which way is better is a property of the column, whatever the rule.
static judgement judge_column(const ts_gate_rule *rule, const ts_field *field,
                              const ts_row_pair *pair) {
  ts_order order = ts_field_compare(field, pair->old, pair->new);
  bool is_number = order == TS_ORDER_LARGER || order == TS_ORDER_SMALLER;
  if (order == TS_ORDER_SAME || (order == TS_ORDER_GAINED && rule->check != TS_GATE_CHANGE))
    return FINE;
  if (!is_number)
    return BROKEN;
  ts_change_kind change = ts_field_change(field, order, pair->old, pair->new);
  if (!is_forbidden(rule->check, order, change))
    return change == TS_CHANGE_BETTER ? BETTER : ALLOWED;
  double was = ts_row_number(field, pair->old), is = ts_row_number(field, pair->new);
  return is_within(rule, field, was, is) ? ALLOWED : BROKEN;
}

/// State while judging.
typedef struct judging {
  ts_gate_verdict *out;
  const ts_gate_rules *rules;
  const ts_difference *difference;
  bool has_baseline, is_partial;
  bool *fits;         ///< [rules->count]: whether each rule applies to the row
  size_t check_count; ///< how often a rule was applied to a row or a column
} judging;

/// Adds the limits that a row of the results breaks; `*out_count` is how many limits it has.
static ts_status judge_limits(size_t *out_count, judging *j, size_t index) {
  const ts_record *record = j->difference->pairs[index].new;
  *out_count = 0;
  if (ts_record_outcome(record) == TS_OUTCOME_SKIPPED)
    return TS_OK;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    for (ts_gate_check kind = TS_GATE_BELOW; kind <= TS_GATE_ABOVE; kind++) {
      const ts_gate_rule *rule = find_rule(j->rules, j->fits, field, kind);
      if (!rule)
        continue;
      ++*out_count;
      double value = ts_row_number(field, record);
      bool is_fine = kind == TS_GATE_BELOW ? value >= rule->limit : value <= rule->limit;
      if (!is_fine)
        TS_TRY(add_finding(&j->out->broken, (ts_gate_finding){index, field, rule}));
    }
  }
  j->check_count += *out_count;
  return TS_OK;
}

static ts_status judge_lone(judging *j, size_t index) {
  bool is_new = j->difference->pairs[index].new != NULL;
  size_t limits = 0;
  if (is_new)
    TS_TRY(judge_limits(&limits, j, index));
  j->out->limited_count += limits > 0;
  const ts_gate_rule *rule =
      find_rule(j->rules, j->fits, NULL, is_new ? TS_GATE_APPEAR : TS_GATE_VANISH);
  if (!j->has_baseline || (!is_new && j->is_partial))
    rule = NULL;
  j->check_count += rule != NULL;
  j->out->new_count += is_new;
  j->out->absent_count += !is_new && !rule;
  return rule ? add_finding(&j->out->broken, (ts_gate_finding){index, NULL, rule}) : TS_OK;
}

/// The rules about rows were applied to a row that is in both as well: it neither vanished nor
/// appeared.
static bool has_row_rule(const judging *j) {
  return find_rule(j->rules, j->fits, NULL, TS_GATE_APPEAR) ||
         (!j->is_partial && find_rule(j->rules, j->fits, NULL, TS_GATE_VANISH));
}

static ts_status judge_pair(judging *j, size_t index) {
  const ts_row_pair *pair = &j->difference->pairs[index];
  bool has_finding = false, has_unjudged = false;
  size_t limits, broken = j->out->broken.count;
  TS_TRY(judge_limits(&limits, j, index));
  has_finding = j->out->broken.count > broken;
  bool is_other_outcome = strcmp(pair->old->outcome, pair->new->outcome) != 0;
  j->check_count += has_row_rule(j);
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->compare == TS_COMPARE_IDENTITY || (is_other_outcome && !is_outcome(field)))
      continue;
    const ts_gate_rule *rule = find_rule(j->rules, j->fits, field, TS_GATE_CHANGE);
    if (!rule || (rule->target == TS_GATE_ALL && !j->difference->is_compared[i])) {
      has_unjudged |= j->difference->is_compared[i] &&
                      ts_field_compare(field, pair->old, pair->new) != TS_ORDER_SAME;
      continue;
    }
    judgement is = is_outcome(field) ? judge_outcome(rule, pair) : judge_column(rule, field, pair);
    j->check_count++;
    has_unjudged |= is == ALLOWED;
    if (is == BROKEN || is == BETTER)
      TS_TRY(add_finding(is == BROKEN ? &j->out->broken : &j->out->better,
                         (ts_gate_finding){index, field, rule}));
    has_finding |= is == BROKEN || is == BETTER;
  }
  j->out->compared_count++;
  j->out->unjudged_count += has_unjudged && !has_finding;
  return TS_OK;
}

static ts_status check_columns(const ts_gate_rules *rules, const ts_rows_of *rows,
                               const char *remedy) {
  for (size_t i = 0; i < ts_summary_rows.field_count && rows->has_column; i++)
    if (!rows->has_column[i] && ts_gate_rules_need(rules, &ts_summary_rows.fields[i]))
      return ts_fail(TS_E_INPUT,
                     "%s has no column %s, which a rule judges; %s, or write a rule "
                     "\"ignore %s\"",
                     rows->name, ts_summary_rows.fields[i].column, remedy,
                     ts_summary_rows.fields[i].column);
  return TS_OK;
}

static ts_status check_limits(const ts_gate_rules *rules, const ts_rows_of *rows) {
  for (size_t i = 0; i < rules->count && rows->has_column; i++) {
    const ts_gate_rule *rule = &rules->rules[i];
    if (ts_gate_rule_is_limit(rule) && !rows->has_column[rule->field - ts_summary_rows.fields])
      return ts_fail(TS_E_INPUT,
                     "%s has no column %s, which a rule limits; give the results as touchstone run "
                     "wrote them",
                     rows->name, rule->field->column);
  }
  return TS_OK;
}

static ts_status judge_all(judging *j) {
  const ts_difference *d = j->difference;
  for (size_t i = 0; i < d->pair_count; i++) {
    const ts_row_pair *pair = &d->pairs[i];
    const ts_record *record = pair->new ? pair->new : pair->old;
    for (size_t k = 0; k < j->rules->count; k++) {
      j->fits[k] = ts_gate_rule_fits(&j->rules->rules[k], record);
      j->out->has_row[k] |= j->fits[k];
    }
    TS_TRY(pair->old && pair->new ? judge_pair(j, i) : judge_lone(j, i));
  }
  return TS_OK;
}

ts_status ts_gate_judge(ts_gate_verdict *out, const ts_gate_rules *rules,
                        const ts_difference *difference, const ts_rows_of *old,
                        const ts_rows_of *new, bool is_partial) {
  *out = (ts_gate_verdict){0};
  TS_TRY(check_limits(rules, new));
  if (old) {
    TS_TRY(check_columns(rules, old, "make the baseline again with --update"));
    TS_TRY(check_columns(rules, new, "give the results as touchstone run wrote them"));
  }
  // Limits do not need the baseline, but it was given to be compared with.
  if (old && difference->matched_count == 0)
    return ts_fail(TS_E_INPUT,
                   "no row of %s is in the baseline %s: rows are matched by all parameters of "
                   "their cell; run the cells of the baseline, or make it again with --update; to "
                   "judge limits alone, leave --baseline out",
                   new->name, old->name);
  out->has_row = calloc(rules->count, sizeof *out->has_row);
  judging j = {
      out, rules, difference, old != NULL, is_partial, malloc(rules->count * sizeof *j.fits), 0};
  if (!j.fits || !out->has_row) {
    free(j.fits);
    return ts_fail(TS_E_MEMORY, "out of memory");
  }
  ts_status status = judge_all(&j);
  free(j.fits);
  if (status == TS_OK && j.check_count == 0)
    return ts_fail(TS_E_INPUT,
                   "no rule judges any of the %zu rows that %s: write rules that say what may not "
                   "happen (docs/gate.md)",
                   old ? out->compared_count : new->count,
                   old ? "are in both: everything is ignored" : "there are");
  return status;
}
