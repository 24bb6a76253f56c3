// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_implied.c methods/semi_local/semi_contacts.c
// covers: cases/truth/derived_terms.c harness/judge/pair_motion.c
// semi_local where two corners of ridges and valleys touch, so that several terms hold at one
// point: scored against the truth that is derived from the same surfaces, and by motion against an
// oracle that knows only volumes.
#include "base/param.h"
#include "base/status.h"
#include "cases/truth/derived_truth.h"
#include "geometry/mesh/motion_oracle.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "harness/judge/metrics/metric.h"
#include "harness/judge/pair_motion.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "methods/registry.h"
#include "tests/geometry/mesh/fans.h"
#include "tests/geometry/random_geometry.h"
#include "tests/harness/judge/scoring_fixture.h"

TestSuite(harness_mixed_corners, .init = scoring_setup, .fini = scoring_teardown, .timeout = 120);

enum { CORNERS = 200, TWISTS = 300 };

/// Two fans tip to tip, turned as one, and their truth.
typedef struct corner {
  ts_scene *scene;
  const ts_mesh *meshes[2]; ///< filled with tets
} corner;

static void add_body(corner *c, const fan *f, ts_pose pose, int side) {
  static const char *const names[2] = {"lower", "upper"};
  int32_t shape, body;
  const ts_mesh *m = fan_mesh(arena, f, 1);
  c->meshes[side] = m;
  cr_assert_eq(ts_scene_add_shape(&shape, c->scene, names[side], m->vertices, m->vertex_count,
                                  (const uint32_t(*)[3])m->triangles, m->triangle_count),
               TS_OK);
  cr_assert_eq(ts_scene_add_body(&body, c->scene, names[side], shape, pose, side == 0), TS_OK);
}

static size_t count_terms(const ts_scene *scene) {
  size_t count = 0;
  for (size_t r = 0; r < scene->region_count; r++) {
    const ts_region *region = &scene->regions[r];
    count += region->needs_all ? region->feasible[TS_REFERENCE_FEASIBLE].count : 1;
  }
  return count;
}

/// The corner of this number, at rest or falling at random: on a corner of four to eight faces
/// stands another one, or, of every third number, a spike. False where the bodies overlap, or there
/// are fewer than two terms.
static bool make_corner(corner *out, uint32_t number, bool moves) {
  ts_random random = ts_random_seed(51, number);
  fan lower = fan_random(4 + number % 5, 0.6, &random);
  fan upper = fan_random(4 + number / 5 % 5, 0.6, &random);
  for (uint32_t i = 0; i < upper.sides && number % 2; i++)
    upper.rim[i].y -= 0.6;
  if (number % 3 == 0)
    upper = fan_star(4, 0.9, 2, 0, NULL);
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), 0.1 * number);
  ts_pose place = random_pose(&random, 1);
  ts_pose upside_down = {ts_quat_mul(turn, (ts_quat){0, 1, 0, 0}), {0, 0, 0}};
  ts_vec3 down = random_point(&random, 1);
  down.y = -1;
  cr_assert_eq(ts_scene_create(&out->scene, arena), TS_OK);
  add_body(out, &lower, place, 0);
  add_body(out, &upper, ts_pose_mul(place, upside_down), 1);
  if (moves)
    out->scene->bodies[1].twist.linear_m_s = ts_pose_direction(place, down);
  return ts_derive_truth(out->scene, TS_POSITION_RELATIVE) == TS_OK && count_terms(out->scene) >= 2;
}

/// The contacts of semi_local, judged.
static ts_judgement judge_contacts(const ts_scene *scene, bool all_alternatives) {
  const ts_method *method = ts_method_find("semi_local");
  double *values = ts_arena_array(arena, method->param_count, sizeof *values);
  ts_param_defaults(values, method->params, method->param_count);
  values[ts_param_find(method->params, method->param_count, "alternatives")] = all_alternatives;
  ts_envelope envelope;
  size_t count;
  ts_contact_set *sets = scoring_contacts(&envelope, &count, scene, method, values);
  return judge(scene, sets, 1, no_envelope);
}

static ts_record measure(const ts_judgement *judgement) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  cr_assert_eq(ts_metrics_compute(&record, judgement), TS_OK, "%s", ts_status_detail());
  return record;
}

/// Motions that the oracle decides.
typedef struct outcome {
  size_t blocked, freed, free, stopped;
} outcome;

/// What the contacts let through or stop by more than the band that the oracle does not decide.
static outcome ask_oracle(const corner *c, const ts_judgement *judgement) {
  ts_pair_motion motion;
  ts_motion_oracle *oracle;
  cr_assert_eq(ts_motion_of_pair(&motion, judgement, &judgement->pairs[0]), TS_OK);
  cr_assert_eq(ts_motion_oracle_create(&oracle, arena, &motion.frame, c->meshes[0],
                                       c->scene->bodies[0].pose, c->meshes[1],
                                       c->scene->bodies[1].pose),
               TS_OK);
  outcome o = {0};
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (int i = 0; i < TWISTS; i++) {
    double twist[6];
    ts_twist_samples_next(twist, &samples);
    ts_motion found = ts_motion_oracle_ask(oracle, twist);
    o.blocked += found == TS_MOTION_BLOCKED;
    o.freed += found == TS_MOTION_BLOCKED && !ts_motion_is_blocked(&motion, twist, 1e-6);
    o.free += found == TS_MOTION_FREE;
    o.stopped += found == TS_MOTION_FREE && ts_motion_is_blocked(&motion, twist, 2.5e-3);
  }
  return o;
}

