// SPDX-License-Identifier: MIT
// covers: ldi/ldi.c
#include "tests/ldi/ldi_fixture.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_contacts, .init = setup, .fini = teardown);

static const ts_vec3 axes[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

/// The rotation that takes +z to an axis.
static ts_quat turn_to(ts_vec3 axis) {
  ts_vec3 u, v;
  ts_vec3_tangents(&u, &v, axis);
  return ts_quat_from_axes(u, v, axis);
}

Test(ldi_contacts, a_box_pressed_into_a_face_is_as_worked_out_by_hand) {
  // A rod of 1 x 0.5 is on a block of 3 x 3 x 1, off its middle, 1/16 deep: at 64 pixels that
  // is 4 of them.
  const double depth = 0.0625;
  ts_ldi *ldi = ldi_open(ldi_box(arena, 3, 3, 1), ldi_box(arena, 1, 0.5, 2), 1);
  for (int i = 0; i < 6; i++) {
    ts_pose a = {turn_to(axes[i]), {0.5, -0.25, 2}};
    ts_pose b = ts_pose_mul(a, ldi_at(0.25, -0.5, 1.5 - depth));
    ldi_place(ldi, a, b, 64);
    ldi_contacts found = ldi_find(arena, ldi, 0);
    cr_assert_eq(found.count, 1);
    const ts_contact *c = &found.list[0];
    cr_expect_eq(ts_vec3_distance(c->normal, axes[i]), 0, "axis %d", i);
    cr_expect_float_eq(c->gap_m, -depth, 1e-14, "axis %d: gap %.17g", i, c->gap_m);
    cr_expect_float_eq(c->area_m2, 0.5, 1e-14, "axis %d: area %.17g", i, c->area_m2);
    ldi_expect_near(c->point, ts_pose_point(a, ts_vec3_make(0.25, -0.5, 0.5 - depth / 2)), 1e-9,
                    "point");
    cr_expect(c->feature_a.kind == TS_FEATURE_NONE && c->feature_b.kind == TS_FEATURE_NONE);
  }
  ts_ldi_destroy(ldi);
}

Test(ldi_contacts, a_pressed_box_is_alike_after_any_motion) {
  const double depth = 0.0625;
  ts_ldi *ldi = ldi_open(ldi_box(arena, 3, 3, 1), ldi_box(arena, 1, 0.5, 2), 1);
  ts_random random = ts_random_seed(1, 1);
  for (int n = 0; n < LDI_TRIES(100); n++) {
    ts_pose a = random_pose(&random, 5), b = ts_pose_mul(a, ldi_at(0.25, -0.5, 1.5 - depth));
    ldi_place(ldi, a, b, 128);
    ldi_contacts found = ldi_find(arena, ldi, 0);
    cr_assert_eq(found.count, 1);
    const ts_contact *c = &found.list[0];
    ts_vec3 normal = ts_pose_direction(a, ts_vec3_make(0, 0, 1));
    ldi_expect_near(c->normal, normal, 0.02, "normal");
    cr_expect_float_eq(c->gap_m, -depth, 0.04 * depth, "pose %d: gap %g", n, c->gap_m);
    cr_expect_float_eq(c->area_m2, 0.5, 0.03 * 0.5, "pose %d: area %g", n, c->area_m2);
    ldi_expect_near(c->point, ts_pose_point(a, ts_vec3_make(0.25, -0.5, 0.5 - depth / 2)), 0.01,
                    "point");
  }
  ts_ldi_destroy(ldi);
}

/// The contact that ldi.h defines, from the measured volume and gradient.
static ts_contact defined_contact(const ts_ldi_pair *pair, const ts_ldi_overlap *overlap) {
  ts_contact c = {0};
  for (size_t i = 0; i < pair->mesh[0]->vertex_count; i++)
    c.normal = ts_vec3_add(c.normal, overlap->gradient[0][i]);
  c.normal = ts_vec3_unit(c.normal);
  for (int body = 0; body < 2; body++) {
    ts_vec3 moment = {0, 0, 0};
    double facing = 0;
    for (size_t i = 0; i < pair->mesh[body]->vertex_count; i++) {
      double area = ts_vec3_dot(c.normal, overlap->gradient[body][i]);
      c.area_m2 += area > 0 ? area : 0;
      if ((body == 0) != (area > 0))
        continue;
      facing += area;
      moment = ts_vec3_add_scaled(moment, area,
                                  ts_pose_point(pair->pose[body], pair->mesh[body]->vertices[i]));
    }
    c.point = ts_vec3_add_scaled(c.point, 0.5 / facing, moment);
  }
  const double *volume_m3 = overlap->view_volume_m3;
  c.gap_m = -(c.normal.x * c.normal.x * volume_m3[0] + c.normal.y * c.normal.y * volume_m3[1] +
              c.normal.z * c.normal.z * volume_m3[2]) /
            c.area_m2;
  return c;
}

Test(ldi_contacts, the_whole_is_as_defined) {
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_ldi *ldi = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    ts_random random = ts_random_seed(10, kind);
    for (int n = 0; n < LDI_TRIES(20); n++) {
      ldi_scene_draw(&scene, &random);
      ldi_place(ldi, scene.pose[0], scene.pose[1], 48);
      ts_ldi_overlap overlap = ldi_measure(ldi);
      ts_contact c = defined_contact(ts_ldi_placed(ldi), &overlap);
      ldi_contacts found = ldi_find(arena, ldi, 0);
      cr_assert_eq(found.count, 1);
      ldi_expect_near(found.list[0].normal, c.normal, 1e-12, scene.name);
      ldi_expect_near(found.list[0].point, c.point, 1e-9, scene.name);
      cr_expect_float_eq(found.list[0].gap_m, c.gap_m, -1e-12 * c.gap_m);
      cr_expect_float_eq(found.list[0].area_m2, c.area_m2, 1e-12 * c.area_m2);
    }
    ldi_scene_close(&scene);
    ts_ldi_destroy(ldi);
  }
}

