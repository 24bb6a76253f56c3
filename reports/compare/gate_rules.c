// SPDX-License-Identifier: MIT
#include "reports/compare/gate_rules.h"

#include "base/number.h"
#include "base/pattern.h"
#include "base/status.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define WORDS_MAX 16
#define STEP_MAX  1e9

const char *ts_gate_default_rule(const ts_field *field) {
  if (!field->has_rule)
    return "";
  return field->sense == TS_SENSE_HIGHER  ? "may not fall"
         : field->sense == TS_SENSE_LOWER ? "may not rise"
         : field->sense == TS_SENSE_NONE  ? "may not change"
                                          : "may not worsen";
}

const char *ts_gate_default_rules(ts_arena *arena) {
  const char *text = "";
  for (size_t i = 0; i < ts_summary_rows.field_count && text; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->has_rule)
      text = ts_arena_format(arena, "%s%s %s\n", text, field->column, ts_gate_default_rule(field));
  }
  return text ? ts_arena_format(arena, "%srows may not vanish\n", text) : NULL;
}

/// State of parsing a line, word by word.
typedef struct parsing {
  ts_arena *arena;
  const char *name;
  size_t line;
  char *words[WORDS_MAX];
  size_t count, next;
} parsing;

static const char *take(parsing *p) {
  return p->next < p->count ? p->words[p->next++] : NULL;
}

static bool take_if(parsing *p, const char *word) {
  if (p->next == p->count || strcmp(p->words[p->next], word) != 0)
    return false;
  p->next++;
  return true;
}

static ts_status split(parsing *p, char *text) {
  char *rest = NULL;
  p->count = p->next = 0;
  for (char *word = strtok_r(text, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
    if (p->count == WORDS_MAX)
      return ts_fail(TS_E_INPUT, "%s, line %zu: more words than a rule has", p->name, p->line);
    p->words[p->count++] = word;
  }
  return TS_OK;
}

static ts_status read_pattern(regex_t **out, const parsing *p, const char *pattern) {
  if (*out)
    return ts_fail(TS_E_INPUT, "%s, line %zu: duplicate case= or method=", p->name, p->line);
  regex_t *regex = ts_arena_alloc(p->arena, sizeof *regex);
  if (!regex)
    return TS_E_MEMORY;
  if (ts_pattern_compile(regex, pattern) != TS_OK)
    return ts_fail(TS_E_INPUT, "%s, line %zu: \"%.100s\" is %s", p->name, p->line, pattern,
                   ts_status_detail());
  *out = regex;
  return TS_OK;
}

static ts_status read_number(double *out, const parsing *p, const char *text, bool is_whole) {
  if (ts_number_parse(out, text) == TS_OK && isfinite(*out) && *out >= 0 &&
      (!is_whole || (*out == floor(*out) && *out <= STEP_MAX)))
    return TS_OK;
  if (is_whole)
    return ts_fail(TS_E_INPUT, "%s, line %zu: \"%.40s\" must be a whole number from 0 to %.0f",
                   p->name, p->line, text, STEP_MAX);
  return ts_fail(TS_E_INPUT, "%s, line %zu: \"%.40s\" must be a number not below 0", p->name,
                 p->line, text);
}

/// Which rows: case=RE method=RE step=N.
static ts_status read_rows(ts_gate_rule *rule, parsing *p) {
  for (; p->next < p->count; p->next++) {
    const char *word = p->words[p->next];
    if (strncmp(word, "case=", 5) == 0)
      TS_TRY(read_pattern(&rule->case_name, p, word + 5));
    else if (strncmp(word, "method=", 7) == 0)
      TS_TRY(read_pattern(&rule->method, p, word + 7));
    else if (strncmp(word, "step=", 5) != 0)
      break;
    else if (!isnan(rule->step))
      return ts_fail(TS_E_INPUT, "%s, line %zu: duplicate step=", p->name, p->line);
    else
      TS_TRY(read_number(&rule->step, p, word + 5, true));
  }
  return TS_OK;
}

static ts_status read_target(ts_gate_rule *rule, parsing *p) {
  const char *word = take(p);
  if (!word)
    return ts_fail(
        TS_E_INPUT,
        "%s, line %zu: the column is missing; write, for example, quality_percent may not fall",
        p->name, p->line);
  if (strcmp(word, "rows") == 0 || strcmp(word, "all") == 0) {
    rule->target = word[0] == 'r' ? TS_GATE_ROWS : TS_GATE_ALL;
    return TS_OK;
  }
  rule->target = TS_GATE_COLUMN;
  rule->field = ts_row_find(&ts_summary_rows, word);
  if (!rule->field)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: there is no column \"%.60s\"; touchstone list columns lists "
                   "those of summary.csv",
                   p->name, p->line, word);
  if (rule->field->compare == TS_COMPARE_IDENTITY)
    return ts_fail(TS_E_INPUT, "%s, line %zu: %s identifies the row, so it cannot change", p->name,
                   p->line, word);
  return TS_OK;
}

