// SPDX-License-Identifier: MIT
// covers: harness/view/row_snapshot.c harness/view/row_scene.c
// covers: harness/view/contact_faults.c harness/view/report_views.c reports/rows/contacts_at_fault.c
// What of a row of results becomes the snapshot that views and pictures show.
#include "harness/view/row_snapshot.h"

#include "harness/view/contact_faults.h"
#include "harness/view/report_views.h"
#include "harness/view/row_scene.h"
#include "reports/rows/contacts_at_fault.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(harness_row_snapshot, .init = results_open, .fini = results_close, .timeout = 60);

static ts_record record_of(const char *case_name, const char *parameters, double step) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  record.case_name = case_name;
  record.case_parameters = parameters;
  record.method = "opposing";
  record.outcome = "ok";
  record.step = step;
  return record;
}

static ts_snapshot built_scene(const ts_record *record) {
  ts_snapshot built;
  const ts_scene *scene;
  const char *why;
  cr_assert_eq(ts_row_scene(&built, &scene, &why, fixture_arena, record, NULL), TS_OK);
  cr_assert_null(why, "%s", why);
  cr_assert_eq(scene->body_count, built.body_count);
  return built;
}

static ts_contact_row contact_of(double index, double error_deg) {
  ts_contact_row row;
  ts_row_init(&ts_contact_rows, &row);
  row.body_a = 0;
  row.body_b = 1;
  row.index = index;
  row.point_x_m = row.point_y_m = row.point_z_m = row.normal_x = row.normal_z = 0;
  row.normal_y = 1;
  row.normal_error_deg = error_deg;
  row.correct = error_deg == 0;
  row.phantom = row.speculative = row.region = 0;
  return row;
}

static ts_row_snapshot made_of(const ts_snapshot *built, const ts_record *record,
                               const ts_row_details *details) {
  ts_row_snapshot made;
  const char *why;
  cr_assert_eq(ts_row_snapshot_make(&made, &why, fixture_arena, built, record, details), TS_OK);
  cr_assert_null(why, "%s", why);
  return made;
}

// ---- scenes ------------------------------------------------------------------------------------

Test(harness_row_snapshot, a_scene_is_built_with_the_parameters_of_the_row) {
  ts_record small = record_of("wall", "layers=2;span=8", 0);
  ts_record large = record_of("wall", "layers=5;span=8;scale=2", 0);
  ts_snapshot two = built_scene(&small), five = built_scene(&large);
  cr_assert_eq(two.body_count, 17);
  cr_assert_gt(five.body_count, two.body_count);
  cr_assert_float_eq(five.body_size_m, 2 * two.body_size_m, 1e-9);
}

static void expect_no_scene(const char *case_name, const char *parameters, const json_t *context,
                            const char *words) {
  ts_record record = record_of(case_name, parameters, 0);
  ts_snapshot built;
  const ts_scene *scene;
  const char *why;
  cr_assert_eq(ts_row_scene(&built, &scene, &why, fixture_arena, &record, context), TS_OK);
  cr_assert_not_null(why);
  cr_assert(strstr(why, words), "%s", why);
}

Test(harness_row_snapshot, an_unknown_case_or_parameter_has_no_scene_and_says_why) {
  expect_no_scene("gone", "", NULL, "gone");
  expect_no_scene("wall", "bricks=3", NULL, "bricks");
}

Test(harness_row_snapshot, a_scene_file_that_is_not_what_it_was_is_not_shown) {
  json_t *context = json_pack("{s:{s:[{s:s, s:s, s:s, s:s}]}}", "run", "scenes", "file",
                              fixture_path("none.json"), "case", "mine", "parameters", "", "hash",
                              "0123456789abcdef");
  cr_assert_not_null(context);
  expect_no_scene("mine", "", context, "none.json");
  json_decref(context);
}

// ---- contacts ----------------------------------------------------------------------------------

