// SPDX-License-Identifier: MIT
#include "geometry/mesh/hull.h"

#include "base/status.h"
#include "geometry/aabb.h"
#include "geometry/closest.h"
#include "geometry/mesh/exact_hull.h"
#include "geometry/predicates.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/// Scaled coordinates below this, where the largest is about 1, count as 0: their products in
/// threes would underflow, and orientation tests be wrong.
#define TINY 0x1p-200

/// One hull: points without repetitions, and what is left of them.
typedef struct work {
  ts_arena *scratch;
  size_t count;
  ts_vec3 *given;  ///< [count], sorted
  ts_vec3 *scaled; ///< [count + 1], by a power of two; the last is within the hull
  double flat;     ///< distance up to which a vertex is left out, as scaled
  uint32_t *left;  ///< [left_count], ascending
  size_t left_count;
  uint32_t *face_at;   ///< [count], a face at a vertex, or NONE
  uint8_t *is_settled; ///< [count], vertices that stay for now, since one beside them has gone
  uint32_t *link;      ///< [link_count], vertices around one; has room for all, and the centre
  size_t link_count;
} work;

static int compare_numbers(double x, double y) {
  return (x > y) - (x < y);
}

/// By coordinates; of equal ones, those with fewer negative zeros first.
static int compare_points(const void *a, const void *b) {
  const ts_vec3 *p = a, *q = b;
  int order = compare_numbers(p->x, q->x);
  order = order ? order : compare_numbers(p->y, q->y);
  order = order ? order : compare_numbers(p->z, q->z);
  if (order)
    return order;
  int p_signs = !!signbit(p->x) * 4 + !!signbit(p->y) * 2 + !!signbit(p->z);
  int q_signs = !!signbit(q->x) * 4 + !!signbit(q->y) * 2 + !!signbit(q->z);
  return p_signs - q_signs;
}

static ts_status check(const ts_vec3 *points, size_t count) {
  if (count < 4)
    return ts_fail(TS_E_INPUT, "has %zu point%s: a hull needs 4 or more that are not in one plane",
                   count, count == 1 ? "" : "s");
  if (count > TS_HULL_POINTS_MAX)
    return ts_fail(TS_E_INPUT, "has %zu points: give %zu or fewer, those near the hull are enough",
                   count, TS_HULL_POINTS_MAX);
  for (size_t i = 0; i < count; i++)
    if (!ts_vec3_is_finite(points[i]))
      return ts_fail(TS_E_INPUT,
                     "point %zu of %zu has a coordinate that is not finite: correct or remove it",
                     i + 1, count);
  return TS_OK;
}

static double scaled_down(double x, int exponent) {
  double y = ldexp(x, -exponent);
  return fabs(y) < TINY ? 0 : y;
}

static ts_status prepare(work *w, const ts_vec3 *points, size_t count) {
  w->given = ts_arena_copy(w->scratch, points, count, sizeof *points);
  w->scaled = ts_arena_array(w->scratch, count + 1, sizeof *w->scaled);
  w->left = ts_arena_array(w->scratch, count, sizeof *w->left);
  w->face_at = ts_arena_array(w->scratch, count, sizeof *w->face_at);
  w->is_settled = ts_arena_array(w->scratch, count, sizeof *w->is_settled);
  w->link = ts_arena_array(w->scratch, count + 1, sizeof *w->link);
  if (!w->given || !w->scaled || !w->left || !w->face_at || !w->is_settled || !w->link)
    return TS_E_MEMORY;
  qsort(w->given, count, sizeof *w->given, compare_points);
  double largest = 0;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 p = w->given[i];
    if (w->count > 0 && p.x == w->given[w->count - 1].x && p.y == w->given[w->count - 1].y &&
        p.z == w->given[w->count - 1].z)
      continue;
    largest = fmax(largest, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    w->given[w->count++] = p;
  }
  int exponent;
  frexp(largest, &exponent);
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < w->count; i++) {
    ts_vec3 p = w->given[i];
    w->scaled[i] = (ts_vec3){scaled_down(p.x, exponent), scaled_down(p.y, exponent),
                             scaled_down(p.z, exponent)};
    box = ts_aabb_add(box, w->scaled[i]);
    w->left[i] = (uint32_t)i;
  }
  w->left_count = w->count;
  w->flat = TS_HULL_FLAT_RELATIVE * ts_aabb_extent(box);
  return TS_OK;
}

