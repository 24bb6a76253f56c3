// SPDX-License-Identifier: MIT
// covers: cases/truth/derived_truth.c cases/truth/way_out.c cases/scene/ground.c
// The derived truth of flat bodies on static ground.
#include "cases/scene/ground.h"
#include "cases/truth/derived_truth.h"
#include "geometry/mesh/hull.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"
#include "tests/cases/case_fixture.h"
#include "tests/geometry/random_geometry.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;
static ts_scene *scene;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_ground_truth, .init = setup, .fini = teardown, .timeout = 120);

static void add_body(int32_t shape, ts_pose pose, bool is_fixed) {
  int32_t body;
  cr_assert_eq(ts_scene_add_body(&body, scene, is_fixed ? "ground" : "body", shape, pose, is_fixed),
               TS_OK, "%s", ts_status_detail());
}

/// A box of sides `size_m` on a flat height field of n x n cells, turned about y by `angle_rad`,
/// its lower side at y = bottom_m; the whole moved as a rigid body.
static void build_on_field(size_t n, double size_m, double angle_rad, ts_vec3 middle,
                           double bottom_m, ts_pose motion) {
  double *heights = ts_arena_array(arena, (n + 1) * (n + 1), sizeof *heights);
  const ts_heightfield field = {n + 1, n + 1, heights, 4 * size_m / (double)n,
                                4 * size_m / (double)n};
  const ts_geometry box = {.kind = TS_GEOMETRY_BOX,
                           .half_size_m = {0.5 * size_m, 0.5 * size_m, 0.5 * size_m}};
  int32_t shape;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  cr_assert_eq(ts_scene_add_heightfield(&shape, scene, "field", &field, 0), TS_OK);
  add_body(shape, motion, true);
  cr_assert_eq(ts_scene_add_primitive(&shape, scene, "box", &box, 0), TS_OK);
  ts_pose pose = {{cos(0.5 * angle_rad), 0, sin(0.5 * angle_rad), 0}, middle};
  pose.translation.y = bottom_m + 0.5 * size_m;
  add_body(shape, ts_pose_mul(motion, pose), false);
  cr_assert_eq(ts_scene_fit_ground(scene), TS_OK, "%s", ts_status_detail());
}

static void derive(void) {
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
}

static ts_vec3 design_normal(const ts_region *region) {
  return region->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
}

static double gap_of(const ts_region *region) {
  return region->feasible[TS_REFERENCE_DESIGN].normals[0].gap_m;
}

static void expect_one_face(double area_m2, double gap_m, ts_vec3 up, double size_m) {
  cr_assert_eq(scene->region_count, 1);
  const ts_region *region = &scene->regions[0];
  cr_expect_eq(region->kind, TS_REGION_POLYGON);
  cr_expect_eq(region->vertex_count, 4);
  cr_expect_float_eq(ts_region_measure(region), area_m2, 1e-6 * area_m2);
  cr_expect_float_eq(gap_of(region), gap_m, 1e-7 * size_m);
  cr_expect_leq(ts_vec3_distance(design_normal(region), up), 1e-7);
}

/// Somewhere, turned; far away too.
static ts_pose some_motion(double size_m, bool is_far) {
  double reach_m = size_m * (is_far ? 1e3 : 1);
  return (ts_pose){ts_quat_unit((ts_quat){0.9, 0.3, -0.2, 0.4}),
                   ts_vec3_make(reach_m, -2 * reach_m, 3 * reach_m)};
}

Test(cases_ground_truth, edges_between_coplanar_triangles_make_no_contact_of_their_own) {
  const double sizes[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++)
    for (int is_far = 0; is_far < 2; is_far++)
      for (size_t n = 1; n <= 40; n += 13) {
        double size_m = sizes[i];
        ts_pose motion = some_motion(size_m, is_far);
        ts_vec3 up = ts_quat_rotate(motion.rotation, ts_vec3_make(0, 1, 0));
        // Its sides along those of cells, and not.
        for (int turn = 0; turn < 2; turn++) {
          build_on_field(n, size_m, 0.3 * turn, ts_vec3_make(0.1 * size_m, 0, 0), 0, motion);
          derive();
          expect_one_face(size_m * size_m, 0, up, size_m);
          double deep_m = 0.03 * size_m;
          build_on_field(n, size_m, 0.3 * turn, ts_vec3_make(0.1 * size_m, 0, 0), -deep_m, motion);
          derive();
          expect_one_face(size_m * size_m, -deep_m, up, size_m);
        }
      }
}

