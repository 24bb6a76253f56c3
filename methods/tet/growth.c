// SPDX-License-Identifier: MIT
/// Growth distance (Erleben 2018, appendix B and Algorithm 2; Ong and Gilbert 1996).
///
/// Both tets are scaled about their centres until they are apart by a little, which gives a
/// direction even when they touch or overlap as they are. The feature normal closest to it is the
/// contact normal, and the intersection points of the tets as given are the contacts, with their
/// extent along the normal as depth. With the centres w apart, the vector from node i of a to node
/// j of b is scale (b_j - a_i) + w when nodes are relative to their centres, so that nothing but
/// two sets of four points has to be scaled.
///
/// profile=prox2018: methods/prox2018/prox_growth.c.
#include "methods/tet/growth.h"

#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "methods/tet/tet_points.h"

#include "geometry/closest.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"

/// Algorithm 2: factor of the backtracking and damping of the ray cast.
static const double beta = 0.9;
/// Wanted separation, relative to the diameter of the smaller tet.
static const double separation = 0.01;
enum {
  BACKTRACKS_MAX = 400, ///< 0.9^400 is 5e-19
  /// The ray cast gets slower as the direction between the centres turns away from the normal; at
  /// 87 degrees it takes this many steps, and what it has then is a direction all the same.
  STEPS_MAX = 1000
};

/// Two features whose closest points were the closest of the tets: node `first` of tet `side`
/// against face `second` of the other, or (side 2) edge `first` of a against edge `second` of b.
typedef struct features {
  int side, first, second;
} features;

typedef struct grower {
  const ts_tet_pair *pair;
  ts_vec3 local[2][4]; ///< nodes relative to their centre
  ts_vec3 apart;       ///< from the centre of a to that of b
  double apart2, apart_m;
  ts_vec3 scaled[2][4]; ///< nodes at the current scale, relative to the centre of a
  ts_vec3 gap;          ///< from the closest point of a to that of b, at that scale
  ts_vec3 on_a;
  double distance_m;
  features closest; ///< whose points these are
} grower;

static ts_vec3 center(const ts_vec3 corners[4]) {
  // Differences, so that no digits are lost far from the origin.
  ts_vec3 sum = {0, 0, 0};
  for (int i = 1; i < 4; i++)
    sum = ts_vec3_add(sum, ts_vec3_sub(corners[i], corners[0]));
  return ts_vec3_scale(sum, 0.25);
}

static void begin(grower *g, const ts_tet_pair *pair) {
  g->pair = pair;
  ts_vec3 center_a = center(pair->corners[0]), center_b = center(pair->corners[1]);
  for (int i = 0; i < 4; i++) {
    g->local[0][i] = ts_vec3_sub(ts_vec3_sub(pair->corners[0][i], pair->corners[0][0]), center_a);
    g->local[1][i] = ts_vec3_sub(ts_vec3_sub(pair->corners[1][i], pair->corners[1][0]), center_b);
  }
  ts_vec3 start = ts_vec3_sub(pair->corners[1][0], pair->corners[0][0]);
  g->apart = ts_vec3_add(start, ts_vec3_sub(center_b, center_a));
  g->apart2 = ts_vec3_norm2(g->apart);
  g->apart_m = sqrt(g->apart2);
}

static void scale(grower *g, double alpha) {
  for (int i = 0; i < 4; i++) {
    g->scaled[0][i] = ts_vec3_scale(g->local[0][i], alpha);
    g->scaled[1][i] = ts_vec3_add_scaled(g->apart, alpha, g->local[1][i]);
  }
}

static void take(grower *g, features f, ts_vec3 on_a, ts_vec3 on_b, double distance_m) {
  if (!(distance_m < g->distance_m))
    return;
  g->distance_m = distance_m;
  g->gap = ts_vec3_sub(on_b, on_a);
  g->on_a = on_a;
  g->closest = f;
}

/// The height of node i of a side over face f of the other.
static double height(const grower *g, int side, int i, int f) {
  ts_vec3 base = g->scaled[1 - side][ts_tet_face_nodes[f][0]];
  return ts_vec3_dot(g->pair->normals[1 - side][f], ts_vec3_sub(g->scaled[side][i], base));
}

