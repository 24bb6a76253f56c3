// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_regions.h"

#include "base/status.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_corners.h"
#include "methods/semi_local/semi_pieces.h"
#include "methods/semi_local/semi_scratch.h"

/// A side of a piece.
typedef struct piece_side {
  const double *from;
  double du, dv, length; ///< a unit vector along it
} piece_side;

/// Side i of a piece. Its direction is of no use where it has no length.
static piece_side side_of(const ts_semi_piece *piece, size_t i) {
  const double *from = piece->corners[i],
               *to = piece->corners[ts_semi_corner_after(i, (size_t)piece->count)];
  double du = to[0] - from[0], dv = to[1] - from[1], length = sqrt(du * du + dv * dv);
  return (piece_side){from, du / length, dv / length, length};
}

/// Length that a side has in common with that from c to d when they lie in one line.
static double common_length(const piece_side *side, const double *c, const double *d,
                            double tolerance) {
  const double *a = side->from, du = side->du, dv = side->dv;
  double away_c = du * (c[1] - a[1]) - dv * (c[0] - a[0]);
  double away_d = du * (d[1] - a[1]) - dv * (d[0] - a[0]);
  if (fabs(away_c) > tolerance || fabs(away_d) > tolerance)
    return 0;
  double at_c = du * (c[0] - a[0]) + dv * (c[1] - a[1]);
  double at_d = du * (d[0] - a[0]) + dv * (d[1] - a[1]);
  return ts_min(side->length, ts_max(at_c, at_d)) - ts_max(0, ts_min(at_c, at_d));
}

/// Whether two pieces have part of a side in common; a common corner is not enough.
static bool are_connected(const ts_semi_piece *a, const ts_semi_piece *b, double tolerance) {
  if (b->low_v > a->high_v + tolerance || a->low_v > b->high_v + tolerance)
    return false;
  const size_t count_a = (size_t)a->count, count_b = (size_t)b->count;
  for (size_t i = 0; i < count_a; i++) {
    const piece_side side = side_of(a, i);
    for (size_t k = 0; side.length > 0 && k < count_b; k++)
      if (common_length(&side, b->corners[k], b->corners[ts_semi_corner_after(k, count_b)],
                        tolerance) > tolerance)
        return true;
  }
  return false;
}

/// The connected parts among pieces [count] of a pair of patches, sorted by u: a forest.
static uint32_t *connect(const ts_semi_pair *pair, const ts_semi_piece *pieces, size_t count) {
  double tolerance = pair->s.snap_m;
  uint32_t *parts = ts_semi_forest_create(pair->memory, count);
  for (uint32_t i = 0; parts && i < count; i++)
    for (uint32_t k = i + 1; k < count && pieces[k].low_u <= pieces[i].high_u + tolerance; k++)
      if (ts_semi_forest_root(parts, i) != ts_semi_forest_root(parts, k) &&
          are_connected(&pieces[i], &pieces[k], tolerance))
        ts_semi_forest_join(parts, i, k);
  return parts;
}

/// The smallest distance between two parallel lines that hold a convex polygon between them.
static double width_min(const double (*corners)[2], size_t count) {
  double narrowest = INFINITY;
  for (size_t i = 0; i < count; i++) {
    const double *from = corners[i], *to = corners[ts_semi_corner_after(i, count)];
    double du = to[0] - from[0], dv = to[1] - from[1], length = sqrt(du * du + dv * dv), width = 0;
    for (size_t k = 0; k < count; k++)
      width = ts_max(width, fabs(du * (corners[k][1] - from[1]) - dv * (corners[k][0] - from[0])));
    narrowest = ts_min(narrowest, length > 0 ? width / length : 0);
  }
  return count < 3 ? 0 : narrowest;
}

/// The regions being gathered.
typedef struct region_list {
  const ts_semi_pair *pair;
  ts_semi_region *regions;
  size_t count, capacity;
} region_list;

/// Points [count] of a region, with the heights there; NULL when out of memory.
static ts_semi_corner *make_corners(const region_list *list, const ts_semi_facing *f,
                                    const double (*points)[2], size_t count) {
  ts_semi_corner *corners = ts_semi_scratch(list->pair->memory, count, sizeof *corners);
  for (size_t i = 0; corners && i < count; i++) {
    double u = points[i][0], v = points[i][1];
    corners[i] = (ts_semi_corner){
        u, v, {ts_semi_facing_height(f, 0, u, v), ts_semi_facing_height(f, 1, u, v)}};
  }
  return corners;
}

