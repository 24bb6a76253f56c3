// SPDX-License-Identifier: MIT
/// The values of the options of `run`.
#ifndef TS_HARNESS_RUN_VALUES_H
#define TS_HARNESS_RUN_VALUES_H

#include "harness/plan/options.h"
#include "harness/plan/plan.h"
#include "harness/run/limit_options.h"

/// The suite of a run that names neither suite, case nor scene file.
#define TS_RUN_SUITE_DEFAULT "erleben"

/// Largest seed: they are short enough to be typed.
#define TS_RUN_SEED_MAX 999999999.0

/// `seed` 0: nothing is drawn. `seeds` 0: one draw of each case, or with `seed` 0 the case as
/// designed. `path` and `noise_m` 0: bodies move under their contacts.
typedef struct ts_run_values {
  const char *suite, *preset, *out, *resume, *shard, *contacts;
  ts_assignments sets, sweeps;
  ts_texts cases, methods; ///< patterns, of which each selects something
  ts_texts plugins, scenes;
  ts_texts chains; ///< of modifiers
  bool with_controls, with_engines, is_quiet, is_compressed;
  double steps, path, noise_m, seed, seeds, jobs, repeats, min_time_s;
  ts_limit_values limits;
} ts_run_values;

/// Turns `path` and `noise_m`, unless they are 0, into settings of the simulation, and into the
/// number of steps unless it is among the options that were `given` (see ts_arguments), to which it
/// is added: a whole oscillation, or TS_RUN_NOISE_STEPS. Noise alone is added to what a preset says
/// of paths and steps. TS_E_MEMORY.
ts_status ts_run_set_path(ts_run_values *values, uint64_t *given, ts_arena *arena);

#define TS_RUN_NOISE_STEPS 65

/// What --contacts may be: "all", "bad", "none".
size_t ts_run_contacts_choices(const char **out);

/// Makes the plan that the options request. If they name neither suite nor case, it has the scene
/// files, or TS_RUN_SUITE_DEFAULT if there are none. A preset must have been applied before
/// (ts_preset_apply). The plan is the whole one, whatever the shard.
ts_status ts_run_make_plan(ts_plan *out, ts_arena *arena, const ts_run_values *values);

#endif
