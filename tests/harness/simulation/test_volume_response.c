// SPDX-License-Identifier: MIT
// covers: harness/simulation/simulation.c harness/narrow_phase/narrow_phase.c
// What Allard 2010 and Faure 2008 say of responses to volumes, on contacts from images: the cheap
// ones of the experiments in docs/response.md.
#include "base/status.h"
#include "harness/run/cell.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(harness_volume_response, .init = scoring_setup, .fini = scoring_teardown, .timeout = 300);

enum { SETS_MAX = 24 };

static const double g_m_s2 = 9.82, block_kg = 500;

/// The rows of one cell, up to a step, with settings "name=value name=value" and no spin friction
/// and no drag.
static ts_cell_rows run_method(const char *method, const char *name, int64_t steps,
                               const char *settings) {
  ts_assignment sets[SETS_MAX] = {{"simulation.spin_length_m", "0"}, {"damping", "0"}};
  size_t count = 2;
  char *text = ts_arena_string(arena, settings);
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
    char *equals = strchr(word, '=');
    cr_assert(equals && count < SETS_MAX, "%s", word);
    *equals = '\0';
    sets[count++] = (ts_assignment){word, equals + 1};
  }
  ts_plan plan;
  ts_cell_rows rows;
  cr_assert_eq(
      ts_plan_create(
          &plan, arena,
          &(ts_plan_request){
              .cases = name, .methods = method, .steps = steps, .set_count = count, .sets = sets}),
      TS_OK, "%s", ts_status_detail());
  cr_assert_eq(plan.cell_count, 1);
  cr_assert_eq(collect_cell(&rows, arena, &plan.cells[0], &once), TS_OK, "%s", ts_status_detail());
  return rows;
}

static ts_cell_rows run(const char *name, int64_t steps, const char *settings) {
  return run_method("ldi_volume", name, steps, settings);
}

/// The last row, which must be there and fine.
static ts_record last(const ts_cell_rows *rows) {
  ts_record r = rows->records[rows->record_count - 1];
  cr_assert_str_eq(r.outcome, "ok", "%s", r.reason);
  return r;
}

static double largest(const ts_cell_rows *rows, const char *column) {
  double most = 0;
  for (size_t i = 1; i < rows->record_count; i++)
    most = fmax(most, ts_row_number(ts_row_find(&ts_summary_rows, column), &rows->records[i]));
  return most;
}

/// Bodies whose faces move out by exactly the envelope, in cells.
#define CELLS "response=volume dilation=faces cell_px=16 "

Test(harness_volume_response, a_block_sticks_and_slides_as_coulomb_says) {
  static const char *const slopes[] = {CELLS "slope=0.4995", CELLS "slope=0.51", CELLS "slope=0.6"};
  static const double speed_m_s[] = {0, 0.08748, 0.84206};
  for (int i = 0; i < 3; i++) {
    ts_cell_rows rows = run("incline", 101, slopes[i]);
    ts_record r = last(&rows);
    double speed = sqrt(2 * r.kinetic_energy_j / block_kg);
    cr_expect_float_eq(speed, speed_m_s[i], i ? 1e-3 * speed_m_s[i] : 1e-5, "%g m/s", speed);
    if (i == 0)
      cr_expect_lt(r.drift_m_max, 1e-5);
    cr_expect_eq(largest(&rows, "detections"), 1, "rest costs one detection a step");
  }
}

Test(harness_volume_response, a_sliding_block_stops_where_its_energy_is_used_up) {
  ts_cell_rows rows = run("sliding_block", 61, CELLS);
  double way_m = 2 * 2 / (2 * 0.5 * g_m_s2);
  cr_expect_float_eq(last(&rows).drift_m_max, way_m, 5e-3 * way_m);
}

