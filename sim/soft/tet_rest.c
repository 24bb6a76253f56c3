// SPDX-License-Identifier: MIT
#include "sim/soft/tet_rest.h"

#include "geometry/closest.h"
#include "geometry/tet.h"

#include <math.h>
#include <string.h>

/// Corners and centroid of a tet about `origin`, so that a mesh far from its own loses no digits.
static ts_vec3 find_corners(ts_vec3 out[4], const ts_tet_element *element, const ts_vec3 *rest,
                            ts_vec3 origin) {
  ts_vec3 sum = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    out[i] = ts_vec3_sub(rest[element->nodes[i]], origin);
    sum = ts_vec3_add(sum, out[i]);
  }
  return ts_vec3_scale(sum, 0.25);
}

static void add_square(ts_mat3 *out, double weight, ts_vec3 v) {
  *out =
      ts_mat3_add(*out, ts_mat3_rows(ts_vec3_scale(v, weight * v.x), ts_vec3_scale(v, weight * v.y),
                                     ts_vec3_scale(v, weight * v.z)));
}

double ts_tet_rest_length_m(const ts_tet_element *elements, size_t count, const ts_vec3 *rest) {
  ts_vec3 corners[4], sum = {0, 0, 0};
  double volume_m3 = 0;
  for (size_t e = 0; e < count; e++) {
    ts_vec3 middle = find_corners(corners, &elements[e], rest, rest[0]);
    sum = ts_vec3_add_scaled(sum, elements[e].volume_m3, middle);
    volume_m3 += elements[e].volume_m3;
  }
  ts_vec3 centre = ts_vec3_add_scaled(rest[0], 1 / volume_m3, sum);
  ts_mat3 covariance = {{{0}}};
  for (size_t e = 0; e < count; e++) { // a solid tet has a twentieth of the squares of its corners
    double share = elements[e].volume_m3 / volume_m3;
    ts_vec3 middle = find_corners(corners, &elements[e], rest, centre);
    add_square(&covariance, share, middle);
    for (int i = 0; i < 4; i++)
      add_square(&covariance, share / 20, ts_vec3_sub(corners[i], middle));
  }
  return sqrt(12 * ts_mat3_norm(covariance));
}

static void find_weights(double out[4], const ts_tet_element *element, const ts_vec3 *rest,
                         ts_vec3 point) {
  ts_vec3 from = ts_vec3_sub(point, rest[element->nodes[0]]);
  out[0] = 1;
  for (int i = 1; i < 4; i++) {
    out[i] = ts_vec3_dot(element->gradients[i], from);
    out[0] -= out[i];
  }
}

/// Distance of the point and the tet in which it has those coordinates; `reach_m` if that is not
/// more than the distance.
static double find_distance(const ts_tet_element *element, const ts_vec3 *rest, ts_vec3 point,
                            const double weights[4], double reach_m) {
  double distance_m = INFINITY, plane_m = 0;
  for (int i = 0; i < 4; i++) // from the planes of the faces that the point is beyond
    plane_m = ts_max(plane_m, -weights[i] / ts_vec3_norm(element->gradients[i]));
  if (plane_m >= reach_m)
    return reach_m;
  for (int i = 0; i < 4; i++) {
    if (!(weights[i] < 0))
      continue;
    ts_vec3 face[3];
    for (int k = 0; k < 3; k++)
      face[k] = rest[element->nodes[ts_tet_face_nodes[i][k]]];
    distance_m = fmin(distance_m, ts_closest_point_triangle(point, face).distance_m);
  }
  return isinf(distance_m) ? 0 : distance_m; // beyond none: inside
}

ts_tet_point ts_tet_rest_point(const ts_tet_element *elements, size_t count, const ts_vec3 *rest,
                               ts_vec3 point) {
  size_t nearest = 0;
  double least_m = INFINITY;
  ts_tet_point out;
  for (size_t e = 0; e < count && least_m > 0; e++) {
    find_weights(out.weights, &elements[e], rest, point);
    double distance_m = find_distance(&elements[e], rest, point, out.weights, least_m);
    if (distance_m < least_m) {
      least_m = distance_m;
      nearest = e;
    }
  }
  memcpy(out.nodes, elements[nearest].nodes, sizeof out.nodes);
  find_weights(out.weights, &elements[nearest], rest, point);
  return out;
}
