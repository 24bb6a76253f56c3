// SPDX-License-Identifier: MIT
#include "geometry/files/points.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/files/mesh_text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/// What is left of a line.
typedef struct line {
  const char *at, *end;
  size_t number;
  bool is_open; ///< a comma was last, so that there is another word, which may be empty
} line;

static void pass_blanks(line *l) {
  while (l->at < l->end && (*l->at == ' ' || *l->at == '\t' || *l->at == '\r'))
    l->at++;
}

/// The next word of the line; false at its end.
static bool next_word(ts_word *out, line *l) {
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
static bool is_header(line l) {
  ts_word w;
  double number;
  while (next_word(&w, &l))
    if (ts_word_is_number(&number, w))
      return false;
  return true;
}

static ts_status read_point(ts_vec3 *out, line l, const char *name) {
  double xyz[3];
  size_t count = 0;
  ts_word w;
  for (; next_word(&w, &l); count++) {
    double number;
    int shown = ts_word_shown(w);
    if (!ts_word_is_number(&number, w))
      return ts_fail(TS_E_INPUT, "%s, line %zu: \"%.*s\" is not a number; a point is x,y,z", name,
                     l.number, shown, w.text);
    if (!isfinite(number))
      return ts_fail(TS_E_INPUT, "%s, line %zu: %.*s: every coordinate must be finite", name,
                     l.number, shown, w.text);
    if (count < 3)
      xyz[count] = number;
  }
  if (count != 3)
    return ts_fail(TS_E_INPUT, "%s, line %zu: has %zu number%s; a point has three, x,y,z", name,
                   l.number, count, count == 1 ? "" : "s");
  *out = (ts_vec3){xyz[0], xyz[1], xyz[2]};
  return TS_OK;
}

ts_status ts_points_parse(ts_vec3 **out, size_t *out_count, ts_arena *arena, const char *name,
                          const char *text, size_t count, size_t limit) {
  const char *at = text, *end = text + count;
  if (count >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    at += 3;
  ts_vec3 *points = NULL;
  size_t point_count = 0, capacity = 0;
  bool may_be_header = true;
  for (size_t number = 1; at < end; number++) {
    const char *found = memchr(at, '\n', (size_t)(end - at)), *line_end = found ? found : end;
    line l = {.at = at, .end = line_end, .number = number};
    at = found ? found + 1 : end;
    pass_blanks(&l);
    if (l.at == l.end || *l.at == '#')
      continue;
    bool is_skipped = may_be_header && is_header(l);
    may_be_header = false;
    if (is_skipped)
      continue;
    if (point_count == limit)
      return ts_fail(TS_E_INPUT,
                     "%s, line %zu: more than %zu points: leave out some, those near the hull are "
                     "enough",
                     name, number, limit);
    TS_TRY(TS_ARENA_GROW(points, capacity, point_count, 1, arena));
    TS_TRY(read_point(&points[point_count++], l, name));
  }
  *out = points;
  *out_count = point_count;
  return TS_OK;
}
