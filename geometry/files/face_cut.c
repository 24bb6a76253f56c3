// SPDX-License-Identifier: MIT
#include "geometry/files/face_cut.h"

#include "base/status.h"
#include "geometry/predicates.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdbool.h>

typedef struct polygon {
  const ts_vec3 *vertices;
  const uint32_t *corners; ///< [count]
  size_t count;
  ts_vec3 normal; ///< unit
} polygon;

static ts_vec3 corner_at(const polygon *p, size_t i) {
  return p->vertices[p->corners[i]];
}

static ts_vec3 from_first(const polygon *p, size_t i) {
  return ts_vec3_sub(corner_at(p, i), corner_at(p, 0));
}

/// Twice the area along the normal, by Newell's sum, seen from the first corner.
static ts_vec3 area_of(const polygon *p) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 1; i + 1 < p->count; i++)
    sum = ts_vec3_add(sum, ts_vec3_cross(from_first(p, i), from_first(p, i + 1)));
  return sum;
}

static ts_status find_normal(polygon *p) {
  ts_vec3 area = area_of(p);
  double extent = 0, height = 0;
  for (size_t i = 1; i < p->count; i++)
    extent = fmax(extent, ts_vec3_norm(from_first(p, i)));
  double twice = ts_vec3_norm(area);
  if (!(twice > TS_DEGENERATE_TRIANGLE * extent * extent) || !isfinite(twice))
    return ts_fail(TS_E_INPUT, "the polygon has no area: remove it, or give triangles");
  p->normal = ts_vec3_unit(area);
  for (size_t i = 1; i < p->count; i++)
    height = fmax(height, fabs(ts_vec3_dot(from_first(p, i), p->normal)));
  if (!(height <= TS_POLYGON_BENT_RELATIVE * extent))
    return ts_fail(TS_E_INPUT,
                   "the polygon is bent by %.3g of its extent %.3g, so that where its surface is "
                   "depends on how it is cut: give triangles",
                   height, extent);
  return TS_OK;
}

/// Whether all triangles of a fan round the first corner turn the way of the polygon, none of them
/// degenerate, and the fan does not close up: all of it is left of the first edge.
static bool is_fan(const polygon *p) {
  ts_vec3 first = from_first(p, 1);
  for (size_t i = 1; i + 1 < p->count; i++) {
    ts_vec3 one = from_first(p, i), two = from_first(p, i + 1);
    double longest2 = fmax(ts_vec3_norm2(one), ts_vec3_norm2(two));
    if (!(ts_vec3_dot(ts_vec3_cross(one, two), p->normal) > TS_DEGENERATE_TRIANGLE * longest2) ||
        !(ts_vec3_dot(ts_vec3_cross(first, two), p->normal) > 0))
      return false;
  }
  return true;
}

// ---- polygons that are no fan -----------------------------------------------------------------

/// A corner in the plane that the polygon is seen in, counter-clockwise there.
typedef struct flat_corner {
  double at[2];
  size_t before, after; ///< of the corners that are left
  bool is_convex;
  double quality; ///< of the triangle with its neighbours; -1 where it is no ear
} flat_corner;

static void flatten(flat_corner *out, const polygon *p) {
  double n[3] = {fabs(p->normal.x), fabs(p->normal.y), fabs(p->normal.z)};
  int away = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
  bool is_turned = (away == 0 ? p->normal.x : away == 1 ? p->normal.y : p->normal.z) < 0;
  for (size_t i = 0; i < p->count; i++) {
    ts_vec3 v = corner_at(p, i);
    double xyz[3] = {v.x, v.y, v.z};
    double u = xyz[(away + 1) % 3], w = xyz[(away + 2) % 3];
    out[i] = (flat_corner){.at = {is_turned ? w : u, is_turned ? u : w},
                           .before = (i + p->count - 1) % p->count,
                           .after = (i + 1) % p->count};
  }
}

static bool is_between(const double p[2], const double a[2], const double b[2]) {
  for (int i = 0; i < 2; i++)
    if (p[i] < ts_min(a[i], b[i]) || p[i] > ts_max(a[i], b[i]))
      return false;
  return true;
}

/// Whether two segments have a point in common.
static bool do_meet(const double a[2], const double b[2], const double c[2], const double d[2]) {
  for (int i = 0; i < 2; i++)
    if (ts_max(a[i], b[i]) < ts_min(c[i], d[i]) || ts_max(c[i], d[i]) < ts_min(a[i], b[i]))
      return false;
  int ac = ts_orient2d(a, b, c), ad = ts_orient2d(a, b, d);
  int ca = ts_orient2d(c, d, a), cb = ts_orient2d(c, d, b);
  return (ac * ad < 0 && ca * cb < 0) || (ac == 0 && is_between(c, a, b)) ||
         (ad == 0 && is_between(d, a, b)) || (ca == 0 && is_between(a, c, d)) ||
         (cb == 0 && is_between(b, c, d));
}

/// Whether an edge and the next fold back on each other.
static bool folds(const double a[2], const double b[2], const double c[2]) {
  return ts_orient2d(a, b, c) == 0 && (is_between(c, a, b) || is_between(a, b, c));
}

