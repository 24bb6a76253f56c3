// SPDX-License-Identifier: MIT
#include "harness/shrink/condition.h"

#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static const char *const relations[] = {
    [TS_VALUE_LESS] = "<",    [TS_VALUE_LESS_OR_EQUAL] = "<=",
    [TS_VALUE_GREATER] = ">", [TS_VALUE_GREATER_OR_EQUAL] = ">=",
    [TS_VALUE_EQUAL] = "=",   [TS_VALUE_NOT_EQUAL] = "!="};

/// `count` bytes of a text without the blanks around them.
static const char *trim(ts_arena *arena, const char *text, size_t count) {
  while (count > 0 && strchr(" \t", *text))
    text++, count--;
  while (count > 0 && strchr(" \t", text[count - 1]))
    count--;
  return ts_arena_format(arena, "%.*s", (int)count, text);
}

/// The relation at a place, the longest that fits; -1: none.
static int relation_at(const char *text) {
  int found = -1;
  for (int r = 0; r <= TS_VALUE_NOT_EQUAL; r++) {
    size_t length = strlen(relations[r]);
    if (strncmp(text, relations[r], length) == 0 &&
        (found < 0 || length > strlen(relations[found])))
      found = r;
  }
  return found;
}

static ts_status read_value(ts_condition *c, ts_arena *arena, const char *text) {
  c->word = trim(arena, text, strlen(text));
  if (!c->word)
    return TS_E_MEMORY;
  if (c->field->kind == TS_FIELD_TEXT) {
    if (c->relation != TS_VALUE_EQUAL && c->relation != TS_VALUE_NOT_EQUAL)
      return ts_fail(TS_E_INPUT, "\"%.200s\": %s is a text; compare it by = or !=", c->text,
                     c->field->column);
    return *c->word ? TS_OK
                    : ts_fail(TS_E_INPUT, "\"%.200s\" has no value behind %s", c->text,
                              relations[c->relation]);
  }
  if (ts_number_parse(&c->number, c->word) == TS_OK && !isnan(c->number))
    return TS_OK;
  return ts_fail(TS_E_INPUT, "\"%.200s\": \"%.100s\" is not a number, which %s is compared with",
                 c->text, c->word, c->field->column);
}

ts_status ts_condition_parse(ts_condition *out, ts_arena *arena, const char *text) {
  *out = (ts_condition){.text = text};
  size_t at = strcspn(text, "<>=!");
  int relation = relation_at(text + at);
  if (relation < 0)
    return ts_fail(TS_E_INPUT,
                   "\"%.200s\" is not a condition; write COLUMN>VALUE, or with <, <=, >=, = or !=, "
                   "as in \"quality_percent<50\"",
                   text);
  out->relation = (ts_value_relation)relation;
  const char *colon = memchr(text, ':', at);
  if (colon) {
    out->method = trim(arena, text, (size_t)(colon - text));
    if (!out->method)
      return TS_E_MEMORY;
  }
  const char *from = colon ? colon + 1 : text;
  const char *column = trim(arena, from, (size_t)(text + at - from));
  if (!column)
    return TS_E_MEMORY;
  out->field = ts_row_find(&ts_summary_rows, column);
  if (!out->field)
    return ts_fail(TS_E_INPUT,
                   "\"%.200s\": there is no column \"%.100s\" in summary.csv; touchstone list "
                   "columns has them",
                   text, column);
  return read_value(out, arena, text + at + strlen(relations[relation]));
}

bool ts_condition_holds(const ts_condition *condition, const ts_record *record) {
  const ts_condition *c = condition;
  if (c->field->kind == TS_FIELD_TEXT) {
    bool is_same = strcmp(ts_row_text(c->field, record), c->word) == 0;
    return is_same == (c->relation == TS_VALUE_EQUAL);
  }
  double value = ts_row_number(c->field, record);
  if (isnan(value))
    return false;
  switch (c->relation) {
  case TS_VALUE_LESS:
    return value < c->number;
  case TS_VALUE_LESS_OR_EQUAL:
    return value <= c->number;
  case TS_VALUE_GREATER:
    return value > c->number;
  case TS_VALUE_GREATER_OR_EQUAL:
    return value >= c->number;
  case TS_VALUE_EQUAL:
    return value == c->number;
  case TS_VALUE_NOT_EQUAL:
    return value != c->number;
  }
  return false;
}

const char *ts_condition_value(const ts_condition *condition, ts_arena *arena,
                               const ts_record *record) {
  char text[TS_NUMBER_BYTES];
  const char *value = condition->field->kind == TS_FIELD_TEXT
                          ? ts_row_text(condition->field, record)
                          : ts_number_format(text, ts_row_number(condition->field, record));
  return ts_arena_format(arena, "%s is %s", condition->field->column, value);
}
