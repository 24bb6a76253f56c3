// SPDX-License-Identifier: MIT
// What the search for places collects.
#include "cases/truth/derived_search.h"

#include "base/array.h"
#include "base/status.h"

ts_status ts_derived_add_demand(ts_derived_search *s, ts_vec3 *vertices, size_t vertex_count,
                                ts_term term) {
  ts_derived_places *out = s->out;
  TS_TRY(TS_ARENA_GROW(out->demands, out->capacity, out->count, 1, s->pair->arena));
  out->demands[out->count++] =
      (ts_derived_demand){.vertex_count = vertex_count, .vertices = vertices, .term = term};
  return TS_OK;
}

ts_status ts_derived_note_point(ts_derived_search *s, ts_vec3 point) {
  TS_TRY(TS_ARENA_GROW(s->points, s->point_capacity, s->point_count, 1, s->pair->arena));
  s->points[s->point_count++] = point;
  return TS_OK;
}