/// Adds the region with corners `hull` [count] and contacts at `steady` [steady_count], unless it
/// is too narrow for its misfit.
static ts_status add_region(region_list *list, const ts_semi_facing *f, const double (*hull)[2],
                            size_t count, const double (*steady)[2], size_t steady_count,
                            const ts_semi_piece *first) {
  ts_semi_region region = {.patches = {f->patches[0], f->patches[1]},
                           .normal = f->normal,
                           .u = f->u,
                           .v = f->v,
                           .corner_count = count,
                           .contact_count = steady_count,
                           .gap_min_m = INFINITY,
                           .triangles = {first->triangles[0], first->triangles[1]}};
  for (size_t i = 0; i < count; i++) {
    double here = ts_semi_facing_gap(f, hull[i][0], hull[i][1]);
    region.misfit_m = ts_max(region.misfit_m, fabs(here));
    region.gap_min_m = ts_min(region.gap_min_m, here);
  }
  if (width_min(hull, count) <
      TS_SEMI_SLIVER_MISFITS * region.misfit_m + TS_SEMI_SLIVER_SNAPS * list->pair->s.snap_m)
    return TS_OK;
  region.corners = make_corners(list, f, hull, count);
  region.contacts = make_corners(list, f, steady, steady_count);
  if (!region.corners || !region.contacts)
    return TS_E_MEMORY;
  TS_TRY(TS_SEMI_GROW(list->regions, list->capacity, list->count, list->pair->memory));
  list->regions[list->count++] = region;
  return TS_OK;
}

/// The regions of one pair of patches, from its pieces [count].
static ts_status add_regions(region_list *list, const ts_semi_piece *pieces, size_t count) {
  const ts_semi_pair *pair = list->pair;
  ts_semi_facing f = ts_semi_face_patches(pair, pieces[0].patches);
  uint32_t *parts = connect(pair, pieces, count);
  double(*points)[2] =
      ts_semi_scratch(pair->memory, count * TS_SEMI_PIECE_CORNERS_MAX, sizeof *points);
  double(*hull)[2] = ts_semi_scratch(pair->memory, count * TS_SEMI_PIECE_CORNERS_MAX, sizeof *hull);
  double tolerance_m = TS_SEMI_CORNER_SNAPS * pair->s.snap_m;
  if (!parts || !points || !hull)
    return TS_E_MEMORY;
  for (uint32_t part = 0; part < count; part++) {
    if (parts[part] != part)
      continue;
    size_t point_count = 0;
    for (uint32_t i = part; i < count; i++)
      for (int k = 0; ts_semi_forest_root(parts, i) == part && k < pieces[i].count; k++) {
        points[point_count][0] = pieces[i].corners[k][0];
        points[point_count++][1] = pieces[i].corners[k][1];
      }
    size_t corner_count = ts_convex_hull_2d(hull, points, point_count), steady_count;
    TS_TRY(ts_semi_steady_corners(points, &steady_count, pair->memory, (const double(*)[2])hull,
                                  corner_count, tolerance_m));
    corner_count = ts_semi_simplify(hull, corner_count, tolerance_m);
    TS_TRY(add_region(list, &f, (const double(*)[2])hull, corner_count, (const double(*)[2])points,
                      steady_count, &pieces[part]));
  }
  return TS_OK;
}

/// Whether two regions overlap around one pair of ridges: their patches share one on each body.
static bool share_ridges(const ts_semi_pair *pair, const ts_semi_region *a,
                         const ts_semi_region *b) {
  if (!(a->gap_min_m < -pair->s.snap_m && b->gap_min_m < -pair->s.snap_m))
    return false;
  ts_vec3 near = ts_semi_region_candidate(a, 0).point;
  for (int body = 0; body < 2; body++) {
    uint32_t p = a->patches[body], q = b->patches[body];
    bool is_convex;
    if (p == q ||
        ts_semi_shared_edge(&is_convex, &pair->side[body], p, q, near) == TS_SEMI_NO_EDGE ||
        !is_convex)
      return false;
  }
  return true;
}

/// Two regions around one overlapping pair of ridges are alternatives: bodies that overlap there
/// can separate through either. Drops the one that is not chosen.
static void drop_alternatives(const region_list *list) {
  for (size_t i = 0; i < list->count; i++)
    for (size_t k = i + 1; k < list->count; k++) {
      ts_semi_region *a = &list->regions[i], *b = &list->regions[k];
      if (a->is_dropped || b->is_dropped || !share_ridges(list->pair, a, b))
        continue;
      ts_semi_candidate both[2] = {ts_semi_region_candidate(a, 0), ts_semi_region_candidate(b, 0)};
      both[0].gap_m = a->gap_min_m;
      both[1].gap_m = b->gap_min_m;
      (ts_semi_choose(list->pair, both, 2) == 0 ? b : a)->is_dropped = true;
    }
}

