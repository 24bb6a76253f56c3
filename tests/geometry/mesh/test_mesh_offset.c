// SPDX-License-Identifier: MIT
// covers: geometry/mesh/mesh_offset.c
#include "geometry/mesh/mesh_offset.h"
#include "geometry/tolerances.h"
#include "tests/geometry/mesh/solids.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_mesh_offset, .init = setup, .fini = teardown);

typedef ts_status (*offset_function)(ts_mesh **out, ts_arena *a, const ts_mesh *mesh,
                                     double distance_m);

static const ts_mesh *moved(offset_function offset, const ts_mesh *mesh, double distance_m) {
  ts_mesh *out = NULL;
  cr_assert_eq(offset(&out, arena, mesh, distance_m), TS_OK, "%s", ts_status_detail());
  return out;
}

/// Refused with the words in its message, nothing left in the arena.
static void expect_refused(offset_function offset, const ts_mesh *mesh, double distance_m,
                           const char *words) {
  size_t used = ts_arena_used(arena);
  ts_mesh *out = NULL;
  cr_assert_eq(offset(&out, arena, mesh, distance_m), TS_E_INPUT, "%g was taken", distance_m);
  cr_expect(strstr(ts_status_detail(), words), "%s", ts_status_detail());
  cr_expect_null(out);
  cr_expect_eq(ts_arena_used(arena), used);
}

/// Every face plane has moved by the distance and kept its normal.
static void expect_planes_moved(const ts_mesh *before, const ts_mesh *after, double distance_m,
                                double tolerance_m) {
  for (size_t t = 0; t < before->triangle_count; t++) {
    ts_vec3 n = ts_mesh_face_normal(before, t);
    for (int i = 0; i < 3; i++) {
      uint32_t v = before->triangles[t][i];
      double by = ts_vec3_dot(n, ts_vec3_sub(after->vertices[v], before->vertices[v]));
      cr_expect_float_eq(by, distance_m, tolerance_m, "triangle %zu moved by %.17g", t, by);
    }
    cr_expect_lt(ts_vec3_distance(n, ts_mesh_face_normal(after, t)), 1e-12, "triangle %zu", t);
  }
}

Test(geometry_mesh_offset, a_box_corner_moves_the_distance_over_root_three_on_each_axis) {
  for (int flipped = 0; flipped < 2; flipped++) {
    solid s = solid_box(1, 1, 1, flipped);
    const ts_mesh *small = moved(ts_mesh_offset_vertices, solid_mesh(arena, &s), -0.01);
    for (size_t i = 0; i < 8; i++) {
      ts_vec3 v = small->vertices[i];
      cr_assert_float_eq(fabs(v.x), 0.5 - 0.01 / sqrt(3), 1e-15);
      cr_assert_float_eq(fabs(v.y), 0.5 - 0.01 / sqrt(3), 1e-15);
      cr_assert_float_eq(fabs(v.z), 0.5 - 0.01 / sqrt(3), 1e-15);
    }
  }
}

/// A box with a fan around a vertex (8) in its top.
static solid fan_box(double width, double depth, double height, double x, double y) {
  solid s = solid_box(width, depth, height, 0);
  solid_add_vertex(&s, x, y, 0.5 * height);
  size_t tops = 0;
  for (size_t t = 0; t < 12; t++) {
    uint32_t *c = s.triangles[t];
    if (c[0] >= 4 && c[1] >= 4 && c[2] >= 4) {
      uint32_t first = tops++ ? 6 : 4; // corners 4 5 6 7 of the top: two of its four sides each
      c[0] = first;
      c[1] = first + 1;
      c[2] = 8;
      solid_add_triangle(&s, first + 1, first == 4 ? 6 : 4, 8);
    }
  }
  cr_assert_eq(tops, 2);
  return s;
}

