// SPDX-License-Identifier: MIT
// covers: cases/scene/joint_truth.c
// The designed truth of the cases against an oracle that knows nothing of it: a body is moved by a
// small twist, and the overlap of the tets is measured (geometry/mesh/motion_oracle.h).
#include "base/status.h"
#include "cases/truth/motion_truth.h"
#include "geometry/mesh/motion_oracle.h"
#include "geometry/twist/twist_samples.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/// Margins from which on the oracle must not say the opposite, and from which on it must decide.
/// Slides are free. Tips are met by tets no deeper than 0.45 of the way, so that its own bounds lie
/// at 1e-3 / 0.45 and 5e-3 / 0.45 there.
static const double sure_free = -1e-6, sure_blocked = -2.5e-3, decided = 12e-3;

static ts_arena *arena;

static void setup(void) {
  unsetenv("TOUCHSTONE_TETGEN");
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

typedef enum stratum { MIXED, TRANSLATIONS, ROTATIONS, STRATUM_COUNT } stratum;

typedef struct outcome {
  size_t free, blocked, clear; ///< by the truth; clear: beyond the band on either side
  size_t false_free, false_blocked, undecided;
} outcome;

/// The twist of a stratum; a rotation leaves the point `still` of the frame where it is.
static void shape_twist(double twist[6], stratum which, ts_vec3 still) {
  ts_vec3 v = {twist[0], twist[1], twist[2]}, w = {twist[3], twist[4], twist[5]};
  if (which == TRANSLATIONS)
    w = ts_vec3_make(0, 0, 0);
  if (which == ROTATIONS)
    v = ts_vec3_cross(still, w);
  ts_twist_row unit = {{v.x, v.y, v.z, w.x, w.y, w.z}};
  cr_assert(ts_twist_row_unit(&unit));
  for (int i = 0; i < 6; i++)
    twist[i] = unit.of[i];
}

/// A corner of the region, or a point between two of them; in the frame.
static ts_vec3 still_point(const ts_twist_frame *frame, const ts_region *region, size_t i) {
  ts_vec3 p = region->vertices[i / 2 % region->vertex_count];
  ts_vec3 q = region->vertices[i / 3 % region->vertex_count];
  if (i % 2 == 1)
    p = ts_vec3_lerp(p, q, 0.3);
  ts_vec3 arm = ts_quat_rotate(ts_quat_conjugate(frame->axes), ts_vec3_sub(p, frame->centre));
  return ts_vec3_scale(arm, 1 / frame->length_m);
}

static void ask(outcome *out, const ts_motion_oracle *oracle, const ts_twist_cone *truth,
                const double twist[6]) {
  double margin = ts_twist_cone_margin(truth, twist);
  bool is_free = margin > sure_free, is_blocked = margin < sure_blocked;
  if (!is_free && !is_blocked)
    return;
  ts_motion found = ts_motion_oracle_ask(oracle, twist);
  out->free += is_free;
  out->blocked += is_blocked;
  out->clear += fabs(margin) > decided;
  out->undecided += fabs(margin) > decided && found == TS_MOTION_UNDECIDED;
  out->false_blocked += is_free && found == TS_MOTION_BLOCKED;
  out->false_free += is_blocked && found == TS_MOTION_FREE;
}

static void compare_pair(outcome *out, const ts_scene *scene, const ts_region *regions,
                         size_t count, size_t twists) {
  int32_t a = regions[0].body_a, b = regions[0].body_b;
  ts_twist_frame frame = ts_motion_frame(scene, a, b, regions, count);
  ts_twist_cone truth;
  cr_assert_eq(ts_motion_truth(&truth, arena, scene, &frame, regions, count, NULL, TS_CORNERS_ALL),
               TS_OK);
  ts_motion_oracle *oracle;
  ts_status status = ts_motion_oracle_create(
      &oracle, arena, &frame, case_fixture_filled(arena, scene, a), scene->bodies[a].pose,
      case_fixture_filled(arena, scene, b), scene->bodies[b].pose);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (size_t i = 0; i < twists; i++)
    for (stratum which = MIXED; which < STRATUM_COUNT; which++) {
      double twist[6];
      ts_twist_samples_next(twist, &samples);
      shape_twist(twist, which, still_point(&frame, &regions[i % count], i));
      ask(&out[which], oracle, &truth, twist);
    }
}

/// Every `stride`-th of the pairs that touch. The truth and the oracle never contradict each other.
static void compare_scene(const char *name, const ts_scene *scene, size_t stride, size_t twists) {
  outcome found[STRATUM_COUNT] = {{0}};
  size_t pair = 0;
  for (size_t r = 0, count; r < scene->region_count; r += count) {
    const ts_region *regions =
        ts_scene_pair_regions(&count, scene, scene->regions[r].body_a, scene->regions[r].body_b);
    ts_arena_mark mark = ts_arena_get_mark(arena);
    if (pair++ % stride == 0)
      compare_pair(found, scene, regions, count, twists);
    ts_arena_rewind(arena, mark);
  }
  for (stratum s = MIXED; s < STRATUM_COUNT; s++) {
    const outcome *o = &found[s];
    cr_expect_eq(o->false_free, 0, "%s, stratum %d: %zu of %zu blocked twists meet nothing", name,
                 s, o->false_free, o->blocked);
    cr_expect_eq(o->false_blocked, 0, "%s, stratum %d: %zu of %zu free twists meet something", name,
                 s, o->false_blocked, o->free);
    cr_expect_eq(o->undecided, 0, "%s, stratum %d: %zu of %zu clear twists", name, s, o->undecided,
                 o->clear);
    cr_expect_gt(o->free + o->blocked, twists * 9 / 10, "%s, stratum %d", name, s);
  }
}

static size_t compare_suite(const char *suite, size_t twists) {
  size_t cases = 0;
  for (size_t i = 0; ts_cases[i]; i++) {
    if (strcmp(ts_cases[i]->suite, suite) != 0)
      continue;
    bool is_wall = strcmp(ts_cases[i]->name, "wall") == 0;
    ts_arena_mark mark = ts_arena_get_mark(arena);
    compare_scene(ts_cases[i]->name, build_default(arena, ts_cases[i]->name), is_wall ? 10 : 1,
                  twists);
    ts_arena_rewind(arena, mark);
    cases++;
  }
  return cases;
}

Test(cases_truth_oracle, the_designed_truth_of_the_thirteen_cases_is_what_volumes_say,
     .init = setup, .fini = teardown) {
  cr_expect_eq(compare_suite("erleben", 200), 13);
}

Test(cases_truth_oracle, and_so_is_that_of_the_extended_suite, .init = setup, .fini = teardown) {
  cr_expect_gt(compare_suite("extended", 100), 0);
}

Test(cases_truth_oracle, whatever_the_size_and_the_place, .init = setup, .fini = teardown) {
  const char *names[] = {"arch", "spike_in_hole", "spikes", "cliff_edges"};
  for (size_t i = 0; i < 4; i++)
    for (double scale = 1e-3; scale <= 1e3; scale *= 1e6)
      compare_scene(names[i],
                    build_case(arena, names[i], {"scale", scale}, {"motion_seed", 5},
                               {"offset_m", 100 * scale}),
                    4, 60);
}

Test(cases_truth_oracle, and_where_the_truth_has_moved_with_the_bodies, .init = setup,
     .fini = teardown) {
  const char *names[] = {"pillar", "cliff_edges", "internal_edges", "sliding_wedge"};
  for (size_t i = 0; i < 4; i++)
    compare_scene(names[i], build_case(arena, names[i], {"perturb_m", 0.02}), 1, 100);
}

Test(cases_truth_oracle, a_truth_that_lacks_a_wall_is_found_out, .init = setup, .fini = teardown) {
  ts_scene *scene = build_default(arena, "spike_in_hole");
  scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].count = 3;
  outcome found[STRATUM_COUNT] = {{0}};
  compare_pair(found, scene, scene->regions, 1, 1000);
  cr_expect_gt(found[MIXED].false_blocked, 10);
  cr_expect_eq(found[MIXED].false_free, 0);
}

Test(cases_truth_oracle, a_truth_with_a_wall_too_many_is_found_out, .init = setup,
     .fini = teardown) {
  ts_scene *scene = build_default(arena, "sliding_spike");
  ts_feasible normals[2] = {scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].normals[0],
                            {{1, 0, 0}, 0}};
  scene->regions[0].feasible[TS_REFERENCE_FEASIBLE] = (ts_feasible_set){2, normals};
  outcome found[STRATUM_COUNT] = {{0}};
  compare_pair(found, scene, scene->regions, 1, 200);
  cr_expect_gt(found[MIXED].false_free, 10);
  cr_expect_eq(found[MIXED].false_blocked, 0);
}

Test(cases_truth_oracle, any_one_and_all_are_not_the_same, .init = setup, .fini = teardown) {
  ts_scene *scene = build_default(arena, "spikes");
  scene->regions[0].needs_all = true;
  outcome found[STRATUM_COUNT] = {{0}};
  compare_pair(found, scene, scene->regions, 1, 200);
  cr_expect_gt(found[MIXED].false_free, 10);
}
