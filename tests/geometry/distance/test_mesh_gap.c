// SPDX-License-Identifier: MIT
// covers: geometry/distance/mesh_gap.c
#include "base/clock.h"
#include "geometry/distance/mesh_gap.h"
#include "geometry/predicates.h"
#include "tests/geometry/mesh/curved.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_mesh_gap, .init = setup, .fini = teardown);

static const ts_quat upright = {1, 0, 0, 0};

static ts_pose at(double x, double y, double z) {
  return (ts_pose){upright, {x, y, z}};
}

static double gap_within(const ts_mesh *a, ts_pose pose_a, const ts_mesh *b, ts_pose pose_b,
                         double reach_m) {
  double ab = NAN, ba = NAN;
  size_t used = ts_arena_used(arena);
  cr_assert_eq(ts_mesh_gap(&ab, arena, a, pose_a, b, pose_b, reach_m), TS_OK);
  cr_assert_eq(ts_mesh_gap(&ba, arena, b, pose_b, a, pose_a, reach_m), TS_OK);
  cr_expect_eq(ts_arena_used(arena), used);
  double rounding_m = 1e-13 * (ts_vec3_norm(pose_a.translation) + ts_vec3_norm(pose_b.translation));
  cr_expect(ab == ba || fabs(ab - ba) < rounding_m, "one way %.17g, the other %.17g", ab, ba);
  return ab;
}

static double gap_of(const ts_mesh *a, ts_pose pose_a, const ts_mesh *b, ts_pose pose_b) {
  return gap_within(a, pose_a, b, pose_b, INFINITY);
}

static const ts_mesh *box(double width, double depth, double height) {
  solid s = solid_box(width, depth, height, 0);
  return solid_mesh(arena, &s);
}

/// Poses that the same pair is tried in: as it is, turned, and turned and far away.
enum { PLACE_COUNT = 3 };
static ts_pose place(int index, double size_m) {
  ts_quat turned = ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, -2, 3}), 1.1);
  return (const ts_pose[]){ts_pose_identity(),
                           {turned, {size_m, 2 * size_m, 0}},
                           {turned, {-1e4 * size_m, 3e3 * size_m, 2e4 * size_m}}}[index];
}

static const double scales[3] = {1e-3, 1, 1e3};

/// Expects the gap of a pair at all scales and places, in lengths of the scale.
static void expect_gap(const solid *a, const solid *b, ts_vec3 offset, double expected) {
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < PLACE_COUNT; k++) {
      solid scaled[2] = {*a, *b};
      double scale = scales[s];
      for (int i = 0; i < 2; i++)
        solid_scale(&scaled[i], scale);
      ts_pose pose_a = place(k, scale);
      ts_pose b_in_a = {upright, ts_vec3_scale(offset, scale)};
      double gap_m = gap_of(solid_mesh(arena, &scaled[0]), pose_a, solid_mesh(arena, &scaled[1]),
                            ts_pose_mul(pose_a, b_in_a));
      double rounding = k == 2 ? 1e-11 : 1e-14;
      cr_expect_float_eq(gap_m / scale, expected, rounding, "scale %g, place %d: %.17g", scale, k,
                         gap_m / scale);
    }
}

Test(geometry_mesh_gap, of_boxes_apart_is_their_distance) {
  solid a = solid_box(2, 2, 2, 0), b = solid_box(1, 1, 1, 1);
  expect_gap(&a, &b, (ts_vec3){1.75, 0.3, 0.2}, 0.25);              // faces
  expect_gap(&a, &b, (ts_vec3){1.8, 1.9, 0.1}, 0.5);                // edges: 0.3 and 0.4
  expect_gap(&a, &b, (ts_vec3){2.5, 2.5, 2.5}, 1.7320508075688772); // corners
  expect_gap(&a, &b, (ts_vec3){1.5 + 1e-9, 0.3, 0.2}, 1e-9);        // hardly
}

Test(geometry_mesh_gap, of_faces_that_touch_is_zero_and_no_depth) {
  solid a = solid_box(2, 2, 2, 0), b = solid_box(1, 1, 1, 1);
  expect_gap(&a, &b, (ts_vec3){1.5, 0.3, 0.2}, 0);
  expect_gap(&a, &b, (ts_vec3){1.5, 0.5, 0.5}, 0); // with sides in one plane
  expect_gap(&a, &a, (ts_vec3){0, 2, 0}, 0);       // face on equal face
  expect_gap(&a, &a, (ts_vec3){2, 2, 0}, 0);       // edge on edge
  expect_gap(&a, &a, (ts_vec3){2, 2, 2}, 0);       // corner on corner
  expect_gap(&a, &a, (ts_vec3){0.5, 2, 0}, 0);     // face on part of a face
}

