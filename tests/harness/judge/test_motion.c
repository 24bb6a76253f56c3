// SPDX-License-Identifier: MIT
// covers: harness/judge/metrics/motion.c harness/judge/pair_motion.c
#include "harness/judge/pair_motion.h"

#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "harness/judge/metrics/metric.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

#define MOTION_TEST(name)                                                                          \
  Test(harness_motion, name, .init = scoring_setup, .fini = scoring_teardown)

static ts_record measure(const ts_judgement *judgement) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  cr_assert_eq(ts_metrics_compute(&record, judgement), TS_OK, "%s", ts_status_detail());
  return record;
}

static ts_record measure_sets(const ts_scene *scene, const ts_contact_set *sets, size_t count) {
  ts_judgement judgement = judge(scene, sets, count, no_envelope);
  return measure(&judgement);
}

static ts_record measure_set(const ts_scene *scene, const ts_contact *contacts, size_t count) {
  ts_contact_set set = set_of(0, 1, contacts, count);
  return measure_sets(scene, &set, 1);
}

static const region_spec square = SQUARE(0, 1);

/// The vertices of the square, then a fifth contact.
static void fill_corners(ts_contact out[5], ts_contact fifth) {
  const double at[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  for (int i = 0; i < 4; i++)
    out[i] = contact_at(at[i][0], 0, at[i][1], up, 0);
  out[4] = fifth;
}

MOTION_TEST(the_corners_of_a_face_block_what_it_blocks) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.3, 0, 0.6, up, 0));
  ts_record r = measure_set(scene_with(2, &square, 1), c, 5);
  cr_expect_eq(r.blocked_wrongly_percent, 0);
  cr_expect_eq(r.freed_wrongly_percent, 0);
  cr_expect_eq(r.blocked_wrongly_sliding_percent, 0);
  cr_expect(isnan(r.blocked_wrongly_given_percent));
  cr_expect_lt(r.wrench_residual_max, 1e-12);
  cr_expect_lt(r.wrench_missing_max, 1e-12);
}

MOTION_TEST(a_corner_too_few_frees) {
  ts_contact c[5];
  fill_corners(c, c[0]);
  ts_record r = measure_set(scene_with(2, &square, 1), c, 3);
  cr_expect_eq(r.quality_percent, 100);
  cr_expect_eq(r.coverage_percent, 100);
  cr_expect_eq(r.blocked_wrongly_percent, 0);
  cr_expect_gt(r.freed_wrongly_percent, 3);
  cr_expect_lt(r.freed_wrongly_percent, 30);
  cr_expect_lt(r.wrench_residual_max, 1e-12);
  cr_expect_gt(r.wrench_missing_max, 0.1);
}

MOTION_TEST(without_contacts_the_first_of_any_one_normals_is_chosen) {
  region_spec specs[2] = {square, square};
  specs[0].any_one = true;
  specs[0].normal_count = 2;
  specs[0].normals[1] = (ts_feasible){right, 0};
  ts_contact_set none = set_of(0, 1, NULL, 0);
  ts_pair_motion motion[2];
  for (int i = 0; i < 2; i++) {
    ts_judgement judgement = judge(scene_with(2, &specs[i], 1), &none, 1, no_envelope);
    cr_assert_eq(ts_motion_of_pair(&motion[i], &judgement, &judgement.pairs[0]), TS_OK);
  }
  cr_assert_eq(motion[0].chosen_wrenches.count, motion[1].chosen_wrenches.count);
  for (size_t k = 0; k < motion[0].chosen_wrenches.count; k++)
    for (int i = 0; i < 6; i++)
      cr_expect_float_eq(motion[0].chosen_wrenches.rows[k].of[i],
                         motion[1].chosen_wrenches.rows[k].of[i], 1e-12);
}

MOTION_TEST(one_wall_too_many_blocks_half_of_the_slides) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, right, 0));
  ts_record r = measure_set(scene_with(2, &square, 1), c, 5);
  cr_expect_eq(r.freed_wrongly_percent, 0);
  cr_expect_float_eq(r.blocked_wrongly_sliding_percent, 50, 2);
  cr_expect_gt(r.blocked_wrongly_percent, 40);
  cr_expect_float_eq(r.wrench_residual_max, 1, 1e-9);
  cr_expect_lt(r.wrench_missing_max, 1e-12);
}

