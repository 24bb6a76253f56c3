// SPDX-License-Identifier: MIT
/// Files of points and their hulls: each is refused or becomes a mesh that is exactly convex, the
/// same whatever the order of the points.
#include "geometry/files/points.h"
#include "geometry/mesh/body.h"
#include "geometry/mesh/hull.h"
#include "geometry/mesh/mesh.h"
#include "geometry/predicates.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

/// Whether products of coordinates in threes neither overflow nor underflow.
static bool is_moderate(const ts_hull *hull) {
  for (size_t v = 0; v < hull->vertex_count; v++) {
    double xyz[3] = {hull->vertices[v].x, hull->vertices[v].y, hull->vertices[v].z};
    for (int i = 0; i < 3; i++)
      if (xyz[i] != 0 && !(fabs(xyz[i]) > 1e-50 && fabs(xyz[i]) < 1e50))
        return false;
  }
  return true;
}

static void check_convex(const ts_hull *hull) {
  for (size_t t = 0; t < hull->triangle_count; t++) {
    const uint32_t *c = hull->triangles[t];
    for (size_t v = 0; v < hull->vertex_count; v++)
      FUZZ_CHECK(ts_orient3d(hull->vertices[c[0]], hull->vertices[c[1]], hull->vertices[c[2]],
                             hull->vertices[v]) <= 0);
  }
}

static void check_order(ts_arena *arena, const ts_hull *hull, ts_vec3 *points, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    ts_vec3 swapped = points[i];
    points[i] = points[count - 1 - i];
    points[count - 1 - i] = swapped;
  }
  ts_hull again;
  FUZZ_CHECK(ts_hull_of_points(&again, arena, points, count) == TS_OK);
  FUZZ_CHECK(again.vertex_count == hull->vertex_count &&
             again.triangle_count == hull->triangle_count);
  FUZZ_CHECK(memcmp(again.vertices, hull->vertices, again.vertex_count * sizeof(ts_vec3)) == 0);
  FUZZ_CHECK(memcmp(again.triangles, hull->triangles,
                    again.triangle_count * sizeof *again.triangles) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  ts_vec3 *points;
  size_t count;
  ts_hull hull;
  if (fuzz_is_ok(ts_points_parse(&points, &count, arena, "points.csv", (const char *)data, size,
                                 TS_HULL_POINTS_MAX)) &&
      fuzz_is_ok(ts_hull_of_points(&hull, arena, points, count))) {
    FUZZ_CHECK(hull.vertex_count >= 4 && hull.triangle_count == 2 * hull.vertex_count - 4);
    check_order(arena, &hull, points, count);
    if (is_moderate(&hull)) {
      ts_mesh *mesh;
      check_convex(&hull);
      fuzz_is_ok(ts_mesh_create(&mesh, arena, hull.vertices, hull.vertex_count,
                                (const uint32_t(*)[3])hull.triangles, hull.triangle_count));
    }
  }
  ts_arena_destroy(arena);
  return 0;
}
