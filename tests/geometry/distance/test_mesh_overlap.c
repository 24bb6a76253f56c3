// SPDX-License-Identifier: MIT
// covers: geometry/distance/mesh_overlap.c geometry/mesh/mesh_columns.c
#include "geometry/distance/mesh_overlap.h"
#include "geometry/mesh/primitive.h"
#include "geometry/tet.h"
#include "tests/geometry/mesh/solids.h"
#include "tests/geometry/random_geometry.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_mesh_overlap, .init = setup, .fini = teardown);

static const ts_vec3 z_axis = {0, 0, 1};

static ts_placed_mesh place(const ts_mesh *mesh, ts_pose pose, double scale) {
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  cr_assert_not_null(vertices);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    vertices[i] = ts_vec3_scale(ts_pose_point(pose, mesh->vertices[i]), scale);
  return (ts_placed_mesh){mesh, vertices};
}

static const ts_mesh *mesh_of(const solid *s) {
  ts_mesh *mesh;
  cr_assert_eq(
      ts_mesh_create(&mesh, arena, s->vertices, s->vertex_count, s->triangles, s->triangle_count),
      TS_OK, "%s", ts_status_detail());
  return mesh;
}

static const ts_mesh *box(double width, double depth, double height) {
  solid s = solid_box(width, depth, height, 0);
  return mesh_of(&s);
}

static ts_placed_mesh at(const ts_mesh *mesh, double x, double y, double z) {
  return place(mesh, (ts_pose){ts_quat_identity(), {x, y, z}}, 1);
}

static ts_mesh_overlap measure(ts_placed_mesh a, ts_placed_mesh b, ts_vec3 along) {
  ts_mesh_overlap out;
  cr_assert_eq(ts_mesh_overlap_measure(&out, arena, a, b, along), TS_OK, "%s", ts_status_detail());
  return out;
}

Test(geometry_mesh_overlap, boxes_share_the_product_of_their_shared_sides) {
  const ts_mesh *unit = box(1, 1, 1);
  ts_mesh_overlap out = measure(at(unit, 0, 0, 0), at(unit, 0.25, -0.5, 0.9), z_axis);
  cr_expect_float_eq(out.volume_m3, 0.75 * 0.5 * 0.1, 1e-15);
  cr_expect_float_eq(out.deepest_m, 0.1, 1e-12);
  cr_expect_float_eq(out.deepest_at.z, 0.45, 1e-12);
}

Test(geometry_mesh_overlap, bodies_that_touch_or_are_apart_share_exactly_nothing) {
  const ts_mesh *unit = box(1, 1, 1);
  static const ts_vec3 offsets[] = {{0, 0, 1}, {0.3, 0.2, 1}, {1, 0, 0},
                                    {1, 1, 1}, {0, 0, 3},     {5, 5, 5}};
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
    ts_mesh_overlap out =
        measure(at(unit, 0, 0, 0), at(unit, offsets[i].x, offsets[i].y, offsets[i].z), z_axis);
    cr_expect_eq(out.volume_m3, 0, "offset %zu: %g", i, out.volume_m3);
    cr_expect_eq(out.deepest_m, 0, "offset %zu: %g", i, out.deepest_m);
    cr_expect(isnan(out.deepest_at.x));
  }
}

Test(geometry_mesh_overlap, a_body_shares_all_of_itself_with_itself_and_with_what_is_around_it) {
  const ts_mesh *unit = box(1, 1, 1), *large = box(3, 4, 5);
  cr_expect_float_eq(measure(at(unit, 0, 0, 0), at(unit, 0, 0, 0), z_axis).volume_m3, 1, 1e-14);
  cr_expect_float_eq(measure(at(large, 0, 0, 0), at(unit, 0.3, 0, 2), z_axis).volume_m3, 1, 1e-13);
  cr_expect_float_eq(measure(at(unit, 0.3, 0, 2), at(large, 0, 0, 0), z_axis).volume_m3, 1, 1e-13);
}