MOTION_TEST(a_flipped_normal_pushes_the_wrong_way) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, down, 0));
  ts_record r = measure_set(scene_with(2, &square, 1), c, 5);
  cr_expect_gt(r.blocked_wrongly_percent, 95);
  cr_expect_eq(r.blocked_wrongly_sliding_percent, 0);
  cr_expect_float_eq(r.wrench_residual_max, 1, 1e-9);
}

MOTION_TEST(without_contacts_all_is_freed) {
  ts_record r = measure_sets(scene_with(2, &square, 1), NULL, 0);
  cr_expect_eq(r.blocked_wrongly_percent, 0);
  cr_expect_eq(r.freed_wrongly_percent, 100);
  cr_expect(isnan(r.wrench_residual_max));
  cr_expect_float_eq(r.wrench_missing_max, 1, 1e-12);
}

MOTION_TEST(what_pairs_apart_are_held_by_is_blocked_wrongly) {
  ts_contact c[5], phantom = contact_at(3, 0, 0, right, 0);
  fill_corners(c, c[0]);
  ts_contact_set sets[2] = {set_of(0, 1, c, 4), set_of(1, 2, &phantom, 1)};
  const ts_scene *scene = scene_with(3, &square, 1);
  ts_record r = measure_sets(scene, sets, 2);
  // Half of all motions of the pair that is apart, none of the other pair's.
  cr_expect_float_eq(r.blocked_wrongly_percent, 25, 1);
  cr_expect_eq(r.freed_wrongly_percent, 0);
  cr_expect_eq(r.blocked_wrongly_sliding_percent, 0);
  cr_expect_float_eq(r.wrench_residual_max, 1, 1e-12);
  r = measure_sets(scene, sets + 1, 1);
  cr_expect_float_eq(r.blocked_wrongly_percent, 25, 1);
  cr_expect_eq(r.freed_wrongly_percent, 100);
  const ts_scene *apart = scene_with(3, &square, 0);
  r = measure_sets(apart, sets + 1, 1);
  cr_expect_float_eq(r.blocked_wrongly_percent, 50, 1);
  cr_expect(isnan(r.freed_wrongly_percent));
  cr_expect(isnan(measure_sets(apart, NULL, 0).blocked_wrongly_percent));
}

MOTION_TEST(contacts_ahead_of_a_touch_and_those_that_are_no_contacts_block_nothing) {
  const ts_scene *scene = scene_with(2, &square, 1);
  ts_contact c[5];
  const ts_contact harmless[] = {
      contact_at(0.5, 0, 0.5, right, 0.1),
      contact_at(NAN, 0, 0.5, right, 0),
      contact_at(0.5, 0, 0.5, ts_vec3_make(NAN, 0, 0), 0),
      contact_at(0.5, 0, 0.5, ts_vec3_make(0, 0, 0), 0),
      contact_at(0.5, 0, 0.5, ts_vec3_make(INFINITY, 0, 0), 0),
  };
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
    fill_corners(c, harmless[i]);
    ts_record r = measure_set(scene, c, 5);
    cr_expect_eq(r.blocked_wrongly_percent, 0, "%zu", i);
    cr_expect_eq(r.freed_wrongly_percent, 0, "%zu", i);
    cr_expect_lt(r.wrench_residual_max, 1e-12, "%zu", i);
  }
  fill_corners(c, contact_at(0.5, 0, 1e100, right, 0));
  cr_expect_gt(measure_set(scene, c, 5).blocked_wrongly_percent, 40);
  fill_corners(c, contact_at(0.3, 0, 0.6, ts_vec3_make(0, 1e-3, 0), 0));
  cr_expect_eq(measure_set(scene, c, 5).blocked_wrongly_percent, 0, "a direction all the same");
}

MOTION_TEST(an_open_region_is_not_part_of_the_truth) {
  region_spec open = SQUARE(0, 1);
  open.normals[0].gap_m = 0.01;
  ts_record r = measure_sets(scene_with(2, &open, 1), NULL, 0);
  cr_expect(isnan(r.freed_wrongly_percent));
  cr_expect(isnan(r.blocked_wrongly_percent));
  region_spec both[2] = {SQUARE(0, 1), SQUARE(0, 1)};
  both[1].normals[0] = (ts_feasible){{1, 0, 0}, 0.01};
  ts_contact c[5];
  fill_corners(c, c[0]);
  r = measure_set(scene_with(2, both, 2), c, 4);
  cr_expect_eq(r.freed_wrongly_percent, 0);
}

