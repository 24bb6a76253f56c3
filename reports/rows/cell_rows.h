// SPDX-License-Identifier: MIT
/// The rows of one cell, and the files of a results folder that they go to.
#ifndef TS_REPORTS_CELL_ROWS_H
#define TS_REPORTS_CELL_ROWS_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

/// The files beside summary.csv, in the order in which they are written: X(name of the file in
/// capitals, kind of row, name of the file, column of summary.csv that says how many rows of a
/// state the file has). All that writes, reads, merges, compresses, checks and resumes results
/// follows this list; to add a file, add a line here, and its rows to record.h and where they are
/// made.
#define TS_DETAIL_FILES(X)                                                                         \
  X(CONTACTS, contact, contacts, contacts_listed)                                                  \
  X(REGIONS, region, regions, regions_listed)                                                      \
  X(POSES, pose, poses, poses_listed)                                                              \
  X(SAMPLES, sample, samples, repeats)

/// The index of each file, in that order. The summary is written last: its rows mean that those of
/// the other files are there.
#define TS_FILE_INDEX(FILE, ...) TS_##FILE##_FILE,
enum {
  TS_DETAIL_FILES(TS_FILE_INDEX) TS_SUMMARY_FILE,
  TS_RESULTS_FILE_COUNT,
  TS_DETAIL_FILE_COUNT = TS_SUMMARY_FILE
};

/// The results of one cell: `records` [record_count], one row a step; `contacts` [contact_count],
/// `regions` [region_count] and so on. Borrowed.
#define TS_FILE_ROWS(FILE, row, name, ...)                                                         \
  const ts_##row##_row *name;                                                                      \
  size_t row##_count;
typedef struct ts_cell_rows {
  const ts_record *records;
  size_t record_count;
  TS_DETAIL_FILES(TS_FILE_ROWS)
} ts_cell_rows;

/// Rows [count] of the type of a file.
typedef struct ts_rows_view {
  const void *rows;
  size_t count;
} ts_rows_view;

/// The kind of row of a file.
const ts_row_type *ts_results_row_type(int file);

/// The rows of a cell that go to a file, and setting them.
ts_rows_view ts_cell_rows_of(const ts_cell_rows *rows, int file);
void ts_cell_rows_set(ts_cell_rows *rows, int file, ts_rows_view view);

/// How many rows of its state a record says that the file has; NaN: it does not say. Of samples it
/// counts those of phase "generate" only (ts_results_is_counted).
double ts_results_stated(const ts_record *record, int file);
bool ts_results_is_counted(int file, const char *phase);

/// "rows", or "rows of phase generate", for messages.
const char *ts_results_counted_word(int file);

/// How many counted rows of a file are of that step.
size_t ts_cell_rows_count(const ts_cell_rows *rows, int file, double step);

/// The step of a row of a file.
double ts_row_step(const ts_row_type *type, const void *row);

/// Replaces the texts of a row by copies in the arena; those equal to the ones of `previous` (a row
/// or NULL) are shared. TS_E_MEMORY.
ts_status ts_row_keep_texts(const ts_row_type *type, void *row, ts_arena *arena,
                            const void *previous);

/// Copies all rows with their texts to the arena. TS_E_MEMORY.
ts_status ts_cell_rows_copy(ts_cell_rows *out, ts_arena *arena, const ts_cell_rows *rows);

#endif
