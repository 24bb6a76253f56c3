// SPDX-License-Identifier: MIT
// covers: harness/run/cell_state.c harness/score/contacts_collect.c harness/score/score_input.c
// covers: harness/score/score_rows.c
#include "base/param.h"
#include "base/status.h"
#include "harness/controls/controls.h"
#include "harness/run/cell_state.h"
#include "harness/score/contacts_collect.h"
#include "harness/score/score_rows.h"
#include "methods/envelope.h"
#include "methods/registry.h"
#include "reports/rows/rows.h"
#include "tests/harness/run/cell_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(harness_score, .init = results_open, .fini = results_close, .timeout = 120);

#define HEADER "body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z"

static ts_contacts_found found;
static ts_contacts_source source;

/// A case with every parameter at its default.
static ts_scene *build(const char *name) {
  const ts_case *c = ts_case_find(name);
  cr_assert(c);
  size_t count = ts_case_param_count(c);
  double *values = ts_arena_array(fixture_arena, count, sizeof *values);
  ts_param_defaults(values, ts_case_params(fixture_arena, c), count);
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, fixture_arena, c, values), TS_OK, "%s", ts_status_detail());
  return scene;
}

/// Sets the source to a CSV text with contacts of the frustum (body 0) and the cube on it (1).
static void use_text(const char *text) {
  source = (ts_contacts_source){
      .path = fixture_path("contacts.csv"), .scene = build("cliff_edges"), .step = (double)NAN};
  fixture_write_text(source.path, text);
}

static ts_status collect(void) {
  return ts_contacts_collect(&found, fixture_arena, &source, TS_RULE_TOUCHSTONE, true);
}

static ts_status collect_text(const char *text) {
  use_text(text);
  return collect();
}

#define EXPECT_COLLECTED(text) cr_assert_eq(collect_text(text), TS_OK, "%s", ts_status_detail())
#define EXPECT_REFUSED(status, words)                                                              \
  do {                                                                                             \
    cr_expect_eq(status, TS_E_INPUT);                                                              \
    cr_expect(fixture_detail_has(words), "%s", ts_status_detail());                                \
  } while (0)

Test(harness_score, bodies_are_given_by_index_or_name) {
  EXPECT_COLLECTED(HEADER "\n0,1,0,0,0,0,1,0\nfrustum,cube,1,0,0,0,1,0\n0.0,cube,2,0,0,0,1,0\n");
  cr_assert_eq(found.set_count, 1);
  cr_expect_eq(found.sets[0].body_a, 0);
  cr_expect_eq(found.sets[0].body_b, 1);
  cr_expect_eq(found.sets[0].count, 3);
  cr_expect_eq(found.row_count, 3);
}

Test(harness_score, a_row_with_the_later_body_first_is_flipped) {
  EXPECT_COLLECTED(HEADER ",gap_m,feature_a,feature_a_index,feature_b,feature_b_index\n"
                          "cube,frustum,1,2,3,0,-1,0,0.5,vertex,7,face,9\n");
  cr_assert_eq(found.set_count, 1);
  const ts_contact *c = &found.sets[0].contacts[0];
  cr_expect_eq(found.sets[0].body_a, 0);
  cr_expect_eq(c->normal.y, 1);
  cr_expect_eq(c->point.x, 1);
  cr_expect_eq(c->gap_m, 0.5);
  cr_expect_eq(c->feature_a.kind, TS_FEATURE_FACE);
  cr_expect_eq(c->feature_a.index, 9);
  cr_expect_eq(c->feature_b.kind, TS_FEATURE_VERTEX);
  cr_expect_eq(c->feature_b.index, 7);
}

Test(harness_score, both_ways_to_write_a_pair_are_one_set_without_duplicates) {
  EXPECT_COLLECTED(HEADER ",gap_m\n0,1,1,2,3,0,1,0,0\n1,0,1,2,3,0,-1,0,0\n");
  cr_assert_eq(found.set_count, 1);
  cr_expect_eq(found.row_count, 2);
  cr_expect_eq(found.sets[0].count, 1);
  cr_expect_eq(found.rows[0].count, 2);
}

