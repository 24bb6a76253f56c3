// SPDX-License-Identifier: MIT
#include "harness/isolation/cell_ipc.h"

#include "base/hash.h"
#include "base/status.h"
#include "reports/rows/outcome.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The first bytes of the file; the parcels follow.
typedef struct note {
  uint64_t mark, step, hash;
} note;

_Static_assert(sizeof(note) == TS_CELL_IPC_NOTE_BYTES, "the note has its size");

/// Header of a parcel; its rows follow. One without rows is the end mark.
typedef struct header {
  uint64_t mark, row_bytes, hash;
  uint64_t counts[TS_RESULTS_FILE_COUNT]; ///< of rows
} header;

#define MARK UINT64_C(0x7473706172636c32)

/// Instead of the length of a text: that of the same field in the row before.
#define SAME_TEXT UINT64_MAX

/// Bytes that are written, and hashed, at once.
#define PIECE_BYTES ((size_t)16384)

typedef struct writer {
  int file;
  off_t start; ///< of the rows
  uint64_t hash, written;
  size_t used;
  bool has_failed;
  unsigned char bytes[PIECE_BYTES];
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
  if (w->used == 0)
    return;
  write_all(w, w->bytes, w->used, w->start + (off_t)w->written);
  w->hash = ts_hash_fast(w->hash, w->bytes, w->used);
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
  for (size_t i = 0; i < row_count; i++) {
    const char *row = (const char *)rows + i * type->row_bytes;
    for (size_t k = 0; k < type->field_count; k++) {
      const ts_field *field = &type->fields[k];
      if (field->kind == TS_FIELD_TEXT) {
        const char *text = ts_row_text(field, row);
        bool is_same = i > 0 && text == ts_row_text(field, row - type->row_bytes);
        uint64_t length = is_same ? SAME_TEXT : strlen(text);
        put(w, &length, sizeof length);
        put(w, text, is_same ? 0 : length);
      } else {
        double number = ts_row_number(field, row);
        put(w, &number, sizeof number);
      }
    }
  }
}

static ts_status fail_write(void) {
  return ts_fail(TS_E_IO,
                 "the rows of a cell could not be passed to the program: %s; raise the limit on "
                 "file sizes (ulimit -f), or free some memory",
                 strerror(errno));
}

static note note_of(int64_t step) {
  note n = {.mark = MARK, .step = (uint64_t)step};
  n.hash = ts_hash_bytes(TS_HASH_START, &n, offsetof(note, hash));
  return n;
}

ts_status ts_cell_ipc_begin(ts_cell_ipc_writer *out, int64_t step) {
  writer w = {.file = out->file};
  note n = note_of(step);
  write_all(&w, &n, sizeof n, TS_CELL_IPC_START);
  if (w.has_failed)
    return fail_write();
  if (out->end == TS_CELL_IPC_START)
    out->end += (int64_t)sizeof n;
  return TS_OK;
}

static ts_status append(ts_cell_ipc_writer *out, const ts_cell_rows *rows) {
  writer w = {
      .file = out->file, .hash = TS_HASH_START, .start = (off_t)out->end + (off_t)sizeof(header)};
  header head = {.mark = MARK};
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    ts_rows_view view = ts_cell_rows_of(rows, f);
    put_rows(&w, ts_results_row_type(f), view.rows, view.count);
    head.counts[f] = view.count;
  }
  flush(&w);
  head.row_bytes = w.written;
  head.hash = w.hash;
  // Last, so that a parcel with a header is whole.
  write_all(&w, &head, sizeof head, (off_t)out->end);
  if (w.has_failed)
    return fail_write();
  out->end += (int64_t)(sizeof head + w.written);
  return TS_OK;
}

ts_status ts_cell_ipc_append(ts_cell_ipc_writer *w, const ts_cell_rows *rows) {
  assert(rows->record_count > 0);
  return append(w, rows);
}

ts_status ts_cell_ipc_end(ts_cell_ipc_writer *w) {
  return append(w, &(ts_cell_rows){.record_count = 0});
}

