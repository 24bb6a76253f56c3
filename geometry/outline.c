// SPDX-License-Identifier: MIT
// A sweep: lines through all corners, at right angles to the longest edge, cut the inside in
// trapezoids, and trapezoids side by side that have a whole side in common grow to one polygon as
// long as it is convex. Corners that are on one line within the tolerance share it, so that noise
// makes no slivers.
#include "geometry/outline.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/// A point of the plane: `s` across the lines, `t` along them.
typedef struct flat_point {
  double s, t;
  ts_vec3 p;
} flat_point;

/// An edge between two lines, from the lower one to the higher one.
typedef struct span {
  size_t lines[2];
  flat_point ends[2];
  int turns; ///< 1: what is inside is above it, -1: below
} span;

/// Where an edge crosses a strip.
typedef struct side {
  size_t span;
  flat_point left, right;
} side;

/// A polygon that grows: the corners below and above, from left to right.
typedef struct growing {
  size_t spans[2]; ///< that it ends with below and above
  size_t counts[2], capacities[2];
  flat_point *corners[2];
  bool has_grown;
} growing;

typedef struct sweep {
  ts_arena *arena;
  ts_vec3 normal;
  double tolerance_m;
  size_t line_count;
  double *lines; ///< [line_count]
  size_t span_count;
  span *spans; ///< by first line
  size_t side_capacity;
  side *sides; ///< of the strip
  size_t growing_count, growing_capacity;
  growing *growing;
  size_t piece_count, piece_capacity;
  ts_outline_piece *pieces;
} sweep;

double ts_outline_area(const ts_outline_edge *edges, size_t count, ts_vec3 normal) {
  double twice = 0;
  for (size_t i = 0; i < count; i++)
    twice += ts_vec3_dot(normal, ts_vec3_cross(ts_vec3_sub(edges[i].from, edges[0].from),
                                               ts_vec3_sub(edges[i].to, edges[0].from)));
  return 0.5 * twice;
}

// ---- the whole, where it is convex ------------------------------------------------------------

static double perimeter_of(const ts_outline_piece *piece) {
  double sum_m = 0;
  for (size_t i = 0; i < piece->count; i++)
    sum_m += ts_vec3_distance(piece->corners[i], piece->corners[(i + 1) % piece->count]);
  return sum_m;
}

static double area_of(const ts_outline_piece *piece, ts_vec3 normal) {
  double twice = 0;
  for (size_t i = 2; i < piece->count; i++)
    twice +=
        ts_vec3_dot(normal, ts_vec3_cross(ts_vec3_sub(piece->corners[i - 1], piece->corners[0]),
                                          ts_vec3_sub(piece->corners[i], piece->corners[0])));
  return 0.5 * twice;
}

static ts_status hull_of(ts_outline_piece *out, const sweep *s, const ts_vec3 *points, size_t count,
                         double tolerance_m) {
  out->corners = ts_arena_array(s->arena, count, sizeof *out->corners);
  return out->corners ? ts_hull_in_plane(out->corners, &out->count, s->arena, points, count,
                                         s->normal, tolerance_m)
                      : TS_E_MEMORY;
}

static ts_status keep_piece(sweep *s, ts_outline_piece piece) {
  TS_TRY(TS_ARENA_GROW(s->pieces, s->piece_capacity, s->piece_count, 1, s->arena));
  s->pieces[s->piece_count++] = piece;
  return TS_OK;
}

/// A strip, unless it is no wider than the tolerance. Beside a cut a corner of the outline hardly
/// protrudes; it is one all the same.
static ts_status add_strip(sweep *s, const ts_vec3 *points, size_t count) {
  ts_outline_piece coarse, piece;
  TS_TRY(hull_of(&coarse, s, points, count, s->tolerance_m));
  if (coarse.count < 3)
    return TS_OK;
  TS_TRY(hull_of(&piece, s, points, count, TS_OUTLINE_CORNER * s->tolerance_m));
  return keep_piece(s, piece);
}