Test(harness_row_snapshot, the_worst_contacts_come_first_and_others_are_spread) {
  enum { COUNT = 2000 };
  ts_contact_row *contacts = ts_arena_array(fixture_arena, COUNT, sizeof *contacts);
  for (int i = 0; i < COUNT; i++)
    contacts[i] = contact_of(i, i % 4 == 0 ? 1 + i * 0.01 : 0);
  contacts[1234].phantom = 1;
  const ts_row_details details = {.contact_count = COUNT, .contacts = contacts};
  ts_record record = record_of("cliff_edges", "", 0);
  ts_snapshot built = built_scene(&record);
  ts_row_snapshot made = made_of(&built, &record, &details);
  const ts_snapshot *s = &made.snapshot;
  cr_assert_eq(s->contact_count, TS_SNAPSHOT_FAULTS_MAX + TS_SNAPSHOT_OTHERS_MAX);
  cr_expect_eq(s->contacts[0].index, 1234, "a phantom is the worst");
  cr_expect_eq(s->contacts[1].index, 1996, "then the largest error");
  cr_expect_eq(s->contacts[2].index, 1992);
  const ts_contact_row *others = s->contacts + TS_SNAPSHOT_FAULTS_MAX;
  cr_expect_eq(others[0].index, 1);
  cr_expect_gt(others[TS_SNAPSHOT_OTHERS_MAX - 1].index, 1950, "%g",
               others[TS_SNAPSHOT_OTHERS_MAX - 1].index);
  for (size_t i = 1; i < TS_SNAPSHOT_OTHERS_MAX; i++)
    cr_expect_gt(others[i].index, others[i - 1].index);
  cr_expect_not(made.has_verdicts, "there are no regions");
  cr_expect_eq(s->region_count, built.region_count, "those of the scene are shown");
}

/// Counts the contacts of a snapshot that have a fault.
static size_t count_with(const ts_row_snapshot *made, ts_view_fault fault) {
  size_t count = 0;
  for (size_t i = 0; i < made->snapshot.contact_count; i++)
    count += (made->contact_faults[i] >> fault & 1U) > 0;
  return count;
}

Test(harness_row_snapshot, every_fault_has_contacts_in_the_snapshot) {
  enum { COUNT = 2000 };
  ts_contact_row *contacts = ts_arena_array(fixture_arena, COUNT, sizeof *contacts);
  for (int i = 0; i < COUNT; i++) {
    contacts[i] = contact_of(i, 0);
    contacts[i].phantom = i < 1000; // these alone would take all places
  }
  for (int i = 1000; i < 1400; i++) {
    contacts[i] = contact_of(i, 5);
    contacts[i].flipped = i < 1010;
    contacts[i].gap_wrong = i == 1399;
  }
  contacts[1999].normal_y = 2;
  const ts_row_details details = {.contact_count = COUNT, .contacts = contacts};
  ts_record record = record_of("cliff_edges", "", 0);
  ts_snapshot built = built_scene(&record);
  ts_row_snapshot made = made_of(&built, &record, &details);
  cr_expect_eq(count_with(&made, TS_VIEW_NORMAL_FLIPPED), 10);
  cr_expect_eq(count_with(&made, TS_VIEW_GAP_WRONG), 1);
  cr_expect_eq(count_with(&made, TS_VIEW_NORMAL_INVALID), 1);
  cr_expect_gt(count_with(&made, TS_VIEW_PHANTOM), 100);
  cr_expect_gt(count_with(&made, TS_VIEW_NORMAL_INCORRECT), 100);
  cr_expect_eq(made.snapshot.contact_count, TS_SNAPSHOT_FAULTS_MAX + TS_SNAPSHOT_OTHERS_MAX);
  for (size_t i = 1; i < TS_SNAPSHOT_FAULTS_MAX; i++)
    cr_expect_not(ts_fault_is_worse(&made.snapshot.contacts[i], &made.snapshot.contacts[i - 1]));
}

Test(harness_row_snapshot, a_contact_has_all_its_faults) {
  ts_contact_row contact = contact_of(0, 135);
  contact.flipped = contact.gap_wrong = 1;
  cr_expect_eq(ts_contact_faults(&contact), 1U << TS_VIEW_NORMAL_INCORRECT |
                                                1U << TS_VIEW_NORMAL_FLIPPED |
                                                1U << TS_VIEW_GAP_WRONG);
  contact = contact_of(0, 0);
  cr_expect_eq(ts_contact_faults(&contact), 0);
  contact.normal_x = NAN;
  cr_expect_eq(ts_contact_faults(&contact), 1U << TS_VIEW_NORMAL_INVALID);
  contact = contact_of(0, 0);
  contact.correct = NAN; // its truth is unknown
  cr_expect_eq(ts_contact_faults(&contact), 0);
}

// ---- regions and poses -------------------------------------------------------------------------

static ts_region_row region_of(double index, const char *corners, const char *normals,
                               const char *gaps, const char *contacts) {
  ts_region_row row;
  ts_row_init(&ts_region_rows, &row);
  row.body_a = 0;
  row.body_b = 1;
  row.region = index;
  row.kind = "polygon";
  row.corners_m = corners;
  row.needs = "all";
  row.normals = normals;
  row.gaps_m = gaps;
  row.normals_needed = 2;
  row.normals_met = 1;
  row.missed = 0;
  row.contacts = contacts;
  return row;
}

