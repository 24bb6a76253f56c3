// SPDX-License-Identifier: MIT
// covers: harness/judge/ahead.c harness/judge/metrics/speculative.c
/// Unit cubes with a gap between them: what may be said of it, and what may not.
#include "harness/judge/ahead.h"

#include "base/status.h"
#include "harness/judge/metrics/metric.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(harness_ahead, .init = scoring_setup, .fini = scoring_teardown);

static const double gap = 0.0005;
static const ts_vec3 unmoved = {0, 0, 0};

/// Cube 1 above cube 0, in the middle of it, with the gap between them; all of it scaled, turned
/// and moved as a whole.
static ts_scene *stack(double scale, ts_pose motion) {
  ts_scene *scene = scene_with(2, NULL, 0);
  ts_aabb box = ts_body_bounds(&scene->shapes[0], ts_pose_identity());
  scene->bodies[0].pose = ts_pose_identity();
  scene->bodies[1].pose = ts_pose_identity();
  scene->bodies[1].pose.translation.y = box.high.y - box.low.y + gap;
  cr_assert_eq(ts_scene_transform(scene, scale, motion), TS_OK);
  return scene;
}

/// Whether a contact is right whose point and normal are those of the stack before it was moved.
static bool is_right_when(double scale, ts_pose motion, ts_contact contact, double extra_m) {
  ts_scene *scene = stack(scale, motion);
  ts_ahead *ahead;
  bool is_right;
  contact.point = ts_pose_point(motion, ts_vec3_scale(contact.point, scale));
  contact.normal = ts_pose_direction(motion, contact.normal);
  contact.gap_m *= scale;
  cr_assert_eq(ts_ahead_create(&ahead, arena, scene), TS_OK);
  const ts_ahead_tolerance tolerance = {1e-4, scale * (1e-6 + extra_m)};
  cr_assert_eq(ts_ahead_is_right(&is_right, ahead, 0, 1, unmoved, &contact, tolerance), TS_OK);
  return is_right;
}

/// Height of the upper face of cube 0.
static double top(void) {
  return ts_body_bounds(&scene_with(1, NULL, 0)->shapes[0], ts_pose_identity()).high.y;
}

static bool is_right(ts_contact contact) {
  return is_right_when(1, ts_pose_identity(), contact, 0);
}

Test(harness_ahead, the_point_may_be_on_either_surface_or_between_them) {
  double x = 0.25, z = 0.25;
  cr_expect(is_right(contact_at(x, top(), z, up, gap)));
  cr_expect(is_right(contact_at(x, top() + gap, z, up, gap)));
  cr_expect(is_right(contact_at(x, top() + 0.3 * gap, z, up, gap)));
  cr_expect_not(is_right(contact_at(x, top() - 0.01, z, up, gap)));
  cr_expect_not(is_right(contact_at(x, top() + gap + 2e-6, z, up, gap)));
}

Test(harness_ahead, corners_count_as_the_faces_do) {
  ts_aabb box = ts_body_bounds(&scene_with(1, NULL, 0)->shapes[0], ts_pose_identity());
  cr_expect(is_right(contact_at(box.low.x, top(), box.low.z, up, gap)));
  cr_expect(is_right(contact_at(box.high.x, top() + gap, box.high.z, up, gap)));
  cr_expect_not(is_right(contact_at(box.high.x + 1e-5, top(), box.high.z, up, gap)));
}

Test(harness_ahead, a_wrong_gap_is_wrong) {
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, up, 2 * gap)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, up, gap - 2e-6)));
  cr_expect(is_right(contact_at(0.25, top(), 0.25, up, gap + 0.9e-6)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, up, INFINITY)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, up, NAN)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, up, 1e300)));
}

Test(harness_ahead, a_wrong_normal_is_wrong) {
  cr_expect(is_right(contact_at(0.25, top(), 0.25, up_tilted(0.5), gap)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, up_tilted(2), gap)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, up_tilted(45), gap * sqrt(2))));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, right, gap)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, down, gap)));
  cr_expect_not(is_right(contact_at(0.25, top() + gap, 0.25, down, gap)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, (ts_vec3){0}, gap)));
  cr_expect_not(is_right(contact_at(0.25, top(), 0.25, (ts_vec3){0, NAN, 0}, gap)));
}

Test(harness_ahead, a_point_elsewhere_is_wrong) {
  cr_expect_not(is_right(contact_at(40, top(), 0.25, up, gap)));
  cr_expect_not(is_right(contact_at(NAN, top(), 0.25, up, gap)));
}

Test(harness_ahead, a_segment_through_a_body_is_wrong) {
  ts_aabb box = ts_body_bounds(&scene_with(1, NULL, 0)->shapes[0], ts_pose_identity());
  double height = box.high.y - box.low.y;
  cr_expect_not(is_right(contact_at(0.25, box.low.y, 0.25, up, height + gap)),
                "from the lower face of the lower cube");
}

