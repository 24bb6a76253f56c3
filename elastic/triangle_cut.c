// SPDX-License-Identifier: MIT
/// The plane of the triangle cuts the other body in closed outlines. They are swept from the side,
/// as far as they lie beside the triangle: between two levels at which nothing begins, ends or
/// crosses an edge of the triangle, whatever is inside is a row of trapezoids. No decision depends
/// on more than which side of the plane a vertex is on, which is the same for all triangles around
/// it, so that rounding moves areas by little and never opens an outline.
#include "elastic/triangle_cut.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

/// A piece of an outline in the plane's coordinates, from its lower to its upper end.
typedef struct ts_cut_segment {
  double from[2], to[2]; ///< u, v; from[1] <= to[1]
  int step;              ///< change of the winding number from the side of smaller u to the other
  uint32_t triangle;
} ts_cut_segment;

/// Where a level crosses a segment.
typedef struct ts_cut_crossing {
  double u;
  size_t segment;
} ts_cut_crossing;

/// A triangle in its plane: corners relative to the first one, by rising v.
typedef struct flat_triangle {
  ts_vec3 origin, u, v, n;
  double offset_m; ///< how far the plane is moved outwards
  double corners[3][2];
  double low_u, high_u;
} flat_triangle;

/// The sweep of one triangle.
typedef struct sweep {
  ts_cutter *cutter;
  const ts_elastic_body *other;
  flat_triangle flat;
  uint32_t triangle;
  double tolerance_m;
  double winding_m2;         ///< so far, of ts_cutter::winding_m2
  size_t row_first, row_end; ///< pieces of the row below
  double row_level;
} sweep;

static void sort_corners(double corners[3][2]) {
  for (int pass = 0; pass < 3; pass++) {
    int i = pass % 2;
    if (corners[i][1] <= corners[i + 1][1])
      continue;
    for (int k = 0; k < 2; k++) {
      double swapped = corners[i][k];
      corners[i][k] = corners[i + 1][k];
      corners[i + 1][k] = swapped;
    }
  }
}

/// Levels run along the longest edge.
static void flatten_triangle(flat_triangle *out, const ts_elastic_body *body, uint32_t triangle,
                             double offset_m) {
  ts_vec3 c[3];
  ts_elastic_corners(c, body, triangle);
  ts_vec3 longest = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    ts_vec3 edge = ts_vec3_sub(c[(i + 1) % 3], c[i]);
    if (ts_vec3_norm2(edge) > ts_vec3_norm2(longest))
      longest = edge;
  }
  *out = (flat_triangle){.origin = c[0],
                         .u = ts_vec3_unit(longest),
                         .n = body->normals[triangle],
                         .offset_m = offset_m};
  out->v = ts_vec3_cross(out->n, out->u);
  for (int i = 0; i < 3; i++) {
    ts_vec3 p = ts_vec3_sub(c[i], c[0]);
    out->corners[i][0] = ts_vec3_dot(out->u, p);
    out->corners[i][1] = ts_vec3_dot(out->v, p);
  }
  out->low_u = ts_min(out->corners[0][0], ts_min(out->corners[1][0], out->corners[2][0]));
  out->high_u = ts_max(out->corners[0][0], ts_max(out->corners[1][0], out->corners[2][0]));
  sort_corners(out->corners);
}

static double at_level(const double from[2], const double to[2], double v) {
  if (v <= from[1])
    return from[0];
  if (v >= to[1])
    return to[0];
  return from[0] + (to[0] - from[0]) * ((v - from[1]) / (to[1] - from[1]));
}

/// Both sides of the triangle at a level.
static void sides_at(double out[2], const flat_triangle *flat, double v) {
  const double(*c)[2] = flat->corners;
  double across = at_level(c[0], c[2], v);
  double bent = v < c[1][1] ? at_level(c[0], c[1], v) : at_level(c[1], c[2], v);
  out[0] = ts_min(across, bent);
  out[1] = ts_max(across, bent);
}

/// Where the plane crosses an edge of the other body, given by its ends below and above, so that
/// both triangles of the edge give the same bits.
static void cross_edge(double out[2], const flat_triangle *flat, ts_vec3 below, double under,
                       ts_vec3 above, double over) {
  ts_vec3 p = ts_vec3_sub(ts_vec3_lerp(below, above, under / (under - over)), flat->origin);
  out[0] = ts_vec3_dot(flat->u, p);
  out[1] = ts_vec3_dot(flat->v, p);
}