Test(geometry_mesh_offset, vertex_normals_do_not_depend_on_the_tessellation) {
  // A long box, cut along one and the other diagonal, and with a fan in its top: the angles at a
  // corner always sum up to the same right angle.
  solid s = solid_box(5, 1, 0.3, 0), other = solid_box(5, 1, 0.3, 1);
  solid fan = fan_box(5, 1, 0.3, 1.7, 0.2);
  const ts_mesh *a = moved(ts_mesh_offset_vertices, solid_mesh(arena, &s), -0.01);
  const ts_mesh *b = moved(ts_mesh_offset_vertices, solid_mesh(arena, &other), -0.01);
  const ts_mesh *c = moved(ts_mesh_offset_vertices, solid_mesh(arena, &fan), -0.01);
  for (size_t i = 0; i < 8; i++) {
    cr_assert_lt(ts_vec3_distance(a->vertices[i], b->vertices[i]), 1e-15);
    cr_assert_lt(ts_vec3_distance(a->vertices[i], c->vertices[i]), 1e-15);
  }
  cr_assert_lt(ts_vec3_distance(c->vertices[8], (ts_vec3){1.7, 0.2, 0.14}), 1e-15);
}

Test(geometry_mesh_offset, angles_weigh_and_areas_do_not) {
  // At the foot of a needle-like tet's long edge the faces have unequal areas but right angles.
  solid s = solid_tet(1, 10, 100);
  const ts_mesh *out = moved(ts_mesh_offset_vertices, solid_mesh(arena, &s), 0.1);
  double by = 0.1 / sqrt(3);
  cr_assert_lt(ts_vec3_distance(out->vertices[0], (ts_vec3){-by, -by, -by}), 1e-15);
}

Test(geometry_mesh_offset, every_vertex_moves_the_distance) {
  solid s = solid_groove();
  const ts_mesh *mesh = solid_mesh(arena, &s);
  for (int k = 0; k < 2; k++) {
    const ts_mesh *out = moved(ts_mesh_offset_vertices, mesh, k ? 0.02 : -0.02);
    for (size_t i = 0; i < mesh->vertex_count; i++)
      cr_assert_float_eq(ts_vec3_distance(out->vertices[i], mesh->vertices[i]), 0.02, 1e-15);
  }
}

Test(geometry_mesh_offset, faces_of_simple_solids_move_exactly) {
  const double distance[3] = {-0.01, 0.01, -0.05};
  for (int k = 0; k < 3; k++) {
    solid solids[5] = {solid_box(1, 2, 0.5, 0), solid_spike(0.8, 2.4), solid_groove(),
                       solid_frustum(0.5, 0.3, 0.7), solid_tet(1, 2, 1)};
    for (int i = 0; i < 5; i++) {
      const ts_mesh *mesh = solid_mesh(arena, &solids[i]);
      expect_planes_moved(mesh, moved(ts_mesh_offset_faces, mesh, distance[k]), distance[k], 1e-14);
    }
  }
  solid box = solid_box(1, 2, 3, 0);
  const ts_mesh *small = moved(ts_mesh_offset_faces, solid_mesh(arena, &box), -0.25);
  cr_assert_eq(ts_mesh_bounds(small).high.x, 0.25);
  cr_assert_eq(ts_mesh_bounds(small).low.y, -0.75);
}

Test(geometry_mesh_offset, faces_move_exactly_turned_and_far_away_and_at_any_scale) {
  ts_pose pose = {ts_quat_uniform(0.3, 0.6, 0.9), {1e4, -1e4, 1e4}};
  for (int k = 0; k < 3; k++) {
    double scale = k == 0 ? 1e-3 : k == 1 ? 1 : 1e3, distance = -0.02 * scale;
    solid solids[3] = {solid_box(1, 2, 0.5, 1), solid_spike(0.8, 2.4), solid_groove()};
    for (int i = 0; i < 3; i++) {
      solid_scale(&solids[i], scale);
      solid_move(&solids[i], (ts_pose){pose.rotation, {0, 0, 0}});
      const ts_mesh *mesh = solid_mesh(arena, &solids[i]);
      expect_planes_moved(mesh, moved(ts_mesh_offset_faces, mesh, distance), distance,
                          1e-14 * scale);
    }
  }
  // At 1e4 m the four planes of a spike's tip no longer meet exactly: coordinates are rounded to
  // 1.8e-12 m.
  solid far = solid_spike(0.8, 2.4);
  solid_move(&far, pose);
  const ts_mesh *mesh = solid_mesh(arena, &far);
  const ts_mesh *out = moved(ts_mesh_offset_faces, mesh, -0.01);
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      uint32_t v = mesh->triangles[t][i];
      ts_vec3 by = ts_vec3_sub(out->vertices[v], mesh->vertices[v]);
      cr_assert_float_eq(ts_vec3_dot(ts_mesh_face_normal(mesh, t), by), -0.01, 1e-11);
    }
}

