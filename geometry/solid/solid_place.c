// SPDX-License-Identifier: MIT
#include "geometry/solid/solid_place.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/convex_runs.h"
#include "geometry/polygon.h"
#include "geometry/solid/solid_features.h"
#include "geometry/tolerances.h"

#define PI 3.14159265358979323846

/// What the two solids have along a normal.
typedef struct contact_search {
  ts_arena *arena;
  const ts_solid *of[2];
  ts_solid_way way;
  double touch_m, angle_rad;
  size_t flat_count[2], line_count[2];
  ts_solid_flat *flats[2];
  ts_solid_line *lines[2];
} contact_search;

/// A place on its way.
typedef struct found_place {
  size_t count;
  ts_vec3 *vertices;             ///< [count] midway between the surfaces
  double *gaps_m;                ///< [count] of the surfaces there
  double measure;                ///< area or length
  const ts_solid_disc *discs[2]; ///< arcs of which bound it
  double error_m;
} found_place;

static ts_status list_features(contact_search *s, ts_vec3 near, double reach_m) {
  for (int i = 0; i < 2; i++) {
    ts_vec3 outward = i == 0 ? s->way.normal : ts_vec3_neg(s->way.normal);
    TS_TRY(ts_solid_list_flats(&s->flats[i], &s->flat_count[i], s->arena, s->of[i], outward,
                               s->angle_rad, s->touch_m, near, reach_m));
    TS_TRY(ts_solid_list_lines(&s->lines[i], &s->line_count[i], s->arena, s->of[i], outward,
                               s->angle_rad, s->touch_m));
  }
  return TS_OK;
}

/// How far apart the solids are at a point between them.
static double gap_at(const contact_search *s, ts_vec3 point) {
  return ts_solid_distance(s->of[0], point) + ts_solid_distance(s->of[1], point);
}

static ts_vec3 mean_of(const ts_vec3 *points, size_t count) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, ts_vec3_sub(points[i], points[0]));
  return ts_vec3_add_scaled(points[0], 1 / (double)count, sum);
}

/// Moves a place from solid `side` half way to a flat of the other, along the normal, and notes its
/// gaps.
static void lift_half_way(found_place *place, const contact_search *s, int side,
                          const ts_solid_flat *other) {
  ts_vec3 normal = s->way.normal, plane = other->normal;
  for (size_t i = 0; i < place->count; i++) {
    ts_vec3 to_plane = ts_vec3_sub(other->corners[0], place->vertices[i]);
    double height_m = ts_vec3_dot(plane, to_plane) / ts_vec3_dot(plane, normal);
    place->vertices[i] = ts_vec3_add_scaled(place->vertices[i], 0.5 * height_m, normal);
    place->gaps_m[i] = side == 0 ? height_m : -height_m;
  }
}

static ts_status make_room(found_place *out, const contact_search *s, size_t room) {
  *out = (found_place){.vertices = ts_arena_array(s->arena, room, sizeof *out->vertices),
                       .gaps_m = ts_arena_array(s->arena, room, sizeof *out->gaps_m)};
  return out->vertices && out->gaps_m ? TS_OK : TS_E_MEMORY;
}

// ---- flat on flat -----------------------------------------------------------------------------

/// A polygon the other way round where it is clockwise about the normal.
static const ts_vec3 *counter_clockwise(ts_arena *arena, const ts_solid_flat *flat,
                                        ts_vec3 normal) {
  ts_vec3 *corners = ts_arena_copy(arena, flat->corners, flat->count, sizeof *corners);
  for (size_t i = 0; corners && ts_vec3_dot(flat->normal, normal) < 0 && i < flat->count; i++)
    corners[i] = flat->corners[flat->count - 1 - i];
  return corners;
}

/// Whether all of a disc is over a flat, seen along the normal.
static bool holds_disc(const contact_search *s, const ts_solid_flat *flat, const ts_vec3 *corners,
                       const ts_solid_disc *disc) {
  if (flat->disc) {
    ts_vec3 between = ts_vec3_sub(disc->centre, flat->disc->centre);
    double across_m = ts_vec3_norm(ts_vec3_cross(between, s->way.normal));
    return across_m + disc->radius_m <= flat->disc->radius_m + s->touch_m;
  }
  for (size_t i = 0; i < flat->count; i++) {
    ts_vec3 side = ts_vec3_sub(corners[(i + 1) % flat->count], corners[i]);
    ts_vec3 inward = ts_vec3_unit(ts_vec3_cross(s->way.normal, side));
    if (ts_vec3_dot(inward, ts_vec3_sub(disc->centre, corners[i])) < disc->radius_m - s->touch_m)
      return false;
  }
  return true;
}