Test(ldi_contacts, swapped_bodies_have_the_contact_turned_round) {
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_ldi *ldi = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    ts_ldi *swapped = ldi_open(scene.mesh[1], scene.mesh[0], 1);
    ts_random random = ts_random_seed(2, kind);
    for (int n = 0; n < LDI_TRIES(20); n++) {
      ldi_scene_draw(&scene, &random);
      ldi_place(ldi, scene.pose[0], scene.pose[1], 48);
      ldi_place(swapped, scene.pose[1], scene.pose[0], 48);
      for (int cell_px = 0; cell_px <= 16; cell_px += 16) {
        ldi_contacts a = ldi_find(arena, ldi, cell_px), b = ldi_find(arena, swapped, cell_px);
        cr_assert_eq(a.count, b.count);
        cr_assert_gt(a.count, 0);
        for (size_t i = 0; i < a.count; i++) {
          cr_expect_eq(ts_vec3_distance(a.list[i].normal, ts_vec3_neg(b.list[i].normal)), 0);
          cr_expect_float_eq(a.list[i].gap_m, b.list[i].gap_m, -1e-12 * a.list[i].gap_m);
          cr_expect_float_eq(a.list[i].area_m2, b.list[i].area_m2, 1e-12 * a.list[i].area_m2);
          ldi_expect_near(a.list[i].point, b.list[i].point, 1e-9, scene.name);
        }
      }
    }
    ldi_scene_close(&scene);
    ts_ldi_destroy(ldi);
    ts_ldi_destroy(swapped);
  }
}

Test(ldi_contacts, the_gap_of_a_shallow_overlap_is_its_depth) {
  // A hundredth of a pixel deep: views along the overlap count a whole pixel of its thickness.
  ts_ldi *ldi = ldi_open(ldi_box(arena, 3, 3, 3), ldi_box(arena, 1, 1, 0.5), 1);
  const double depths_px[] = {0.01, 0.3, 0.5, 1, 1.5, 7.5};
  for (int i = 0; i < 6; i++) {
    double depth_m = depths_px[i] / 128;
    ldi_place(ldi, ldi_at(0, -1.5, 0), ldi_at(0, 0.5 - depth_m, 0), 128);
    ldi_contacts whole = ldi_find(arena, ldi, 0);
    cr_assert_eq(whole.count, 1);
    ldi_expect_near(whole.list[0].normal, ts_vec3_make(0, 1, 0), 1e-15, "normal");
    cr_expect_float_eq(whole.list[0].gap_m, -depth_m, 1e-12, "%g px deep: a gap of %g px",
                       depths_px[i], whole.list[0].gap_m * 128);
    cr_expect_float_eq(whole.list[0].area_m2, 0.5, 1e-12);
  }
  ts_ldi_destroy(ldi);
}

