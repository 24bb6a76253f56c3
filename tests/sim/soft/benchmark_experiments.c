// SPDX-License-Identifier: MIT
/// Runs the experiments with exact contacts (soft_experiments.h) and prints what each response made
/// of them beside those of a reference implementation in double precision: ours | those. Fails
/// where they differ by more than they may: a beam by 20 percent, the shapes of a chain, whose
/// motions diverge, by half, the accelerations of a block by 1e-4 m/s2.
///
/// usage: benchmark_experiments [beam|chain|block]...; all by default.
#include "tests/sim/soft/soft_experiments.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RESPONSES = TS_COMPLIANCE_COUNT };

static int failures;

/// Prints a figure beside that of the reference, NaN: it has none. They agree when their ratio is
/// not above `ratio`, or the difference not above `rounding`, half of a last digit.
static void print_figure(const char *name, double is, double reference, double ratio,
                         double rounding) {
  bool agrees = isnan(reference) || fabs(is - reference) <= rounding ||
                (is * reference > 0 && fabs(is) <= ratio * fabs(reference) &&
                 fabs(reference) <= ratio * fabs(is));
  printf("; %s %.4g | %.4g%s", name, is, reference, agrees ? "" : " DIFFERS");
  failures += !agrees;
}

static void require(bool holds, const char *what) {
  if (!holds)
    printf("; %s: NO", what);
  failures += !holds;
}

static void print_solver(const soft_result *r) {
  printf("; sweeps %.1f, not converged %d, contacts up to %d; bits %016" PRIx64 "\n",
         r->sweeps_mean, (int)r->unconverged, (int)r->contacts_max, r->bits);
}

typedef struct beam_row {
  double young_pa, drop_m;
  double step_percent[RESPONSES], farthest_percent[RESPONSES], final_percent[RESPONSES];
  double force_n[RESPONSES];
} beam_row;

static void run_beam(const beam_row *row) {
  soft_scene s;
  soft_result results[RESPONSES];
  soft_scene_init(&s);
  soft_experiment_beam(&s, row->young_pa, row->drop_m);
  soft_experiment_run(results, &s, 120);
  printf("beam, %g Pa, drop %g m: turned by %.1f deg\n", row->young_pa, row->drop_m,
         results[0].rotation_rad * 57.29577951308232);
  for (int kind = 0; kind < RESPONSES; kind++) {
    const soft_result *r = &results[kind];
    printf("  %-8s", ts_compliances[kind].name);
    print_figure("one step, median, %", 100 * r->step_error_median, row->step_percent[kind], 1.2,
                 0.005);
    print_figure("displacement where farthest, %", 100 * r->displacement_farthest,
                 row->farthest_percent[kind], 1.2, 0.005);
    print_figure("in the end, %", 100 * r->displacement[1], row->final_percent[kind], 1.2, 0.005);
    print_figure("force, N", r->normal_force_n, row->force_n[kind], 1.005, 0.05);
    printf("; gap %.1e m", r->gap_min_m);
    require(r->gap_min_m >= -1e-7, "penetration up to 1e-7 m");
    print_solver(r);
  }
  soft_scene_release(&s);
}