static bool touches_at_corners(const contact_search *s, const found_place *place) {
  for (size_t i = 0; i < place->count; i++)
    if (!(place->gaps_m[i] <= s->touch_m * (1 + TS_TOUCH_RELATIVE)))
      return false;
  return true;
}

static double area_of(const ts_vec3 *corners, size_t count) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 1; i + 1 < count; i++)
    sum = ts_vec3_add(sum, ts_vec3_cross(ts_vec3_sub(corners[i], corners[0]),
                                         ts_vec3_sub(corners[i + 1], corners[0])));
  return 0.5 * ts_vec3_norm(sum);
}

/// One disc over the other flat, or the part of one flat that is over the other.
static ts_status lay_flats(found_place *out, const contact_search *s,
                           const ts_solid_flat *flats[2]) {
  ts_vec3 normal = s->way.normal;
  const ts_vec3 *corners[2];
  for (int i = 0; i < 2; i++)
    if (!(corners[i] = counter_clockwise(s->arena, flats[i], normal)))
      return TS_E_MEMORY;
  TS_TRY(make_room(out, s, flats[0]->count + flats[1]->count));
  int subject = -1;
  for (int i = 1; i >= 0; i--)
    if (flats[i]->disc && holds_disc(s, flats[1 - i], corners[1 - i], flats[i]->disc))
      subject = i;
  if (subject >= 0) {
    out->count = flats[subject]->count;
    memcpy(out->vertices, corners[subject], out->count * sizeof *out->vertices);
    out->discs[0] = flats[subject]->disc;
  } else {
    subject = area_of(corners[0], flats[0]->count) <= area_of(corners[1], flats[1]->count) ? 0 : 1;
    out->count =
        ts_polygon_clip(out->vertices, corners[subject], flats[subject]->count,
                        corners[1 - subject], flats[1 - subject]->count, normal, s->touch_m);
    for (int i = 0; i < 2; i++)
      out->discs[i] = flats[i]->disc;
  }
  if (out->count < 3) {
    out->count = 0;
    return TS_OK;
  }
  lift_half_way(out, s, subject, flats[1 - subject]);
  out->measure = area_of(out->vertices, out->count);
  return TS_OK;
}

// ---- lines on flats, and lines on lines -------------------------------------------------------

/// The part of a line that is over a disc, seen along the normal; false: none.
static bool cut_by_disc(ts_vec3 out[2], const ts_solid_line *line, const ts_solid_disc *disc,
                        ts_vec3 normal) {
  ts_vec3 from = ts_vec3_sub(line->ends[0], disc->centre);
  ts_vec3 along = ts_vec3_sub(line->ends[1], line->ends[0]);
  ts_vec3 start = ts_vec3_add_scaled(from, -ts_vec3_dot(from, normal), normal);
  ts_vec3 step = ts_vec3_add_scaled(along, -ts_vec3_dot(along, normal), normal);
  double length2 = ts_vec3_norm2(step), middle = -ts_vec3_dot(start, step) / length2;
  double across2 = ts_vec3_norm2(ts_vec3_add_scaled(start, middle, step));
  double half2 = (disc->radius_m * disc->radius_m - across2) / length2;
  if (!(half2 > 0))
    return false;
  double low = fmax(0, middle - sqrt(half2)), high = fmin(1, middle + sqrt(half2));
  out[0] = ts_vec3_add_scaled(line->ends[0], low, along);
  out[1] = ts_vec3_add_scaled(line->ends[0], high, along);
  return low < high;
}