Test(cases_ground_truth, what_is_deep_leaves_upwards_however_deep) {
  const double depths[] = {0.2, 0.5, 0.9, 0.999, 1.2, 30};
  for (size_t i = 0; depths[i] < 1.5; i++) { // farther, the border of the field is nearer
    build_on_field(10, 1, 0.2, ts_vec3_make(0.1, 0, 0.2), -depths[i], ts_pose_identity());
    derive();
    expect_one_face(1, -depths[i], ts_vec3_make(0, 1, 0), 1);
  }
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
    int32_t shape;
    cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
    cr_assert_eq(ts_scene_add_plane(&shape, scene, "plane", 0, 0), TS_OK);
    add_body(shape, ts_pose_identity(), true);
    const ts_geometry box = {.kind = TS_GEOMETRY_BOX, .half_size_m = {0.5, 0.5, 0.5}};
    cr_assert_eq(ts_scene_add_primitive(&shape, scene, "box", &box, 0), TS_OK);
    add_body(shape, (ts_pose){{1, 0, 0, 0}, {0, 0.5 - depths[i], 0}}, false);
    cr_assert_eq(ts_scene_fit_ground(scene), TS_OK);
    derive();
    expect_one_face(1, -depths[i], ts_vec3_make(0, 1, 0), 1);
  }
}

Test(cases_ground_truth, a_way_out_through_the_lower_side_is_no_truth) {
  static const ts_vec3 square[4] = {{-9, 0, -9}, {-9, 0, 9}, {9, 0, 9}, {9, 0, -9}};
  static const uint32_t faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
  const ts_open_mesh surface = {4, square, 2, faces};
  for (int is_deep = 0; is_deep < 2; is_deep++) {
    int32_t shape;
    cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
    cr_assert_eq(ts_scene_add_surface(&shape, scene, "thin", &surface, 0.1), TS_OK);
    add_body(shape, ts_pose_identity(), true);
    const ts_geometry box = {.kind = TS_GEOMETRY_BOX, .half_size_m = {0.5, 0.5, 0.5}};
    cr_assert_eq(ts_scene_add_primitive(&shape, scene, "box", &box, 0), TS_OK);
    add_body(shape, (ts_pose){{1, 0, 0, 0}, {0, is_deep ? -0.2 : 0.1, 0}}, false);
    cr_assert_eq(ts_scene_fit_ground(scene), TS_OK);
    if (is_deep) {
      cr_expect_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_SKIPPED);
      cr_expect(strstr(ts_status_detail(), "through its lower side: it is 0.1 m thick, give it a "
                                           "larger thickness"),
                "%s", ts_status_detail());
    } else {
      derive();
      expect_one_face(1, -0.4, ts_vec3_make(0, 1, 0), 1);
    }
  }
}

Test(cases_ground_truth, a_body_over_the_border_touches_as_far_as_the_border) {
  build_on_field(8, 1, 0, ts_vec3_make(1.9, 0, 0), 0, ts_pose_identity());
  derive();
  expect_one_face(0.6, 0, ts_vec3_make(0, 1, 0), 1);
}

// ---- against heights ----------------------------------------------------------------------------

/// A height field of n x n cells of 1 m, rough, and a convex body of `count` random points.
typedef struct rough {
  size_t n;
  ts_heightfield field;
  ts_hull body;
} rough;

/// The height of the triangle of the field below a point.
static double ground_at(const rough *g, double x, double z) {
  double c = x + 0.5 * (double)g->n, r = z + 0.5 * (double)g->n;
  double c0 = fmin(fmax(floor(c), 0), (double)g->n - 1),
         r0 = fmin(fmax(floor(r), 0), (double)g->n - 1);
  double u = c - c0, v = r - r0;
  const double *h = g->field.heights_m + (size_t)r0 * (g->n + 1) + (size_t)c0;
  double h00 = h[0], h01 = h[1], h10 = h[g->n + 1], h11 = h[g->n + 2];
  return u <= v ? h00 + v * (h10 - h00) + u * (h11 - h10) : h00 + u * (h01 - h00) + v * (h11 - h01);
}