ts_status ts_semi_find_regions(ts_semi_regions *out, const ts_semi_pair *pair,
                               const ts_semi_close_pairs *close) {
  ts_semi_pieces found;
  TS_TRY(ts_semi_find_pieces(&found, pair, close));
  const ts_semi_piece *pieces = found.pieces;
  region_list list = {.pair = pair};
  for (size_t first = 0, end; first < found.count; first = end) {
    for (end = first + 1; end < found.count; end++)
      if (pieces[end].patches[0] != pieces[first].patches[0] ||
          pieces[end].patches[1] != pieces[first].patches[1])
        break;
    TS_TRY(add_regions(&list, pieces + first, end - first));
  }
  if (!pair->s.all_alternatives)
    drop_alternatives(&list);
  *out = (ts_semi_regions){list.count, list.regions};
  return TS_OK;
}

size_t ts_semi_regions_of(const ts_semi_regions *regions, uint32_t patch_0) {
  size_t low = 0, high = regions->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (regions->regions[middle].patches[0] < patch_0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Square of the distance of (u, v) from the line between two corners.
static double outside2(const ts_semi_corner *from, const ts_semi_corner *to, double u, double v) {
  double du = to->u - from->u, dv = to->v - from->v, length2 = du * du + dv * dv;
  double t = length2 > 0 ? ((u - from->u) * du + (v - from->v) * dv) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  double away_u = u - from->u - t * du, away_v = v - from->v - t * dv;
  return away_u * away_u + away_v * away_v;
}

double ts_semi_region_distance(const ts_semi_region *region, ts_vec3 point) {
  double u = ts_vec3_dot(region->u, point), v = ts_vec3_dot(region->v, point);
  bool is_inside = true;
  double distance2 = INFINITY;
  for (size_t i = 0; i < region->corner_count; i++) {
    const ts_semi_corner *from = &region->corners[i];
    const ts_semi_corner *to = &region->corners[ts_semi_corner_after(i, region->corner_count)];
    double side = (to->u - from->u) * (v - from->v) - (to->v - from->v) * (u - from->u);
    is_inside &= side >= 0;
  }
  for (size_t i = 0; !is_inside && i < region->corner_count; i++)
    distance2 = ts_min(
        distance2, outside2(&region->corners[i],
                            &region->corners[ts_semi_corner_after(i, region->corner_count)], u, v));
  return is_inside ? 0 : sqrt(distance2);
}

double ts_semi_region_gap(const ts_semi_region *region, ts_vec3 point) {
  double u = ts_vec3_dot(region->u, point), v = ts_vec3_dot(region->v, point);
  const ts_semi_corner *c = region->corners;
  // The widest triangle is the best conditioned.
  double best = 0, gap = c[0].height[1] - c[0].height[0];
  for (size_t i = 1; i + 1 < region->corner_count; i++) {
    double du1 = c[i].u - c[0].u, dv1 = c[i].v - c[0].v;
    double du2 = c[i + 1].u - c[0].u, dv2 = c[i + 1].v - c[0].v;
    double twice_area = du1 * dv2 - du2 * dv1;
    if (!(fabs(twice_area) > best))
      continue;
    best = fabs(twice_area);
    double s = ((u - c[0].u) * dv2 - (v - c[0].v) * du2) / twice_area;
    double t = ((v - c[0].v) * du1 - (u - c[0].u) * dv1) / twice_area;
    double g0 = c[0].height[1] - c[0].height[0], g1 = c[i].height[1] - c[i].height[0];
    double g2 = c[i + 1].height[1] - c[i + 1].height[0];
    gap = g0 + s * (g1 - g0) + t * (g2 - g0);
  }
  return gap;
}

ts_semi_candidate ts_semi_region_candidate(const ts_semi_region *region, size_t contact) {
  const ts_semi_corner *at = &region->contacts[contact];
  ts_vec3 flat = ts_vec3_add_scaled(ts_vec3_scale(region->u, at->u), at->v, region->v);
  return (ts_semi_candidate){
      .normal = region->normal,
      .point = ts_vec3_add_scaled(flat, 0.5 * (at->height[0] + at->height[1]), region->normal),
      .gap_m = at->height[1] - at->height[0],
      .patches = {region->patches[0], region->patches[1]},
      .features = {{TS_FEATURE_FACE, region->triangles[0]},
                   {TS_FEATURE_FACE, region->triangles[1]}}};
}