/// What follows "may not be".
static ts_status read_limit(ts_gate_rule *rule, parsing *p) {
  const char *word = take(p), *number = word ? take(p) : NULL;
  bool is_below = word && strcmp(word, "below") == 0;
  rule->check = is_below ? TS_GATE_BELOW : TS_GATE_ABOVE;
  if (!number || (!is_below && strcmp(word, "above") != 0) ||
      ts_number_parse(&rule->limit, number) != TS_OK || !isfinite(rule->limit))
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: write below or above and a number after \"may not be\", as in: "
                   "quality_percent may not be below 95",
                   p->name, p->line);
  return TS_OK;
}

static ts_status read_verb(ts_gate_rule *rule, parsing *p) {
  static const struct {
    const char *word;
    ts_gate_check check;
  } verbs[] = {{"fall", TS_GATE_FALL},     {"rise", TS_GATE_RISE},     {"change", TS_GATE_CHANGE},
               {"worsen", TS_GATE_WORSEN}, {"vanish", TS_GATE_VANISH}, {"appear", TS_GATE_APPEAR}};
  if (!take_if(p, "may") || !take_if(p, "not"))
    return ts_fail(
        TS_E_INPUT,
        "%s, line %zu: write may not fall, rise, change, worsen or be below or above X after the "
        "column%s%.40s",
        p->name, p->line, p->next < p->count ? "; not " : "",
        p->next < p->count ? p->words[p->next] : "");
  if (take_if(p, "be"))
    return read_limit(rule, p);
  const char *word = take(p);
  for (size_t i = 0; word && i < sizeof verbs / sizeof *verbs; i++)
    if (strcmp(word, verbs[i].word) == 0) {
      rule->check = verbs[i].check;
      return TS_OK;
    }
  return ts_fail(TS_E_INPUT,
                 "%s, line %zu: write fall, rise, change or worsen after \"may not\", and for rows "
                 "vanish or appear%s%.40s",
                 p->name, p->line, word ? "; not " : "", word ? word : "");
}

/// Refuses a verb that does not apply to the target.
static ts_status check_verb(ts_gate_rule *rule, const parsing *p) {
  bool is_of_rows = rule->check == TS_GATE_VANISH || rule->check == TS_GATE_APPEAR;
  bool is_ordered = rule->check == TS_GATE_FALL || rule->check == TS_GATE_RISE;
  const ts_field *field = rule->field;
  if (rule->check == TS_GATE_IGNORE)
    return TS_OK;
  if (ts_gate_rule_is_limit(rule)) {
    if (field && field->kind != TS_FIELD_TEXT)
      return TS_OK;
    return ts_fail(TS_E_INPUT, "%s, line %zu: a limit needs a column of numbers", p->name, p->line);
  }
  if (is_of_rows != (rule->target == TS_GATE_ROWS))
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: rows may not vanish or appear; columns may not fall, "
                   "rise, change or worsen",
                   p->name, p->line);
  if (rule->target == TS_GATE_ALL && is_ordered)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: falling is worse for some columns and rising for others; write: "
                   "all may not worsen",
                   p->name, p->line);
  if (!field)
    return TS_OK;
  bool is_outcome = field->offset == offsetof(ts_record, outcome);
  if (is_ordered && field->kind == TS_FIELD_TEXT)
    return ts_fail(TS_E_INPUT, "%s, line %zu: %s is text; it may not change%s", p->name, p->line,
                   field->column, is_outcome ? " or worsen" : "");
  if (rule->check != TS_GATE_WORSEN || is_outcome)
    return TS_OK;
  if (field->sense != TS_SENSE_NONE)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s, line %zu: no value of %s is better than another (%s); it may not %schange",
                 p->name, p->line, field->column,
                 field->no_rule ? field->no_rule : "it is what the figures are about",
                 field->kind == TS_FIELD_TEXT ? "" : "fall, rise or ");
}

/// Parses "by more than X" or "by more than X%".
static ts_status read_allowed(ts_gate_rule *rule, parsing *p) {
  if (!take_if(p, "by"))
    return TS_OK;
  if (!take_if(p, "more") || !take_if(p, "than"))
    return ts_fail(TS_E_INPUT, "%s, line %zu: write more than X, or more than X%%, after \"by\"",
                   p->name, p->line);
  char *word = p->next < p->count ? p->words[p->next++] : NULL;
  if (!word)
    return ts_fail(TS_E_INPUT, "%s, line %zu: a number is missing after \"by more than\"", p->name,
                   p->line);
  bool is_number = rule->target == TS_GATE_COLUMN && rule->field->kind != TS_FIELD_TEXT;
  if (!is_number)
    return ts_fail(TS_E_INPUT, "%s, line %zu: \"by more than\" needs a column of numbers", p->name,
                   p->line);
  size_t length = strlen(word);
  rule->is_percent = word[length - 1] == '%';
  if (rule->is_percent)
    word[length - 1] = '\0';
  return read_number(&rule->allowed, p, word, false);
}