/// Body 0: a rack with two shelves, whose tops are at the heights 0.1 and 1.1. Body 1: a unit cube
/// above, with its lower face at this height.
static ts_scene *box_over_rack(double height) {
  ts_vec3 corners[16];
  uint32_t triangles[24][3];
  const ts_mesh *cube = scene_with(1, NULL, 0)->shapes[0].mesh;
  for (uint32_t i = 0; i < 16; i++) {
    corners[i] = cube->vertices[i % 8];
    corners[i].y = 0.1 * corners[i].y + (i < 8 ? 0 : 1);
  }
  for (uint32_t t = 0; t < 24; t++)
    for (int i = 0; i < 3; i++)
      triangles[t][i] = cube->triangles[t % 12][i] + (t < 12 ? 0 : 8);
  ts_scene *scene = scene_with(2, NULL, 0);
  int32_t rack;
  cr_assert_eq(ts_scene_add_shape(&rack, scene, "rack", corners, 16, triangles, 24), TS_OK, "%s",
               ts_status_detail());
  scene->bodies[0].shape = rack;
  ts_pose poses[2] = {ts_pose_identity(), {{1, 0, 0, 0}, {0, height, 0}}};
  for (int i = 0; i < 2; i++)
    scene->bodies[i].pose = poses[i];
  return scene;
}

// The lower shelf faces the box, too, and nothing of the box is closer to it.
Test(harness_ahead, a_segment_through_another_part_of_a_body_is_wrong) {
  ts_ahead *ahead;
  cr_assert_eq(ts_ahead_create(&ahead, arena, box_over_rack(1.2)), TS_OK);
  const ts_ahead_tolerance tolerance = {1e-4, 1e-6};
  // From either shelf: in the middle of faces, on the line where two triangles meet, and down an
  // edge of the rack.
  const double at[][2] = {{0.25, 0.4}, {0.5, 0.5}, {0, 0}};
  for (int i = 0; i < 3; i++)
    for (int upper = 0; upper < 2; upper++) {
      ts_contact contact =
          contact_at(at[i][0], 1.2, at[i][1], ts_vec3_make(0, 1, 0), upper ? 0.1 : 1.1);
      bool is_right;
      cr_assert_eq(ts_ahead_is_right(&is_right, ahead, 0, 1, unmoved, &contact, tolerance), TS_OK);
      cr_expect_eq(is_right, upper, "%d, shelf %d", i, upper);
    }
}

// The box stands 0.05 deep in the upper shelf: between it and the lower one the segment passes the
// surface of the rack once, out of it or into it.
Test(harness_ahead, a_segment_that_begins_or_ends_in_another_part_of_a_body_is_wrong) {
  ts_ahead *ahead;
  cr_assert_eq(ts_ahead_create(&ahead, arena, box_over_rack(1.05)), TS_OK);
  const ts_ahead_tolerance tolerance = {1e-4, 1e-6};
  const double at[][2] = {{0.25, 0.4}, {0.4, 0.25}}; // in either triangle of the face
  for (int i = 0; i < 2; i++)
    for (int32_t box = 0; box < 2; box++) {
      ts_contact contact =
          contact_at(at[i][0], 0.1, at[i][1], ts_vec3_make(0, box ? 1 : -1, 0), 0.95);
      bool is_right;
      cr_assert_eq(ts_ahead_is_right(&is_right, ahead, 1 - box, box, unmoved, &contact, tolerance),
                   TS_OK);
      cr_expect_not(is_right, "%d, the box is body %c", i, "ab"[box]);
    }
}

// Within the tolerance of both surfaces every direction is as good as none.
Test(harness_ahead, a_normal_without_direction_is_wrong_however_small_the_gap) {
  ts_scene *scene = stack(1, ts_pose_identity());
  scene->bodies[1].pose.translation.y -= gap - 1.5e-6;
  ts_ahead *ahead;
  cr_assert_eq(ts_ahead_create(&ahead, arena, scene), TS_OK);
  const ts_ahead_tolerance tolerance = {1e-4, 1e-6};
  const ts_vec3 normals[] = {up, {0, 0, 0}, {NAN, 0, 0}};
  for (int i = 0; i < 3; i++) {
    ts_contact contact = contact_at(0.25, top() + 0.75e-6, 0.25, normals[i], 1.5e-6);
    bool is_right;
    cr_assert_eq(ts_ahead_is_right(&is_right, ahead, 0, 1, unmoved, &contact, tolerance), TS_OK);
    cr_expect_eq(is_right, i == 0, "%d", i);
  }
}

