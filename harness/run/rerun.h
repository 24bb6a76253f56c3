// SPDX-License-Identifier: MIT
/// How to measure a row again, and what to call it.
#ifndef TS_HARNESS_RERUN_H
#define TS_HARNESS_RERUN_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>

typedef struct ts_reruns {
  /// [count]: "wall/opposing/layers:20/step:3": case, method, every parameter that is not the
  /// default, and the step unless it is 0. The same in every run; a row that is there twice gets
  /// "#2" and so on.
  const char **names;
  /// [count]: a line for a shell: "touchstone run --case wall ...", with --controls, --engines or
  /// --plugin FILE where the method is of those, and --scene FILE for --case where the case is.
  const char **commands;
} ts_reruns;

/// For records [count]. Of a case or a method that this touchstone does not have every parameter
/// is told, and where a method of a plug-in comes from is not.
ts_status ts_reruns_make(ts_reruns *out, ts_arena *arena, const ts_record *records, size_t count);

/// The same for the records of a run whose context, NULL when there is none, tells where the
/// plug-ins were.
ts_status ts_reruns_of_run(ts_reruns *out, ts_arena *arena, const ts_record *records, size_t count,
                           const json_t *context);

#endif
