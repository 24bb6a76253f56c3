// SPDX-License-Identifier: MIT
/// Growth distance in PROX. Both tets are scaled about their centres until they are apart by a
/// little; the direction between them then is the contact normal, or the normal of a face within 4
/// degrees of it. The contacts are the intersection points of the tets as given.
#include "methods/prox2018/prox_distance.h"
#include "methods/prox2018/prox_kernels.h"
#include "methods/prox2018/prox_overlap.h"
#include "methods/prox2018/prox_points.h"

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

typedef struct grower {
  ts_real3 local[2][4]; ///< nodes relative to their centre
  ts_real3 center[2];
  ts_prox_pair scaled; ///< the tets at the current scale
} grower;

static void begin(grower *g, const ts_prox_pair *pair) {
  for (int side = 0; side < 2; side++) {
    const ts_real3 *p = pair->corners[side];
    ts_real3 sum = ts_real3_add(ts_real3_add(ts_real3_add(p[0], p[1]), p[2]), p[3]);
    g->center[side] = ts_real3_scale(sum, (ts_real)0.25);
    for (int i = 0; i < 4; i++)
      g->local[side][i] = ts_real3_sub(p[i], g->center[side]);
  }
  g->scaled = *pair;
}

static void scale(grower *g, ts_real alpha) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++)
      g->scaled.corners[side][i] = ts_real3_add_scaled(g->center[side], alpha, g->local[side][i]);
}

/// Returns the scale at which the tets are apart, or 0.
static ts_real backtrack(grower *g) {
  ts_real alpha = 1;
  for (int i = 0; i < BACKTRACKS_MAX; i++) {
    alpha *= beta;
    scale(g, alpha);
    // Faces keep their normals but for rounding, which ts_prox_overlap allows for.
    if (!ts_prox_overlap(&g->scaled))
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

static ts_prox_distance distance(const grower *g) {
  return ts_prox_tet_distance(g->scaled.corners[0], g->scaled.corners[1]);
}

/// From the closest point of a to that of b at the scale where the search ends. The scale is set
/// from the step alone, without the paper's damping. That is right where the gap is along the
/// centres and the touch is at scale 1; elsewhere it goes too slowly, or too far and into overlap,
/// where the closest features give a direction all the same. It ends with a step that would shrink
/// the tets, which is not taken. The scale that the first step is compared with is one factor
/// smaller than that of the backtracking.
static ts_real3 cast_ray(grower *g, ts_real alpha, ts_real wanted_m) {
  ts_real3 apart = ts_real3_sub(g->center[1], g->center[0]);
  ts_real apart2 = ts_real3_norm2(apart), min = alpha * beta;
  ts_prox_distance found = distance(g);
  for (int step = 0; step < STEPS_MAX && found.distance_m > wanted_m; step++) {
    ts_real3 gap = ts_real3_sub(found.on_b, found.on_a);
    ts_real next = 1 - ts_real3_dot(gap, apart) / apart2;
    if (!(next > min))
      break;
    min = next;
    scale(g, next);
    found = distance(g);
  }
  return ts_real3_sub(found.on_b, found.on_a);
}

/// Unit, from a to b; the zero vector when no scale takes the tets apart.
static ts_real3 find_direction(const ts_prox_pair *pair) {
  grower g;
  begin(&g, pair);
  ts_real alpha = backtrack(&g);
  if (!(alpha > 0))
    return (ts_real3){0, 0, 0};
  ts_real wanted_m = SEPARATION * ts_real_min(radius(g.local[0]), radius(g.local[1]));
  return ts_real3_unit(cast_ray(&g, alpha, wanted_m));
}

/// Faces as PROX's Gauss map has them: one begins at another node than in ts_tet_face_nodes.
static const int gauss_faces[4][3] = {{1, 2, 3}, {2, 0, 3}, {0, 1, 3}, {0, 2, 1}};

/// The first face of the tet, on the surface or not, within 4 degrees of the direction; the zero
/// vector when there is none.
static ts_real3 near_face(const ts_real3 node[4], ts_real3 direction) {
  for (int f = 0; f < 4; f++) {
    ts_real3 base = node[gauss_faces[f][0]];
    ts_real3 cross = ts_real3_cross(ts_real3_sub(node[gauss_faces[f][1]], base),
                                    ts_real3_sub(node[gauss_faces[f][2]], base));
    ts_real3 normal = ts_real3_unit(cross);
    if (ts_real3_dot(normal, ts_real3_sub(node[f], base)) > 0)
      normal = ts_real3_neg(normal);
    if (ts_real3_dot(normal, direction) >= face_cosine)
      return normal;
  }
  return (ts_real3){0, 0, 0};
}

/// A face near the direction, of a before one of b; without one a node, whose normal is the
/// direction itself.
static ts_real3 choose_normal(const ts_prox_pair *pair, ts_real3 direction) {
  ts_real3 a = near_face(pair->corners[0], direction);
  if (ts_real3_norm2(a) > 0)
    return a;
  ts_real3 b = near_face(pair->corners[1], ts_real3_neg(direction));
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
  ts_real low_m = INFINITY, high_m = -INFINITY;
  for (size_t i = 0; i < points.count; i++) {
    ts_real at_m = ts_real3_dot(points.points[i], normal);
    low_m = at_m < low_m ? at_m : low_m;
    high_m = at_m > high_m ? at_m : high_m;
  }
  ts_prox_points_drop_duplicates(&points);
  for (size_t i = 0; i < points.count; i++)
    ts_prox_contacts_push(out, points.points[i], normal, low_m - high_m);
}
