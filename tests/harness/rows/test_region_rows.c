// SPDX-License-Identifier: MIT
// covers: harness/rows/verdict_rows.c harness/rows/region_rows.c harness/rows/pose_rows.c
#include "harness/rows/region_rows.h"

#include "base/status.h"
#include "methods/registry.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_region_rows, .init = setup, .fini = teardown, .timeout = 120);

/// Expects of the regions of a step what its summary says.
static void expect_agreement(const ts_cell_rows *rows, const ts_record *record) {
  size_t count = 0, closed = 0, missed = 0;
  double needed = 0, met = 0, missing = 0;
  for (size_t i = 0; i < rows->region_count; i++) {
    const ts_region_row *row = &rows->regions[i];
    if (row->step != record->step)
      continue;
    count++;
    closed += row->normals_needed > 0;
    missed += row->missed == 1;
    needed += row->normals_needed;
    met += row->normals_met;
    missing += row->contacts_missing;
    cr_expect(!(row->missed > 0) || row->contacts[0] == '\0', "contacts serve a missed region");
  }
  const char *what =
      ts_arena_format(arena, "%s x %s, step %g", record->case_name, record->method, record->step);
  cr_expect_eq((double)count, record->regions_listed, "%s", what);
  if (record->regions_listed == 0)
    return;
  cr_expect_eq((double)closed, record->regions, "%s", what);
  cr_expect_eq((double)missed, record->regions_missed, "%s", what);
  cr_expect_eq(missing, record->contacts_missing, "%s", what);
  double coverage_percent = 100 * met / needed;
  cr_expect(isnan(coverage_percent) ? isnan(record->coverage_percent)
                                    : coverage_percent == record->coverage_percent,
            "%s: %g and %g", what, coverage_percent, record->coverage_percent);
}

/// Runs 3 steps of a case by a method, and counts the regions missed.
static size_t check_cell(const char *case_name, const ts_method *method, ts_truth_kind truth) {
  cell_draft draft = draft_cell(arena, case_name, method);
  draft.scoring_values[TS_SCORING_TRUTH] = truth;
  ts_cell_rows rows = run_draft_steps(arena, &draft, 3);
  size_t missed = 0;
  for (size_t i = 0; i < rows.record_count; i++)
    expect_agreement(&rows, &rows.records[i]);
  for (size_t i = 0; i < rows.region_count; i++)
    missed += rows.regions[i].missed == 1;
  return missed;
}

static const char *const cases[] = {"wall", "pillar", "spike_in_hole", "wedges", "cliff_edges"};

Test(harness_region_rows, they_agree_with_the_summary_for_every_method_and_truth) {
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (size_t m = 0; ts_methods[m]; m++)
      check_cell(cases[c], ts_methods[m], m % 2 ? TS_TRUTH_MOVED : TS_TRUTH_CARRIED);
}

Test(harness_region_rows, they_say_what_methods_that_are_wrong_on_purpose_miss) {
  static const char *const wrong[] = {"control_dropped_region", "control_flicker",
                                      "control_alternate", "control_hopping"};
  size_t missed = 0;
  for (size_t m = 0; m < sizeof wrong / sizeof *wrong; m++)
    missed += check_cell("wall", control_named(wrong[m]), TS_TRUTH_MOVED);
  cr_expect_gt(missed, 0);
  cr_expect_eq(check_cell("wall", control_named("control_ideal"), TS_TRUTH_MOVED), 0);
}

/// The indices in "i;i" are those of contacts of the same pair and step.
static void expect_contacts_of(const ts_cell_rows *rows, const ts_region_row *region) {
  for (const char *text = region->contacts; *text;) {
    char *end;
    double index = (double)strtol(text, &end, 10);
    text = *end == ';' ? end + 1 : end;
    size_t found = 0;
    for (size_t i = 0; i < rows->contact_count; i++) {
      const ts_contact_row *c = &rows->contacts[i];
      found += c->step == region->step && c->body_a == region->body_a &&
               c->body_b == region->body_b && c->index == index;
    }
    cr_assert_eq(found, 1, "contact %g of bodies %g and %g", index, region->body_a, region->body_b);
  }
}

