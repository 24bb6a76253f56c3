// SPDX-License-Identifier: MIT
/// The most opposing surfaces (Erleben 2018, appendix A, Algorithm 1): of all pairs of surface
/// faces of two overlapping tets, each with the apex of the other's tet in front of it, the one
/// whose normals are closest to opposite; the normal is the direction between the two. The
/// intersection points are moved to the middle of their extent along it, which is the depth.
///
/// Pairs that oppose each other as well (a box has many) go to the one whose faces lie closer,
/// those that lie as close to their mean direction: the paper leaves it to the order of the faces.
/// Faces at right angles up to rounding do not oppose.
///
/// profile=prox2018: methods/prox2018/prox_opposing.c.
#include "methods/tet/tet_bodies.h"

#include "geometry/tolerances.h"
#include "methods/tet/tet_kernels.h"
#include "methods/tet/tet_points.h"

static inline double height(ts_vec3 normal, ts_vec3 base, ts_vec3 p) {
  return ts_vec3_dot(normal, ts_vec3_sub(p, base));
}

/// Distance of the centres of two faces along n.
static double face_distance(const ts_tet_pair *pair, int f, int g, ts_vec3 n) {
  ts_vec3 sum = {0, 0, 0};
  for (int k = 1; k < 4; k++)
    sum =
        ts_vec3_add(sum, ts_vec3_sub(pair->corners[1][(g + k) & 3], pair->corners[0][(f + k) & 3]));
  return fabs(ts_vec3_dot(sum, n)) / 3;
}

/// The normal of the most opposing faces; zero when there are none, or several cancel out.
static ts_vec3 most_opposing(const ts_tet_pair *pair, double allowance_m) {
  const ts_vec3 *a = pair->corners[0], *b = pair->corners[1];
  double least = 0, distance_m = INFINITY;
  ts_vec3 sum = {0, 0, 0};
  for (int f = 0; f < 4; f++) {
    if (!(pair->surface[0] >> f & 1))
      continue;
    ts_vec3 na = pair->normals[0][f];
    for (int g = 0; g < 4; g++) {
      if (!(pair->surface[1] >> g & 1))
        continue;
      ts_vec3 nb = pair->normals[1][g];
      double cosine = ts_vec3_dot(na, nb);
      if (!(cosine < least + TS_SAME_COSINE && cosine < -TS_SAME_COSINE) ||
          !(height(nb, b[(g + 1) & 3], a[f]) > allowance_m) ||
          !(height(na, a[(f + 1) & 3], b[g]) > allowance_m))
        continue;
      ts_vec3 n = ts_vec3_unit(ts_vec3_sub(na, nb));
      double apart_m = face_distance(pair, f, g, n);
      if (cosine > least - TS_SAME_COSINE && !(apart_m < distance_m - allowance_m)) {
        if (apart_m <= distance_m + allowance_m)
          sum = ts_vec3_add(sum, n);
        continue;
      }
      least = cosine;
      distance_m = apart_m;
      sum = n;
    }
  }
  return ts_vec3_norm(sum) > TS_PARALLEL_SINE ? ts_vec3_unit(sum) : (ts_vec3){0, 0, 0};
}

void ts_tet_opposing_overlapping(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  ts_vec3 normal = most_opposing(pair, TS_TOUCH_RELATIVE * size_m);
  if (!(ts_vec3_norm2(normal) > 0))
    return;
  ts_tet_points points;
  ts_tet_points_find(&points, pair, size_m);
  ts_tet_points_report(out, &points, normal, size_m);
}

void ts_tet_opposing(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  if (ts_tet_pair_overlaps(pair, size_m))
    ts_tet_opposing_overlapping(out, pair, size_m);
}

TS_TET_METHOD(opposing, TS_TET_OPPOSING,
              "Intersection points of tetrahedra, normal between the two surface faces that "
              "oppose each other most.",
              "Erleben 2018, appendix A, Algorithm 1", .locality = TS_LOCALITY_LOCAL,
              .testing = TS_TESTING_VOLUME, .exactness = TS_EXACTNESS_APPROXIMATE,
              .normals = TS_NORMALS_FEATURES, .instant = TS_INSTANT_DISCRETE)