static ts_status say_flat(int span) {
  static const char *const where[] = {"", "at one place", "on one line", "in one plane"};
  return ts_fail(TS_E_INPUT,
                 "all points are %s, to within %g of their extent, so that their hull has no "
                 "volume: give points that span a body, such as both sides of a plate",
                 where[span], TS_HULL_FLAT_RELATIVE);
}

/// The corners of a hull become what is left; notes a face at each.
static void keep_corners(work *w, const ts_exact_hull *hull) {
  memset(w->face_at, 0xff, w->count * sizeof *w->face_at);
  for (size_t f = 0; f < hull->face_count; f++)
    for (int k = 0; k < 3; k++)
      w->face_at[hull->faces[f].corner[k]] = (uint32_t)f;
  size_t kept = 0;
  for (size_t i = 0; i < w->left_count; i++)
    if (w->face_at[w->left[i]] != NONE)
      w->left[kept++] = w->left[i];
  w->left_count = kept;
}

/// A point within: the middle of the corners, which are not in a plane.
static void place_centre(work *w) {
  ts_vec3 sum = {0};
  for (size_t i = 0; i < w->left_count; i++)
    sum = ts_vec3_add(sum, w->scaled[w->left[i]]);
  w->scaled[w->count] = ts_vec3_scale(sum, 1 / (double)w->left_count);
}

/// Finds the vertices around one. Returns the sum of the unit normals of the faces at it.
static ts_vec3 find_link(work *w, const ts_exact_hull *hull, uint32_t vertex) {
  uint32_t first = w->face_at[vertex], at = first;
  ts_vec3 normal = {0};
  w->link_count = 0;
  do {
    const ts_hull_face *f = &hull->faces[at];
    int k = f->corner[0] == vertex ? 0 : f->corner[1] == vertex ? 1 : 2;
    ts_vec3 a = w->scaled[vertex], b = w->scaled[f->corner[(k + 1) % 3]];
    ts_vec3 c = w->scaled[f->corner[(k + 2) % 3]];
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a));
    if (ts_vec3_norm2(n) > 0)
      normal = ts_vec3_add(normal, ts_vec3_unit(n));
    w->link[w->link_count++] = f->corner[(k + 1) % 3];
    at = f->neighbour[(k + 2) % 3];
  } while (at != first);
  return normal;
}

/// Whether a vertex is farther than `flat` from the hull of the others along the normal: then it
/// stands out, and there is no need to measure by how much.
static bool clearly_stands_out(const work *w, uint32_t vertex, ts_vec3 normal) {
  double limit = w->flat * ts_vec3_norm(normal);
  for (size_t i = 0; i < w->link_count; i++) {
    ts_vec3 d = ts_vec3_sub(w->scaled[vertex], w->scaled[w->link[i]]);
    if (!(ts_vec3_dot(normal, d) > limit))
      return false;
  }
  return true;
}

/// Whether a vertex is farther than `flat` from the hull of the others. The faces of that hull
/// which it sees have their corners in its link.
static ts_status stands_out(bool *out, work *w, uint32_t vertex) {
  ts_arena_mark mark = ts_arena_get_mark(w->scratch);
  w->link[w->link_count] = (uint32_t)w->count; // the centre
  ts_exact_hull others;
  TS_TRY(ts_exact_hull_create(&others, w->scratch, w->scaled, w->link, w->link_count + 1, 0));
  double distance = 0;
  bool is_outside = false;
  for (size_t f = 0; f < others.face_count; f++) {
    const uint32_t *c = others.faces[f].corner;
    const ts_vec3 face[3] = {w->scaled[c[0]], w->scaled[c[1]], w->scaled[c[2]]};
    if (ts_orient3d(face[0], face[1], face[2], w->scaled[vertex]) <= 0)
      continue;
    double from = ts_closest_point_triangle(w->scaled[vertex], face).distance_m;
    distance = is_outside ? fmin(distance, from) : from;
    is_outside = true;
  }
  ts_arena_rewind(w->scratch, mark);
  *out = distance > w->flat;
  return TS_OK;
}

