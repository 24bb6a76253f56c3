// SPDX-License-Identifier: MIT
#include "reports/rows/results.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/status.h"
#include "reports/rows/disk.h"
#include "reports/rows/gzip.h"
#include "reports/rows/results_files.h"
#include "reports/rows/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Time after which rows are synced, which takes some milliseconds [ns].
#define SYNC_EVERY_NS 5000000000

#define PLAIN_AND_COMPRESSED(FILE, row, name, ...) #name ".csv", #name ".csv" TS_GZIP_SUFFIX,
const char *const ts_results_names[] = {"summary.csv", TS_CONTEXT_NAME, TS_JOURNAL_NAME,
                                        TS_DETAIL_FILES(PLAIN_AND_COMPRESSED) NULL};

ts_status ts_results_alloc(ts_results **out, const char *folder) {
  ts_results *results = calloc(1, sizeof *results);
  if (!results)
    return ts_fail(TS_E_MEMORY, "out of memory");
  results->folder_fd = results->context_fd = results->journal.fd = -1;
  results->option = "--out";
  results->synced_ns = ts_clock_ns();
  bool is_fine = (results->folder = strdup(folder)) != NULL;
  if (asprintf(&results->next, "continue with --resume %s", folder) < 0) {
    results->next = NULL;
    is_fine = false;
  }
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[i];
    file->type = ts_results_row_type(i);
    file->fd = -1;
    if (asprintf(&file->path, "%s/%s.csv", folder, file->type->name) < 0) {
      file->path = NULL;
      is_fine = false;
    } else {
      file->name = strrchr(file->path, '/') + 1;
    }
  }
  if (!is_fine) {
    ts_results_free(results);
    return ts_fail(TS_E_MEMORY, "out of memory");
  }
  *out = results;
  return TS_OK;
}

int ts_results_open(const ts_results *results, const char *name, int flags) {
  return openat(results->folder_fd, name, O_RDWR | O_CLOEXEC | O_NOCTTY | flags, 0666);
}

ts_status ts_results_fail_locked(const ts_results *results) {
  return ts_fail(TS_E_INPUT,
                 "another run is writing to %s; wait until it has finished, or choose another %s",
                 results->folder, results->option);
}

/// Takes over `next`, NULL when out of memory.
static ts_status take_next(ts_results *results, char *next) {
  if (!next)
    return ts_fail(TS_E_MEMORY, "out of memory");
  free(results->next);
  results->next = next;
  return TS_OK;
}

ts_status ts_results_set_next(ts_results *results, const char *next) {
  return take_next(results, strdup(next));
}

ts_status ts_results_set_command(ts_results *results, const char *command) {
  char *next;
  return take_next(results, asprintf(&next, "continue with: %s", command) < 0 ? NULL : next);
}

static ts_status fail_write(const ts_results *results, const char *path, int error) {
  if (results->is_new)
    return ts_fail(TS_E_IO, "cannot write %s: %s; %s, or choose another %s", path, strerror(error),
                   ts_disk_remedy(error), results->option);
  return ts_fail(TS_E_IO, "cannot write %s: %s; %s, then %s", path, strerror(error),
                 ts_disk_remedy(error), results->next);
}

/// Writes the file's buffer at the end of the file, without updating the length.
static ts_status write_buffer(ts_results *results, ts_results_file *file) {
  int error = ts_disk_write(file->fd, file->buffer.bytes, file->buffer.count, file->length);
  if (error == 0)
    return TS_OK;
  return fail_write(results, file->path, error);
}

ts_status ts_results_write_header(ts_results *results, ts_results_file *file) {
  if (ftruncate(file->fd, 0) != 0)
    return ts_fail(TS_E_IO, "cannot empty %s: %s", file->path, strerror(errno));
  file->length = 0;
  file->buffer.count = 0;
  TS_TRY(ts_rows_add_header(&file->buffer, file->type));
  TS_TRY(write_buffer(results, file));
  file->length = (int64_t)file->buffer.count;
  return TS_OK;
}

static ts_status fail_create(const ts_results *results, const char *name, int error) {
  return ts_fail(TS_E_IO, "cannot write %s/%s: %s; %s, or choose another %s", results->folder, name,
                 strerror(error), ts_disk_remedy(error), results->option);
}

ts_status ts_results_create_file(ts_results *results, ts_results_file *file) {
  file->fd = ts_results_open(results, file->name, O_CREAT | O_EXCL);
  return file->fd >= 0 ? TS_OK : fail_create(results, file->name, errno);
}