Test(geometry_mesh_overlap, rounding_where_bodies_lie_on_each_other_is_nothing) {
  const ts_mesh *brick = box(0.3, 0.1, 0.2);
  ts_vec3 along = ts_vec3_unit((ts_vec3){1, 2, 3});
  ts_random random = ts_random_seed(3, 0);
  for (int i = 0; i < 50; i++) {
    ts_pose pose = {random_rotation(&random), random_point(&random, 1)};
    ts_pose other = ts_pose_mul(pose, (ts_pose){ts_quat_identity(), {0.05, 0.1, 0.02}});
    ts_mesh_overlap out = measure(place(brick, pose, 1), place(brick, other, 1), along);
    cr_expect_lt(fabs(out.volume_m3), 1e-16, "%g", out.volume_m3);
  }
}

/// An outer shell and a hollow: one mesh of two sheets.
static const ts_mesh *hollow_box(double outer, double inner) {
  solid out = solid_box(outer, outer, outer, 0), in = solid_box(inner, inner, inner, 0);
  for (size_t i = 0; i < in.vertex_count; i++)
    out.vertices[out.vertex_count++] = in.vertices[i];
  for (size_t i = 0; i < in.triangle_count; i++)
    solid_add_triangle(&out, in.triangles[i][0] + 8, in.triangles[i][2] + 8,
                       in.triangles[i][1] + 8);
  return mesh_of(&out);
}

Test(geometry_mesh_overlap, the_deepest_stretch_is_not_through_a_hole_between_the_bodies) {
  const ts_mesh *shell = hollow_box(3, 2), *unit = box(1, 1, 1);
  // It is sunk by 0.1 m into the floor of the hollow, whose ceiling is 1.1 m above it.
  ts_mesh_overlap out = measure(at(shell, 0, 0, 0), at(unit, 0, 0, -0.6), z_axis);
  cr_expect_float_eq(out.volume_m3, 0.1, 1e-14);
  cr_expect_float_eq(out.deepest_m, 0.1, 1e-12);
  // Downwards, the ceiling of a faces b's top: nothing of b ends on a there.
  cr_expect_eq(measure(at(shell, 0, 0, 0), at(unit, 0, 0, -0.6), ts_vec3_neg(z_axis)).deepest_m, 0);
}

static const ts_mesh *tet_mesh(const ts_vec3 tet[4]) {
  solid s = {0};
  for (int i = 0; i < 4; i++)
    s.vertices[s.vertex_count++] = tet[i];
  for (uint32_t i = 0; i < 4; i++)
    solid_add_triangle(&s, (uint32_t)ts_tet_face_nodes[i][0], (uint32_t)ts_tet_face_nodes[i][1],
                       (uint32_t)ts_tet_face_nodes[i][2]);
  return mesh_of(&s);
}

/// Four points with a volume above zero, sometimes nearly flat, or with corners of a grid, which
/// coincide with those of others.
static void random_tet(ts_vec3 out[4], ts_random *random, int kind) {
  do {
    for (int i = 0; i < 4; i++) {
      out[i] = random_point(random, 1);
      if (kind == 1)
        out[i].z *= 1e-3;
      if (kind == 2)
        out[i] = (ts_vec3){round(out[i].x), round(out[i].y), round(out[i].z)};
    }
    if (ts_tet_volume(out) < 0) {
      ts_vec3 swap = out[0];
      out[0] = out[1];
      out[1] = swap;
    }
  } while (ts_tet_volume(out) < 1e-6);
}

Test(geometry_mesh_overlap, is_that_of_tets_by_clipping_along_any_direction) {
  ts_random random = ts_random_seed(7, 0);
  double worst = 0;
  for (int i = 0; i < 600; i++) {
    ts_vec3 a[4], b[4];
    random_tet(a, &random, i % 3);
    random_tet(b, &random, i / 3 % 3);
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_placed_mesh first = at(tet_mesh(a), 0, 0, 0), second = at(tet_mesh(b), 0, 0, 0);
    double expected = ts_tet_tet_volume(a, b);
    for (int k = 0; k < 4; k++) {
      ts_vec3 along = k == 0   ? z_axis
                      : k == 1 ? (ts_vec3){1, 0, 0}
                               : ts_vec3_unit(random_point(&random, 1));
      worst = ts_max(worst, fabs(measure(first, second, along).volume_m3 - expected));
    }
    ts_arena_rewind(arena, mark);
  }
  cr_expect_lt(worst, 1e-13, "off by %g", worst);
}