// 11.27 rad/s2 for an even pressure; the centres of 2 x 2, 4 x 4 and 8 x 8 cells make 10.42, 11.03
// and 11.21 of it.
Test(harness_volume_response, one_volume_does_not_stop_a_spin_and_cells_do) {
  static const char *const settings[] = {
      "response=volume dilation=faces", "response=volume dilation=faces cell_px=32",
      "response=volume dilation=faces cell_px=16", "response=volume dilation=faces cell_px=8"};
  static const double expected[] = {0, 10.42, 11.03, 11.27};
  for (int i = 0; i < 4; i++) {
    ts_cell_rows rows = run("spun_block", 21, settings[i]);
    double inertia = block_kg * (1 + 1) / 12;
    double slowed = (5 - sqrt(2 * last(&rows).kinetic_energy_j / inertia)) / 0.2;
    cr_expect_float_eq(slowed, expected[i], fmax(1e-9, 0.015 * expected[i]), "%d: %g", i, slowed);
  }
}

Test(harness_volume_response, a_rod_pulled_at_its_end_holds_as_its_cells_say) {
  static const struct {
    const char *hold, *move;
    double constraints;
  } rods[] = {
#define ROD "response=volume dilation=faces dilation_m=0.002 "
      {ROD "pull=0", ROD "pull=0.005", 1},
      {ROD "cell_px=32 pull=0.162", ROD "cell_px=32 pull=0.172", 2},
      {ROD "cell_px=16 pull=0.192", ROD "cell_px=16 pull=0.206", 4},
      {ROD "cell_px=8 pull=0.198", ROD "cell_px=8 pull=0.2107", 8},
  };
  for (size_t i = 0; i < sizeof rods / sizeof *rods; i++) {
    ts_cell_rows hold = run("dragged_rod", 60, rods[i].hold);
    ts_cell_rows move = run("dragged_rod", 60, rods[i].move);
    cr_expect_eq(last(&hold).constraints, rods[i].constraints);
    cr_expect_lt(last(&hold).drift_m_max, 1e-3, "%zu: %g", i, last(&hold).drift_m_max);
    cr_expect_gt(last(&move).drift_m_max, 1e-3, "%zu: %g", i, last(&move).drift_m_max);
  }
}

/// The share of the overlap that one position step leaves.
static double share_left(const char *shape, const char *rows) {
  double volume_m3[2];
  for (int i = 0; i < 2; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "response=volume dilation_m=0 gravity_m_s2=0 resolution_px=128 deep.depth_m=0.1 "
             "shape=%s %s position_iterations=%d",
             shape, rows, i);
    ts_cell_rows cell = run("deep", 2, text);
    ts_record r = last(&cell);
    cr_expect_eq(r.position_iterations, i);
    cr_expect_eq(r.detections, i + 1);
    cr_expect_eq(r.position_limited, 0);
    volume_m3[i] = r.overlap_m3;
  }
  return volume_m3[1] / volume_m3[0];
}

Test(harness_volume_response, one_position_step_leaves_what_closed_forms_say) {
  static const struct {
    const char *shape, *rows;
    double share, within;
  } forms[] = {
      {"box_on_slab", "volume_rows=pair", 0, 1e-5}, // half of the tolerance
      {"box_on_slab", "cell_px=32", 0, 1e-5},
      {"sphere_on_slab", "volume_rows=pair", 0.2404, 0.03},
      {"sphere_on_slab", "cell_px=32", 0.176, 0.2},
      {"sphere_on_slab", "cell_px=16", 0.012, 0.2},
      {"sphere_on_slab", "cell_px=8", 0.0007, 0.2},
      {"two_spheres", "volume_rows=pair", 0.2458, 0.03},
      {"two_spheres", "cell_px=16", 0.046, 0.2},
      {"ridge", "volume_rows=pair", 1.0 / 4, 0.03},
      {"tip", "volume_rows=pair", 8.0 / 27, 0.05}, // 128 pixels
      {"two_tori", "volume_rows=pair", 0.18, 0.05},
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    double share = share_left(forms[i].shape, forms[i].rows);
    cr_expect_float_eq(share, forms[i].share,
                       forms[i].within * (forms[i].share > 0 ? forms[i].share : 1),
                       "%s, %s: %g, not %g", forms[i].shape, forms[i].rows, share, forms[i].share);
  }
}

