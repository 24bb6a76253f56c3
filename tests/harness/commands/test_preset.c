// SPDX-License-Identifier: MIT
// covers: harness/commands/preset.c harness/plan/options.c harness/run/run_values.c
#include "harness/commands/preset.h"

#include "base/status.h"
#include "methods/plugins/engines.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(harness_preset, .init = scoring_setup, .fini = scoring_teardown);

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const studied[] = {"closest_points_tets", "growth", "opposing"};

/// The values of these arguments of `run` [count], with the preset applied.
static ts_status apply(ts_run_values *out, char *const *arguments, int count) {
  ts_arguments parsed;
  *out = (ts_run_values){0};
  cr_assert_eq(ts_options_parse(out, &parsed, arena, &ts_command_run, count, arguments), TS_OK,
               "%s", ts_status_detail());
  cr_assert_eq(ts_run_set_path(out, &parsed.given, arena), TS_OK);
  return out->preset ? ts_preset_apply(out, parsed.given, arena) : TS_OK;
}

static ts_plan plan_of(char *const *arguments, int count) {
  ts_run_values values;
  ts_plan plan;
  cr_assert_eq(apply(&values, arguments, count), TS_OK, "%s", ts_status_detail());
  cr_assert_null(values.preset, "what a run keeps does not need the preset");
  cr_assert_eq(ts_run_make_plan(&plan, arena, &values), TS_OK, "%s", ts_status_detail());
  return plan;
}

#define PLAN(...) plan_of((char *[]){__VA_ARGS__}, (int)COUNT(((const char *[]){__VA_ARGS__})))

static void refused(const char *word, char *const *arguments, int count) {
  ts_run_values values;
  cr_assert_eq(apply(&values, arguments, count), TS_E_INPUT, "%s was taken", arguments[count - 1]);
  cr_expect(strstr(ts_status_detail(), word), "\"%s\" is not in: %s", word, ts_status_detail());
}

#define REFUSED(word, ...)                                                                         \
  refused(word, (char *[]){__VA_ARGS__}, (int)COUNT(((const char *[]){__VA_ARGS__})))

/// Value of "name=" in a text of parameters.
static double value_in(const char *parameters, const char *name) {
  for (const char *at = parameters; (at = strstr(at, name)); at++)
    if ((at == parameters || at[-1] == ';') && at[strlen(name)] == '=')
      return strtod(at + strlen(name) + 1, NULL);
  return NAN;
}

static bool has_text(const ts_plan *plan, const char *parameter) {
  return strstr(plan->cells[0].simulation_parameters, parameter);
}

static double swept(const ts_cell *cell, const char *name) {
  double value = value_in(cell->case_parameters, name);
  return isnan(value) ? value_in(cell->simulation_parameters, name) : value;
}

/// Only the pillar, with each of the three methods at each value.
static void expect_study(const ts_plan *plan, const char *name, const double *values, size_t count,
                         int64_t steps) {
  cr_assert_eq(plan->cell_count, COUNT(studied) * count);
  for (size_t i = 0; i < plan->cell_count; i++) {
    const ts_cell *cell = &plan->cells[i];
    cr_expect_str_eq(cell->c->name, "pillar");
    cr_expect_eq(cell->steps, steps);
    // Methods are in the order of their list.
    size_t same = 0;
    for (size_t m = 0; m < COUNT(studied); m++)
      same += strcmp(cell->method->name, studied[m]) == 0;
    cr_expect_eq(same, 1, "%s", cell->method->name);
    cr_expect_eq(swept(cell, name), values[i % count], "cell %zu has %g", i, swept(cell, name));
    if (i % count > 0)
      cr_expect_eq(cell->method, plan->cells[i - 1].method);
    else if (i > 0)
      cr_expect_neq(cell->method, plan->cells[i - 1].method);
  }
}

Test(harness_preset, perturbation_has_the_pillar_with_four_sizes_of_noise) {
  ts_plan plan = PLAN("--preset", "perturbation");
  expect_study(&plan, "perturb_m", (double[]){0, 0.01, 0.02, 0.03}, 4, 0);
}

