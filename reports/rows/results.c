// SPDX-License-Identifier: MIT
#include "reports/rows/results.h"

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
#include <unistd.h>

ts_status ts_results_alloc(ts_results **out, const char *folder) {
  static const ts_row_type *const types[TS_RESULTS_FILE_COUNT] = {
      [TS_CONTACTS_FILE] = &ts_contact_rows,
      [TS_SAMPLES_FILE] = &ts_sample_rows,
      [TS_SUMMARY_FILE] = &ts_summary_rows,
  };
  ts_results *results = calloc(1, sizeof *results);
  if (!results)
    return ts_fail(TS_E_MEMORY, "out of memory");
  results->folder_fd = results->context_fd = -1;
  bool is_fine = (results->folder = strdup(folder)) != NULL;
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[i];
    file->type = types[i];
    file->fd = -1;
    if (asprintf(&file->path, "%s/%s.csv", folder, types[i]->name) < 0) {
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
  return ts_fail(
      TS_E_INPUT,
      "another run is writing to %s; wait until it has finished, or choose another --out",
      results->folder);
}

static ts_status fail_write(const ts_results *results, const ts_results_file *file, int error) {
  return ts_fail(TS_E_IO, "cannot write %s: %s; %s, then continue with --resume %s", file->path,
                 strerror(error), ts_disk_remedy(error), results->folder);
}

/// Writes the file's buffer at the end of the file, without updating the length.
static ts_status write_buffer(ts_results *results, ts_results_file *file) {
  int error = ts_disk_write(file->fd, file->buffer.bytes, file->buffer.count, file->length);
  if (error == 0)
    return TS_OK;
  return fail_write(results, file, error);
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
  return ts_fail(TS_E_IO, "cannot write %s/%s: %s; %s, or choose another --out", results->folder,
                 name, strerror(error), ts_disk_remedy(error));
}

ts_status ts_results_create_file(ts_results *results, ts_results_file *file) {
  file->fd = ts_results_open(results, file->name, O_CREAT | O_EXCL);
  return file->fd >= 0 ? TS_OK : fail_create(results, file->name, errno);
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
  int error = ftruncate(results->context_fd, 0) == 0 ? 0 : errno;
  if (error == 0)
    error = ts_disk_write(results->context_fd, text, length + 1, 0);
  free(text);
  if (error == 0 && fsync(results->context_fd) != 0)
    error = errno;
  if (error == 0 &&
      renameat(results->folder_fd, TS_CONTEXT_DRAFT_NAME, results->folder_fd, TS_CONTEXT_NAME) != 0)
    error = errno;
  return error == 0 ? TS_OK : fail_create(results, TS_CONTEXT_NAME, error);
}

static ts_status fail_folder(const ts_results *results, int error) {
  return ts_fail(TS_E_IO, "cannot open the folder %s: %s; %s, or choose another --out",
                 results->folder, strerror(error), ts_disk_remedy(error));
}

static ts_status check_empty(const ts_results *results) {
  bool is_empty;
  int error = ts_disk_is_empty(&is_empty, results->folder_fd, TS_CONTEXT_DRAFT_NAME);
  if (error != 0)
    return fail_folder(results, error);
  if (is_empty)
    return TS_OK;
  if (faccessat(results->folder_fd, TS_CONTEXT_NAME, F_OK, 0) == 0)
    return ts_fail(
        TS_E_INPUT,
        "%s already has results; continue them with --resume %s, or choose another --out",
        results->folder, results->folder);
  return ts_fail(TS_E_INPUT, "%s is not empty; choose another --out", results->folder);
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
    return TS_OK;
  unlinkat(results->folder_fd, TS_CONTEXT_DRAFT_NAME, 0);
  for (int i = TS_RESULTS_FILE_COUNT - 1; i >= 0 && is_ours; i--)
    unlinkat(results->folder_fd, results->files[i].name, 0);
  if (is_ours)
    unlinkat(results->folder_fd, TS_CONTEXT_NAME, 0);
  return status;
}

ts_status ts_results_create(ts_results **out, const char *folder, const json_t *context) {
  if (!json_is_object(context))
    return ts_fail(TS_E_INPUT, "the context of the results in %s is not a JSON object", folder);
  ts_results *results = NULL;
  size_t made = 0;
  TS_TRY(ts_results_alloc(&results, folder));
  ts_status status = ts_disk_make_folder(&made, folder);
  if (status == TS_OK)
    status = claim_folder(results);
  if (status == TS_OK)
    status = fill_folder(results, context);
  if (status != TS_OK) {
    ts_disk_remove_folder(folder, made);
    ts_results_free(results);
    return status;
  }
  *out = results;
  return TS_OK;
}

/// Converts the rows of a cell to the bytes to append.
static ts_status fill_buffers(ts_results *results, const ts_cell_rows *rows) {
  ts_results_file *files = results->files;
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++)
    files[i].buffer.count = 0;
  for (size_t i = 0; i < rows->contact_count; i++)
    TS_TRY(ts_rows_add(&files[TS_CONTACTS_FILE].buffer, &ts_contact_rows, &rows->contacts[i]));
  for (size_t i = 0; i < rows->sample_count; i++)
    TS_TRY(ts_rows_add(&files[TS_SAMPLES_FILE].buffer, &ts_sample_rows, &rows->samples[i]));
  for (size_t i = 0; i < rows->record_count; i++)
    TS_TRY(ts_rows_add(&files[TS_SUMMARY_FILE].buffer, &ts_summary_rows, &rows->records[i]));
  return TS_OK;
}

ts_status ts_results_append(ts_results *results, const ts_cell_rows *rows) {
  if (results->is_broken)
    return ts_fail(TS_E_IO,
                   "%s could not be truncated after a failed write; free some disk space, then "
                   "continue with --resume %s",
                   results->folder, results->folder);
  TS_TRY(fill_buffers(results, rows));
  ts_status status = TS_OK;
  for (int i = 0; i < TS_RESULTS_FILE_COUNT && status == TS_OK; i++)
    status = write_buffer(results, &results->files[i]);
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[i];
    if (status == TS_OK)
      file->length += (int64_t)file->buffer.count;
    else if (ftruncate(file->fd, (off_t)file->length) != 0)
      results->is_broken = true;
  }
  return status;
}

ts_status ts_results_compress(ts_results *results) {
  TS_TRY(
      ts_gzip_replace(results->folder_fd, results->files[TS_CONTACTS_FILE].name, results->folder));
  return ts_gzip_replace(results->folder_fd, results->files[TS_SAMPLES_FILE].name, results->folder);
}

bool ts_results_are_compressed(const char *folder) {
  static const char *const names[] = {"contacts.csv", "samples.csv"};
  bool are_compressed = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, names[i]) < 0)
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
  free(results->folder);
  free(results);
}

ts_status ts_results_close(ts_results *results) {
  if (!results)
    return TS_OK;
  ts_status status = TS_OK;
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[i];
    if (close(file->fd) != 0 && status == TS_OK)
      status = fail_write(results, file, errno);
    file->fd = -1;
  }
  ts_results_free(results);
  return status;
}

ts_status ts_results_link_latest(const char *folder) {
  return ts_disk_link_beside(folder, "latest");
}