/// What is level only up to the tolerance bounds thin rows from a side, too.
static ts_status add_segment(sweep *s, ts_cut_segment segment) {
  ts_cutter *cutter = s->cutter;
  ts_arena *arena = cutter->pair->arena;
  if (segment.to[1] - segment.from[1] <= s->tolerance_m) {
    TS_TRY(TS_ARENA_GROW(cutter->level_segments, cutter->level_segment_capacity,
                         cutter->level_segment_count, 1, arena));
    cutter->level_segments[cutter->level_segment_count++] = segment;
  }
  if (segment.to[1] > segment.from[1]) {
    TS_TRY(
        TS_ARENA_GROW(cutter->segments, cutter->segment_capacity, cutter->segment_count, 1, arena));
    cutter->segments[cutter->segment_count++] = segment;
  }
  return TS_OK;
}

static int compare_segments(const void *left, const void *right) {
  const ts_cut_segment *a = left, *b = right;
  int by_level = (a->from[1] > b->from[1]) - (a->from[1] < b->from[1]);
  return by_level ? by_level : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/// The section of one triangle of the other body: from the edge that goes down through the plane to
/// the one that goes up, the inside is to the left.
static ts_status add_section(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  sweep *s = context;
  const flat_triangle *flat = &s->flat;
  ts_vec3 p[3];
  double height[3], down[2], up[2];
  ts_elastic_corners(p, s->other, triangle);
  for (int i = 0; i < 3; i++)
    height[i] = ts_vec3_dot(flat->n, ts_vec3_sub(p[i], flat->origin)) - flat->offset_m;
  int above = (height[0] > 0) + (height[1] > 0) + (height[2] > 0);
  if (above == 0 || above == 3)
    return TS_OK;
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3;
    if (height[i] > 0 && !(height[k] > 0))
      cross_edge(down, flat, p[k], height[k], p[i], height[i]);
    if (!(height[i] > 0) && height[k] > 0)
      cross_edge(up, flat, p[i], height[i], p[k], height[k]);
  }
  double low = ts_min(down[1], up[1]), high = ts_max(down[1], up[1]);
  if (high < flat->corners[0][1] - s->tolerance_m || low > flat->corners[2][1] + s->tolerance_m ||
      ts_min(down[0], up[0]) >= flat->high_u)
    return TS_OK;
  bool rises = up[1] > down[1];
  const double *from = rises ? down : up, *to = rises ? up : down;
  return add_segment(s, (ts_cut_segment){.from = {from[0], from[1]},
                                         .to = {to[0], to[1]},
                                         .step = rises ? -1 : 1,
                                         .triangle = triangle});
}

/// Finds the section beside the triangle: in the strip from its far side to the other body's end.
static ts_status find_section(sweep *s) {
  const flat_triangle *flat = &s->flat;
  const ts_elastic_body *other = s->other;
  ts_arena_mark mark = ts_arena_get_mark(s->cutter->scratch);
  ts_aabb bounds = ts_bvh_bounds(other->bvh);
  ts_vec3 middle = ts_pose_point(other->to_frame, ts_aabb_centre(bounds));
  double reach_m =
      ts_vec3_distance(middle, flat->origin) + ts_vec3_distance(bounds.low, bounds.high);
  ts_aabb strip = {{-reach_m, flat->corners[0][1], 0}, {flat->high_u, flat->corners[2][1], 0}};
  ts_pose to_frame = {ts_quat_from_axes(flat->u, flat->v, flat->n),
                      ts_vec3_add_scaled(flat->origin, flat->offset_m, flat->n)};
  ts_bvh *one;
  TS_TRY(ts_bvh_create(&one, s->cutter->scratch, &strip, 1));
  s->cutter->segment_count = s->cutter->level_segment_count = 0;
  ts_status status = ts_bvh_tandem(other->bvh, one, ts_pose_relative(other->to_frame, to_frame),
                                   s->tolerance_m, add_section, s);
  ts_arena_rewind(s->cutter->scratch, mark);
  if (s->cutter->level_segment_count)
    qsort(s->cutter->level_segments, s->cutter->level_segment_count,
          sizeof *s->cutter->level_segments, compare_segments);
  return status;
}

