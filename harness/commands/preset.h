// SPDX-License-Identifier: MIT
/// Runs that have a name, each started with one command: studies of the paper, and the packaged
/// engines at exact settings.
#ifndef TS_HARNESS_PRESET_H
#define TS_HARNESS_PRESET_H

#include "harness/run/run_values.h"

typedef struct ts_preset {
  const char *name, *summary, *source;
  const char *cases, *methods; ///< regular expressions, as --case and --method; NULL cases: all
  double steps;                ///< as --steps
  bool with_engines;           ///< as --engines
  ts_assignment sweep;         ///< as --sweep; no name: none
  /// As --set, "method.name", for those of the methods that are selected; NULL: none. The last one
  /// has no name.
  const ts_assignment *sets;
} ts_preset;

/// NULL-terminated.
extern const ts_preset *const ts_presets[];

/// Puts what `values->preset` says into the values whose options were not given (`given`, see
/// ts_arguments): cases, methods, steps; its sweep stands before those given, and a parameter that
/// is set or swept besides keeps what is given instead of the preset's setting. What is left are
/// values without a preset, so that a run that goes on is the same whatever the presets are then.
/// TS_E_INPUT for an unknown name, with what there is, and when the parameter that the preset
/// sweeps is set or swept besides.
ts_status ts_preset_apply(ts_run_values *values, uint64_t given, ts_arena *arena);

#endif