Test(geometry_mesh_gap, of_a_corner_in_a_box_is_its_depth) {
  solid a = solid_box(2, 2, 2, 0), b = solid_box(1, 1, 1, 1);
  expect_gap(&a, &b, (ts_vec3){1.4, 0.1, 0.2}, -0.1); // a face, all four corners in
  expect_gap(&a, &b, (ts_vec3){1.4, 1.3, 0.2}, -0.1); // an edge
  expect_gap(&a, &b, (ts_vec3){1.4, 1.3, 1.2}, -0.1); // a corner
  expect_gap(&a, &b, (ts_vec3){1.5 - 1e-9, 0.1, 0.2}, -1e-9);
}

Test(geometry_mesh_gap, of_crossed_boxes_without_a_corner_inside_is_that_of_their_edges) {
  // Two bars: across each other, no vertex of one in the other. The upper edges of the lower one
  // run 0.1 below the bottom of the upper one, and are nearest to its sides or to that.
  solid a = solid_box(4, 0.5, 0.5, 0), b = solid_box(0.5, 4, 0.5, 1);
  expect_gap(&a, &b, (ts_vec3){0, 0, 0.4}, -0.1);
  expect_gap(&a, &b, (ts_vec3){0.7, -0.3, 0.4}, -0.1);
  expect_gap(&a, &b, (ts_vec3){0, 0, 0.6}, 0.1);
  expect_gap(&a, &b, (ts_vec3){0, 0, 0.5}, 0);
  // All the way through each other, faces in two planes: the diagonals of the sides are what is
  // inside, a quarter of a bar from its sides.
  expect_gap(&a, &b, (ts_vec3){0, 0, 0}, -0.25);
}

Test(geometry_mesh_gap, of_a_spike_through_a_plate_is_the_way_to_the_nearer_side) {
  solid plate = solid_box(4, 4, 0.2, 0), spike = solid_spike(0.5, 2);
  expect_gap(&plate, &spike, (ts_vec3){0.3, 0.1, -2.05}, -0.05); // the tip inside
  // The tip out on the other side: of its edges what is in the plate, the middle. The diagonals of
  // the plate do not go through it.
  expect_gap(&plate, &spike, (ts_vec3){1.2, -0.2, -1}, -0.1);
}

Test(geometry_mesh_gap, of_one_inside_the_other_is_the_depth_of_its_deepest_corner_or_its_middle) {
  solid room = solid_box(4, 4, 4, 0), inner = solid_box(1, 1, 1, 1);
  expect_gap(&room, &inner, (ts_vec3){0, 0, 0}, -2); // its middle
  expect_gap(&room, &inner, (ts_vec3){0.5, 0, 0}, -1.5);
  expect_gap(&room, &inner, (ts_vec3){1.25, 1, 0.5}, -1.25); // at the corner (0.75, 0.5, 0)
  const ts_mesh *a = box(4, 4, 4), *b = box(1, 1, 1);
  cr_expect_float_eq(gap_within(a, at(0, 0, 0), b, at(0, 0, 0), 0.1), -2, 1e-14,
                     "however small the reach");
  cr_expect_float_eq(gap_within(a, at(0, 0, 0), b, at(0.2, 0, 0), 0), -1.8, 1e-14);
}

/// Five tets in a cube whose corners are numbered as solid_box() does: one in the middle.
static void fill_cube(ts_mesh *mesh) {
  static const uint32_t tets[5][4] = {
      {0, 2, 7, 5}, {0, 1, 2, 5}, {0, 2, 3, 7}, {0, 5, 7, 4}, {2, 7, 5, 6}};
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, tets, 5), TS_OK, "%s", ts_status_detail());
}

Test(geometry_mesh_gap, of_bodies_in_the_same_place_is_the_depth_of_their_middle) {
  solid cube = solid_box(0.2, 0.2, 0.2, 0), turned = solid_box(0.2, 0.2, 0.2, 1);
  expect_gap(&cube, &cube, (ts_vec3){0, 0, 0}, -0.1);
  expect_gap(&cube, &turned, (ts_vec3){0, 0, 0}, -0.1); // with other diagonals
  expect_gap(&cube, &cube, (ts_vec3){0, 0, 0.05}, -0.05);
  solid flat = solid_box(4, 3, 0.01, 0);
  expect_gap(&flat, &flat, (ts_vec3){0, 0, 0}, -0.005);
}

