// SPDX-License-Identifier: MIT
// covers: harness/plan/catalog.c harness/plan/names.c harness/plan/plan.c harness/plan/select.c
// covers: harness/plan/simulation_params.c
#include "harness/plan/plan.h"

#include "base/status.h"
#include "harness/controls/controls.h"
#include "harness/judge/judge.h"
#include "methods/registry.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert(ts_arena_create(&arena) == TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_plan, .init = setup, .fini = teardown);

#define COUNT(array) (sizeof(array) / sizeof *(array))

static ts_plan plan_of(const ts_plan_request *request) {
  ts_plan plan;
  ts_status status = ts_plan_create(&plan, arena, request);
  cr_assert(status == TS_OK, "%s", ts_status_detail());
  return plan;
}

/// The request must be refused with a message that contains all of the words.
static void refused(ts_plan_request request, const char *const *words, size_t count) {
  ts_plan plan;
  cr_assert(ts_plan_create(&plan, arena, &request) == TS_E_INPUT, "was not refused");
  for (size_t i = 0; i < count; i++)
    cr_expect(strstr(ts_status_detail(), words[i]), "\"%s\" is not in: %s", words[i],
              ts_status_detail());
}

#define REFUSED(request, ...)                                                                      \
  refused((request), (const char *[]){__VA_ARGS__}, COUNT(((const char *[]){__VA_ARGS__})))

static ts_plan_request with_set(const ts_assignment *set) {
  return (ts_plan_request){
      .cases = "wall", .methods = "closest_points", .set_count = 1, .sets = set};
}

static ts_plan_request with_sweep(const ts_assignment *sweep) {
  return (ts_plan_request){
      .cases = "wall", .methods = "closest_points", .sweep_count = 1, .sweeps = sweep};
}

/// Value of a case parameter of a cell.
static double case_value(const ts_cell *cell, const char *name) {
  const ts_param *params = ts_case_params(arena, cell->c);
  for (size_t i = 0; i < ts_case_param_count(cell->c); i++)
    if (strcmp(params[i].name, name) == 0)
      return cell->case_values[i];
  return NAN;
}

Test(harness_plan, everything_is_every_case_times_every_method) {
  size_t cases = 0, methods = 0, controls = 0;
  while (ts_cases[cases])
    cases++;
  while (ts_methods[methods])
    methods++;
  while (ts_controls[controls])
    controls++;
  ts_plan plan = plan_of(&(ts_plan_request){0});
  cr_assert(plan.cell_count == cases * methods);
  for (size_t i = 0; i < plan.cell_count; i++) {
    cr_expect(plan.cells[i].index == i);
    cr_expect(plan.cells[i].c == ts_cases[i / methods], "cell %zu", i);
    cr_expect(plan.cells[i].method == ts_methods[i % methods], "cell %zu", i);
  }
  ts_catalog all;
  cr_assert_eq(ts_catalog_create(&all, arena, true), TS_OK);
  ts_plan more = plan_of(&(ts_plan_request){.catalog = &all});
  cr_expect(more.cell_count == cases * (methods + controls));
}

Test(harness_plan, a_suite_keeps_its_cases_only) {
  size_t cases = 0;
  for (size_t i = 0; ts_cases[i]; i++)
    cases += strcmp(ts_cases[i]->suite, "erleben") == 0;
  ts_plan plan = plan_of(&(ts_plan_request){.suite = "erleben", .methods = "intersection"});
  cr_expect(plan.cell_count == cases);
  REFUSED(((ts_plan_request){.suite = "erlebn"}), "did you mean \"erleben\"");
}

Test(harness_plan, a_pattern_must_match_the_whole_name) {
  ts_plan one = plan_of(&(ts_plan_request){.cases = "spikes", .methods = "intersection"});
  cr_expect(one.cell_count == 1);
  ts_plan all = plan_of(&(ts_plan_request){.cases = "spike.*", .methods = "intersection"});
  cr_expect(all.cell_count > 2);
  // The longer of two alternatives wins, whichever comes first.
  ts_plan both =
      plan_of(&(ts_plan_request){.cases = "spike|spikes|wall", .methods = "intersection"});
  cr_expect(both.cell_count == 2);
  REFUSED(((ts_plan_request){.cases = "spik"}), "no case \"spik\"", "spikes");
  REFUSED(((ts_plan_request){.cases = "("}), "--case", "regular expression");
  REFUSED(((ts_plan_request){.methods = "intersect"}), "did you mean \"intersection\"");
}

