// SPDX-License-Identifier: MIT
/// Named runs: studies of the paper, the packaged engines at exact settings, and cases that nobody
/// has seen before.
#ifndef TS_HARNESS_PRESET_H
#define TS_HARNESS_PRESET_H

#include "harness/run/run_values.h"

#define TS_PRESET_SWEEPS_MAX ((size_t)2)

typedef struct ts_preset {
  const char *name, *summary, *source;
  const char *cases, *methods; ///< regular expressions, as for --case and --method; NULL: all
  double steps;                ///< as for --steps
  bool with_engines;           ///< as for --engines
  bool with_controls;          ///< as for --controls
  bool draws;                  ///< as for --seed, with another seed at each run
  /// As for --sweep, "name" or "owner.name"; one whose owner is not selected does not apply. Those
  /// after the last one have no name.
  ts_assignment sweeps[TS_PRESET_SWEEPS_MAX];
  /// As for --set, "owner.name"; only those of the simulation and of selected cases and methods
  /// apply. NULL: none. Ends with an entry without a name.
  const ts_assignment *sets;
} ts_preset;

/// NULL-terminated.
extern const ts_preset *const ts_presets[];

/// Applies `values->preset` to the options that were not given explicitly (`given`, see
/// ts_arguments): cases, methods, steps. Explicit options override the preset. Its sweeps come
/// before explicit ones, and an explicit setting or sweep of a parameter overrides the preset's
/// setting. The resulting values no longer name a preset, so that a resumed run does not depend on
/// the presets of that version; a seed that the preset draws is among them. TS_E_INPUT for an
/// unknown name, listing the valid ones, and when a parameter that the preset sweeps is set or
/// swept explicitly.
ts_status ts_preset_apply(ts_run_values *values, uint64_t given, ts_arena *arena);

#endif