/// Where the hull is no larger than what is inside, by more than the tolerance along its rim.
static ts_status take_whole(bool *out, sweep *s, const ts_outline_edge *edges, size_t count) {
  ts_vec3 *points = ts_arena_array(s->arena, count, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    points[i] = edges[i].from;
  ts_outline_piece hull;
  TS_TRY(hull_of(&hull, s, points, count, s->tolerance_m));
  bool is_nothing = hull.count < 3;
  *out = is_nothing || area_of(&hull, s->normal) - ts_outline_area(edges, count, s->normal) <=
                           s->tolerance_m * perimeter_of(&hull);
  return *out && !is_nothing ? keep_piece(s, hull) : TS_OK;
}

// ---- lines ------------------------------------------------------------------------------------

static int compare_numbers(const void *left, const void *right) {
  const double *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

static int compare_spans(const void *left, const void *right) {
  const span *l = left, *r = right;
  if (l->lines[0] != r->lines[0])
    return l->lines[0] < r->lines[0] ? -1 : 1;
  if (l->lines[1] != r->lines[1])
    return l->lines[1] < r->lines[1] ? -1 : 1;
  for (int i = 0; i < 2; i++)
    if (l->ends[i].t != r->ends[i].t)
      return l->ends[i].t < r->ends[i].t ? -1 : 1;
  return (l->turns > r->turns) - (l->turns < r->turns);
}

static size_t line_of(const sweep *s, double at) {
  size_t low = 0, high = s->line_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (s->lines[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static ts_status make_lines(sweep *s, const flat_point (*ends)[2], size_t count) {
  s->lines = ts_arena_array(s->arena, 2 * count, sizeof *s->lines);
  if (!s->lines)
    return TS_E_MEMORY;
  for (size_t i = 0; i < 2 * count; i++)
    s->lines[i] = ends[i / 2][i % 2].s;
  qsort(s->lines, 2 * count, sizeof *s->lines, compare_numbers);
  for (size_t i = 0; i < 2 * count; i++)
    if (s->line_count == 0 || s->lines[i] > s->lines[s->line_count - 1] + s->tolerance_m)
      s->lines[s->line_count++] = s->lines[i];
  return TS_OK;
}

/// The direction of the longest edge, seen along the normal.
static ts_vec3 longest_of(const ts_outline_edge *edges, size_t count, ts_vec3 normal) {
  ts_vec3 longest = {0, 0, 0};
  for (size_t i = 0; i < count; i++) {
    ts_vec3 along = ts_vec3_sub(edges[i].to, edges[i].from);
    along = ts_vec3_add_scaled(along, -ts_vec3_dot(along, normal), normal);
    if (ts_vec3_norm2(along) > ts_vec3_norm2(longest))
      longest = along;
  }
  return ts_vec3_unit(longest);
}

static ts_status place_spans(sweep *s, const ts_outline_edge *edges, size_t count) {
  ts_vec3 across = longest_of(edges, count, s->normal), along = ts_vec3_cross(s->normal, across);
  flat_point(*ends)[2] = ts_arena_array(s->arena, count, sizeof *ends);
  s->spans = ts_arena_array(s->arena, count, sizeof *s->spans);
  if (!ends || !s->spans)
    return TS_E_MEMORY;
  for (size_t i = 0; i < 2 * count; i++) {
    ts_vec3 p = i % 2 == 0 ? edges[i / 2].from : edges[i / 2].to;
    ts_vec3 from_first = ts_vec3_sub(p, edges[0].from);
    ends[i / 2][i % 2] =
        (flat_point){ts_vec3_dot(across, from_first), ts_vec3_dot(along, from_first), p};
  }
  TS_TRY(make_lines(s, (const flat_point(*)[2])ends, count));
  for (size_t i = 0; i < count; i++) {
    size_t from = line_of(s, ends[i][0].s), to = line_of(s, ends[i][1].s);
    if (from == to)
      continue;
    int first = from > to;
    s->spans[s->span_count++] = (span){.lines = {first ? to : from, first ? from : to},
                                       .ends = {ends[i][first], ends[i][1 - first]},
                                       .turns = first ? -1 : 1};
  }
  if (s->span_count > 1)
    qsort(s->spans, s->span_count, sizeof *s->spans, compare_spans);
  return TS_OK;
}

// ---- strips -----------------------------------------------------------------------------------

static flat_point at_line(const sweep *s, const span *of, size_t line) {
  for (int i = 0; i < 2; i++)
    if (of->lines[i] == line)
      return of->ends[i];
  double at = s->lines[line];
  double share = (at - of->ends[0].s) / (of->ends[1].s - of->ends[0].s);
  return (flat_point){at, of->ends[0].t + share * (of->ends[1].t - of->ends[0].t),
                      ts_vec3_lerp(of->ends[0].p, of->ends[1].p, share)};
}

static int compare_sides(const void *left, const void *right) {
  const side *l = left, *r = right;
  double at_l = l->left.t + l->right.t, at_r = r->left.t + r->right.t;
  if (at_l != at_r)
    return at_l < at_r ? -1 : 1;
  return (l->span > r->span) - (l->span < r->span);
}

/// Whether the last three corners below turn left, or those above turn right; or are in a straight
/// line, by all that rounding may do.
static bool stays_convex(const growing *g, int level, const flat_point *next) {
  size_t count = g->counts[level];
  const flat_point *a = &g->corners[level][count - 2], *b = &g->corners[level][count - 1];
  double from_s = b->s - a->s, from_t = b->t - a->t, to_s = next->s - b->s, to_t = next->t - b->t;
  double turn = (from_s * to_t - from_t * to_s) * (level == 0 ? 1 : -1);
  double lengths = sqrt((from_s * from_s + from_t * from_t) * (to_s * to_s + to_t * to_t));
  return turn >= -TS_PARALLEL_SINE * lengths;
}

static ts_status append(sweep *s, growing *g, int level, flat_point corner) {
  TS_TRY(TS_ARENA_GROW(g->corners[level], g->capacities[level], g->counts[level], 1, s->arena));
  g->corners[level][g->counts[level]++] = corner;
  return TS_OK;
}

static bool can_grow(const sweep *s, const growing *g, const side *const sides[2]) {
  for (int level = 0; level < 2; level++) {
    const flat_point *last = &g->corners[level][g->counts[level] - 1];
    if (g->spans[level] == sides[level]->span)
      continue;
    if (!(fabs(last->t - sides[level]->left.t) <= s->tolerance_m) ||
        !stays_convex(g, level, &sides[level]->right))
      return false;
  }
  return !g->has_grown;
}

/// Adds a trapezoid to a polygon that ends where it begins, or begins another one.
static ts_status add_trapezoid(sweep *s, size_t before, const side *const sides[2]) {
  growing *g = NULL;
  for (size_t i = 0; i < before && !g; i++)
    if (can_grow(s, &s->growing[i], sides))
      g = &s->growing[i];
  bool is_new = !g;
  if (is_new) {
    TS_TRY(TS_ARENA_GROW(s->growing, s->growing_capacity, s->growing_count, 1, s->arena));
    g = &s->growing[s->growing_count++];
    *g = (growing){0};
  }
  g->has_grown = true;
  for (int level = 0; level < 2; level++) {
    if (is_new)
      TS_TRY(append(s, g, level, sides[level]->left));
    if (is_new || g->spans[level] != sides[level]->span)
      TS_TRY(append(s, g, level, sides[level]->right));
    else
      g->corners[level][g->counts[level] - 1] = sides[level]->right;
    g->spans[level] = sides[level]->span;
  }
  return TS_OK;
}

/// Ends the polygons that have not grown.
static ts_status end_polygons(sweep *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->growing_count; i++) {
    growing *g = &s->growing[i];
    if (g->has_grown) {
      g->has_grown = false;
      s->growing[kept++] = *g;
      continue;
    }
    size_t count = 0;
    ts_vec3 *points = ts_arena_array(s->arena, g->counts[0] + g->counts[1], sizeof *points);
    if (!points)
      return TS_E_MEMORY;
    for (int level = 0; level < 2; level++)
      for (size_t k = 0; k < g->counts[level]; k++)
        points[count++] = g->corners[level][k].p;
    TS_TRY(add_strip(s, points, count));
  }
  s->growing_count = kept;
  return TS_OK;
}

/// The trapezoids between two lines: from where something begins to be inside to where it ends.
static ts_status fill_strip(sweep *s, const size_t *active, size_t count, size_t line) {
  TS_TRY(TS_ARENA_GROW(s->sides, s->side_capacity, 0, count, s->arena));
  for (size_t i = 0; i < count; i++)
    s->sides[i] = (side){active[i], at_line(s, &s->spans[active[i]], line),
                         at_line(s, &s->spans[active[i]], line + 1)};
  if (count > 1)
    qsort(s->sides, count, sizeof *s->sides, compare_sides);
  size_t before = s->growing_count, begin = 0;
  int inside = 0;
  for (size_t i = 0; i < count; i++) {
    int was = inside;
    inside += s->spans[s->sides[i].span].turns;
    if (was <= 0 && inside > 0)
      begin = i;
    else if (was > 0 && inside <= 0)
      TS_TRY(add_trapezoid(s, before, (const side *const[2]){&s->sides[begin], &s->sides[i]}));
  }
  return end_polygons(s);
}

static ts_status fill_strips(sweep *s) {
  size_t *active = ts_arena_array(s->arena, s->span_count, sizeof *active);
  if (!active)
    return TS_E_MEMORY;
  size_t count = 0, next = 0;
  for (size_t line = 0; line + 1 < s->line_count; line++) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
      if (s->spans[active[i]].lines[1] > line)
        active[kept++] = active[i];
    for (count = kept; next < s->span_count && s->spans[next].lines[0] == line; next++)
      active[count++] = next;
    TS_TRY(fill_strip(s, active, count, line));
  }
  return end_polygons(s);
}

ts_status ts_outline_cut(ts_outline_piece **out, size_t *out_count, ts_arena *arena,
                         const ts_outline_edge *edges, size_t count, ts_vec3 normal,
                         double tolerance_m) {
  sweep s = {.arena = arena, .normal = normal, .tolerance_m = tolerance_m};
  bool is_convex = count == 0;
  if (!is_convex)
    TS_TRY(take_whole(&is_convex, &s, edges, count));
  if (!is_convex) {
    TS_TRY(place_spans(&s, edges, count));
    TS_TRY(fill_strips(&s));
  }
  *out = s.pieces;
  *out_count = s.piece_count;
  return TS_OK;
}