Test(harness_plan, controls_run_only_with_their_option) {
  REFUSED(((ts_plan_request){.methods = "control_ideal"}), "--controls");
  ts_catalog all;
  cr_assert_eq(ts_catalog_create(&all, arena, true), TS_OK);
  ts_plan plan =
      plan_of(&(ts_plan_request){.catalog = &all, .cases = "wall", .methods = "control_ideal"});
  cr_assert(plan.cell_count == 1);
  cr_expect(strcmp(plan.cells[0].method->name, "control_ideal") == 0);
}

Test(harness_plan, a_set_goes_to_every_owner_that_has_the_parameter) {
  ts_assignment set = {"scale", "0.5"};
  ts_plan plan = plan_of(&(ts_plan_request){.set_count = 1, .sets = &set});
  for (size_t i = 0; i < plan.cell_count; i++)
    cr_expect(case_value(&plan.cells[i], "scale") == 0.5, "cell %zu", i);
}

Test(harness_plan, a_set_with_an_owner_goes_to_it_alone) {
  ts_assignment set = {"wall.scale", "0.5"};
  ts_plan plan = plan_of(&(ts_plan_request){.set_count = 1, .sets = &set});
  for (size_t i = 0; i < plan.cell_count; i++) {
    bool is_wall = strcmp(plan.cells[i].c->name, "wall") == 0;
    cr_expect(case_value(&plan.cells[i], "scale") == (is_wall ? 0.5 : 1), "cell %zu", i);
  }
}

Test(harness_plan, the_scoring_is_set_like_a_method) {
  ts_assignment sets[] = {{"scoring.reference", "published"}, {"normal_tolerance", "1e-3"}};
  ts_plan plan = plan_of(&(ts_plan_request){.set_count = 2, .sets = sets});
  for (size_t i = 0; i < plan.cell_count; i++) {
    cr_expect(plan.cells[i].scoring_values[TS_SCORING_REFERENCE] == TS_REFERENCE_PUBLISHED);
    cr_expect(plan.cells[i].scoring_values[TS_SCORING_NORMAL_TOLERANCE] == 1e-3);
    cr_expect(strstr(plan.cells[i].scoring_parameters, "reference=published"));
  }
}

Test(harness_plan, the_rule_of_the_scoring_is_ours_unless_set) {
  ts_plan_request plain = {.cases = "wall", .methods = "closest_points"};
  ts_plan ours = plan_of(&plain);
  cr_assert_eq(ours.cell_count, 1);
  cr_expect_eq(ours.cells[0].scoring_values[TS_SCORING_RULE], TS_RULE_TOUCHSTONE);
  cr_expect(strstr(ours.cells[0].scoring_parameters, "rule=touchstone"));
  ts_assignment set = {"rule", "published"}, bad = {"rule", "paper"};
  ts_plan_request request = with_set(&set);
  ts_plan published = plan_of(&request);
  cr_expect_eq(published.cells[0].scoring_values[TS_SCORING_RULE], TS_RULE_PUBLISHED);
  cr_expect(strstr(published.cells[0].scoring_parameters, "rule=published"));
  cr_expect_str_neq(published.cells[0].key, ours.cells[0].key);
  REFUSED(with_set(&bad), "rule=paper", "touchstone or published");
}

Test(harness_plan, a_parameter_that_nothing_selected_has_is_refused) {
  ts_assignment unknown = {"layer", "3"}, other = {"wall.stones", "3"}, away = {"arch.stones", "9"};
  REFUSED(with_set(&unknown), "no parameter \"layer\"", "did you mean \"layers\"", "erosion_m",
          "reference");
  REFUSED(with_set(&other), "parameter of wall", "layers", "span");
  REFUSED(with_set(&away), "\"arch\"", "wall", "closest_points", "scoring");
  REFUSED(with_sweep(&unknown), "no parameter \"layer\"");
}

