// SPDX-License-Identifier: MIT
// covers: geometry/mesh/primitive.c geometry/mesh/primitive_distance.c
#include "geometry/mesh/primitive.h"

#include "base/random.h"
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/body.h"
#include "geometry/mesh/primitive_distance.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;
static ts_random rng;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  rng = ts_random_seed(20, 1);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_primitive, .init = setup, .fini = teardown);

#define SOLIDS 6

/// One of each kind, and a capsule like a needle, at a scale.
static ts_geometry solid(int i, double scale) {
  static const ts_geometry all[SOLIDS] = {
      {.kind = TS_GEOMETRY_SPHERE, .radius_m = 0.3},
      {.kind = TS_GEOMETRY_CAPSULE, .radius_m = 0.2, .half_length_m = 0.35},
      {.kind = TS_GEOMETRY_CYLINDER, .radius_m = 0.25, .half_length_m = 0.1},
      {.kind = TS_GEOMETRY_CONE, .radius_m = 0.4, .half_length_m = 0.3},
      {.kind = TS_GEOMETRY_BOX, .half_size_m = {0.1, 0.2, 0.3}},
      {.kind = TS_GEOMETRY_CAPSULE, .radius_m = 0.01, .half_length_m = 1},
  };
  ts_geometry g = all[i];
  g.radius_m *= scale;
  g.half_length_m *= scale;
  g.half_size_m = ts_vec3_scale(g.half_size_m, scale);
  return g;
}

static const ts_mesh *mesh_of(ts_geometry *g, double error_relative) {
  ts_hull hull;
  ts_mesh *mesh;
  double error_m = g->kind == TS_GEOMETRY_BOX ? 0 : error_relative * g->radius_m;
  cr_assert_eq(ts_primitive_tessellate(&hull, arena, g, error_m), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_mesh_create(&mesh, arena, hull.vertices, hull.vertex_count,
                              (const uint32_t(*)[3])hull.triangles, hull.triangle_count),
               TS_OK, "%s", ts_status_detail());
  return mesh;
}

/// A point of a triangle.
static ts_vec3 point_on(const ts_mesh *mesh, size_t triangle) {
  const uint32_t *t = mesh->triangles[triangle];
  double u = ts_random_unit(&rng), v = ts_random_unit(&rng);
  ts_vec3 p = ts_vec3_lerp(mesh->vertices[t[0]], mesh->vertices[t[1]], u);
  return ts_vec3_lerp(p, mesh->vertices[t[2]], v);
}

static double distance_to_mesh(const ts_mesh *mesh, ts_vec3 p) {
  double least = INFINITY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *corners = mesh->triangles[t];
    const ts_vec3 vertices[3] = {mesh->vertices[corners[0]], mesh->vertices[corners[1]],
                                 mesh->vertices[corners[2]]};
    least = fmin(least, ts_closest_point_triangle(p, vertices).distance_m);
  }
  return least;
}

/// The direction in which the surface of a solid faces near a point on it.
static ts_vec3 normal_at(const ts_geometry *g, ts_vec3 p, double size_m) {
  const double step_m = 1e-6 * size_m;
  ts_vec3 slope = {0};
  for (int axis = 0; axis < 3; axis++) {
    ts_vec3 ahead = p, behind = p;
    (&ahead.x)[axis] += step_m;
    (&behind.x)[axis] -= step_m;
    (&slope.x)[axis] =
        ts_geometry_nearest(g, ahead).distance_m - ts_geometry_nearest(g, behind).distance_m;
  }
  return ts_vec3_unit(slope);
}

Test(geometry_primitive, meshes_contain_their_solid_and_are_off_by_no_more_than_they_state) {
  for (int i = 0; i < SOLIDS; i++)
    for (int level = 0; level < 3; level++) {
      const double scale = level == 0 ? 1e-3 : level == 1 ? 1 : 1e3;
      const double wanted = level == 0 ? 2e-2 : level == 1 ? TS_TESSELLATION_RELATIVE : 2e-3;
      ts_geometry g = solid(i, scale);
      const ts_mesh *mesh = mesh_of(&g, wanted);
      double size_m = ts_aabb_extent(ts_mesh_bounds(mesh)), most_m = 0;
      cr_expect_leq(g.mesh_error_m, wanted * g.radius_m * (1 + 1e-9));
      for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 20; k++) {
          ts_vec3 p = k < 3 ? mesh->vertices[mesh->triangles[t][k]] : point_on(mesh, t);
          double distance_m = ts_geometry_nearest(&g, p).distance_m;
          cr_assert_geq(distance_m, -1e-14 * size_m, "solid %d: a face is %g m inside", i,
                        -distance_m);
          most_m = fmax(most_m, distance_m);
        }
      cr_expect_leq(most_m, g.mesh_error_m + 1e-14 * size_m, "solid %d", i);
      cr_expect_geq(most_m, 0.4 * g.mesh_error_m, "solid %d states more than it is off", i);
    }
}