MOTION_TEST(of_an_open_normal_and_an_open_any_one_region_nothing_is_asked) {
  ts_contact c[5];
  fill_corners(c, c[0]);
  region_spec specs[2] = {SQUARE(0, 1), SQUARE(0, 1)};
  specs[0].normal_count = 2;
  specs[0].normals[1] = (ts_feasible){{1, 0, 0}, 0.01};
  cr_expect_eq(measure_set(scene_with(2, specs, 1), c, 4).freed_wrongly_percent, 0);
  specs[0].normals[1].gap_m = 0;
  cr_expect_gt(measure_set(scene_with(2, specs, 1), c, 4).freed_wrongly_percent, 3);
  specs[0].normal_count = 1;
  specs[1].any_one = true;
  specs[1].normal_count = 2;
  specs[1].normals[0] = (ts_feasible){{1, 0, 0}, 0};
  specs[1].normals[1] = (ts_feasible){{-1, 0, 0}, 0.01};
  cr_expect_eq(measure_set(scene_with(2, specs, 2), c, 4).freed_wrongly_percent, 0);
}

/// Three demands of two normals each at one point, any one of which is right: two contacts serve
/// all three, whichever two of the normals they have.
MOTION_TEST(contacts_that_serve_several_regions_are_held_against_what_they_serve) {
  const ts_vec3 normals[3] = {{0, 0.8, 0.6}, {0.52, 0.8, -0.3}, {-0.52, 0.8, -0.3}};
  region_spec specs[3];
  for (int i = 0; i < 3; i++)
    specs[i] = (region_spec){
        .a = 0,
        .b = 1,
        .any_one = true,
        .vertex_count = 1,
        .normal_count = 2,
        .normals = {{ts_vec3_unit(normals[i]), 0}, {ts_vec3_unit(normals[(i + 1) % 3]), 0}}};
  for (int left_out = 0; left_out < 3; left_out++) {
    ts_contact c[2] = {contact_at(0, 0, 0, ts_vec3_unit(normals[(left_out + 1) % 3]), 0),
                       contact_at(0, 0, 0, ts_vec3_unit(normals[(left_out + 2) % 3]), 0)};
    ts_record r = measure_set(scene_with(2, specs, 3), c, 2);
    cr_expect_eq(r.excess_factor, 1);
    cr_expect_eq(r.blocked_wrongly_percent, 0, "without %d: %g", left_out,
                 r.blocked_wrongly_percent);
    cr_expect_eq(r.freed_wrongly_percent, 0);
  }
}

MOTION_TEST(pairs_apart_change_nothing_for_those_that_touch_and_turn_about_their_own_contacts) {
  const region_spec later = SQUARE(1, 2);
  const ts_scene *scene = scene_with(3, &later, 1);
  ts_contact c[5];
  fill_corners(c, c[0]);
  ts_contact far_apart[2] = {contact_at(900, 0, 0.9, right, 0), contact_at(900, 0, -0.9, right, 0)};
  ts_contact_set sets[2] = {set_of(0, 1, far_apart, 2), set_of(1, 2, c, 3)};
  ts_record with = measure_sets(scene, sets, 2), without = measure_sets(scene, sets + 1, 1);
  cr_expect_gt(without.freed_wrongly_percent, 3);
  cr_expect_eq(with.freed_wrongly_percent, without.freed_wrongly_percent);
  // Each contact blocks half of all motions; a twist about the centre that one lets through is
  // blocked by the other: their wrenches are 92 degrees apart.
  cr_expect_float_eq(with.blocked_wrongly_percent, 0.5 * 75.7, 1);
}

MOTION_TEST(where_the_truth_is_unknown_nothing_is_measured) {
  ts_scene *scene = scene_with(2, &square, 0);
  scene->truth_is_unknown = true;
  ts_contact c = contact_at(0, 0, 0, up, 0);
  ts_contact_set set = set_of(0, 1, &c, 1);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  ts_record r = measure(&judgement);
  double residual;
  cr_expect_eq(ts_motion_residuals(&residual, &judgement, &judgement.pairs[0]), TS_OK);
  cr_expect(isnan(residual));
  cr_expect(isnan(r.blocked_wrongly_percent) && isnan(r.freed_wrongly_percent));
}

