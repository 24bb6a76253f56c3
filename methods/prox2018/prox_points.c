// SPDX-License-Identifier: MIT
#include "methods/prox2018/prox_points.h"

#include "geometry/tet.h"

#include <stdbool.h>

/// One tet's nodes over the other's planes, in lengths of their normals.
typedef struct seen_nodes {
  ts_real height[4][4]; ///< [node][plane]
  unsigned above[4];    ///< [node] bit f: above plane f
  unsigned clear[4];    ///< [node] bit f: above plane f by more than rounding
} seen_nodes;

static void see_nodes(seen_nodes *out, const ts_real3 node[4], const ts_prox_plane planes[4],
                      ts_real rounding) {
  for (int i = 0; i < 4; i++) {
    out->above[i] = out->clear[i] = 0;
    for (int f = 0; f < 4; f++) {
      ts_real h = ts_prox_height(&planes[f], node[i]);
      out->height[i][f] = h;
      out->above[i] |= (unsigned)(h > 0) << f;
      out->clear[i] |= (unsigned)(h > rounding) << f;
    }
  }
}

/// Whether the point at t of an edge, between ends of these heights, is above a plane by more than
/// rounding.
static inline bool is_clear(const ts_real at_i[4], const ts_real at_j[4], ts_real t,
                            ts_real rounding) {
  ts_real over[4];
  for (int g = 0; g < 4; g++)
    over[g] = at_i[g] + t * (at_j[g] - at_i[g]);
  return ts_real_max(ts_real_max(over[0], over[1]), ts_real_max(over[2], over[3])) > rounding;
}

/// One tet seen by the planes of the other.
typedef struct seen_tet {
  const ts_real3 *node;
  const ts_prox_plane *planes; ///< of the other
  seen_nodes seen;
} seen_tet;

/// The crossing of an edge with one plane, unless it is outside of another. The heights of the ends
/// rule out most crossings; the others are made and tested.
static void add_crossing(ts_prox_points *out, const seen_tet *tet, int e, int f, ts_real rounding) {
  int i = ts_tet_edge_nodes[e][0], j = ts_tet_edge_nodes[e][1];
  const ts_real *at_i = tet->seen.height[i], *at_j = tet->seen.height[j];
  if (!((tet->seen.above[i] ^ tet->seen.above[j]) >> f & 1) || at_i[f] == 0 || at_j[f] == 0)
    return;
  ts_real t = at_i[f] / (at_i[f] - at_j[f]);
  if (is_clear(at_i, at_j, t, rounding))
    return;
  ts_real3 p = ts_real3_lerp(tet->node[i], tet->node[j], t);
  const ts_prox_plane *planes = tet->planes;
  if (!(ts_prox_height(&planes[f], p) > 0) && !(ts_prox_height(&planes[(f + 1) % 4], p) > 0) &&
      !(ts_prox_height(&planes[(f + 2) % 4], p) > 0) &&
      !(ts_prox_height(&planes[(f + 3) % 4], p) > 0))
    out->points[out->count++] = p;
}

// In PROX's order, b before a: of points that are nearly equal the first is kept.
void ts_prox_points_find(ts_prox_points *out, const ts_prox_pair *pair,
                         const ts_prox_pair_planes *planes) {
  ts_real rounding = ts_prox_height_rounding(ts_prox_pair_reach(pair));
  seen_tet tets[2] = {{.node = pair->corners[1], .planes = planes->of[0]},
                      {.node = pair->corners[0], .planes = planes->of[1]}};
  for (int k = 0; k < 2; k++)
    see_nodes(&tets[k].seen, tets[k].node, tets[k].planes, rounding);
  out->count = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++)
      if (!tets[k].seen.above[i])
        out->points[out->count++] = tets[k].node[i];
  for (int e = 0; e < 6; e++) {
    bool may_cross[2];
    for (int k = 0; k < 2; k++)
      may_cross[k] = !(tets[k].seen.clear[ts_tet_edge_nodes[e][0]] &
                       tets[k].seen.clear[ts_tet_edge_nodes[e][1]]);
    for (int f = 0; f < 4; f++)
      for (int k = 0; k < 2; k++)
        if (may_cross[k])
          add_crossing(out, &tets[k], e, f, rounding);
  }
}

static inline bool same_place(ts_real3 p, ts_real3 q) {
  ts_real3 d = ts_real3_sub(p, q);
  return ts_real_abs(d.x) < ts_prox_small && ts_real_abs(d.y) < ts_prox_small &&
         ts_real_abs(d.z) < ts_prox_small;
}

void ts_prox_points_drop_duplicates(ts_prox_points *points) {
  size_t kept = 0;
  for (size_t i = 0; i < points->count; i++) {
    size_t k = 0;
    while (k < kept && !same_place(points->points[k], points->points[i]))
      k++;
    if (k == kept)
      points->points[kept++] = points->points[i];
  }
  points->count = kept;
}

/// Those that nearly equal an earlier one, whether that was dropped or not.
static void drop_followers(ts_prox_points *points) {
  bool is_dropped[TS_PROX_POINTS_MAX] = {false};
  for (size_t i = 1; i < points->count; i++)
    for (size_t k = 0; k < i && !is_dropped[i]; k++)
      is_dropped[i] = same_place(points->points[k], points->points[i]);
  size_t kept = 0;
  for (size_t i = 0; i < points->count; i++)
    if (!is_dropped[i])
      points->points[kept++] = points->points[i];
  points->count = kept;
}

void ts_prox_points_report(ts_prox_contacts *out, ts_prox_points *points, ts_real3 normal) {
  ts_real low_m = INFINITY, high_m = -INFINITY;
  for (size_t i = 0; i < points->count; i++) {
    ts_real at_m = ts_real3_dot(normal, points->points[i]);
    low_m = at_m < low_m ? at_m : low_m;
    high_m = at_m > high_m ? at_m : high_m;
  }
  ts_real3 on_plane = ts_real3_scale(normal, (ts_real)0.5 * (low_m + high_m));
  for (size_t i = 0; i < points->count; i++) {
    ts_real3 p = points->points[i];
    ts_real height_m = ts_real3_dot(normal, ts_real3_sub(p, on_plane));
    points->points[i] = ts_real3_sub(p, ts_real3_scale(normal, height_m));
  }
  drop_followers(points);
  for (size_t i = 0; i < points->count; i++)
    ts_prox_contacts_push(out, points->points[i], normal, low_m - high_m);
}
