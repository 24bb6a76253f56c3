// SPDX-License-Identifier: MIT
#include "harness/run/cell_ipc.h"

#include "base/hash.h"
#include "base/status.h"
#include "reports/rows/outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Header of the file; the rows follow.
typedef struct header {
  uint64_t mark, row_bytes, hash;
} header;

#define MARK UINT64_C(0x7473706172636c31)

typedef struct writer {
  int file;
  uint64_t hash, written;
  size_t used;
  bool has_failed;
  unsigned char bytes[16384];
} writer;

static void write_all(writer *w, const void *data, size_t count, off_t at) {
  const unsigned char *bytes = data;
  while (count > 0 && !w->has_failed) {
    ssize_t done = pwrite(w->file, bytes, count, at);
    if (done < 0 && errno == EINTR)
      continue;
    w->has_failed = done <= 0;
    if (done > 0) {
      bytes += done;
      at += done;
      count -= (size_t)done;
    }
  }
}

static void flush(writer *w) {
  write_all(w, w->bytes, w->used, (off_t)(sizeof(header) + w->written));
  w->hash = ts_hash_bytes(w->hash, w->bytes, w->used);
  w->written += w->used;
  w->used = 0;
}

static void put(writer *w, const void *data, size_t count) {
  const unsigned char *bytes = data;
  while (count > 0) {
    size_t room = sizeof w->bytes - w->used;
    size_t now = count < room ? count : room;
    memcpy(w->bytes + w->used, bytes, now);
    w->used += now;
    bytes += now;
    count -= now;
    if (w->used == sizeof w->bytes)
      flush(w);
  }
}

static void put_rows(writer *w, const ts_row_type *type, const void *rows, size_t row_count) {
  uint64_t count = row_count;
  put(w, &count, sizeof count);
  for (size_t i = 0; i < row_count; i++) {
    const char *row = (const char *)rows + i * type->row_bytes;
    for (size_t k = 0; k < type->field_count; k++) {
      const ts_field *field = &type->fields[k];
      if (field->kind == TS_FIELD_TEXT) {
        const char *text = ts_row_text(field, row);
        uint64_t length = strlen(text);
        put(w, &length, sizeof length);
        put(w, text, length);
      } else {
        double number = ts_row_number(field, row);
        put(w, &number, sizeof number);
      }
    }
  }
}

ts_status ts_cell_ipc_write(int file, const ts_cell_rows *rows) {
  writer w = {.file = file, .hash = TS_HASH_START};
  put_rows(&w, &ts_summary_rows, rows->records, rows->record_count);
  put_rows(&w, &ts_contact_rows, rows->contacts, rows->contact_count);
  put_rows(&w, &ts_sample_rows, rows->samples, rows->sample_count);
  flush(&w);
  header head = {MARK, w.written, w.hash};
  write_all(&w, &head, sizeof head, 0);
  return w.has_failed ? ts_fail(TS_E_IO,
                                "the rows of the cell could not be passed to the parent process: "
                                "%s; see ulimit -f",
                                strerror(errno))
                      : TS_OK;
}

typedef struct reader {
  const unsigned char *next, *end;
} reader;

static ts_status damaged(void) {
  return ts_fail(TS_E_INPUT, "left unreadable results");
}

static ts_status take(void *out, reader *r, size_t count) {
  if ((size_t)(r->end - r->next) < count)
    return damaged();
  memcpy(out, r->next, count);
  r->next += count;
  return TS_OK;
}

/// Reads a text into the arena, or returns `before` if it is equal: rows repeat their identity.
static ts_status take_text(const char **out, reader *r, ts_arena *arena, const char *before) {
  uint64_t length = 0;
  TS_TRY(take(&length, r, sizeof length));
  if (length > (uint64_t)(r->end - r->next) || memchr(r->next, '\0', length))
    return damaged();
  if (before && strlen(before) == length && memcmp(before, r->next, length) == 0) {
    *out = before;
  } else {
    char *copy = ts_arena_alloc(arena, length + 1);
    if (!copy)
      return TS_E_MEMORY;
    memcpy(copy, r->next, length);
    *out = copy;
  }
  r->next += length;
  return TS_OK;
}