static ts_status read_rule(ts_gate_rule *rule, parsing *p) {
  TS_TRY(read_rows(rule, p));
  if (take_if(p, "ignore")) {
    rule->check = TS_GATE_IGNORE;
    TS_TRY(read_target(rule, p));
  } else {
    TS_TRY(read_target(rule, p));
    TS_TRY(read_verb(rule, p));
    TS_TRY(check_verb(rule, p));
    if (!ts_gate_rule_is_limit(rule))
      TS_TRY(read_allowed(rule, p));
  }
  const char *rest = take(p);
  return rest ? ts_fail(TS_E_INPUT, "%s, line %zu: the rule ends before \"%.40s\"", p->name,
                        p->line, rest)
              : TS_OK;
}

/// Removes the comment and the blanks around the line. A # within a word does not begin a comment.
static void trim(char *line) {
  for (char *c = line; *c; c++)
    if (*c == '#' && (c == line || isspace((unsigned char)c[-1]))) {
      *c = '\0';
      break;
    }
  size_t length = strlen(line), start = strspn(line, " \t\r");
  while (length > start && isspace((unsigned char)line[length - 1]))
    length--;
  line[length] = '\0';
  memmove(line, line + start, length - start + 1);
}

static ts_status read_line(ts_gate_rules *out, parsing *p, char *line) {
  trim(line);
  char *text = ts_arena_string(p->arena, line);
  if (!text)
    return TS_E_MEMORY;
  TS_TRY(split(p, line));
  if (p->count == 0)
    return TS_OK;
  ts_gate_rule *rule = &out->rules[out->count++];
  *rule =
      (ts_gate_rule){.text = text, .line = p->line, .step = (double)NAN, .allowed = (double)NAN};
  return read_rule(rule, p);
}

static ts_status read_text(ts_gate_rules *out, ts_arena *arena, const char *text, const char *name,
                           bool is_default) {
  parsing p = {.arena = arena, .name = name};
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  char *copy = ts_arena_string(arena, text);
  if (!copy)
    return TS_E_MEMORY;
  for (char *line = copy; line;) {
    char *end = strchr(line, '\n');
    if (end)
      *end = '\0';
    p.line++;
    TS_TRY(read_line(out, &p, line));
    if (is_default && out->count > 0)
      out->rules[out->count - 1].line = 0;
    line = end ? end + 1 : NULL;
  }
  return TS_OK;
}

static size_t count_lines(const char *text) {
  size_t count = 1;
  for (; text && *text; text++)
    count += *text == '\n';
  return count;
}

ts_status ts_gate_rules_make(ts_gate_rules *out, ts_arena *arena, const char *text,
                             const char *name) {
  *out = (ts_gate_rules){0};
  const char *defaults = ts_gate_default_rules(arena);
  if (!defaults)
    return TS_E_MEMORY;
  size_t count_max = count_lines(defaults) + count_lines(text);
  out->rules = ts_arena_array(arena, count_max, sizeof *out->rules);
  if (!out->rules)
    return TS_E_MEMORY;
  TS_TRY(read_text(out, arena, defaults, "the default rules", true));
  return text ? read_text(out, arena, text, name, false) : TS_OK;
}

void ts_gate_rules_free(ts_gate_rules *rules) {
  for (size_t i = 0; i < rules->count; i++) {
    if (rules->rules[i].case_name)
      regfree(rules->rules[i].case_name);
    if (rules->rules[i].method)
      regfree(rules->rules[i].method);
  }
  *rules = (ts_gate_rules){0};
}

bool ts_gate_rule_is_limit(const ts_gate_rule *rule) {
  return rule->check == TS_GATE_BELOW || rule->check == TS_GATE_ABOVE;
}

bool ts_gate_rules_need(const ts_gate_rules *rules, const ts_field *field) {
  bool is_needed = false;
  for (size_t i = 0; i < rules->count; i++) {
    const ts_gate_rule *rule = &rules->rules[i];
    bool is_for_all = !rule->case_name && !rule->method && isnan(rule->step);
    bool is_named = rule->target == TS_GATE_COLUMN && rule->field == field;
    if (is_named && rule->check != TS_GATE_IGNORE && !ts_gate_rule_is_limit(rule))
      is_needed = true;
    else if (rule->check == TS_GATE_IGNORE && is_for_all &&
             (is_named || rule->target == TS_GATE_ALL))
      is_needed = false;
  }
  return is_needed;
}

static bool matches(const regex_t *pattern, const char *text) {
  return !pattern || ts_pattern_matches(pattern, text);
}

bool ts_gate_rule_fits(const ts_gate_rule *rule, const ts_record *record) {
  return (isnan(rule->step) || rule->step == record->step) &&
         matches(rule->case_name, record->case_name) && matches(rule->method, record->method);
}
