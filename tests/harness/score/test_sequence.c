// SPDX-License-Identifier: MIT
// covers: harness/score/sequence.c harness/score/contacts_collect.c harness/commands/score.c
// Recorded sequences: a simulation of ours, written to files and scored, has the rows of its run.
#include "harness/score/sequence.h"

#include "base/status.h"
#include "harness/controls/controls.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "harness/simulation/simulation.h"
#include "methods/registry.h"
#include "reports/rows/rows.h"
#include "tests/harness/run/cell_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(harness_sequence, .init = results_open, .fini = results_close, .timeout = 120);

/// The columns of a recording.
static const char poses_header[] =
    "step,time_s,body,position_x_m,position_y_m,position_z_m,rotation_w,rotation_x,rotation_y,"
    "rotation_z,velocity_x_m_s,velocity_y_m_s,velocity_z_m_s,angular_x_rad_s,angular_y_rad_s,"
    "angular_z_rad_s\n";
static const char contacts_header[] =
    "step,body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,gap_m,area_m2,"
    "feature_a,feature_a_index,feature_b,feature_b_index,impulse_kg_m_s\n";

/// A recording that is made of a run of ours.
typedef struct recorder {
  const cell_draft *draft;
  ts_scene *built;
  ts_narrow_phase *phase;
  ts_simulation *simulation;
  FILE *poses, *contacts;
} recorder;

static void write_poses(const recorder *r, const ts_scene *scene, int step) {
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_body *b = &scene->bodies[i];
    ts_vec3 v = b->twist.linear_m_s, w = b->twist.angular_rad_s;
    fprintf(r->poses,
            "%d,%.17g,%zu,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,"
            "%.17g\n",
            step, step * 0.01, i, b->pose.translation.x, b->pose.translation.y,
            b->pose.translation.z, b->pose.rotation.w, b->pose.rotation.x, b->pose.rotation.y,
            b->pose.rotation.z, v.x, v.y, v.z, w.x, w.y, w.z);
  }
}

static const char *kind_of(ts_feature feature) {
  static const char *const words[] = {"none", "vertex", "edge", "face"};
  return words[feature.kind];
}

/// Impulses are those of the step that has just ended, which has the same contacts.
static void write_contacts(const recorder *r, const ts_contact_set *sets, size_t count, int step,
                           bool has_impulses) {
  size_t index = 0;
  for (size_t s = 0; s < count; s++)
    for (size_t i = 0; i < sets[s].count; i++) {
      const ts_contact *c = &sets[s].contacts[i];
      double impulse = has_impulses ? ts_simulation_impulse(r->simulation, index) : (double)NAN;
      index++;
      fprintf(r->contacts,
              "%d,%d,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%u,%s,%u,%.17g\n", step,
              sets[s].body_a, sets[s].body_b, c->point.x, c->point.y, c->point.z, c->normal.x,
              c->normal.y, c->normal.z, c->gap_m, c->area_m2, kind_of(c->feature_a),
              c->feature_a.index, kind_of(c->feature_b), c->feature_b.index, impulse);
    }
}

/// Records the steps 0, 2, ... of a cell, as they are numbered in its rows.
static void record(const cell_draft *draft, int steps) {
  const double *values = draft->simulation_values;
  ts_moved_truth *truth;
  recorder r = {.draft = draft,
                .poses = fopen(fixture_path("poses.csv"), "w"),
                .contacts = fopen(fixture_path("contacts.csv"), "w")};
  cr_assert(r.poses && r.contacts);
  fputs(poses_header, r.poses);
  fputs(contacts_header, r.contacts);
  cr_assert_eq(ts_case_build(&r.built, fixture_arena, draft->cell.c, draft->case_values), TS_OK);
  cr_assert_eq(ts_narrow_phase_create(&r.phase, r.built, draft->cell.method, draft->method_values,
                                      TS_REFERENCE_DESIGN),
               TS_OK);
  cr_assert_eq(ts_narrow_phase_prepare(r.phase), TS_OK);
  cr_assert_eq(ts_moved_truth_create(&truth, fixture_arena, r.built), TS_OK);
  cr_assert_eq(ts_simulation_create(&r.simulation, r.built, truth, r.phase, values), TS_OK);
  for (int step = 0; step <= steps; step += step == 0 ? 2 : 1) {
    const ts_scene *scene = r.built;
    ts_contact_set *sets;
    if (step > 0)
      cr_assert_eq(ts_simulation_begin_step(&scene, r.simulation), TS_OK);
    cr_assert_eq(ts_narrow_phase_collect(&sets, r.phase, fixture_arena), TS_OK);
    size_t count = ts_narrow_phase_pair_count(r.phase);
    write_poses(&r, scene, step);
    if (step > 0)
      cr_assert_eq(ts_simulation_end_step(r.simulation, sets, count), TS_OK);
    write_contacts(&r, sets, count, step, step > 0);
  }
  ts_narrow_phase_destroy(r.phase);
  ts_simulation_destroy(r.simulation);
  cr_assert_eq(fclose(r.poses) + fclose(r.contacts), 0);
}

