// SPDX-License-Identifier: MIT
/// The output folder of plots: either all plots are added, or the folder stays as it was.
#ifndef TS_HARNESS_PLOT_FOLDER_H
#define TS_HARNESS_PLOT_FOLDER_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct ts_plot_folder {
  const char *path, *draft; ///< files are written to the draft, a folder inside `path`
  size_t made;              ///< see ts_disk_make_folder()
  int lock;                 ///< on the draft, holds its lock while it is in use; -1: none
} ts_plot_folder;

/// Makes the folder, its parents and the draft. TS_E_INPUT when the folder is not empty and
/// `may_replace` is false, or it has no look.gp of earlier plots; when it has, drafts left by
/// killed programs are removed. `path` is borrowed.
ts_status ts_plot_folder_start(ts_plot_folder *out, ts_arena *arena, const char *path,
                               bool may_replace);

/// If `status` is TS_OK, moves the files of the draft to the folder, replacing files of the same
/// names; otherwise removes them, and the folders that were made. Returns `status`, or the error of
/// moving.
ts_status ts_plot_folder_end(ts_plot_folder *folder, ts_arena *arena, ts_status status);

#endif
