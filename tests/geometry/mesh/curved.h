// SPDX-License-Identifier: MIT
/// Curved meshes that the geometry tests are made of.
#ifndef TS_TESTS_GEOMETRY_CURVED_H
#define TS_TESTS_GEOMETRY_CURVED_H

#include "geometry/mesh/primitive.h"
#include "tests/geometry/mesh/solids.h"

/// Around a sphere, outside of it by `error_m` at most.
static inline ts_mesh *sphere_mesh(ts_arena *arena, double radius_m, double error_m) {
  ts_geometry geometry = {.kind = TS_GEOMETRY_SPHERE, .radius_m = radius_m};
  ts_hull hull;
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_primitive_tessellate(&hull, arena, &geometry, error_m), TS_OK, "%s",
               ts_status_detail());
  cr_assert_eq(ts_mesh_create(&mesh, arena, hull.vertices, hull.vertex_count,
                              (const uint32_t(*)[3])hull.triangles, hull.triangle_count),
               TS_OK, "%s", ts_status_detail());
  return mesh;
}

/// A torus about z of `rings` x `sides` quadrilaterals, its vertices on the exact one.
static inline ts_mesh *torus_mesh(ts_arena *arena, double ring_m, double tube_m, uint32_t rings,
                                  uint32_t sides) {
  const double turn = 2 * 3.14159265358979323846;
  ts_vec3 *vertices = ts_arena_array(arena, rings * sides, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 2 * rings * sides, sizeof *triangles);
  ts_mesh *mesh = NULL;
  cr_assert(vertices && triangles);
  for (uint32_t i = 0, t = 0; i < rings; i++)
    for (uint32_t k = 0; k < sides; k++) {
      double u = turn * i / rings, v = turn * k / sides, r = ring_m + tube_m * cos(v);
      uint32_t next = (i + 1) % rings * sides, up = (k + 1) % sides;
      const uint32_t corners[2][3] = {{i * sides + k, next + k, next + up},
                                      {i * sides + k, next + up, i * sides + up}};
      vertices[i * sides + k] = (ts_vec3){r * cos(u), r * sin(u), tube_m * sin(v)};
      for (int c = 0; c < 2; c++, t++)
        for (int j = 0; j < 3; j++)
          triangles[t][j] = corners[c][j];
    }
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, rings * sides,
                              (const uint32_t(*)[3])triangles, 2 * rings * sides),
               TS_OK, "%s", ts_status_detail());
  return mesh;
}

#endif
