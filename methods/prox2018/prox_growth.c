// SPDX-License-Identifier: MIT
/// Growth distance in PROX. Both tets are scaled about their centres until they are apart by a
/// little; the direction between them then is the contact normal, or the normal of a face within 4
/// degrees of it. The contacts are the intersection points of the tets as given.
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/prox2018/prox_closest.h"
#include "methods/prox2018/prox_kernels.h"
#include "methods/prox2018/prox_overlap.h"
#include "methods/prox2018/prox_points.h"
#include "methods/prox2018/prox_tet_overlap.h"

#include <stdbool.h>

/// Factor of the backtracking.
static const ts_real beta = (ts_real)0.9;
/// Wanted separation, relative to the radius of the smaller tet: twice that of the paper, of twice
/// the radius for the diameter.
#define SEPARATION (4 * (ts_real)0.01)
/// Cosine of 4 degrees, the angle to a face normal up to which it is taken.
static const ts_real face_cosine = (ts_real)0.99756405025982425;

enum {
  BACKTRACKS_MAX = 400, ///< 0.9^400 is 5e-19
  STEPS_MAX = 20        ///< after which the search is given up wherever it is
};

/// Two features whose closest points were the closest of the tets: node `first` of tet `side`
/// against face `second` of the other, or (side 2) edge `first` of a against edge `second` of b.
typedef struct features {
  int side, first, second;
} features;

typedef struct grower {
  const ts_prox_pair *pair;
  ts_real3 local[2][4]; ///< nodes relative to their centre
  ts_real3 center[2];
  ts_real3 apart; ///< from the centre of a to that of b
  ts_real apart2, apart_m;
  ts_real3 scaled[2][4]; ///< nodes at the current scale
  ts_real3 gap;          ///< from the closest point of a to that of b, at that scale
  ts_real3 on_a;
  ts_real distance_m;
  features closest; ///< whose points these are
} grower;

// In the world: its rounding there is that of the direction.
static void begin(grower *g, const ts_prox_pair *pair) {
  g->pair = pair;
  for (int side = 0; side < 2; side++) {
    const ts_real3 *p = pair->corners[side];
    ts_real3 sum = ts_real3_add(ts_real3_add(ts_real3_add(p[0], p[1]), p[2]), p[3]);
    g->center[side] = ts_real3_scale(sum, (ts_real)0.25);
    for (int i = 0; i < 4; i++)
      g->local[side][i] = ts_real3_sub(p[i], g->center[side]);
  }
  g->apart = ts_real3_sub(g->center[1], g->center[0]);
  g->apart2 = ts_real3_norm2(g->apart);
  g->apart_m = ts_real_sqrt(g->apart2);
}

static void scale(grower *g, ts_real alpha) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++)
      g->scaled[side][i] = ts_real3_add_scaled(g->center[side], alpha, g->local[side][i]);
}

static void take(grower *g, features f, ts_real3 on_a, ts_real3 on_b, ts_real distance_m) {
  if (!(distance_m < g->distance_m))
    return;
  g->distance_m = distance_m;
  g->gap = ts_real3_sub(on_b, on_a);
  g->on_a = on_a;
  g->closest = f;
}

/// The height of node i of a side over face f of the other.
static ts_real height(const grower *g, int side, int i, int f) {
  ts_real3 base = g->scaled[1 - side][ts_tet_face_nodes[f][0]];
  return ts_real3_dot(g->pair->normals[1 - side][f], ts_real3_sub(g->scaled[side][i], base));
}

static ts_prox_closest closest_on_face(const grower *g, int side, int i, int f) {
  const ts_real3 *other = g->scaled[1 - side];
  const int *k = ts_tet_face_nodes[f];
  const ts_real3 face[3] = {other[k[0]], other[k[1]], other[k[2]]};
  return ts_prox_closest_point_triangle(g->scaled[side][i], face);
}

/// `closest`: of node i of `side` (its a) and face f.
static void take_face(grower *g, int side, int i, int f, ts_prox_closest closest) {
  take(g, (features){side, i, f}, side == 0 ? closest.on_a : closest.on_b,
       side == 0 ? closest.on_b : closest.on_a, closest.distance_m);
}