/// The rows that `score --case NAME` gives for the recording.
static ts_status score(ts_record **out, size_t *out_count, const char *name, const char *option,
                       const char *value) {
  static int calls;
  int exit_status, count = 8;
  const char *folder = fixture_path("results%d", calls++);
  char *arguments[10] = {(char *)"--case",       (char *)name,
                         (char *)"--poses",      (char *)fixture_path("poses.csv"),
                         (char *)"--results",    (char *)folder,
                         (char *)"--format=csv", (char *)fixture_path("contacts.csv")};
  if (option) {
    arguments[count++] = (char *)option;
    arguments[count++] = (char *)value;
  }
  cr_assert_not_null(freopen(fixture_path("stdout"), "w", stdout));
  TS_TRY(ts_command_score.run(&exit_status, count, arguments));
  return ts_summary_read(out, out_count, fixture_arena,
                         ts_arena_format(fixture_arena, "%s/summary.csv", folder));
}

static const ts_method *method_named(const char *name) {
  const ts_method *method = ts_method_find(name);
  return method ? method : control_named(name);
}

static bool is_of_the_simulation(const ts_field *field) {
  static const char *const names[] = {
      "pairs_candidate",    "kinetic_energy_j",    "potential_energy_j",
      "overlap_m_max",      "drift_m_max",         "sweeps",
      "residual_kg_m_s",    "contacts_mean",       "contacts_stddev",
      "contacts_min",       "contacts_max",        "contacts_listed",
      "contacts_delivered", "differs_from_fresh",  "overlap_m3",
      "tilt_deg_max",       "contact_force_n_max", "constraints",
      "detections",         "position_iterations", "position_limited",
      "position_energy_j"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], field->column) == 0)
      return true;
  return field->compare == TS_COMPARE_REPORT || field->role == TS_ROLE_IDENTITY;
}

/// Scores a recording of a run, and compares each measure with that of the run, to the bit.
static void expect_same(const char *name, const char *method) {
  enum { STEPS = 12 };
  cell_draft draft = draft_cell(fixture_arena, name, method_named(method));
  draft.simulation_values[TS_SIMULATION_START] = 1;
  record(&draft, STEPS);
  ts_cell_rows rows = run_draft_steps(fixture_arena, &draft, STEPS);
  ts_record *scored;
  size_t count, compared = 0;
  cr_assert_eq(score(&scored, &count, name, NULL, NULL), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(count, STEPS);
  cr_assert_eq(rows.record_count, STEPS);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < ts_summary_rows.field_count; k++) {
      const ts_field *field = &ts_summary_rows.fields[k];
      if (is_of_the_simulation(field))
        continue;
      compared++;
      if (field->kind == TS_FIELD_TEXT) {
        cr_expect_str_eq(ts_row_text(field, &scored[i]), ts_row_text(field, &rows.records[i]));
        continue;
      }
      double is = ts_row_number(field, &scored[i]), was = ts_row_number(field, &rows.records[i]);
      cr_expect(is == was || (isnan(is) && isnan(was)), "%s by %s, step %g: %s is %.17g, was %.17g",
                name, method, scored[i].step, field->column, is, was);
    }
  cr_expect_gt(compared, 40 * STEPS);
}

Test(harness_sequence, a_run_of_ours_has_its_own_measures_on_the_pillar) {
  expect_same("pillar", "semi_local");
}

