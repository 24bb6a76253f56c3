// SPDX-License-Identifier: MIT
#include "geometry/mesh/winding.h"

#include "geometry/tolerances.h"

static double solid_angle(ts_vec3 a, ts_vec3 b, ts_vec3 c) {
  double la = ts_vec3_norm(a), lb = ts_vec3_norm(b), lc = ts_vec3_norm(c);
  double volume = ts_vec3_dot(a, ts_vec3_cross(b, c));
  // In the plane of a triangle the sign of zero would decide whether half of all directions is on
  // this side of it or on the other.
  if (fabs(volume) <= TS_WINDING_FLAT * la * lb * lc)
    return 0;
  double sum =
      la * lb * lc + ts_vec3_dot(a, b) * lc + ts_vec3_dot(b, c) * la + ts_vec3_dot(c, a) * lb;
  return 2 * atan2(volume, sum);
}

double ts_winding(const ts_mesh *mesh, const ts_vec3 *vertices, ts_vec3 point) {
  static const double all_directions = 12.56637061435917295385;
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    sum += solid_angle(ts_vec3_sub(vertices[v[0]], point), ts_vec3_sub(vertices[v[1]], point),
                       ts_vec3_sub(vertices[v[2]], point));
  }
  return sum / all_directions;
}
