// SPDX-License-Identifier: MIT
// The convex runs of a place, from the triangles there.
#include "base/status.h"
#include "cases/truth/derived_surface.h"
#include "geometry/closest.h"
#include "geometry/convex_cover.h"

/// The sectors around a point of a triangle of a face, from it towards the edges that do not hold
/// it; none when the triangle is not at the point. Returns how many.
static int sectors_of(ts_face_sector out[3], const ts_vec3 corners[3], ts_vec3 point,
                      double touch_m, int face) {
  int count = 0;
  if (!(ts_closest_point_triangle(point, corners).distance_m <= touch_m))
    return 0;
  for (int i = 0; i < 3; i++) {
    ts_vec3 from = corners[i], to = corners[(i + 1) % 3];
    double t = ts_closest_point_segment(point, from, to);
    if (ts_vec3_distance(point, ts_vec3_lerp(from, to, t)) > touch_m)
      out[count++] = (ts_face_sector){.face = face,
                                      .from = ts_vec3_unit(ts_vec3_sub(from, point)),
                                      .to = ts_vec3_unit(ts_vec3_sub(to, point))};
  }
  return count;
}

ts_status ts_derived_find_runs(ts_derived_around *around, const ts_derived_pair *pair, int side,
                               ts_vec3 point) {
  const ts_derived_side *of = &pair->side[side];
  const ts_patches *patches = of->patches;
  size_t max_count = 0, count = 0;
  for (int i = 0; i < around->surface.face_count; i++)
    max_count += (size_t)3 * patches->patches[around->patches[i]].triangle_count;
  ts_arena_mark mark = ts_arena_get_mark(pair->arena);
  ts_face_sector *sectors = ts_arena_array(pair->arena, max_count, sizeof *sectors);
  if (!sectors)
    return TS_E_MEMORY;
  for (int i = 0; i < around->surface.face_count; i++) {
    const ts_patch *patch = &patches->patches[around->patches[i]];
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
      const uint32_t *v = patches->mesh->triangles[patches->triangles[patch->first_triangle + t]];
      const ts_vec3 corners[3] = {of->vertices[v[0]], of->vertices[v[1]], of->vertices[v[2]]};
      count += (size_t)sectors_of(sectors + count, corners, point, 3 * pair->touch_m, i);
    }
  }
  around->run_count = ts_convex_cover(around->runs, ts_convex_runs(around->runs, &around->surface),
                                      &around->surface, sectors, count, pair->angles_rad[1]);
  ts_arena_rewind(pair->arena, mark);
  if (around->run_count >= 0)
    return TS_OK;
  return ts_fail(TS_E_UNSUPPORTED,
                 "a corner of the %s one has so many ridges and valleys that it splits in more "
                 "than %d convex parts, too many to work out what stops it",
                 side == 0 ? "first" : "second", TS_RUNS_MAX);
}
