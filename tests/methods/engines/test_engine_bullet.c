// SPDX-License-Identifier: MIT
// covers: methods/engines/bullet_gimpact.cc methods/engines/bullet_hull.cc
#include "tests/methods/engines/engine_driver.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define DEPTH_M 0.01

enum { NO, YES };
enum { RENEWED, KEPT };

/// The two builds of the hulls, and their tolerances.
static const struct {
  const char *name;
  double normal, length_m;
} builds[2] = {{"bullet_hull", 1e-12, 1e-12}, {"bullet_hull_f32", 2e-4, 1e-4}};

static void run(engine_driver *d, const cube_pair *pair) {
  cr_assert_eq(driver_run(d, pair->mesh, pair->pose), TS_OK, "%s", d->message);
}

static cube_pair ordered_pair(engine_driver *d, size_t index, double depth_m) {
  cube_pair pair = cube_pair_make(d, index / 2, depth_m);
  return index % 2 ? cube_pair_swap(&pair) : pair;
}

/// Bullet treats the margin as part of the body, so a depth of 0.01 m is reported as 0.09 m.
Test(engines_bullet, hulls_at_their_defaults_are_too_deep_by_two_margins_and_otherwise_right) {
  for (size_t n = 0; n < 2; n++) {
    engine_driver d;
    driver_open(&d, builds[n].name);
    for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
      cube_pair pair = ordered_pair(&d, i, DEPTH_M);
      run(&d, &pair);
      cube_errors e = cube_errors_of(&d.set, &pair, DEPTH_M + 0.08);
      cr_assert_eq(e.count, 1, "%s, pair %zu: %zu contacts", builds[n].name, i, e.count);
      cr_expect_lt(e.normal, n ? builds[n].normal : 1e-10, "%s, pair %zu: %g", builds[n].name, i,
                   e.normal);
      cr_expect_lt(e.gap_m, builds[n].length_m, "%s, pair %zu: %g m", builds[n].name, i, e.gap_m);
      cr_expect_lt(e.plane_m, builds[n].length_m, "%s, pair %zu: %g m", builds[n].name, i,
                   e.plane_m);
      cr_expect_lt(e.outside_m, builds[n].length_m, "%s, pair %zu: %g m", builds[n].name, i,
                   e.outside_m);
    }
    driver_close(&d);
  }
}

Test(engines_bullet, hulls_without_margin_and_with_faces_have_four_right_contacts) {
  for (size_t n = 0; n < 2; n++) {
    engine_driver d;
    driver_open(&d, builds[n].name);
    driver_set(&d, "margin_m", 0);
    driver_set(&d, "polyhedral_features", YES);
    for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
      cube_pair pair = ordered_pair(&d, i, DEPTH_M);
      run(&d, &pair);
      cube_errors e = cube_errors_of(&d.set, &pair, DEPTH_M);
      cr_assert_eq(e.count, 4, "%s, pair %zu: %zu contacts", builds[n].name, i, e.count);
      cr_expect_lt(e.normal, builds[n].normal, "%s, pair %zu: %g", builds[n].name, i, e.normal);
      cr_expect_lt(e.gap_m, builds[n].length_m, "%s, pair %zu: %g m", builds[n].name, i, e.gap_m);
      cr_expect_lt(e.plane_m, builds[n].length_m, "%s, pair %zu: %g m", builds[n].name, i,
                   e.plane_m);
      cr_expect_lt(e.outside_m, builds[n].length_m, "%s, pair %zu: %g m", builds[n].name, i,
                   e.outside_m);
    }
    driver_close(&d);
  }
}

/// The separating axis test adds the closest points of two edges where their cross product is the
/// axis. On cubes that is also the face's normal, and rounding picks one of them. The edges may be
/// any edges of the bodies, and then a point is outside the overlap. Along the axes nothing is
/// rounded.
Test(engines_bullet, sat_on_cubes_is_right_except_for_points_of_edges) {
  engine_driver d;
  driver_open(&d, "bullet_hull");
  driver_set(&d, "polyhedral_features", YES);
  driver_set(&d, "sat", YES);
  size_t outside = 0;
  for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
    cube_pair pair = ordered_pair(&d, i, DEPTH_M);
    run(&d, &pair);
    cube_errors e = cube_errors_of(&d.set, &pair, DEPTH_M);
    cr_assert_eq(e.count, 4, "pair %zu: %zu contacts", i, e.count);
    cr_expect_lt(e.normal, 1e-12, "pair %zu: normal off by %g", i, e.normal);
    cr_expect_lt(e.gap_m, 1e-12, "pair %zu: depth off by %g m", i, e.gap_m);
    cr_expect_lt(e.plane_m, 1e-12, "pair %zu: %g m off the plane", i, e.plane_m);
    outside += e.outside_m > 1e-12;
    cr_expect(i >= 12 || e.outside_m < 1e-12, "pair %zu: %g m outside", i, e.outside_m);
  }
  cr_expect_gt(outside, 0, "none is outside: then the page about engines is out of date");
  driver_close(&d);
}