static ts_closest_on_triangle closest_on_face(const grower *g, int side, int i, int f) {
  const ts_vec3 *other = g->scaled[1 - side];
  const int *k = ts_tet_face_nodes[f];
  ts_vec3 face[3] = {other[k[0]], other[k[1]], other[k[2]]};
  return ts_closest_point_triangle(g->scaled[side][i], face);
}

static void take_face(grower *g, int side, int i, int f, ts_closest_on_triangle closest) {
  ts_vec3 node = g->scaled[side][i];
  take(g, (features){side, i, f}, side == 0 ? node : closest.point,
       side == 0 ? closest.point : node, closest.distance_m);
}

/// Nodes over the planes of the other tet's faces.
typedef struct heights {
  double of_m[2][4][4]; ///< [side of the node][node][face]
  double most_m[2][4];  ///< over the faces: a lower bound of the distance to the other tet
  features lowest;      ///< the lowest node above a face, and its highest face; side 2: none
} heights;

static void set_heights(heights *out, const grower *g) {
  double lowest_m = INFINITY;
  out->lowest = (features){2, 0, 0};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++) {
      double *h = out->of_m[side][i];
      int highest = 0;
      for (int f = 0; f < 4; f++) {
        h[f] = height(g, side, i, f);
        highest = h[f] > h[highest] ? f : highest;
      }
      out->most_m[side][i] = h[highest];
      if (h[highest] >= 0 && h[highest] < lowest_m) {
        lowest_m = h[highest];
        out->lowest = (features){side, i, highest};
      }
    }
}

/// The closest points of nodes and faces that they are in front of, when closer than what there is;
/// the first of equals. Nodes farther from the other tet than the lowest one turns out to be from
/// its highest face are not looked at.
static void try_faces(grower *g) {
  heights h;
  set_heights(&h, g);
  features lowest = h.lowest;
  if (lowest.side == 2)
    return;
  ts_closest_on_triangle found = closest_on_face(g, lowest.side, lowest.first, lowest.second);
  double bound_m = fmin(found.distance_m, g->distance_m) + TS_TOUCH_RELATIVE * g->apart_m;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++) {
      if (h.most_m[side][i] > bound_m)
        continue;
      for (int f = 0; f < 4; f++) {
        double height_m = h.of_m[side][i][f];
        if (!(height_m >= 0 && height_m < g->distance_m))
          continue;
        int is_lowest = side == lowest.side && i == lowest.first && f == lowest.second;
        take_face(g, side, i, f, is_lowest ? found : closest_on_face(g, side, i, f));
      }
    }
}

static void try_edges(grower *g, int i, int j) {
  const ts_vec3 *a = g->scaled[0], *b = g->scaled[1];
  ts_vec3 p = a[ts_tet_edge_nodes[i][0]], p_end = a[ts_tet_edge_nodes[i][1]];
  ts_vec3 q = b[ts_tet_edge_nodes[j][0]], q_end = b[ts_tet_edge_nodes[j][1]];
  ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(p_end, p), ts_vec3_sub(q_end, q));
  double height = ts_vec3_dot(normal, ts_vec3_sub(q, p));
  // Lines as far apart as the best so far: nothing closer on them.
  if (height * height > g->distance_m * g->distance_m * ts_vec3_norm2(normal))
    return;
  ts_closest closest = ts_closest_segment_segment(NULL, NULL, p, p_end, q, q_end);
  take(g, (features){2, i, j}, closest.on_a, closest.on_b, closest.distance_m);
}

/// Whether the planes through the closest points have one tet on each side, so that nothing closer
/// can be found.
static int is_closest(const grower *g) {
  double slack = TS_MOTION_ROUNDING_RELATIVE * g->distance_m * g->apart_m;
  double end = ts_vec3_dot(g->gap, g->on_a) + slack;
  double start = end - 2 * slack + g->distance_m * g->distance_m;
  for (int i = 0; i < 4; i++)
    if (!(ts_vec3_dot(g->gap, g->scaled[0][i]) <= end) ||
        !(ts_vec3_dot(g->gap, g->scaled[1][i]) >= start))
      return 0;
  return 1;
}

