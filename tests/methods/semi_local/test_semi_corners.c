// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_*.c
// semi_local at corners that ridges and valleys do not split into convex runs, compared with an
// oracle that knows only volumes: the contacts must block what it finds blocked.
#include "geometry/mesh/motion_oracle.h"
#include "geometry/terms.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "tests/geometry/mesh/fans.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/semi_local/semi_fixture.h"

#include <criterion/criterion.h>

static method_fixture *const f = &semi_fixture;

TestSuite(methods_semi_corners, .init = semi_open, .fini = semi_close);

/// The place where two fans meet tip to tip: everything multiplied by `scale`, and moved.
typedef struct placement {
  double scale;
  ts_pose motion;
} placement;

static const placement as_made = {1, {{1, 0, 0, 0}, {0, 0, 0}}};

/// The second is upside down, and turned about the vertical.
static fixture_pair tip_to_tip(const fan *lower, const fan *upper, double turn_rad,
                               const placement *where) {
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), turn_rad);
  ts_pose upside_down = {ts_quat_mul(turn, (ts_quat){0, 1, 0, 0}), {0, 0, 0}};
  return (fixture_pair){
      {fan_mesh(f->arena, lower, where->scale), fan_mesh(f->arena, upper, where->scale)},
      {where->motion, ts_pose_mul(where->motion, upside_down)}};
}

typedef struct outcome {
  size_t pairs, contacts, blocked, freed, free, stopped;
} outcome;

/// The speed at which the contacts separate, at the slowest of them.
static double margin_of(fixture_contacts set, const ts_twist_frame *frame, const double twist[6]) {
  double least = INFINITY;
  for (size_t i = 0; i < set.count; i++) {
    ts_twist_row row = ts_twist_row_make(frame, set.contacts[i].point, set.contacts[i].normal);
    least = ts_min(least, ts_twist_row_speed(&row, twist));
  }
  return least;
}

/// Returns false, and counts nothing, when the bodies overlap.
static bool ask(outcome *sum, const fixture_pair *pair, double scale, size_t twists) {
  ts_twist_frame frame = {pair->pose[0].rotation, pair->pose[0].translation, scale};
  ts_motion_oracle *oracle;
  cr_assert_eq(ts_motion_oracle_create(&oracle, f->arena, &frame, pair->mesh[0], pair->pose[0],
                                       pair->mesh[1], pair->pose[1]),
               TS_OK, "%s", ts_status_detail());
  const double still[6] = {0};
  if (ts_motion_oracle_depth(oracle, still) > 1e-6)
    return false;
  fixture_contacts set = semi_run_scaled(scale, pair);
  sum->pairs++;
  sum->contacts += set.count;
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (size_t i = 0; i < twists; i++) {
    double twist[6];
    ts_twist_samples_next(twist, &samples);
    double margin = margin_of(set, &frame, twist);
    ts_motion found = ts_motion_oracle_ask(oracle, twist);
    sum->blocked += found == TS_MOTION_BLOCKED;
    sum->freed += found == TS_MOTION_BLOCKED && margin > -1e-6;
    sum->free += found == TS_MOTION_FREE;
    sum->stopped += found == TS_MOTION_FREE && margin < -0.02;
  }
  return true;
}

/// All shapes on another one, turned by several angles.
static void stand_all_on(outcome *sum, const fan *lower, const placement *where) {
  ts_random random = ts_random_seed(31, 0);
  named_fan shapes[FAN_SHAPES];
  fan_list(shapes, &random);
  for (int i = 0; i < FAN_SHAPES; i++)
    for (int turn = 0; turn < 3; turn++) {
      ts_arena_mark mark = ts_arena_get_mark(f->arena);
      outcome o = {0};
      fixture_pair pair = tip_to_tip(lower, &shapes[i].fan, 0.37 * turn, where);
      if (ask(&o, &pair, where->scale, 100))
        cr_expect_eq(o.freed, 0, "%s, turn %d: %zu of %zu blocked motions are let through",
                     shapes[i].name, turn, o.freed, o.blocked);
      sum->pairs += o.pairs;
      sum->contacts += o.contacts;
      sum->blocked += o.blocked;
      sum->free += o.free;
      sum->stopped += o.stopped;
      ts_arena_rewind(f->arena, mark);
    }
}

