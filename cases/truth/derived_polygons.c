// SPDX-License-Identifier: MIT
// Convex polygons of one plane, joined to fewer.
#include "base/status.h"
#include "cases/truth/derived_surface.h"
#include "geometry/polygon.h"

/// Polygons of which each is tried with each other one. It is for fewer pieces only: what the place
/// is does not depend on it.
enum { PIECES_MAX = 256 };

static double area_of(const ts_derived_part *part, ts_vec3 normal) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 2; i < part->count; i++)
    sum = ts_vec3_add(sum, ts_vec3_cross(ts_vec3_sub(part->corners[i - 1], part->corners[0]),
                                         ts_vec3_sub(part->corners[i], part->corners[0])));
  return 0.5 * ts_vec3_dot(sum, normal);
}

static double perimeter_of(const ts_derived_part *part) {
  double sum_m = 0;
  for (size_t i = 0; i < part->count; i++)
    sum_m += ts_vec3_distance(part->corners[i], part->corners[(i + 1) % part->count]);
  return sum_m;
}

/// Joins the parts that `group` [count] lists when their union is convex: the first becomes it, the
/// others lose their corners.
static ts_status join_group(bool *out_joined, ts_derived_part *parts, const size_t *group,
                            size_t count, ts_arena *arena, ts_vec3 normal, double touch_m) {
  *out_joined = false;
  size_t corner_count = 0;
  double area = 0;
  for (size_t i = 0; i < count; i++) {
    corner_count += parts[group[i]].count;
    area += area_of(&parts[group[i]], normal);
  }
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_derived_part hull = {.patch = parts[group[0]].patch};
  ts_vec3 *points = ts_arena_array(arena, corner_count, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  size_t k = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t c = 0; c < parts[group[i]].count; c++)
      points[k++] = parts[group[i]].corners[c];
  hull.corners = ts_arena_array(arena, corner_count, sizeof *hull.corners);
  if (!hull.corners)
    return TS_E_MEMORY;
  TS_TRY(ts_hull_in_plane(hull.corners, &hull.count, arena, points, corner_count, normal, touch_m));
  if (hull.count < 3 || area_of(&hull, normal) - area > touch_m * perimeter_of(&hull)) {
    ts_arena_rewind(arena, mark);
    return TS_OK;
  }
  for (size_t i = 1; i < count; i++)
    parts[group[i]].count = 0;
  parts[group[0]] = hull;
  *out_joined = true;
  return TS_OK;
}

static void drop_empty(ts_derived_part *parts, size_t *count) {
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++)
    if (parts[i].count >= 3)
      parts[kept++] = parts[i];
  *count = kept;
}

/// Whether two convex polygons of one plane share a point. They do not overlap, so that a corner of
/// one lies on the other when they do.
static bool share_point(const ts_derived_part *a, const ts_derived_part *b, ts_vec3 normal,
                        double touch_m) {
  const ts_derived_part *of[2] = {a, b};
  for (int i = 0; i < 2; i++)
    for (size_t c = 0; c < of[i]->count; c++)
      if (ts_convex_distance(of[i]->corners[c], of[1 - i]->corners, of[1 - i]->count, normal) <=
          touch_m)
        return true;
  return false;
}

static ts_status join_two_by_two(ts_derived_part *parts, size_t count, ts_arena *arena,
                                 ts_vec3 normal, double touch_m) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++) {
      bool joined;
      if (k == i || parts[i].count < 3 || parts[k].count < 3 ||
          !share_point(&parts[i], &parts[k], normal, touch_m))
        continue;
      const size_t group[2] = {i, k};
      TS_TRY(join_group(&joined, parts, group, 2, arena, normal, touch_m));
      if (joined)
        k = (size_t)-1; // what did not fit before may fit now
    }
  return TS_OK;
}

static ts_status join_all(bool *out_joined, ts_derived_part *parts, size_t count, ts_arena *arena,
                          ts_vec3 normal, double touch_m) {
  size_t *all = ts_arena_array(arena, count, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    all[i] = i;
  return join_group(out_joined, parts, all, count, arena, normal, touch_m);
}

ts_status ts_derived_join(ts_derived_part *parts, size_t *count, ts_arena *arena, ts_vec3 normal,
                          double touch_m) {
  drop_empty(parts, count);
  if (*count < 2)
    return TS_OK;
  bool joined;
  TS_TRY(join_all(&joined, parts, *count, arena, normal, touch_m));
  if (!joined && *count <= PIECES_MAX)
    TS_TRY(join_two_by_two(parts, *count, arena, normal, touch_m));
  drop_empty(parts, count);
  return TS_OK;
}
