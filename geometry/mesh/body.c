// SPDX-License-Identifier: MIT
#include "geometry/mesh/body.h"

#include "geometry/mesh/primitive.h"
#include "geometry/tolerances.h"

/// Whether no neighbour of any face rises above it by more than `tolerance_m`.
static bool is_convex_at_edges(const ts_mesh *mesh, double tolerance_m) {
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    uint32_t twin = mesh->edge_twin[h];
    const uint32_t *t = mesh->triangles[h / 3];
    ts_vec3 opposite = mesh->vertices[mesh->triangles[twin / 3][(twin % 3 + 2) % 3]];
    ts_vec3 from_face = ts_vec3_sub(opposite, mesh->vertices[t[0]]);
    if (ts_vec3_dot(ts_mesh_face_normal(mesh, h / 3), from_face) > tolerance_m)
      return false;
  }
  return true;
}

bool ts_shape_is_convex(const ts_shape *shape) {
  const ts_mesh *mesh = shape->mesh;
  // Euler: a closed surface without holes has V - E + F = 2, and 2 E = 3 F. Several of them, each
  // convex, have more vertices, and so has one with vertices that no triangle uses.
  bool is_one_surface = 2 * mesh->vertex_count == mesh->triangle_count + 4;
  return is_one_surface &&
         is_convex_at_edges(mesh, TS_CONVEX_RELATIVE * ts_aabb_extent(shape->bounds_local));
}

ts_mass_properties ts_shape_mass_properties(const ts_shape *shape, double density_kg_m3) {
  return ts_geometry_is_primitive(shape->geometry.kind)
             ? ts_primitive_mass_properties(&shape->geometry, density_kg_m3)
             : ts_mesh_mass_properties(shape->mesh, density_kg_m3);
}

ts_aabb ts_body_bounds(const ts_shape *shape, ts_pose pose) {
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < shape->mesh->vertex_count; i++)
    box = ts_aabb_add(box, ts_pose_point(pose, shape->mesh->vertices[i]));
  return box;
}

double ts_pair_size_m(const ts_shape *a, const ts_shape *b) {
  return fmin(ts_aabb_extent(a->bounds_local), ts_aabb_extent(b->bounds_local));
}
