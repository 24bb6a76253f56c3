// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_regions.h"

#include "base/status.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_choose.h"

#include <stdlib.h>

enum { PIECE_CORNERS_MAX = 8 };

/// Where two triangles lie on each other.
typedef struct piece {
  uint32_t patches[2], triangles[2];
  int count;
  double corners[PIECE_CORNERS_MAX][2]; ///< (u, v), counter-clockwise about the normal
  double low_u, high_u, low_v, high_v;
  uint32_t part; ///< the lowest piece that it is connected with
} piece;

/// A pair of patches seen along their normal: heights are linear in (u, v).
typedef struct facing {
  uint32_t patches[2];
  ts_vec3 normal, u, v;
  double slope[2][3];    ///< height of each: [0] + [1] u + [2] v
  double gap_m, depth_m; ///< range
} facing;

typedef struct collecting {
  ts_semi_pair *pair;
  double cosine;
  facing facing;
  bool is_facing; ///< whether `facing` is set
  piece *pieces;
  size_t count, capacity;
} collecting;

static facing face_patches(const ts_semi_pair *pair, uint32_t p0, uint32_t p1) {
  const ts_semi_side *side = pair->side;
  double reach = side[0].shape->face_reach_m[p0] + side[1].shape->face_reach_m[p1] + pair->s.snap_m;
  // Deeper in each other than either body is thick, they are the far sides of two thin ones.
  double thickness =
      ts_min(side[0].shape->thickness_m[p0], side[1].shape->thickness_m[p1]) + pair->s.snap_m;
  facing f = {.patches = {p0, p1},
              .gap_m = ts_min(pair->s.gap_m, reach),
              .depth_m = ts_min(ts_min(pair->s.depth_m, thickness), reach)};
  bool second = side[1].patches->patches[p1].area_m2 > side[0].patches->patches[p0].area_m2;
  f.normal = second ? ts_vec3_neg(side[1].normals[p1]) : side[0].normals[p0];
  ts_vec3_tangents(&f.u, &f.v, f.normal);
  for (int i = 0; i < 2; i++) {
    ts_vec3 normal = side[i].normals[f.patches[i]];
    double along = ts_vec3_dot(normal, f.normal);
    f.slope[i][0] = side[i].offsets_m[f.patches[i]] / along;
    f.slope[i][1] = -ts_vec3_dot(normal, f.u) / along;
    f.slope[i][2] = -ts_vec3_dot(normal, f.v) / along;
  }
  return f;
}

static double height(const facing *f, int body, double u, double v) {
  return f->slope[body][0] + f->slope[body][1] * u + f->slope[body][2] * v;
}

static double gap(const facing *f, double u, double v) {
  return height(f, 1, u, v) - height(f, 0, u, v);
}

/// Keeps the part of a convex polygon where values[] are not below zero. Returns how many corners.
static int cut(double (*out)[2], const double (*in)[2], const double *values, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    int k = (i + 1) % count;
    if (values[i] >= 0 && kept < PIECE_CORNERS_MAX) {
      out[kept][0] = in[i][0];
      out[kept++][1] = in[i][1];
    }
    if ((values[i] >= 0) != (values[k] >= 0) && kept < PIECE_CORNERS_MAX) {
      double t = values[i] / (values[i] - values[k]);
      out[kept][0] = in[i][0] + t * (in[k][0] - in[i][0]);
      out[kept++][1] = in[i][1] + t * (in[k][1] - in[i][1]);
    }
  }
  return kept;
}

static void project(double (*out)[2], const ts_semi_side *side, uint32_t triangle,
                    const facing *f) {
  for (int i = 0; i < 3; i++) {
    ts_vec3 p = side->vertices[side->mesh->triangles[triangle][i]];
    out[i][0] = ts_vec3_dot(f->u, p);
    out[i][1] = ts_vec3_dot(f->v, p);
  }
}

/// Clips the piece, a triangle so far, by the other triangle and by the range of gaps.
static bool clip(piece *p, const ts_semi_pair *pair, const facing *f) {
  double clip_by[3][2], values[PIECE_CORNERS_MAX], next[PIECE_CORNERS_MAX][2];
  project(clip_by, &pair->side[1], p->triangles[1], f);
  for (int cutter = 0; cutter < 5 && p->count >= 3; cutter++) {
    for (int i = 0; i < p->count; i++) {
      double u = p->corners[i][0], v = p->corners[i][1];
      if (cutter == 3) {
        values[i] = f->gap_m - gap(f, u, v);
      } else if (cutter == 4) {
        values[i] = gap(f, u, v) + f->depth_m;
      } else {
        // Body 1 shows its other side: its triangles run clockwise.
        const double *from = clip_by[(cutter + 1) % 3], *to = clip_by[cutter];
        values[i] = (to[0] - from[0]) * (v - from[1]) - (to[1] - from[1]) * (u - from[0]);
      }
    }
    int count = cut(next, (const double(*)[2])p->corners, values, p->count);
    for (int i = 0; i < count; i++) {
      p->corners[i][0] = next[i][0];
      p->corners[i][1] = next[i][1];
    }
    p->count = count;
  }
  return p->count >= 3;
}