Test(harness_score, alternatives_are_identified_by_their_group) {
  EXPECT_COLLECTED(HEADER ",group\n0,1,0,0,0,0,1,0,5\n0,1,0,0,0,1,0,0,5\n0,1,1,0,0,0,1,0,0\n"
                          "0,1,2,0,0,0,1,0,\n");
  cr_assert_eq(found.sets[0].count, 4);
  cr_expect_eq(found.sets[0].contacts[0].group, 1);
  cr_expect_eq(found.sets[0].contacts[1].group, 1);
  cr_expect_eq(found.sets[0].contacts[2].group, 0);
  cr_expect_eq(found.sets[0].contacts[3].group, 0);
  EXPECT_REFUSED(collect_text(HEADER ",group\n0,1,0,0,0,0,1,0,-1\n"), "group");
  EXPECT_REFUSED(collect_text(HEADER ",group\n0,1,0,0,0,0,1,0,0.5\n"), "group");
}

Test(harness_score, an_area_is_not_negative) {
  EXPECT_COLLECTED(HEADER ",area_m2\n0,1,0,0,0,0,1,0,0\n0,1,1,0,0,0,1,0,nan\n");
  EXPECT_REFUSED(collect_text(HEADER ",area_m2\n0,1,0,0,0,0,1,0,-5\n"),
                 "line 2: area_m2 is negative; write nan where it is unknown");
}

Test(harness_score, unknown_bodies_are_reported) {
  EXPECT_REFUSED(collect_text(HEADER "\n0,1,0,0,0,0,1,0\n0,cub,0,0,0,0,1,0\n"),
                 "line 3: there is no body \"cub\"; did you mean \"cube\"?");
  EXPECT_REFUSED(collect_text(HEADER "\n0,2,0,0,0,0,1,0\n"),
                 "body_b is 2, but the scene has 2 bodies, counted from 0");
  EXPECT_REFUSED(collect_text(HEADER "\n-1,1,0,0,0,0,1,0\n"), "body_a is -1");
  EXPECT_REFUSED(collect_text(HEADER "\n0.5,1,0,0,0,0,1,0\n"), "body_a is 0.5");
  EXPECT_REFUSED(collect_text(HEADER "\n,1,0,0,0,0,1,0\n"), "there is no body \"\"");
  EXPECT_REFUSED(collect_text(HEADER "\nnan,1,0,0,0,0,1,0\n"), "body_a is nan");
}

Test(harness_score, a_body_does_not_touch_itself) {
  EXPECT_REFUSED(collect_text(HEADER "\ncube,1,0,0,0,0,1,0\n"),
                 "line 2: body_a and body_b are the same body");
}

Test(harness_score, a_number_that_is_another_bodys_name_is_refused_without_an_option) {
  use_text(HEADER "\n1,0,0,0,0,0,1,0\n");
  ts_scene *scene = build("cliff_edges");
  scene->bodies[0].name = "1";
  scene->bodies[1].name = "0";
  source.scene = scene;
  EXPECT_REFUSED(collect(), "body_a is 1, which is an index, but body 0 also has this name");
  source.words = TS_BODIES_INDEX;
  cr_assert_eq(collect(), TS_OK);
  cr_expect_eq(found.sets[0].contacts[0].normal.y, -1, "turned round");
  source.words = TS_BODIES_NAME;
  cr_assert_eq(collect(), TS_OK);
  cr_expect_eq(found.sets[0].contacts[0].normal.y, 1);
  scene->bodies[0].name = "0";
  scene->bodies[1].name = "1";
  source.words = TS_BODIES_EITHER;
  cr_expect_eq(collect(), TS_OK, "both mean the same");
}

Test(harness_score, two_bodies_of_one_name_need_an_index) {
  use_text(HEADER "\n0,cube,0,0,0,0,1,0\n");
  ts_scene *scene = build("cliff_edges");
  scene->bodies[0].name = "cube";
  source.scene = scene;
  EXPECT_REFUSED(collect(), "2 bodies are named \"cube\"; use the index");
}

