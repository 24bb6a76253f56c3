// SPDX-License-Identifier: MIT
/// The values of the options of `run`.
#ifndef TS_HARNESS_RUN_VALUES_H
#define TS_HARNESS_RUN_VALUES_H

#include "harness/plan/options.h"
#include "harness/plan/plan.h"

/// The suite of a run that names neither suite, case nor scene file.
#define TS_RUN_SUITE_DEFAULT "erleben"

/// Largest seed: they are short enough to be typed.
#define TS_RUN_SEED_MAX 999999999.0

/// `seed` 0: nothing is drawn.
typedef struct ts_run_values {
  const char *cases, *methods, *suite, *preset, *out, *resume;
  ts_assignments sets, sweeps;
  ts_texts plugins, scenes;
  bool with_controls, with_engines, is_quiet;
  double steps, seed, jobs, repeats, min_time_s, time_limit_s, memory_limit_mib;
} ts_run_values;

/// Makes the plan that the options request. If they name neither suite nor case, it has the scene
/// files, or TS_RUN_SUITE_DEFAULT if there are none. A preset must have been applied before
/// (ts_preset_apply).
ts_status ts_run_make_plan(ts_plan *out, ts_arena *arena, const ts_run_values *values);

#endif