Test(geometry_mesh_overlap, scales_with_lengths_and_bears_a_far_origin) {
  const ts_mesh *unit = box(1, 1, 1);
  ts_pose turned = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 2, 3}), 0.7),
                    {0.2, 0.1, 0.9}};
  ts_vec3 along = ts_vec3_unit((ts_vec3){0.1, 0.2, 1});
  ts_mesh_overlap near = measure(at(unit, 0, 0, 0), place(unit, turned, 1), along);
  cr_expect_gt(near.volume_m3, 0.05);
  static const double scales[] = {1e-3, 1e3};
  for (int i = 0; i < 2; i++) {
    double s = scales[i];
    ts_mesh_overlap out =
        measure(place(unit, ts_pose_identity(), s), place(unit, turned, s), along);
    cr_expect_float_eq(out.volume_m3 / (s * s * s), near.volume_m3, 1e-13);
    cr_expect_float_eq(out.deepest_m / s, near.deepest_m, 1e-12);
  }
  // At 1e5 m coordinates know 1.5e-11 m.
  ts_pose far = {ts_quat_identity(), {1e5, -1e5, 1e5}};
  ts_mesh_overlap out =
      measure(place(unit, far, 1), place(unit, ts_pose_mul(far, turned), 1), along);
  cr_expect_float_eq(out.volume_m3, near.volume_m3, 1e-9);
  cr_expect_float_eq(out.deepest_m, near.deepest_m, 1e-9);
}

static const ts_mesh *ball(double radius_m, double error_m) {
  ts_geometry geometry = {
      .struct_size = sizeof geometry, .kind = TS_GEOMETRY_SPHERE, .radius_m = radius_m};
  ts_hull made;
  ts_mesh *mesh;
  cr_assert_eq(ts_primitive_tessellate(&made, arena, &geometry, error_m), TS_OK, "%s",
               ts_status_detail());
  cr_assert_eq(ts_mesh_create(&mesh, arena, made.vertices, made.vertex_count, made.triangles,
                              made.triangle_count),
               TS_OK);
  return mesh;
}

Test(geometry_mesh_overlap, spheres_come_to_the_lens_of_the_exact_ones_with_their_meshes) {
  const double distance = 1.7, cap = 1 - distance / 2;
  const double lens = 2 * acos(-1) * cap * cap * (3 - cap) / 3;
  double before = 0;
  for (int i = 0; i < 3; i++) {
    const ts_mesh *mesh = ball(1, 0.02 / (1 << (2 * i)));
    ts_pose above = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 0.2, 1}), 0.37),
                     {0.1, 0.2, sqrt(distance * distance - 0.05)}};
    ts_vec3 along = ts_vec3_unit(above.translation);
    ts_mesh_overlap out = measure(at(mesh, 0, 0, 0), place(mesh, above, 1), along);
    double error = fabs(out.volume_m3 - lens) / lens;
    cr_expect_float_eq(out.deepest_m, 0.3, 0.05, "%g", out.deepest_m);
    if (i > 0)
      cr_expect_lt(error, 0.4 * before, "level %d: %g after %g", i, error, before);
    before = error;
  }
}

Test(geometry_mesh_overlap, refuses_vertices_that_are_not_finite) {
  const ts_mesh *unit = box(1, 1, 1);
  ts_placed_mesh bad = at(unit, 0, 0, 0);
  ((ts_vec3 *)bad.vertices)[3].y = (double)NAN;
  ts_mesh_overlap out;
  cr_expect_eq(ts_mesh_overlap_measure(&out, arena, at(unit, 0, 0, 0), bad, z_axis), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "vertex 3"), "%s", ts_status_detail());
}