static void measure(piece *p) {
  p->low_u = p->low_v = INFINITY;
  p->high_u = p->high_v = -INFINITY;
  for (int i = 0; i < p->count; i++) {
    p->low_u = ts_min(p->low_u, p->corners[i][0]);
    p->high_u = ts_max(p->high_u, p->corners[i][0]);
    p->low_v = ts_min(p->low_v, p->corners[i][1]);
    p->high_v = ts_max(p->high_v, p->corners[i][1]);
  }
}

/// Surfaces that lie deeper in each other than either body is thick are the far sides of two thin
/// bodies.
static bool is_within_bodies(const ts_semi_pair *pair, const piece *p, const facing *f) {
  double u = 0, v = 0;
  for (int i = 0; i < p->count; i++) {
    u += p->corners[i][0] / p->count;
    v += p->corners[i][1] / p->count;
  }
  double depth = -gap(f, u, v);
  return depth <= pair->s.snap_m || (depth < pair->side[0].shape->thickness_m[p->patches[0]] &&
                                     depth < pair->side[1].shape->thickness_m[p->patches[1]]);
}

static ts_status add_piece(collecting *c, uint32_t t0, uint32_t t1) {
  const ts_semi_pair *pair = c->pair;
  uint32_t p0 = pair->side[0].patches->patch_of[t0], p1 = pair->side[1].patches->patch_of[t1];
  if (ts_vec3_dot(pair->side[0].normals[p0], pair->side[1].normals[p1]) > -c->cosine)
    return TS_OK;
  if (!c->is_facing || c->facing.patches[0] != p0 || c->facing.patches[1] != p1) {
    c->facing = face_patches(pair, p0, p1);
    c->is_facing = true;
  }
  piece p = {.patches = {p0, p1}, .triangles = {t0, t1}, .count = 3};
  project(p.corners, &pair->side[0], t0, &c->facing);
  if (!clip(&p, pair, &c->facing))
    return TS_OK;
  measure(&p);
  double extent = ts_max(p.high_u - p.low_u, p.high_v - p.low_v);
  double area = ts_polygon_area_2d((const double(*)[2])p.corners, (size_t)p.count);
  // Triangles side by side share a line.
  if (!(area > 1e-3 * pair->s.snap_m * extent) || !is_within_bodies(pair, &p, &c->facing))
    return TS_OK;
  TS_TRY(ts_semi_grow((void **)&c->pieces, &c->capacity, c->count, sizeof p, pair->host));
  c->pieces[c->count++] = p;
  return TS_OK;
}

static int compare_indices(uint32_t l, uint32_t r) {
  return (l > r) - (l < r);
}

static int compare_pieces(const void *left, const void *right) {
  const piece *l = left, *r = right;
  int order = compare_indices(l->patches[0], r->patches[0]);
  if (!order)
    order = compare_indices(l->patches[1], r->patches[1]);
  if (!order && l->low_u != r->low_u)
    order = l->low_u < r->low_u ? -1 : 1;
  if (!order)
    order = compare_indices(l->triangles[0], r->triangles[0]);
  return order ? order : compare_indices(l->triangles[1], r->triangles[1]);
}

/// Length that two sides have in common when they lie in one line.
static double common_length(const double *a, const double *b, const double *c, const double *d,
                            double tolerance) {
  double du = b[0] - a[0], dv = b[1] - a[1], length = sqrt(du * du + dv * dv);
  if (!(length > 0))
    return 0;
  du /= length;
  dv /= length;
  double away_c = du * (c[1] - a[1]) - dv * (c[0] - a[0]);
  double away_d = du * (d[1] - a[1]) - dv * (d[0] - a[0]);
  if (fabs(away_c) > tolerance || fabs(away_d) > tolerance)
    return 0;
  double at_c = du * (c[0] - a[0]) + dv * (c[1] - a[1]);
  double at_d = du * (d[0] - a[0]) + dv * (d[1] - a[1]);
  return ts_min(length, ts_max(at_c, at_d)) - ts_max(0, ts_min(at_c, at_d));
}

/// Whether two pieces have part of a side in common; a common corner is not enough.
static bool are_connected(const piece *a, const piece *b, double tolerance) {
  if (b->low_v > a->high_v + tolerance || a->low_v > b->high_v + tolerance)
    return false;
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++)
      if (common_length(a->corners[i], a->corners[(i + 1) % a->count], b->corners[k],
                        b->corners[(k + 1) % b->count], tolerance) > tolerance)
        return true;
  return false;
}

