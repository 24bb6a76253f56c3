// SPDX-License-Identifier: MIT
// covers: harness/simulation/simulation.c
#include "harness/simulation/simulation.h"

#include "base/sanitizer.h"
#include "harness/controls/controls.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(harness_simulation, .init = scoring_setup, .fini = scoring_teardown, .timeout = 120);

static ts_cell_rows run_steps(cell_draft *draft, int64_t steps) {
  return run_draft_steps(arena, draft, steps);
}

static ts_cell_rows run_case(const char *case_name, const ts_method *method, int64_t steps) {
  cell_draft draft = draft_cell(arena, case_name, method);
  return run_steps(&draft, steps);
}

/// Whether two records are bitwise equal, apart from times and facts about the machine.
static bool same_record(const ts_record *a, const ts_record *b) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->compare == TS_COMPARE_REPORT)
      continue;
    if (field->kind == TS_FIELD_TEXT) {
      if (strcmp(ts_row_text(field, a), ts_row_text(field, b)) != 0)
        return false;
      continue;
    }
    double x = ts_row_number(field, a), y = ts_row_number(field, b);
    if (memcmp(&x, &y, sizeof x) != 0 && !(isnan(x) && isnan(y)))
      return false;
  }
  return true;
}

Test(harness_simulation, each_requested_step_has_a_row) {
  const ts_method *method = ts_method_find("closest_points");
  ts_cell_rows rows = run_case("pillar", method, 1);
  cr_assert_eq(rows.record_count, 1);
  cr_expect_eq(rows.records[0].step, 0);
  cr_expect(isnan(rows.records[0].drift_m_max) && isnan(rows.records[0].contacts_mean));
  ts_cell_rows two = run_case("pillar", method, 0);
  cr_assert_eq(two.record_count, 2);
  cr_expect_eq(two.records[1].step, TS_PUBLISHED_STEP);
  cr_expect(same_record(&two.records[0], &rows.records[0]));
  ts_cell_rows all = run_case("pillar", method, 6);
  cr_assert_eq(all.record_count, 6);
  for (size_t i = 0; i < 6; i++) {
    cr_expect_eq(all.records[i].step, (double)(i == 0 ? 0 : i + 1));
    cr_expect_str_eq(all.records[i].outcome, "ok", "%s", all.records[i].reason);
    bool is_timed = i == 0 || all.records[i].step == TS_PUBLISHED_STEP;
    cr_expect_eq(isnan(all.records[i].repeats), !is_timed);
    cr_expect_eq(isnan(all.records[i].generate_ns_median), !is_timed);
    cr_expect_eq(strlen(all.records[i].contacts_hash), 16);
  }
  cr_expect(same_record(&all.records[0], &two.records[0]));
  cr_expect(same_record(&all.records[2], &two.records[1]), "step 3 is the same however asked for");
}

Test(harness_simulation, contacts_are_listed_of_the_first_the_published_and_the_last_step) {
  ts_cell_rows rows = run_case("pillar", ts_method_find("closest_points"), 7);
  double listed = 0;
  size_t row = 0;
  for (size_t i = 0; i < rows.record_count; i++) {
    const ts_record *r = &rows.records[i];
    bool is_listed = r->step == 0 || r->step == 3 || r->step == 7;
    cr_expect_eq(r->contacts_listed, is_listed ? r->contacts_unique : 0, "step %g", r->step);
    listed += r->contacts_listed;
    for (; row < rows.contact_count && rows.contacts[row].step == r->step; row++)
      cr_expect(is_listed);
  }
  cr_expect_eq(row, rows.contact_count);
  cr_expect_eq(listed, (double)rows.contact_count);
}

Test(harness_simulation, counts_are_those_of_the_steps_so_far) {
  ts_cell_rows rows = run_case("pillar", ts_method_find("intersection"), 20);
  cr_assert_eq(rows.record_count, 20);
  bool do_counts_differ = false;
  for (size_t last = 1; last < 20; last++) {
    double sum = 0, squares = 0, least = INFINITY, most = 0, steps = (double)last;
    for (size_t i = 1; i <= last; i++) {
      double count = rows.records[i].contacts_unique;
      sum += count;
      least = fmin(least, count);
      most = fmax(most, count);
    }
    for (size_t i = 1; i <= last; i++)
      squares += pow(rows.records[i].contacts_unique - sum / steps, 2);
    const ts_record *r = &rows.records[last];
    double stddev = last > 1 ? sqrt(squares / (steps - 1)) : 0;
    cr_expect_float_eq(r->contacts_mean, sum / steps, 1e-9);
    cr_expect_float_eq(r->contacts_stddev, stddev, 1e-9);
    cr_expect_eq(r->contacts_min, least);
    cr_expect_eq(r->contacts_max, most);
    do_counts_differ |= least != most;
  }
  cr_expect(do_counts_differ, "or nothing was tested");
}