Test(geometry_mesh_offset, vertices_inside_faces_and_edges_move_straight) {
  // Vertex 8 in the middle of the top, vertex 9 in the middle of one of its edges.
  solid s = solid_box(2, 2, 2, 0), flat = {0};
  solid_add_vertex(&s, 0, 0, 1);
  solid_add_vertex(&s, 0, -1, 1);
  flat = s;
  flat.triangle_count = 0;
  for (size_t t = 0; t < 12; t++) {
    const uint32_t *c = s.triangles[t];
    int is_top = c[0] >= 4 && c[1] >= 4 && c[2] >= 4, is_front = 0;
    for (int i = 0; i < 3; i++)
      is_front |= c[i] == 5 && c[(i + 1) % 3] == 4;
    if (is_front) { // the triangle below edge 4-5
      solid_add_triangle(&flat, 0, 9, 4);
      solid_add_triangle(&flat, 0, 5, 9);
    } else if (!is_top) {
      solid_add_triangle(&flat, c[0], c[1], c[2]);
    }
  }
  const uint32_t rim[6] = {4, 9, 5, 6, 7, 4};
  for (int i = 0; i < 5; i++)
    solid_add_triangle(&flat, rim[i], rim[i + 1], 8);
  const ts_mesh *mesh = solid_mesh(arena, &flat);
  const ts_mesh *out = moved(ts_mesh_offset_faces, mesh, 0.5);
  expect_planes_moved(mesh, out, 0.5, 1e-15);
  cr_assert_lt(ts_vec3_distance(out->vertices[8], (ts_vec3){0, 0, 1.5}), 1e-15);
  cr_assert_lt(ts_vec3_distance(out->vertices[9], (ts_vec3){0, -1.5, 1.5}), 1e-15);
}

Test(geometry_mesh_offset, a_needle_moves_exactly) {
  // The four planes at its tip are nearly upright: the tip moves a million times the distance.
  solid s = solid_spike(1e-6, 1);
  const ts_mesh *mesh = solid_mesh(arena, &s);
  const ts_mesh *out = moved(ts_mesh_offset_faces, mesh, -1e-8);
  expect_planes_moved(mesh, out, -1e-8, 1e-18);
  cr_assert_float_eq(out->vertices[4].z, 0.99, 1e-9);
}

Test(geometry_mesh_offset, a_vertex_overtaken_by_the_rim_of_its_face_is_refused) {
  // The rim comes in to x = 0.9, the fan's vertex stays at 0.95: no edge of the box turns round.
  solid s = fan_box(2, 2, 2, 0.95, 0);
  const ts_mesh *mesh = solid_mesh(arena, &s);
  moved(ts_mesh_offset_faces, mesh, -0.04);
  expect_refused(ts_mesh_offset_faces, mesh, -0.1, "turns over");
}

Test(geometry_mesh_offset, planes_without_a_common_point_are_refused) {
  // A spike with its tip off the middle: four planes, moved alike, no longer meet.
  solid s = solid_spike(1, 1);
  s.vertices[4].x = 0.3;
  const ts_mesh *mesh = solid_mesh(arena, &s);
  expect_refused(ts_mesh_offset_faces, mesh, -0.01, "vertex 4");
  moved(ts_mesh_offset_vertices, mesh, -0.01);
}

Test(geometry_mesh_offset, a_vertex_between_sheets_has_no_normal) {
  // Two tets, tip to tip, each the mirror image of the other: all normals cancel at vertex 0.
  solid s = solid_tet(1, 1, 1), other = solid_tet(-1, -1, -1);
  for (size_t t = 0; t < 4; t++) {
    uint32_t *v = other.triangles[t], swapped = v[0];
    v[0] = v[1];
    v[1] = swapped;
  }
  solid_join(&s, &other, (ts_vec3){0, 0, 0});
  for (size_t t = 4; t < 8; t++)
    for (int i = 0; i < 3; i++)
      if (s.triangles[t][i] == 4)
        s.triangles[t][i] = 0;
  const ts_mesh *mesh = solid_mesh(arena, &s);
  expect_refused(ts_mesh_offset_vertices, mesh, -0.01, "vertex 0");
  expect_refused(ts_mesh_offset_faces, mesh, -0.01, "vertex 0");
}

