// SPDX-License-Identifier: MIT
// covers: ldi/ldi.c
// The oracle is checked with closed forms, by its two ways to cut a solid, and against counting.
#include "tests/ldi/ldi_fixture.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_exact_overlap, .init = setup, .fini = teardown);

static double exact_volume(const ts_mesh *a, ts_pose pose_a, const ts_mesh *b, ts_pose pose_b) {
  exact_body x, y;
  cr_assert_eq(exact_body_create(&x, a, pose_a), TS_OK);
  cr_assert_eq(exact_body_create(&y, b, pose_b), TS_OK);
  double volume_m3 = exact_overlap_volume(&x, &y);
  exact_body_free(&x);
  exact_body_free(&y);
  return volume_m3;
}

static double own_volume(const ts_mesh *mesh) {
  return ts_mesh_mass_properties(mesh, 1).volume_m3;
}

Test(ldi_exact_overlap, shifted_cubes_share_a_box) {
  const ts_mesh *cube = ldi_cube(arena, 1);
  const double shifts[][3] = {{0.25, 0.5, 0.125}, {-0.3, 0.1, 0.7}, {0, 0, 0.99}, {0, 0, 0}};
  for (int i = 0; i < 4; i++) {
    const double *s = shifts[i];
    double exact = (1 - fabs(s[0])) * (1 - fabs(s[1])) * (1 - fabs(s[2]));
    double found = exact_volume(cube, ts_pose_identity(), cube, ldi_at(s[0], s[1], s[2]));
    cr_expect_float_eq(found, exact, 1e-14, "shift %d: %.17g, not %.17g", i, found, exact);
  }
}

Test(ldi_exact_overlap, a_cube_and_its_eighth_turn_share_an_octagon) {
  const ts_mesh *cube = ldi_cube(arena, 1);
  ts_pose turned = ts_pose_identity();
  turned.rotation = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), atan(1));
  double found = exact_volume(cube, ts_pose_identity(), cube, turned);
  cr_expect_float_eq(found, 2 * (sqrt(2) - 1), 1e-14, "%.17g", found);
}

Test(ldi_exact_overlap, a_tetrahedron_and_its_mirror_image_share_an_octahedron) {
  const ts_mesh *mesh = ldi_tetrahedron(arena);
  ts_pose turned = ts_pose_identity();
  turned.rotation = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), 2 * atan(1));
  double found = exact_volume(mesh, ts_pose_identity(), mesh, turned);
  cr_expect_float_eq(found, 4.0 / 3, 1e-14, "%.17g", found);
}

Test(ldi_exact_overlap, a_solid_shares_all_of_itself) {
  ts_mesh *torus = ldi_torus(arena, 16, 8, 1, 0.35);
  const ts_mesh *meshes[] = {
      ldi_cube(arena, 1),         ldi_tetrahedron(arena), torus, ldi_without_tets(arena, torus),
      ldi_sphere(arena, 5, 8, 1), ldi_crack(arena)};
  ts_random random = ts_random_seed(1, 1);
  for (int i = 0; i < 6; i++) {
    ts_pose pose = random_pose(&random, 2);
    double exact = own_volume(meshes[i]), found = exact_volume(meshes[i], pose, meshes[i], pose);
    cr_expect_float_eq(found, exact, 1e-12 * exact, "mesh %d: %.17g, not %.17g", i, found, exact);
  }
}

Test(ldi_exact_overlap, what_is_inside_shares_all_of_itself_and_what_is_apart_nothing) {
  ts_mesh *torus = ldi_torus(arena, 16, 8, 1, 0.35), *crack = ldi_crack(arena);
  ts_mesh *small = ldi_cube(arena, 0.1);
  ts_pose tilted = {ts_quat_uniform(0.3, 0.8, 0.1), {1, 0, 0}};
  cr_expect_float_eq(exact_volume(torus, ts_pose_identity(), small, tilted), 1e-3, 1e-15);
  // In the hole of the ring, and in the groove, where cones of both signs hold it.
  tilted.translation = ts_vec3_make(0, 0, 0);
  torus = ldi_without_tets(arena, torus);
  cr_expect_float_eq(exact_volume(torus, ts_pose_identity(), small, tilted), 0, 1e-15);
  tilted.translation = ts_vec3_make(0, 0.4, 0);
  cr_expect_float_eq(exact_volume(crack, ts_pose_identity(), small, tilted), 0, 1e-15);
  cr_expect_eq(exact_volume(small, ldi_at(0, 0, 0), small, ldi_at(0.11, 0, 0)), 0);
}

