// SPDX-License-Identifier: MIT
#include "tests/geometry/solid/solid_fixture.h"

#include "base/status.h"
#include "geometry/mesh/primitive.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static const ts_geometry geometries[SOLID_KINDS] = {
    {.kind = TS_GEOMETRY_SPHERE, .radius_m = 0.4},
    {.kind = TS_GEOMETRY_CAPSULE, .radius_m = 0.2, .half_length_m = 0.35},
    {.kind = TS_GEOMETRY_CYLINDER, .radius_m = 0.3, .half_length_m = 0.4},
    {.kind = TS_GEOMETRY_CONE, .radius_m = 0.4, .half_length_m = 0.35},
    {.kind = TS_GEOMETRY_BOX, .half_size_m = {0.3, 0.4, 0.5}},
    {.kind = TS_GEOMETRY_MESH},
    {.kind = TS_GEOMETRY_CYLINDER, .radius_m = 0.5, .half_length_m = 0.03},
    {.kind = TS_GEOMETRY_CONE, .radius_m = 0.1, .half_length_m = 0.5},
    {.kind = TS_GEOMETRY_CAPSULE, .radius_m = 0.02, .half_length_m = 0.5},
};

bool solid_fixture_is_curved(int kind) {
  return ts_geometry_is_curved(geometries[kind].kind);
}

static ts_solid of_hull(ts_arena *arena, const ts_hull *hull, ts_pose pose) {
  ts_mesh *mesh;
  ts_solid solid;
  cr_assert_eq(ts_mesh_create(&mesh, arena, hull->vertices, hull->vertex_count,
                              (const uint32_t(*)[3])hull->triangles, hull->triangle_count),
               TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_solid_of_mesh(&solid, arena, mesh, pose), TS_OK);
  return solid;
}

ts_solid solid_fixture_make(ts_arena *arena, int kind, double scale, ts_pose pose) {
  ts_geometry *g = ts_arena_copy(arena, &geometries[kind], 1, sizeof *g);
  ts_hull hull;
  ts_solid solid;
  g->radius_m *= scale;
  g->half_length_m *= scale;
  g->half_size_m = ts_vec3_scale(g->half_size_m, scale);
  if (ts_geometry_is_curved(g->kind)) {
    cr_assert_eq(ts_solid_of_geometry(&solid, arena, g, pose), TS_OK);
    return solid;
  }
  if (g->kind == TS_GEOMETRY_BOX) {
    cr_assert_eq(ts_primitive_tessellate(&hull, arena, g, 0), TS_OK);
  } else {
    ts_random random = ts_random_seed(20, 7);
    ts_vec3 points[14];
    for (int i = 0; i < 14; i++)
      points[i] = random_point(&random, 0.45 * scale);
    cr_assert_eq(ts_hull_of_points(&hull, arena, points, 14), TS_OK);
  }
  return of_hull(arena, &hull, pose);
}

ts_solid solid_fixture_moved(ts_arena *arena, const ts_solid *solid, ts_vec3 by) {
  ts_pose pose = solid->pose;
  ts_solid moved;
  pose.translation = ts_vec3_add(pose.translation, by);
  cr_assert_eq(solid->mesh ? ts_solid_of_mesh(&moved, arena, solid->mesh, pose)
                           : ts_solid_of_geometry(&moved, arena, solid->geometry, pose),
               TS_OK);
  return moved;
}

ts_solid solid_fixture_mesh(double *out_error_m, ts_arena *arena, const ts_solid *solid,
                            double error_relative) {
  ts_geometry g = *solid->geometry;
  ts_hull hull;
  cr_assert_eq(ts_primitive_tessellate(&hull, arena, &g, error_relative * g.radius_m), TS_OK, "%s",
               ts_status_detail());
  *out_error_m = g.mesh_error_m;
  return of_hull(arena, &hull, solid->pose);
}

/// Better and better directions around one, in smaller and smaller steps.
static double climb_from(ts_vec3 *normal, const ts_solid *a, const ts_solid *b) {
  double best_m = ts_solid_gap_along(a, b, *normal);
  double step = 0.1;
  for (int tries = 0; tries < 400 && step > 1e-9; tries++) {
    ts_vec3 u, v, better = *normal;
    ts_vec3_tangents(&u, &v, *normal);
    for (int i = 0; i < 16; i++) {
      double angle = 2 * PI * i / 16 + step;
      ts_vec3 there = ts_vec3_add_scaled(*normal, step * cos(angle), u);
      there = ts_vec3_unit(ts_vec3_add_scaled(there, step * sin(angle), v));
      double gap_m = ts_solid_gap_along(a, b, there);
      if (gap_m > best_m) {
        best_m = gap_m;
        better = there;
      }
    }
    step *= ts_vec3_distance(better, *normal) > 0 ? 1 : 0.3;
    *normal = better;
  }
  return best_m;
}

double solid_fixture_search(ts_vec3 *out_normal, const ts_solid *a, const ts_solid *b) {
  enum { DIRECTIONS = 400, CLIMBS = 3 };
  ts_vec3 starts[CLIMBS] = {{0}};
  double gaps_m[CLIMBS], best_m = -INFINITY;
  for (int i = 0; i < CLIMBS; i++)
    gaps_m[i] = -INFINITY;
  for (int i = 0; i < DIRECTIONS; i++) {
    double height = 1 - (2 * i + 1.0) / DIRECTIONS, radius = sqrt(1 - height * height);
    double angle = i * PI * (3 - sqrt(5.0));
    ts_vec3 n = ts_vec3_unit(ts_vec3_make(radius * cos(angle), radius * sin(angle), height));
    double gap_m = ts_solid_gap_along(a, b, n);
    int worst = 0;
    for (int k = 0; k < CLIMBS; k++) { // one start for each place
      if (ts_vec3_dot(starts[k], n) > 0.98) {
        worst = gap_m > gaps_m[k] ? k : -1;
        break;
      }
      if (gaps_m[k] < gaps_m[worst])
        worst = k;
    }
    if (worst >= 0 && gap_m > gaps_m[worst]) {
      gaps_m[worst] = gap_m;
      starts[worst] = n;
    }
  }
  for (int k = 0; k < CLIMBS; k++) {
    double gap_m = climb_from(&starts[k], a, b);
    if (gap_m > best_m) {
      best_m = gap_m;
      *out_normal = starts[k];
    }
  }
  return best_m;
}

ts_solid solid_fixture_at_gap(ts_arena *arena, const ts_solid *a, const ts_solid *b, double gap_m) {
  ts_solid moved = *b;
  for (int i = 0; i < 40; i++) {
    ts_solid_separation found;
    ts_solid_separate(&found, a, &moved, 0);
    double by_m = gap_m - found.way.gap_m;
    if (fabs(by_m) < 1e-15)
      break;
    moved = solid_fixture_moved(arena, &moved, ts_vec3_scale(found.way.normal, by_m));
  }
  return moved;
}