Test(harness_plan, values_out_of_range_are_refused) {
  ts_assignment negative = {"scale", "-1"}, half = {"layers", "2.5"}, word = {"reference", "right"},
                text = {"scale", "big"}, infinite = {"scale", "inf"}, nothing = {"scale", "nan"};
  REFUSED(with_set(&negative), "scale=-1", "out of range");
  REFUSED(with_set(&half), "layers=2.5", "whole number");
  REFUSED(with_set(&word), "reference=right", "design, published or feasible");
  REFUSED(with_set(&text), "scale=big");
  REFUSED(with_set(&infinite), "scale");
  REFUSED(with_set(&nothing), "scale");
}

Test(harness_plan, the_same_parameter_twice_is_refused) {
  ts_assignment sets[] = {{"scale", "1"}, {"wall.scale", "2"}};
  ts_plan_request request = {.cases = "wall", .set_count = 2, .sets = sets};
  REFUSED(request, "scale", "wall.scale=2", "twice");
  ts_plan_request mixed = {
      .cases = "wall", .set_count = 1, .sets = &sets[0], .sweep_count = 1, .sweeps = &sets[1]};
  REFUSED(mixed, "twice");
  ts_plan_request apart = {.cases = "arch", .set_count = 1, .sets = &sets[0]};
  cr_expect(plan_of(&apart).cell_count > 0);
}

static void expect_sweep(const char *parameter, const char *text, const double *values,
                         size_t count) {
  ts_assignment sweep = {parameter, text};
  ts_plan_request request = with_sweep(&sweep);
  ts_plan plan = plan_of(&request);
  cr_assert(plan.cell_count == count, "%s: %zu cells", text, plan.cell_count);
  for (size_t i = 0; i < count; i++) {
    double value = case_value(&plan.cells[i], parameter);
    cr_expect(value == values[i], "%s: value %zu is %.17g", text, i, value);
  }
}

Test(harness_plan, a_linear_sweep_hits_both_ends_and_round_numbers) {
  expect_sweep("scale", "0.1:0.4:4", (double[]){0.1, 0.2, 0.3, 0.4}, 4);
  expect_sweep("scale", "2:1:3", (double[]){2, 1.5, 1}, 3);
  expect_sweep("layers", "1:9:3", (double[]){1, 5, 9}, 3);
}

Test(harness_plan, a_logarithmic_sweep_has_equal_ratios) {
  expect_sweep("scale", "1e-3:1e3:7:log", (double[]){1e-3, 1e-2, 0.1, 1, 10, 100, 1e3}, 7);
  expect_sweep("layers", "1:100:3:log", (double[]){1, 10, 100}, 3);
}

Test(harness_plan, a_list_sweep_takes_values_in_their_order) {
  expect_sweep("scale", "3,1,2", (double[]){3, 1, 2}, 3);
  expect_sweep("scale", "3", (double[]){3}, 1);
  ts_assignment words = {"reference", "published,design"};
  ts_plan_request request = with_sweep(&words);
  ts_plan plan = plan_of(&request);
  cr_assert(plan.cell_count == 2);
  cr_expect(plan.cells[0].scoring_values[TS_SCORING_REFERENCE] == TS_REFERENCE_PUBLISHED);
  cr_expect(plan.cells[1].scoring_values[TS_SCORING_REFERENCE] == TS_REFERENCE_DESIGN);
}

Test(harness_plan, an_invalid_sweep_is_refused) {
  static const char *const bad[] = {
      "1:2",     "1:2:3:lin", "1:2:3:log:4", "1:2:0", "1:2:1",     "1:2:2.5",
      "1:x:3",   ":1:3",      "1::3",        "1:2:",  "0:1:3:log", "-1:1:3:log",
      "1,",      ",1",        "1,,2",        "1,1",   "1:1:3",     "1:2:100001",
      "1:inf:3", "1,x",       "1:nan:3",     "",      "1:2:1e9",   "1:2000000:3"};
  for (size_t i = 0; i < COUNT(bad); i++) {
    ts_assignment sweep = {"scale", bad[i]};
    ts_plan_request request = with_sweep(&sweep);
    ts_plan plan;
    cr_expect(ts_plan_create(&plan, arena, &request) == TS_E_INPUT, "\"%s\" was taken", bad[i]);
    cr_expect(strstr(ts_status_detail(), "scale"), "\"%s\": %s", bad[i], ts_status_detail());
  }
  ts_assignment between = {"layers", "1:4:3"}, words = {"reference", "0:2:3"};
  REFUSED(with_sweep(&between), "layers=2.5", "whole number");
  REFUSED(with_sweep(&words), "reference");
}