static ts_status add_level(sweep *s, double v) {
  ts_cutter *cutter = s->cutter;
  if (!(v >= s->flat.corners[0][1] && v <= s->flat.corners[2][1]))
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(cutter->levels, cutter->level_capacity, cutter->level_count, 1,
                       cutter->pair->arena));
  cutter->levels[cutter->level_count++] = v;
  return TS_OK;
}

/// The level at which a segment crosses an edge of the triangle, where it does.
static ts_status add_edge_level(sweep *s, const ts_cut_segment *segment, const double from[2],
                                const double to[2]) {
  double low = ts_max(segment->from[1], from[1]), high = ts_min(segment->to[1], to[1]);
  if (!(low < high))
    return TS_OK;
  double below = at_level(segment->from, segment->to, low) - at_level(from, to, low);
  double above = at_level(segment->from, segment->to, high) - at_level(from, to, high);
  if (!((below < 0 && above > 0) || (below > 0 && above < 0)))
    return TS_OK;
  return add_level(s, low + (high - low) * (below / (below - above)));
}

static int compare_levels(const void *left, const void *right) {
  const double *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static ts_status find_levels(sweep *s) {
  ts_cutter *cutter = s->cutter;
  const double(*c)[2] = (const double(*)[2])s->flat.corners;
  cutter->level_count = 0;
  for (int i = 0; i < 3; i++)
    TS_TRY(add_level(s, c[i][1]));
  for (size_t i = 0; i < cutter->segment_count; i++) {
    const ts_cut_segment *segment = &cutter->segments[i];
    // What lies beside the triangle only counts, wherever it ends.
    if (ts_max(segment->from[0], segment->to[0]) < s->flat.low_u)
      continue;
    TS_TRY(add_level(s, segment->from[1]));
    TS_TRY(add_level(s, segment->to[1]));
    TS_TRY(add_edge_level(s, segment, c[0], c[1]));
    TS_TRY(add_edge_level(s, segment, c[1], c[2]));
    TS_TRY(add_edge_level(s, segment, c[0], c[2]));
  }
  // What runs along a level exactly is no side of a row, and yet ends one.
  for (size_t i = 0; i < cutter->level_segment_count; i++) {
    const ts_cut_segment *segment = &cutter->level_segments[i];
    if (ts_max(segment->from[0], segment->to[0]) >= s->flat.low_u)
      TS_TRY(add_level(s, segment->from[1]));
  }
  qsort(cutter->levels, cutter->level_count, sizeof *cutter->levels, compare_levels);
  return TS_OK;
}

static ts_status add_piece(ts_cutter *cutter, ts_inside_piece piece) {
  TS_TRY(TS_ARENA_GROW(cutter->pieces, cutter->piece_capacity, cutter->piece_count, 1,
                       cutter->pair->arena));
  cutter->pieces[cutter->piece_count++] = piece;
  return TS_OK;
}

/// The last piece ends at this triangle.
static ts_status add_end(ts_cutter *cutter, uint32_t triangle) {
  TS_TRY(
      TS_ARENA_GROW(cutter->ends, cutter->end_capacity, cutter->end_count, 1, cutter->pair->arena));
  cutter->ends[cutter->end_count++] = (ts_cut_end){(uint32_t)(cutter->piece_count - 1), triangle};
  return TS_OK;
}

ts_status ts_cut_whole(ts_cutter *cutter, uint32_t triangle, int winding) {
  ts_inside_piece piece = {.triangle = triangle, .corner_count = 3};
  ts_elastic_corners(piece.corners, &cutter->pair->body[cutter->body], triangle);
  piece.area_m2 =
      0.5 * ts_vec3_norm(ts_vec3_cross(ts_vec3_sub(piece.corners[1], piece.corners[0]),
                                       ts_vec3_sub(piece.corners[2], piece.corners[0])));
  cutter->winding_m2 = ts_vec3_add_scaled(cutter->winding_m2, winding * piece.area_m2,
                                          cutter->pair->body[cutter->body].normals[triangle]);
  return add_piece(cutter, piece);
}

/// One side of a trapezoid: a segment, or the triangle's own where `segment` is NULL.
typedef struct border {
  const ts_cut_segment *segment;
  int side; ///< of the triangle: 0 where u is smaller
  double u; ///< half way up
} border;

static double border_at(const sweep *s, const border *b, double v) {
  double sides[2];
  sides_at(sides, &s->flat, v);
  if (!b->segment)
    return sides[b->side];
  double u = at_level(b->segment->from, b->segment->to, v);
  return ts_min(ts_max(u, sides[0]), sides[1]);
}

static ts_vec3 to_space(const flat_triangle *flat, double u, double v) {
  return ts_vec3_add_scaled(ts_vec3_add_scaled(flat->origin, u, flat->u), v, flat->v);
}

static void add_corner(ts_inside_piece *piece, const flat_triangle *flat, double u, double v) {
  piece->corners[piece->corner_count++] = to_space(flat, u, v);
}

/// How long two pieces of rows above each other touch.
static double touch_along(const sweep *s, const ts_inside_piece *below, double from, double to,
                          double level) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < below->corner_count; i++) {
    ts_vec3 p = ts_vec3_sub(below->corners[i], s->flat.origin);
    if (fabs(ts_vec3_dot(s->flat.v, p) - level) > s->tolerance_m)
      continue;
    double u = ts_vec3_dot(s->flat.u, p);
    low = ts_min(low, u);
    high = ts_max(high, u);
  }
  return ts_min(high, to) - ts_max(low, from);
}