static ts_pose_row pose_of(const char *body, double y) {
  ts_pose_row row;
  ts_row_init(&ts_pose_rows, &row);
  row.body = body;
  row.position_x_m = row.position_z_m = row.rotation_x = row.rotation_y = row.rotation_z = 0;
  row.position_y_m = y;
  row.rotation_w = 1;
  return row;
}

Test(harness_row_snapshot, regions_and_poses_are_those_of_the_row) {
  const ts_region_row regions[] = {
      region_of(0, "0 0 0;1 0 0;1 0 1e-3", "0 1 0;-1 0 0", "0;-0.5", "1;7;12"),
      region_of(1, "0.25 -2 3", "0 0 1", "0", "")};
  const ts_contact_row contacts[] = {contact_of(7, 0), contact_of(3, 0), contact_of(1, 30)};
  const ts_pose_row poses[] = {pose_of("1", 5)};
  const ts_row_details details = {3, contacts, 2, regions, 1, poses};
  ts_record record = record_of("cliff_edges", "", 3);
  ts_snapshot built = built_scene(&record);
  ts_row_snapshot made = made_of(&built, &record, &details);
  const ts_snapshot *s = &made.snapshot;
  cr_assert(made.has_verdicts && made.has_moved);
  cr_assert_eq(s->region_count, 2);
  const ts_snapshot_region *r = &s->regions[0];
  cr_expect_eq(r->vertex_count, 3);
  cr_expect_eq(r->vertices[2].z, 1e-3);
  cr_expect_eq(r->normal_count, 2);
  cr_expect_eq(r->normals[1].normal.x, -1);
  cr_expect_eq(r->normals[1].gap_m, -0.5);
  cr_expect(r->needed_count == 2 && r->met_count == 1 && r->needs_all && !r->is_missed);
  cr_expect(ts_snapshot_region_is_lacking(r));
  cr_expect_eq(made.served_counts[0], 3, "contact 12 is not among those that are shown");
  cr_assert_eq(r->contact_count, 2);
  cr_expect_eq(s->contacts[r->contacts[0]].index, 1, "the wrong one, which comes first");
  cr_expect_eq(s->contacts[r->contacts[1]].index, 7);
  cr_expect_eq(s->regions[1].vertex_count, 1);
  cr_expect_eq(made.served_counts[1], 0);
  cr_expect_eq(s->bodies[1].pose.translation.y, 5);
  cr_expect_eq(s->bodies[0].pose.translation.y, built.bodies[0].pose.translation.y);
  const ts_mesh *mesh = s->bodies[1].designed.mesh;
  cr_expect_float_eq(s->bodies[1].designed.world[0].y, mesh->vertices[0].y + 5, 1e-12);
}

static void expect_refused(const ts_record *record, const ts_row_details *details,
                           const char *words) {
  ts_snapshot built = built_scene(record);
  ts_row_snapshot made;
  const char *why;
  cr_assert_eq(ts_row_snapshot_make(&made, &why, fixture_arena, &built, record, details), TS_OK);
  cr_assert_not_null(why);
  cr_expect(strstr(why, words), "%s", why);
}

Test(harness_row_snapshot, a_row_that_cannot_be_shown_says_why) {
  ts_contact_row contact = contact_of(0, 0);
  ts_row_details details = {.contact_count = 1, .contacts = &contact};
  ts_record moved = record_of("cliff_edges", "", 3), built = record_of("cliff_edges", "", 0);
  expect_refused(&moved, &details, "poses.csv");
  contact.body_b = 99;
  expect_refused(&built, &details, "not of the bodies");
  built.contacts_unique = 4;
  expect_refused(&built, &(ts_row_details){0}, "are not in these results");
}

// ---- views -------------------------------------------------------------------------------------

Test(harness_row_snapshot, rows_that_cannot_be_shown_have_no_view_and_the_report_goes_on) {
  ts_record records[2] = {record_of("gone", "", 0), record_of("wall", "", 0)};
  records[0].cell = "0";
  records[1].cell = "1";
  records[1].outcome = "crashed";
  const char *const explains[2] = {"", ""};
  const ts_format_source source = {
      .records = records, .count = 2, .explains = explains, .folder = fixture_path("empty")};
  ts_views *views;
  cr_assert_eq(ts_report_views(&views, fixture_arena, &source, 1), TS_OK);
  cr_assert_eq(ts_views_count(views), 0);
  char *page = NULL;
  size_t count;
  FILE *file = open_memstream(&page, &count);
  cr_assert_eq(ts_views_put(file, fixture_arena, views), TS_OK);
  fclose(file);
  cr_assert(strstr(page, "\"gone\\\""), "%.400s", page);
  cr_assert(strstr(page, "It was not measured"));
  free(page);
}
