// SPDX-License-Identifier: MIT
// covers: harness/explain/motion_fault.c
#include "harness/explain/motion_fault.h"

#include "base/status.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>

#define FAULT_TEST(name)                                                                           \
  Test(harness_motion_fault, name, .init = scoring_setup, .fini = scoring_teardown)

static const region_spec square = SQUARE(0, 1);

typedef struct faults {
  ts_motion_fault *items;
  size_t count;
} faults;

/// The faults of these contacts where the corners of a square are what touches.
static faults find(const ts_contact *contacts, size_t count) {
  const ts_scene *scene = scene_with(2, &square, 1);
  ts_contact_set *set = ts_arena_alloc(arena, sizeof *set);
  *set = set_of(0, 1, contacts, count);
  ts_judgement judgement = judge(scene, set, 1, no_envelope);
  faults found;
  cr_assert_eq(ts_motion_faults_find(&found.items, &found.count, arena, &judgement), TS_OK, "%s",
               ts_status_detail());
  return found;
}

static const ts_motion_fault *of_kind(const faults *f, ts_motion_fault_kind kind) {
  for (size_t i = 0; i < f->count; i++)
    if (f->items[i].kind == kind)
      return &f->items[i];
  return NULL;
}

static void fill_corners(ts_contact out[5], ts_contact fifth) {
  const double at[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  for (int i = 0; i < 4; i++)
    out[i] = contact_at(at[i][0], 0, at[i][1], up, 0);
  out[4] = fifth;
}

FAULT_TEST(right_contacts_have_none) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.3, 0, 0.6, up, 0));
  cr_expect_eq(find(c, 5).count, 0);
}

FAULT_TEST(without_contacts_b_moves_into_a) {
  faults f = find(NULL, 0);
  cr_assert_eq(f.count, 1);
  cr_expect_eq(f.items[0].kind, TS_MOTION_STOPPED_FREED);
  cr_expect_eq(f.items[0].wrong_count, f.items[0].tried_count);
  cr_expect_gt(f.items[0].tried_count, 0);
  cr_expect_str_eq(ts_motion_fault_describe(arena, &f.items[0], "a", "b"),
                   "b can move along (0, -1, 0) into a, which the truth stops");
}

FAULT_TEST(a_contact_from_the_side_blocks_sliding_towards_it) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, right, 0));
  faults f = find(c, 5);
  const ts_motion_fault *slide = of_kind(&f, TS_MOTION_SLIDING_BLOCKED);
  const ts_motion_fault *free = of_kind(&f, TS_MOTION_FREE_BLOCKED);
  cr_assert(slide && free && !of_kind(&f, TS_MOTION_STOPPED_FREED));
  cr_expect_str_eq(ts_motion_fault_describe(arena, slide, "a", "b"),
                   "b cannot slide along (-1, 0, 0) on a, though it can in truth");
  cr_expect_lt(free->wrong_count, free->tried_count);
  cr_expect_gt(free->wrong_count, 0);
}

FAULT_TEST(two_contacts_on_a_line_free_a_turn_about_it) {
  const ts_contact c[2] = {contact_at(0.5, 0, 0, up, 0), contact_at(0.5, 0, 1, up, 0)};
  faults f = find(c, 2);
  cr_assert_eq(f.count, 1);
  cr_expect_eq(f.items[0].kind, TS_MOTION_STOPPED_FREED);
  const char *text = ts_motion_fault_describe(arena, &f.items[0], "a", "b");
  cr_expect_str_eq(text, "b can turn about (0, 0, 1) through (0.5, 0, 0.5) into a, which the truth "
                         "stops");
}

FAULT_TEST(pairs_are_listed_by_their_share) {
  const region_spec squares[2] = {SQUARE(0, 1), SQUARE(0, 2)};
  const ts_scene *scene = scene_with(3, squares, 2);
  ts_contact c[5];
  fill_corners(c, contact_at(0.3, 0, 0.6, up, 0));
  const ts_contact_set sets[2] = {set_of(0, 1, c, 2), set_of(0, 2, NULL, 0)};
  ts_judgement judgement = judge(scene, sets, 2, no_envelope);
  faults f;
  cr_assert_eq(ts_motion_faults_find(&f.items, &f.count, arena, &judgement), TS_OK);
  cr_assert_eq(f.count, 2);
  cr_expect_eq(f.items[0].body_b, 2);
  cr_expect_eq(f.items[1].body_b, 1);
}

/// As at the poses of a step: of a motion along such a normal rounding is left, along the normal.
FAULT_TEST(right_contacts_on_a_face_whose_normal_is_rounded_have_none) {
  for (int i = 0; i < 40; i++) {
    region_spec tilted = square;
    ts_vec3 n = {1e-10 * i, 1 - 0x1p-53 * (i % 4), -2e-10 * i};
    tilted.normals[0].normal = n;
    const ts_scene *scene = scene_with(2, &tilted, 1);
    ts_contact c[5];
    fill_corners(c, contact_at(0.3, 0, 0.6, up, 0));
    for (int k = 0; k < 5; k++)
      c[k].normal = n;
    ts_contact_set set = set_of(0, 1, c, 5);
    ts_judgement judgement = judge(scene, &set, 1, no_envelope);
    faults f;
    cr_assert_eq(ts_motion_faults_find(&f.items, &f.count, arena, &judgement), TS_OK);
    cr_expect_eq(f.count, 0, "%s",
                 f.count > 0 ? ts_motion_fault_describe(arena, &f.items[0], "a", "b") : "");
  }
}