Test(methods_semi_corners, on_a_plate_they_have_its_normal_and_stop_nothing_else) {
  fan plate = fan_plane();
  outcome sum = {0};
  stand_all_on(&sum, &plate, &as_made);
  cr_expect_gt(sum.pairs, 25);
  cr_expect_eq(sum.contacts, sum.pairs, "%zu contacts of %zu tips", sum.contacts, sum.pairs);
  cr_expect_eq(sum.stopped, 0, "%zu of %zu free motions", sum.stopped, sum.free);
}

/// A ridge meets only the arm that lies across it, or two; a spike stands on, in and between them.
Test(methods_semi_corners, on_a_ridge_and_under_a_spike_nothing_is_let_through) {
  fan ridge = fan_ridge(), spike = fan_star(4, 0.9, 2, 0, NULL);
  outcome sum = {0};
  stand_all_on(&sum, &ridge, &as_made);
  stand_all_on(&sum, &spike, &as_made);
  cr_expect_gt(sum.pairs, 80);
  cr_expect_gt(sum.blocked, 500);
}

/// In the pit that it fits in, a star lies on all of its faces; in a wider one it stands.
Test(methods_semi_corners, in_pits_nothing_is_let_through) {
  for (uint32_t arms = 3; arms <= 7; arms += 2) {
    fan star = fan_star(arms, 0.45, 1, 0, NULL);
    fan pits[2] = {fan_pit_of(&star, 1), fan_pit_of(&star, 0.8)};
    for (int i = 0; i < 2; i++) {
      outcome o = {0};
      fixture_pair pair = tip_to_tip(&pits[i], &star, 0, &as_made);
      cr_assert(ask(&o, &pair, 1, 200));
      cr_expect_eq(o.freed, 0, "%u arms, pit %d: %zu of %zu", arms, i, o.freed, o.blocked);
      cr_expect_gt(o.blocked, 100);
    }
  }
}

typedef struct two_fans {
  fan lower, upper;
} two_fans;

/// Whether two tips of any kind touch without overlap is chance.
static two_fans fans_at_random(ts_random *random, uint32_t n) {
  two_fans two;
  two.lower = fan_random(4 + n % 5, 0.6, random);
  two.upper = fan_random(4 + n / 5 % 5, 0.6, random);
  for (uint32_t i = 0; i < two.upper.sides && n % 2; i++)
    two.upper.rim[i].y -= 0.6;
  return two;
}

Test(methods_semi_corners, any_two_corners_let_nothing_through_at_any_scale_and_place) {
  const placement places[4] = {as_made,
                               {1e-3, fixture_motion(5, 1e-3)},
                               {1e3, fixture_motion(6, 1e3)},
                               {1, fixture_motion(7, 10)}};
  size_t contacts[4] = {0};
  for (int i = 0; i < 4; i++) {
    ts_random random = ts_random_seed(32, 0);
    outcome sum = {0};
    for (uint32_t n = 0; n < 200; n++) {
      ts_arena_mark mark = ts_arena_get_mark(f->arena);
      two_fans two = fans_at_random(&random, n);
      fixture_pair pair = tip_to_tip(&two.lower, &two.upper, 0.1 * n, &places[i]);
      ask(&sum, &pair, places[i].scale, 100);
      ts_arena_rewind(f->arena, mark);
    }
    cr_expect_eq(sum.freed, 0, "place %d: %zu of %zu", i, sum.freed, sum.blocked);
    cr_expect_gt(sum.pairs, 25);
    cr_expect_gt(sum.blocked, 500);
    contacts[i] = sum.contacts;
  }
  for (int i = 1; i < 4; i++)
    cr_expect_eq(contacts[i], contacts[0], "%zu, not %zu", contacts[i], contacts[0]);
}

static int runs_of(ts_convex_run out[TS_RUNS_MAX], const fan_surface *s) {
  return ts_convex_cover(out, ts_convex_runs(out, &s->surface), &s->surface, s->sectors,
                         s->sector_count, TS_SEMI_CONE_WIDE_RAD);
}

