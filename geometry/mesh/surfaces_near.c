// SPDX-License-Identifier: MIT
#include "geometry/mesh/surfaces_near.h"

#include "base/status.h"
#include "geometry/closest.h"

/// Two surfaces and how close they are to come.
typedef struct meeting {
  const ts_mesh *meshes[2];
  ts_pose b_to_a;
  double within_m;
  bool is_found;
} meeting;

static ts_status visit_pair(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  meeting *m = context;
  const uint32_t triangles[2] = {triangle_a, triangle_b};
  ts_vec3 corners[2][3];
  if (m->is_found)
    return TS_OK;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      const ts_mesh *mesh = m->meshes[side];
      ts_vec3 local = mesh->vertices[mesh->triangles[triangles[side]][i]];
      corners[side][i] = side == 0 ? local : ts_pose_point(m->b_to_a, local);
    }
  m->is_found = ts_closest_triangle_triangle(corners[0], corners[1]).distance_m <= m->within_m;
  return TS_OK;
}

ts_status ts_surfaces_are_near(bool *out, ts_surface a, ts_surface b, ts_pose b_to_a,
                               double within_m) {
  meeting m = {.meshes = {a.mesh, b.mesh}, .b_to_a = b_to_a, .within_m = within_m};
  TS_TRY(ts_bvh_tandem(a.bvh, b.bvh, b_to_a, within_m, visit_pair, &m));
  *out = m.is_found;
  return TS_OK;
}
