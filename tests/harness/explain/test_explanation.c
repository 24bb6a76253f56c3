// SPDX-License-Identifier: MIT
// covers: harness/explain/explanation.c harness/explain/headline.c harness/explain/fault_text.c
#include "harness/explain/explanation.h"

#include "base/status.h"
#include "harness/picture/cell_snapshot.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPLANATION_TEST(name)                                                                     \
  Test(harness_explanation, name, .init = scoring_setup, .fini = scoring_teardown)

static const region_spec square = SQUARE(0, 1);
static ts_snapshot snapshot;

/// What is told of these contacts, on a square where any corner needs one.
static ts_explanation explain(const ts_contact *contacts, size_t count) {
  const ts_scene *scene = scene_with(2, &square, 1);
  ts_contact_set *set = ts_arena_alloc(arena, sizeof *set);
  ts_cell_state *state = ts_arena_alloc(arena, sizeof *state);
  *set = set_of(0, 1, contacts, count);
  ts_row_init(&ts_summary_rows, &state->record);
  state->record.case_name = "square";
  state->record.method = "mine";
  state->record.outcome = "ok";
  state->record.step = 0;
  ts_cell_state_set_contacts(state, set, 1);
  cr_assert_eq(ts_cell_state_score(state, arena, scene, no_envelope, default_scoring(), true),
               TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_snapshot_of_state(&snapshot, arena, state), TS_OK);
  ts_explanation e = {.record = state->record, .snapshot = &snapshot};
  cr_assert_eq(ts_explanation_look(&e, arena, state), TS_OK);
  return e;
}

/// The first line, and all sections.
static char *text_of(const ts_explanation *e, bool is_all) {
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  cr_assert_eq(ts_explanation_print_headline(file, arena, e), TS_OK);
  cr_assert_eq(ts_explanation_print_sections(file, arena, e, is_all), TS_OK);
  fclose(file);
  char *kept = ts_arena_string(arena, text);
  free(text);
  return kept;
}

static void expect(const char *text, const char *words) {
  cr_expect(strstr(text, words), "\"%s\" is not in:\n%s", words, text);
}

static void fill_corners(ts_contact out[5], ts_contact fifth) {
  const double at[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  for (int i = 0; i < 4; i++)
    out[i] = contact_at(at[i][0], 0, at[i][1], up, 0);
  out[4] = fifth;
}

EXPLANATION_TEST(nothing_wrong_is_said) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.3, 0, 0.6, up, 0));
  ts_explanation e = explain(c, 4);
  const char *text = text_of(&e, false);
  expect(text, "mine on square: nothing is wrong: 4 contacts, every region is covered\n");
  cr_expect_null(strstr(text, "at fault"));
  e = explain(c, 5);
  expect(text_of(&e, false), "is covered; but 4 contacts would be enough\n");
}

EXPLANATION_TEST(a_missed_region_comes_first) {
  ts_explanation e = explain(NULL, 0);
  const char *text = text_of(&e, false);
  expect(text, "mine on square: 1 of 1 region has no contact; ");
  expect(text, "a polygon about (0.5, 0, 0.5): no contact; it needs (0, 1, 0)\n");
  expect(text, "(0, -1, 0) into ");
  expect(text, "  regions_missed 1: Regions without a contact.\n");
}

EXPLANATION_TEST(a_wrong_normal_is_told_with_the_right_one) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, right, 0));
  ts_explanation e = explain(c, 5);
  const char *text = text_of(&e, false);
  expect(text, "1 of 5 contacts has a wrong normal; ");
  expect(text, "the normal is off by 90 degrees; right is (0, 1, 0)\n");
}

EXPLANATION_TEST(a_gap_is_told_with_the_right_one) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, up, -0.25));
  ts_explanation e = explain(c, 5);
  const char *text = text_of(&e, false);
  expect(text, "1 of 5 contacts has a wrong gap; worst: gap_wrong: ");
  expect(text, "the gap is off by 0.25 m; right is 0 m\n");
}

EXPLANATION_TEST(a_phantom_is_told_with_its_distance) {
  ts_contact c[5];
  fill_corners(c, contact_at(1.5, 0, 0.5, up, 0));
  ts_explanation e = explain(c, 5);
  const char *text = text_of(&e, false);
  expect(text, "1 of 5 contacts is a phantom: nothing touches there; ");
  expect(text, "nothing touches there; the nearest region, 0, is 0.5 m away\n");
}

EXPLANATION_TEST(ten_contacts_are_listed_and_the_rest_on_request) {
  ts_contact c[12];
  for (int i = 0; i < 12; i++)
    c[i] = contact_at(2 + i, 0, 0.5, up, 0);
  ts_explanation e = explain(c, 12);
  expect(text_of(&e, false), "  and 2 more, all with --all\n");
  const char *text = text_of(&e, true);
  cr_expect_null(strstr(text, "more, all with"));
  const char *farthest = strstr(text, "  phantom: "), *nearest = strstr(text, ", is 1 m away\n");
  cr_assert(farthest && nearest);
  cr_expect_lt(farthest, nearest);
  expect(text, ", is 12 m away\n  phantom: ");
}

EXPLANATION_TEST(a_row_without_its_state_is_told_by_its_columns) {
  ts_explanation e = explain(NULL, 0);
  e.snapshot = NULL;
  const char *text = text_of(&e, false);
  expect(text, "mine on square: 1 of 1 region has no contact; ");
  cr_expect_null(strstr(text, "worst"));
  expect(text, "  regions_missed 1: ");
}

