// SPDX-License-Identifier: MIT
// covers: geometry/mesh/hull.c geometry/mesh/exact_hull.c
#include "geometry/mesh/hull.h"

#include "base/random.h"
#include "base/status.h"
#include "geometry/mesh/body.h"
#include "geometry/mesh/exact_hull.h"
#include "geometry/mesh/mesh.h"
#include "geometry/mesh/patches.h"
#include "geometry/predicates.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define POINTS_MAX 4000

static ts_arena *arena;
static ts_random rng;
static ts_vec3 points[POINTS_MAX];
static size_t count;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  rng = ts_random_seed(20, 0);
  count = 0;
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_hull, .init = setup, .fini = teardown);

static void add(double x, double y, double z) {
  cr_assert_lt(count, POINTS_MAX);
  points[count++] = (ts_vec3){x, y, z};
}

static double between(double low, double high) {
  return ts_random_uniform(&rng, low, high);
}

static ts_hull make_hull(void) {
  ts_hull hull;
  cr_assert_eq(ts_hull_of_points(&hull, arena, points, count), TS_OK, "%s", ts_status_detail());
  return hull;
}

static const ts_mesh *mesh_of(const ts_hull *hull) {
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, hull->vertices, hull->vertex_count,
                              (const uint32_t(*)[3])hull->triangles, hull->triangle_count),
               TS_OK, "%s", ts_status_detail());
  return mesh;
}

static bool is_given(ts_vec3 p) {
  for (size_t i = 0; i < count; i++)
    if (memcmp(&points[i], &p, sizeof p) == 0)
      return true;
  return false;
}

/// Whether the hull is one: its vertices are points to the bit and none is outside of a face,
/// exactly, and points are outside by at most `reach`.
static void expect_hull(const ts_hull *hull, double reach) {
  const ts_mesh *mesh = mesh_of(hull);
  cr_expect_eq(hull->triangle_count, 2 * hull->vertex_count - 4);
  for (size_t v = 0; v < hull->vertex_count; v++)
    cr_expect(is_given(hull->vertices[v]), "vertex %zu", v);
  for (size_t t = 0; t < hull->triangle_count; t++) {
    const uint32_t *c = hull->triangles[t];
    ts_vec3 corner[3] = {hull->vertices[c[0]], hull->vertices[c[1]], hull->vertices[c[2]]};
    for (size_t v = 0; v < hull->vertex_count; v++)
      cr_assert_leq(ts_orient3d(corner[0], corner[1], corner[2], hull->vertices[v]), 0);
    ts_vec3 normal = ts_mesh_face_normal(mesh, t);
    for (size_t i = 0; i < count; i++)
      cr_assert_leq(ts_vec3_dot(normal, ts_vec3_sub(points[i], corner[0])), reach);
  }
}

/// The faces of the mesh as methods see them.
static size_t count_patches(const ts_mesh *mesh) {
  ts_patches *patches;
  double size = ts_aabb_extent(ts_mesh_bounds(mesh));
  cr_assert_eq(ts_patches_create(&patches, arena, mesh, TS_TOUCH_RELATIVE * size), TS_OK);
  return patches->patch_count;
}

static void add_box(double x, double y, double z) {
  for (int i = 0; i < 8; i++)
    add(i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0);
}

static ts_pose some_pose(void) {
  ts_vec3 axis = ts_vec3_unit((ts_vec3){between(-1, 1), between(-1, 1), between(-1, 1)});
  ts_vec3 shift = {between(-3, 3), between(-3, 3), between(-3, 3)};
  return (ts_pose){ts_quat_from_axis_angle(axis, between(0, 3)), shift};
}

static void move_points(ts_pose pose) {
  for (size_t i = 0; i < count; i++)
    points[i] = ts_pose_point(pose, points[i]);
}

Test(geometry_hull, a_box_of_eight_points_has_six_faces_and_twelve_triangles) {
  add_box(1, 2, 3);
  ts_hull hull = make_hull();
  cr_expect_eq(hull.vertex_count, 8);
  cr_expect_eq(hull.triangle_count, 12);
  cr_expect_eq(count_patches(mesh_of(&hull)), 6);
  expect_hull(&hull, 0);
  cr_expect_float_eq(ts_mesh_mass_properties(mesh_of(&hull), 1).volume_m3, 6, 1e-14);
}

Test(geometry_hull, points_in_faces_and_along_edges_of_a_turned_box_are_left_out) {
  for (int round = 0; round < 50; round++) {
    count = 0;
    for (int x = 0; x <= 4; x++)
      for (int y = 0; y <= 4; y++)
        for (int z = 0; z <= 4; z++)
          add(x, 2 * y, 3 * z);
    move_points(some_pose());
    ts_hull hull = make_hull();
    cr_expect_eq(hull.vertex_count, 8);
    cr_expect_eq(count_patches(mesh_of(&hull)), 6);
    expect_hull(&hull, 1e-13);
  }
}