static ts_status take_rows(void *out_rows, size_t *out_count, reader *r, ts_arena *arena,
                           const ts_row_type *type, const char *key) {
  uint64_t count = 0;
  TS_TRY(take(&count, r, sizeof count));
  if (count > (uint64_t)(r->end - r->next) / (type->field_count * sizeof(double)))
    return damaged(); // every field takes 8 bytes or more
  char *rows = ts_arena_array(arena, count, type->row_bytes);
  if (!rows)
    return TS_E_MEMORY;
  const ts_field *cell = ts_row_find(type, "cell");
  for (size_t i = 0; i < count; i++) {
    char *row = rows + i * type->row_bytes;
    for (size_t k = 0; k < type->field_count; k++) {
      const ts_field *field = &type->fields[k];
      if (field->kind == TS_FIELD_TEXT) {
        const char *before = i > 0 ? ts_row_text(field, row - type->row_bytes) : NULL;
        const char *text = NULL;
        TS_TRY(take_text(&text, r, arena, before));
        memcpy(row + field->offset, &text, sizeof text);
      } else {
        TS_TRY(take(row + field->offset, r, sizeof(double)));
      }
    }
    if (strcmp(ts_row_text(cell, row), key) != 0)
      return damaged();
  }
  memcpy(out_rows, &rows, sizeof rows);
  *out_count = count;
  return TS_OK;
}

static ts_status take_parcel(ts_cell_rows *out, ts_record **out_records, reader *r, ts_arena *arena,
                             const char *key) {
  header head = {0};
  TS_TRY(take(&head, r, sizeof head));
  size_t left = (size_t)(r->end - r->next);
  if (head.mark != MARK || head.row_bytes != left ||
      head.hash != ts_hash_bytes(TS_HASH_START, r->next, left))
    return damaged();
  *out = (ts_cell_rows){0};
  TS_TRY(take_rows(out_records, &out->record_count, r, arena, &ts_summary_rows, key));
  TS_TRY(take_rows(&out->contacts, &out->contact_count, r, arena, &ts_contact_rows, key));
  TS_TRY(take_rows(&out->samples, &out->sample_count, r, arena, &ts_sample_rows, key));
  out->records = *out_records;
  if (r->next != r->end || out->record_count == 0)
    return damaged();
  for (size_t i = 0; i < out->record_count; i++)
    if (ts_record_outcome(&out->records[i]) == TS_OUTCOME_UNKNOWN)
      return damaged();
  return TS_OK;
}

/// Reads up to `count` bytes from the start of a file; returns how many there were. The file is
/// read, not mapped: a process that still holds it could cut it under a mapping.
static size_t read_all(unsigned char *out, size_t count, int file) {
  size_t total = 0;
  while (total < count) {
    ssize_t done = pread(file, out + total, count - total, (off_t)total);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      break;
    total += (size_t)done;
  }
  return total;
}

ts_status ts_cell_ipc_read(ts_cell_rows *out, ts_record **out_records, ts_arena *arena, int file,
                           double bytes_max, const char *key) {
  struct stat facts;
  if (fstat(file, &facts) != 0 || facts.st_size <= 0 || (double)facts.st_size > bytes_max)
    return damaged();
  size_t size = (size_t)facts.st_size;
  unsigned char *bytes = malloc(size);
  if (!bytes)
    return ts_fail(TS_E_MEMORY, "out of memory: results of %zu bytes", size);
  size_t count = read_all(bytes, size, file);
  reader r = {bytes, bytes + count};
  ts_status status = take_parcel(out, out_records, &r, arena, key);
  free(bytes);
  return status;
}
