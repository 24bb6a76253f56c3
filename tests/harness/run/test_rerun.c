// SPDX-License-Identifier: MIT
// covers: harness/run/rerun.c
#include "harness/run/rerun.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void open_arena(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_arena(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_rerun, .init = open_arena, .fini = close_arena);

static ts_record row(const char *case_name, const char *case_parameters, const char *method,
                     const char *method_parameters, double step) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  record.case_name = case_name;
  record.case_parameters = case_parameters;
  record.method = method;
  record.method_parameters = method_parameters;
  record.step = step;
  return record;
}

static void expect(const ts_record *record, const char *name, const char *command) {
  ts_reruns repeats;
  cr_assert_eq(ts_reruns_make(&repeats, arena, record, 1), TS_OK, "%s", ts_status_detail());
  cr_expect_str_eq(repeats.names[0], name);
  cr_expect_str_eq(repeats.commands[0], command);
}

Test(harness_rerun, defaults_are_left_out) {
  ts_record record = row("wall", "layers=10;scale=1;motion_seed=0", "opposing", "", 3);
  record.scoring_parameters = "reference=design;normal_tolerance=0.0001";
  record.simulation_parameters = "dt_s=0.01;start=cold";
  expect(&record, "wall/opposing/step:3", "touchstone run --case wall --method opposing");
}

Test(harness_rerun, what_was_set_goes_to_its_owner) {
  ts_record record = row("wall", "layers=2;scale=1", "closest_points", "erosion_m=0.02", 0);
  record.scoring_parameters = "reference=published";
  record.simulation_parameters = "start=warm";
  expect(&record, "wall/closest_points/layers:2/erosion_m:0.02/reference:published/start:warm",
         "touchstone run --case wall --method closest_points --set wall.layers=2 --set "
         "closest_points.erosion_m=0.02 --set scoring.reference=published --set "
         "simulation.start=warm --steps 1");
}

Test(harness_rerun, a_step_of_a_long_run_and_a_control_are_requested) {
  ts_record record = row("arch", "", "control_crash", "", 40);
  expect(&record, "arch/control_crash/step:40",
         "touchstone run --case arch --method control_crash --controls --steps 40");
}

Test(harness_rerun, unknown_names_keep_all_parameters_and_are_quoted_for_the_shell) {
  ts_record record = row("$(reboot)", "a=it's;b=2", "mine", "", 3);
  expect(&record, "$(reboot)/mine/a:it's/b:2/step:3",
         "touchstone run --case '$(reboot)' --method mine --set '$(reboot).a=it'\\''s' --set "
         "'$(reboot).b=2'");
}

Test(harness_rerun, names_that_come_again_are_numbered_in_their_order) {
  ts_record records[4];
  for (size_t i = 0; i < 4; i++)
    records[i] = row(i == 1 ? "wall" : "arch", "", "opposing", "", 0);
  ts_reruns repeats;
  cr_assert_eq(ts_reruns_make(&repeats, arena, records, 4), TS_OK);
  cr_expect_str_eq(repeats.names[0], "arch/opposing");
  cr_expect_str_eq(repeats.names[1], "wall/opposing");
  cr_expect_str_eq(repeats.names[2], "arch/opposing#2");
  cr_expect_str_eq(repeats.names[3], "arch/opposing#3");
}

static void expect_of_run(const char *method, const char *context, const char *command) {
  ts_record record = row("arch", "", method, "", 3);
  json_t *json = json_loads(context, 0, NULL);
  cr_assert_not_null(json);
  ts_reruns repeats;
  cr_assert_eq(ts_reruns_of_run(&repeats, arena, &record, 1, json), TS_OK);
  cr_expect_str_eq(repeats.commands[0], command);
  json_decref(json);
}

Test(harness_rerun, contacts_that_were_scored_are_scored_again) {
  expect_of_run("mine",
                "{\"arguments\": [\"touchstone\", \"score\", \"scene.json\", \"my contacts.csv\", "
                "\"--results\", \"r1\", \"--out=v.csv\", \"--force\", \"--name\", \"mine\"]}",
                "touchstone score scene.json 'my contacts.csv' --name mine");
}

Test(harness_rerun, a_method_of_a_plug_in_or_an_engine_comes_with_its_option) {
  const char *context = "{\"run\": {\"plugins\": [{\"file\": \"other.so\", \"methods\": []}, "
                        "{\"file\": \"my dir/mine.so\", \"methods\": [{\"name\": \"hers\"}, "
                        "{\"name\": \"mine\"}]}]}}";
  expect_of_run("mine", context,
                "touchstone run --case arch --method mine --plugin 'my dir/mine.so'");
  expect_of_run("growth", context, "touchstone run --case arch --method growth");
  expect_of_run("ode_trimesh", context,
                "touchstone run --case arch --method ode_trimesh --engines");
  expect_of_run("nobodys", context, "touchstone run --case arch --method nobodys");
}

Test(harness_rerun, a_foreign_context_is_ignored) {
  const char *command = "touchstone run --case arch --method mine";
  expect_of_run("mine", "{}", command);
  expect_of_run("mine", "{\"run\": 3}", command);
  expect_of_run("mine", "{\"run\": {\"plugins\": {}}}", command);
  expect_of_run("mine",
                "{\"run\": {\"plugins\": [7, {\"methods\": 1}, {\"file\": null, "
                "\"methods\": [{}, {\"name\": \"mine\"}]}]}}",
                command);
}