/// The ends of the last piece at segments that run along a level: they bound no row from a side.
/// `u` is where the piece begins and ends at the level.
static ts_status add_level_ends(sweep *s, const double u[2], double level) {
  ts_cutter *cutter = s->cutter;
  size_t first = 0, end = cutter->level_segment_count;
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    if (cutter->level_segments[middle].from[1] < level - s->tolerance_m)
      first = middle + 1;
    else
      end = middle;
  }
  for (size_t i = first; i < cutter->level_segment_count; i++) {
    const ts_cut_segment *segment = &cutter->level_segments[i];
    if (segment->from[1] > level + s->tolerance_m)
      break;
    double low = ts_min(segment->from[0], segment->to[0]);
    double high = ts_max(segment->from[0], segment->to[0]);
    if (ts_min(high, u[1]) - ts_max(low, u[0]) > s->tolerance_m)
      TS_TRY(add_end(cutter, segment->triangle));
  }
  return TS_OK;
}

static ts_status add_ends(sweep *s, border left, border right) {
  if (left.segment)
    TS_TRY(add_end(s->cutter, left.segment->triangle));
  if (right.segment)
    TS_TRY(add_end(s->cutter, right.segment->triangle));
  return TS_OK;
}

static ts_status add_trapezoid(sweep *s, double low, double high, border left, border right) {
  ts_cutter *cutter = s->cutter;
  double bottom[2] = {border_at(s, &left, low), border_at(s, &right, low)};
  double top[2] = {border_at(s, &left, high), border_at(s, &right, high)};
  ts_inside_piece piece = {.triangle = s->triangle, .area_m2 = (right.u - left.u) * (high - low)};
  add_corner(&piece, &s->flat, bottom[0], low);
  if (bottom[1] > bottom[0])
    add_corner(&piece, &s->flat, bottom[1], low);
  add_corner(&piece, &s->flat, top[1], high);
  if (top[0] < top[1])
    add_corner(&piece, &s->flat, top[0], high);
  if (piece.corner_count < 3)
    return TS_OK;
  uint32_t self = (uint32_t)cutter->piece_count;
  TS_TRY(add_piece(cutter, piece));
  TS_TRY(add_ends(s, left, right));
  TS_TRY(add_level_ends(s, bottom, low));
  TS_TRY(add_level_ends(s, top, high));
  for (size_t i = s->row_first; i < s->row_end; i++) {
    if (!(touch_along(s, &cutter->pieces[i], bottom[0], bottom[1], low) > s->tolerance_m))
      continue;
    TS_TRY(TS_ARENA_GROW(cutter->joins, cutter->join_capacity, cutter->join_count, 1,
                         cutter->pair->arena));
    cutter->joins[cutter->join_count++] = (ts_cut_join){{(uint32_t)i, self}};
  }
  return TS_OK;
}

