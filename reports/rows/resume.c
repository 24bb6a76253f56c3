// SPDX-License-Identifier: MIT
/// Resuming the results of a run that was cut short: finds the cells that are whole, then truncates
/// the rest. Nothing is changed until everything has been checked, by the caller as well.
#include "base/status.h"
#include "reports/rows/context.h"
#include "reports/rows/disk.h"
#include "reports/rows/gzip.h"
#include "reports/rows/resume_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct context_source {
  int fd, error; ///< an errno
} context_source;

/// Passes more of the file to jansson, whose own file reading treats errors as end of file.
static size_t read_more(void *buffer, size_t size, void *data) {
  context_source *source = data;
  ssize_t count;
  do
    count = read(source->fd, buffer, size);
  while (count < 0 && errno == EINTR);
  if (count < 0)
    source->error = errno;
  return count < 0 ? (size_t)-1 : (size_t)count;
}

static ts_status check_context_file(ts_results *results) {
  struct stat facts;
  if (fstat(results->context_fd, &facts) != 0)
    return ts_fail(TS_E_IO, "cannot access %s/%s: %s", results->folder, TS_CONTEXT_NAME,
                   strerror(errno));
  results->context_length = facts.st_size;
  if ((uintmax_t)facts.st_size <= TS_CONTEXT_BYTES_MAX)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s/%s has more than %zu bytes; start a new run with --out",
                 results->folder, TS_CONTEXT_NAME, TS_CONTEXT_BYTES_MAX);
}

/// Reads context.json through the descriptor that holds the lock.
static ts_status read_context(json_t **out, const ts_results *results) {
  json_error_t error;
  context_source source = {results->context_fd, 0};
  json_t *context = json_load_callback(read_more, &source, JSON_REJECT_DUPLICATES, &error);
  if (source.error != 0) {
    json_decref(context);
    return ts_fail(TS_E_IO, "cannot read %s/%s: %s", results->folder, TS_CONTEXT_NAME,
                   strerror(source.error));
  }
  if (!context)
    return ts_fail(TS_E_INPUT, "%s/%s, line %d: %s; start a new run with --out", results->folder,
                   TS_CONTEXT_NAME, error.line, error.text);
  const json_t *version = json_object_get(context, TS_SCHEMA_KEY);
  ts_status status = TS_OK;
  if (!json_is_integer(version))
    status = ts_fail(TS_E_INPUT,
                     "%s/%s has no %s, so this is not a results folder; choose another --out",
                     results->folder, TS_CONTEXT_NAME, TS_SCHEMA_KEY);
  else if (json_integer_value(version) != TS_SCHEMA_VERSION)
    status = ts_fail(TS_E_INPUT,
                     "%s has results of schema %lld, and this program writes schema %d; continue "
                     "with the program that began them, or start a new run with --out",
                     results->folder, (long long)json_integer_value(version), TS_SCHEMA_VERSION);
  if (status == TS_OK)
    status = ts_context_check(context, results->folder);
  if (status == TS_OK)
    *out = context;
  else
    json_decref(context);
  return status;
}

/// `name` is a file name, or NULL for the folder itself.
static ts_status fail_open(const char *folder, const char *name, int error) {
  if (error == ENOENT || error == ENOTDIR)
    return ts_fail(TS_E_INPUT, "cannot resume %s: there is no %s; start a new run with --out",
                   folder, name ? name : "such folder");
  return ts_fail(TS_E_IO, "cannot resume %s: cannot open %s: %s; %s", folder,
                 name ? name : "the folder", strerror(error), ts_disk_remedy(error));
}

/// Opens a file of the folder that may be missing, then -1. A link that leads nowhere is not a
/// missing file, in whose place another one could be made.
static ts_status open_if_there(int *out, const ts_results *results, const char *name) {
  struct stat named;
  *out = ts_results_open(results, name, O_NONBLOCK);
  if (*out < 0 && errno == ENOENT &&
      fstatat(results->folder_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0)
    return ts_fail(TS_E_INPUT,
                   "cannot resume %s: %s is a link to a file that is not there; put the file back, "
                   "or remove the link to run its cells again",
                   results->folder, name);
  if (*out < 0)
    return errno == ENOENT ? TS_OK : fail_open(results->folder, name, errno);
  if (fstat(*out, &named) == 0 && S_ISREG(named.st_mode))
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s/%s is not a regular file; start a new run with --out",
                 results->folder, name);
}

