// SPDX-License-Identifier: MIT
#include "geometry/files/mesh_text.h"

#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

#define WORD_MAX    512 // bytes of a number; more has no meaning
#define SHOWN_BYTES 40

int ts_word_shown(ts_word word) {
  return (int)(word.length < SHOWN_BYTES ? word.length : SHOWN_BYTES);
}

bool ts_is_line_end(char c) {
  return c == '\n' || c == '\r';
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || ts_is_line_end(c);
}

void ts_mesh_text_pass_line_end(ts_mesh_text *text) {
  bool is_pair = text->at[0] == '\r' && text->at + 1 < text->end && text->at[1] == '\n';
  text->at += is_pair ? 2 : 1;
  text->line++;
}

void ts_mesh_text_skip_line(ts_mesh_text *text) {
  while (text->at < text->end && !ts_is_line_end(*text->at))
    text->at++;
}

bool ts_mesh_text_next(ts_word *out, ts_mesh_text *text) {
  while (text->at < text->end && is_blank(*text->at)) {
    if (ts_is_line_end(*text->at))
      ts_mesh_text_pass_line_end(text);
    else
      text->at++;
  }
  const char *begin = text->at;
  while (text->at < text->end && !is_blank(*text->at))
    text->at++;
  *out = (ts_word){begin, (size_t)(text->at - begin)};
  return out->length > 0;
}

bool ts_word_is_number(double *out, ts_word word) {
  char copy[WORD_MAX];
  if (word.length >= sizeof copy || memchr(word.text, '\0', word.length))
    return false;
  memcpy(copy, word.text, word.length);
  copy[word.length] = '\0';
  return ts_number_parse(out, copy) == TS_OK;
}

ts_status ts_word_number(double *out, const ts_mesh_text *text, ts_word word) {
  if (ts_word_is_number(out, word))
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s, line %zu: \"%.*s\" is not a number", text->path, text->line,
                 ts_word_shown(word), word.text);
}

ts_status ts_word_coordinate(double *out, const ts_mesh_text *text, ts_word word) {
  TS_TRY(ts_word_number(out, text, word));
  return isfinite(*out) ? TS_OK
                        : ts_fail(TS_E_INPUT, "%s, line %zu: %.*s: every coordinate must be finite",
                                  text->path, text->line, ts_word_shown(word), word.text);
}
