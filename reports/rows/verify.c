// SPDX-License-Identifier: MIT
#include "reports/rows/verify.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/status.h"
#include "reports/rows/gzip.h"
#include "reports/rows/results_files.h"

#include <errno.h>
#include <unistd.h>

/// Position in the content of a file, and in the cells of the journal.
typedef struct verifying {
  const char *folder, *path;
  const ts_journal *journal;
  int file; ///< index
  int64_t at;
  size_t cell;   ///< the one that `at` is in or before
  uint64_t hash; ///< of its bytes so far
} verifying;

static ts_status fail_changed(const verifying *v) {
  return ts_fail(
      TS_E_INPUT,
      "%s: the rows of cell %.60s are not those that the run wrote, as %s has them: "
      "someone has changed one of the two files; restore it, or remove %s/%s to take the "
      "rows as they are, or run again",
      v->path, v->journal->cells[v->cell].key, TS_JOURNAL_NAME, v->folder, TS_JOURNAL_NAME);
}

static int64_t start_of(const verifying *v) {
  return v->journal->cells[v->cell].starts[v->file];
}

static int64_t end_of(const verifying *v) {
  return v->journal->cells[v->cell].ends[v->file];
}

/// Goes on to the next cell with rows in this file once the present one is at its end.
static ts_status end_cells(verifying *v) {
  while (v->cell < v->journal->cell_count && (end_of(v) == start_of(v) || v->at == end_of(v))) {
    if (end_of(v) > start_of(v) && (uint32_t)v->hash != v->journal->cells[v->cell].hashes[v->file])
      return fail_changed(v);
    v->hash = TS_HASH_START;
    v->cell++;
  }
  return TS_OK;
}

static ts_status take_bytes(verifying *v, const char *bytes, size_t count) {
  TS_TRY(end_cells(v));
  while (count > 0 && v->cell < v->journal->cell_count) {
    bool is_in_cell = v->at >= start_of(v);
    int64_t left = (is_in_cell ? end_of(v) : start_of(v)) - v->at;
    size_t part = (int64_t)count < left ? count : (size_t)left;
    if (is_in_cell)
      v->hash = ts_hash_bytes(v->hash, bytes, part);
    bytes += part;
    count -= part;
    v->at += (int64_t)part;
    TS_TRY(end_cells(v));
  }
  v->at += (int64_t)count;
  return TS_OK;
}

/// `*out_more`: bytes behind the last cell of the journal.
static ts_status read_through(int64_t *out_more, verifying *v, ts_gzip_reader *reader) {
  char bytes[1 << 14];
  size_t count;
  do {
    TS_TRY(ts_gzip_read(&count, reader, bytes, sizeof bytes));
    TS_TRY(take_bytes(v, bytes, count));
  } while (count > 0);
  if (v->cell < v->journal->cell_count)
    return fail_changed(v);
  const ts_journal_cell *last = v->cell > 0 ? &v->journal->cells[v->cell - 1] : NULL;
  *out_more = last ? v->at - last->ends[v->file] : 0;
  return TS_OK;
}

static ts_status verify_file(int64_t *out_more, verifying *v) {
  int fd;
  ts_gzip_reader *reader = NULL;
  TS_TRY(ts_file_open(&fd, v->path));
  ts_status status = ts_gzip_reader_create(&reader, fd, v->path);
  if (status == TS_OK)
    status = read_through(out_more, v, reader);
  ts_gzip_reader_destroy(reader);
  close(fd);
  return status;
}

/// The journal has all cells if it has those of the summary, which is written last and read first:
/// then no file has more.
static ts_status verify_files(ts_arena *arena, const char *folder, const ts_journal *journal) {
  bool has_all_cells = false;
  for (int f = TS_RESULTS_FILE_COUNT - 1; f >= 0; f--) {
    const char *plain = ts_arena_format(arena, "%s/%s.csv", folder, ts_results_row_type(f)->name);
    verifying v = {.folder = folder,
                   .path = plain ? ts_csv_find(arena, plain) : NULL,
                   .journal = journal,
                   .file = f,
                   .hash = TS_HASH_START};
    int64_t more;
    if (!v.path)
      return TS_E_MEMORY;
    TS_TRY(verify_file(&more, &v));
    if (f == TS_SUMMARY_FILE)
      has_all_cells = more == 0;
    else if (has_all_cells && more > 0)
      return ts_fail(
          TS_E_INPUT,
          "%s has %lld bytes behind the rows that the run wrote: someone has added them; "
          "restore the file, or run again",
          v.path, (long long)more);
  }
  return TS_OK;
}

ts_status ts_results_verify(ts_arena *arena, const char *folder) {
  ts_journal journal = {.fd = -1};
  const char *path = ts_arena_format(arena, "%s/%s", folder, TS_JOURNAL_NAME);
  if (!path)
    return TS_E_MEMORY;
  if (access(path, F_OK) == 0 || errno != ENOENT) {
    TS_TRY(ts_file_open(&journal.fd, path));
    ts_status status = ts_journal_read(&journal);
    if (status != TS_OK) {
      ts_journal_free(&journal);
      return status;
    }
  }
  ts_status status = verify_files(arena, folder, &journal);
  ts_journal_free(&journal);
  return status;
}