static int compare_crossings(const void *left, const void *right) {
  const ts_cut_crossing *a = left, *b = right;
  int by_u = (a->u > b->u) - (a->u < b->u);
  return by_u ? by_u : (a->segment > b->segment) - (a->segment < b->segment);
}

static size_t cross_level(sweep *s, double v) {
  ts_cutter *cutter = s->cutter;
  size_t count = 0;
  for (size_t i = 0; i < cutter->segment_count; i++) {
    const ts_cut_segment *segment = &cutter->segments[i];
    if (segment->from[1] <= v && v < segment->to[1])
      cutter->crossings[count++] = (ts_cut_crossing){at_level(segment->from, segment->to, v), i};
  }
  qsort(cutter->crossings, count, sizeof *cutter->crossings, compare_crossings);
  return count;
}

/// The pieces between two levels.
static ts_status add_row(sweep *s, double low, double high) {
  ts_cutter *cutter = s->cutter;
  double middle = 0.5 * (low + high), sides[2];
  size_t first = cutter->piece_count, count = cross_level(s, middle);
  sides_at(sides, &s->flat, middle);
  int winding = 0;
  border left = {.u = 0};
  for (size_t i = 0; i < count; i++) {
    const ts_cut_segment *segment = &cutter->segments[cutter->crossings[i].segment];
    double u = cutter->crossings[i].u;
    int before = winding;
    s->winding_m2 +=
        segment->step * (sides[1] - ts_min(ts_max(u, sides[0]), sides[1])) * (high - low);
    winding += segment->step;
    if (before <= 0 && winding > 0)
      left = u > sides[0] ? (border){segment, 0, u} : (border){NULL, 0, sides[0]};
    if (before <= 0 || winding > 0)
      continue;
    border right = u < sides[1] ? (border){segment, 1, u} : (border){NULL, 1, sides[1]};
    if (right.u > left.u)
      TS_TRY(add_trapezoid(s, low, high, left, right));
  }
  // The section is looked for no farther than the triangle goes.
  border end = {NULL, 1, sides[1]};
  if (winding > 0 && end.u > left.u)
    TS_TRY(add_trapezoid(s, low, high, left, end));
  s->row_first = first;
  s->row_end = cutter->piece_count;
  return TS_OK;
}

ts_status ts_cut_triangle(ts_cutter *cutter, uint32_t triangle) {
  const ts_elastic_pair *pair = cutter->pair;
  sweep s = {.cutter = cutter,
             .other = &pair->body[1 - cutter->body],
             .triangle = triangle,
             .tolerance_m = TS_ELASTIC_JOIN * pair->size_m};
  flatten_triangle(&s.flat, &pair->body[cutter->body], triangle, cutter->offset_m);
  TS_TRY(find_section(&s));
  if (cutter->segment_count == 0) // nothing has a side to the left of the triangle, or in it
    return TS_OK;
  TS_TRY(find_levels(&s));
  TS_TRY(TS_ARENA_GROW(cutter->crossings, cutter->crossing_capacity, 0, cutter->segment_count,
                       pair->arena));
  double low = cutter->levels[0];
  for (size_t i = 1; i < cutter->level_count; i++) {
    // Of levels that only rounding tells apart the last counts: that of the far end of a level
    // edge.
    if (cutter->levels[i] - low > TS_ROUNDING_RELATIVE * pair->size_m)
      TS_TRY(add_row(&s, low, cutter->levels[i]));
    low = cutter->levels[i];
  }
  cutter->winding_m2 = ts_vec3_add_scaled(cutter->winding_m2, s.winding_m2, s.flat.n);
  return TS_OK;
}

bool ts_inside_piece_holds(const ts_inside_piece *piece, ts_vec3 normal, ts_vec3 point,
                           double tolerance_m) {
  for (size_t i = 0; i < piece->corner_count; i++) {
    ts_vec3 from = piece->corners[i], to = piece->corners[(i + 1) % piece->corner_count];
    ts_vec3 inward = ts_vec3_unit(ts_vec3_cross(normal, ts_vec3_sub(to, from)));
    if (ts_vec3_dot(inward, ts_vec3_sub(point, from)) < -tolerance_m)
      return false;
  }
  return true;
}
