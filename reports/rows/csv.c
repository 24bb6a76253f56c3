// SPDX-License-Identifier: MIT
#include "reports/rows/csv.h"

#include "base/array.h"
#include "base/number.h"
#include "base/status.h"
#include "reports/rows/gzip.h"

#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES ((size_t)16 * 1024)

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool needs_quotes(const char *text, size_t length) {
  if (length == 0)
    return false;
  return is_blank(text[0]) || is_blank(text[length - 1]) || strpbrk(text, ",\"\r\n") != NULL;
}

ts_status ts_csv_add_field(ts_csv_buffer *buffer, const char *text) {
  size_t length = strlen(text), largest = 2 * length + 3;
  if (length > SIZE_MAX / 4)
    return ts_fail(TS_E_MEMORY, "out of memory: a field of %zu bytes", length);
  TS_TRY(TS_HEAP_GROW(buffer->bytes, buffer->capacity, buffer->count, largest));
  char *end = buffer->bytes + buffer->count;
  if (needs_quotes(text, length))
    end += csv_write(end, largest, text, length);
  else
    end = (char *)memcpy(end, text, length) + length;
  *end++ = ',';
  buffer->count = (size_t)(end - buffer->bytes);
  return TS_OK;
}

ts_status ts_csv_add_number(ts_csv_buffer *buffer, double number) {
  TS_TRY(TS_HEAP_GROW(buffer->bytes, buffer->capacity, buffer->count, TS_NUMBER_BYTES + 1));
  buffer->count += ts_number_put(buffer->bytes + buffer->count, number);
  buffer->bytes[buffer->count++] = ',';
  return TS_OK;
}

void ts_csv_end_record(ts_csv_buffer *buffer) {
  if (buffer->count > 0)
    buffer->bytes[buffer->count - 1] = '\n';
}

void ts_csv_buffer_free(ts_csv_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (ts_csv_buffer){0};
}

/// Records are split at newlines outside quotes before they are passed to libcsv, because it does
/// not report positions, and resuming a killed run needs the byte range of each record.
struct ts_csv_reader {
  ts_gzip_reader *source;
  const char *name;
  struct csv_parser parser;
  bool is_at_end; ///< of the file
  bool ends_at_nul;

  char *bytes; ///< [start, end) has been read from the file and not consumed yet
  size_t capacity, start, end;
  size_t scanned; ///< [start, scanned) does not contain the end of the record
  bool in_quotes; ///< state at `scanned`
  int64_t offset; ///< position of `start` in the file
  size_t line;    ///< newlines before `start`

  char *text; ///< Fields of the record, each NUL-terminated.
  size_t text_count, text_capacity;
  size_t *field_starts; ///< [field_count], in `text`
  size_t field_count, field_capacity;
  const char **fields;
  size_t pointer_capacity;
  size_t row_count; ///< rows that libcsv found in the record
  bool has_stray_return, has_nul;
  ts_status status;
};

bool ts_csv_exists(const char *path) {
  char *compressed = NULL;
  if (access(path, F_OK) == 0)
    return true;
  if (asprintf(&compressed, "%s" TS_GZIP_SUFFIX, path) < 0)
    return false;
  bool exists = access(compressed, F_OK) == 0;
  free(compressed);
  return exists;
}

const char *ts_csv_find(ts_arena *arena, const char *path) {
  if (access(path, F_OK) == 0 || !ts_csv_exists(path))
    return path;
  return ts_arena_format(arena, "%s" TS_GZIP_SUFFIX, path);
}

ts_status ts_csv_reader_create(ts_csv_reader **out, int fd, const char *name) {
  ts_csv_reader *reader = calloc(1, sizeof *reader);
  if (!reader)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = ts_gzip_reader_create(&reader->source, fd, name);
  if (status != TS_OK) {
    free(reader);
    return status;
  }
  reader->name = name;
  csv_init(&reader->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_EMPTY_IS_NULL);
  *out = reader;
  return TS_OK;
}