Test(harness_region_rows, they_name_contacts_by_their_index_in_the_pair) {
  cell_draft draft = draft_cell(arena, "wall", control_named("control_ideal"));
  ts_cell_rows rows = run_draft(arena, &draft);
  cr_assert_gt(rows.region_count, 0);
  for (size_t i = 0; i < rows.region_count; i++) {
    cr_expect_neq(rows.regions[i].contacts[0], '\0');
    expect_contacts_of(&rows, &rows.regions[i]);
  }
}

Test(harness_region_rows, a_truth_that_is_unknown_has_none) {
  cell_draft draft = draft_cell(arena, "spike_on_saddle", ts_method_find("closest_points"));
  ts_cell_rows rows = run_draft_steps(arena, &draft, 3);
  const ts_record *last = &rows.records[rows.record_count - 1];
  cr_assert(strstr(last->reason, "is unknown"), "%s", last->reason);
  cr_expect_gt(rows.records[0].regions_listed, 0);
  cr_expect_eq(last->regions_listed, 0);
  cr_expect_eq((double)rows.region_count, rows.records[0].regions_listed);
}

/// Counts the rows of poses of a step.
static size_t count_poses(const ts_cell_rows *rows, double step) {
  return ts_cell_rows_count(rows, TS_POSES_FILE, step);
}

Test(harness_region_rows, poses_are_those_of_bodies_that_can_move_after_the_scene_as_built) {
  cell_draft draft = draft_cell(arena, "pillar", control_named("control_ideal"));
  ts_cell_rows rows = run_draft_steps(arena, &draft, 5);
  cr_assert_eq(rows.record_count, 5);
  for (size_t i = 0; i < rows.record_count; i++) {
    const ts_record *r = &rows.records[i];
    size_t moving = i == 0 ? 0 : (size_t)r->bodies - 1; // on the ground
    cr_expect_eq(count_poses(&rows, r->step), moving, "step %g", r->step);
    cr_expect_eq(r->poses_listed, (double)moving, "step %g", r->step);
  }
  for (size_t i = 0; i < rows.pose_count; i++) {
    const ts_pose_row *p = &rows.poses[i];
    double norm = hypot(hypot(p->rotation_w, p->rotation_x), hypot(p->rotation_y, p->rotation_z));
    cr_expect_float_eq(norm, 1, 1e-12);
    cr_expect_float_eq(p->time_s, (p->step - 1.5) * 0.01, 1e-15);
    cr_expect_neq(strcmp(p->body, "0"), 0, "the ground does not move");
  }
}

Test(harness_region_rows, of_a_run_that_keeps_what_is_bad_only_that_is_there) {
  cell_draft draft = draft_cell(arena, "pillar", ts_method_find("closest_points"));
  ts_cell_rows all = run_draft_steps(arena, &draft, 4);
  size_t lacking = 0;
  for (size_t i = 0; i < all.region_count; i++)
    lacking += ts_region_row_is_lacking(&all.regions[i]);
  cr_assert(lacking > 0 && lacking < all.region_count, "a case that has both");
  draft.cell.contacts = TS_KEPT_BAD;
  ts_cell_rows bad = run_draft_steps(arena, &draft, 4);
  cr_expect_eq(bad.region_count, lacking);
  for (size_t i = 0; i < bad.record_count; i++) {
    const ts_record *r = &bad.records[i];
    bool lists_any = r->contacts_listed + r->regions_listed > 0;
    cr_expect_eq(count_poses(&bad, r->step) > 0, r->step > 0 && lists_any, "step %g", r->step);
    cr_expect_eq((double)count_poses(&bad, r->step), r->poses_listed);
  }
  cr_expect_lt(bad.pose_count, all.pose_count, "step 2 lists nothing");
  draft.cell.contacts = TS_KEPT_NONE;
  ts_cell_rows none = run_draft_steps(arena, &draft, 4);
  cr_expect_eq(none.contact_count + none.region_count + none.pose_count, 0);
  cr_expect_eq(none.records[3].poses_listed, 0);
}

Test(harness_region_rows, a_step_that_failed_has_no_rows) {
  cell_draft draft = draft_cell(arena, "pillar", control_named("control_nan"));
  ts_cell_rows rows = run_draft_steps(arena, &draft, 5);
  const ts_record *last = &rows.records[rows.record_count - 1];
  cr_assert_eq(strcmp(last->outcome, "ok") != 0, true);
  cr_expect_eq(ts_cell_rows_count(&rows, TS_REGIONS_FILE, last->step), 0);
  cr_expect_eq(count_poses(&rows, last->step), 0);
}