Test(harness_volume_response, position_steps_end_overlaps_and_say_where_they_are_limited) {
  static const char *const settings[] = {
      "shape=two_tori deep.depth_m=0.1 volume_rows=pair",
      "shape=two_tori deep.depth_m=0.1 cell_px=16",
      "shape=box_in_box deep.depth_m=0.375 volume_rows=pair",
      "shape=box_in_box deep.depth_m=0.375 cell_px=16",
      "shape=sphere_through_plate deep.depth_m=0.02 volume_rows=pair"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "response=volume dilation_m=0 gravity_m_s2=0 position_iterations=40 %s", settings[i]);
    ts_cell_rows rows = run("deep", 2, text);
    ts_record r = last(&rows);
    cr_expect_lt(r.overlap_m_max, 1e-6, "%s", settings[i]);
    cr_expect_leq(r.position_iterations, 15, "%s: %g", settings[i], r.position_iterations);
    cr_expect_lt(r.drift_m_max, 0.45, "%s: %g m", settings[i], r.drift_m_max);
  }
  // A sphere in the middle of the plate, and one swallowed whole: no direction, no row, no jump.
  ts_cell_rows middle = run("deep", 3,
                            "response=volume dilation_m=0 gravity_m_s2=0 "
                            "shape=sphere_through_plate deep.depth_m=0 volume_rows=pair");
  ts_cell_rows inside =
      run("passing", 3, "response=volume dilation_m=0 gravity_m_s2=0 passing.depth_m=0.8");
  cr_expect_eq(last(&middle).drift_m_max, 0);
  cr_expect_eq(last(&inside).drift_m_max + last(&inside).constraints, 0);
}

Test(harness_volume_response, a_stack_too_deep_is_lifted_without_motion) {
  ts_cell_rows rows = run("leaning_stack", 3,
                          CELLS "leaning_stack.count=3 lean_m=0 overlap_m=0.03125 sweeps=20000");
  ts_record r = last(&rows);
  double lifted_j = block_kg * g_m_s2 * 0.03125 * (1 + 2 + 3);
  cr_expect_float_eq(r.position_energy_j, lifted_j, 1e-2 * lifted_j);
  cr_expect_lt(r.kinetic_energy_j, 1e-14);
  cr_expect_eq(largest(&rows, "position_iterations"), 1);
}

Test(harness_volume_response, a_block_without_an_envelope_rests) {
  // A method that needs an overlap must still find one after a position step, or nothing holds the
  // block in the velocities, which then grow while position steps hold it in its place.
  static const char *const settings[] = {"response=volume dilation_m=0 slope=0",
                                         "response=volume dilation_m=0 slope=0 cell_px=16"};
  for (int i = 0; i < 2; i++) {
    ts_cell_rows rows = run("incline", 101, settings[i]);
    ts_record r = last(&rows);
    cr_expect_lt(r.kinetic_energy_j, 1e-6, "%s: %g J", settings[i], r.kinetic_energy_j);
    cr_expect_float_eq(r.contact_force_n_max, block_kg * g_m_s2, 1, "%g", r.contact_force_n_max);
    cr_expect_lt(r.drift_m_max, 0.002);
  }
}

Test(harness_volume_response, bodies_at_touch_are_not_moved_whatever_the_envelope) {
  static const char *const methods[] = {
      "closest_points", "closest_points_tets", "intersection", "intersection_tets", "growth",
      "opposing",       "semi_local"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    ts_cell_rows rows = run_method(methods[i], "incline", 5, "response=volume areas=even slope=0");
    ts_record r = last(&rows);
    cr_expect_lt(r.drift_m_max + fabs(r.position_energy_j), 1e-9, "%s: %g m, %g J", methods[i],
                 r.drift_m_max, r.position_energy_j);
  }
}

Test(harness_volume_response, impulses_that_pull_leave_shares_within_a_hundred_percent) {
  ts_cell_rows rows = run("sliding_block", 60, "response=penalty drop_m=0.02 dt_s=0.005");
  last(&rows);
  for (size_t i = 0; i < rows.record_count; i++) {
    double share = rows.records[i].impulse_jump_percent;
    cr_expect(isnan(share) || (share >= 0 && share <= 100), "step %g: %g", rows.records[i].step,
              share);
  }
}