/// The speed at which the groups that touch separate, at the slowest of them: of each the fastest
/// contact.
static double margin_of_groups(fixture_contacts set, const ts_twist_frame *frame,
                               const double twist[6]) {
  double least = INFINITY;
  for (size_t i = 0; i < set.count; i++) {
    if (set.contacts[i].gap_m > 1e-5 * frame->length_m)
      continue;
    double most = -INFINITY;
    for (size_t k = 0; k < set.count; k++) {
      const ts_contact *c = &set.contacts[k];
      if (k != i && (c->group == 0 || c->group != set.contacts[i].group))
        continue;
      ts_twist_row row = ts_twist_row_make(frame, c->point, c->normal);
      most = ts_max(most, ts_twist_row_speed(&row, twist));
    }
    least = ts_min(least, most);
  }
  return least;
}

/// The alternatives of two corners stop what is stopped and nothing else; so do those of their
/// meshes in single precision.
Test(methods_semi_corners, all_alternatives_let_nothing_through_and_stop_nothing_else) {
  const placement places[4] = {as_made,
                               {1e-3, fixture_motion(5, 1e-3)},
                               {1e3, fixture_motion(6, 1e3)},
                               {1, fixture_motion(7, 2)}};
  for (int p = 0; p < 4; p++) {
    ts_random random = ts_random_seed(37, 0);
    size_t pairs = 0, groups = 0, blocked = 0, freed = 0, free = 0, stopped = 0;
    for (uint32_t n = 0; n < 160; n++) {
      ts_arena_mark mark = ts_arena_get_mark(f->arena);
      two_fans two = fans_at_random(&random, n);
      fixture_pair pair = tip_to_tip(&two.lower, &two.upper, 0.1 * n, &places[p]), rounded;
      ts_twist_frame frame = {pair.pose[0].rotation, pair.pose[0].translation, places[p].scale};
      ts_motion_oracle *oracle;
      cr_assert_eq(ts_motion_oracle_create(&oracle, f->arena, &frame, pair.mesh[0], pair.pose[0],
                                           pair.mesh[1], pair.pose[1]),
                   TS_OK, "%s", ts_status_detail());
      const double still[6] = {0};
      if (ts_motion_oracle_depth(oracle, still) > 1e-6) {
        ts_arena_rewind(f->arena, mark);
        continue;
      }
      for (int i = 0; i < 2; i++) {
        rounded.mesh[i] = semi_in_float(pair.mesh[i], pair.pose[i], 1);
        rounded.pose[i] = ts_pose_identity();
      }
      fixture_contacts set = semi_run_groups(places[p].scale, p == 3 ? &rounded : &pair);
      pairs++;
      for (size_t i = 0; i < set.count; i++)
        groups += set.contacts[i].group > 0;
      ts_twist_samples samples = ts_twist_samples_start(0);
      for (int i = 0; i < 150; i++) {
        double twist[6];
        ts_twist_samples_next(twist, &samples);
        double margin = margin_of_groups(set, &frame, twist);
        ts_motion found = ts_motion_oracle_ask(oracle, twist);
        blocked += found == TS_MOTION_BLOCKED;
        freed += found == TS_MOTION_BLOCKED && margin > -1e-6;
        free += found == TS_MOTION_FREE;
        stopped += found == TS_MOTION_FREE && margin < -0.02;
      }
      ts_arena_rewind(f->arena, mark);
    }
    cr_expect_eq(freed, 0, "place %d: %zu of %zu", p, freed, blocked);
    cr_expect_eq(stopped, 0, "place %d: %zu of %zu", p, stopped, free);
    cr_expect(pairs > 20 && groups > 50 && blocked > 300, "%zu pairs, %zu in groups", pairs,
              groups);
  }
}

enum { NORMALS_MAX = 4096 };

/// The terms of two surfaces, one for each pair of runs; their normals are in `normals`.
static size_t list_terms(ts_term out[TS_RUNS_MAX * TS_RUNS_MAX], ts_vec3 normals[NORMALS_MAX],
                         const fan_surface *a, const fan_surface *b) {
  ts_convex_run runs_a[TS_RUNS_MAX], runs_b[TS_RUNS_MAX];
  int count_a = runs_of(runs_a, a), count_b = runs_of(runs_b, b);
  size_t count = 0, used = 0;
  const double angle_rad = TS_SEMI_CONE_RAD;
  for (int i = 0; i < count_a; i++)
    for (int k = 0; k < count_b; k++) {
      ts_extreme_normal all[TS_EXTREME_NORMALS_MAX];
      int n =
          ts_extreme_normals(all, &a->surface, runs_a[i], &b->surface, runs_b[k], &angle_rad, 1);
      n = ts_extreme_normals_of_cuts(all, n, &a->surface, runs_a[i], &b->surface, runs_b[k],
                                     &angle_rad, 1);
      cr_assert_leq(used + (size_t)n, NORMALS_MAX);
      out[count++] = (ts_term){n, normals + used};
      for (int j = 0; j < n; j++)
        normals[used++] = all[j].normal;
    }
  return count;
}