Test(harness_score, without_gaps_duplicates_are_those_of_point_and_normal) {
  EXPECT_COLLECTED(HEADER "\n0,1,1,2,3,0,1,0\n0,1,1,2,3,0,1,0\n0,1,1,2,3,1,0,0\n");
  cr_expect_eq(found.sets[0].count, 2);
  cr_expect(isnan(found.sets[0].contacts[0].gap_m));
  EXPECT_COLLECTED(HEADER ",gap_m\n0,1,1,2,3,0,1,0,nan\n0,1,1,2,3,0,1,0,nan\n");
  cr_expect_eq(found.sets[0].count, 2, "as a method that gives no number for a gap");
}

Test(harness_score, contacts_of_several_steps_are_listed_not_mixed) {
  const char *text = "cell,case,method,step," HEADER "\n"
                     "a,cliff_edges,m,0,0,1,1,2,3,0,1,0\n"
                     "a,cliff_edges,m,3,0,1,1,2,3,0,1,0\n"
                     "b,cliff_edges,n,0,0,1,1,2,4,0,1,0\n"
                     "b,cliff_edges,n,0,0,1,1,2,5,0,1,0\n"
                     "c,wall,m,0,70,71,1,2,3,0,1,0\n";
  use_text(text);
  source.case_name = "cliff_edges";
  cr_assert_eq(collect(), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(found.states.count, 3);
  cr_expect_eq(found.others.count, 1, "the wall's bodies are not looked for");
  cr_expect_str_eq(found.others.items[0].case_name, "wall");
  cr_expect_eq(found.set_count, 0);
  source.method = "n";
  cr_assert_eq(collect(), TS_OK);
  cr_assert_eq(found.states.count, 1);
  cr_expect_str_eq(found.states.items[0].cell, "b");
  cr_expect_eq(found.sets[0].count, 2);
  source.method = "m";
  source.step = 3;
  cr_assert_eq(collect(), TS_OK);
  cr_expect_eq(found.row_count, 1);
  source.cell = "b";
  cr_assert_eq(collect(), TS_OK);
  cr_expect_eq(found.states.count, 0);
}

Test(harness_score, rows_are_not_chosen_by_a_column_that_is_missing) {
  use_text(HEADER "\n0,1,1,2,3,0,1,0\n");
  source.case_name = "another";
  cr_expect_eq(collect(), TS_OK);
  cr_expect_eq(found.row_count, 1, "a file without a column case belongs to the given scene");
  source.method = "m";
  EXPECT_REFUSED(collect(), "has no column method to select rows by; name no method");
  source.method = NULL;
  source.step = 0;
  EXPECT_REFUSED(collect(), "name no step");
}

Test(harness_score, the_envelope_may_be_given_in_the_rows) {
  EXPECT_COLLECTED(HEADER ",envelope,envelope_m\n0,1,1,2,3,0,1,0,dilated,0.5\n"
                          "0,1,1,2,4,0,1,0,dilated,0.5\n");
  cr_expect(found.has_envelope);
  cr_expect_eq(found.envelope.kind, TS_ENVELOPE_DILATED);
  cr_expect_eq(found.envelope.size_m, 0.5);
  EXPECT_COLLECTED(HEADER ",envelope\n0,1,1,2,3,0,1,0,none\n");
  cr_expect_eq(found.envelope.kind, TS_ENVELOPE_NONE);
  EXPECT_REFUSED(collect_text(HEADER ",envelope,envelope_m\n0,1,1,2,3,0,1,0,eroded,0.5\n"
                                     "0,1,1,2,3,0,1,0,eroded,0.25\n"),
                 "line 3: the envelope differs from that of earlier rows");
  EXPECT_REFUSED(collect_text(HEADER ",envelope,envelope_m\n0,1,1,2,3,0,1,0,shrunk,0.5\n"),
                 "envelope is \"shrunk\"; write none, eroded or dilated");
  EXPECT_REFUSED(collect_text(HEADER ",envelope\n0,1,1,2,3,0,1,0,eroded\n"),
                 "envelope_m must give its size");
  EXPECT_REFUSED(collect_text(HEADER ",envelope,envelope_m\n0,1,1,2,3,0,1,0,eroded,-1\n"),
                 "envelope_m must give its size");
}

Test(harness_score, a_feature_has_an_index) {
  EXPECT_REFUSED(collect_text(HEADER ",feature_a\n0,1,1,2,3,0,1,0,face\n"),
                 "a feature needs its index");
  EXPECT_REFUSED(collect_text(HEADER ",feature_a,feature_a_index\n0,1,1,2,3,0,1,0,face,1e10\n"),
                 "a feature needs its index");
  EXPECT_COLLECTED(HEADER ",feature_a,feature_a_index\n0,1,1,2,3,0,1,0,none,nan\n");
}

static const ts_scoring scoring = {.reference = TS_REFERENCE_DESIGN,
                                   .rule = TS_RULE_TOUCHSTONE,
                                   .normal_tolerance = 1e-4,
                                   .position_tolerance_relative = 1e-6};

/// The record of the collected contacts.
static ts_record score(ts_envelope envelope, ts_scoring by) {
  ts_cell_state state = {.contacts = found.sets, .pair_count = found.set_count};
  ts_row_init(&ts_summary_rows, &state.record);
  cr_assert_eq(ts_cell_state_score(&state, fixture_arena, source.scene, envelope, by, false),
               TS_OK);
  return state.record;
}

Test(harness_score, without_contacts_nothing_is_covered) {
  EXPECT_COLLECTED(HEADER "\n");
  cr_expect_eq(found.states.count, 0);
  ts_record record = score((ts_envelope){.kind = TS_ENVELOPE_NONE}, scoring);
  cr_expect_eq(record.contacts, 0);
  cr_expect_eq(record.coverage_percent, 0);
  cr_expect_gt(record.regions, 0);
  cr_expect_eq(record.regions_missed, record.regions);
}

Test(harness_score, contacts_with_nan_are_counted) {
  EXPECT_COLLECTED(HEADER ",gap_m\n0,1,inf,0,0,0,1,0,0\n0,1,0,0,0,nan,nan,nan,0\n"
                          "0,1,0,0,0,0,2,0,nan\n");
  ts_record record = score((ts_envelope){.kind = TS_ENVELOPE_NONE}, scoring);
  cr_expect_eq(record.contacts, 3);
  cr_expect_eq(record.normals_invalid, 2);
  cr_expect_geq(record.phantom, 1);
}

/// Writes the contacts of a row in the form of a results folder, in reverse order since order does
/// not matter, and collects them again.
static void write_and_collect(const ts_cell_rows *rows, ts_scoring_rule rule) {
  ts_csv_buffer buffer = {0};
  cr_assert_eq(ts_rows_add_header(&buffer, &ts_contact_rows), TS_OK);
  for (size_t i = rows->contact_count; i-- > 0;)
    cr_assert_eq(ts_rows_add(&buffer, &ts_contact_rows, &rows->contacts[i]), TS_OK);
  fixture_write(source.path, buffer.bytes, buffer.count);
  ts_csv_buffer_free(&buffer);
  cr_assert_eq(ts_contacts_collect(&found, fixture_arena, &source, rule, false), TS_OK, "%s",
               ts_status_detail());
}

static bool is_measured_by_a_run_alone(const ts_field *field) {
  return field->compare == TS_COMPARE_IDENTITY || field->compare == TS_COMPARE_REPORT ||
         strcmp(field->column, "pairs_candidate") == 0 ||
         strcmp(field->column, "contacts_listed") == 0 || strcmp(field->column, "outcome") == 0 ||
         strcmp(field->column, "contacts_unique") == 0 || strcmp(field->column, "bodies") == 0 ||
         strncmp(field->column, "envelope", strlen("envelope")) == 0;
}

/// Runs a method on a case and scores its contacts from a file.
static void expect_same_measures(const char *case_name, const ts_method *method,
                                 ts_scoring_rule rule) {
  cell_draft draft = draft_cell(fixture_arena, case_name, method);
  draft.scoring_values[TS_SCORING_RULE] = rule;
  ts_cell_rows rows = run_draft(fixture_arena, &draft);
  const ts_record *was = &rows.records[0];
  if (strcmp(was->outcome, "ok") != 0)
    return;
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, fixture_arena, draft.cell.c, draft.case_values), TS_OK);
  source = (ts_contacts_source){
      .path = fixture_path("contacts.csv"), .scene = scene, .step = (double)NAN};
  write_and_collect(&rows, rule);
  ts_envelope envelope = {.kind = ts_envelope_find(was->envelope, strlen(was->envelope)),
                          .size_m = was->envelope_m};
  ts_record is = score(envelope, ts_cell_scoring(&draft.cell));
  cr_expect_eq(found.row_count, (size_t)was->contacts_unique);
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (is_measured_by_a_run_alone(field))
      continue;
    if (field->kind == TS_FIELD_TEXT) {
      cr_expect_str_eq(ts_row_text(field, &is), ts_row_text(field, was), "%s x %s: %s", case_name,
                       method->name, field->column);
      continue;
    }
    double a = ts_row_number(field, was), b = ts_row_number(field, &is);
    cr_expect(a == b || (isnan(a) && isnan(b)), "%s x %s: %s was %.17g, is %.17g", case_name,
              method->name, field->column, a, b);
  }
}