/// Whether edges meet that are not neighbours, or neighbours in more than their corner.
static bool meets_itself(const flat_corner *flat, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double *a = flat[i].at, *b = flat[(i + 1) % count].at;
    if (folds(a, b, flat[(i + 2) % count].at))
      return true;
    for (size_t k = i + 2; k < count - (i == 0); k++)
      if (do_meet(a, b, flat[k].at, flat[(k + 1) % count].at))
        return true;
  }
  return false;
}

static void find_turn(flat_corner *flat, size_t i) {
  flat[i].is_convex = ts_orient2d(flat[flat[i].before].at, flat[i].at, flat[flat[i].after].at) > 0;
}

/// Whether the triangle that a corner makes with its neighbours is within the polygon: it turns
/// left, and no other corner is in it or on its third side. One that is not convex would be among
/// them, so that only those are looked at.
static bool is_ear(const flat_corner *flat, size_t i) {
  const double *a = flat[flat[i].before].at, *b = flat[i].at, *c = flat[flat[i].after].at;
  double low[2], high[2]; // of the triangle: most corners are outside of them
  for (int k = 0; k < 2; k++) {
    low[k] = ts_min(a[k], ts_min(b[k], c[k]));
    high[k] = ts_max(a[k], ts_max(b[k], c[k]));
  }
  for (size_t k = flat[flat[i].after].after; k != flat[i].before; k = flat[k].after) {
    const double *p = flat[k].at;
    if (!flat[k].is_convex && p[0] >= low[0] && p[0] <= high[0] && p[1] >= low[1] &&
        p[1] <= high[1] && ts_orient2d(a, b, p) >= 0 && ts_orient2d(b, c, p) >= 0 &&
        ts_orient2d(c, a, p) >= 0)
      return false;
  }
  return flat[i].is_convex;
}

/// Height over longest edge of the triangle, in space.
static void find_quality(flat_corner *flat, const polygon *p, size_t i) {
  ts_vec3 a = corner_at(p, flat[i].before), b = corner_at(p, i), c = corner_at(p, flat[i].after);
  ts_vec3 ab = ts_vec3_sub(b, a), ac = ts_vec3_sub(c, a), bc = ts_vec3_sub(c, b);
  double longest2 = fmax(ts_vec3_norm2(ab), fmax(ts_vec3_norm2(ac), ts_vec3_norm2(bc)));
  flat[i].quality = is_ear(flat, i) ? ts_vec3_norm(ts_vec3_cross(ab, ac)) / longest2 : -1;
}

/// A polygon that does not meet itself has an ear as long as it has more than three corners, those
/// in straight lines included.
static void cut_ears(uint32_t (*out)[3], const polygon *p, flat_corner *flat) {
  for (size_t i = 0; i < p->count; i++)
    find_turn(flat, i);
  for (size_t i = 0; i < p->count; i++)
    find_quality(flat, p, i);
  size_t first = 0;
  for (size_t left = p->count; left > 2; left--) {
    size_t best = first;
    for (size_t i = flat[first].after; i != first; i = flat[i].after)
      if (flat[i].quality > flat[best].quality)
        best = i;
    size_t sides[2] = {flat[best].before, flat[best].after};
    (*out)[0] = p->corners[sides[0]];
    (*out)[1] = p->corners[best];
    (*out++)[2] = p->corners[sides[1]];
    flat[sides[0]].after = sides[1];
    flat[sides[1]].before = sides[0];
    first = sides[1];
    for (int k = 0; k < 2; k++)
      find_turn(flat, sides[k]);
    for (int k = 0; k < 2; k++)
      find_quality(flat, p, sides[k]);
  }
}

static ts_status cut_concave(uint32_t (*out)[3], ts_arena *arena, const polygon *p) {
  if (p->count > TS_FACE_CUT_CORNERS_MAX)
    return ts_fail(TS_E_INPUT,
                   "the polygon is not convex and has %zu corners, more than the %d that are cut: "
                   "give triangles",
                   p->count, TS_FACE_CUT_CORNERS_MAX);
  flat_corner *flat = ts_arena_array(arena, p->count, sizeof *flat);
  if (!flat)
    return TS_E_MEMORY;
  flatten(flat, p);
  if (meets_itself(flat, p->count))
    return ts_fail(TS_E_INPUT, "the polygon crosses or touches itself: give triangles");
  cut_ears(out, p, flat);
  return TS_OK;
}

ts_status ts_face_cut(uint32_t (*out)[3], ts_arena *arena, const ts_vec3 *vertices,
                      const uint32_t *corners, size_t count) {
  polygon p = {.vertices = vertices, .corners = corners, .count = count};
  if (count > 3)
    TS_TRY(find_normal(&p));
  if (count > 3 && !is_fan(&p)) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_status status = cut_concave(out, arena, &p);
    ts_arena_rewind(arena, mark);
    return status;
  }
  for (size_t i = 1; i + 1 < count; i++) {
    out[i - 1][0] = corners[0];
    out[i - 1][1] = corners[i];
    out[i - 1][2] = corners[i + 1];
  }
  return TS_OK;
}