/// Whether what violates all of a term violates all of another.
static bool implies(ts_term other, ts_term of) {
  for (int i = 0; i < other.count; i++)
    if (ts_cone_sine(other.normals[i], of.normals, of.count) > 0.5 * TS_SEMI_IMPLIED_RAD)
      return false;
  return true;
}

/// How many of the terms [count] others do not imply, neither one nor several together.
static size_t count_needed(ts_term *terms, size_t count) {
  for (size_t i = count; i-- > 0;)
    for (size_t k = 0; k < count; k++)
      if (k != i && implies(terms[k], terms[i])) {
        terms[i] = terms[--count];
        break;
      }
  bool is_dropped[TS_TERMS_MAX];
  cr_assert_leq(count, (size_t)TS_TERMS_MAX);
  ts_terms_drop_implied(is_dropped, terms, count, 0, 0.5 * TS_SEMI_IMPLIED_RAD);
  size_t needed = 0;
  for (size_t i = 0; i < count; i++)
    needed += !is_dropped[i];
  return needed;
}

/// Two stars with ridges and valleys in turn have many pairs of runs, of which most follow from a
/// few others.
Test(methods_semi_corners, what_follows_from_others_is_not_told) {
  ts_random random = ts_random_seed(24, 0);
  size_t pairs = 0, many = 0;
  for (uint32_t n = 0; n < 400; n++) {
    ts_arena_mark mark = ts_arena_get_mark(f->arena);
    two_fans two = fans_at_random(&random, n);
    fixture_pair pair = tip_to_tip(&two.lower, &two.upper, 0.1 * n, &as_made);
    outcome o = {0};
    if (ask(&o, &pair, 1, 0)) {
      fan_surface a = fan_surface_of(&two.lower, pair.pose[0], NULL);
      fan_surface b = fan_surface_of(&two.upper, pair.pose[1], NULL);
      static ts_term terms[TS_RUNS_MAX * TS_RUNS_MAX];
      static ts_vec3 normals[NORMALS_MAX];
      size_t count = count_needed(terms, list_terms(terms, normals, &a, &b));
      fixture_contacts set = semi_run_scaled(1, &pair);
      size_t at_tips = fixture_count_at(set, (ts_vec3){0, 0, 0});
      cr_expect_leq(at_tips, count, "pair %u: %zu contacts of %zu terms", n, at_tips, count);
      pairs++;
      many += count > 2;
    }
    ts_arena_rewind(f->arena, mark);
  }
  cr_expect(pairs > 50 && many > 5, "%zu pairs, %zu of more than two terms", pairs, many);
}

static double speed_of(ts_term term, ts_vec3 velocity) {
  double most = -INFINITY;
  for (int i = 0; i < term.count; i++)
    most = ts_max(most, ts_vec3_dot(term.normals[i], velocity));
  return most;
}

/// The velocities, of random ones, that a term blocks by more than noise and no contact does.
static size_t count_freed(size_t *blocked, ts_term term, fixture_contacts set, ts_random *random) {
  size_t freed = 0;
  for (int n = 0; n < 200; n++) {
    ts_vec3 velocity = ts_vec3_unit(random_point(random, 1));
    double least = INFINITY;
    for (size_t c = 0; c < set.count; c++)
      least = ts_min(least, ts_vec3_dot(set.contacts[c].normal, velocity));
    if (speed_of(term, velocity) > -0.01)
      continue;
    (*blocked)++;
    freed += least > 2 * TS_SEMI_IMPLIED_RAD;
  }
  return freed;
}