Test(ldi_contacts, equal_boxes_stacked_are_pushed_straight) {
  // Their sides are coplanar, and the overlap is a hundredth of their height.
  ts_ldi *ldi = ldi_open(ldi_cube(arena, 1), ldi_cube(arena, 1), 1);
  ts_random random = ts_random_seed(3, 1);
  const int resolutions[] = {1, 5, 64, 128};
  for (int i = 0; i < 6; i++)
    for (int n = 0; n < 20; n++) {
      // Places that are not round numbers, so that rounding tips the sides.
      ts_vec3 at = n == 0 ? ts_vec3_make(0, 0, 0) : random_point(&random, n < 10 ? 1 : 1000);
      ts_pose a = {ts_quat_identity(), at}, b = a;
      b.translation = ts_vec3_add_scaled(at, 0.99, axes[i]);
      ldi_place(ldi, a, b, resolutions[n % 4]);
      ldi_contacts found = ldi_find(arena, ldi, 0);
      cr_assert_eq(found.count, 1);
      cr_expect_eq(ts_vec3_distance(found.list[0].normal, axes[i]), 0, "axis %d, try %d", i, n);
      cr_expect_float_eq(found.list[0].area_m2, 1, 1e-9, "axis %d, try %d: %g", i, n,
                         found.list[0].area_m2);
    }
  ts_ldi_destroy(ldi);
}

Test(ldi_contacts, equal_boxes_stacked_are_pushed_nearly_straight_after_any_motion) {
  ts_ldi *ldi = ldi_open(ldi_cube(arena, 1), ldi_cube(arena, 1), 1);
  ts_random random = ts_random_seed(4, 1);
  double worst = 0;
  for (int n = 0; n < LDI_TRIES(100); n++) {
    ts_pose a = random_pose(&random, 3), b = ts_pose_mul(a, ldi_at(0, 0, 0.99));
    ldi_place(ldi, a, b, 128);
    ldi_contacts found = ldi_find(arena, ldi, 0);
    cr_assert_eq(found.count, 1);
    ts_vec3 normal = ts_pose_direction(a, ts_vec3_make(0, 0, 1));
    worst = fmax(worst, ts_vec3_distance(found.list[0].normal, normal));
  }
  cr_log_info("stacked boxes: normals up to %g rad off", worst);
  cr_expect_leq(worst, 0.01, "%g rad", worst);
  ts_ldi_destroy(ldi);
}

static void expect_nothing(ts_ldi *ldi, const char *what, int n) {
  ts_ldi_overlap overlap = ldi_measure(ldi);
  cr_expect_eq(overlap.volume_m3, 0, "%s, try %d: volume %g", what, n, overlap.volume_m3);
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < ts_ldi_placed(ldi)->mesh[body]->vertex_count; i++)
      cr_expect_eq(ts_vec3_norm(overlap.gradient[body][i]), 0, "%s, try %d", what, n);
  cr_expect_eq(ldi_find(arena, ldi, 0).count, 0, "%s, try %d", what, n);
  cr_expect_eq(ldi_find(arena, ldi, 8).count, 0, "%s, try %d", what, n);
}