ts_status ts_results_open_journal(ts_results *results) {
  results->journal.fd = ts_results_open(results, TS_JOURNAL_NAME, O_CREAT | O_EXCL);
  return results->journal.fd >= 0 ? TS_OK : fail_create(results, TS_JOURNAL_NAME, errno);
}

/// Writes context.json to its draft, which is open and locked, and renames it.
static ts_status write_context(ts_results *results, const json_t *context) {
  json_t *complete = json_deep_copy(context);
  char *text = NULL;
  if (complete &&
      json_object_set_new(complete, TS_SCHEMA_KEY, json_integer(TS_SCHEMA_VERSION)) == 0)
    text = json_dumps(complete, JSON_INDENT(2));
  json_decref(complete);
  if (!text)
    return ts_fail(TS_E_MEMORY, "out of memory");
  size_t length = strlen(text);
  text[length] = '\n';
  results->context_length = (int64_t)length + 1;
  int error = ftruncate(results->context_fd, 0) == 0 ? 0 : errno;
  if (error == 0)
    error = ts_disk_write(results->context_fd, text, length + 1, 0);
  free(text);
  if (error == 0 && fsync(results->context_fd) != 0)
    error = errno;
  if (error == 0 &&
      renameat(results->folder_fd, TS_CONTEXT_DRAFT_NAME, results->folder_fd, TS_CONTEXT_NAME) != 0)
    error = errno;
  if (error == 0)
    error = ts_disk_sync(results->folder_fd);
  return error == 0 ? TS_OK : fail_create(results, TS_CONTEXT_NAME, error);
}

ts_status ts_results_replace_context(ts_results *results, const json_t *context) {
  int before = results->context_fd;
  unlinkat(results->folder_fd, TS_CONTEXT_DRAFT_NAME, 0);
  int draft = ts_results_open(results, TS_CONTEXT_DRAFT_NAME, O_CREAT | O_EXCL | O_NOFOLLOW);
  if (draft < 0 || !ts_disk_lock(draft)) {
    int error = draft < 0 ? errno : EAGAIN;
    if (draft >= 0)
      close(draft);
    return fail_write(results, TS_CONTEXT_NAME, error);
  }
  results->context_fd = draft;
  ts_status status = write_context(results, context);
  if (status != TS_OK)
    unlinkat(results->folder_fd, TS_CONTEXT_DRAFT_NAME, 0);
  close(before); // the lock on the file that was replaced; that on the new one stays
  return status;
}

static ts_status fail_folder(const ts_results *results, int error) {
  return ts_fail(TS_E_IO, "cannot open the folder %s: %s; %s, or choose another %s",
                 results->folder, strerror(error), ts_disk_remedy(error), results->option);
}

static ts_status check_empty(const ts_results *results) {
  bool is_empty;
  int error = ts_disk_is_empty(&is_empty, results->folder_fd, TS_CONTEXT_DRAFT_NAME);
  if (error != 0)
    return fail_folder(results, error);
  if (is_empty)
    return TS_OK;
  if (faccessat(results->folder_fd, TS_CONTEXT_NAME, F_OK, 0) == 0)
    return ts_fail(TS_E_INPUT,
                   "%s already has results; continue them with --resume %s, or choose another %s",
                   results->folder, results->folder, results->option);
  return ts_fail(TS_E_INPUT, "%s is not empty; choose another %s", results->folder,
                 results->option);
}