/// All envelopes, with gaps, areas and features, and controls with every fault.
static const char *const method_names[] = {"closest_points", "intersection",  "opposing",
                                           "growth",         "ldi_volume",    "control_ideal",
                                           "control_nan",    "control_tilted"};

static void expect_same_of_all_methods(ts_scoring_rule rule) {
  for (size_t i = 0; ts_cases[i]; i++)
    for (size_t k = 0; k < sizeof method_names / sizeof *method_names; k++) {
      if (strcmp(ts_cases[i]->suite, "erleben") != 0)
        continue;
      const char *name = method_names[k];
      ts_arena_mark mark = ts_arena_get_mark(fixture_arena);
      expect_same_measures(ts_cases[i]->name,
                           strncmp(name, "control_", strlen("control_")) == 0
                               ? control_named(name)
                               : ts_method_find(name),
                           rule);
      ts_arena_rewind(fixture_arena, mark);
    }
}

Test(harness_score, what_a_run_leaves_in_contacts_csv_scores_to_the_same_measures) {
  expect_same_of_all_methods(TS_RULE_TOUCHSTONE);
}

Test(harness_score, and_so_it_does_by_the_published_rule) {
  expect_same_of_all_methods(TS_RULE_PUBLISHED);
}

static const char *write_rows(void) {
  const char *path = fixture_path("verdicts.csv");
  FILE *file = fopen(path, "w");
  cr_assert(file);
  cr_assert_eq(ts_score_rows_write(file, fixture_arena, &source, &found,
                                   (ts_envelope){.kind = TS_ENVELOPE_NONE}, scoring),
               TS_OK, "%s", ts_status_detail());
  fclose(file);
  return fixture_read(path, NULL);
}