void ts_csv_reader_end_at_nul(ts_csv_reader *reader) {
  reader->ends_at_nul = true;
}

void ts_csv_reader_destroy(ts_csv_reader *reader) {
  if (!reader)
    return;
  csv_free(&reader->parser);
  ts_gzip_reader_destroy(reader->source);
  free(reader->bytes);
  free(reader->text);
  free(reader->field_starts);
  free(reader->fields);
  free(reader);
}

bool ts_csv_is_compressed(const ts_csv_reader *reader) {
  return ts_gzip_is_compressed(reader->source);
}

/// Reads more of the file to `end`.
static ts_status fill(ts_csv_reader *reader) {
  if (reader->start > 0) {
    memmove(reader->bytes, reader->bytes + reader->start, reader->end - reader->start);
    reader->end -= reader->start;
    reader->scanned -= reader->start;
    reader->start = 0;
  }
  TS_TRY(TS_HEAP_GROW(reader->bytes, reader->capacity, reader->end, READ_BYTES));
  size_t count;
  TS_TRY(ts_gzip_read(&count, reader->source, reader->bytes + reader->end,
                      reader->capacity - reader->end));
  const char *nul = reader->ends_at_nul ? memchr(reader->bytes + reader->end, '\0', count) : NULL;
  if (nul)
    count = (size_t)(nul - (reader->bytes + reader->end));
  reader->is_at_end = count == 0 || nul;
  reader->end += count;
  return TS_OK;
}

static ts_status skip_byte_order_mark(ts_csv_reader *reader) {
  while (reader->end < 3 && !reader->is_at_end)
    TS_TRY(fill(reader));
  if (reader->end >= 3 && memcmp(reader->bytes, "\xEF\xBB\xBF", 3) == 0) {
    reader->start = reader->scanned = 3;
    reader->offset = 3;
  }
  return TS_OK;
}

static ts_status fail_quote(const ts_csv_reader *reader, size_t line) {
  return ts_fail(TS_E_INPUT,
                 "%s, line %zu: misplaced quote; put fields that contain quotes in quotes, and "
                 "double the quotes inside",
                 reader->name, line);
}

/// Position in [start, scanned) of a quote that opens inside a field; `scanned` if there is none.
static size_t find_stray_quote(const ts_csv_reader *reader) {
  bool in_quotes = false, is_field_start = true;
  size_t i = reader->start;
  for (; i < reader->scanned; i++) {
    char c = reader->bytes[i];
    if (c == '"' && !in_quotes && !is_field_start)
      break;
    if (c == '"')
      in_quotes = !in_quotes;
    // A doubled quote closes and reopens.
    is_field_start = c == '"' || (!in_quotes && (c == ',' || c == '\n' || c == '\r')) ||
                     (is_field_start && is_blank(c));
  }
  return i;
}

/// A record without an end is cut off, unless a quote in the middle of a field is the cause.
static ts_status check_cut(const ts_csv_reader *reader) {
  size_t stray = reader->in_quotes ? find_stray_quote(reader) : reader->scanned;
  if (stray == reader->scanned)
    return TS_OK;
  size_t line = reader->line + 1;
  for (size_t i = reader->start; i < stray; i++)
    line += reader->bytes[i] == '\n';
  return fail_quote(reader, line);
}

/// Moves `scanned` past the end of the record that begins at `start`, or to the end of the file.
/// Refuses a record as soon as it is too long.
static ts_status find_end(bool *out_found, ts_csv_reader *reader) {
  for (;;) {
    while (reader->scanned < reader->end) {
      char c = reader->bytes[reader->scanned++];
      if (c == '"')
        reader->in_quotes = !reader->in_quotes;
      else if (c == '\n' && !reader->in_quotes) {
        *out_found = true;
        return TS_OK;
      }
    }
    if (reader->is_at_end) {
      *out_found = false;
      return TS_OK;
    }
    if (reader->end - reader->start > TS_CSV_RECORD_BYTES_MAX) {
      TS_TRY(check_cut(reader));
      return ts_fail(TS_E_INPUT,
                     "%s, line %zu: longer than %d bytes, the maximum for a line; this is not a "
                     "CSV file, or a quote is not closed",
                     reader->name, reader->line + 1, TS_CSV_RECORD_BYTES_MAX);
    }
    TS_TRY(fill(reader));
  }
}

