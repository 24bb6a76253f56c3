// SPDX-License-Identifier: MIT
#include "geometry/files/points.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/files/number_line.h"

static ts_status read_point(ts_vec3 *out, ts_number_line line, const ts_number_text *text) {
  double xyz[3];
  size_t count = 0;
  for (bool found = true;; count++) {
    double number;
    TS_TRY(ts_number_line_next(&number, &found, &line, text, "coordinate", "a point is x,y,z"));
    if (!found)
      break;
    if (count < 3)
      xyz[count] = number;
  }
  if (count != 3)
    return ts_fail(TS_E_INPUT, "%s, line %zu: has %zu number%s; a point has three, x,y,z",
                   text->name, line.number, count, count == 1 ? "" : "s");
  *out = (ts_vec3){xyz[0], xyz[1], xyz[2]};
  return TS_OK;
}

ts_status ts_points_parse(ts_vec3 **out, size_t *out_count, ts_arena *arena, const char *name,
                          const char *text, size_t count, size_t limit) {
  ts_number_text lines = ts_number_text_start(name, text, count);
  ts_number_line line;
  ts_vec3 *points = NULL;
  size_t point_count = 0, capacity = 0;
  while (ts_number_text_next(&line, &lines)) {
    if (point_count == limit)
      return ts_fail(TS_E_INPUT,
                     "%s, line %zu: more than %zu points: leave out some, those near the hull are "
                     "enough",
                     name, line.number, limit);
    TS_TRY(TS_ARENA_GROW(points, capacity, point_count, 1, arena));
    TS_TRY(read_point(&points[point_count++], line, &lines));
  }
  *out = points;
  *out_count = point_count;
  return TS_OK;
}