Test(engines_bullet, hulls_apart_have_contacts_ahead_of_the_touch) {
  engine_driver d;
  driver_open(&d, "bullet_hull");
  driver_set(&d, "margin_m", 0);
  for (size_t i = 0; i < CUBE_PAIRS; i++) {
    cube_pair pair = cube_pair_make(&d, i, -DEPTH_M);
    run(&d, &pair);
    cube_errors e = cube_errors_of(&d.set, &pair, -DEPTH_M);
    cr_assert_eq(e.count, 1, "pair %zu: %zu contacts", i, e.count);
    cr_expect_lt(e.gap_m, 1e-12, "pair %zu: gap off by %g m", i, e.gap_m);
    cr_expect_lt(e.normal, 1e-10, "pair %zu: normal off by %g", i, e.normal);
    cr_expect_lt(e.plane_m, 1e-12, "pair %zu: %g m off the plane", i, e.plane_m);
  }
  driver_set(&d, "breaking_threshold", 0.001);
  cube_pair pair = cube_pair_make(&d, 0, -DEPTH_M);
  run(&d, &pair);
  cr_expect_eq(d.set.count, 0, "farther than the threshold");
  driver_close(&d);
}

Test(engines_bullet, rotating_the_bodies_slightly_adds_points) {
  engine_driver d;
  driver_open(&d, "bullet_hull");
  driver_set(&d, "perturbation_iterations", 4);
  cube_pair pair = cube_pair_make(&d, 0, DEPTH_M);
  run(&d, &pair);
  cr_expect_eq(d.set.count, 1, "the manifold has no fewer points than 0");
  driver_set(&d, "perturbation_points", 4);
  run(&d, &pair);
  cr_expect_gt(d.set.count, 1);
  driver_close(&d);
}

/// Both builds define the same symbols; each must use its own.
Test(engines_bullet, both_precisions_work_in_one_process) {
  engine_driver wide, narrow;
  driver_open(&wide, "bullet_hull");
  driver_set(&wide, "margin_m", 0);
  cube_pair pair = cube_pair_make(&wide, 8, DEPTH_M);
  run(&wide, &pair);
  cr_assert_eq(wide.set.count, 1);
  ts_contact alone = wide.set.contacts[0];
  driver_open(&narrow, "bullet_hull_f32");
  driver_set(&narrow, "margin_m", 0);
  run(&narrow, &pair);
  cr_assert_eq(narrow.set.count, 1);
  double off_m = fabs(narrow.set.contacts[0].gap_m - alone.gap_m);
  cr_expect(off_m > 1e-12 && off_m < 1e-5, "single precision is %g m off", off_m);
  run(&wide, &pair);
  cr_expect_eq(memcmp(&wide.set.contacts[0], &alone, sizeof alone), 0);
  driver_close(&wide);
  driver_close(&narrow);
}

/// Bullet's users pass poses in the world frame, so single precision loses a gap far from the
/// origin.
Test(engines_bullet, single_precision_is_coarse_far_from_the_origin) {
  for (size_t n = 0; n < 2; n++) {
    engine_driver d;
    driver_open(&d, builds[n].name);
    driver_set(&d, "margin_m", 0);
    driver_set(&d, "polyhedral_features", YES);
    cube_pair pair = cube_pair_make(&d, 8, DEPTH_M);
    for (int side = 0; side < 2; side++)
      pair.pose[side].translation.x += 10000;
    run(&d, &pair);
    double worst_m = 0;
    for (size_t k = 0; k < d.set.count; k++)
      worst_m = fmax(worst_m, fabs(d.set.contacts[k].gap_m + DEPTH_M));
    cr_expect(n == 0 ? d.set.count == 4 && worst_m < 1e-10 : d.set.count == 0 || worst_m > 1e-5,
              "%s: %zu contacts, %g m", builds[n].name, d.set.count, worst_m);
    driver_close(&d);
  }
}

