// SPDX-License-Identifier: MIT
/// The folder that plots go to: all of them, or it stays as it was.
#ifndef TS_HARNESS_PLOT_FOLDER_H
#define TS_HARNESS_PLOT_FOLDER_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct ts_plot_folder {
  const char *path, *draft; ///< files are made in the draft, a folder inside the other
  size_t made;              ///< see ts_disk_make_folder()
  int lock;                 ///< on the draft, which says that somebody is at work in it; -1: none
} ts_plot_folder;

/// Makes the folder, its parents and the draft. TS_E_INPUT when the folder has anything in it and
/// `may_replace` is false; when it is true, drafts that killed programs have left are removed.
/// `path` is borrowed.
ts_status ts_plot_folder_start(ts_plot_folder *out, ts_arena *arena, const char *path,
                               bool may_replace);

/// Moves the files of the draft to the folder when `status` is TS_OK, replacing those of their
/// names; else removes them, and what was made of the folder. Returns `status`, or why they could
/// not be moved.
ts_status ts_plot_folder_end(ts_plot_folder *folder, ts_arena *arena, ts_status status);

#endif