/// The lowest point of the body above (x, z); INFINITY beside it. `by`: where the body is.
static double bottom_at(const rough *g, ts_vec3 by, double x, double z) {
  double low = -INFINITY, high = INFINITY;
  for (size_t t = 0; t < g->body.triangle_count; t++) {
    const uint32_t *c = g->body.triangles[t];
    ts_vec3 a = ts_vec3_add(g->body.vertices[c[0]], by);
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(g->body.vertices[c[1]], g->body.vertices[c[0]]),
                              ts_vec3_sub(g->body.vertices[c[2]], g->body.vertices[c[0]]));
    double across = n.x * (x - a.x) + n.z * (z - a.z);
    if (n.y < 0)
      low = fmax(low, a.y - across / n.y);
    else if (n.y > 0)
      high = fmin(high, a.y - across / n.y);
    else if (across > 0)
      return INFINITY;
  }
  return low <= high ? low : (double)INFINITY;
}

/// The least height of the body above the ground, straight up. Both are flat between the vertices
/// of either and the places where their edges cross, seen from above.
static double clearance(const rough *g, ts_vec3 by) {
  double least = INFINITY, half = 0.5 * (double)g->n;
  for (size_t v = 0; v < g->body.vertex_count; v++) {
    ts_vec3 p = ts_vec3_add(g->body.vertices[v], by);
    least = fmin(least, p.y - ground_at(g, p.x, p.z));
  }
  for (size_t i = 0; i < (g->n + 1) * (g->n + 1); i++) {
    double x = (double)(i % (g->n + 1)) - half, z = (double)(i / (g->n + 1)) - half;
    least = fmin(least, bottom_at(g, by, x, z) - g->field.heights_m[i]);
  }
  // Edges of the field lie on x = k, z = k and x - z = k.
  for (size_t t = 0; t < 3 * g->body.triangle_count; t++) {
    ts_vec3 a = ts_vec3_add(g->body.vertices[g->body.triangles[t / 3][t % 3]], by);
    ts_vec3 b = ts_vec3_add(g->body.vertices[g->body.triangles[t / 3][(t % 3 + 1) % 3]], by);
    for (int line = 0; line < 3; line++) {
      double from = line == 0 ? a.x : line == 1 ? a.z : a.x - a.z;
      double to = line == 0 ? b.x : line == 1 ? b.z : b.x - b.z;
      double odd = g->n % 2 && line < 2 ? 0.5 : 0;
      for (double k = ceil(fmin(from, to) - odd) + odd; k <= fmax(from, to); k++) {
        if (to == from)
          break;
        ts_vec3 p = ts_vec3_lerp(a, b, (k - from) / (to - from));
        least = fmin(least, p.y - ground_at(g, p.x, p.z));
      }
    }
  }
  return least;
}

static rough make_rough(ts_random *random, double roughness_m, double body_m) {
  rough out = {.n = 8};
  double *heights = ts_arena_array(arena, 81, sizeof *heights);
  for (int i = 0; i < 81; i++)
    heights[i] = ts_random_uniform(random, 0, roughness_m);
  out.field = (ts_heightfield){9, 9, heights, 1, 1};
  ts_vec3 points[10];
  for (int i = 0; i < 10; i++)
    points[i] = ts_vec3_make(ts_random_uniform(random, -body_m, body_m),
                             ts_random_uniform(random, -body_m, body_m),
                             ts_random_uniform(random, -body_m, body_m));
  cr_assert_eq(ts_hull_of_points(&out.body, arena, points, 10), TS_OK);
  return out;
}

static void build_rough(const rough *g, ts_vec3 by) {
  int32_t shape;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  cr_assert_eq(ts_scene_add_heightfield(&shape, scene, "field", &g->field, 0), TS_OK);
  add_body(shape, ts_pose_identity(), true);
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "hull", g->body.vertices, g->body.vertex_count,
                                  (const uint32_t(*)[3])g->body.triangles, g->body.triangle_count),
               TS_OK);
  add_body(shape, (ts_pose){{1, 0, 0, 0}, by}, false);
  cr_assert_eq(ts_scene_fit_ground(scene), TS_OK);
}