Test(harness_sequence, so_has_one_that_is_wrong) {
  expect_same("pillar", "opposing");
  expect_same("spike_in_crack", "opposing");
}

Test(harness_sequence, so_have_tips_and_flickering_contacts) {
  expect_same("spike_and_wedge", "semi_local");
  expect_same("pillar", "control_flicker");
}

/// A line of poses of the cube of cliff_edges, moved by x and y.
static const char *pose(const ts_scene *scene, double step, double x, double y) {
  ts_vec3 t = scene->bodies[1].pose.translation;
  return ts_arena_format(fixture_arena, "%.0f,%.0f,cube,%.17g,%.17g,%.17g,1,0,0,0\n", step, step,
                         t.x + x, t.y + y, t.z);
}

#define POSES                                                                                      \
  "step,time_s,body,position_x_m,position_y_m,position_z_m,rotation_w,rotation_x,rotation_y,"      \
  "rotation_z\n"
#define CONTACTS                                                                                   \
  "step,body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,gap_m,id\n"

static const ts_scene *build_cliff(void) {
  cell_draft draft = draft_cell(fixture_arena, "cliff_edges", method_named("growth"));
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, fixture_arena, draft.cell.c, draft.case_values), TS_OK);
  return scene;
}

/// The four right contacts of a step, at the corners of the region lifted by y.
static const char *corners(const ts_scene *scene, int step, double y, const char *ids) {
  const char *text = "";
  const ts_region *region = &scene->regions[0];
  for (size_t i = 0; i < region->vertex_count; i++) {
    ts_vec3 v = region->vertices[i];
    text = ts_arena_format(fixture_arena, "%s%d,0,1,%.17g,%.17g,%.17g,0,1,0,%.17g,%c\n", text, step,
                           v.x, v.y + y / 2, v.z, y, ids[i]);
  }
  return text;
}

static void write_files(const char *poses, const char *contacts) {
  fixture_write_text(fixture_path("poses.csv"), poses);
  fixture_write_text(fixture_path("contacts.csv"), contacts);
}