/// A cube on a plate that rocks by a thousandth: GJK finds another corner at each step.
static cube_pair rocking(engine_driver *d, size_t step) {
  cube_pair pair = cube_pair_make(d, 0, DEPTH_M);
  const double s = sqrt(0.5); // the axis is a diagonal across the normal
  ts_vec3 axis = ts_vec3_make(0, step & 1 ? s : -s, step & 2 ? s : -s);
  pair.pose[1].rotation = ts_quat_from_axis_angle(axis, 1e-3);
  return pair;
}

static void prepare(engine_pair *out, engine_driver *d, const cube_pair *pair) {
  cr_assert_eq(driver_prepare(out, d, pair->mesh, pair->pose), TS_OK, "%s", d->message);
}

/// Asks at the poses of `pair`, and gives a copy of the contacts.
static ts_contact *ask(size_t *out_count, engine_driver *d, const engine_pair *p,
                       const cube_pair *pair) {
  cr_assert_eq(driver_generate(d, p, pair->pose), TS_OK, "%s", d->message);
  *out_count = d->set.count;
  ts_contact *copy = ts_arena_array(d->arena, d->set.count, sizeof *copy);
  cr_assert_not_null(copy);
  if (d->set.count > 0)
    memcpy(copy, d->set.contacts, d->set.count * sizeof *copy);
  return copy;
}

static bool same_contacts(const ts_contact *a, size_t a_count, const ts_contact *b,
                          size_t b_count) {
  return a_count == b_count && memcmp(a, b, a_count * sizeof *a) == 0;
}

static void open_with(engine_driver *d, const char *name, int manifold) {
  driver_open(d, name);
  driver_set(d, "margin_m", 0);
  driver_set(d, "manifold", manifold);
  cr_assert_eq(d->method->keeps_state, 1);
  cr_assert_str_eq(d->method->keeps_state_if, "manifold");
}

Test(engines_bullet, a_kept_manifold_collects_four_points_and_does_not_change_without_motion) {
  for (size_t n = 0; n < 2; n++) {
    engine_driver d;
    open_with(&d, builds[n].name, KEPT);
    engine_pair p;
    cube_pair pair = rocking(&d, 0);
    prepare(&p, &d, &pair);
    size_t count, again_count, before = 0;
    for (size_t step = 0; step < 8; step++) {
      cube_pair now = rocking(&d, step % 4);
      const ts_contact *contacts = ask(&count, &d, &p, &now);
      cr_expect(count >= before && count <= 4, "%s, step %zu: %zu points", builds[n].name, step,
                count);
      before = count;
      for (int i = 0; i < 3; i++) {
        const ts_contact *again = ask(&again_count, &d, &p, &now);
        cr_expect(same_contacts(contacts, count, again, again_count), "%s, step %zu",
                  builds[n].name, step);
      }
    }
    cr_expect_eq(count, 4, "%s: %zu points", builds[n].name, count);
    driver_release(&d, &p);
    driver_close(&d);
  }
}

/// Only the point that is found anew has the normal of the new poses.
Test(engines_bullet, a_kept_point_moves_with_the_bodies_and_keeps_its_normal) {
  engine_driver d;
  open_with(&d, "bullet_hull", KEPT);
  engine_pair p;
  cube_pair pair = rocking(&d, 0);
  prepare(&p, &d, &pair);
  size_t count, moved_count;
  const ts_contact *before = NULL;
  for (size_t step = 0; step < 8; step++) {
    cube_pair now = rocking(&d, step);
    before = ask(&count, &d, &p, &now);
  }
  cr_assert_eq(count, 4);
  pair.pose[1].rotation = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), 4e-3);
  const ts_contact *moved = ask(&moved_count, &d, &p, &pair);
  cr_assert_eq(moved_count, 4);
  size_t stale = 0;
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++) {
      bool has_moved = moved[i].gap_m != before[k].gap_m;
      double off_m = ts_vec3_distance(moved[i].point, before[k].point);
      stale +=
          ts_vec3_distance(moved[i].normal, before[k].normal) == 0 && off_m < 0.01 && has_moved;
    }
  cr_expect_eq(stale, 3, "%zu of 4 points are old ones", stale);
  driver_release(&d, &p);
  driver_close(&d);
}

