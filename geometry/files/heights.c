// SPDX-License-Identifier: MIT
#include "geometry/files/heights.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/files/heights_png.h"
#include "geometry/files/number_line.h"

#include <string.h>
#include <strings.h>

/// The numbers of a line, behind those that there are.
static ts_status read_row(double **values, size_t *count, size_t *capacity, ts_arena *arena,
                          ts_number_line line, const ts_number_text *text, size_t limit) {
  for (;;) {
    double number;
    bool found;
    TS_TRY(ts_number_line_next(&number, &found, &line, text, "height", "a row is heights"));
    if (!found)
      return TS_OK;
    if (*count == limit)
      return ts_fail(TS_E_INPUT,
                     "%s, line %zu: more than %zu heights: leave out some rows and "
                     "columns",
                     text->name, line.number, limit);
    TS_TRY(TS_ARENA_GROW(*values, *capacity, *count, 1, arena));
    (*values)[(*count)++] = number;
  }
}

static ts_status parse_text(ts_heights *out, ts_arena *arena, const char *name, const char *bytes,
                            size_t byte_count, size_t limit) {
  ts_number_text lines = ts_number_text_start(name, bytes, byte_count);
  lines.may_be_names = false; // a first row that is no numbers is a mistake, not names of columns
  ts_number_line line;
  size_t count = 0, capacity = 0;
  *out = (ts_heights){0};
  while (ts_number_text_next(&line, &lines)) {
    size_t before = count;
    TS_TRY(read_row(&out->values, &count, &capacity, arena, line, &lines, limit));
    if (out->row_count > 0 && count - before != out->column_count)
      return ts_fail(TS_E_INPUT, "%s, line %zu: a row of %zu heights; those before have %zu", name,
                     line.number, count - before, out->column_count);
    out->column_count = count - before;
    out->row_count++;
  }
  if (count == 0)
    return ts_fail(TS_E_INPUT, "%s: has no heights; a line is a row of them", name);
  return TS_OK;
}

ts_status ts_heights_parse(ts_heights *out, ts_arena *arena, const char *name, const char *bytes,
                           size_t count, size_t limit) {
  const char *dot = strrchr(name, '.');
  if (dot && strcasecmp(dot, ".png") == 0)
    return ts_heights_png_parse(out, arena, name, bytes, count, limit);
  if (dot && strcasecmp(dot, ".csv") == 0)
    return parse_text(out, arena, name, bytes, count, limit);
  return ts_fail(TS_E_INPUT, "%.300s: heights are in a .csv or a .png file", name);
}