/// The closest points of the features of the scaled tets. Of tets that overlap too: then those of
/// edges and of nodes in front of faces. `is_warm`: the features of the last scale are tried first;
/// they are the closest as a rule when the tets are apart.
static void find_closest(grower *g, int is_warm) {
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

/// Algorithm 2, lines 1 to 4. Returns the scale at which the tets are apart, or 0.
static double backtrack(grower *g, double tolerance_m) {
  double alpha = 1;
  scale(g, alpha);
  for (int i = 0; i < BACKTRACKS_MAX; i++) {
    alpha *= beta;
    scale(g, alpha);
    if (!ts_tet_tet_overlap(g->scaled[0], g->scaled[1], tolerance_m))
      return alpha;
  }
  return 0;
}

/// Largest distance between two nodes.
static double diameter(const ts_vec3 nodes[4]) {
  double most2 = 0;
  for (int e = 0; e < 6; e++)
    most2 = fmax(most2, ts_vec3_norm2(ts_vec3_sub(nodes[ts_tet_edge_nodes[e][1]],
                                                  nodes[ts_tet_edge_nodes[e][0]])));
  return sqrt(most2);
}

/// Lines 5 to 13: from the scale of the backtracking, grows the tets until they are `wanted_m` from
/// each other or less. The scale is 1 / (1 - tau), the inverse of line 7; line 10 as printed is
/// not. `apart` is -v, and so the sign of line 9 is the other one. A step never goes past the
/// touch, as |s . v| <= |s| |v|, and the scale is at most 1.
static double cast_ray(grower *g, double alpha, double wanted_m) {
  double tau = 1 - 1 / alpha;
  find_closest(g, 0);
  for (int step = 0; step < STEPS_MAX && g->distance_m > wanted_m; step++) {
    tau += beta * ts_vec3_dot(g->gap, g->apart) / g->apart2;
    alpha = 1 / (1 - tau);
    scale(g, alpha);
    find_closest(g, 1);
  }
  return alpha;
}

ts_growth ts_tet_growth_separate(const ts_tet_pair *pair, double tolerance_m) {
  ts_growth out = {.scale = 0};
  grower g;
  begin(&g, pair);
  // About one centre, no scale takes them apart.
  if (!(g.apart2 > tolerance_m * tolerance_m))
    return out;
  double alpha = backtrack(&g, tolerance_m);
  if (!(alpha > 0))
    return out;
  out.wanted_m = separation * fmin(diameter(g.local[0]), diameter(g.local[1]));
  out.scale = cast_ray(&g, alpha, out.wanted_m);
  out.gap = g.gap;
  out.distance_m = g.distance_m;
  return out;
}

/// The normal of the feature closest to the direction, how close it is, and its dimension.
typedef struct feature_normal {
  ts_vec3 sum; ///< of the unit normals of several of that dimension that are as close
  double cosine;
  int dimension; ///< -1: none
} feature_normal;

/// The unit vector along a sum of unit vectors; zero when they cancel out.
static ts_vec3 mean_direction(ts_vec3 sum) {
  return ts_vec3_norm(sum) > TS_PARALLEL_SINE ? ts_vec3_unit(sum) : (ts_vec3){0, 0, 0};
}

/// Closer wins; as close, the higher dimension, which comes first.
static void consider(feature_normal *best, ts_vec3 normal, ts_vec3 direction, int dimension) {
  ts_vec3 unit = ts_vec3_unit(normal);
  double cosine = ts_vec3_dot(unit, direction);
  if (!(ts_vec3_norm2(unit) > 0))
    return;
  if (best->dimension < 0 || cosine > best->cosine + TS_SAME_DIRECTION_RAD)
    *best = (feature_normal){unit, cosine, dimension};
  else if (dimension == best->dimension && cosine >= best->cosine - TS_SAME_DIRECTION_RAD)
    best->sum = ts_vec3_add(best->sum, unit);
}

/// BESTNORMAL of Algorithm 2: of the faces on the surface, and of the edges and nodes between them
/// with the sum of those faces' normals, the one closest to a unit direction.
static feature_normal best_normal(const ts_vec3 normals[4], unsigned surface, ts_vec3 direction) {
  feature_normal best = {{0, 0, 0}, 0, -1};
  ts_vec3 all = {0, 0, 0};
  for (int f = 0; f < 4; f++)
    if (surface >> f & 1) {
      consider(&best, normals[f], direction, 2);
      all = ts_vec3_add(all, normals[f]);
    }
  for (int e = 0; e < 6; e++) {
    int f = ts_tet_edge_faces[e][0], k = ts_tet_edge_faces[e][1];
    if (surface >> f & surface >> k & 1)
      consider(&best, ts_vec3_add(normals[f], normals[k]), direction, 1);
  }
  for (int i = 0; i < 4; i++) {
    unsigned around = surface & ~(1u << i);
    if (around == (15u & ~(1u << i)))
      consider(&best, surface >> i & 1 ? ts_vec3_sub(all, normals[i]) : all, direction, 0);
  }
  return best;
}

/// Line 16, and what it leaves to the order of the bodies: of two features of one dimension, the
/// closer one; of two as close, their mean. Zero when those cancel out: the two tets then have
/// their surface on the same side, and it cannot be determined which of them is in front.
static ts_vec3 choose_normal(const ts_tet_pair *pair, ts_vec3 direction) {
  feature_normal a = best_normal(pair->normals[0], pair->surface[0], direction);
  feature_normal b = best_normal(pair->normals[1], pair->surface[1], ts_vec3_neg(direction));
  ts_vec3 from_a = mean_direction(a.sum), from_b = ts_vec3_neg(mean_direction(b.sum));
  if (a.dimension != b.dimension)
    return a.dimension > b.dimension ? from_a : from_b;
  if (fabs(a.cosine - b.cosine) > TS_SAME_DIRECTION_RAD)
    return a.cosine > b.cosine ? from_a : from_b;
  return mean_direction(ts_vec3_add(from_a, from_b));
}

/// Unit normal from a to b, or zero.
static ts_vec3 find_normal(const ts_tet_pair *pair, double tolerance_m) {
  ts_vec3 direction = ts_vec3_unit(ts_tet_growth_separate(pair, tolerance_m).gap);
  return ts_vec3_norm2(direction) > 0 ? choose_normal(pair, direction) : direction;
}

void ts_tet_growth_overlapping(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  ts_tet_points points;
  ts_tet_points_find(&points, pair, size_m);
  if (points.count == 0)
    return;
  ts_vec3 normal = find_normal(pair, TS_TOUCH_RELATIVE * size_m);
  if (!(ts_vec3_norm2(normal) > 0))
    return;
  ts_tet_points_drop_duplicates(&points, size_m);
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < points.count; i++) {
    double h = ts_vec3_dot(normal, ts_vec3_sub(points.points[i], pair->corners[0][0]));
    low = fmin(low, h);
    high = fmax(high, h);
  }
  for (size_t i = 0; i < points.count && out->count < TS_TET_CONTACTS_MAX; i++)
    out->contacts[out->count++] = (ts_contact){
        .point = points.points[i], .normal = normal, .gap_m = low - high, .area_m2 = (double)NAN};
}

void ts_tet_growth(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  if (ts_tet_pair_overlaps(pair, size_m))
    ts_tet_growth_overlapping(out, pair, size_m);
}

TS_TET_METHOD(growth, TS_TET_GROWTH,
              "Tets scaled down until apart give a direction; the closest feature normal and all "
              "intersection points.",
              "Erleben 2018, appendix B and Algorithm 2", .locality = TS_LOCALITY_LOCAL,
              .testing = TS_TESTING_VOLUME, .exactness = TS_EXACTNESS_EXACT,
              .normals = TS_NORMALS_CLOSEST_POINTS, .instant = TS_INSTANT_CONTINUOUS)