/// Opens and locks the folder, so that of two concurrent runs one is refused before it writes.
static ts_status claim_folder(ts_results *results) {
  results->folder_fd = open(results->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (results->folder_fd < 0)
    return fail_folder(results, errno);
  TS_TRY(check_empty(results));
  results->context_fd = ts_results_open(results, TS_CONTEXT_DRAFT_NAME, O_CREAT | O_NOFOLLOW);
  if (results->context_fd < 0)
    return fail_create(results, TS_CONTEXT_NAME, errno);
  return ts_disk_lock(results->context_fd) ? TS_OK : ts_results_fail_locked(results);
}

/// Writes the files of a folder that we have locked; removes them again on failure.
static ts_status fill_folder(ts_results *results, const json_t *context) {
  ts_status status = check_empty(results);
  bool is_ours = status == TS_OK;
  if (status == TS_OK)
    status = write_context(results, context);
  for (int i = 0; i < TS_RESULTS_FILE_COUNT && status == TS_OK; i++) {
    ts_results_file *file = &results->files[i];
    status = ts_results_create_file(results, file);
    if (status == TS_OK)
      status = ts_results_write_header(results, file);
  }
  if (status == TS_OK)
    status = ts_results_open_journal(results);
  int error = status == TS_OK ? ts_disk_sync(results->folder_fd) : 0;
  if (error != 0)
    status = fail_folder(results, error);
  if (status == TS_OK)
    return TS_OK;
  unlinkat(results->folder_fd, TS_CONTEXT_DRAFT_NAME, 0);
  if (results->journal.fd >= 0)
    unlinkat(results->folder_fd, TS_JOURNAL_NAME, 0);
  for (int i = TS_RESULTS_FILE_COUNT - 1; i >= 0 && is_ours; i--)
    unlinkat(results->folder_fd, results->files[i].name, 0);
  if (is_ours)
    unlinkat(results->folder_fd, TS_CONTEXT_NAME, 0);
  return status;
}

ts_status ts_results_create(ts_results **out, const char *folder, const json_t *context) {
  return ts_results_create_by(out, folder, "--out", context);
}

ts_status ts_results_create_by(ts_results **out, const char *folder, const char *option,
                               const json_t *context) {
  if (!json_is_object(context))
    return ts_fail(TS_E_INPUT, "the context of the results in %s is not a JSON object", folder);
  ts_results *results = NULL;
  size_t made = 0;
  TS_TRY(ts_results_alloc(&results, folder));
  results->is_new = true;
  results->option = option;
  ts_status status = ts_disk_make_folder(&made, folder, option);
  int error = status == TS_OK ? ts_disk_sync_parents(folder, made) : 0;
  if (error != 0)
    status = fail_folder(results, error);
  if (status == TS_OK)
    status = claim_folder(results);
  if (status == TS_OK)
    status = fill_folder(results, context);
  if (status != TS_OK) {
    ts_disk_remove_folder(folder, made);
    ts_results_free(results);
    return status;
  }
  results->is_new = false;
  results->is_writing = true;
  *out = results;
  return TS_OK;
}

/// Converts the rows of a cell to the bytes to append.
static ts_status fill_buffers(ts_results *results, const ts_cell_rows *rows) {
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    ts_results_file *file = &results->files[f];
    ts_rows_view view = ts_cell_rows_of(rows, f);
    file->buffer.count = 0;
    for (size_t i = 0; i < view.count; i++)
      TS_TRY(ts_rows_add(&file->buffer, file->type,
                         (const char *)view.rows + i * file->type->row_bytes));
  }
  return TS_OK;
}

static ts_status fail_journal(const ts_results *results, int error) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", results->folder, TS_JOURNAL_NAME);
  return error == 0 ? TS_OK : fail_write(results, path, error);
}

/// Syncs the rows, and notes in the journal that they are on the disk.
static ts_status sync_files(ts_results *results) {
  results->option = "--out";
  results->synced_ns = ts_clock_ns();
  if (!results->has_unsynced)
    return TS_OK;
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    int error = ts_disk_sync(results->files[i].fd);
    if (error != 0)
      return fail_write(results, results->files[i].path, error);
  }
  results->has_unsynced = results->is_careful = false;
  return fail_journal(results, ts_journal_synced(&results->journal));
}

ts_status ts_results_tick(ts_results *results) {
  return ts_clock_ns() - results->synced_ns < SYNC_EVERY_NS ? TS_OK : sync_files(results);
}

static void get_lengths(int64_t out[TS_RESULTS_FILE_COUNT], const ts_results *results) {
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++)
    out[i] = results->files[i].length;
}

ts_status ts_results_begin(ts_results *results, const char *cell) {
  int64_t lengths[TS_RESULTS_FILE_COUNT];
  TS_TRY(ts_results_check_files(results));
  get_lengths(lengths, results);
  int error = ts_journal_begin(&results->journal, cell, lengths);
  if (error == 0 && results->is_careful)
    error = ts_disk_sync(results->journal.fd);
  return fail_journal(results, error);
}

ts_status ts_results_ended(ts_results *results, const char *cell) {
  int64_t lengths[TS_RESULTS_FILE_COUNT];
  TS_TRY(ts_results_check_files(results));
  get_lengths(lengths, results);
  return fail_journal(results, ts_journal_ended(&results->journal, cell, lengths));
}

ts_cell_history ts_results_history(const ts_results *results, const char *cell) {
  const ts_journal_suspect *suspect = ts_journal_suspect_of(&results->journal, cell);
  if (!suspect)
    return TS_HISTORY_CLEAN;
  if (!suspect->was_alone || suspect->deaths < 2)
    return TS_HISTORY_SUSPECT;
  return suspect->deaths == 2 ? TS_HISTORY_TRIAL : TS_HISTORY_GUILTY;
}