Test(engines_bullet, a_far_jump_drops_all_points_and_the_way_back_begins_anew) {
  engine_driver d;
  open_with(&d, "bullet_hull", KEPT);
  engine_pair p;
  cube_pair pair = rocking(&d, 0);
  prepare(&p, &d, &pair);
  size_t count, first_count, back_count;
  const ts_contact *first = ask(&first_count, &d, &p, &pair);
  for (size_t step = 1; step < 4; step++) {
    cube_pair now = rocking(&d, step);
    ask(&count, &d, &p, &now);
  }
  cr_assert_gt(count, first_count);
  cube_pair far = pair;
  far.pose[1].translation.x += 1;
  ask(&count, &d, &p, &far);
  cr_expect_eq(count, 0, "%zu points are left", count);
  const ts_contact *back = ask(&back_count, &d, &p, &pair);
  cr_expect(same_contacts(first, first_count, back, back_count));
  driver_release(&d, &p);
  driver_close(&d);
}

Test(engines_bullet, pairs_of_the_same_shapes_have_manifolds_of_their_own) {
  engine_driver d;
  open_with(&d, "bullet_hull", KEPT);
  cube_pair pair = rocking(&d, 0);
  engine_pair one;
  prepare(&one, &d, &pair);
  engine_pair other = {.shape = {one.shape[0], one.shape[1]}};
  cr_assert_eq(d.method->prepare_pair(&other.state, &d.host, &(ts_pair){.body_a = 1, .body_b = 2},
                                      one.shape[0], one.shape[1], d.values),
               TS_OK);
  size_t count, first_count, other_count;
  const ts_contact *first = ask(&first_count, &d, &one, &pair);
  for (size_t step = 1; step < 4; step++) {
    cube_pair now = rocking(&d, step);
    ask(&count, &d, &one, &now);
  }
  cr_assert_gt(count, first_count);
  const ts_contact *others = ask(&other_count, &d, &other, &pair);
  cr_expect(same_contacts(first, first_count, others, other_count));
  other.shape[0] = other.shape[1] = NULL; // released with the first pair
  driver_release(&d, &other);
  driver_release(&d, &one);
  driver_close(&d);
}

Test(engines_bullet, a_renewed_manifold_does_not_depend_on_what_was_asked_before) {
  for (size_t n = 0; n < 2; n++) {
    engine_driver d;
    open_with(&d, builds[n].name, RENEWED);
    engine_pair p;
    cube_pair pair = rocking(&d, 0);
    prepare(&p, &d, &pair);
    size_t count, again_count;
    const ts_contact *first = ask(&count, &d, &p, &pair);
    for (size_t step = 1; step < 4; step++) {
      cube_pair now = rocking(&d, step);
      ask(&again_count, &d, &p, &now);
      cr_expect_eq(again_count, 1);
    }
    const ts_contact *again = ask(&again_count, &d, &p, &pair);
    cr_expect(same_contacts(first, count, again, again_count), "%s", builds[n].name);
    driver_release(&d, &p);
    driver_close(&d);
  }
}