MOTION_TEST(each_contact_has_its_own_residual) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, right, 0));
  c[1].gap_m = 0.1; // speculative
  ts_contact_set set = set_of(0, 1, c, 5);
  ts_judgement judgement = judge(scene_with(2, &square, 1), &set, 1, no_envelope);
  double residual[5];
  cr_expect_eq(ts_motion_residuals(residual, &judgement, &judgement.pairs[0]), TS_OK);
  for (int i = 0; i < 4; i++)
    cr_expect(i == 1 ? isnan(residual[i]) : residual[i] < 1e-12, "%d: %g", i, residual[i]);
  cr_expect_float_eq(residual[4], 1, 1e-9);
}

MOTION_TEST(a_right_normal_in_the_wrong_place_is_detected) {
  ts_contact c[5];
  fill_corners(c, contact_at(1.5, 0, 0.5, up, 0));
  ts_record r = measure_set(scene_with(2, &square, 1), c, 5);
  cr_expect_gt(r.wrench_residual_max, 0.1);
  cr_expect_gt(r.blocked_wrongly_percent, 5);
  cr_expect_eq(r.blocked_wrongly_sliding_percent, 0);
}

// ---------------------------------------------------------------------------------------------
// Cases

static ts_scene *build(const char *name, double scale, double motion_seed) {
  const ts_case *c = ts_case_find(name);
  const ts_param *params = ts_case_params(arena, c);
  double *values = ts_arena_array(arena, ts_case_param_count(c), sizeof *values);
  ts_param_defaults(values, params, ts_case_param_count(c));
  values[TS_COMMON_SCALE] = scale;
  values[TS_COMMON_MOTION_SEED] = motion_seed;
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
  return scene;
}

/// Every vertex of every region with every normal of a reference, its first one or all.
static ts_contact_set *contacts_of(size_t *out_count, const ts_scene *scene, ts_reference reference,
                                   size_t normals) {
  ts_contact_set *sets = ts_arena_array(arena, scene->region_count, sizeof *sets);
  size_t count = 0;
  for (size_t r = 0; r < scene->region_count; r++) {
    const ts_region *region = &scene->regions[r];
    const ts_feasible_set *set = &region->feasible[reference];
    size_t room = region->vertex_count * set->count;
    ts_contact *contacts = ts_arena_array(arena, room, sizeof *contacts);
    size_t filled = 0;
    for (size_t v = 0; v < region->vertex_count; v++)
      for (size_t n = 0; n < set->count && n < normals; n++)
        contacts[filled++] = (ts_contact){
            .point = region->vertices[v], .normal = set->normals[n].normal, .area_m2 = NAN};
    sets[count++] = set_of(region->body_a, region->body_b, contacts, filled);
  }
  *out_count = count;
  return sets;
}

static ts_record measure_case(const char *name, ts_reference reference, size_t normals) {
  const ts_scene *scene = build(name, 1, 0);
  size_t count;
  const ts_contact_set *sets = contacts_of(&count, scene, reference, normals);
  return measure_sets(scene, sets, count);
}

MOTION_TEST(the_truth_itself_blocks_and_frees_nothing_wrongly) {
  size_t cases = 0;
  for (size_t i = 0; ts_cases[i]; i++) {
    if (strcmp(ts_cases[i]->suite, "erleben") != 0)
      continue;
    ts_record r = measure_case(ts_cases[i]->name, TS_REFERENCE_DESIGN, SIZE_MAX);
    cr_expect_eq(r.blocked_wrongly_percent, 0, "%s", ts_cases[i]->name);
    cr_expect_eq(r.freed_wrongly_percent, 0, "%s", ts_cases[i]->name);
    cr_expect_eq(r.blocked_wrongly_sliding_percent, 0, "%s", ts_cases[i]->name);
    bool is_any_one = strcmp(ts_cases[i]->name, "spikes") == 0 ||
                      strcmp(ts_cases[i]->name, "spike_and_wedge") == 0 ||
                      strcmp(ts_cases[i]->name, "wedges") == 0;
    cr_expect(is_any_one ? r.blocked_wrongly_given_percent == 0
                         : isnan(r.blocked_wrongly_given_percent),
              "%s", ts_cases[i]->name);
    cr_expect_lt(r.wrench_residual_max, 1e-12, "%s", ts_cases[i]->name);
    cr_expect_lt(r.wrench_missing_max, 1e-12, "%s", ts_cases[i]->name);
    cases++;
  }
  cr_expect_eq(cases, 13);
}