EXPLANATION_TEST(a_row_that_is_not_ok_says_what_that_means) {
  static const char *const outcomes[][2] = {{"skipped", "not held against"},
                                            {"failed", "gave up"},
                                            {"crashed", "by a signal"},
                                            {"timed_out", "--time-limit"},
                                            {"out_of_memory", "--memory-limit"}};
  ts_explanation e = explain(NULL, 0);
  e.snapshot = NULL;
  e.record.reason = "because";
  e.record.contacts_unique = (double)NAN;
  e.record.step = 3;
  for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
    e.record.outcome = outcomes[i][0];
    const char *text = text_of(&e, false);
    expect(text, "mine on square, step 3: ");
    expect(text, ": because\n");
    expect(text, outcomes[i][1]);
  }
}

EXPLANATION_TEST(a_place_or_gap_that_is_no_number_is_not_a_distance) {
  ts_contact c[5];
  fill_corners(c, contact_at((double)NAN, 0, 0.5, (ts_vec3){NAN, 0, 0}, (double)INFINITY));
  ts_explanation e = explain(c, 5);
  const char *text = text_of(&e, false);
  expect(text, ": its place is not a finite number; its normal is not a finite number");
  cr_expect_null(strstr(text, "nan m away"));
  fill_corners(c, contact_at(0.5, 0, 0.5, up, (double)-INFINITY));
  e = explain(c, 5);
  text = text_of(&e, false);
  expect(text, "the gap is not a finite number; right is 0 m\n");
  cr_expect_null(strstr(text, "off by inf"));
}

EXPLANATION_TEST(a_normal_is_told_as_it_was_delivered) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, (ts_vec3){1e308, 1e308, 0}, 0));
  ts_explanation e = explain(c, 5);
  expect(text_of(&e, false), "normal (1e+308, 1e+308, 0), ");
}

EXPLANATION_TEST(all_measures_that_are_not_at_their_best_are_listed) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, right, 0));
  ts_explanation e = explain(c, 5);
  e.record.normal_error_deg_median = 2;
  e.record.normal_error_deg_p95 = 3;
  e.record.wrench_missing_max = 0.25;
  e.record.overlap_m_max = e.record.memory_bytes_max = 1; // which have no best
  const char *text = text_of(&e, false);
  expect(text, "  normal_error_deg_median 2 deg: ");
  expect(text, "  normal_error_deg_p95 3 deg: ");
  expect(text, "  wrench_residual_max ");
  expect(text, "  wrench_missing_max 0.25: ");
  cr_expect_null(strstr(text, "overlap_m_max"));
  cr_expect_null(strstr(text, "memory_bytes_max"));
}

EXPLANATION_TEST(a_step_that_its_contacts_leave_without_a_motion_is_not_excused) {
  ts_contact c[5];
  fill_corners(c, contact_at(0.5, 0, 0.5, (ts_vec3){NAN, 0, 0}, 0));
  ts_explanation e = explain(c, 5);
  e.snapshot = NULL;
  e.record.outcome = "skipped";
  e.record.reason = "nothing to simulate";
  const char *text = text_of(&e, false);
  expect(text, "could not be simulated because of the contacts that the method gave");
  cr_expect_null(strstr(text, "not held against"));
  e.record.normals_invalid = 0;
  text = text_of(&e, false);
  expect(text, "could not be simulated with the contacts that the method gave");
  cr_expect_null(strstr(text, "not held against"));
}

EXPLANATION_TEST(without_contacts_an_unknown_truth_is_told_without_a_gap) {
  ts_explanation e = explain(NULL, 0);
  snapshot.is_truth_unknown = true;
  ts_row_init(&ts_summary_rows, &e.record);
  e.record.case_name = "square";
  e.record.method = "mine";
  e.record.outcome = "ok";
  e.record.step = 0;
  e.record.contacts_unique = 0;
  const char *text = text_of(&e, false);
  expect(text, "the truth of this scene is unknown, and the method gives no contact\n");
}

EXPLANATION_TEST(with_an_unknown_truth_contacts_ahead_of_a_touch_are_compared_with_the_surfaces) {
  ts_explanation e = explain(NULL, 0);
  snapshot.is_truth_unknown = true;
  ts_row_init(&ts_summary_rows, &e.record);
  e.record.case_name = "square";
  e.record.method = "mine";
  e.record.outcome = "ok";
  e.record.step = 2;
  e.record.contacts_unique = 28;
  e.record.speculative = e.record.speculative_wrong = 25; // those that are wrong are among them
  expect(text_of(&e, false), "25 of 28 contacts are ahead of a touch, but not as the surfaces are; "
                             "the truth of this scene is unknown: 25 contacts ahead of a touch are "
                             "compared with the surfaces, and 3 other contacts are compared with "
                             "nothing; worst: ");
  e.record.speculative_wrong = 0;
  e.record.speculative = 28;
  expect(text_of(&e, false), "step 2: the truth of this scene is unknown: 28 contacts ahead of a "
                             "touch are compared with the surfaces\n");
  e.record.speculative = 1;
  e.record.contacts_unique = 2;
  expect(text_of(&e, false), ": 1 contact ahead of a touch is compared with the surfaces, and 1 "
                             "other contact is compared with nothing\n");
  e.record.speculative = 0;
  e.record.freed_wrongly_percent = 0;
  expect(text_of(&e, false),
         ": its 2 contacts are compared with the motions of the bodies alone\n");
}