Test(harness_plan, the_last_of_two_sweeps_is_the_fastest) {
  ts_assignment sweeps[] = {{"scale", "1,2"}, {"layers", "1,2,3"}};
  ts_plan plan = plan_of(&(ts_plan_request){
      .cases = "wall", .methods = "closest_points", .sweep_count = 2, .sweeps = sweeps});
  cr_assert(plan.cell_count == 6);
  for (size_t i = 0; i < 6; i++) {
    cr_expect(case_value(&plan.cells[i], "scale") == (i < 3 ? 1 : 2), "cell %zu", i);
    cr_expect(case_value(&plan.cells[i], "layers") == (double)(i % 3 + 1), "cell %zu", i);
  }
}

Test(harness_plan, a_sweep_leaves_cells_without_its_parameter_alone) {
  ts_assignment sweep = {"layers", "1,2,3"};
  ts_plan plan = plan_of(&(ts_plan_request){
      .cases = "wall|arch", .methods = "closest_points", .sweep_count = 1, .sweeps = &sweep});
  cr_expect(plan.cell_count == 4);
}

Test(harness_plan, a_plan_of_too_many_cells_is_refused) {
  ts_assignment sweeps[] = {{"scale", "1:2:1000"}, {"layers", "1:1000:1000"}, {"span", "1,2"}};
  REFUSED(((ts_plan_request){
              .cases = "wall", .methods = "closest_points", .sweep_count = 3, .sweeps = sweeps}),
          "more than 1000000 cells");
  ts_assignment huge[] = {{"scale", "1:2:100000"},
                          {"perturb_m", "0:1:100000"},
                          {"offset_m", "0:1:100000"},
                          {"motion_seed", "0:99999:100000"}};
  REFUSED(((ts_plan_request){.sweep_count = 4, .sweeps = huge}), "more than 1000000 cells");
}

Test(harness_plan, keys_of_cells_are_unique_and_reproducible) {
  ts_assignment sweeps[] = {{"scale", "1,2"}, {"reference", "design,published"}};
  ts_plan_request request = {.sweep_count = 2, .sweeps = sweeps};
  ts_plan plan = plan_of(&request), again = plan_of(&request);
  cr_assert(plan.cell_count == again.cell_count);
  for (size_t i = 0; i < plan.cell_count; i++) {
    cr_expect(strlen(plan.cells[i].key) == 16);
    cr_expect(strcmp(plan.cells[i].key, again.cells[i].key) == 0);
    for (size_t k = 0; k < i; k++)
      cr_assert(strcmp(plan.cells[i].key, plan.cells[k].key) != 0, "cells %zu and %zu", k, i);
  }
  cr_expect(ts_plan_hash(&plan) == ts_plan_hash(&again));
  ts_plan other = plan_of(&(ts_plan_request){.sweep_count = 1, .sweeps = sweeps});
  cr_expect(ts_plan_hash(&plan) != ts_plan_hash(&other));
}

Test(harness_plan, a_value_has_one_name_however_it_is_written) {
  ts_assignment plain = {"perturb_m", "0"}, minus = {"perturb_m", "-0"},
                list = {"perturb_m", "-0.0,1"}, padded = {"perturb_m", "0.00e5"};
  ts_plan_request requests[] = {with_set(&plain), with_set(&minus), with_set(&padded),
                                with_sweep(&list)};
  const char *key =
      plan_of(&(ts_plan_request){.cases = "wall", .methods = "closest_points"}).cells[0].key;
  for (size_t i = 0; i < COUNT(requests); i++)
    cr_expect(strcmp(plan_of(&requests[i]).cells[0].key, key) == 0, "request %zu", i);
}

Test(harness_plan, cells_share_the_values_that_do_not_change) {
  ts_assignment sweep = {"reference", "design,published,feasible"};
  ts_plan_request request = with_sweep(&sweep);
  ts_plan plan = plan_of(&request);
  cr_assert(plan.cell_count == 3);
  cr_expect(plan.cells[0].case_values == plan.cells[2].case_values);
  cr_expect(plan.cells[0].scoring_values != plan.cells[1].scoring_values);
}