static uint32_t part_of(piece *pieces, uint32_t i) {
  while (pieces[i].part != i) {
    pieces[i].part = pieces[pieces[i].part].part;
    i = pieces[i].part;
  }
  return i;
}

/// Finds the connected parts among pieces [count] of a pair of patches, sorted by u.
static void connect(piece *pieces, size_t count, double tolerance) {
  for (uint32_t i = 0; i < count; i++)
    pieces[i].part = i;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count && pieces[k].low_u <= pieces[i].high_u + tolerance; k++) {
      uint32_t a = part_of(pieces, i), b = part_of(pieces, k);
      if (a == b || !are_connected(&pieces[i], &pieces[k], tolerance))
        continue;
      pieces[a > b ? a : b].part = a > b ? b : a;
    }
}

/// How far corner `at` stands out from the chord of its neighbours.
static double deviation(const double (*corners)[2], size_t count, size_t at) {
  const double *before = corners[(at + count - 1) % count], *after = corners[(at + 1) % count];
  double du = after[0] - before[0], dv = after[1] - before[1];
  double length = sqrt(du * du + dv * dv);
  double out_u = corners[at][0] - before[0], out_v = corners[at][1] - before[1];
  return length > 0 ? fabs(du * out_v - dv * out_u) / length : sqrt(out_u * out_u + out_v * out_v);
}

/// Drops corners that hardly stand out, the least first.
static size_t simplify(double (*corners)[2], size_t count, double tolerance) {
  while (count > 3) {
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
      if (deviation((const double(*)[2])corners, count, i) <
          deviation((const double(*)[2])corners, count, least))
        least = i;
    if (deviation((const double(*)[2])corners, count, least) > tolerance)
      break;
    for (size_t i = least + 1; i < count; i++) {
      corners[i - 1][0] = corners[i][0];
      corners[i - 1][1] = corners[i][1];
    }
    count--;
  }
  return count;
}

/// The least distance between two parallel lines that hold a convex polygon between them.
static double least_width(const double (*corners)[2], size_t count) {
  double least = INFINITY;
  for (size_t i = 0; i < count; i++) {
    const double *from = corners[i], *to = corners[(i + 1) % count];
    double du = to[0] - from[0], dv = to[1] - from[1], length = sqrt(du * du + dv * dv), most = 0;
    for (size_t k = 0; k < count; k++)
      most = ts_max(most, fabs(du * (corners[k][1] - from[1]) - dv * (corners[k][0] - from[0])));
    least = ts_min(least, length > 0 ? most / length : 0);
  }
  return count < 3 ? 0 : least;
}

static ts_status add_region(ts_semi_pair *pair, const facing *f, const double (*hull)[2],
                            size_t count, const piece *first) {
  ts_semi_region region = {.patches = {f->patches[0], f->patches[1]},
                           .normal = f->normal,
                           .u = f->u,
                           .v = f->v,
                           .first = pair->corner_count,
                           .count = count,
                           .least_gap_m = INFINITY,
                           .triangles = {first->triangles[0], first->triangles[1]}};
  for (size_t i = 0; i < count; i++) {
    double here = gap(f, hull[i][0], hull[i][1]);
    region.misfit_m = ts_max(region.misfit_m, fabs(here));
    region.least_gap_m = ts_min(region.least_gap_m, here);
  }
  if (least_width(hull, count) <
      TS_SEMI_SLIVER_MISFITS * region.misfit_m + TS_SEMI_SLIVER_SNAPS * pair->s.snap_m)
    return TS_OK;
  for (size_t i = 0; i < count; i++) {
    TS_TRY(ts_semi_grow((void **)&pair->corners, &pair->corner_capacity, pair->corner_count,
                        sizeof *pair->corners, pair->host));
    double u = hull[i][0], v = hull[i][1];
    pair->corners[pair->corner_count++] =
        (ts_semi_corner){u, v, {height(f, 0, u, v), height(f, 1, u, v)}};
  }
  TS_TRY(ts_semi_grow((void **)&pair->regions, &pair->region_capacity, pair->region_count,
                      sizeof region, pair->host));
  pair->regions[pair->region_count++] = region;
  return TS_OK;
}