Test(geometry_hull, of_points_that_are_nearly_one_one_is_left) {
  const double noises[] = {1e-16, 1e-14, 1e-12, 1e-11};
  for (size_t n = 0; n < sizeof noises / sizeof *noises; n++) {
    count = 0;
    add_box(1, 1, 1);
    for (int i = 0; i < 80; i++) {
      ts_vec3 p = points[i % 8];
      double e = noises[n];
      add(p.x + between(-e, e), p.y + between(-e, e), p.z + between(-e, e));
    }
    ts_hull hull = make_hull();
    cr_expect_eq(hull.vertex_count, 8, "noise %g: %zu", noises[n], hull.vertex_count);
    expect_hull(&hull, 10 * TS_HULL_FLAT_RELATIVE);
  }
}

Test(geometry_hull, noise_of_any_size_leaves_a_mesh_that_is_convex_and_not_degenerate) {
  for (int round = 0; round < 300; round++) {
    double noise = pow(10, -16 + round % 14);
    count = 0;
    add_box(1, 1, 1);
    for (int i = 0; i < 60; i++) {
      double p[3] = {between(0, 1), between(0, 1), between(0, 1)};
      p[i % 3] = i % 2;
      if (i % 5 == 0)
        p[(i + 1) % 3] = i % 4 < 2;
      add(p[0] + between(-noise, noise), p[1] + between(-noise, noise),
          p[2] + between(-noise, noise));
    }
    move_points(some_pose());
    ts_hull hull = make_hull();
    const ts_mesh *mesh = mesh_of(&hull);
    ts_shape shape = {.mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
    cr_expect(ts_shape_is_convex(&shape));
    for (size_t t = 0; t < hull.triangle_count; t++)
      for (size_t v = 0; v < hull.vertex_count; v++) {
        const uint32_t *c = hull.triangles[t];
        cr_assert_leq(ts_orient3d(hull.vertices[c[0]], hull.vertices[c[1]], hull.vertices[c[2]],
                                  hull.vertices[v]),
                      0);
      }
  }
}

Test(geometry_hull, points_in_single_precision_keep_the_shape_they_have) {
  add_box(1, 1, 1);
  move_points(some_pose());
  for (size_t i = 0; i < count; i++)
    points[i] = (ts_vec3){(float)points[i].x, (float)points[i].y, (float)points[i].z};
  ts_hull hull = make_hull();
  cr_expect_eq(hull.vertex_count, 8);
  expect_hull(&hull, 1e-15);
}

Test(geometry_hull, every_point_of_a_sphere_is_a_vertex_and_none_within) {
  for (int i = 0; i < 1000; i++) {
    ts_vec3 p = {between(-1, 1), between(-1, 1), between(-1, 1)};
    p = ts_vec3_scale(ts_vec3_unit(p), i < 500 ? 1 : between(0, 0.9));
    add(p.x, p.y, p.z);
  }
  ts_hull hull = make_hull();
  cr_expect_eq(hull.vertex_count, 500);
  expect_hull(&hull, 1e-15);
}

Test(geometry_hull, the_order_of_points_and_repetitions_have_no_effect) {
  for (int i = 0; i < 200; i++)
    add(floor(between(-4, 4)), floor(between(-4, 4)), floor(between(-4, 4)));
  ts_hull first = make_hull();
  for (int round = 0; round < 20; round++) {
    for (size_t i = count; i-- > 1;) {
      size_t k = (size_t)between(0, (double)i);
      ts_vec3 swapped = points[i];
      points[i] = points[k];
      points[k] = swapped;
    }
    add(points[round].x, points[round].y, points[round].z);
    ts_hull hull = make_hull();
    cr_assert_eq(hull.vertex_count, first.vertex_count);
    cr_assert_eq(hull.triangle_count, first.triangle_count);
    cr_expect_eq(memcmp(hull.vertices, first.vertices, 24 * hull.vertex_count), 0);
    cr_expect_eq(memcmp(hull.triangles, first.triangles, 12 * hull.triangle_count), 0);
  }
}

Test(geometry_hull, vertices_and_triangles_are_sorted) {
  for (int i = 0; i < 100; i++)
    add(between(-1, 1), between(-1, 1), between(-1, 1));
  ts_hull hull = make_hull();
  for (size_t v = 1; v < hull.vertex_count; v++)
    cr_expect_lt(hull.vertices[v - 1].x, hull.vertices[v].x);
  for (size_t t = 0; t < hull.triangle_count; t++) {
    const uint32_t *c = hull.triangles[t];
    cr_expect(c[0] < c[1] && c[0] < c[2]);
    if (t > 0)
      cr_expect_leq(hull.triangles[t - 1][0], c[0]);
  }
}

Test(geometry_hull, size_and_place_do_not_matter) {
  const double sizes[] = {1e-300, 1e-100, 1e-3, 1e6, 1e100, 1e300};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    count = 0;
    add_box(sizes[s], sizes[s], sizes[s]);
    add(0.5 * sizes[s], 0.5 * sizes[s], sizes[s]);
    ts_hull hull = make_hull();
    cr_expect_eq(hull.vertex_count, 8, "%g", sizes[s]);
  }
  count = 0;
  add_box(1, 1, 1);
  move_points((ts_pose){ts_quat_identity(), {1e6, -2e6, 3e6}});
  cr_expect_eq(make_hull().vertex_count, 8);
}