Test(harness_plan, assignments_of_one_owner_are_read_with_and_without_its_name) {
  const ts_case *wall = ts_case_find("wall");
  const ts_param *params = ts_case_params(arena, wall);
  size_t count = ts_case_param_count(wall);
  double values[32] = {0};
  ts_assignment sets[] = {{"scale", "2"}, {"wall.layers", "3"}};
  cr_assert(ts_plan_assign(values, arena, "wall", params, count, sets, 2) == TS_OK);
  cr_expect(values[TS_COMMON_SCALE] == 2);
  cr_expect(values[TS_COMMON_COUNT] == 3 || values[TS_COMMON_COUNT + 1] == 3);
  ts_assignment bad[] = {{"arch.layers", "3"}, {"lairs", "3"}, {"layers", "0"}};
  for (size_t i = 0; i < COUNT(bad); i++)
    cr_expect(ts_plan_assign(values, arena, "wall", params, count, &bad[i], 1) == TS_E_INPUT,
              "%s was taken", bad[i].name);
}

/// The parameters of the simulation of the only cell with these settings.
static const char *simulation_of(const ts_assignment *sets, size_t count) {
  return plan_of(&(ts_plan_request){
                     .cases = "wall", .methods = "growth", .set_count = count, .sets = sets})
      .cells[0]
      .simulation_parameters;
}

Test(harness_plan, later_parameters_of_the_simulation_are_shown_where_they_do_something) {
  const char *points = simulation_of(NULL, 0);
  cr_expect(!strstr(points, "response") && !strstr(points, "path_m") && !strstr(points, "areas"));
  const ts_assignment volume = {"response", "volume"}, penalty = {"response", "penalty"};
  const char *text = simulation_of(&volume, 1);
  cr_expect(strstr(text, "stepper=touchstone;response=volume;areas=given;volume_rows=contact;"
                         "pressure_start=even;position_iterations=10;position_tolerance=0.01"),
            "%s", text);
  cr_expect(!strstr(text, "stiffness"), "%s", text);
  text = simulation_of(&penalty, 1);
  cr_expect(strstr(text, "response=penalty;areas=given;volume_rows=contact;pressure_start=even;"
                         "stiffness_n_m5=10000000;viscosity_n_s_m3=0;integration=implicit"),
            "%s", text);
}

Test(harness_plan, parameters_that_do_nothing_in_any_cell_are_refused) {
  static const ts_assignment idle[] = {{"stiffness_n_m5", "1"},      {"integration", "explicit"},
                                       {"volume_rows", "pair"},      {"areas", "even"},
                                       {"position_iterations", "1"}, {"position_tolerance", "0.5"}};
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
    REFUSED(((ts_plan_request){.cases = "wall", .set_count = 1, .sets = &idle[i]}),
            "does nothing unless response=");
  const ts_assignment on_path[] = {{"stepper", "path"}, {"response", "volume"}};
  REFUSED(((ts_plan_request){.cases = "wall", .set_count = 2, .sets = on_path}),
          "response does nothing unless stepper=touchstone");
}

Test(harness_plan, what_does_nothing_in_some_cells_has_its_default_there) {
  const ts_assignment set = {"stiffness_n_m5", "5"}, sweep = {"response", "points,penalty"};
  ts_plan plan = plan_of(&(ts_plan_request){.cases = "wall",
                                            .methods = "growth",
                                            .set_count = 1,
                                            .sets = &set,
                                            .sweep_count = 1,
                                            .sweeps = &sweep});
  cr_assert(plan.cell_count == 2);
  cr_expect_str_eq(plan.cells[0].simulation_parameters, simulation_of(NULL, 0));
  cr_expect(strstr(plan.cells[1].simulation_parameters, "stiffness_n_m5=5;"));
  const ts_assignment both[] = {{"response", "points,penalty"}, {"stiffness_n_m5", "5,6"}};
  REFUSED(((ts_plan_request){.cases = "wall", .sweep_count = 2, .sweeps = both}),
          "stiffness_n_m5 is swept, and does nothing unless response=penalty");
}

