// SPDX-License-Identifier: MIT
/// Prints the tables of the experiments with exact contacts (soft_experiments.h): what each
/// response makes of a beam on a sphere, a chain and a block on a slope.
///
/// usage: benchmark_experiments [beam|chain|block]...; all by default.
#include "tests/sim/soft/soft_experiments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_result(const char *name, const soft_result *r) {
  printf("  %-8s one step %6.2f %% (max %6.1f); shape %6.2f / %6.2f %%; displacement %6.2f / %6.2f "
         "%%; deformed %.4f / %.4f m; defect %.2g (max %.2g); gap %.2g m; force %.2f N; turned "
         "%.2f deg; sweeps %.1f, not converged %d; contacts up to %d\n",
         name, 100 * r->step_error_median, 100 * r->step_error_max, 100 * r->deformation[0],
         100 * r->deformation[1], 100 * r->displacement[0], 100 * r->displacement[1],
         r->exact_deformation_m[0], r->exact_deformation_m[1], r->defect_median, r->defect_max,
         r->gap_min_m, r->normal_force_n, r->rotation_rad * 57.29577951308232, r->sweeps_mean,
         (int)r->unconverged, (int)r->contacts_max);
}

static void print_all(const soft_result *results) {
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++)
    print_result(ts_compliances[kind].name, &results[kind]);
  fflush(stdout);
}

static void run_beams(void) {
  const double rows[4][2] = {{3e6, 0.05}, {1e6, 0.1}, {4e5, 0.2}, {2e5, 0.3}};
  for (int i = 0; i < 4; i++) {
    soft_scene s;
    soft_result results[TS_COMPLIANCE_COUNT];
    soft_scene_init(&s);
    soft_experiment_beam(&s, rows[i][0], rows[i][1]);
    soft_experiment_run(results, &s, 120);
    printf("beam: %g Pa, drop %g m\n", rows[i][0], rows[i][1]);
    print_all(results);
    soft_scene_release(&s);
  }
}

static void run_chains(void) {
  const struct {
    double young_pa, dt_s;
    int steps;
  } rows[3] = {{6e5, 0.0025, 120}, {6e5, 0.01, 120}, {1.5e5, 0.01, 120}};
  for (int is_horizontal = 0; is_horizontal < 2; is_horizontal++)
    for (int i = 0; i < 3; i++) {
      soft_scene s;
      soft_result results[TS_COMPLIANCE_COUNT];
      soft_scene_init(&s);
      soft_experiment_chain(&s, rows[i].young_pa, rows[i].dt_s, is_horizontal);
      soft_experiment_run(results, &s, rows[i].steps);
      printf("chain, %s: %g Pa, step %g s, %g s\n", is_horizontal ? "horizontal" : "vertical",
             rows[i].young_pa, rows[i].dt_s, rows[i].dt_s * rows[i].steps);
      print_all(results);
      soft_scene_release(&s);
    }
}

static void run_blocks(void) {
  const double slopes_deg[4] = {20, 25, 28, 35};
  for (int i = 0; i < 4; i++) {
    soft_scene s;
    soft_result results[TS_COMPLIANCE_COUNT];
    soft_scene_init(&s);
    soft_experiment_block(&s, slopes_deg[i]);
    soft_experiment_run(results, &s, 100);
    printf("block: %g degrees\n", slopes_deg[i]);
    print_all(results);
    for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
      const soft_result *r = &results[kind];
      printf("  %-8s displaced by %.3f / %.3f mm, acceleration %.5f m/s2\n",
             ts_compliances[kind].name, 1e3 * r->centre_m.x, 1e3 * r->centre_m.z,
             (r->velocity_m_s.x - r->velocity_half_m_s.x) / 0.5);
    }
    soft_scene_release(&s);
  }
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*run)(void);
  } experiments[] = {{"beam", run_beams}, {"chain", run_chains}, {"block", run_blocks}};
  for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++) {
    bool is_wanted = argc == 1;
    for (int k = 1; k < argc; k++)
      is_wanted = is_wanted || strcmp(argv[k], experiments[i].name) == 0;
    if (is_wanted)
      experiments[i].run();
  }
  return 0;
}