static const ts_mesh *spike(engine_driver *d) {
  static const ts_vec3 vertices[5] = {
      {-0.2, 1, -0.2}, {0.2, 1, -0.2}, {0.2, 1, 0.2}, {-0.2, 1, 0.2}, {0, 0, 0}};
  static const uint32_t triangles[6][3] = {{1, 0, 2}, {2, 0, 3}, {0, 1, 4},
                                           {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  return driver_mesh(d, vertices, 5, triangles, 6);
}

/// A tip of b in a face of a is right in everything, which shows that the conventions are
/// converted. For a tip of a in a face of b, GImpact reports the tip as b's, so the point is off by
/// the depth.
Test(engines_bullet, gimpact_is_right_about_a_tip_in_a_face_if_the_tip_is_on_b) {
  engine_driver d;
  driver_open(&d, "bullet_gimpact");
  driver_set(&d, "margin_m", 0);
  const ts_mesh *cube = driver_box(&d, ts_vec3_make(-0.5, -0.5, -0.5), ts_vec3_make(0.5, 0.5, 0.5));
  for (int swapped = 0; swapped < 2; swapped++) {
    ts_pose pose[2];
    pose[swapped] = (ts_pose){{1, 0, 0, 0}, {0, 0, 0}};
    pose[!swapped] = (ts_pose){{1, 0, 0, 0}, {0.1, 0.5 - DEPTH_M, 0.2}};
    const ts_mesh *mesh[2] = {swapped ? spike(&d) : cube, swapped ? cube : spike(&d)};
    cr_assert_eq(driver_run(&d, mesh, pose), TS_OK, "%s", d.message);
    cr_assert_geq(d.set.count, 1);
    double height_m = 0.5 - 0.5 * DEPTH_M - (swapped ? DEPTH_M : 0);
    for (size_t k = 0; k < d.set.count; k++) {
      const ts_contact *c = &d.set.contacts[k];
      cr_expect_lt(fabs(c->normal.y - (swapped ? -1 : 1)), 1e-12, "normal %g", c->normal.y);
      cr_expect_lt(fabs(c->gap_m + DEPTH_M), 1e-12, "gap %g m", c->gap_m);
      ts_vec3 point = ts_vec3_make(0.1, height_m, 0.2);
      cr_expect_lt(ts_vec3_distance(c->point, point), 1e-12, "height %g", c->point.y);
    }
  }
  driver_close(&d);
}

/// For opposing faces normal and depth are right, and the point follows the rule above; side faces
/// inside the overlap make contacts, too, as deep as they are wide.
Test(engines_bullet,
     gimpact_on_cubes_is_right_about_opposing_faces_except_for_the_body_of_the_point) {
  engine_driver d;
  driver_open(&d, "bullet_gimpact");
  driver_set(&d, "margin_m", 0);
  for (int all = 0; all < 2; all++) {
    driver_set(&d, "contacts", all);
    for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
      cube_pair pair = ordered_pair(&d, i, DEPTH_M);
      run(&d, &pair);
      cr_expect(all ? d.set.count > 4 : d.set.count == 4, "pair %zu: %zu", i, d.set.count);
      size_t opposed = 0;
      for (size_t k = 0; k < d.set.count; k++) {
        const ts_contact *c = &d.set.contacts[k];
        double along = ts_vec3_dot(c->normal, pair.normal);
        if (fabs(along) < 1e-12)
          continue;
        opposed++;
        double off_m = ts_vec3_dot(pair.normal, c->point) - pair.middle_m;
        cr_expect_lt(fabs(along - 1), 1e-12, "pair %zu: a normal that is of no face", i);
        cr_expect_lt(fabs(c->gap_m + DEPTH_M), 1e-12, "pair %zu: gap %g m", i, c->gap_m);
        cr_expect(fabs(off_m) < 1e-12 || fabs(off_m - DEPTH_M) < 1e-12, "pair %zu: %g m", i, off_m);
      }
      cr_expect_gt(opposed, 0, "pair %zu", i);
    }
  }
  driver_close(&d);
}

Test(engines_bullet, a_margin_increases_the_depth_and_reach_of_gimpact) {
  engine_driver d;
  driver_open(&d, "bullet_gimpact");
  cube_pair pair = cube_pair_make(&d, 0, -DEPTH_M);
  run(&d, &pair);
  double deepest_m = INFINITY;
  for (size_t k = 0; k < d.set.count; k++)
    if (ts_vec3_dot(d.set.contacts[k].normal, pair.normal) > 0.9)
      deepest_m = fmin(deepest_m, d.set.contacts[k].gap_m);
  cr_expect_lt(fabs(deepest_m + DEPTH_M), 1e-7, "0.01 m apart is 0.01 m deep: %g", deepest_m);
  ts_envelope e = {0};
  cr_assert_eq(d.method->envelope(&e, d.values), TS_OK);
  cr_expect(e.kind == TS_ENVELOPE_NONE && e.reach_m == 0.02);
  driver_set(&d, "margin_m", 0);
  run(&d, &pair);
  cr_expect_eq(d.set.count, 0);
  driver_close(&d);
}

Test(engines_bullet, the_envelope_has_the_dilation_that_is_set) {
  static const char *const names[] = {"bullet_hull", "bullet_hull_f32", "bullet_gimpact"};
  for (size_t n = 0; n < 3; n++) {
    engine_driver d;
    driver_open(&d, names[n]);
    driver_set(&d, "margin_m", 0.25);
    driver_set(&d, "dilation_m", 0.002);
    ts_envelope e = {0};
    cr_assert_eq(d.method->envelope(&e, d.values), TS_OK);
    cr_expect(e.kind == TS_ENVELOPE_DILATED && e.size_m == 0.002 && e.reach_m == 0.5, "%s",
              names[n]);
    driver_close(&d);
  }
}
