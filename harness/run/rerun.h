// SPDX-License-Identifier: MIT
/// The command that measures a row again, and a unique name for the row.
#ifndef TS_HARNESS_RERUN_H
#define TS_HARNESS_RERUN_H

#include "base/arena.h"
#include "harness/plan/options.h"
#include "reports/rows/record.h"

#include <jansson.h>

typedef struct ts_reruns {
  /// [count]: "wall/opposing/layers:20/step:3": case, method, every parameter that differs from the
  /// default, and the step unless it is 0. The same in every run; duplicates get "#2" and so on.
  const char **names;
  /// [count]: a shell command: "touchstone run --case wall ...", with --controls, --engines or
  /// --plugin FILE if the method or a modifier needs it, and --scene FILE instead of --case if the
  /// case came from a scene file, and limits that are not the default. Of contacts that were
  /// scored, "touchstone score ...", in the folder in which it was called.
  const char **commands;
} ts_reruns;

/// Where the files of a run are now; without any, where the run found them.
typedef struct ts_rerun_files {
  ts_texts scenes, plugins;
} ts_rerun_files;

/// What makes the cell of a row again.
typedef struct ts_rerun {
  const char *command; ///< as in ts_reruns
  const char *scene;   ///< the scene file of its case as the run was given it (of an absolute path
                       ///< the last part); NULL: a built-in case
  ts_texts plugins;    ///< the files of its method and modifiers, likewise
  bool needs_engines;  ///< its method is a packaged engine
  ts_assignments sets; ///< "owner.name", for every parameter that is not the default
} ts_rerun;

/// For one of the records of a run, in its order, with that context (NULL: none); everything is in
/// the arena.
ts_status ts_rerun_of_row(ts_rerun *out, ts_arena *arena, const ts_record *records, size_t index,
                          const json_t *context, const ts_rerun_files *now);

/// For records [count]. For a case or method unknown to this touchstone every parameter is listed.
/// The file of a plug-in is not known here.
ts_status ts_reruns_make(ts_reruns *out, ts_arena *arena, const ts_record *records, size_t count);

/// The same for the records of a run, in its order, whose context (NULL if there is none) has the
/// files of the plug-ins and the limits of each part.
ts_status ts_reruns_of_run(ts_reruns *out, ts_arena *arena, const ts_record *records, size_t count,
                           const json_t *context);

#endif