/// A line of solid `side` over a flat of the other.
static ts_status lay_line(found_place *out, const contact_search *s, int side,
                          const ts_solid_line *line, const ts_solid_flat *flat) {
  ts_vec3 normal = s->way.normal;
  const ts_vec3 *corners = counter_clockwise(s->arena, flat, normal);
  if (!corners)
    return TS_E_MEMORY;
  TS_TRY(make_room(out, s, flat->count + 2));
  bool is_over = flat->disc ? cut_by_disc(out->vertices, line, flat->disc, normal)
                            : ts_polygon_clip(out->vertices, line->ends, 2, corners, flat->count,
                                              normal, s->touch_m) == 2;
  double length_m = ts_vec3_distance(out->vertices[0], out->vertices[1]);
  if (!is_over || length_m <= s->touch_m)
    return TS_OK;
  out->count = 2;
  out->measure = length_m;
  lift_half_way(out, s, side, flat);
  return TS_OK;
}

/// The part of a line that is beside another one, midway between both. Lines that are not quite
/// parallel are as far off each other at its ends as the place may be off.
static ts_status lay_lines(found_place *out, const contact_search *s, const ts_solid_line *a,
                           const ts_solid_line *b) {
  TS_TRY(make_room(out, s, 2));
  ts_vec3 along = ts_vec3_sub(a->ends[1], a->ends[0]);
  double length_m = ts_vec3_norm(along);
  ts_vec3 direction = ts_vec3_unit(along), along_b = ts_vec3_sub(b->ends[1], b->ends[0]);
  double advance = ts_vec3_dot(along_b, direction);
  double sine = ts_vec3_norm(ts_vec3_cross(direction, ts_vec3_unit(along_b)));
  if (!(sine <= TS_SOLID_PARALLEL_SINE))
    return TS_OK;
  double start_m = ts_vec3_dot(ts_vec3_sub(b->ends[0], a->ends[0]), direction);
  double low_m = fmax(0, fmin(start_m, start_m + advance));
  double high_m = fmin(length_m, fmax(start_m, start_m + advance));
  if (high_m - low_m <= s->touch_m)
    return TS_OK;
  const double at_m[2] = {low_m, high_m};
  for (int i = 0; i < 2; i++) {
    ts_vec3 on_a = ts_vec3_add_scaled(a->ends[0], at_m[i], direction);
    ts_vec3 on_b = ts_vec3_add_scaled(b->ends[0], (at_m[i] - start_m) / advance, along_b);
    ts_vec3 across = ts_vec3_cross(ts_vec3_sub(on_b, on_a), s->way.normal);
    out->vertices[i] = ts_vec3_mid(on_a, on_b);
    out->gaps_m[i] = gap_at(s, out->vertices[i]);
    out->error_m = fmax(out->error_m, 0.5 * ts_vec3_norm(across));
  }
  out->count = 2;
  out->measure = high_m - low_m;
  return TS_OK;
}

/// Keeps the larger of two places that touch all over; of equal ones the first.
static void keep_larger(found_place *best, const contact_search *s, const found_place *found) {
  bool is_larger = best->count == 0 || found->measure > best->measure * (1 + TS_TOUCH_RELATIVE);
  if (found->count > 0 && is_larger && touches_at_corners(s, found))
    *best = *found;
}

static ts_status find_flat_place(found_place *best, const contact_search *s) {
  for (size_t i = 0; i < s->flat_count[0]; i++)
    for (size_t k = 0; k < s->flat_count[1]; k++) {
      const ts_solid_flat *flats[2] = {&s->flats[0][i], &s->flats[1][k]};
      found_place found;
      TS_TRY(lay_flats(&found, s, flats));
      keep_larger(best, s, &found);
    }
  return TS_OK;
}

static ts_status find_segment(found_place *best, const contact_search *s) {
  found_place found;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < s->line_count[side]; i++)
      for (size_t k = 0; k < s->flat_count[1 - side]; k++) {
        TS_TRY(lay_line(&found, s, side, &s->lines[side][i], &s->flats[1 - side][k]));
        keep_larger(best, s, &found);
      }
  for (size_t i = 0; i < s->line_count[0]; i++)
    for (size_t k = 0; k < s->line_count[1]; k++) {
      TS_TRY(lay_lines(&found, s, &s->lines[0][i], &s->lines[1][k]));
      keep_larger(best, s, &found);
    }
  return TS_OK;
}

// ---- points -----------------------------------------------------------------------------------