Test(geometry_mesh_offset, erosion_beyond_half_the_thickness_is_refused) {
  offset_function both[2] = {ts_mesh_offset_vertices, ts_mesh_offset_faces};
  for (int k = 0; k < 2; k++) {
    double by = k ? 1 : sqrt(3); // vertices move that much less on each axis
    // All three axes turn over: every normal stays and the volume is below zero.
    solid cube = solid_box(1, 1, 1, 0);
    expect_refused(both[k], solid_mesh(arena, &cube), -0.6 * by, "move it by less");
    // Two axes turn over: the volume stays above zero.
    solid rod = solid_box(1, 1, 9, 0);
    expect_refused(both[k], solid_mesh(arena, &rod), -0.6 * by, "move it by less");
    // One axis.
    solid plate = solid_box(9, 9, 0.1, 0);
    expect_refused(both[k], solid_mesh(arena, &plate), -0.06 * by, "move it by less");
    // Exactly half: nothing is left.
    expect_refused(both[k], solid_mesh(arena, &plate), -0.05 * by, "move it by less");
    moved(both[k], solid_mesh(arena, &plate), -0.049 * by);
  }
}

Test(geometry_mesh_offset, a_small_part_that_turns_over_is_refused) {
  // A large cube and a small one: the small one turns into its mirror image, all normals and the
  // sign of the whole volume stay.
  solid s = solid_box(10, 10, 10, 0), part = solid_box(0.1, 0.1, 0.1, 0);
  solid_join(&s, &part, (ts_vec3){20, 0, 0});
  const ts_mesh *mesh = solid_mesh(arena, &s);
  expect_refused(ts_mesh_offset_faces, mesh, -0.06, "turns round");
  expect_refused(ts_mesh_offset_vertices, mesh, -0.1, "turns round");
  moved(ts_mesh_offset_faces, mesh, -0.04);
}

Test(geometry_mesh_offset, a_groove_filled_by_dilation_is_refused) {
  // The groove's rim of width 1 and depth 0.5 vanishes when the walls grow far enough.
  solid s = solid_groove();
  const ts_mesh *mesh = solid_mesh(arena, &s);
  moved(ts_mesh_offset_faces, mesh, 0.5);
  // The lands beside the groove, 0.5 wide, are eaten by the wall at 45 degrees and the side.
  expect_refused(ts_mesh_offset_faces, mesh, -0.9, "move it by less");
}

Test(geometry_mesh_offset, no_offset_is_a_copy) {
  solid s = solid_spike(1, 1);
  s.vertices[4].x = 0.3;
  const ts_mesh *mesh = solid_mesh(arena, &s);
  const ts_mesh *out = moved(ts_mesh_offset_faces, mesh, 0);
  cr_assert_neq(out, mesh);
  cr_assert_eq(memcmp(out->vertices, mesh->vertices, 5 * sizeof *out->vertices), 0);
}

Test(geometry_mesh_offset, an_offset_that_is_not_finite_is_refused) {
  solid s = solid_box(1, 1, 1, 0);
  const ts_mesh *mesh = solid_mesh(arena, &s);
  expect_refused(ts_mesh_offset_vertices, mesh, NAN, "finite");
  expect_refused(ts_mesh_offset_faces, mesh, INFINITY, "finite");
}

Test(geometry_mesh_offset, vertices_without_a_triangle_stay_and_tets_follow) {
  solid s = solid_box(1, 1, 1, 0);
  solid_add_vertex(&s, 0.1, 0, 0);
  uint32_t tets[12][4];
  for (size_t t = 0; t < 12; t++) {
    tets[t][0] = s.triangles[t][0];
    tets[t][1] = s.triangles[t][2];
    tets[t][2] = s.triangles[t][1];
    tets[t][3] = 8;
  }
  ts_mesh *mesh = solid_mesh(arena, &s);
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, tets, 12), TS_OK);
  const ts_mesh *out = moved(ts_mesh_offset_faces, mesh, -0.2);
  cr_assert_eq(out->vertices[8].x, 0.1);
  cr_assert_eq(out->tet_count, 12);
  // The surface would still be fine, but it shrinks past the vertex inside.
  expect_refused(ts_mesh_offset_faces, mesh, -0.45, "tet ");
}