Test(geometry_primitive, no_mesh_is_off_by_more_than_was_asked_for) {
  for (double wanted = 0.3; wanted > 1e-3; wanted *= 0.83)
    for (int i = 0; i < 4; i++) {
      ts_geometry g = solid(i, 1);
      (void)mesh_of(&g, wanted);
      cr_expect_leq(g.mesh_error_m, wanted * g.radius_m * (1 + 1e-9), "solid %d asked for %g", i,
                    wanted);
    }
}

Test(geometry_primitive, normals_of_meshes_are_off_by_no_more_than_they_state) {
  for (int i = 0; i < SOLIDS; i++) {
    ts_geometry g = solid(i, 1);
    const ts_mesh *mesh = mesh_of(&g, TS_TESSELLATION_RELATIVE);
    double size_m = ts_aabb_extent(ts_mesh_bounds(mesh)), most_rad = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++)
      for (int k = 0; k < 20; k++) {
        ts_vec3 on_solid = ts_geometry_nearest(&g, point_on(mesh, t)).point;
        // An edge of the solid has no normal of its own.
        bool is_edge =
            fabs(ts_geometry_nearest(
                     &g, ts_vec3_add_scaled(on_solid, -1e-3 * size_m, ts_mesh_face_normal(mesh, t)))
                     .distance_m) < 0.99e-3 * size_m &&
            g.kind != TS_GEOMETRY_SPHERE && g.kind != TS_GEOMETRY_CAPSULE;
        if (!is_edge)
          most_rad = fmax(most_rad, ts_vec3_angle(ts_mesh_face_normal(mesh, t),
                                                  normal_at(&g, on_solid, size_m)));
      }
    cr_expect_leq(most_rad, g.mesh_angle_rad + 1e-4, "solid %d", i);
    if (g.kind != TS_GEOMETRY_BOX)
      cr_expect_geq(most_rad, 0.7 * g.mesh_angle_rad, "solid %d states more than it is off", i);
  }
}

Test(geometry_primitive, meshes_are_convex_and_the_same_to_the_bit_for_equal_solids) {
  for (int i = 0; i < SOLIDS; i++) {
    ts_geometry g = solid(i, 1), again = solid(i, 1);
    const ts_mesh *mesh = mesh_of(&g, 1e-2), *other = mesh_of(&again, 1e-2);
    ts_shape shape = {.mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
    cr_expect(ts_shape_is_convex(&shape), "solid %d", i);
    cr_assert_eq(mesh->vertex_count, other->vertex_count);
    cr_expect_eq(memcmp(mesh->vertices, other->vertices, mesh->vertex_count * sizeof(ts_vec3)), 0);
    // The error that a mesh has asks for that mesh.
    ts_geometry stated = solid(i, 1);
    ts_hull hull;
    cr_assert_eq(ts_primitive_tessellate(&hull, arena, &stated, g.mesh_error_m), TS_OK);
    cr_expect_eq(hull.vertex_count, mesh->vertex_count, "solid %d", i);
  }
}

Test(geometry_primitive, masses_are_what_those_of_meshes_converge_to) {
  for (int i = 0; i < SOLIDS; i++) {
    double off[2];
    for (int level = 0; level < 2; level++) {
      ts_geometry g = solid(i, 1);
      ts_mass_properties of_mesh =
          ts_mesh_mass_properties(mesh_of(&g, level == 0 ? 8e-3 : 1e-3), 2000);
      ts_mass_properties exact = ts_primitive_mass_properties(&g, 2000);
      double most = fabs(of_mesh.mass_kg / exact.mass_kg - 1);
      for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(of_mesh.inertia_kg_m2[k][k] / exact.inertia_kg_m2[k][k] - 1));
      cr_expect_float_eq(of_mesh.centre_local.y, exact.centre_local.y, 5e-3);
      off[level] = most;
    }
    cr_expect_leq(off[0], 5 * 8e-3, "solid %d is off by %g", i, off[0]);
    cr_expect_leq(off[1], fmax(off[0] / 5, 1e-12), "solid %d: %g, then %g", i, off[0], off[1]);
  }
}