/// Where two lines cross, seen along the normal; where none do, midway between the farthest points
/// of both solids.
static ts_vec3 crossing_of(const contact_search *s, ts_vec3 middle) {
  double nearest_m = INFINITY;
  for (size_t i = 0; i < s->line_count[0]; i++)
    for (size_t k = 0; k < s->line_count[1]; k++) {
      const ts_vec3 *a = s->lines[0][i].ends, *b = s->lines[1][k].ends;
      ts_closest c = ts_closest_segment_segment(NULL, NULL, a[0], a[1], b[0], b[1]);
      if (c.distance_m < nearest_m) {
        nearest_m = c.distance_m;
        middle = ts_vec3_mid(c.on_a, c.on_b);
      }
    }
  return middle;
}

/// A farthest point of one solid, where it is the only one and so lies on the other.
static ts_vec3 find_point(const contact_search *s) {
  ts_vec3 normal = s->way.normal, on[2];
  bool is_only[2], lies_on[2];
  for (int i = 0; i < 2; i++) {
    ts_vec3 outward = i == 0 ? normal : ts_vec3_neg(normal);
    on[i] = ts_vec3_add_scaled(ts_solid_farthest(s->of[i], outward), 0.5 * s->way.gap_m, outward);
    is_only[i] = s->flat_count[i] == 0 && s->line_count[i] == 0;
    lies_on[i] = fabs(gap_at(s, on[i]) - s->way.gap_m) <= s->touch_m;
  }
  for (int i = 1; i >= 0; i--)
    if (lies_on[i] && is_only[i] && !(is_only[1 - i] && lies_on[1 - i]))
      return on[i];
  if (lies_on[0] && lies_on[1] && is_only[0] == is_only[1])
    return ts_vec3_mid(on[0], on[1]);
  if (lies_on[0] != lies_on[1])
    return on[lies_on[1]];
  return crossing_of(s, ts_vec3_mid(on[0], on[1]));
}

// ---- normals ----------------------------------------------------------------------------------

typedef struct normal_list {
  size_t count;
  ts_vec3 normals[TS_SOLID_NORMALS_MAX];
} normal_list;

static void try_normal(normal_list *list, const contact_search *s, ts_vec3 normal) {
  if (!(ts_vec3_norm2(normal) > 0.5) ||
      !(ts_solid_gap_along(s->of[0], s->of[1], normal) >= -s->touch_m))
    return;
  for (size_t i = 0; i < list->count; i++)
    if (ts_vec3_distance(list->normals[i], normal) <= s->angle_rad)
      return;
  if (list->count < TS_SOLID_NORMALS_MAX)
    list->normals[list->count++] = normal;
}

/// Leaves out those that are sums of others.
static void drop_sums(normal_list *list, double angle_rad) {
  for (size_t i = list->count; i-- > 0 && list->count > 1;) {
    ts_vec3 others[TS_SOLID_NORMALS_MAX];
    int count = 0;
    for (size_t k = 0; k < list->count; k++)
      if (k != i)
        others[count++] = list->normals[k];
    if (ts_cone_sine(list->normals[i], others, count) > angle_rad)
      continue;
    memcpy(list->normals, others, (size_t)count * sizeof *others);
    list->count = (size_t)count;
  }
}

/// The extreme normals at a point where both solids are sharp: extreme normals of either, or cross
/// products of an edge of each, along which the solids do not overlap.
static void list_normals(normal_list *list, const contact_search *s, ts_vec3 point) {
  ts_solid_corner corners[2];
  for (int i = 0; i < 2; i++) {
    ts_solid_look_at_corner(&corners[i], s->of[i], point, 2 * s->touch_m);
    if (corners[i].ray_count < 2)
      return;
  }
  for (size_t i = 0; i < corners[0].ray_count; i++)
    try_normal(list, s, corners[0].rays[i]);
  for (size_t i = 0; i < corners[1].ray_count; i++)
    try_normal(list, s, ts_vec3_neg(corners[1].rays[i]));
  for (size_t i = 0; i < corners[0].edge_count; i++)
    for (size_t k = 0; k < corners[1].edge_count; k++) {
      ts_vec3 across = ts_vec3_cross(corners[0].edges[i], corners[1].edges[k]);
      if (!(ts_vec3_norm(across) > TS_PARALLEL_SINE))
        continue;
      try_normal(list, s, ts_vec3_unit(across));
      try_normal(list, s, ts_vec3_neg(ts_vec3_unit(across)));
    }
  drop_sums(list, s->angle_rad);
}