/// The regions of one pair of patches.
static ts_status add_regions(ts_semi_pair *pair, piece *pieces, size_t count) {
  facing f = face_patches(pair, pieces[0].patches[0], pieces[0].patches[1]);
  connect(pieces, count, pair->s.snap_m);
  double(*points)[2] = ts_semi_scratch(pair->host, count * PIECE_CORNERS_MAX, sizeof *points);
  double(*hull)[2] = ts_semi_scratch(pair->host, count * PIECE_CORNERS_MAX, sizeof *hull);
  if (!points || !hull)
    return TS_E_MEMORY;
  for (uint32_t part = 0; part < count; part++) {
    if (pieces[part].part != part)
      continue;
    size_t point_count = 0;
    for (uint32_t i = part; i < count; i++)
      for (int k = 0; part_of(pieces, i) == part && k < pieces[i].count; k++) {
        points[point_count][0] = pieces[i].corners[k][0];
        points[point_count++][1] = pieces[i].corners[k][1];
      }
    size_t corner_count = ts_convex_hull_2d(hull, points, point_count);
    corner_count = simplify(hull, corner_count, TS_SEMI_CORNER_SNAPS * pair->s.snap_m);
    TS_TRY(add_region(pair, &f, (const double(*)[2])hull, corner_count, &pieces[part]));
  }
  return TS_OK;
}

/// Two regions around one overlapping pair of ridges are alternatives: bodies that overlap there
/// can leave through either.
static void drop_alternatives(ts_semi_pair *pair) {
  for (size_t i = 0; i < pair->region_count; i++)
    for (size_t k = i + 1; k < pair->region_count; k++) {
      ts_semi_region *a = &pair->regions[i], *b = &pair->regions[k];
      bool shares_ridges = !a->is_dropped && !b->is_dropped && a->least_gap_m < -pair->s.snap_m &&
                           b->least_gap_m < -pair->s.snap_m;
      for (int body = 0; body < 2 && shares_ridges; body++) {
        bool is_convex = false;
        uint32_t e =
            a->patches[body] == b->patches[body]
                ? TS_SEMI_NO_PATCH
                : ts_semi_shared_edge(&is_convex, &pair->side[body], a->patches[body],
                                      b->patches[body], ts_semi_region_candidate(pair, a, 0).point);
        shares_ridges = e != TS_SEMI_NO_PATCH && is_convex;
      }
      if (!shares_ridges)
        continue;
      ts_semi_candidate both[2] = {ts_semi_region_candidate(pair, a, 0),
                                   ts_semi_region_candidate(pair, b, 0)};
      both[0].gap_m = a->least_gap_m;
      both[1].gap_m = b->least_gap_m;
      (ts_semi_choose(pair, both, 2) == 0 ? b : a)->is_dropped = true;
    }
}

ts_status ts_semi_find_regions(ts_semi_pair *pair, double angle_rad) {
  collecting c = {.pair = pair, .cosine = cos(angle_rad)};
  for (size_t i = 0; i < pair->close_count; i++)
    TS_TRY(add_piece(&c, pair->close[i].triangles[0], pair->close[i].triangles[1]));
  if (c.count > 1)
    qsort(c.pieces, c.count, sizeof *c.pieces, compare_pieces);
  for (size_t first = 0, end; first < c.count; first = end) {
    for (end = first + 1; end < c.count; end++)
      if (c.pieces[end].patches[0] != c.pieces[first].patches[0] ||
          c.pieces[end].patches[1] != c.pieces[first].patches[1])
        break;
    TS_TRY(add_regions(pair, c.pieces + first, end - first));
  }
  if (!pair->s.all_alternatives)
    drop_alternatives(pair);
  return TS_OK;
}

ts_semi_candidate ts_semi_region_candidate(const ts_semi_pair *pair, const ts_semi_region *region,
                                           size_t corner) {
  const ts_semi_corner *at = &pair->corners[region->first + corner];
  ts_vec3 flat = ts_vec3_add_scaled(ts_vec3_scale(region->u, at->u), at->v, region->v);
  return (ts_semi_candidate){
      .normal = region->normal,
      .point = ts_vec3_add_scaled(flat, 0.5 * (at->height[0] + at->height[1]), region->normal),
      .gap_m = at->height[1] - at->height[0],
      .patches = {region->patches[0], region->patches[1]},
      .features = {{TS_FEATURE_FACE, region->triangles[0]},
                   {TS_FEATURE_FACE, region->triangles[1]}}};
}

ts_status ts_semi_add_region_contacts(ts_semi_pair *pair) {
  for (size_t r = 0; r < pair->region_count; r++)
    for (size_t i = 0; i < pair->regions[r].count && !pair->regions[r].is_dropped; i++) {
      TS_TRY(ts_semi_grow((void **)&pair->contacts, &pair->contact_capacity, pair->contact_count,
                          sizeof *pair->contacts, pair->host));
      pair->contacts[pair->contact_count++] = (ts_semi_contact){
          .at = ts_semi_region_candidate(pair, &pair->regions[r], i), .site = SIZE_MAX};
    }
  return TS_OK;
}