ts_status ts_cell_ipc_write(int file, const ts_cell_rows *rows) {
  ts_cell_ipc_writer w = {file, TS_CELL_IPC_START};
  TS_TRY(ts_cell_ipc_begin(&w, 0));
  TS_TRY(ts_cell_ipc_append(&w, rows));
  return ts_cell_ipc_end(&w);
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
  if (before && length == SAME_TEXT) {
    *out = before;
    return TS_OK;
  }
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

/// Reads rows [count] to `out`, whose earlier rows `before` there are.
static ts_status take_rows(void *out, size_t before, size_t count, reader *r, ts_arena *arena,
                           const ts_row_type *type, const char *key) {
  const ts_field *cell = ts_row_find(type, "cell");
  for (size_t i = before; i < before + count; i++) {
    char *row = (char *)out + i * type->row_bytes;
    for (size_t k = 0; k < type->field_count; k++) {
      const ts_field *field = &type->fields[k];
      if (field->kind == TS_FIELD_TEXT) {
        const char *previous = i > 0 ? ts_row_text(field, row - type->row_bytes) : NULL;
        const char *text = NULL;
        TS_TRY(take_text(&text, r, arena, previous));
        memcpy(row + field->offset, &text, sizeof text);
      } else {
        TS_TRY(take(row + field->offset, r, sizeof(double)));
      }
    }
    const char *text = ts_row_text(cell, row);
    if ((i == 0 || text != ts_row_text(cell, row - type->row_bytes)) && strcmp(text, key) != 0)
      return damaged();
  }
  return TS_OK;
}

/// Whether a parcel of that many bytes can have that many rows: every field takes 8 bytes or more.
static bool is_possible(uint64_t count, const ts_row_type *type, uint64_t bytes) {
  return count <= bytes / (type->field_count * sizeof(double));
}

/// The hash that a writer has had after these bytes.
static uint64_t hash_rows(const unsigned char *bytes, size_t count) {
  uint64_t hash = TS_HASH_START;
  for (size_t done = 0, piece; done < count; done += piece) {
    piece = count - done < PIECE_BYTES ? count - done : PIECE_BYTES;
    hash = ts_hash_fast(hash, bytes + done, piece);
  }
  return hash;
}

/// Takes the header of the next parcel and checks it against its bytes, which are skipped.
static ts_status take_header(header *out, reader *r) {
  TS_TRY(take(out, r, sizeof *out));
  size_t left = (size_t)(r->end - r->next);
  if (out->mark != MARK || out->row_bytes > left ||
      out->hash != hash_rows(r->next, (size_t)out->row_bytes))
    return damaged();
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
    if (!is_possible(out->counts[f], ts_results_row_type(f), out->row_bytes))
      return damaged();
  r->next += out->row_bytes;
  return TS_OK;
}

static bool is_end_mark(const header *head) {
  return head->row_bytes == 0;
}

/// Rows of the parcels before the end mark.
typedef struct tally {
  size_t parcels, rows[TS_RESULTS_FILE_COUNT];
} tally;

static tally count_parcels(reader r) {
  tally t = {0};
  header head;
  while (r.next < r.end && take_header(&head, &r) == TS_OK && !is_end_mark(&head)) {
    t.parcels++;
    for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
      t.rows[f] += head.counts[f];
  }
  return t;
}

/// Adds the rows of the next parcel, which count_parcels() has counted, to those of each file, for
/// which there is room.
static ts_status take_parcel(ts_cell_ipc_content *out, void *const rooms[TS_RESULTS_FILE_COUNT],
                             reader *r, ts_arena *arena, const char *key) {
  header head;
  TS_TRY(take(&head, r, sizeof head));
  reader rows = {r->next, r->next + head.row_bytes};
  r->next = rows.end;
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
    TS_TRY(take_rows(rooms[f], ts_cell_rows_of(&out->rows, f).count, head.counts[f], &rows, arena,
                     ts_results_row_type(f), key));
  size_t first = out->rows.record_count, count = head.counts[TS_SUMMARY_FILE];
  if (rows.next != rows.end || count == 0)
    return damaged();
  for (size_t i = first; i < first + count; i++)
    if (ts_record_outcome(&out->records[i]) == TS_OUTCOME_UNKNOWN)
      return damaged();
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    size_t before = ts_cell_rows_of(&out->rows, f).count;
    ts_cell_rows_set(&out->rows, f, (ts_rows_view){rooms[f], before + head.counts[f]});
  }
  return TS_OK;
}

static ts_status take_parcels(ts_cell_ipc_content *out, reader *r, ts_arena *arena,
                              const char *key) {
  tally t = count_parcels(*r);
  void *rooms[TS_RESULTS_FILE_COUNT];
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    rooms[f] = ts_arena_array(arena, t.rows[f], ts_results_row_type(f)->row_bytes);
    if (!rooms[f])
      return TS_E_MEMORY;
    ts_cell_rows_set(&out->rows, f, (ts_rows_view){rooms[f], 0});
  }
  out->records = rooms[TS_SUMMARY_FILE];
  for (size_t i = 0; i < t.parcels; i++)
    TS_TRY(take_parcel(out, rooms, r, arena, key));
  if (r->next == r->end)
    return TS_OK;
  header head;
  TS_TRY(take_header(&head, r));
  out->is_whole = is_end_mark(&head) && r->next == r->end && t.parcels > 0;
  return out->is_whole ? TS_OK : damaged();
}

static ts_status take_note(ts_cell_ipc_content *out, reader *r) {
  note n = {0};
  TS_TRY(take(&n, r, sizeof n));
  note right = note_of((int64_t)n.step);
  if (memcmp(&n, &right, sizeof n) != 0)
    return damaged();
  out->step = (int64_t)n.step;
  return TS_OK;
}

/// Reads up to `count` bytes of a file; returns how many there were. The file is read, not mapped:
/// a process that still holds it could cut it under a mapping.
static size_t read_all(unsigned char *out, size_t count, int file) {
  size_t total = 0;
  while (total < count) {
    ssize_t done = pread(file, out + total, count - total, (off_t)(TS_CELL_IPC_START + total));
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      break;
    total += (size_t)done;
  }
  return total;
}

ts_status ts_cell_ipc_read(ts_cell_ipc_content *out, ts_arena *arena, int file, double bytes_max,
                           const char *key) {
  struct stat facts;
  *out = (ts_cell_ipc_content){.is_whole = false};
  if (fstat(file, &facts) != 0 || facts.st_size <= TS_CELL_IPC_START)
    return TS_OK;
  out->is_damaged = (double)(facts.st_size - TS_CELL_IPC_START) > bytes_max;
  if (out->is_damaged)
    return TS_OK;
  size_t size = (size_t)facts.st_size - TS_CELL_IPC_START;
  unsigned char *bytes = malloc(size);
  if (!bytes)
    return ts_fail(TS_E_MEMORY, "out of memory: results of %zu bytes", size);
  reader r = {bytes, bytes + read_all(bytes, size, file)};
  ts_status status = take_note(out, &r);
  if (status == TS_OK)
    status = take_parcels(out, &r, arena, key);
  free(bytes);
  out->is_damaged = status != TS_OK;
  return status == TS_E_MEMORY ? status : TS_OK;
}
