// SPDX-License-Identifier: MIT
#include "methods/tet/tet_points.h"

#include "geometry/tet.h"
#include "geometry/tolerances.h"

/// The nodes of a tet as the faces of the other see them.
typedef struct seen_nodes {
  double height_m[4][4]; ///< [node][face]
  unsigned front[4];     ///< [node] bit f: in front of face f, by more than the allowance
  unsigned behind[4];    ///< likewise behind
} seen_nodes;

/// Returns 0 when one face has all nodes in front of it, so that there are no points.
static int see_nodes(seen_nodes *out, const ts_vec3 node[4], const ts_vec3 other[4],
                     const ts_vec3 normals[4], double allowance_m) {
  for (int i = 0; i < 4; i++)
    out->front[i] = out->behind[i] = 0;
  for (int f = 0; f < 4; f++) {
    ts_vec3 n = normals[f], base = other[(f + 1) & 3];
    for (int i = 0; i < 4; i++) {
      double height_m = ts_vec3_dot(n, ts_vec3_sub(node[i], base));
      out->height_m[i][f] = height_m;
      out->front[i] |= (unsigned)(height_m > allowance_m) << f;
      out->behind[i] |= (unsigned)(height_m < -allowance_m) << f;
    }
  }
  return !(out->front[0] & out->front[1] & out->front[2] & out->front[3]);
}

/// Adds nodes inside the other tet, and the crossings of edges that go from in front of a face to
/// behind it. An edge that only touches a face's plane, or runs in it, meets the face at a node or
/// where it crosses the planes of other faces: a crossing with the plane itself would be noise.
static void add_points(ts_tet_points *out, const ts_vec3 node[4], const seen_nodes *seen,
                       double allowance_m) {
  for (int i = 0; i < 4; i++)
    if (!seen->front[i])
      out->points[out->count++] = node[i];
  for (int e = 0; e < 6; e++) {
    int i = ts_tet_edge_nodes[e][0], j = ts_tet_edge_nodes[e][1];
    unsigned crossed = (seen->front[i] & seen->behind[j]) | (seen->behind[i] & seen->front[j]);
    if (!crossed || seen->front[i] & seen->front[j])
      continue;
    const double *at_i = seen->height_m[i], *at_j = seen->height_m[j];
    for (int f = 0; f < 4; f++) {
      if (!(crossed >> f & 1))
        continue;
      double t = at_i[f] / (at_i[f] - at_j[f]);
      int inside = 1;
      for (int g = 0; g < 4; g++)
        inside &= g == f || at_i[g] + t * (at_j[g] - at_i[g]) <= allowance_m;
      if (inside)
        out->points[out->count++] = ts_vec3_lerp(node[i], node[j], t);
    }
  }
}

void ts_tet_points_find(ts_tet_points *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  double allowance_m = TS_TOUCH_RELATIVE * size_m;
  const ts_vec3 *a = pair->corners[0], *b = pair->corners[1];
  seen_nodes seen_a, seen_b;
  if (!see_nodes(&seen_a, a, b, pair->normals[1], allowance_m) ||
      !see_nodes(&seen_b, b, a, pair->normals[0], allowance_m))
    return;
  add_points(out, a, &seen_a, allowance_m);
  add_points(out, b, &seen_b, allowance_m);
  ts_tet_points_drop_duplicates(out, size_m);
}

/// Whether a vector is no longer than the root of `length2`; most are not along x alone.
static inline int is_short(ts_vec3 v, double length2) {
  return v.x * v.x <= length2 && ts_vec3_norm2(v) <= length2;
}

void ts_tet_points_drop_duplicates(ts_tet_points *points, double size_m) {
  double tolerance_m = TS_SAME_POINT_RELATIVE * size_m, tolerance2 = tolerance_m * tolerance_m;
  size_t kept = 0;
  for (size_t i = 0; i < points->count; i++) {
    ts_vec3 p = points->points[i];
    size_t k = 0;
    while (k < kept && !is_short(ts_vec3_sub(points->points[k], p), tolerance2))
      k++;
    if (k == kept)
      points->points[kept++] = p;
  }
  points->count = kept;
}

/// Moves the points to the plane at `offset_m` along the normal; what is left becomes contacts.
static void report_in_plane(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                            double offset_m, double gap_m, double size_m) {
  for (size_t i = 0; i < points->count; i++) {
    ts_vec3 p = points->points[i];
    points->points[i] = ts_vec3_add_scaled(p, offset_m - ts_vec3_dot(normal, p), normal);
  }
  ts_tet_points_drop_duplicates(points, size_m);
  for (size_t i = 0; i < points->count && out->count < TS_TET_CONTACTS_MAX; i++)
    out->contacts[out->count++] = (ts_contact){
        .point = points->points[i], .normal = normal, .gap_m = gap_m, .area_m2 = (double)NAN};
}

void ts_tet_points_report(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                          double size_m) {
  double low_m = INFINITY, high_m = -INFINITY;
  for (size_t i = 0; i < points->count; i++) {
    double at_m = ts_vec3_dot(normal, points->points[i]);
    low_m = at_m < low_m ? at_m : low_m;
    high_m = at_m > high_m ? at_m : high_m;
  }
  report_in_plane(out, points, normal, 0.5 * (low_m + high_m), low_m - high_m, size_m);
}

void ts_tet_points_report_average(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                                  double gap_m, double size_m) {
  double sum_m = 0;
  for (size_t i = 0; i < points->count; i++)
    sum_m += ts_vec3_dot(normal, points->points[i]);
  report_in_plane(out, points, normal, sum_m / (double)points->count, gap_m, size_m);
}