/// A ring of tets around z, whose centre of mass is in its hole: a prism of three tets between
/// every two of its triangles.
static const ts_mesh *filled_ring(void) {
  enum { RINGS = 12 };
  ts_mesh *mesh = torus_mesh(arena, 1, 0.3, RINGS, 3);
  uint32_t tets[3 * RINGS][4];
  for (uint32_t i = 0; i < RINGS; i++) {
    uint32_t p = 3 * i, q = 3 * ((i + 1) % RINGS);
    const uint32_t prism[3][4] = {{p, p + 2, p + 1, q + 2}, // diagonals as torus_mesh() cuts them
                                  {p, p + 1, q + 2, q + 1},
                                  {p, q + 2, q, q + 1}};
    memcpy(tets[3 * i], prism, sizeof prism);
  }
  for (uint32_t t = 0; t < 3 * RINGS; t++)
    if (ts_orient3d(mesh->vertices[tets[t][0]], mesh->vertices[tets[t][1]],
                    mesh->vertices[tets[t][2]], mesh->vertices[tets[t][3]]) < 0) {
      uint32_t swap = tets[t][0];
      tets[t][0] = tets[t][1];
      tets[t][1] = swap;
    }
  mesh->tet_count = 3 * RINGS; // without their checks: where prisms are cut is of no account
  mesh->tets = ts_arena_copy(arena, tets, 3 * RINGS, sizeof *tets);
  return mesh;
}

Test(geometry_mesh_gap,
     of_rings_in_the_same_place_is_the_depth_of_a_tet_in_the_middle_of_the_tube) {
  const ts_mesh *ring = filled_ring();
  double gap = gap_of(ring, at(0, 0, 0), ring, at(0, 0, 0));
  cr_expect(gap < -0.05 && gap > -0.15, "the tube is a triangle, 0.15 deep in the middle: %g", gap);
  ts_mesh hollow = *ring;
  hollow.tet_count = 0;
  cr_expect_eq(gap_of(&hollow, at(0, 0, 0), &hollow, at(0, 0, 0)), 0,
               "the centre of mass is in the hole");
}

Test(geometry_mesh_gap, tets_that_are_inverted_or_stand_out_do_not_count) {
  solid cube = solid_box(2, 2, 2, 0), plate = solid_box(6, 6, 2, 0);
  ts_mesh *a = solid_mesh(arena, &cube);
  const ts_mesh *b = solid_mesh(arena, &plate);
  fill_cube(a);
  cr_expect_float_eq(gap_of(a, at(0, 0, 1.75), b, at(0, 0, 0)), -0.25, 1e-14);
  // A vertex of no triangle, far below, that a tet ends at: its centroid is out of the cube, and in
  // the middle of the plate.
  ts_vec3 vertices[9];
  for (int v = 0; v < 8; v++)
    vertices[v] = a->vertices[v];
  vertices[8] = (ts_vec3){0, 0, -4};
  const uint32_t tets[2][4] = {{0, 1, 2, 8}, {2, 1, 0, 8}};
  ts_mesh wrong = *a;
  wrong.vertices = vertices;
  wrong.vertex_count = 9;
  wrong.tets = tets;
  wrong.tet_count = 2;
  cr_expect_float_eq(gap_of(&wrong, at(0, 0, 1.75), b, at(0, 0, 0)), -0.25, 1e-14);
}

Test(geometry_mesh_gap, of_a_body_in_the_hole_of_another_is_their_distance) {
  // The room has an inner surface, turned inside out: between the two it is solid.
  solid outer = solid_box(4, 4, 4, 0), inner = solid_box(2, 2, 2, 0), cube = solid_box(1, 1, 1, 1);
  for (size_t t = 0; t < inner.triangle_count; t++) {
    uint32_t swap = inner.triangles[t][1];
    inner.triangles[t][1] = inner.triangles[t][2];
    inner.triangles[t][2] = swap;
  }
  solid_join(&outer, &inner, (ts_vec3){0, 0, 0});
  expect_gap(&outer, &cube, (ts_vec3){0.1, 0.2, 0}, 0.3);
  expect_gap(&outer, &cube, (ts_vec3){0.6, 0.2, 0}, -0.1);
  expect_gap(&outer, &cube, (ts_vec3){0.5, 0.2, 0}, 0);
}

