// SPDX-License-Identifier: MIT
#include "geometry/files/number_line.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static void pass_blanks(ts_number_line *l) {
  while (l->at < l->end && (*l->at == ' ' || *l->at == '\t' || *l->at == '\r'))
    l->at++;
}

/// The next word of the line; false at its end.
static bool next_word(ts_word *out, ts_number_line *l) {
  pass_blanks(l);
  if (l->at == l->end && !l->is_open)
    return false;
  out->text = l->at;
  while (l->at < l->end && !memchr(" \t\r,", *l->at, 4))
    l->at++;
  out->length = (size_t)(l->at - out->text);
  pass_blanks(l);
  l->is_open = l->at < l->end && *l->at == ',';
  if (l->is_open)
    l->at++;
  return true;
}

/// Whether a line holds words and no number: names of columns.
static bool is_names(ts_number_line l) {
  ts_word w;
  double number;
  while (next_word(&w, &l))
    if (ts_word_is_number(&number, w))
      return false;
  return true;
}

ts_number_text ts_number_text_start(const char *name, const char *text, size_t count) {
  bool has_mark = count >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
  return (ts_number_text){
      .name = name, .at = text + (has_mark ? 3 : 0), .end = text + count, .may_be_names = true};
}

bool ts_number_text_next(ts_number_line *out, ts_number_text *text) {
  while (text->at < text->end) {
    const char *found = memchr(text->at, '\n', (size_t)(text->end - text->at));
    ts_number_line l = {.at = text->at, .end = found ? found : text->end, .number = ++text->line};
    text->at = found ? found + 1 : text->end;
    pass_blanks(&l);
    if (l.at == l.end || *l.at == '#')
      continue;
    bool is_passed = text->may_be_names && is_names(l);
    text->may_be_names = false;
    *out = l;
    if (!is_passed)
      return true;
  }
  return false;
}

ts_status ts_number_line_next(double *out, bool *out_found, ts_number_line *line,
                              const ts_number_text *text, const char *what, const char *form) {
  ts_word w;
  *out_found = next_word(&w, line);
  if (!*out_found)
    return TS_OK;
  int shown = ts_word_shown(w);
  if (!ts_word_is_number(out, w))
    return ts_fail(TS_E_INPUT, "%s, line %zu: \"%.*s\" is not a number; %s", text->name,
                   line->number, shown, w.text, form);
  if (!isfinite(*out))
    return ts_fail(TS_E_INPUT, "%s, line %zu: %.*s: every %s must be finite", text->name,
                   line->number, shown, w.text, what);
  return TS_OK;
}