Test(geometry_primitive, nearest_points_are_those_of_a_fine_mesh) {
  for (int i = 0; i < SOLIDS; i++) {
    ts_geometry g = solid(i, 1);
    const ts_mesh *mesh = mesh_of(&g, 2e-3);
    for (int k = 0; k < 200; k++) {
      ts_vec3 p = random_point(&rng, 1.5);
      ts_nearest found = ts_geometry_nearest(&g, p);
      cr_expect_float_eq(ts_geometry_nearest(&g, found.point).distance_m, 0, 1e-15);
      cr_expect_float_eq(ts_vec3_distance(found.point, p), fabs(found.distance_m), 1e-15);
      cr_expect_float_eq(fabs(found.distance_m), distance_to_mesh(mesh, p), g.mesh_error_m + 1e-15,
                         "solid %d", i);
    }
  }
}

Test(geometry_primitive, the_middle_has_a_nearest_point) {
  static const double depths[SOLIDS] = {0.3, 0.2, 0.1, 0.1664100588675687, 0.1, 0.01};
  for (int i = 0; i < SOLIDS; i++) {
    ts_geometry g = solid(i, 1);
    ts_nearest found = ts_geometry_nearest(&g, ts_vec3_make(0, 0, 0));
    cr_expect(ts_vec3_is_finite(found.point));
    cr_expect_float_eq(found.distance_m, -depths[i], 1e-15, "solid %d: %.17g", i, found.distance_m);
  }
  const ts_geometry plane = {.kind = TS_GEOMETRY_PLANE};
  cr_expect_eq(ts_geometry_nearest(&plane, ts_vec3_make(7, -2, 1)).distance_m, -2);
}

Test(geometry_primitive, a_segment_is_as_deep_as_its_deepest_point) {
  ts_geometry ball = solid(0, 1);
  double depth = ts_geometry_depth_along(&ball, ts_vec3_make(-1, 0.1, 0), ts_vec3_make(1, 0.1, 0));
  cr_expect_float_eq(depth, 0.2, 1e-6);
  depth = ts_geometry_depth_along(&ball, ts_vec3_make(-1, 0.3001, 0), ts_vec3_make(1, 0.3001, 0));
  cr_expect_eq(depth, 0);
  depth = ts_geometry_depth_along(&ball, ts_vec3_make(0.3, 0, 0), ts_vec3_make(1, 0, 0));
  cr_expect_leq(depth, 1e-6);
}

Test(geometry_primitive, an_offset_moves_the_surface_by_that_much) {
  for (int i = 0; i < SOLIDS; i++) {
    ts_geometry g = solid(i, 1), moved;
    bool is_known = ts_primitive_offset(&moved, &g, 0.005);
    cr_expect_eq(is_known, g.kind != TS_GEOMETRY_CONE);
    for (int k = 0; is_known && k < 100; k++) {
      ts_vec3 p = ts_geometry_nearest(&g, random_point(&rng, 1.5)).point;
      ts_vec3 inwards = ts_vec3_scale(p, 1 - 1e-6);
      cr_expect_float_eq(ts_geometry_nearest(&moved, inwards).distance_m, -0.005, 2e-6, "solid %d",
                         i);
    }
    cr_expect_not(ts_primitive_offset(&moved, &g, -0.5) && g.radius_m < 0.5);
  }
}

/// Tries a primitive, and expects a message.
static void refuse(ts_geometry g, double error_m, const char *message) {
  ts_hull hull;
  cr_expect_eq(ts_primitive_tessellate(&hull, arena, &g, error_m), TS_E_INPUT, "%s", message);
  cr_expect(strstr(ts_status_detail(), message), "\"%s\" lacks \"%s\"", ts_status_detail(),
            message);
}

Test(geometry_primitive, lengths_that_are_none_are_refused) {
  ts_geometry g = solid(0, 1);
  g.radius_m = 0;
  refuse(g, 1e-3, "a sphere has radius 0; give a number above 0");
  g.radius_m = NAN;
  refuse(g, 1e-3, "a sphere has radius");
  g = solid(1, 1);
  g.half_length_m = -1;
  refuse(g, 1e-3, "a capsule has length -2");
  g = solid(4, 1);
  g.half_size_m.y = INFINITY;
  refuse(g, 0, "a box has size y inf");
  refuse(solid(3, 1), 1e-9,
         "a cone of radius 0.4 m has a mesh with an error of 1e-09 m; give 4e-06");
  refuse(solid(3, 1), NAN, "give 4e-06 m or more");
}