/// Leaves out vertices that do not stand out, no two of which are beside each other.
static ts_status drop_some(bool *out_dropped, work *w, const ts_exact_hull *hull) {
  *out_dropped = false;
  memset(w->is_settled, 0, w->count);
  place_centre(w);
  size_t kept = 0;
  for (size_t i = 0; i < w->left_count; i++) {
    uint32_t vertex = w->left[i];
    bool stays = w->is_settled[vertex] != 0;
    if (!stays)
      stays = clearly_stands_out(w, vertex, find_link(w, hull, vertex));
    if (!stays)
      TS_TRY(stands_out(&stays, w, vertex));
    if (stays) {
      w->left[kept++] = vertex;
      continue;
    }
    for (size_t k = 0; k < w->link_count; k++)
      w->is_settled[w->link[k]] = 1;
    *out_dropped = true;
  }
  w->left_count = kept;
  return TS_OK;
}

static int compare_triangles(const void *a, const void *b) {
  const uint32_t *p = a, *q = b;
  for (int i = 0; i < 3; i++)
    if (p[i] != q[i])
      return p[i] < q[i] ? -1 : 1;
  return 0;
}

static ts_status take(ts_hull *out, ts_arena *arena, work *w, const ts_exact_hull *hull) {
  ts_hull h = {.vertex_count = w->left_count, .triangle_count = hull->face_count};
  h.vertices = ts_arena_array(arena, h.vertex_count, sizeof *h.vertices);
  h.triangles = ts_arena_array(arena, h.triangle_count, sizeof *h.triangles);
  if (!h.vertices || !h.triangles)
    return TS_E_MEMORY;
  uint32_t *index = w->face_at; // no longer needed
  for (size_t i = 0; i < w->left_count; i++) {
    h.vertices[i] = w->given[w->left[i]];
    index[w->left[i]] = (uint32_t)i;
  }
  for (size_t f = 0; f < h.triangle_count; f++) {
    const uint32_t *c = hull->faces[f].corner;
    int low = c[0] < c[1] ? (c[0] < c[2] ? 0 : 2) : (c[1] < c[2] ? 1 : 2);
    for (int k = 0; k < 3; k++)
      h.triangles[f][k] = index[c[(low + k) % 3]];
  }
  qsort(h.triangles, h.triangle_count, sizeof *h.triangles, compare_triangles);
  *out = h;
  return TS_OK;
}

static ts_status make(ts_hull *out, ts_arena *arena, work *w) {
  for (ts_arena_mark mark = ts_arena_get_mark(w->scratch);; ts_arena_rewind(w->scratch, mark)) {
    ts_exact_hull hull;
    TS_TRY(ts_exact_hull_create(&hull, w->scratch, w->scaled, w->left, w->left_count, w->flat));
    if (hull.span < 4)
      return say_flat(hull.span);
    keep_corners(w, &hull);
    bool has_dropped;
    TS_TRY(drop_some(&has_dropped, w, &hull));
    if (!has_dropped)
      return take(out, arena, w, &hull);
  }
}

ts_status ts_hull_of_points(ts_hull *out, ts_arena *arena, const ts_vec3 *points, size_t count) {
  TS_TRY(check(points, count));
  work w = {0};
  TS_TRY(ts_arena_create(&w.scratch));
  ts_status status = prepare(&w, points, count);
  if (status == TS_OK)
    status = make(out, arena, &w);
  ts_arena_destroy(w.scratch);
  return status;
}