/// The position of the cube on the cliff: y and z of the scene as built.
static ts_vec3 place_of_touch(void) {
  const ts_region *region = &build("cliff_edges")->regions[0];
  return region->vertices[0];
}

Test(harness_score, every_row_gets_its_verdict_in_place) {
  ts_vec3 at = place_of_touch();
  ts_vec3 n = build("cliff_edges")->regions[0].feasible[TS_REFERENCE_DESIGN].normals[0].normal;
  const char *text =
      ts_arena_format(fixture_arena,
                      "mine," HEADER ",gap_m\n"
                      "\"a,b\",0,1,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,0\n"
                      ",cube,frustum,%.17g,%.17g,%.17g,0.6,0.8,0,0\n"
                      "far,0,1,100,0,0,0,1,0,0\n"
                      "ahead,0,1,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,1\n"
                      "back,0,1,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,0\n"
                      "deep,0,1,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,-0.35\n",
                      at.x, at.y, at.z, n.x, n.y, n.z, at.x, at.y, at.z, at.x, at.y, at.z, n.x, n.y,
                      n.z, at.x, at.y, at.z, -n.x, -n.y, -n.z, at.x, at.y, at.z, n.x, n.y, n.z);
  EXPECT_COLLECTED(text);
  const char *got = write_rows();
  cr_expect(strstr(got, "mine," HEADER ",gap_m,normal_error_deg,correct,region,position_error_m,"
                        "gap_error_m,kind\n") == got,
            "%s", got);
  const char *const kinds[] = {",correct\n",           ",incorrect\n", ",phantom\n",
                               ",speculative_wrong\n", ",flipped\n",   ",gap_wrong\n"};
  const char *line = strchr(got, '\n');
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const char *kind = line ? strstr(line + 1, kinds[i]) : NULL;
    cr_assert(kind, "%s in %s", kinds[i], got);
    cr_expect_eq(strchr(line + 1, '\n'), kind + strlen(kinds[i]) - 1, "%s", got);
    line = strchr(line + 1, '\n');
  }
  cr_expect(strstr(got, "\n\"a,b\",0,1,"), "%s", got);
  cr_expect(strstr(got, "\n,cube,frustum,"), "%s", got);
  fixture_write(source.path, got, strlen(got));
  cr_assert_eq(collect(), TS_OK, "%s", ts_status_detail());
  const char *again = write_rows();
  cr_expect_str_eq(again, got, "the same columns, not twice");
}