MOTION_TEST(of_any_one_normals_the_mirrored_one_and_all_at_once_hinder_the_given_motion) {
  const char *names[] = {"spikes", "spike_and_wedge", "wedges"};
  for (size_t i = 0; i < 3; i++) {
    ts_record mirrored = measure_case(names[i], TS_REFERENCE_PUBLISHED, SIZE_MAX);
    ts_record all = measure_case(names[i], TS_REFERENCE_FEASIBLE, SIZE_MAX);
    cr_expect_eq(mirrored.blocked_wrongly_given_percent, 100, "%s", names[i]);
    cr_expect_eq(all.blocked_wrongly_given_percent, 100, "%s", names[i]);
    cr_expect_geq(all.blocked_wrongly_percent, mirrored.blocked_wrongly_percent, "%s", names[i]);
    cr_expect_gt(mirrored.blocked_wrongly_percent, 30, "%s", names[i]);
    cr_expect_eq(mirrored.freed_wrongly_percent, 0, "%s", names[i]);
    cr_expect_eq(all.freed_wrongly_percent, 0, "%s", names[i]);
  }
}

MOTION_TEST(the_given_motion_counts_for_bodies_as_built_and_when_there_is_one) {
  ts_scene *scene = build("spikes", 1, 0);
  size_t count;
  const ts_contact_set *sets = contacts_of(&count, scene, TS_REFERENCE_DESIGN, 1);
  cr_expect_eq(measure_sets(scene, sets, count).blocked_wrongly_given_percent, 0);
  scene->regions[0].place_error_m = 1e-3;
  cr_expect(isnan(measure_sets(scene, sets, count).blocked_wrongly_given_percent));
  scene->regions[0].place_error_m = 0;
  scene->bodies[1].twist = (ts_twist){{0, 0, 0}, {0, 0, 0}};
  cr_expect(isnan(measure_sets(scene, sets, count).blocked_wrongly_given_percent));
}

MOTION_TEST(with_every_normal_allowed_the_one_that_the_contacts_have_is_right) {
  const ts_scene *scene = build("spikes", 1, 0);
  for (size_t n = 0; n < 4; n++) {
    ts_contact contact = {.point = scene->regions[0].vertices[0],
                          .normal =
                              scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].normals[n].normal};
    ts_contact_set set = set_of(0, 1, &contact, 1);
    ts_scoring scoring = default_scoring();
    scoring.reference = TS_REFERENCE_FEASIBLE;
    ts_judgement judgement;
    cr_assert_eq(ts_judge(&judgement, arena, scene, &set, 1, no_envelope, scoring), TS_OK);
    ts_record r = measure(&judgement);
    cr_expect_eq(r.blocked_wrongly_percent, 0, "normal %zu", n);
    cr_expect_lt(r.wrench_residual_max, 1e-12, "normal %zu", n);
  }
}

MOTION_TEST(one_end_of_a_ridge_has_all_the_normals_and_lets_the_body_turn) {
  const ts_scene *scene = build("sliding_wedge", 1, 0);
  size_t count;
  ts_contact_set *sets = contacts_of(&count, scene, TS_REFERENCE_DESIGN, 1);
  sets[0].count = 1;
  ts_record r = measure_sets(scene, sets, count);
  cr_expect_eq(r.quality_percent, 100);
  cr_expect_eq(r.coverage_percent, 100);
  cr_expect_eq(r.blocked_wrongly_percent, 0);
  cr_expect_gt(r.freed_wrongly_percent, 15);
}

/// The contacts of a method in the published meshes, by the rules of the published simulator.
static ts_record run_published(const char *case_name, const char *method_name) {
  const ts_method *method = NULL;
  for (size_t i = 0; ts_methods[i]; i++)
    if (strcmp(ts_methods[i]->name, method_name) == 0)
      method = ts_methods[i];
  cr_assert_not_null(method);
  cell_draft draft = draft_cell(arena, case_name, method);
  draft_set(arena, &draft, "tets", TS_TETS_PUBLISHED);
  int profile = ts_param_find(method->params, method->param_count, "profile");
  cr_assert_geq(profile, 0);
  draft.method_values[profile] = 1;
  ts_record r = run_draft(arena, &draft).records[0];
  cr_assert_str_eq(r.outcome, "ok", "%s", r.reason);
  return r;
}