/// Whether the name still leads to the file that was locked: another process that goes on with the
/// run replaces context.json while it holds the lock.
static bool is_in_place(const ts_results *results) {
  struct stat own, named;
  return fstat(results->context_fd, &own) == 0 &&
         fstatat(results->folder_fd, TS_CONTEXT_NAME, &named, 0) == 0 &&
         own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

static ts_status open_files(json_t **out_context, ts_results *results) {
  results->folder_fd = open(results->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (results->folder_fd < 0)
    return fail_open(results->folder, NULL, errno);
  TS_TRY(open_if_there(&results->context_fd, results, TS_CONTEXT_NAME));
  if (results->context_fd < 0)
    return fail_open(results->folder, TS_CONTEXT_NAME, ENOENT);
  if (!ts_disk_lock(results->context_fd) || !is_in_place(results))
    return ts_results_fail_locked(results);
  TS_TRY(check_context_file(results));
  TS_TRY(read_context(out_context, results));
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++)
    TS_TRY(open_if_there(&results->files[i].fd, results, results->files[i].name));
  TS_TRY(open_if_there(&results->journal.fd, results, TS_JOURNAL_NAME));
  return results->journal.fd >= 0 ? ts_journal_read(&results->journal) : TS_OK;
}

/// An interrupted gunzip leaves a part of a file beside the whole compressed one.
static ts_status check_unpacked(const ts_results *results) {
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s" TS_GZIP_SUFFIX, results->files[i].name);
    if (faccessat(results->folder_fd, name, F_OK, 0) == 0)
      return ts_fail(TS_E_INPUT,
                     "rows are missing in %s, and there is %s, which may have them: decompress it "
                     "with gunzip -f %s/%s, or remove it, then resume again",
                     results->folder, name, results->folder, name);
  }
  return TS_OK;
}

ts_status ts_results_resume(ts_results **out, ts_resumed *out_resumed, ts_arena *arena,
                            const char *folder) {
  ts_results *results = NULL;
  ts_resume_scan scan = {0};
  *out_resumed = (ts_resumed){0};
  TS_TRY(ts_results_alloc(&results, folder));
  ts_status status = open_files(&out_resumed->context, results);
  if (status == TS_OK) {
    const json_t *step = json_object_get(out_resumed->context, TS_LAST_STEP_KEY);
    double last_step = json_is_number(step) ? json_number_value(step) : (double)NAN;
    status = ts_resume_scan_files(&scan, arena, results, last_step);
  }
  if (status == TS_OK && scan.lost_cells > 0)
    status = check_unpacked(results);
  if (status == TS_OK)
    status = ts_record_list_keep(&out_resumed->records, arena, &scan.list, scan.kept_records);
  free(scan.list.records);
  if (status != TS_OK) {
    json_decref(out_resumed->context);
    ts_results_free(results);
    return status;
  }
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++)
    results->files[i].length = scan.has_header[i] ? scan.kept_end[i] : 0;
  results->is_careful = results->journal.has_died;
  out_resumed->record_count = scan.kept_records;
  out_resumed->lost_cells = scan.lost_cells;
  *out = results;
  return TS_OK;
}

/// Truncates the files, the summary first: if this is interrupted as well, the next resume sees the
/// dropped cells as unfinished ones.
static ts_status cut_files(ts_results *results) {
  for (int i = TS_RESULTS_FILE_COUNT - 1; i >= 0; i--) {
    ts_results_file *file = &results->files[i];
    if (file->fd < 0)
      TS_TRY(ts_results_create_file(results, file));
    if (file->length == 0)
      TS_TRY(ts_results_write_header(results, file));
    else if (ftruncate(file->fd, (off_t)file->length) != 0)
      return ts_fail(TS_E_IO, "cannot truncate %s: %s", file->path, strerror(errno));
  }
  return TS_OK;
}

ts_status ts_results_continue(ts_results *results, const json_t *context) {
  TS_TRY(cut_files(results));
  if (results->journal.fd < 0)
    TS_TRY(ts_results_open_journal(results));
  unlinkat(results->folder_fd, TS_CONTEXT_DRAFT_NAME, 0);
  if (context)
    TS_TRY(ts_results_replace_context(results, context));
  results->is_writing = true;
  return TS_OK;
}