static void run_beams(void) {
  static const beam_row rows[] = {
      {3e6, 0.05, {0, 0.44, 5.66}, {0, 0.06, 0.73}, {0, 0.01, 0.13}, {71.5, 71.5, 70.7}},
      {1e6, 0.1, {0, 0.81, 10.6}, {0, 0.13, 1.15}, {0, 0.03, 0.35}, {110.2, 110.1, 108.7}},
      {4e5, 0.2, {0, 3.7, 20.0}, {0, 0.33, 2.11}, {0, 0.22, 0.67}, {115.6, 114.9, 113.1}},
      {2e5, 0.3, {0, 3.9, 20.5}, {0, 0.35, 2.32}, {0, 0.21, 0.87}, {126.3, 126.2, 122.7}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    run_beam(&rows[i]);
}

typedef struct chain_row {
  bool is_horizontal;
  double young_pa, dt_s;
  double largest_percent[RESPONSES], final_percent[RESPONSES];
  double displacement_percent[2]; ///< of warped, at the largest deformation and in the end
} chain_row;

static void run_chain(const chain_row *row) {
  soft_scene s;
  soft_result results[RESPONSES];
  soft_scene_init(&s);
  soft_experiment_chain(&s, row->young_pa, row->dt_s, row->is_horizontal);
  soft_experiment_run(results, &s, 120);
  printf("chain, %s, %g Pa, step %g s\n", row->is_horizontal ? "horizontal" : "vertical",
         row->young_pa, row->dt_s);
  for (int kind = 0; kind < RESPONSES; kind++) {
    const soft_result *r = &results[kind];
    bool is_warped = kind == TS_COMPLIANCE_WARPED;
    printf("  %-8s; one step, median, %% %.4g", ts_compliances[kind].name,
           100 * r->step_error_median);
    // The motions have gone apart in the end: held to less, and their displacement to nothing.
    print_figure("shape where largest, %", 100 * r->deformation[0], row->largest_percent[kind], 1.5,
                 0.05);
    print_figure("in the end, %", 100 * r->deformation[1], row->final_percent[kind], 2, 0.05);
    if (is_warped)
      for (int i = 0; i < 2; i++)
        print_figure(i == 0 ? "displacement then, %" : "in the end, %", 100 * r->displacement[i],
                     row->displacement_percent[i], i == 0 ? 1.5 : (double)INFINITY, 0.05);
    printf("; defect %.1e, max %.1e; gap %.1e m", r->defect_median, r->defect_max, r->gap_min_m);
    print_solver(r);
  }
  require(!row->is_horizontal || results[TS_COMPLIANCE_WARPED].deformation[0] <
                                     results[TS_COMPLIANCE_INITIAL].deformation[0],
          "warped is better than initial");
  soft_scene_release(&s);
}

static void run_chains(void) {
  static const chain_row rows[] = {
      {false, 6e5, 0.0025, {0, 2.9, 2.4}, {0, 2.1, 1.7}, {1.1, 1.4}},
      {false, 6e5, 0.01, {0, 6.1, 4.4}, {0, 4.7, 3.1}, {2.6, 3.1}},
      {false, 1.5e5, 0.01, {0, 11.8, 8.9}, {0, 9.6, 7.8}, {9.3, 8.3}},
      {true, 6e5, 0.0025, {0, 3.7, 16.9}, {0, 3.6, 24.4}, {0.3, 0.3}},
      {true, 6e5, 0.01, {0, 8.4, 70.5}, {0, 8.8, 272}, {0.7, 3.2}},
      {true, 1.5e5, 0.01, {0, 17.8, 39.1}, {0, 14.3, 30.4}, {3.9, 11.8}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    run_chain(&rows[i]);
}

typedef struct block_row {
  double slope_deg;
  double along_mm[RESPONSES], across_mm[RESPONSES], acceleration_m_s2[RESPONSES]; ///< NaN: none
} block_row;

static void run_block(const block_row *row) {
  soft_scene s;
  soft_result results[RESPONSES];
  soft_scene_init(&s);
  soft_experiment_block(&s, row->slope_deg, 1);
  soft_experiment_run(results, &s, 100);
  printf("block, %g degrees\n", row->slope_deg);
  for (int kind = 0; kind < RESPONSES; kind++) {
    const soft_result *r = &results[kind];
    printf("  %-8s", ts_compliances[kind].name);
    print_figure("along, mm", 1e3 * r->centre_m.x, row->along_mm[kind], 1, 0.006);
    print_figure("across, mm", 1e3 * r->centre_m.z, row->across_mm[kind], 1, 0.06);
    print_figure("acceleration, m/s2", 2 * (r->velocity_m_s.x - r->velocity_half_m_s.x),
                 row->acceleration_m_s2[kind], 1, 1e-4);
    printf("; defect %.1e", r->defect_median);
    print_solver(r);
  }
  soft_scene_release(&s);
}

static void run_blocks(void) {
  const double nan = (double)NAN;
  const block_row rows[] = {
      {20, {0.18, 0.18, 1.02}, {0, 0, -0.15}, {0, 0, 0}},
      {25, {0.44, 0.43, 3.60}, {0, 0, -0.39}, {0, 0, 0}},
      {28, {nan, nan, nan}, {0, 0, -8.1}, {0.2749, 0.2700, 0.2766}},
      {35, {nan, nan, nan}, {0, 0, nan}, {1.6105, 1.6063, nan}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    run_block(&rows[i]);
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*run)(void);
  } experiments[] = {{"beam", run_beams}, {"chain", run_chains}, {"block", run_blocks}};
  const size_t count = sizeof experiments / sizeof *experiments;
  for (int k = 1; k < argc; k++) {
    bool is_known = false;
    for (size_t i = 0; i < count; i++)
      is_known = is_known || strcmp(argv[k], experiments[i].name) == 0;
    if (!is_known) {
      fprintf(stderr, "usage: benchmark_experiments [beam|chain|block]...\n");
      return 2;
    }
  }
  for (size_t i = 0; i < count; i++) {
    bool is_wanted = argc == 1;
    for (int k = 1; k < argc; k++)
      is_wanted = is_wanted || strcmp(argv[k], experiments[i].name) == 0;
    if (is_wanted)
      experiments[i].run();
  }
  printf("%d figures differ\n", failures);
  return failures > 0;
}
