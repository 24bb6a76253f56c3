// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "reports/rows/rows.h"

static void flush(FILE *file, ts_csv_buffer *buffer) {
  fwrite(buffer->bytes, 1, buffer->count, file);
  buffer->count = 0;
}

static ts_status write_rows(FILE *file, ts_csv_buffer *buffer, const ts_format_source *source) {
  ts_status status = ts_rows_add_header(buffer, &ts_summary_rows);
  for (size_t i = 0; i < source->count && status == TS_OK; i++) {
    flush(file, buffer);
    status = ts_rows_add(buffer, &ts_summary_rows, &source->records[i]);
  }
  flush(file, buffer);
  return status;
}

static ts_status write_csv(FILE *file, ts_arena *arena, const ts_format_source *source) {
  (void)arena;
  ts_csv_buffer buffer = {0};
  ts_status status = write_rows(file, &buffer, source);
  ts_csv_buffer_free(&buffer);
  return status;
}

const ts_format ts_format_csv = {
    .name = "csv",
    .readers = "pandas, gnuplot, a baseline",
    .summary = "The rows of summary.csv, with the columns of this touchstone.",
    .reads = "",
    .write = write_csv,
};