/// Nodes over the planes of the other tet's faces.
typedef struct heights {
  ts_real of_m[2][4][4]; ///< [side of the node][node][face]
  ts_real max_m[2][4];   ///< over the faces: the node is at least that far from the other tet
  features lowest;       ///< the lowest node above a face, and its highest face; side 2: none
} heights;

static void set_heights(heights *out, const grower *g) {
  ts_real lowest_m = INFINITY;
  out->lowest = (features){2, 0, 0};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++) {
      ts_real *h = out->of_m[side][i];
      int highest = 0;
      for (int f = 0; f < 4; f++) {
        h[f] = height(g, side, i, f);
        highest = h[f] > h[highest] ? f : highest;
      }
      out->max_m[side][i] = h[highest];
      if (h[highest] >= 0 && h[highest] < lowest_m) {
        lowest_m = h[highest];
        out->lowest = (features){side, i, highest};
      }
    }
}

/// The closest points of nodes and faces that they are in front of, when closer than what there is;
/// the first of equals. Nodes farther from the other tet than the lowest one turns out to be from
/// its highest face are skipped.
static void try_faces(grower *g) {
  heights h;
  set_heights(&h, g);
  features lowest = h.lowest;
  if (lowest.side == 2)
    return;
  ts_prox_closest found = closest_on_face(g, lowest.side, lowest.first, lowest.second);
  ts_real best_m = ts_real_min(found.distance_m, g->distance_m);
  ts_real bound_m =
      (ts_real)((double)best_m + TS_REAL_TOLERANCE(TS_PROX_MARGIN) * (double)g->apart_m);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++) {
      if (h.max_m[side][i] > bound_m)
        continue;
      for (int f = 0; f < 4; f++) {
        ts_real height_m = h.of_m[side][i][f];
        if (!(height_m >= 0 && height_m < g->distance_m))
          continue;
        bool is_lowest = side == lowest.side && i == lowest.first && f == lowest.second;
        take_face(g, side, i, f, is_lowest ? found : closest_on_face(g, side, i, f));
      }
    }
}

static void try_edges(grower *g, int i, int j) {
  const ts_real3 *a = g->scaled[0], *b = g->scaled[1];
  ts_real3 p = a[ts_tet_edge_nodes[i][0]], p_end = a[ts_tet_edge_nodes[i][1]];
  ts_real3 q = b[ts_tet_edge_nodes[j][0]], q_end = b[ts_tet_edge_nodes[j][1]];
  ts_real3 normal = ts_real3_cross(ts_real3_sub(p_end, p), ts_real3_sub(q_end, q));
  ts_real height = ts_real3_dot(normal, ts_real3_sub(q, p));
  // Lines as far apart as the best so far: nothing closer on them.
  if (height * height > g->distance_m * g->distance_m * ts_real3_norm2(normal))
    return;
  ts_prox_closest closest = ts_prox_closest_segments(p, p_end, q, q_end);
  take(g, (features){2, i, j}, closest.on_a, closest.on_b, closest.distance_m);
}

/// Whether the planes through the closest points have one tet on each side, so that nothing closer
/// can be found.
static bool is_closest(const grower *g) {
  ts_real slack = (ts_real)(TS_REAL_TOLERANCE(TS_PROX_MOTION_ROUNDING) * (double)g->distance_m *
                            (double)g->apart_m);
  ts_real end = ts_real3_dot(g->gap, g->on_a) + slack;
  ts_real start = end - 2 * slack + g->distance_m * g->distance_m;
  for (int i = 0; i < 4; i++)
    if (!(ts_real3_dot(g->gap, g->scaled[0][i]) <= end) ||
        !(ts_real3_dot(g->gap, g->scaled[1][i]) >= start))
      return false;
  return true;
}

/// The closest points of the features of the scaled tets. Of tets that overlap too: then those of
/// edges and of nodes in front of faces. `is_warm`: the features of the last scale are tried first;
/// they are the closest as a rule when the tets are apart.
static void find_closest(grower *g, bool is_warm) {
  g->distance_m = INFINITY;
  if (is_warm) {
    features f = g->closest;
    if (f.side == 2)
      try_edges(g, f.first, f.second);
    else if (height(g, f.side, f.first, f.second) >= 0)
      take_face(g, f.side, f.first, f.second, closest_on_face(g, f.side, f.first, f.second));
    if (isfinite(g->distance_m) && is_closest(g))
      return;
  }
  try_faces(g);
  if (isfinite(g->distance_m) && is_closest(g))
    return;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      try_edges(g, i, j);
}