/// A method that finds nothing.
static ts_status generate_nothing(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                  const void *shape_b, void *pair_state, const double *params) {
  (void)host, (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  return TS_OK;
}

static const ts_method blind = {.abi = TS_METHOD_ABI,
                                .struct_size = sizeof(ts_method),
                                .name = "blind",
                                .generate = generate_nothing};

Test(harness_simulation, bodies_without_contacts_fall) {
  cell_draft draft = draft_cell(arena, "pillar", &blind);
  draft.simulation_values[TS_SIMULATION_DAMPING] = 0;
  ts_cell_rows rows = run_steps(&draft, 11);
  const double g = 9.82, dt = 0.01;
  for (size_t i = 1; i < rows.record_count; i++) {
    // Moreau's midpoint rule: after n steps the speed is n dt g, the way dt times the mean of the
    // speeds before and after each step.
    const ts_record *r = &rows.records[i];
    double n = r->step - 1, way = 0.5 * g * n * n * dt * dt, speed = n * dt * g;
    cr_expect_float_eq(r->drift_m_max, way, 1e-12, "step %g: %.17g", r->step, r->drift_m_max);
    double mass_kg = 2 * r->kinetic_energy_j / (speed * speed);
    cr_expect_gt(mass_kg, 1);
    cr_expect_float_eq(r->potential_energy_j / (mass_kg * g * way), -1, 1e-9);
    cr_expect_eq(r->overlap_m_max, 0);
    cr_expect_eq(r->contacts_max, 0);
    cr_expect_eq(r->residual_kg_m_s, 0);
  }
}

/// The motion must equal that of the scene with scale 1, with lengths and energies scaled.
Test(harness_simulation, motions_are_similar_at_any_scale) {
  static const char *const cases[] = {"pillar", "sliding_spike", "spike_in_crack"};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    ts_record one = run_case(cases[c], control_named("control_ideal"), 10).records[9];
    for (int k = -1; k <= 1; k += 2) {
      double scale = pow(10, 3 * k);
      cell_draft draft = draft_cell(arena, cases[c], control_named("control_ideal"));
      draft_set(arena, &draft, "scale", scale);
      ts_record r = run_steps(&draft, 10).records[9];
      cr_assert_str_eq(r.outcome, "ok", "%s", r.reason);
      cr_expect_float_eq(r.drift_m_max / scale, one.drift_m_max, 1e-9 * (1 + one.drift_m_max),
                         "%s, scale %g: %.17g, not %.17g", cases[c], scale, r.drift_m_max / scale,
                         one.drift_m_max);
      double energy = r.kinetic_energy_j / pow(scale, 5);
      cr_expect_float_eq(energy, one.kinetic_energy_j, 1e-6 * (1 + one.kinetic_energy_j),
                         "%s, scale %g: %.17g, not %.17g", cases[c], scale, energy,
                         one.kinetic_energy_j);
    }
  }
}

Test(harness_simulation, gravity_turns_with_the_scene) {
  static const char *const cases[] = {"pillar", "arch", "sliding_wedge", "spike_in_hole"};
  const double fall_m = 0.5 * 9.82 * 25e-4; // in five steps of 0.01 s
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    double drift_m[2][2], energy_j[2][2];
    for (int i = 0; i < 4; i++) {
      cell_draft draft =
          draft_cell(arena, cases[c], i % 2 ? &blind : control_named("control_ideal"));
      draft_set(arena, &draft, "motion_seed", i / 2 ? 7 : 0);
      ts_record r = run_steps(&draft, 6).records[5];
      drift_m[i / 2][i % 2] = r.drift_m_max;
      energy_j[i / 2][i % 2] = r.potential_energy_j;
    }
    cr_expect_float_eq(drift_m[1][1], drift_m[0][1], 1e-12, "%s falls", cases[c]);
    cr_expect_float_eq(energy_j[1][1], energy_j[0][1], 1e-9 * fabs(energy_j[0][1]));
    cr_expect_lt(energy_j[1][1], 0);
    // Where many sets of impulses support a body, the solution of the solver depends on the order
    // of the contacts, which changes as the scene is rotated; and rounding decides in which step a
    // wall of the hole opens.
    bool is_one = strcmp(cases[c], "sliding_wedge") == 0;
    cr_expect_float_eq(drift_m[1][0], drift_m[0][0], is_one ? 1e-9 : 0.02 * fall_m,
                       "%s: %.17g, not %.17g", cases[c], drift_m[1][0], drift_m[0][0]);
  }
}