static void expect_refused(const char *words) {
  ts_hull hull;
  cr_expect_eq(ts_hull_of_points(&hull, arena, points, count), TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

Test(geometry_hull, points_that_span_no_body_are_refused) {
  expect_refused("has 0 points: a hull needs 4");
  add(1, 2, 3);
  expect_refused("has 1 point: a hull needs 4");
  for (int i = 0; i < 5; i++)
    add(1, 2, 3);
  expect_refused("at one place");
  for (int i = 0; i < 5; i++)
    add(1 + 0.1 * i, 2 + 0.3 * i, 3 - 0.7 * i);
  expect_refused("on one line");
  for (int i = 0; i < 5; i++)
    add(1 + 0.1 * i, 2 + 0.3 * i * i, 3 - 0.7 * i);
  expect_refused("in one plane");
  add(1, 2, 3 + 1e-12);
  expect_refused("in one plane");
  add(1, 2, 4);
  cr_expect_gt(make_hull().vertex_count, 3);
}

Test(geometry_hull, a_plate_is_a_body_down_to_the_tolerance) {
  add_box(1, 1, 1e-8);
  cr_expect_eq(make_hull().vertex_count, 8);
  count = 0;
  add_box(1, 1, 1e-10);
  expect_refused("in one plane");
}

Test(geometry_hull, a_coordinate_that_is_not_finite_is_refused) {
  add_box(1, 1, 1);
  add(0, NAN, 0);
  expect_refused("point 9 of 9 has a coordinate that is not finite");
  points[8].y = -INFINITY;
  expect_refused("point 9 of 9");
}

Test(geometry_hull, a_million_points_are_made_a_hull_and_more_are_refused) {
  size_t limit = TS_HULL_POINTS_MAX;
  ts_vec3 *many = ts_arena_array(arena, limit + 1, sizeof *many);
  cr_assert_not_null(many);
  for (size_t i = 0; i <= limit; i++)
    many[i] = (ts_vec3){(double)(i % 100), (double)(i / 100 % 100), (double)(i / 10000)};
  ts_hull hull;
  cr_expect_eq(ts_hull_of_points(&hull, arena, many, limit + 1), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "give 1000000 or fewer"), "%s", ts_status_detail());
  cr_assert_eq(ts_hull_of_points(&hull, arena, many, limit), TS_OK);
  cr_expect_eq(hull.vertex_count, 8);
  cr_expect_float_eq(ts_mesh_mass_properties(mesh_of(&hull), 1).volume_m3, 99 * 99 * 99, 1e-6);
}

Test(geometry_hull, an_exact_hull_has_each_neighbour_beyond_its_edge) {
  for (int i = 0; i < 60; i++)
    add(floor(between(-3, 3)), floor(between(-3, 3)), floor(between(-3, 3)));
  uint32_t which[60];
  for (uint32_t i = 0; i < 60; i++)
    which[i] = 59 - i;
  ts_exact_hull hull;
  cr_assert_eq(ts_exact_hull_create(&hull, arena, points, which, 60, 0), TS_OK);
  cr_assert_eq(hull.span, 4);
  for (uint32_t f = 0; f < hull.face_count; f++)
    for (int k = 0; k < 3; k++) {
      const ts_hull_face *face = &hull.faces[f], *beyond = &hull.faces[face->neighbour[k]];
      bool is_there = false;
      for (int i = 0; i < 3; i++)
        is_there |= beyond->neighbour[i] == f && beyond->corner[i] == face->corner[(k + 1) % 3] &&
                    beyond->corner[(i + 1) % 3] == face->corner[k];
      cr_expect(is_there, "face %u, edge %d", f, k);
    }
}