Test(harness_preset, refinement_has_the_pillar_of_three_meshes) {
  ts_plan plan = PLAN("--preset", "refinement");
  expect_study(&plan, "refinement", (double[]){0, 1, 2}, 3, 0);
}

Test(harness_preset, time_step_has_the_pillar_of_three_time_steps_up_to_step_4) {
  ts_plan plan = PLAN("--preset", "time_step");
  expect_study(&plan, "dt_s", (double[]){0.001, 0.01, 0.1}, 3, 4);
}

Test(harness_preset, every_preset_has_a_name_and_a_summary) {
  size_t count = 0;
  for (; ts_presets[count]; count++) {
    const ts_preset *p = ts_presets[count];
    if (!p->with_engines)
      cr_expect_gt(PLAN("--preset", (char *)p->name).cell_count, 1, "%s", p->name);
    bool is_study = !p->sets && !p->draws;
    cr_expect(p->summary[0] && (!is_study || strstr(p->source, "Erleben 2018")), "%s", p->name);
    for (size_t k = 0; k < count; k++)
      cr_expect_str_neq(p->name, ts_presets[k]->name);
  }
  cr_expect_eq(count, 12);
}

Test(harness_preset, fresh_draws_another_seed_at_each_run_unless_one_is_given) {
  ts_run_values one, other, given;
  char *plain[] = {"--preset", "fresh"}, *seeded[] = {"--preset", "fresh", "--seed", "12"};
  cr_assert_eq(apply(&one, plain, 2), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(apply(&other, plain, 2), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(apply(&given, seeded, 4), TS_OK, "%s", ts_status_detail());
  cr_expect(one.seed >= 1 && one.seed <= TS_RUN_SEED_MAX && one.seed == floor(one.seed));
  cr_expect_neq(one.seed, other.seed);
  cr_expect_eq(given.seed, 12);
  cr_expect_eq(given.steps, 1, "only where the truth is designed");
}

Test(harness_preset, a_seed_gives_the_same_cells_whatever_else_is_selected) {
  ts_plan all = PLAN("--preset", "fresh", "--seed", "12", "--method", "growth");
  ts_plan arch = PLAN("--preset", "fresh", "--seed", "12", "--method", "growth", "--case", "arch");
  ts_plan other = PLAN("--preset", "fresh", "--seed", "13", "--method", "growth", "--case", "arch");
  cr_assert_eq(all.cell_count, 13);
  cr_assert_eq(arch.cell_count, 1);
  cr_expect_str_eq(all.cells[2].key, arch.cells[0].key);
  cr_expect_str_neq(arch.cells[0].key, other.cells[0].key);
  cr_expect_neq(value_in(arch.cells[0].case_parameters, "thickness_m"), 0.5);
}

Test(harness_preset, explicit_settings_and_sweeps_are_not_drawn) {
  ts_plan plan =
      PLAN("--preset", "fresh", "--seed", "12", "--method", "growth", "--case", "arch", "--set",
           "thickness_m=0.5", "--sweep", "arch.stones=3,4", "--set", "motion_seed=0");
  cr_assert_eq(plan.cell_count, 2);
  for (size_t i = 0; i < 2; i++) {
    const char *text = plan.cells[i].case_parameters;
    cr_expect_eq(value_in(text, "thickness_m"), 0.5);
    cr_expect_eq(value_in(text, "motion_seed"), 0);
    cr_expect_eq(value_in(text, "stones"), 3 + (double)i);
    cr_expect_gt(value_in(text, "mesh_seed"), 0);
  }
}

Test(harness_preset, explicit_options_override_the_preset) {
  ts_plan wall = PLAN("--preset", "perturbation", "--case", "spike.*", "--method", "intersection");
  cr_assert_eq(wall.cell_count, 5 * 4);
  for (size_t i = 0; i < wall.cell_count; i++) {
    cr_expect(strncmp(wall.cells[i].c->name, "spike", 5) == 0);
    cr_expect_str_eq(wall.cells[i].method->name, "intersection");
  }
  ts_plan stepped = PLAN("--preset", "time_step", "--steps", "2");
  cr_expect_eq(stepped.cells[0].steps, 2);
  ts_plan plain = PLAN("--preset", "time_step", "--steps", "0");
  cr_expect_eq(plain.cells[0].steps, 0, "0 is a number of steps, not nothing");
  ts_plan longer = PLAN("--preset", "perturbation", "--steps", "9");
  cr_expect_eq(longer.cells[0].steps, 9);
}

Test(harness_preset, a_suite_and_a_setting_may_be_added) {
  ts_plan plan = PLAN("--preset", "perturbation", "--set", "perturb_seed=5", "--suite", "erleben");
  cr_assert_eq(plan.cell_count, 12);
  for (size_t i = 0; i < plan.cell_count; i++)
    cr_expect_eq(value_in(plan.cells[i].case_parameters, "perturb_seed"), 5);
}

Test(harness_preset, an_added_sweep_multiplies_and_varies_faster) {
  ts_plan plan = PLAN("--preset", "perturbation", "--sweep", "perturb_seed=1,2,3", "--method",
                      "growth", "--sweep", "scale=1,2");
  cr_assert_eq(plan.cell_count, 4 * 3 * 2);
  for (size_t i = 0; i < plan.cell_count; i++) {
    const char *parameters = plan.cells[i].case_parameters;
    cr_expect_eq(value_in(parameters, "perturb_m"), 0.01 * (double)(i / 6), "cell %zu", i);
    cr_expect_eq(value_in(parameters, "perturb_seed"), (double)(i / 2 % 3 + 1), "cell %zu", i);
    cr_expect_eq(value_in(parameters, "scale"), (double)(i % 2 + 1), "cell %zu", i);
  }
}

Test(harness_preset, the_parameter_it_sweeps_given_again_is_refused) {
  REFUSED("leave out --set perturb_m=0.5", "--preset", "perturbation", "--set", "perturb_m=0.5");
  REFUSED("leave out --set pillar.perturb_m=0", "--preset", "perturbation", "--set",
          "pillar.perturb_m=0");
  REFUSED("leave out --sweep refinement=0,1", "--preset", "refinement", "--sweep",
          "refinement=0,1");
  REFUSED("--sweep dt_s=0.001,0.01,0.1", "--preset", "time_step", "--set", "simulation.dt_s=0.1");
}

/// Skips a test where an engine was not built.
static void need_engine(const char *name) {
  ts_plugin plugin;
  if (ts_engine_load(&plugin, arena, ts_engine_find(name)) != TS_OK)
    cr_skip_test("%s", ts_status_detail());
}

Test(harness_preset, exact_sets_its_values_for_the_selected_engines) {
  need_engine("bullet_hull");
  ts_plan plan = PLAN("--preset", "exact", "--case", "wall", "--method", "bullet_hull");
  cr_assert_eq(plan.cell_count, 1);
  const char *parameters = plan.cells[0].method_parameters;
  cr_expect_eq(value_in(parameters, "margin_m"), 0, "%s", parameters);
  cr_expect(strstr(parameters, "sat=yes"), "%s", parameters);
  // An engine that is not built does not matter if it is not selected.
  plan = PLAN("--preset", "exact", "--case", "wall", "--method", "growth|bullet_hull");
  cr_assert_eq(plan.cell_count, 2);
}

Test(harness_preset, exact_dilates_every_engine_that_can_be) {
  size_t dilated = 0;
  for (const ts_engine *e = ts_engines; e->name; e++) {
    need_engine(e->name);
    ts_plan plan = PLAN("--preset", "exact", "--case", "wall", "--method", (char *)e->name);
    cr_assert_eq(plan.cell_count, 1);
    double dilation_m = value_in(plan.cells[0].method_parameters, "dilation_m");
    cr_expect(isnan(dilation_m) || dilation_m == 1e-4, "%s: %g", e->name, dilation_m);
    dilated += dilation_m > 0;
  }
  cr_expect_eq(dilated, 8, "all but MuJoCo's two");
}

Test(harness_preset, explicit_settings_of_an_engine_override_exact) {
  need_engine("bullet_hull");
  ts_plan plan = PLAN("--preset", "exact", "--case", "wall", "--method", "bullet_hull", "--set",
                      "margin_m=0.5");
  cr_assert_eq(plan.cell_count, 1);
  cr_expect_eq(value_in(plan.cells[0].method_parameters, "margin_m"), 0.5);
  cr_expect(strstr(plan.cells[0].method_parameters, "sat=yes"));
  plan = PLAN("--preset", "exact", "--case", "wall", "--method", "bullet_hull", "--sweep",
              "bullet_hull.margin_m=0.25,0.75");
  cr_assert_eq(plan.cell_count, 2);
  cr_expect_eq(value_in(plan.cells[0].method_parameters, "margin_m"), 0.25);
}

/// Whether a cell of the plan has these words among its parameters.
static bool has_cell(const ts_plan *plan, const char *of_case, const char *of_simulation) {
  for (size_t i = 0; i < plan->cell_count; i++)
    if (strstr(plan->cells[i].case_parameters, of_case) &&
        strstr(plan->cells[i].simulation_parameters, of_simulation))
      return true;
  return false;
}

Test(harness_preset, table1_has_two_chains_with_warped_and_initial_compliance) {
  ts_plan plan = PLAN("--preset", "table1");
  cr_assert_eq(plan.cell_count, 4);
  for (size_t i = 0; i < plan.cell_count; i++) {
    const ts_cell *cell = &plan.cells[i];
    cr_expect_str_eq(cell->c->name, "soft_chain");
    cr_expect_str_eq(cell->method->name, "control_nodes");
    cr_expect_eq(cell->steps, 121);
    cr_expect_eq(value_in(cell->case_parameters, "young_pa"), 1.5e5);
    cr_expect_eq(value_in(cell->simulation_parameters, "friction"), 0.3);
    cr_expect_eq(value_in(cell->simulation_parameters, "friction_fixed"), 0.3);
  }
  static const char *const directions[] = {"direction=vertical", "direction=horizontal"};
  for (size_t i = 0; i < 2; i++) {
    cr_expect(has_cell(&plan, directions[i], "response=warped"));
    cr_expect(has_cell(&plan, directions[i], "response=initial"));
  }
}

Test(harness_preset, table2_has_four_chains_and_a_rain) {
  ts_plan plan = PLAN("--preset", "table2");
  cr_assert_eq(plan.cell_count, 5);
  cr_expect(has_cell(&plan, "tori=20", "response=warped"));
  cr_expect(has_cell(&plan, "links=five_mixed;direction=horizontal", "response=warped"));
}

Test(harness_preset, settings_and_sweeps_of_what_is_not_selected_do_not_apply) {
  ts_plan rain = PLAN("--preset", "table2", "--case", "soft_rain", "--set", "tori=3");
  cr_assert_eq(rain.cell_count, 1);
  cr_expect_eq(value_in(rain.cells[0].case_parameters, "tori"), 3, "explicit settings override it");
  ts_plan stiff = PLAN("--preset", "table1", "--set", "young_pa=1e6", "--method", "vertex_only");
  cr_assert_eq(stiff.cell_count, 4);
  cr_expect_eq(value_in(stiff.cells[0].case_parameters, "young_pa"), 1e6);
}

Test(harness_preset, each_of_its_sweeps_given_again_is_refused) {
  REFUSED("leave out --set direction=vertical", "--preset", "table1", "--set",
          "direction=vertical");
  REFUSED("leave out --sweep response=exact,warped", "--preset", "table1", "--sweep",
          "response=exact,warped");
  REFUSED("--sweep soft_chain.direction=vertical,horizontal --sweep simulation.response=",
          "--preset", "table1", "--set", "simulation.response=exact");
}

Test(harness_preset, an_unknown_preset_is_refused_with_what_there_is) {
  REFUSED("did you mean \"refinement\"", "--preset", "refinment");
  REFUSED("perturbation, perturbation_prox2018, refinement", "--preset", "x");
}

Test(harness_preset, continuity_and_noise_move_bodies_on_paths) {
  ts_plan path = PLAN("--preset", "continuity", "--method", "growth");
  cr_expect_eq(path.cell_count, 11);
  cr_expect(path.cells[0].steps == 513 && has_text(&path, "stepper=path;path_m=0.001;"));
  ts_plan noise = PLAN("--preset", "noise", "--method", "growth", "--set", "noise_m=1e-6");
  cr_expect(noise.cells[0].steps == 65 && has_text(&noise, "path_m=0;"));
  cr_expect(has_text(&noise, "noise_m=1e-06"), "explicit settings override it");
}

Test(harness_preset, path_and_noise_are_settings_and_steps) {
  ts_plan path = PLAN("--path", "64", "--case", "wall", "--method", "growth");
  cr_expect(path.cells[0].steps == 65 && has_text(&path, "path_steps=64;"));
  ts_plan both = PLAN("--path", "64", "--noise", "1e-8", "--case", "wall", "--method", "growth",
                      "--steps", "9", "--set", "path_m=0.01");
  cr_expect(both.cells[0].steps == 9 && has_text(&both, "path_m=0.01;path_steps=64;"));
  cr_expect(has_text(&both, "noise_m=1e-08"));
  ts_plan noise = PLAN("--noise", "1e-8", "--case", "wall", "--method", "growth");
  cr_expect(noise.cells[0].steps == TS_RUN_NOISE_STEPS && has_text(&noise, "path_m=0;"));
  ts_plan finer = PLAN("--preset", "continuity", "--path", "32", "--method", "growth");
  cr_expect(finer.cells[0].steps == 33 && has_text(&finer, "path_steps=32;"));
}

Test(harness_preset, rows_of_a_simulation_have_no_parameters_of_paths) {
  ts_plan plain = PLAN("--case", "wall", "--method", "growth");
  cr_expect(!has_text(&plain, "path_m") && has_text(&plain, "stepper=touchstone"));
  ts_plan path = PLAN("--case", "wall", "--method", "growth", "--set", "stepper=path");
  cr_expect(has_text(&path, "path_m=0.001;path_steps=512;path_seed=0;noise_m=0"));
}

Test(harness_preset, parameters_of_paths_without_a_path_are_refused) {
  static const char *const sets[] = {"path_m=0.5", "path_steps=64", "path_seed=1", "noise_m=0.01"};
  for (size_t i = 0; i < COUNT(sets); i++) {
    char *arguments[] = {"--case", "wall", "--method", "growth", "--set", (char *)sets[i]};
    ts_run_values values;
    ts_plan plan;
    cr_assert_eq(apply(&values, arguments, 6), TS_OK);
    cr_expect_eq(ts_run_make_plan(&plan, arena, &values), TS_E_INPUT, "%s", sets[i]);
    cr_expect(strstr(ts_status_detail(), "does nothing unless stepper=path"), "%s",
              ts_status_detail());
  }
}

Test(harness_preset, noise_is_added_to_what_a_preset_says) {
  ts_plan plan = PLAN("--preset", "continuity", "--noise", "1e-6", "--method", "growth");
  cr_expect(plan.cells[0].steps == 513 && has_text(&plan, "path_m=0.001;"));
  cr_expect(has_text(&plan, "noise_m=1e-06"));
  ts_plan given =
      PLAN("--noise", "1e-6", "--set", "stepper=path", "--case", "wall", "--method", "growth");
  cr_expect(has_text(&given, "noise_m=1e-06"), "the stepper may be named, too");
}
