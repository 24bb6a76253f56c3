// SPDX-License-Identifier: MIT
#include "methods/tet/tet_points.h"

#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/tet/prox_tet.h"

#include <stdbool.h>

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

void ts_tet_points_find(ts_tet_points *out, const ts_tet_pair *pair, ts_profile profile,
                        double size_m) {
  out->count = 0;
  if (profile == TS_PROFILE_PROX2018) {
    ts_prox_pair_planes planes;
    ts_prox_pair_planes_set(&planes, pair);
    ts_prox_points(out, pair, &planes);
    return;
  }
  double allowance_m = TS_TOUCH_RELATIVE * size_m;
  const ts_vec3 *a = pair->corners[0], *b = pair->corners[1];
  seen_nodes seen_a, seen_b;
  if (!see_nodes(&seen_a, a, b, pair->normals[1], allowance_m) ||
      !see_nodes(&seen_b, b, a, pair->normals[0], allowance_m))
    return;
  add_points(out, a, &seen_a, allowance_m);
  add_points(out, b, &seen_b, allowance_m);
  ts_tet_points_drop_duplicates(out, profile, size_m);
}

/// prox2018 compares coordinates, the paper's profile what no rigid motion changes.
static inline int same_place(ts_vec3 p, ts_vec3 q, ts_profile profile, double tolerance_m) {
  ts_vec3 d = ts_vec3_sub(p, q);
  if (profile == TS_PROFILE_PROX2018)
    return fabs(d.x) < tolerance_m && fabs(d.y) < tolerance_m && fabs(d.z) < tolerance_m;
  return ts_vec3_norm2(d) <= tolerance_m * tolerance_m;
}

void ts_tet_points_drop_duplicates(ts_tet_points *points, ts_profile profile, double size_m) {
  double tolerance_m =
      profile == TS_PROFILE_PROX2018 ? TS_PROX_SAME_POINT_M : TS_SAME_POINT_RELATIVE * size_m;
  size_t kept = 0;
  for (size_t i = 0; i < points->count; i++) {
    size_t k = 0;
    while (k < kept && !same_place(points->points[k], points->points[i], profile, tolerance_m))
      k++;
    if (k == kept)
      points->points[kept++] = points->points[i];
  }
  points->count = kept;
}

/// prox2018: those that nearly equal an earlier one, whether that was dropped or not.
static void drop_followers(ts_tet_points *points) {
  bool is_dropped[TS_TET_POINTS_MAX] = {false};
  for (size_t i = 1; i < points->count; i++)
    for (size_t k = 0; k < i && !is_dropped[i]; k++)
      is_dropped[i] = same_place(points->points[k], points->points[i], TS_PROFILE_PROX2018,
                                 TS_PROX_SAME_POINT_M);
  size_t kept = 0;
  for (size_t i = 0; i < points->count; i++)
    if (!is_dropped[i])
      points->points[kept++] = points->points[i];
  points->count = kept;
}

/// The point in the plane through `offset_m` along the normal; prox2018 in its order of operations.
static inline ts_vec3 in_plane(ts_vec3 p, ts_vec3 normal, double offset_m, ts_profile profile) {
  if (profile == TS_PROFILE_PROX2018) {
    ts_vec3 from_plane = ts_vec3_sub(p, ts_vec3_scale(normal, offset_m));
    return ts_vec3_sub(p, ts_vec3_scale(normal, ts_vec3_dot(normal, from_plane)));
  }
  return ts_vec3_add_scaled(p, offset_m - ts_vec3_dot(normal, p), normal);
}

/// Moves the points to the plane at `offset_m` along the normal; what is left becomes contacts.
static void report_in_plane(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                            double offset_m, double gap_m, ts_profile profile, double size_m) {
  for (size_t i = 0; i < points->count; i++)
    points->points[i] = in_plane(points->points[i], normal, offset_m, profile);
  if (profile == TS_PROFILE_PROX2018)
    drop_followers(points);
  else
    ts_tet_points_drop_duplicates(points, profile, size_m);
  for (size_t i = 0; i < points->count && out->count < TS_TET_CONTACTS_MAX; i++)
    out->contacts[out->count++] = (ts_contact){
        .point = points->points[i], .normal = normal, .gap_m = gap_m, .area_m2 = (double)NAN};
}

void ts_tet_points_report(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                          ts_profile profile, double size_m) {
  double low_m = INFINITY, high_m = -INFINITY;
  for (size_t i = 0; i < points->count; i++) {
    double at_m = ts_vec3_dot(normal, points->points[i]);
    low_m = at_m < low_m ? at_m : low_m;
    high_m = at_m > high_m ? at_m : high_m;
  }
  report_in_plane(out, points, normal, 0.5 * (low_m + high_m), low_m - high_m, profile, size_m);
}

void ts_tet_points_report_average(ts_tet_contacts *out, ts_tet_points *points, ts_vec3 normal,
                                  double gap_m, ts_profile profile, double size_m) {
  double sum_m = 0;
  for (size_t i = 0; i < points->count; i++)
    sum_m += ts_vec3_dot(normal, points->points[i]);
  report_in_plane(out, points, normal, sum_m / (double)points->count, gap_m, profile, size_m);
}