Test(ldi_contacts, boxes_apart_and_boxes_that_touch_have_none) {
  ts_ldi *ldi = ldi_open(ldi_cube(arena, 1), ldi_cube(arena, 1), 1);
  const struct {
    const char *what;
    double x, y, z;
  } places[] = {{"apart", 2, 0, 0},   {"apart", 0, -1.001, 0}, {"apart", 3, 4, 5},
                {"face", 0, 0, 1},    {"face", 0.3, -1, 0.2},  {"face", -1, 0.9, 0.9},
                {"edge", 1, 1, 0},    {"edge", -0.2, 1, -1},   {"corner", 1, 1, 1},
                {"corner", -1, 1, -1}};
  ts_random random = ts_random_seed(5, 1);
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    for (int n = 0; n < LDI_TRIES(60); n++) {
      ts_pose a = n < 3 ? ts_pose_identity() : random_pose(&random, n % 2 == 0 ? 3 : 1000);
      if (n % 3 == 0)
        a.rotation = ts_quat_identity();
      ts_pose b = ts_pose_mul(a, ldi_at(places[i].x, places[i].y, places[i].z));
      ldi_place(ldi, a, b, n % 4 == 0 ? 1 : n % 4 == 1 ? 300 : 64);
      expect_nothing(ldi, places[i].what, n);
    }
  ts_ldi_destroy(ldi);
}

Test(ldi_contacts, shapes_that_fill_each_other_touch_and_have_none) {
  // A wedge that fills the groove to its walls, and a bar that fills the hole of a ring of boxes.
  const double p[3][2] = {{0, 0}, {0.5, 0.5}, {-0.5, 0.5}};
  const uint32_t cap[1][3] = {{0, 1, 2}};
  solid wedge = solid_between(p, p, 3, cap, 1, -1, 1, 0);
  ts_ldi *ldi = ldi_open(ldi_crack(arena), solid_mesh(arena, &wedge), 1);
  ts_random random = ts_random_seed(6, 1);
  for (int n = 0; n < LDI_TRIES(100); n++) {
    ts_pose pose = n == 0 ? ts_pose_identity() : random_pose(&random, 3);
    ldi_place(ldi, pose, pose, 64);
    expect_nothing(ldi, "wedge in groove", n);
  }
  ts_ldi_destroy(ldi);
}

Test(ldi_contacts, a_spike_pushed_into_the_groove_is_pushed_out_of_it) {
  solid spike = solid_spike(0.8, 2.4);
  ts_ldi *ldi = ldi_open(ldi_crack(arena), solid_mesh(arena, &spike), 1);
  ts_pose down = {ts_quat_from_axis_angle(ts_vec3_make(1, 0, 0), 2 * atan(1)), {0, 2.3, 0}};
  ldi_place(ldi, ts_pose_identity(), down, 128);
  ldi_contacts found = ldi_find(arena, ldi, 0);
  cr_assert_eq(found.count, 1);
  // Symmetric about x = 0, where both walls push alike.
  ldi_expect_near(found.list[0].normal, ts_vec3_make(0, 1, 0), 0.01, "normal");
  cr_expect_lt(found.list[0].gap_m, 0);
  cr_expect_leq(fabs(found.list[0].point.x), 0.01);
  ts_ldi_destroy(ldi);
}

static ts_status count_to_three(void *context, const ts_contact *contact) {
  (void)contact;
  return ++*(int *)context < 3 ? TS_OK : TS_E_UNSUPPORTED;
}

Test(ldi_contacts, the_receiver_may_end_the_search) {
  ts_ldi *ldi = ldi_open(ldi_cube(arena, 1), ldi_cube(arena, 1), 1);
  ldi_place(ldi, ldi_at(0, 0, 0), ldi_at(0.3, 0.4, 0.5), 32);
  int count = 0;
  cr_expect_eq(ts_ldi_contacts(ldi, 4, count_to_three, &count), TS_E_UNSUPPORTED);
  cr_expect_eq(count, 3);
  count = 2;
  cr_expect_eq(ts_ldi_contacts(ldi, 0, count_to_three, &count), TS_E_UNSUPPORTED);
  cr_expect_eq(count, 3);
  ts_ldi_destroy(ldi);
}

Test(ldi_contacts, cells_of_no_width_are_refused) {
  ts_ldi *ldi = ldi_open(ldi_cube(arena, 1), ldi_cube(arena, 1), 1);
  ldi_place(ldi, ldi_at(0, 0, 0), ldi_at(0.3, 0.4, 0.5), 32);
  int count = 0;
  cr_expect_eq(ts_ldi_contacts(ldi, -1, count_to_three, &count), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "-1"), "%s", ts_status_detail());
  cr_expect_eq(count, 0);
  ts_ldi_destroy(ldi);
}
