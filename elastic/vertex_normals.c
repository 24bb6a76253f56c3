// SPDX-License-Identifier: MIT
#include "elastic/vertex_normals.h"

#include "geometry/vec3.h"

void ts_vertex_normals(ts_vec3 *out, const ts_mesh *mesh) {
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    ts_vec3 p[3] = {mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]};
    ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(p[1], p[0]), ts_vec3_sub(p[2], p[0])));
    for (int i = 0; i < 3; i++) {
      double angle =
          ts_vec3_angle(ts_vec3_sub(p[(i + 1) % 3], p[i]), ts_vec3_sub(p[(i + 2) % 3], p[i]));
      out[v[i]] = ts_vec3_add_scaled(out[v[i]], angle, normal);
    }
  }
  for (size_t v = 0; v < mesh->vertex_count; v++)
    out[v] = ts_vec3_unit(out[v]);
}