// ---- arcs -------------------------------------------------------------------------------------

/// How far the polygon around a disc stands out of it.
static double stands_out(const ts_solid_disc *disc) {
  return disc->radius_m * (1 / cos(PI / TS_SOLID_DISC_CORNERS) - 1);
}

/// Whether a point is on the polygon around a disc. Half as far inside as that stands out: a cut
/// along the rim takes a corner off, and what it leaves there is no corner of the disc. The middle
/// of two corners that are not next to each other is three times as far inside.
static bool is_on_rim(const ts_solid_disc *disc, ts_vec3 normal, ts_vec3 point) {
  double out_m = stands_out(disc);
  double across_m = ts_vec3_norm(ts_vec3_cross(ts_vec3_sub(point, disc->centre), normal));
  return across_m >= disc->radius_m - 0.5 * out_m &&
         across_m <= disc->radius_m + out_m + TS_TOUCH_RELATIVE * disc->radius_m;
}

/// Whether the side of a place from a corner to the next one is on the rim of a disc.
static bool is_side_on_rim(const ts_solid_place *place, size_t corner, const ts_solid_disc *disc) {
  ts_vec3 from = place->vertices[corner], to = place->vertices[(corner + 1) % place->count];
  return is_on_rim(disc, place->normals[0], from) && is_on_rim(disc, place->normals[0], to) &&
         is_on_rim(disc, place->normals[0], ts_vec3_mid(from, to));
}

/// Whether a corner is within an arc, and not one of the place itself: an arc may end at a corner
/// of the polygon around the disc.
static bool is_of_arc(const ts_solid_place *place, size_t corner, const ts_solid_disc *discs,
                      size_t count) {
  size_t before = (corner + place->count - 1) % place->count;
  for (size_t i = 0; i < count; i++)
    if (is_side_on_rim(place, before, &discs[i]) && is_side_on_rim(place, corner, &discs[i]))
      return true;
  return false;
}

/// Of two corners no farther apart than those of the polygon around a disc one is needed where one
/// ends an arc of it: that one is not.
static void join_corners(const ts_solid_place *place, bool *is_optional, const ts_solid_disc *discs,
                         size_t disc_count) {
  for (size_t i = 0; i < place->count; i++) {
    size_t next = (i + 1) % place->count;
    ts_vec3 from = place->vertices[i], to = place->vertices[next];
    for (size_t d = 0; d < disc_count && !is_optional[i] && !is_optional[next]; d++) {
      double step_m = 2 * discs[d].radius_m * tan(PI / TS_SOLID_DISC_CORNERS);
      if (ts_vec3_distance(from, to) > step_m)
        continue;
      is_optional[next] = is_on_rim(&discs[d], place->normals[0], to);
      is_optional[i] = !is_optional[next] && is_on_rim(&discs[d], place->normals[0], from);
    }
  }
}

/// Of the corners of an arc between two of the place, those at equal steps of a third of a turn at
/// most are needed.
static void mark_steps(bool *is_optional, const bool *is_arc, size_t count) {
  size_t first = 0;
  while (first < count && is_arc[first])
    first++;
  bool is_whole = first == count;
  first %= count;
  for (size_t start = is_whole ? 0 : 1; start < count;) {
    size_t length = 0; // corners of the arc
    while (start + length < count && is_arc[(first + start + length) % count])
      length++;
    size_t third = TS_SOLID_DISC_CORNERS / 3, parts = is_whole ? 3 : (length + third) / third;
    for (size_t i = 0; i < length; i++)
      is_optional[(first + start + i) % count] = true;
    for (size_t i = is_whole ? 0 : 1; i < parts; i++)
      is_optional[(first + start + i * length / parts) % count] = false;
    start += length + 1;
  }
}

ts_status ts_solid_mark_arcs(ts_solid_place *place, ts_arena *arena, const ts_solid_disc *discs,
                             size_t disc_count) {
  bool *is_optional = ts_arena_array(arena, place->count, sizeof *is_optional);
  bool *is_arc = ts_arena_array(arena, place->count, sizeof *is_arc);
  if (!is_optional || !is_arc)
    return TS_E_MEMORY;
  for (size_t i = 0; i < place->count; i++)
    is_arc[i] = is_of_arc(place, i, discs, disc_count);
  join_corners(place, is_arc, discs, disc_count);
  mark_steps(is_optional, is_arc, place->count);
  place->is_optional = is_optional;
  return TS_OK;
}