Test(harness_sequence, a_step_that_is_missing_breaks_the_chain) {
  const ts_scene *scene = build_cliff();
  const char *poses = POSES, *contacts = CONTACTS;
  static const int steps[] = {10, 12, 13, 14, 17, 18};
  for (size_t i = 0; i < 6; i++) {
    poses =
        ts_arena_format(fixture_arena, "%s%s", poses, pose(scene, steps[i], 0, -1e-4 * (double)i));
    contacts =
        ts_arena_format(fixture_arena, "%s%s", contacts,
                        corners(scene, steps[i], -1e-4 * (double)i, i == 3 ? "abcx" : "abcd"));
  }
  write_files(poses, contacts);
  ts_record *r;
  size_t count;
  cr_assert_eq(score(&r, &count, "cliff_edges", NULL, NULL), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(count, 6);
  cr_expect(isnan(r[0].churn_percent), "the first");
  cr_expect_eq(r[1].churn_percent, 0, "nothing says yet that a step is missing");
  cr_expect_eq(r[2].churn_percent, 0);
  cr_expect_eq(r[3].features_kept_percent, 75, "by the ids of the file");
  cr_expect(isnan(r[4].churn_percent) && isnan(r[4].stale_percent), "after the gap");
  cr_expect_eq(r[5].features_kept_percent, 100);
  for (size_t i = 0; i < 6; i++) {
    cr_expect_eq(r[i].quality_percent, 100);
    cr_expect_eq(r[i].coverage_percent, 100);
    cr_expect_eq(r[i].excess_factor, 1);
    cr_expect_eq(r[i].gaps_wrong, 0);
  }
}

Test(harness_sequence, poses_without_contacts_are_an_empty_set) {
  const ts_scene *scene = build_cliff();
  write_files(ts_arena_format(fixture_arena, POSES "%s%s%s", pose(scene, 0, 0, 0),
                              pose(scene, 1, 0, 0), pose(scene, 2, 0, 0.5)),
              ts_arena_format(fixture_arena, CONTACTS "%s", corners(scene, 0, 0, "abcd")));
  ts_record *r;
  size_t count;
  cr_assert_eq(score(&r, &count, "cliff_edges", NULL, NULL), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(count, 3);
  cr_expect_eq(r[1].coverage_percent, 0);
  cr_expect_eq(r[1].churn_percent, 100);
  cr_expect_eq(r[2].contacts_missing, 0, "they are apart");
  cr_expect_eq(r[2].churn_percent, 0);
}

Test(harness_sequence, a_stale_sequence_is_seen) {
  const ts_scene *scene = build_cliff();
  const char *poses = POSES, *contacts = CONTACTS;
  for (int i = 0; i < 4; i++) {
    poses = ts_arena_format(fixture_arena, "%s%s", poses, pose(scene, i, 0, -1e-3 * i));
    contacts = ts_arena_format(fixture_arena, "%s%s", contacts, corners(scene, i, 0, "abcd"));
  }
  write_files(poses, contacts);
  ts_record *r;
  size_t count;
  cr_assert_eq(score(&r, &count, "cliff_edges", NULL, NULL), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(r[3].stale_percent_mean, 100);
  cr_expect_eq(r[3].gaps_wrong, 4);
  cr_expect_eq(r[0].gaps_wrong, 0);
}

static void expect_refused(const char *poses, const char *contacts, const char *words) {
  ts_record *r;
  size_t count;
  write_files(poses, contacts);
  cr_expect_eq(score(&r, &count, "cliff_edges", NULL, NULL), TS_E_INPUT, "%s", words);
  cr_expect(fixture_detail_has(words), "\"%s\" is not in: %s", words, ts_status_detail());
}

Test(harness_sequence, contacts_that_fit_no_step_are_refused) {
  const ts_scene *scene = build_cliff();
  const char *poses =
      ts_arena_format(fixture_arena, POSES "%s%s", pose(scene, 1, 0, 0), pose(scene, 3, 0, 0));
  const char *of[5];
  for (int i = 0; i < 5; i++)
    of[i] = corners(scene, i, 0, "abcd");
  expect_refused(poses, ts_arena_format(fixture_arena, CONTACTS "%s%s", of[0], of[1]),
                 "contacts.csv, line 2: step 0 has contacts, but no poses");
  expect_refused(poses, ts_arena_format(fixture_arena, CONTACTS "%s%s", of[1], of[2]),
                 "contacts.csv, line 6: step 2 has contacts, but no poses");
  expect_refused(poses, ts_arena_format(fixture_arena, CONTACTS "%s%s", of[3], of[4]),
                 "contacts.csv, line 6: step 4 has contacts, but no poses");
  expect_refused(poses, ts_arena_format(fixture_arena, CONTACTS "%s%s", of[3], of[1]),
                 "line 6: step 1 comes after a later one; sort the contacts by step");
  expect_refused(poses, CONTACTS ",0,1,0,0,0,0,1,0,0,a\n", "line 2: the contact has no step");
  expect_refused(POSES, ts_arena_format(fixture_arena, CONTACTS "%s", of[0]), "no poses");
  expect_refused(POSES, CONTACTS, "poses.csv has no step");
  expect_refused(
      poses,
      "step,method,body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z"
      "\n1,x,0,1,0,0,0,0,1,0\n3,y,0,1,0,0,0,0,1,0\n",
      "line 3: contacts of another cell, case or method than before");
  expect_refused(
      poses,
      "step,method,body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z"
      "\n1,x,0,1,0,0,0,0,1,0\n1,y,0,1,0,0,0,0,1,0\n",
      "line 3: contacts of another cell, case or method than before");
}

Test(harness_sequence, one_step_is_scored_at_its_poses) {
  const ts_scene *scene = build_cliff();
  write_files(
      ts_arena_format(fixture_arena, POSES "%s%s", pose(scene, 0, 0, 0), pose(scene, 1, 0, -1e-3)),
      ts_arena_format(fixture_arena, CONTACTS "%s%s", corners(scene, 0, 0, "abcd"),
                      corners(scene, 1, -1e-3, "abcd")));
  ts_record *r;
  size_t count;
  cr_assert_eq(score(&r, &count, "cliff_edges", "--step", "1"), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(count, 1);
  cr_expect(r[0].step == 1 && r[0].gaps_wrong == 0 && r[0].quality_percent == 100);
  cr_expect(isnan(r[0].churn_percent), "it is compared with no other step");
  cr_expect_eq(score(&r, &count, "cliff_edges", "--step", "2"), TS_E_INPUT);
  cr_expect(fixture_detail_has("has no step 2"), "%s", ts_status_detail());
  cr_expect_eq(score(&r, &count, "cliff_edges", "--out", fixture_path("verdicts.csv")), TS_E_INPUT);
  cr_expect(fixture_detail_has("--out has the verdicts of one step"), "%s", ts_status_detail());
  cr_expect_eq(score(&r, &count, "cliff_edges", "--first", "none"), TS_E_INPUT);
}

Test(harness_sequence, touch_is_for_poses_that_are_known_less_well) {
  const ts_scene *scene = build_cliff();
  write_files(
      ts_arena_format(fixture_arena, POSES "%s%s", pose(scene, 0, 0, 0), pose(scene, 1, 0, 2e-7)),
      ts_arena_format(fixture_arena, CONTACTS "%s", corners(scene, 0, 0, "abcd")));
  ts_record *r;
  size_t count;
  cr_assert_eq(score(&r, &count, "cliff_edges", NULL, NULL), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(r[1].contacts_missing, 0, "2e-7 m apart they need none");
  cr_assert_eq(score(&r, &count, "cliff_edges", "--touch", "1e-6"), TS_OK);
  cr_expect_eq(r[1].contacts_missing, 4, "unless that may be the rounding of a touch");
}

Test(harness_sequence, an_id_of_several_contacts_names_none_of_them) {
  const ts_scene *scene = build_cliff();
  write_files(ts_arena_format(fixture_arena, POSES "%s%s%s", pose(scene, 0, 0, 0),
                              pose(scene, 1, 0, 0), pose(scene, 2, 0, 0)),
              ts_arena_format(fixture_arena, CONTACTS "%s%s%s", corners(scene, 0, 0, "aabc"),
                              corners(scene, 1, 0, "aabc"), corners(scene, 2, 0, "aaaa")));
  ts_record *r;
  size_t count;
  cr_assert_eq(score(&r, &count, "cliff_edges", NULL, NULL), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(r[1].features_kept_percent, 100, "b and c");
  cr_expect_eq(r[2].features_kept_percent, 0, "they have lost theirs");
}

Test(harness_sequence, a_results_folder_lists_the_contacts_of_some_steps_only) {
  enum { STEPS = 6 };
  cell_draft draft = draft_cell(fixture_arena, "pillar", method_named("semi_local"));
  record(&draft, STEPS);
  ts_cell_rows rows = run_draft_steps(fixture_arena, &draft, STEPS);
  json_t *context = fixture_context();
  ts_results *results;
  const char *folder = fixture_path("run");
  cr_assert_eq(ts_results_create(&results, folder, context), TS_OK);
  cr_assert(ts_results_append(results, &rows) == TS_OK && ts_results_close(results) == TS_OK);
  json_decref(context);
  int exit_status;
  char *arguments[] = {(char *)"--case", (char *)"pillar", (char *)"--poses",
                       (char *)fixture_path("poses.csv"),
                       ts_arena_format(fixture_arena, "%s/contacts.csv", folder)};
  cr_expect_eq(ts_command_score.run(&exit_status, 5, arguments), TS_E_INPUT);
  cr_expect(fixture_detail_has("does not list all contacts of step 2"), "%s", ts_status_detail());
}

Test(harness_sequence, the_number_of_a_step_may_be_large) {
  const ts_scene *scene = build_cliff();
  write_files(ts_arena_format(fixture_arena, POSES "%s", pose(scene, 123456789, 0, 0)), CONTACTS);
  ts_record *r;
  size_t count;
  cr_assert_eq(score(&r, &count, "cliff_edges", "--step", "123456789"), TS_OK, "%s",
               ts_status_detail());
  cr_expect_eq(r[0].step, 123456789);
  expect_refused(
      "step,body,position_x_m,position_y_m,position_z_m,rotation_w,rotation_x,rotation_y,"
      "rotation_z\n9007199254740993,1,0,0,0,1,0,0,0\n",
      CONTACTS, "step is above 1000000000000000");
}