/// Called by libcsv with each field; `bytes` is NULL for an empty one.
static void take_field(void *bytes, size_t count, void *data) {
  ts_csv_reader *reader = data;
  if (reader->status != TS_OK)
    return;
  reader->has_stray_return |= reader->row_count > 0;
  reader->has_nul |= count > 0 && memchr(bytes, '\0', count) != NULL;
  reader->status = TS_HEAP_GROW(reader->text, reader->text_capacity, reader->text_count, count + 1);
  if (reader->status == TS_OK)
    reader->status =
        TS_HEAP_GROW(reader->field_starts, reader->field_capacity, reader->field_count, 1);
  if (reader->status != TS_OK)
    return;
  if (count > 0)
    memcpy(reader->text + reader->text_count, bytes, count);
  reader->text[reader->text_count + count] = '\0';
  reader->field_starts[reader->field_count++] = reader->text_count;
  reader->text_count += count + 1;
}

static void take_row(int terminator, void *data) {
  (void)terminator;
  ((ts_csv_reader *)data)->row_count++;
}

/// Splits the record [start, scanned) into fields.
static ts_status split(ts_csv_reader *reader) {
  reader->text_count = reader->field_count = reader->row_count = 0;
  size_t count = reader->scanned - reader->start, line = reader->line + 1;
  size_t done = csv_parse(&reader->parser, reader->bytes + reader->start, count, take_field,
                          take_row, reader);
  if (reader->status != TS_OK)
    return reader->status;
  if (done != count && csv_error(&reader->parser) != CSV_EPARSE)
    return ts_fail(TS_E_MEMORY, "%s, line %zu: %s", reader->name, line,
                   csv_strerror(csv_error(&reader->parser)));
  if (done != count)
    return fail_quote(reader, line);
  if (reader->has_stray_return)
    return ts_fail(TS_E_INPUT, "%s, line %zu: carriage return inside a line; quote the field",
                   reader->name, line);
  if (reader->has_nul)
    return ts_fail(TS_E_INPUT, "%s, line %zu: NUL byte; this is not a text file", reader->name,
                   line);
  TS_TRY(TS_HEAP_GROW(reader->fields, reader->pointer_capacity, 0, reader->field_count));
  for (size_t i = 0; i < reader->field_count; i++)
    reader->fields[i] = reader->text + reader->field_starts[i];
  return TS_OK;
}

ts_status ts_csv_read(bool *out_found, ts_csv_record *out, ts_csv_reader *reader) {
  if (reader->offset == 0 && reader->end == 0)
    TS_TRY(skip_byte_order_mark(reader));
  bool is_whole = true;
  do {
    TS_TRY(find_end(&is_whole, reader));
    *out_found = reader->scanned > reader->start;
    if (!*out_found)
      return TS_OK;
    reader->field_count = 0;
    TS_TRY(is_whole ? split(reader) : check_cut(reader));
    size_t count = reader->scanned - reader->start;
    *out = (ts_csv_record){reader->field_count,
                           reader->fields,
                           reader->line + 1,
                           reader->offset,
                           reader->offset + (int64_t)count,
                           !is_whole};
    for (size_t i = reader->start; i < reader->scanned; i++)
      reader->line += reader->bytes[i] == '\n';
    reader->offset += (int64_t)count;
    reader->start = reader->scanned;
  } while (is_whole && out->field_count == 0);
  return TS_OK;
}
