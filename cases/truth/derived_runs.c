// SPDX-License-Identifier: MIT
// The convex runs of a place, from the flat parts there.
#include "base/array.h"
#include "base/status.h"
#include "cases/truth/derived_surface.h"
#include "geometry/closest.h"
#include "geometry/convex_cover.h"
#include "geometry/polygon.h"

typedef struct sector_query {
  const ts_derived_around *around;
  const ts_derived_pair *pair;
  const ts_derived_side *side;
  ts_vec3 point;
  double touch_m;
  size_t count, capacity;
  ts_face_sector *sectors;
} sector_query;

/// Unit direction in the plane of a face, so that no noise lifts a face above its plane.
static ts_vec3 direction_to(ts_vec3 to, ts_vec3 point, ts_vec3 normal) {
  ts_vec3 way = ts_vec3_sub(to, point);
  return ts_vec3_unit(ts_vec3_add_scaled(way, -ts_vec3_dot(way, normal), normal));
}

/// The sectors around the point of a part of a face, from it towards the edges that do not hold it;
/// none when the part is not at the point.
static ts_status add_sectors(void *context, uint32_t near, uint32_t unused) {
  (void)unused;
  sector_query *q = context;
  const ts_derived_part *part = &q->side->parts[near];
  int face = 0;
  while (face < q->around->surface.face_count && q->around->patches[face] != part->patch)
    face++;
  if (face == q->around->surface.face_count)
    return TS_OK;
  ts_vec3 normal = q->around->surface.normals[face];
  if (!(ts_convex_distance(q->point, part->corners, part->count, normal) <= q->touch_m))
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(q->sectors, q->capacity, q->count, part->count, q->pair->arena));
  for (size_t i = 0; i < part->count; i++) {
    ts_vec3 from = part->corners[i], to = part->corners[(i + 1) % part->count];
    double t = ts_closest_point_segment(q->point, from, to);
    if (ts_vec3_distance(q->point, ts_vec3_lerp(from, to, t)) > q->touch_m)
      q->sectors[q->count++] = (ts_face_sector){.face = face,
                                                .from = direction_to(from, q->point, normal),
                                                .to = direction_to(to, q->point, normal)};
  }
  return TS_OK;
}

ts_status ts_derived_find_runs(ts_derived_around *around, const ts_derived_pair *pair, int side,
                               ts_vec3 point) {
  ts_arena_mark mark = ts_arena_get_mark(pair->arena);
  sector_query q = {.around = around,
                    .pair = pair,
                    .side = &pair->side[side],
                    .point = point,
                    .touch_m = 3 * pair->touch_m};
  TS_TRY(ts_bvh_near(q.side->part_boxes, point, q.touch_m, add_sectors, &q));
  around->run_count = ts_convex_cover(around->runs, ts_convex_runs(around->runs, &around->surface),
                                      &around->surface, q.sectors, q.count, pair->angles_rad[1]);
  ts_arena_rewind(pair->arena, mark);
  if (around->run_count >= 0)
    return TS_OK;
  return ts_fail(TS_E_UNSUPPORTED,
                 "a corner of the %s one has so many ridges and valleys that it splits in more "
                 "than %d convex parts, too many to work out what stops it",
                 side == 0 ? "first" : "second", TS_RUNS_MAX);
}