Test(harness_ahead, scale_and_pose_do_not_matter) {
  double half = sqrt(0.5);
  const ts_pose turned = {{half, 0, 0, half}, {0, 0, 0}}, far = {{half, half, 0, 0}, {100, 0, 7}};
  ts_contact good = contact_at(0.25, top(), 0.25, up, gap);
  ts_contact bad = contact_at(0.25, top(), 0.25, up_tilted(2), gap);
  const double scales[] = {1e-3, 1, 1e3};
  for (size_t i = 0; i < 3; i++) {
    cr_expect(is_right_when(scales[i], turned, good, 0), "%g", scales[i]);
    cr_expect_not(is_right_when(scales[i], turned, bad, 0), "%g", scales[i]);
    cr_expect(is_right_when(scales[i], far, good, 0), "%g", scales[i]);
    cr_expect_not(is_right_when(scales[i], far, bad, 0), "%g", scales[i]);
  }
}

Test(harness_ahead, the_tolerance_is_for_place_and_gap) {
  ts_contact contact = contact_at(0.25, top(), 0.25, up, gap + 0.01);
  cr_expect_not(is_right_when(1, ts_pose_identity(), contact, 0));
  cr_expect(is_right_when(1, ts_pose_identity(), contact, 0.01));
}

/// Where bodies touch, a sideways contact a hair ahead of the touch is wrong however small its gap.
Test(harness_ahead, beside_a_touch_a_sideways_normal_is_wrong) {
  ts_scene *scene = stack(1, ts_pose_identity());
  scene->bodies[1].pose.translation.y -= gap;
  ts_ahead *ahead;
  cr_assert_eq(ts_ahead_create(&ahead, arena, scene), TS_OK);
  const ts_ahead_tolerance tolerance = {1e-4, 1e-6};
  for (double ahead_m = 1.01e-6; ahead_m < 0.2; ahead_m *= 7) {
    ts_contact contact = contact_at(0.25, top(), 0.25, up_tilted(89.94), ahead_m);
    bool is_right;
    cr_assert_eq(ts_ahead_is_right(&is_right, ahead, 0, 1, unmoved, &contact, tolerance), TS_OK);
    cr_expect_not(is_right, "%g", ahead_m);
  }
}

/// In a carried scene the surfaces are where they are, too: the displacement excuses nothing unless
/// the contacts say that the bodies overlap.
Test(harness_ahead, in_a_carried_scene_a_sideways_normal_is_wrong_where_bodies_do_not_overlap) {
  const region_spec square[] = {SQUARE(0, 1)};
  ts_scene *scene = stack(1, ts_pose_identity()), *told = scene_with(2, square, 1);
  scene->bodies[1].pose.translation.y -= gap - 2e-6;
  scene->regions = told->regions;
  scene->region_count = 1;
  scene->regions[0].place_error_m = 0.01;
  const double depths_m[] = {0, 0.0004, 0.5};
  for (size_t i = 0; i < 3; i++) {
    ts_contact contacts[] = {contact_at(0.25, top(), 0.25, up, -depths_m[i]),
                             contact_at(0.25, top(), 0.25, up_tilted(89.94), 3e-6),
                             contact_at(0.25, top(), 0.25, up, 0.009)};
    ts_contact_set set = set_of(0, 1, contacts, 3);
    ts_judgement judgement = judge(scene, &set, 1, no_envelope);
    const ts_verdict *verdicts = judgement.pairs[0].verdicts;
    cr_expect(verdicts[1].is_speculative && verdicts[2].is_speculative);
    cr_expect_eq(verdicts[1].is_wrong_ahead, i == 0, "%g", depths_m[i]);
    cr_expect_eq(verdicts[2].is_wrong_ahead, i < 2, "%g: off by 9 mm", depths_m[i]);
  }
}

Test(harness_ahead, wrong_ones_are_counted_and_right_ones_are_not) {
  ts_scene *scene = stack(1, ts_pose_identity());
  ts_contact contacts[] = {
      contact_at(0.25, top(), 0.25, up, gap), contact_at(0.3, top(), 0.25, down, gap),
      contact_at(0.35, top(), 0.25, right, gap), contact_at(40, top(), 0.25, up, gap)};
  ts_contact_set set = set_of(0, 1, contacts, 4);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  const bool is_wrong[] = {false, true, true, true};
  for (size_t i = 0; i < 4; i++) {
    cr_expect(judgement.pairs[0].verdicts[i].is_speculative);
    cr_expect_eq(judgement.pairs[0].verdicts[i].is_wrong_ahead, is_wrong[i], "%zu", i);
  }
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  cr_assert_eq(ts_metrics_compute(&record, &judgement), TS_OK);
  cr_expect_eq(record.speculative_wrong, 3);
  cr_expect_eq(record.phantom, 0);
}