Test(ldi_exact_overlap, order_common_motion_and_cones_for_tets_change_nothing) {
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_random random = ts_random_seed(2, kind);
    for (int n = 0; n < LDI_TRIES(20); n++) {
      ldi_scene_draw(&scene, &random);
      ts_pose motion = random_pose(&random, 5);
      const ts_mesh *a = scene.mesh[0], *b = scene.mesh[1];
      ts_pose moved[2] = {ts_pose_mul(motion, scene.pose[0]), ts_pose_mul(motion, scene.pose[1])};
      const double volumes[] = {
          exact_overlap_volume(&scene.exact[1], &scene.exact[0]),
          exact_volume(a, moved[0], b, moved[1]),
          exact_volume(ldi_without_tets(arena, a), scene.pose[0], b, scene.pose[1]),
      };
      for (int i = 0; i < 3; i++)
        cr_expect_float_eq(volumes[i], scene.volume_m3, 1e-12 * scene.volume_m3,
                           "%s, pose %d, way %d: %.17g, not %.17g", scene.name, n, i, volumes[i],
                           scene.volume_m3);
    }
    ldi_scene_close(&scene);
  }
}

/// How many times the posed surface winds round a point: the solid angle over 4 pi (van Oosterom
/// and Strackee 1983).
static double winding(const exact_body *body, ts_vec3 point) {
  double sum = 0;
  for (size_t t = 0; t < body->mesh->triangle_count; t++) {
    ts_vec3 p[3];
    double l[3];
    for (int i = 0; i < 3; i++) {
      p[i] = ts_vec3_sub(body->vertices[body->mesh->triangles[t][i]], point);
      l[i] = ts_vec3_norm(p[i]);
    }
    double numerator = ts_vec3_dot(p[0], ts_vec3_cross(p[1], p[2]));
    double denominator = l[0] * l[1] * l[2] + ts_vec3_dot(p[0], p[1]) * l[2] +
                         ts_vec3_dot(p[1], p[2]) * l[0] + ts_vec3_dot(p[2], p[0]) * l[1];
    sum += 2 * atan2(numerator, denominator);
  }
  return sum / (16 * atan(1));
}

Test(ldi_exact_overlap, counted_points_agree_with_it) {
  enum { SIDE = 24 };
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_random random = ts_random_seed(3, kind);
    ldi_scene_draw(&scene, &random);
    ts_aabb box = ldi_bounds(scene.mesh[1], scene.pose[1]);
    ts_vec3 step = ts_vec3_scale(ts_vec3_sub(box.high, box.low), 1.0 / SIDE);
    size_t both = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
      ts_vec3 p = ts_vec3_add(box.low, ts_vec3_make((i % SIDE + 0.5) * step.x,
                                                    (i / SIDE % SIDE + 0.5) * step.y,
                                                    (i / SIDE / SIDE + 0.5) * step.z));
      both += winding(&scene.exact[1], p) > 0.5 && winding(&scene.exact[0], p) > 0.5;
    }
    double counted = (double)both * step.x * step.y * step.z;
    cr_expect_float_eq(counted, scene.volume_m3, 0.05 * scene.volume_m3, "%s: %g, not %g",
                       scene.name, counted, scene.volume_m3);
    ldi_scene_close(&scene);
  }
}

Test(ldi_exact_overlap, a_moved_vertex_bends_the_solid) {
  // The tip of a tetrahedron pulled out of a box by t: volume = cross section of its cone.
  ts_mesh *box = ldi_box(arena, 4, 4, 4);
  solid s = solid_tet(1, 1, 1);
  exact_body x, y;
  cr_assert_eq(exact_body_create(&x, box, ldi_at(0, 0, -2)), TS_OK);
  cr_assert_eq(exact_body_create(&y, solid_mesh(arena, &s), ldi_at(0, 0, -0.5)), TS_OK);
  cr_expect_float_eq(exact_overlap_volume(&x, &y), 1.0 / 6 - 1.0 / 48, 1e-15);
  exact_body_move_vertex(&y, 3, ts_vec3_make(0, 0, 1)); // height 2, the upper 1.5 outside
  cr_expect_float_eq(exact_overlap_volume(&x, &y), (1 - 27.0 / 64) / 3, 1e-15);
  exact_body_free(&x);
  exact_body_free(&y);
}