Test(harness_volume_response, leaning_stacks_stand_on_cells) {
  ts_cell_rows rows = run("leaning_stack", 201, CELLS);
  cr_expect_lt(last(&rows).drift_m_max, 1e-12);
  cr_expect_eq(last(&rows).position_energy_j, 0);
}

Test(harness_volume_response, turned_scenes_do_not_jump_by_slivers) {
  // One contact in 20 at the rim has 0.02 percent of the area, three times the depth, and a normal
  // that is off by 72 degrees.
  ts_cell_rows rows = run("incline", 31, CELLS "slope=0 motion_seed=3");
  cr_expect_lt(last(&rows).drift_m_max, 1e-3, "%g", last(&rows).drift_m_max);
}

Test(harness_volume_response, stabilisation_leaves_alone_what_the_envelope_adds) {
  // Blocks at exact touch: were the envelope an overlap, they would rise by half of it in 0.1 s.
  static const char *const settings[] = {"cell_px=16 stabilisation=0.2 slope=0",
                                         "cell_px=16 stabilisation=0.2 slope=0 dilation=faces"};
  for (int i = 0; i < 2; i++) {
    ts_cell_rows rows = run("incline", 31, settings[i]);
    cr_expect_lt(last(&rows).drift_m_max, 1e-9, "%s: %g", settings[i], last(&rows).drift_m_max);
    cr_expect_lt(last(&rows).overlap_m3, 1e-9);
  }
  ts_cell_rows eroded = run_method("closest_points", "incline", 31, "stabilisation=0.2 slope=0");
  cr_expect_lt(last(&eroded).drift_m_max, 1e-9);
}

Test(harness_volume_response, a_penalty_carries_a_weight_at_the_depth_that_it_says) {
  ts_cell_rows rows =
      run("incline", 301, "response=penalty dilation_m=0 slope=0 dt_s=0.05 stiffness_n_m5=1e6");
  ts_record r = last(&rows);
  double depth_m = block_kg * g_m_s2 / 1e6;
  cr_expect_float_eq(r.drift_m_max, depth_m, 1e-3 * depth_m);
  cr_expect_float_eq(r.elastic_energy_j, 0.5 * 1e6 * depth_m * depth_m,
                     1e-2 * 0.5 * 1e6 * depth_m * depth_m);
  cr_expect_float_eq(r.contact_force_n_max, block_kg * g_m_s2, 1e-3 * block_kg * g_m_s2);
}

Test(harness_volume_response, a_drop_on_a_penalty_rebounds_less_in_longer_steps) {
  static const double dt_s[] = {0.001, 0.0025, 0.005, 0.01}, expected[] = {0.63, 0.28, 0.15, 0};
  for (int i = 0; i < 4; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "response=penalty dilation_m=0 speed_m_s=0 drop_m=0.1 stiffness_n_m5=1e7 dt_s=%g",
             dt_s[i]);
    ts_cell_rows rows = run("sliding_block", (int64_t)(0.5 / dt_s[i]), text);
    double lowest = INFINITY, rebound = -INFINITY;
    for (size_t k = 1; k < rows.record_count; k++) {
      double height_m = rows.records[k].potential_energy_j / (block_kg * g_m_s2);
      bool falls = (double)k * dt_s[i] < 0.2;
      lowest = falls ? fmin(lowest, height_m) : lowest;
      rebound = falls ? rebound : fmax(rebound, height_m);
    }
    double share = (rebound + 0.1) / 0.1;
    cr_expect_float_eq(share, expected[i], 0.05, "dt %g: %g, not %g", dt_s[i], share, expected[i]);
  }
}

Test(harness_volume_response, viscosity_lets_a_block_creep) {
  ts_cell_rows rows = run("incline", 101,
                          "response=penalty dilation_m=0 resolution_px=128 volume_rows=pair "
                          "slope=0.45 stiffness_n_m5=1e7 viscosity_n_s_m3=1e5");
  double sine = 0.45 / sqrt(1 + 0.45 * 0.45), area_m2 = 1 - 0.5 * 0.45;
  double expected = block_kg * g_m_s2 * sine / (1e5 * area_m2);
  double way_m = rows.records[100].drift_m_max - rows.records[60].drift_m_max;
  cr_expect_float_eq(way_m / 0.4, expected, 0.02 * expected, "%g, not %g", way_m / 0.4, expected);
}

