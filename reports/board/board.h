// SPDX-License-Identifier: MIT
/// A leaderboard: named results of one version of the data set, ranked.
#ifndef TS_REPORTS_BOARD_H
#define TS_REPORTS_BOARD_H

#include "base/arena.h"
#include "reports/rows/record.h"
#include "reports/study/study.h"

#include <stdbool.h>
#include <stdio.h>

/// A scene of the data set.
typedef struct ts_board_scene {
  const char *name;       ///< "arch_moved_1"
  const char *case_name;  ///< "arch", the stratum of intervals
  const char *parameters; ///< of that case
} ts_board_scene;

/// A method of one of the results.
typedef struct ts_board_entry {
  const char *name; ///< no other entry has it
  const char *method, *method_parameters;
  const char *source;   ///< paper, or project and version; "" when unknown
  const char *provider; ///< "built in", "plug-in mine.so, 0123456789abcdef", "contacts from files"
  const char *program;  ///< "touchstone 0.1.0, commit ..., gcc 12.2.0, Release"
  const char *cpu, *system, *date; ///< "unknown"
  const char *command;    ///< that measures a scene again, DIR and SCENE in place of its file
  const ts_record **rows; ///< [scene_count], in the order of the scenes; NULL: no such row
  size_t missing, skipped, failed; ///< scenes that count as 0
} ts_board_entry;

typedef struct ts_board {
  const char *version; ///< of the data set
  size_t scene_count, case_count;
  const ts_board_scene *scenes; ///< [scene_count]
  size_t entry_count;
  const ts_board_entry *entries; ///< [entry_count], in the order of the ranking
  ts_study study;                ///< its methods are the entries, in the same order
} ts_board;

/// Ranks the entries [count], which are put in order. Rows count as those of the scene's case; a
/// scene that an entry lacks, skips or failed at counts as 0 in quality and coverage.
ts_status ts_board_rank(ts_board *board, ts_arena *arena, ts_board_entry *entries, size_t count);

/// A page that stands alone.
ts_status ts_board_write_html(FILE *file, ts_arena *arena, const ts_board *board);

/// The same numbers for programs: all digits, null or empty where there is none.
ts_status ts_board_write_json(FILE *file, ts_arena *arena, const ts_board *board);
ts_status ts_board_write_csv(FILE *file, ts_arena *arena, const ts_board *board);

/// Whether a file is what ts_board_write_json() has written, of this or another version. False when
/// it cannot be read. TS_E_MEMORY.
ts_status ts_board_is_json(bool *out, ts_arena *arena, const char *path);

#endif