static bool are_close(ts_vec3 a, ts_vec3 b) {
  double distance = ts_vec3_distance(a, b);
  return distance > 2 * TS_SEMI_CONE_RAD && 0.5 * distance * distance <= TS_NORMAL_TOLERANCE;
}

/// Whether the truth has normals that are not the same and that the judge does not tell apart: one
/// contact then has both by its count, but does not block what both block.
static bool has_close_normals(const ts_scene *scene) {
  enum { ALL_MAX = 64 };
  ts_vec3 all[ALL_MAX];
  size_t count = 0;
  for (size_t r = 0; r < scene->region_count; r++) {
    const ts_feasible_set *set = &scene->regions[r].feasible[TS_REFERENCE_FEASIBLE];
    for (size_t i = 0; i < set->count && count < ALL_MAX; i++)
      all[count++] = set->normals[i].normal;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++)
      if (are_close(all[i], all[k]))
        return true;
  return false;
}

/// What has to hold of the contacts at a corner.
static void expect_right(const corner *c, uint32_t number, const char *what) {
  ts_judgement judgement = judge_contacts(c->scene, false);
  ts_record r = measure(&judgement);
  cr_expect_eq(r.quality_percent, 100, "%u %s: quality %g", number, what, r.quality_percent);
  cr_expect_eq(r.coverage_percent, 100, "%u %s: coverage %g", number, what, r.coverage_percent);
  cr_expect_eq(r.freed_wrongly_percent, 0, "%u %s: %g freed", number, what,
               r.freed_wrongly_percent);
  outcome o = ask_oracle(c, &judgement);
  cr_expect_eq(o.freed, 0, "%u %s: %zu of %zu freed", number, what, o.freed, o.blocked);
  if (has_close_normals(c->scene))
    return;
  cr_expect_leq(r.contacts, r.minimum, "%u %s: %g contacts for %g", number, what, r.contacts,
                r.minimum);
  cr_expect_leq(r.blocked_wrongly_percent, 0.2, "%u %s: %g blocked", number, what,
                r.blocked_wrongly_percent);
}

Test(harness_mixed_corners, one_normal_of_each_term_is_right_by_motion_and_as_few_as_can_be) {
  size_t corners = 0, close = 0;
  for (uint32_t number = 0; corners < CORNERS; number++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    corner c;
    if (make_corner(&c, number, true)) {
      corners++;
      close += has_close_normals(c.scene);
      expect_right(&c, number, "moving");
      make_corner(&c, number, false);
      expect_right(&c, number, "at rest");
    }
    ts_arena_rewind(arena, mark);
  }
  cr_expect_lt(close, CORNERS / 5, "%zu", close);
}

Test(harness_mixed_corners, all_alternatives_stop_nothing_that_is_free_and_free_nothing) {
  outcome sum = {0};
  size_t corners = 0;
  for (uint32_t number = 0; corners < CORNERS; number++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    corner c;
    if (make_corner(&c, number, false)) {
      ts_judgement judgement = judge_contacts(c.scene, true);
      outcome o = ask_oracle(&c, &judgement);
      cr_expect(o.freed == 0 && o.stopped == 0, "%u: %zu of %zu freed, %zu of %zu stopped", number,
                o.freed, o.blocked, o.stopped, o.free);
      sum.blocked += o.blocked;
      sum.free += o.free;
      corners++;
    }
    ts_arena_rewind(arena, mark);
  }
  cr_expect(sum.blocked > 50 * CORNERS && sum.free > 50 * CORNERS, "%zu blocked, %zu free",
            sum.blocked, sum.free);
}

/// A face, or the rim of one, lies within about TS_SEMI_CONE_WIDE_RAD of the plane of another face,
/// so that semi_local and the truth take the corner apart differently: the worst of 3,000. By
/// motion both are right within that angle.
Test(harness_mixed_corners, corners_that_can_be_taken_apart_in_two_ways_are_right_by_motion) {
  static const uint32_t numbers[] = {526, 543, 1659, 1959, 2219, 2772, 3180, 3261, 4254, 6564};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (int moves = 0; moves < 2; moves++) {
      ts_arena_mark mark = ts_arena_get_mark(arena);
      corner c;
      cr_assert(make_corner(&c, numbers[i], moves));
      ts_judgement one = judge_contacts(c.scene, false), all = judge_contacts(c.scene, true);
      ts_record r = measure(&one);
      cr_expect_leq(r.freed_wrongly_percent, 0.1, "%u: %g", numbers[i], r.freed_wrongly_percent);
      cr_expect_leq(r.blocked_wrongly_percent, 1.5, "%u: %g", numbers[i],
                    r.blocked_wrongly_percent);
      outcome o = ask_oracle(&c, &all);
      cr_expect_eq(ask_oracle(&c, &one).freed, 0, "%u", numbers[i]);
      cr_expect(o.freed == 0 && o.stopped == 0, "%u: %zu freed, %zu stopped", numbers[i], o.freed,
                o.stopped);
      ts_arena_rewind(arena, mark);
    }
}