/// Notes a cell whose rows are in the files; its lengths are updated.
static ts_status note_cell(ts_results *results, const ts_cell_rows *rows) {
  ts_journal_cell cell = {.key = ""};
  if (rows->record_count > 0)
    snprintf(cell.key, sizeof cell.key, "%s", rows->records[0].cell);
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[i];
    cell.starts[i] = file->length;
    cell.ends[i] = file->length += (int64_t)file->buffer.count;
    cell.hashes[i] = (uint32_t)ts_hash_bytes(TS_HASH_START, file->buffer.bytes, file->buffer.count);
  }
  results->has_unsynced = true;
  return fail_journal(results, ts_journal_cell_written(&results->journal, &cell));
}

/// Takes a cell back that could not be written.
static void undo(ts_results *results) {
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++)
    if (ftruncate(results->files[i].fd, (off_t)results->files[i].length) != 0)
      results->is_broken = true;
}

ts_status ts_results_append(ts_results *results, const ts_cell_rows *rows) {
  if (results->is_broken)
    return ts_fail(TS_E_IO,
                   "%s could not be truncated after a failed write; free some disk space, then %s",
                   results->folder, results->next);
  TS_TRY(ts_results_check_files(results));
  TS_TRY(fill_buffers(results, rows));
  ts_status status = TS_OK;
  for (int i = 0; i < TS_RESULTS_FILE_COUNT && status == TS_OK; i++)
    status = write_buffer(results, &results->files[i]);
  if (status != TS_OK) {
    undo(results);
    return status;
  }
  TS_TRY(note_cell(results, rows));
  return ts_results_tick(results);
}

void ts_results_compress_at_close(ts_results *results) {
  results->is_compressed_at_close = true;
}

void ts_results_set_context_at_close(ts_results *results, json_t *context) {
  json_decref(results->context_at_close);
  results->context_at_close = json_incref(context);
}

static ts_status compress_files(const ts_results *results) {
  ts_status status = TS_OK;
  for (int i = 0; i < TS_DETAIL_FILE_COUNT && status == TS_OK; i++)
    status = ts_gzip_replace(results->folder_fd, results->files[i].name, results->folder);
  if (status == TS_OK)
    return TS_OK;
  char detail[1024];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(status, "%s, then %s", detail, results->next);
}

bool ts_results_are_compressed(const char *folder) {
  bool are_compressed = false;
  for (int i = 0; i < TS_DETAIL_FILE_COUNT; i++) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s.csv", folder, ts_results_row_type(i)->name) < 0)
      return false;
    are_compressed |= access(path, F_OK) != 0 && ts_csv_exists(path);
    free(path);
  }
  return are_compressed;
}

void ts_results_free(ts_results *results) {
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[i];
    if (file->fd >= 0)
      close(file->fd);
    ts_csv_buffer_free(&file->buffer);
    free(file->path);
  }
  if (results->context_fd >= 0)
    close(results->context_fd);
  if (results->folder_fd >= 0)
    close(results->folder_fd);
  ts_journal_free(&results->journal);
  json_decref(results->context_at_close);
  free(results->next);
  free(results->folder);
  free(results);
}

/// Ends the part: the rows are on the disk, and the run was not cut short in a cell.
static ts_status end_part(ts_results *results) {
  ts_status status = results->was_changed ? TS_OK : ts_results_check_files(results);
  ts_status synced = sync_files(results);
  int error = ts_journal_part_done(&results->journal);
  if (error == 0)
    error = ts_disk_sync(results->journal.fd);
  status = status == TS_OK ? synced : status;
  return status == TS_OK ? fail_journal(results, error) : status;
}

ts_status ts_results_close(ts_results *results) {
  if (!results)
    return TS_OK;
  ts_status status = results->is_writing ? end_part(results) : TS_OK;
  if (status == TS_OK && results->is_compressed_at_close)
    status = compress_files(results);
  if (status == TS_OK && results->context_at_close)
    status = ts_results_replace_context(results, results->context_at_close);
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[i];
    if (file->fd >= 0 && close(file->fd) != 0 && status == TS_OK)
      status = fail_write(results, file->path, errno);
    file->fd = -1;
  }
  ts_results_free(results);
  return status;
}

ts_status ts_results_link_latest(const char *folder) {
  return ts_disk_link_beside(folder, "latest");
}
