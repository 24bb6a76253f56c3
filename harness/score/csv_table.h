// SPDX-License-Identifier: MIT
/// A CSV file written by any program: columns are found by name, in any order, and unknown ones are
/// ignored.
#ifndef TS_HARNESS_CSV_TABLE_H
#define TS_HARNESS_CSV_TABLE_H

#include "base/arena.h"
#include "reports/rows/csv.h"
#include "reports/rows/rows.h"

/// What a file has to be.
typedef struct ts_csv_shape {
  const char *what;          ///< "contacts" or "poses", for messages
  const char *const *needed; ///< [needed_count] columns without which it is refused
  size_t needed_count;
  /// The field that a column is read into; NULL for one that is not read as a field.
  const ts_field *(*field_of)(const char *column);
  const char *const *special; ///< [special_count] columns that are read otherwise
  size_t special_count;
} ts_csv_shape;

typedef struct ts_csv_table {
  const char *path;
  int fd;
  ts_csv_reader *csv;
  ts_csv_record record; ///< the one read last
  size_t column_count;
  const char *const *header; ///< [column_count] as written
  ts_row_columns columns;    ///< the field of each; NULL for none
} ts_csv_table;

/// Opens a file, or the one of that name and ".gz" (ts_csv_find), and reads its header. TS_E_INPUT,
/// saying what to do: the file does not exist, is not a regular one or the pipe of a command, is
/// empty, is not comma-separated, lacks a needed column (a similar one is suggested) or has one
/// twice. Close it even then. Everything but its buffers is in the arena.
ts_status ts_csv_table_open(ts_csv_table *out, ts_arena *arena, const char *path,
                            const ts_csv_shape *shape);
void ts_csv_table_close(ts_csv_table *table);

/// Index of a column; TS_NO_COLUMN when the file has none of that name.
size_t ts_csv_table_column(const ts_csv_table *table, const char *name);

#define TS_NO_COLUMN SIZE_MAX

/// Reads the next record; `*out_found` is false at the end. TS_E_INPUT, with file and line: a
/// number of fields that differs from the header, a missing newline at the end, and what
/// ts_csv_read() refuses.
ts_status ts_csv_table_read(bool *out_found, ts_csv_table *table);

/// Sets the fields of a row, whose texts are borrowed from the record. TS_E_INPUT as
/// ts_rows_read_number().
ts_status ts_csv_table_fill(void *row, const ts_csv_table *table);

#endif