Test(harness_score, verdicts_on_no_rows_are_a_header) {
  EXPECT_COLLECTED(HEADER "\n");
  cr_expect_str_eq(write_rows(), HEADER ",normal_error_deg,correct,region,position_error_m,"
                                        "gap_error_m,kind\n");
}

Test(harness_score, a_file_that_changes_meanwhile_is_reported) {
  EXPECT_COLLECTED(HEADER "\n0,1,1,2,3,0,1,0\n");
  fixture_write_text(source.path, HEADER "\n0,1,1,2,3,0,1,0\n0,1,1,2,4,0,1,0\n");
  FILE *file = fopen(fixture_path("verdicts.csv"), "w");
  EXPECT_REFUSED(ts_score_rows_write(file, fixture_arena, &source, &found,
                                     (ts_envelope){.kind = TS_ENVELOPE_NONE}, scoring),
                 "has changed while it was read");
  fclose(file);
}

Test(harness_score, the_meaning_of_the_column_has_every_envelope) {
  const char *meaning = ts_row_find(&ts_summary_rows, "envelope")->meaning;
  for (int i = 0; i < TS_ENVELOPE_KIND_COUNT; i++)
    cr_expect_not_null(strstr(meaning, ts_envelope_words[i]), "%s", ts_envelope_words[i]);
}

Test(harness_score, a_cell_is_chosen_by_its_beginning_and_its_case_is_listed_without_it) {
  use_text("cell,case,method,step," HEADER "\n"
           "c1,wall,m,0,70,71,1,2,3,0,1,0\n"
           "ab12,cliff_edges,m,0,0,1,1,2,3,0,1,0\n"
           "ac34,cliff_edges,m,0,0,1,1,2,3,0,1,0\n"
           "c2,wall,m,0,70,71,1,2,3,0,1,0\n");
  source.case_name = "cliff_edges";
  source.cell = "ab";
  cr_assert_eq(collect(), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(found.states.count, 1);
  cr_expect_str_eq(found.states.items[0].cell, "ab12");
  source.cell = "ff";
  cr_assert_eq(collect(), TS_OK);
  cr_expect_eq(found.states.count, 0);
  cr_assert_eq(found.others.count, 2, "those of the case");
  cr_expect_str_eq(found.others.items[0].cell, "ab12");
  cr_expect_str_eq(found.others.items[1].cell, "ac34");
}
