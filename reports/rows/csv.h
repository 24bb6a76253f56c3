// SPDX-License-Identifier: MIT
/// CSV: from fields to bytes and back.
///
/// Written: RFC 4180 with two choices. Lines end in LF alone, because grep, sort and gnuplot show a
/// CR as a stray character, and every CSV reader accepts LF. A field is quoted only if necessary:
/// when it contains a comma, a quote or a newline, or starts or ends with a blank.
///
/// Read: the same, compressed by gzip or not, plus CRLF, a byte order mark, blank lines and blanks
/// around a field (dropped unless quoted). A quote inside an unquoted field, text after a closing
/// quote and a NUL byte are refused.
#ifndef TS_REPORTS_CSV_H
#define TS_REPORTS_CSV_H

#include "base/arena.h"

#include <stdbool.h>

/// Maximum bytes of a record that is read, so that a bad file cannot use unlimited memory.
#define TS_CSV_RECORD_BYTES_MAX (4 * 1024 * 1024)

/// Output buffer. Zero-initialise; free with `ts_csv_buffer_free`.
typedef struct ts_csv_buffer {
  char *bytes;
  size_t count, capacity;
} ts_csv_buffer;

/// Appends one field; TS_E_MEMORY leaves the buffer as it was.
ts_status ts_csv_add_field(ts_csv_buffer *buffer, const char *text);

/// The same for a number (ts_number_put).
ts_status ts_csv_add_number(ts_csv_buffer *buffer, double number);

/// Replaces the comma after the last field by the end of the line.
void ts_csv_end_record(ts_csv_buffer *buffer);

void ts_csv_buffer_free(ts_csv_buffer *buffer);

/// One record of a file. A borrowed view, valid until the next one is read.
typedef struct ts_csv_record {
  size_t field_count;
  const char *const *fields; ///< [field_count]
  size_t line;               ///< line on which it begins, from 1
  int64_t start, end;        ///< its bytes in the file, including the newline
  bool is_cut;               ///< The file ends before the newline; there are no fields then.
} ts_csv_record;

typedef struct ts_csv_reader ts_csv_reader;

/// Whether there is a file of that name, or of that name and ".gz".
bool ts_csv_exists(const char *path);

/// The path of the file to read: `path` itself, or with ".gz" if there is only that (then in the
/// arena). NULL when out of memory.
const char *ts_csv_find(ts_arena *arena, const char *path);

/// Reads from the current position of `fd`, which counts as byte 0; `fd` and `name` (for messages)
/// are borrowed. Positions in a compressed file are those in its content.
ts_status ts_csv_reader_create(ts_csv_reader **out, int fd, const char *name);
void ts_csv_reader_destroy(ts_csv_reader *reader);

/// Whether the file is compressed; known once a record has been read.
bool ts_csv_is_compressed(const ts_csv_reader *reader);

/// Takes the first NUL byte, if there is one, for the end of the file: after a power cut, what had
/// not reached the disk can be zeros. Call it before the first record is read.
void ts_csv_reader_end_at_nul(ts_csv_reader *reader);

/// Reads the next record; `*out_found` is false at the end of the file. TS_E_INPUT, with file and
/// line, for invalid CSV and for a record of more than TS_CSV_RECORD_BYTES_MAX.
ts_status ts_csv_read(bool *out_found, ts_csv_record *out, ts_csv_reader *reader);

#endif