// Two figures from an independent implementation in another language for the same contacts: 14.5
// and 50 percent.
MOTION_TEST(a_set_without_any_fault_by_its_normals_may_free_and_one_normal_may_block_half) {
  ts_record r = run_published("sliding_wedge", "opposing");
  cr_expect_eq(r.quality_percent, 100);
  cr_expect_eq(r.coverage_percent, 100);
  cr_expect_eq(r.excess_factor, 1);
  cr_expect_eq(r.blocked_wrongly_percent, 0);
  cr_expect_float_eq(r.freed_wrongly_percent, 14.5, 0.5);
  r = run_published("internal_edges", "opposing");
  cr_expect_float_eq(r.quality_percent, 100 * 15.0 / 16, 1e-9);
  cr_expect_eq(r.coverage_percent, 100);
  cr_expect_float_eq(r.blocked_wrongly_percent, 50, 1);
  cr_expect_float_eq(r.blocked_wrongly_sliding_percent, 49.5, 1);
  cr_expect_lt(r.freed_wrongly_percent, 0.1);
}

static ts_vec3 carry(const ts_scene *from, const ts_scene *to, double scale, ts_vec3 point) {
  ts_vec3 local = ts_pose_point_local(from->bodies[0].pose, point);
  return ts_pose_point(to->bodies[0].pose, ts_vec3_scale(local, scale));
}

/// The perturbed contacts of one scene, transformed to a scene of another size and pose.
static ts_record measure_carried(const ts_scene *from, const ts_scene *to, double scale,
                                 bool reversed) {
  size_t count;
  ts_contact_set *sets = contacts_of(&count, from, TS_REFERENCE_FEASIBLE, SIZE_MAX);
  for (size_t s = 0; s < count; s++) {
    size_t n = sets[s].count;
    for (size_t i = 0; i < n; i++) {
      ts_contact *c = &sets[s].contacts[i];
      double t = (double)(i + s);
      ts_vec3 off = {0.1 * sin(t), 0.1 * cos(3 * t), 0.1 * sin(7 * t)};
      ts_vec3 tip = ts_vec3_add(c->point, ts_vec3_unit(ts_vec3_add(c->normal, off)));
      ts_vec3 point = ts_vec3_add_scaled(c->point, 0.1, off);
      tip = ts_vec3_add_scaled(tip, 0.1, off);
      c->point = carry(from, to, scale, point);
      c->normal = ts_vec3_scale(ts_vec3_sub(carry(from, to, scale, tip), c->point), 1 / scale);
    }
    for (size_t i = 0; reversed && i < n / 2; i++) {
      ts_contact keep = sets[s].contacts[i];
      sets[s].contacts[i] = sets[s].contacts[n - 1 - i];
      sets[s].contacts[n - 1 - i] = keep;
    }
  }
  return measure_sets(to, sets, count);
}

static void expect_same(const ts_record *a, const ts_record *b, const char *what) {
  cr_expect_float_eq(a->blocked_wrongly_percent, b->blocked_wrongly_percent, 1e-9, "%s", what);
  cr_expect_float_eq(a->freed_wrongly_percent, b->freed_wrongly_percent, 1e-9, "%s", what);
  cr_expect_float_eq(a->blocked_wrongly_sliding_percent, b->blocked_wrongly_sliding_percent, 1e-9,
                     "%s", what);
  cr_expect_float_eq(a->wrench_residual_max, b->wrench_residual_max, 1e-9, "%s", what);
  cr_expect_float_eq(a->wrench_missing_max, b->wrench_missing_max, 1e-9, "%s", what);
}

MOTION_TEST(size_place_and_the_order_of_contacts_do_not_matter) {
  const char *names[] = {"pillar", "arch", "spike_in_hole", "wedge_in_crack", "wedges", "spikes"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const ts_scene *scene = build(names[i], 1, 0);
    ts_record r = measure_carried(scene, scene, 1, false);
    cr_expect_gt(r.blocked_wrongly_percent, 0.1, "%s", names[i]);
    ts_record reversed = measure_carried(scene, scene, 1, true);
    expect_same(&reversed, &r, names[i]);
    for (double scale = 1e-3; scale <= 1e3; scale *= 1e3)
      for (int seed = 1; seed <= 3; seed++) {
        ts_record moved = measure_carried(scene, build(names[i], scale, seed), scale, false);
        expect_same(&moved, &r, names[i]);
      }
  }
}
