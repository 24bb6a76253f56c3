// SPDX-License-Identifier: MIT
/// Converting rows of the record to CSV records and back, driven by the list of fields.
#ifndef TS_REPORTS_ROWS_H
#define TS_REPORTS_ROWS_H

#include "base/arena.h"
#include "reports/rows/csv.h"
#include "reports/rows/record.h"

/// Appends the names of the columns, and one row: doubles in the shortest form that reads back,
/// counts without decimals, NaN as nan.
ts_status ts_rows_add_header(ts_csv_buffer *buffer, const ts_row_type *type);
ts_status ts_rows_add(ts_csv_buffer *buffer, const ts_row_type *type, const void *row);

/// The field that each column of a file maps to.
typedef struct ts_row_columns {
  size_t count;
  const ts_field **fields; ///< [count]; NULL for an unknown column
} ts_row_columns;

/// Finds the columns of a header, in the arena. TS_E_INPUT for a duplicate column or a missing
/// identity column.
ts_status ts_rows_read_header(ts_row_columns *out, ts_arena *arena, const ts_row_type *type,
                              const ts_csv_record *header, const char *name);

/// TS_E_INPUT, with the line, for a record with more or fewer fields than the header, or cut off.
ts_status ts_rows_check_width(const ts_row_columns *columns, const ts_csv_record *record,
                              const char *name);

/// Reads a number from the text of a field; NaN if empty. TS_E_INPUT, with the line, for invalid
/// numbers and for values that no run writes: a count that is negative or not an integer, a share
/// outside 0 to 100 percent, an infinite or negative time.
ts_status ts_rows_read_number(double *out, const ts_field *field, const ts_csv_record *record,
                              const char *text, const char *name);

/// Reads one record into a row; texts are copied to the arena, or shared with `previous` (a row or
/// NULL) if equal. Fails like the two above.
ts_status ts_rows_read(void *row, ts_arena *arena, const ts_row_type *type,
                       const ts_row_columns *columns, const ts_csv_record *record,
                       const void *previous, const char *name);

/// Receives a row; it and its texts are valid until the next one is read. Any status except TS_OK
/// stops the visit.
typedef ts_status (*ts_row_visit)(void *context, const void *row);

/// Visits the rows of a CSV file of the type one by one, with memory that does not grow with the
/// file; `path` may also be there with ".gz" only (ts_csv_find). Columns are found by name, unknown
/// ones are ignored, missing ones are NaN or "". Fails like ts_summary_read; the rows before the
/// bad line have been visited by then.
ts_status ts_rows_visit(const ts_row_type *type, const char *path, ts_row_visit visit,
                        void *context);

/// A growing array of records. Zero-initialise; the owner frees `records`.
typedef struct ts_record_list {
  ts_record *records;
  size_t count, capacity;
} ts_record_list;

ts_status ts_record_list_add(ts_record_list *list, const ts_record *record);

/// Copies the first `count` records into the arena.
ts_status ts_record_list_keep(ts_record **out, ts_arena *arena, const ts_record_list *list,
                              size_t count);

/// Whether a column is a number that rows may be compared by, and not what tells them apart.
bool ts_field_is_figure(const ts_field *field);

#endif