Test(harness_simulation, a_normal_that_is_not_finite_is_a_skipped_row_and_the_last) {
  ts_cell_rows rows = run_case("pillar", control_named("control_nan"), 5);
  cr_assert_eq(rows.record_count, 2);
  cr_expect_str_eq(rows.records[0].outcome, "ok");
  cr_expect_gt(rows.records[0].normals_invalid, 0);
  const ts_record *r = &rows.records[1];
  cr_expect_eq(r->step, 2);
  cr_expect_str_eq(r->outcome, "skipped");
  cr_expect(strstr(r->reason, "bodies ") && strstr(r->reason, "normal"), "%s", r->reason);
  cr_expect(isnan(r->drift_m_max) && isnan(r->sweeps));
  cr_expect_gt(r->contacts_unique, 0, "what was known stays");
  for (size_t i = 0; i < rows.contact_count; i++)
    cr_expect_eq(rows.contacts[i].step, 0);
  cr_expect_eq(rows.sample_count, 1);
  ts_cell_rows published = run_case("pillar", control_named("control_nan"), 0);
  cr_assert_eq(published.record_count, 2);
  cr_expect_eq(published.records[1].step, 2,
               "the step that was skipped, though it is not asked for");
}

static int calls;

/// Fails at the fourth state.
static ts_status generate_thrice(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                 const void *shape_b, void *pair_state, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  if (++calls > 5) // twice at steps 0 and 3, timed, and once at step 2
    return host->fail(host, TS_E_INPUT, "tired");
  return TS_OK;
}

Test(harness_simulation, a_method_that_fails_at_a_step_has_the_rows_before) {
  ts_method method = blind;
  method.generate = generate_thrice;
  ts_cell_rows rows = run_case("sliding_spike", &method, 9);
  cr_assert_eq(rows.record_count, 4);
  for (size_t i = 0; i < 3; i++)
    cr_expect_str_eq(rows.records[i].outcome, "ok");
  cr_expect_eq(rows.records[3].step, 4);
  cr_expect_str_eq(rows.records[3].outcome, "failed");
  cr_expect_str_eq(rows.records[3].reason, "tired");
}

Test(harness_simulation, structures_stand_on_ideal_contacts) {
  static const char *const cases[] = {"pillar", "arch"};
  const int64_t steps = TS_HAS_ADDRESS_SANITIZER ? 50 : 500;
  for (size_t c = 0; c < 2; c++) {
    cell_draft draft = draft_cell(arena, cases[c], control_named("control_ideal"));
    draft.simulation_values[TS_SIMULATION_START] = 1;
    draft.simulation_values[TS_SIMULATION_TOLERANCE] = 1e-6;
    ts_cell_rows rows = run_steps(&draft, steps);
    const ts_record *last = &rows.records[rows.record_count - 1];
    cr_assert_eq(last->step, (double)steps, "%s: %s", cases[c], last->reason);
    double drift_m = last->drift_m_max;
    cr_expect(drift_m > 0 && drift_m < 1e-3, "%s: %g", cases[c], drift_m);
  }
}

/// Drift of an arch of this thickness with ideal contacts [m].
static double drift_of_arch(double thickness_m, int64_t steps) {
  cell_draft draft = draft_cell(arena, "arch", control_named("control_ideal"));
  draft_set(arena, &draft, "thickness_m", thickness_m);
  draft.simulation_values[TS_SIMULATION_START] = 1;
  ts_cell_rows rows = run_steps(&draft, steps);
  const ts_record *last = &rows.records[rows.record_count - 1];
  cr_assert_eq(last->step, (double)steps, "%s", last->reason);
  cr_assert_str_eq(last->outcome, "ok", "%s", last->reason);
  return last->drift_m_max;
}

Test(harness_simulation, an_arch_stands_when_it_is_thick_enough) {
  double thick_m = drift_of_arch(0.5, 100), thin_m = drift_of_arch(0.4, 200);
  cr_expect_lt(thick_m, 1e-3, "%g", thick_m);
  cr_expect_gt(thin_m, 0.1, "%g", thin_m);
}

Test(harness_simulation, the_same_run_gives_the_same_bits) {
  for (int start = 0; start < 2; start++) {
    cell_draft draft = draft_cell(arena, "pillar", ts_method_find("closest_points"));
    draft.simulation_values[TS_SIMULATION_START] = start;
    ts_cell_rows a = run_steps(&draft, 12), b = run_steps(&draft, 12);
    cr_assert(a.record_count == 12 && b.record_count == 12);
    for (size_t i = 0; i < 12; i++)
      cr_expect(same_record(&a.records[i], &b.records[i]), "step %g", a.records[i].step);
  }
}