/// That moved by the way out the body clears the ground, and moved by less in any direction, it
/// does not.
static void expect_shortest(const rough *g, ts_vec3 by, ts_random *random, int number) {
  ts_vec3 way = ts_scene_pair_way_out(scene, 0, 1);
  double length_m = ts_vec3_norm(way);
  cr_expect_gt(length_m, 0, "%d", number);
  cr_expect_geq(clearance(g, ts_vec3_add(by, way)), -1e-5, "%d: out", number);
  for (int i = 0; i < 400; i++) {
    ts_quat turn = random_rotation(random);
    ts_vec3 direction = ts_quat_rotate(turn, ts_vec3_make(0, 1, 0));
    ts_vec3 to = ts_vec3_add_scaled(by, 0.98 * length_m, direction);
    cr_expect_lt(clearance(g, to), 0, "%d: a shorter way (%g %g %g)", number, direction.x,
                 direction.y, direction.z);
  }
}

Test(cases_ground_truth, the_way_out_of_rough_ground_is_the_shortest_that_clears_its_heights) {
  ts_random random = ts_random_seed(11, 0);
  int derived = 0;
  for (int i = 0; i < 60; i++) {
    rough g = make_rough(&random, i % 2 ? 0.3 : 1.5, i % 3 ? 0.6 : 1.5);
    ts_vec3 by = {ts_random_uniform(&random, -1, 1), 0, ts_random_uniform(&random, -1, 1)};
    by.y = -clearance(&g, by) - ts_random_uniform(&random, 0.001, 0.1);
    build_rough(&g, by);
    ts_status status = ts_derive_truth(scene, TS_POSITION_RELATIVE);
    cr_assert(status == TS_OK || status == TS_SKIPPED, "%s", ts_status_detail());
    if (status == TS_OK)
      expect_shortest(&g, by, &random, i);
    derived += status == TS_OK;
  }
  cr_expect_geq(derived, 55, "%d of 60 have a truth", derived);
}

Test(cases_ground_truth, what_stands_on_rough_ground_touches_and_does_not_overlap) {
  ts_random random = ts_random_seed(12, 0);
  for (int i = 0; i < 60; i++) {
    rough g = make_rough(&random, i % 2 ? 0.3 : 1.5, i % 3 ? 0.6 : 1.5);
    ts_vec3 by = {ts_random_uniform(&random, -1, 1), 0, ts_random_uniform(&random, -1, 1)};
    by.y = -clearance(&g, by);
    build_rough(&g, by);
    derive();
    cr_expect_geq(scene->region_count, 1, "%d", i);
    cr_expect_eq(ts_vec3_norm2(ts_scene_pair_way_out(scene, 0, 1)), 0, "%d", i);
    for (size_t r = 0; r < scene->region_count; r++)
      cr_expect_gt(design_normal(&scene->regions[r]).y, 0, "%d: the side of a sheet", i);
    by.y += 0.01;
    build_rough(&g, by);
    derive();
    cr_expect_eq(scene->region_count, 0, "%d: apart", i);
  }
}

Test(cases_ground_truth, a_way_out_of_one_slope_does_not_lead_into_another) {
  ts_random random = ts_random_seed(13, 0);
  double *heights = ts_arena_array(arena, 81, sizeof *heights);
  for (int i = 0; i < 81; i++)
    heights[i] = i % 9 == 4 || i % 9 == 5 ? 0 : 5; // a ditch along z
  rough g = {.n = 8, .field = {9, 9, heights, 1, 1}};
  ts_vec3 corners[8];
  for (unsigned i = 0; i < 8; i++) // 2 m are free at the height of its lower side: too little
    corners[i] = ts_vec3_make(i & 1 ? 1.075 : -1.075, i & 2 ? 3 : 0, i & 4 ? 0.7 : -0.7);
  cr_assert_eq(ts_hull_of_points(&g.body, arena, corners, 8), TS_OK);
  // 0.7 m into the left slope, and not yet above the right one.
  ts_vec3 by = {-1.2 + 1.075, 2.5, 0.1};
  build_rough(&g, by);
  derive();
  ts_vec3 way = ts_scene_pair_way_out(scene, 0, 1);
  cr_expect(way.x > 0.05 && way.y > 0.1, "(%g, %g, %g)", way.x, way.y, way.z);
  expect_shortest(&g, by, &random, 0);
  cr_expect_eq(scene->region_count, 2, "one on each slope");
}