Test(geometry_mesh_gap, of_spheres_is_by_their_radii_within_the_error_of_the_meshes) {
  for (int s = 0; s < 3; s++) {
    double scale = scales[s], error = 2e-3 * scale;
    const ts_mesh *a = sphere_mesh(arena, scale, error), *b = sphere_mesh(arena, scale / 2, error);
    for (int k = 0; k < PLACE_COUNT; k++) {
      ts_pose pose = place(k, scale);
      static const double distances[4] = {2.5, 1.6, 1.45, 1.2};
      for (int i = 0; i < 4; i++) {
        ts_vec3 way = ts_vec3_scale(ts_vec3_unit((ts_vec3){3, 1, -2}), distances[i] * scale);
        double gap = gap_of(a, pose, b, ts_pose_mul(pose, (ts_pose){upright, way}));
        double exact = (distances[i] - 1.5) * scale;
        // The deepest vertex may be off the deepest point by half an edge.
        double shallow = exact < 0 ? 6 * error : 0;
        cr_expect(gap >= exact - 2 * error && gap <= exact + shallow, "%g of %g at place %d",
                  gap / scale, exact / scale, k);
      }
    }
  }
}

Test(geometry_mesh_gap, of_linked_tori_is_their_distance) {
  // Vertices of the meshes are on the exact tori: tubes are thinner by the sagittae of their sides,
  // and nearer to the axis by those of the rings.
  for (int s = 0; s < 3; s++) {
    double scale = scales[s];
    const ts_mesh *torus = torus_mesh(arena, scale, 0.2 * scale, 64, 16);
    ts_pose linked = {ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 1.5707963267948966),
                      {scale, 0, 0}};
    double gap = gap_of(torus, ts_pose_identity(), torus, linked);
    cr_expect(gap / scale > 0.6 - 0.01 && gap / scale < 0.6 + 0.01, "%g", gap / scale);
    linked.translation.x = 1.7 * scale; // tubes 0.1 into each other
    gap = gap_of(torus, ts_pose_identity(), torus, linked);
    cr_expect(gap / scale > -0.1 - 0.01 && gap / scale < -0.08, "%g", gap / scale);
  }
}

Test(geometry_mesh_gap, beyond_the_reach_is_infinite) {
  const ts_mesh *a = box(2, 2, 2), *b = box(1, 1, 1);
  ts_pose far = at(1.75, 0.3, 0.2);
  cr_expect_eq(gap_within(a, at(0, 0, 0), b, far, 0.2499), INFINITY);
  cr_expect_eq(gap_within(a, at(0, 0, 0), b, far, 0.25), 0.25);
  cr_expect_eq(gap_within(a, at(0, 0, 0), b, far, 0), INFINITY);
  cr_expect_eq(gap_within(a, at(0, 0, 0), b, at(1.5, 0, 0), 0), 0);
  // Near by their boxes, not by their surfaces.
  const ts_mesh *sphere = sphere_mesh(arena, 1, 1e-2);
  cr_expect_eq(gap_within(sphere, at(0, 0, 0), sphere, at(1.5, 1.5, 0), 0.05), INFINITY);
}

Test(geometry_mesh_gap, vertices_that_no_triangle_uses_are_not_of_the_surface) {
  solid s = solid_box(1, 1, 1, 0);
  solid_add_vertex(&s, 5, 0, 0);
  cr_expect_float_eq(gap_of(solid_mesh(arena, &s), at(0, 0, 0), box(1, 1, 1), at(5, 0, 0)), 4,
                     1e-14);
}

Test(geometry_mesh_gap, of_fine_meshes_takes_little_time) {
  const ts_mesh *a = torus_mesh(arena, 1, 0.3, 100, 50);
  const ts_mesh *b = torus_mesh(arena, 1, 0.3, 100, 50);
  ts_quat turned = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 1.5707963267948966);
  static const struct {
    const char *what;
    double x_m, reach_m;
  } cases[] = {{"linked", 1, INFINITY}, {"linked within reach", 1, 0.01}, {"deep", 1.5, 0.01},
               {"touching", 1.4, 0.01}, {"beside", 4, INFINITY},          {"apart", 4, 0.01}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double gap;
    int64_t start = ts_clock_ns();
    cr_assert_eq(ts_mesh_gap(&gap, arena, a, ts_pose_identity(), b,
                             (ts_pose){turned, {cases[i].x_m, 0, 0}}, cases[i].reach_m),
                 TS_OK);
    double ms = 1e-6 * (double)(ts_clock_ns() - start);
    // Slow machines and sanitizers: a search through all pairs of triangles takes minutes.
    cr_expect_lt(ms, 3000, "%s: %g ms", cases[i].what, ms);
    cr_log_info("%s: gap %g m, %g ms", cases[i].what, gap, ms);
  }
}