/// Returns the scale at which the tets are apart, or 0.
static ts_real backtrack(grower *g) {
  ts_real alpha = 1;
  for (int i = 0; i < BACKTRACKS_MAX; i++) {
    alpha *= beta;
    scale(g, alpha);
    if (!ts_prox_tet_overlap(g->scaled[0], g->scaled[1]))
      return alpha;
  }
  return 0;
}

/// Largest distance of a node from the centre.
static ts_real radius(const ts_real3 local[4]) {
  ts_real max2 = 0;
  for (int i = 0; i < 4; i++)
    max2 = ts_real_max(ts_real3_norm2(local[i]), max2);
  return ts_real_sqrt(max2);
}

/// The scale is set from the step alone, without the paper's damping. That is right where the gap
/// is along the centres and the touch is at scale 1; elsewhere it goes too slowly, or too far and
/// into overlap, where the closest features give a direction all the same. It ends with a step that
/// would shrink the tets, which is not taken. The scale that the first step is compared with is one
/// factor smaller than that of the backtracking.
static void cast_ray(grower *g, ts_real alpha, ts_real wanted_m) {
  find_closest(g, false);
  ts_real min = alpha * beta;
  for (int step = 0; step < STEPS_MAX && g->distance_m > wanted_m; step++) {
    ts_real next = 1 - ts_real3_dot(g->gap, g->apart) / g->apart2;
    if (!(next > min))
      break;
    min = next;
    scale(g, next);
    find_closest(g, true);
  }
}

/// Unit, from a to b; the zero vector when no scale takes the tets apart.
static ts_real3 find_direction(const ts_prox_pair *pair) {
  grower g;
  begin(&g, pair);
  ts_real alpha = g.apart2 > 0 ? backtrack(&g) : 0;
  if (!(alpha > 0))
    return (ts_real3){0, 0, 0};
  cast_ray(&g, alpha, SEPARATION * ts_real_min(radius(g.local[0]), radius(g.local[1])));
  return ts_real3_unit(g.gap);
}

/// The first face of the tet, on the surface or not, within 4 degrees of the direction; the zero
/// vector when there is none.
static ts_real3 near_face(const ts_real3 normals[4], ts_real3 direction) {
  for (int f = 0; f < 4; f++)
    if (ts_real3_dot(normals[f], direction) >= face_cosine)
      return normals[f];
  return (ts_real3){0, 0, 0};
}

/// A face near the direction, of a before one of b; without one a node, whose normal is the
/// direction itself.
static ts_real3 choose_normal(const ts_prox_pair *pair, ts_real3 direction) {
  ts_real3 a = near_face(pair->normals[0], direction);
  if (ts_real3_norm2(a) > 0)
    return a;
  ts_real3 b = near_face(pair->normals[1], ts_real3_neg(direction));
  return ts_real3_norm2(b) > 0 ? ts_real3_neg(b) : direction;
}

void ts_prox_growth(ts_prox_contacts *out, const ts_prox_pair *pair) {
  out->count = 0;
  if (!ts_prox_overlap(pair))
    return;
  ts_prox_pair_planes planes;
  ts_prox_points points;
  ts_prox_pair_planes_set(&planes, pair);
  ts_prox_points_find(&points, pair, &planes);
  ts_real3 direction = points.count ? find_direction(pair) : (ts_real3){0, 0, 0};
  if (!(ts_real3_norm2(direction) > 0))
    return;
  ts_real3 normal = choose_normal(pair, direction);
  if (!(ts_real3_norm2(normal) > 0))
    return;
  ts_prox_points_drop_duplicates(&points);
  ts_real low_m = INFINITY, high_m = -INFINITY;
  for (size_t i = 0; i < points.count; i++) {
    ts_real at_m = ts_real3_dot(normal, ts_real3_sub(points.points[i], pair->corners[0][0]));
    low_m = at_m < low_m ? at_m : low_m;
    high_m = at_m > high_m ? at_m : high_m;
  }
  for (size_t i = 0; i < points.count; i++)
    ts_prox_contacts_push(out, points.points[i], normal, low_m - high_m);
}