Test(harness_plan, seeds_move_each_case_and_draw_its_noise_together) {
  const ts_assignment noise = {"perturb_m", "0,0.01"};
  ts_plan plan = plan_of(&(ts_plan_request){.cases = "pillar|wall",
                                            .methods = "growth|opposing",
                                            .sweep_count = 1,
                                            .sweeps = &noise,
                                            .seed_count = 3});
  cr_assert_eq(plan.cell_count, 2 * 2 * 2 * 3);
  for (size_t i = 0; i < plan.cell_count; i++) {
    double seed = (double)(i % 3 + 1), size = i / 3 % 2 ? 0.01 : 0;
    cr_expect_eq(case_value(&plan.cells[i], "motion_seed"), seed, "cell %zu", i);
    cr_expect_eq(case_value(&plan.cells[i], "perturb_m"), size, "cell %zu", i);
    cr_expect_eq(case_value(&plan.cells[i], "perturb_seed"), size > 0 ? seed : 1, "cell %zu", i);
  }
}

Test(harness_plan, seeds_of_drawn_cases_follow_the_first_one) {
  ts_plan plan = plan_of(
      &(ts_plan_request){.cases = "arch", .methods = "growth", .seed = 40, .seed_count = 3});
  cr_assert_eq(plan.cell_count, 3);
  for (size_t i = 0; i < 3; i++) {
    ts_plan alone =
        plan_of(&(ts_plan_request){.cases = "arch", .methods = "growth", .seed = 40 + (uint64_t)i});
    cr_expect_str_eq(plan.cells[i].key, alone.cells[0].key, "draw %zu", i);
  }
}

Test(harness_plan, what_is_given_is_not_drawn_by_any_seed) {
  const ts_assignment still = {"motion_seed", "0"};
  ts_plan plan = plan_of(&(ts_plan_request){.cases = "arch",
                                            .methods = "growth",
                                            .set_count = 1,
                                            .sets = &still,
                                            .seed = 40,
                                            .seed_count = 2});
  cr_expect_eq(case_value(&plan.cells[1], "motion_seed"), 0);
  cr_expect_gt(case_value(&plan.cells[1], "mesh_seed"), 0);
}

Test(harness_plan, a_motion_that_is_given_is_at_odds_with_seeds) {
  const ts_assignment set = {"wall.motion_seed", "3"}, sweep = {"perturb_seed", "1,2"};
  ts_plan_request with_motion = with_set(&set), with_noise = with_sweep(&sweep);
  with_motion.seed_count = with_noise.seed_count = 4;
  REFUSED(with_motion, "--seeds", "motion_seed", "wall.motion_seed=3");
  REFUSED(with_noise, "--seeds", "perturb_seed=1,2");
}

Test(harness_plan, too_many_seeds_are_refused_with_the_rest_of_the_plan) {
  const ts_assignment sweep = {"dt_s", "0.001:0.1:1000"};
  ts_plan_request request = with_sweep(&sweep);
  request.seed_count = TS_PLAN_SEEDS_MAX;
  REFUSED(request, "more than 1000000 cells", "fewer seeds");
}

Test(harness_plan, the_fingerprint_of_a_row_is_that_of_its_cell_until_it_is_edited) {
  ts_plan plan = plan_of(&(ts_plan_request){.cases = "wall", .methods = "closest_points"});
  const ts_cell *cell = &plan.cells[0];
  ts_record row = {.case_name = cell->c->name,
                   .method = cell->method->name,
                   .case_parameters = cell->case_parameters,
                   .method_parameters = cell->method_parameters,
                   .scoring_parameters = cell->scoring_parameters,
                   .simulation_parameters = cell->simulation_parameters,
                   .modifiers = ""};
  const char *key;
  cr_assert_eq(ts_plan_name_row(&key, arena, &row), TS_OK);
  cr_expect_str_eq(key, cell->key);
  row.modifiers = "cut:gap_m=0";
  cr_assert_eq(ts_plan_name_row(&key, arena, &row), TS_OK);
  cr_expect_str_neq(key, cell->key);
  row.modifiers = "";
  row.case_parameters = "layers=11";
  cr_assert_eq(ts_plan_name_row(&key, arena, &row), TS_OK);
  cr_expect_str_neq(key, cell->key);
}