/// Also where no face and no ridge has a normal out of both cones of a pair of runs, and where it
/// has no contact of its own, since others imply it together.
Test(methods_semi_corners, what_any_pair_of_runs_blocks_is_blocked) {
  ts_random random = ts_random_seed(24, 0), velocities = ts_random_seed(24, 1);
  size_t pairs = 0, blocked = 0;
  for (uint32_t n = 0; n < 400; n++) {
    ts_arena_mark mark = ts_arena_get_mark(f->arena);
    two_fans two = fans_at_random(&random, n);
    fixture_pair pair = tip_to_tip(&two.lower, &two.upper, 0.1 * n, &as_made);
    outcome o = {0};
    if (ask(&o, &pair, 1, 0)) {
      fixture_contacts set = semi_run_scaled(1, &pair);
      fan_surface a = fan_surface_of(&two.lower, pair.pose[0], NULL);
      fan_surface b = fan_surface_of(&two.upper, pair.pose[1], NULL);
      static ts_term terms[TS_RUNS_MAX * TS_RUNS_MAX];
      static ts_vec3 normals[NORMALS_MAX];
      size_t count = list_terms(terms, normals, &a, &b);
      for (size_t i = 0; i < count; i++)
        cr_expect_eq(count_freed(&blocked, terms[i], set, &velocities), 0, "pair %u, runs %zu", n,
                     i);
      pairs += count;
    }
    ts_arena_rewind(f->arena, mark);
  }
  cr_expect(pairs > 300 && blocked > 5000, "%zu pairs, %zu velocities", pairs, blocked);
}

Test(methods_semi_corners, motion_mesh_order_and_swapping_change_nothing) {
  ts_random random = ts_random_seed(33, 0);
  // Irregular: of patches as large as each other the first is taken where nothing else decides.
  const fan others[3] = {fan_plane(),
                         {.sides = 4, .rim = {{2, 0, 0}, {0, -1, -1.3}, {-2, 0, 0}, {0.2, -1, 1}}},
                         fan_star(4, 0.9, 2, 0.1, &random)};
  for (uint64_t seed = 1; seed <= 12; seed++) {
    fan star = seed % 4 ? fan_star(3 + (uint32_t)seed % 5, 0.35, 1, 0.3, &random)
                        : fan_random(6, 0.8, &random);
    fixture_pair pair = tip_to_tip(&others[seed % 3], &star, 0.3, &as_made), moved, swapped;
    fixture_contacts expected = semi_run_scaled(1, &pair);
    placement away = {1, fixture_motion(seed, 10)};
    moved = tip_to_tip(&others[seed % 3], &star, 0.3, &away);
    for (int i = 0; i < 2; i++)
      moved.mesh[i] = fixture_shuffled(f, moved.mesh[i], 2 * seed + (uint64_t)i);
    swapped = (fixture_pair){{moved.mesh[1], moved.mesh[0]}, {moved.pose[1], moved.pose[0]}};
    fixture_expect_same(semi_run_scaled(1, &moved), expected, away.motion, 1, 1e-12, 1e-12,
                        "moved");
    fixture_expect_same(semi_run_scaled(1, &swapped), expected, away.motion, -1, 1e-12, 1e-12,
                        "swapped");
  }
}

/// A gap or an overlap that is small against the star is reported at its tip, once.
Test(methods_semi_corners, gaps_and_overlaps_of_a_star_on_a_plate_are_reported) {
  static const double gaps_m[] = {1e-4, 1e-3, 0.01, -1e-4, -1e-3, -0.01};
  fan plate = fan_plane();
  for (uint32_t arms = 3; arms <= 7; arms += 2)
    for (int i = 0; i < 6; i++) {
      fan star = fan_star(arms, 0.3, 1, 0, NULL);
      fixture_pair pair = tip_to_tip(&plate, &star, 0.2, &as_made);
      pair.pose[1].translation.y += gaps_m[i];
      fixture_contacts set = semi_run_scaled(1, &pair);
      cr_expect_eq(set.count, 1, "%u arms, gap %g: %zu", arms, gaps_m[i], set.count);
      for (size_t k = 0; k < set.count; k++) {
        cr_expect_gt(set.contacts[k].normal.y, 1 - 1e-12);
        cr_expect_float_eq(set.contacts[k].gap_m, gaps_m[i], 1e-9);
      }
    }
}