// ---- all together -----------------------------------------------------------------------------

/// The slope of the gap over a place, and where it is the least, which is the way's.
static void measure_gap(ts_solid_place *out, const found_place *place, const contact_search *s) {
  out->gap_m = s->way.gap_m;
  out->gap_at = out->vertices[0];
  if (out->count < 2)
    return;
  size_t least = 0;
  ts_vec3 middle = mean_of(out->vertices, out->count), u, v;
  double uu = 0, uv = 0, vv = 0, ug = 0, vg = 0;
  ts_vec3_tangents(&u, &v, s->way.normal);
  for (size_t i = 0; i < out->count; i++) {
    ts_vec3 from = ts_vec3_sub(out->vertices[i], middle);
    double along_u = ts_vec3_dot(from, u), along_v = ts_vec3_dot(from, v);
    uu += along_u * along_u;
    uv += along_u * along_v;
    vv += along_v * along_v;
    ug += along_u * (place->gaps_m[i] - place->gaps_m[0]);
    vg += along_v * (place->gaps_m[i] - place->gaps_m[0]);
    if (place->gaps_m[i] < place->gaps_m[least])
      least = i;
  }
  out->gap_at = out->vertices[least];
  // Of a segment only the slope along it is known, and the least squares are of rank one.
  double det = uu * vv - uv * uv, sum = uu + vv;
  bool is_flat = out->count > 2 && det > 0;
  double along_u = is_flat ? (vv * ug - uv * vg) / det : ug / sum;
  double along_v = is_flat ? (uu * vg - uv * ug) / det : vg / sum;
  out->gap_slope = ts_vec3_add(ts_vec3_scale(u, along_u), ts_vec3_scale(v, along_v));
}

ts_status ts_solid_find_place(ts_solid_place *out, ts_arena *arena, const ts_solid *a,
                              const ts_solid *b, ts_solid_way way, double touch_m,
                              bool has_one_normal) {
  contact_search s = {.arena = arena,
                      .of = {a, b},
                      .way = way,
                      .touch_m = touch_m,
                      .angle_rad = TS_SOLID_FEATURE_RAD};
  const ts_solid *bounded = a->is_half_space ? b : a;
  ts_vec3 near = bounded->pose.translation;
  double reach_m = 0;
  for (int axis = 0; axis < 6; axis++) {
    double sign = axis % 2 ? -1 : 1;
    ts_vec3 direction = {axis / 2 == 0 ? sign : 0, axis / 2 == 1 ? sign : 0,
                         axis / 2 == 2 ? sign : 0};
    reach_m = fmax(reach_m, ts_solid_reach(bounded, direction) - ts_vec3_dot(direction, near));
  }
  TS_TRY(list_features(&s, near, 2 * reach_m));
  found_place best = {.count = 0};
  TS_TRY(find_flat_place(&best, &s));
  if (best.count == 0)
    TS_TRY(find_segment(&best, &s));
  *out = (ts_solid_place){.normal_count = 1, .normals = {way.normal}};
  ts_vec3 point = find_point(&s);
  if (best.count == 0)
    best = (found_place){.count = 1, .vertices = ts_arena_copy(arena, &point, 1, sizeof point)};
  if (!best.vertices)
    return TS_E_MEMORY;
  out->count = best.count;
  out->vertices = best.vertices;
  out->error_m = best.error_m > 0.5 * touch_m ? best.error_m : 0;
  ts_solid_disc discs[2];
  size_t disc_count = 0;
  for (int i = 0; i < 2; i++)
    if (best.discs[i])
      discs[disc_count++] = *best.discs[i];
  if (disc_count > 0)
    TS_TRY(ts_solid_mark_arcs(out, arena, discs, disc_count));
  measure_gap(out, &best, &s);
  normal_list normals = {.count = 0};
  if (best.count == 1 && !has_one_normal)
    list_normals(&normals, &s, point);
  if (normals.count > 1) {
    out->normal_count = normals.count;
    memcpy(out->normals, normals.normals, normals.count * sizeof *normals.normals);
  }
  return TS_OK;
}
