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

#define CONTEXT_WITH_FILES                                                                         \
  "{\"run\": {\"plugins\": [{\"file\": \"mine.so\", \"methods\": [{\"name\": \"mine\"}]}, "        \
  "{\"file\": \"both.so\", \"methods\": [{\"name\": \"other\"}], \"modifiers\": "                  \
  "[{\"name\": \"soften\"}, {\"name\": \"thin\"}]}], "                                             \
  "\"scenes\": [{\"file\": \"heap.json\", \"case\": \"arch\", \"parameters\": \"\"}]}}"

Test(harness_rerun, modifiers_of_a_plug_in_come_with_it) {
  ts_record record = row("wall", "", "mine", "", 3);
  record.modifiers = "cut:gap_m=1,thin:every=2,soften";
  json_t *context = json_loads(CONTEXT_WITH_FILES, 0, NULL);
  ts_rerun rerun;
  cr_assert_eq(ts_rerun_of_row(&rerun, arena, &record, 0, context, &(ts_rerun_files){0}), TS_OK);
  cr_expect_str_eq(rerun.command,
                   "touchstone run --case wall --method mine --plugin mine.so --plugin both.so "
                   "--modify cut:gap_m=1,thin:every=2,soften");
  cr_expect_eq(rerun.plugins.count, 2);
  record.method = "other"; // of the same file as its modifiers
  cr_assert_eq(ts_rerun_of_row(&rerun, arena, &record, 0, context, &(ts_rerun_files){0}), TS_OK);
  cr_expect_str_eq(rerun.command, "touchstone run --case wall --method other --plugin both.so "
                                  "--modify cut:gap_m=1,thin:every=2,soften");
  json_decref(context);
}

Test(harness_rerun, files_are_where_they_are_now) {
  ts_record record = row("arch", "", "mine", "", 3);
  json_t *context = json_loads(CONTEXT_WITH_FILES, 0, NULL);
  const char *plugin = "new/mine.so", *scenes[] = {"new/heap.json", "more.json"};
  ts_rerun_files now = {.plugins = {1, &plugin}};
  ts_rerun rerun;
  cr_assert_eq(ts_rerun_of_row(&rerun, arena, &record, 0, context, &now), TS_OK);
  cr_expect_str_eq(rerun.command,
                   "touchstone run --scene heap.json --method mine --plugin new/mine.so");
  cr_expect_str_eq(rerun.scene, "heap.json");
  now = (ts_rerun_files){.scenes = {1, scenes}};
  cr_assert_eq(ts_rerun_of_row(&rerun, arena, &record, 0, context, &now), TS_OK);
  cr_expect_str_eq(rerun.command,
                   "touchstone run --scene new/heap.json --method mine --plugin mine.so");
  now = (ts_rerun_files){.scenes = {2, scenes}};
  cr_assert_eq(ts_rerun_of_row(&rerun, arena, &record, 0, context, &now), TS_OK);
  cr_expect_str_eq(rerun.command, "touchstone run --scene new/heap.json --scene more.json --case "
                                  "arch --method mine --plugin mine.so");
  json_decref(context);
}

Test(harness_rerun, limits_are_those_of_the_part_that_the_cell_was_in) {
  ts_record records[3];
  for (size_t i = 0; i < 3; i++)
    records[i] = row("arch", "", "growth", "", 3);
  records[0].cell = records[1].cell = "a";
  records[2].cell = "b";
  json_t *context =
      json_loads("{\"parts\": [{\"first_cell\": 0, \"options\": {\"time_limit_s\": 7}},"
                 " {\"first_cell\": 1, \"options\": {\"time_limit_s\": 8}}]}",
                 0, NULL);
  ts_rerun rerun;
  for (size_t i = 0; i < 3; i++) {
    cr_assert_eq(ts_rerun_of_row(&rerun, arena, records, i, context, &(ts_rerun_files){0}), TS_OK);
    cr_expect_str_eq(rerun.command,
                     i < 2 ? "touchstone run --case arch --method growth --time-limit 7"
                           : "touchstone run --case arch --method growth --time-limit 8");
  }
  json_decref(context);
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
