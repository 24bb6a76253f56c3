// SPDX-License-Identifier: MIT
/// The journal of a results folder, `journal.log`: what a run knows of itself beyond its rows. It
/// tells which cells ran when the program died, and which rows are safe on the disk, with a
/// fingerprint each. A folder without a journal, or with a damaged one, can be resumed as well.
///
/// A line is a text, a blank and 8 hexadecimal digits of its FNV-1a; reading ends at the first line
/// that is not of that form. The texts, where SIZES are those of the files in bytes, in the order
/// in which they are written (cell_rows.h), separated by blanks, and K is the key of a cell:
///
///     part open SIZES          a process begins to write after these sizes; `open` is overwritten
///     part done SIZES          by `done` when it ends in order
///     begin K                  the cell begins
///     ended K                  it has ended; its rows are in memory
///     cell K SIZES HASHES      its rows have been written and end there, with a hash for each file
///     synced                   all rows before are on the disk
#ifndef TS_REPORTS_JOURNAL_H
#define TS_REPORTS_JOURNAL_H

#include "reports/rows/cell_rows.h"

#include <stdbool.h>

#define TS_JOURNAL_NAME "journal.log"

/// Of a cell's key, with the zero at its end. Cells with longer keys, or with blanks in them, are
/// noted without a key.
#define TS_JOURNAL_KEY_BYTES 48

/// A cell whose rows are on the disk.
typedef struct ts_journal_cell {
  char key[TS_JOURNAL_KEY_BYTES];
  int64_t starts[TS_RESULTS_FILE_COUNT], ends[TS_RESULTS_FILE_COUNT]; ///< of its rows [bytes]
  uint32_t hashes[TS_RESULTS_FILE_COUNT];                             ///< of these bytes
} ts_journal_cell;

/// A cell that ran when the program died, and that has not ended since.
typedef struct ts_journal_suspect {
  char key[TS_JOURNAL_KEY_BYTES];
  int deaths;     ///< of the program in this cell since rows were written last
  bool was_alone; ///< At the last one no other cell ran.
} ts_journal_suspect;

/// Zero-initialise, with `fd` -1.
typedef struct ts_journal {
  int fd;
  int64_t length;
  bool has_died; ///< The last part that was read did not end in order.
  ts_journal_cell *cells;
  size_t cell_count, cell_capacity;
  ts_journal_suspect *suspects;
  size_t suspect_count, suspect_capacity;
  bool has_part; ///< This process has begun its part, at `part_start`, after the sizes `sizes`.
  int64_t part_start, sizes[TS_RESULTS_FILE_COUNT];
} ts_journal;

/// Reads the journal in `fd`, from its current position: `cells`, `suspects` and `has_died`. What
/// follows a damaged line is ignored, and overwritten later. TS_E_MEMORY.
ts_status ts_journal_read(ts_journal *journal);

/// Closes the file and frees the memory.
void ts_journal_free(ts_journal *journal);

/// The cell if it is a suspect, else NULL.
const ts_journal_suspect *ts_journal_suspect_of(const ts_journal *journal, const char *key);

/// Append one line each, after the line of this part if it is the first: `sizes` are those of the
/// files when it began. Each returns 0 or an errno.
int ts_journal_begin(ts_journal *journal, const char *key, const int64_t *sizes);
int ts_journal_ended(ts_journal *journal, const char *key, const int64_t *sizes);
int ts_journal_cell_written(ts_journal *journal, const ts_journal_cell *cell);
int ts_journal_synced(ts_journal *journal);

/// Notes that this part has ended in order, without needing room on the disk.
int ts_journal_part_done(ts_journal *journal);

#endif