Test(harness_volume_response, the_force_on_a_sphere_that_enters_a_box_is_that_of_its_volume) {
  // Up to the equator: beyond it the area of a contact, which counts its larger side, is more than
  // the rate of the volume.
  static const double depths[] = {0.1, 0.2, 0.3};
  for (int i = 0; i < 3; i++) {
    double d = depths[i], pi = 3.14159265358979323846;
    char text[256];
    snprintf(text, sizeof text,
             "response=penalty integration=explicit dilation_m=0 gravity_m_s2=0 resolution_px=128 "
             "stiffness_n_m5=1e6 triangles=32768 passing.depth_m=%g",
             d);
    ts_cell_rows rows = run("passing", 2, text);
    double force = pi * d * d * (0.3 - d / 3) * pi * (0.6 * d - d * d);
    cr_expect_float_eq(last(&rows).contact_force_n_max / 1e6, force, 0.005 * force, "%g: %g", d,
                       last(&rows).contact_force_n_max / 1e6);
  }
}

Test(harness_volume_response, interlocked_rings_swing_and_gain_no_energy) {
  ts_cell_rows rows =
      run("rings", 151, "response=penalty dilation_m=0 stiffness_n_m5=1e9 resolution_px=32");
  double most = -INFINITY,
         first = rows.records[1].kinetic_energy_j + rows.records[1].potential_energy_j;
  for (size_t i = 1; i < rows.record_count; i++)
    most = fmax(most, rows.records[i].kinetic_energy_j + rows.records[i].potential_energy_j +
                          rows.records[i].elastic_energy_j);
  cr_expect_leq(most, first + 1e-9);
  cr_expect_gt(largest(&rows, "kinetic_energy_j"), 100, "it swings");
}

Test(harness_volume_response, motions_are_similar_at_any_scale) {
  static const char *const settings[] = {
      CELLS "slope=0.55", "response=volume dilation=faces volume_rows=pair slope=0.3",
      "response=penalty dilation=faces slope=0.3 viscosity_n_s_m3=1e5",
      "response=penalty dilation=faces slope=0.3 areas=even"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    ts_cell_rows one = run("incline", 21, settings[i]);
    for (int k = -1; k <= 1; k += 2) {
      double scale = pow(1000, k);
      char text[256];
      snprintf(text, sizeof text, "%s scale=%g", settings[i], scale);
      ts_cell_rows other = run("incline", 21, text);
      double drift_m = last(&other).drift_m_max / scale, is_m = last(&one).drift_m_max;
      cr_expect_float_eq(drift_m, is_m, 1e-6 * (is_m + 1e-3), "%s: %.12g, not %.12g", text, drift_m,
                         is_m);
      double volume = last(&other).overlap_m3 / pow(scale, 3);
      cr_expect_float_eq(volume, last(&one).overlap_m3, 1e-6 * (last(&one).overlap_m3 + 1e-6));
    }
  }
}

Test(harness_volume_response, areas_that_are_missing_are_a_skipped_row_with_the_remedy) {
  ts_cell_rows rows = run_method("opposing", "incline", 3, "response=volume slope=0");
  const ts_record *r = &rows.records[rows.record_count - 1];
  cr_expect_str_eq(r->outcome, "skipped");
  cr_expect_not_null(strstr(r->reason, "areas=even"));
  ts_cell_rows even = run_method("opposing", "incline", 21, "response=volume areas=even slope=0.3");
  cr_expect_lt(last(&even).drift_m_max, 1e-6);
  ts_cell_rows eroded =
      run_method("closest_points", "incline", 21, "response=volume areas=even slope=0.3");
  cr_expect_lt(last(&eroded).drift_m_max, 1e-6, "eroded bodies are not pushed apart: %g",
               last(&eroded).drift_m_max);
}
