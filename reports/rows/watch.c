// SPDX-License-Identifier: MIT
/// Notices what other programs do to a results folder while a run writes to it.
#include "base/status.h"
#include "reports/rows/results_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/// A file as we left it.
typedef struct watched {
  const char *path; ///< for messages
  const char *name;
  int fd;
  int64_t length; ///< -1: any
  bool is_needed; ///< The run cannot go on without it.
} watched;

static bool is_same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static ts_status fail_gone(const ts_results *results, const char *path, bool is_there,
                           bool is_needed) {
  return ts_fail(TS_E_INPUT, "%s was %s by another program during the run; put it back%s, then %s",
                 path, is_there ? "replaced" : "removed",
                 is_needed ? " (otherwise only a new run with --out is left)" : " if you can",
                 results->next);
}

/// Refuses to write to a file that is no longer as we left it: rows would go to a file without a
/// name, or behind a gap, or into what someone has added.
static ts_status check_file(ts_results *results, const watched *file) {
  struct stat own, named;
  if (fstat(file->fd, &own) != 0)
    return ts_fail(TS_E_IO, "cannot access %s: %s", file->path, strerror(errno));
  bool is_there = fstatat(results->folder_fd, file->name, &named, 0) == 0;
  bool is_same = is_there && is_same_file(&own, &named);
  if (is_same && (file->length < 0 || own.st_size == (off_t)file->length))
    return TS_OK;
  results->was_changed = true;
  if (!is_same)
    return fail_gone(results, file->path, is_there, file->is_needed);
  if (own.st_size > (off_t)file->length)
    return ts_fail(TS_E_INPUT,
                   "%s was changed by another program during the run: %lld bytes were added; cut "
                   "them off (truncate -s %lld), then %s",
                   file->path, (long long)own.st_size - file->length, (long long)file->length,
                   results->next);
  return ts_fail(TS_E_INPUT,
                 "%s was changed by another program during the run: it has %lld bytes instead of "
                 "%lld; put it back if you can, then %s",
                 file->path, (long long)own.st_size, (long long)file->length, results->next);
}

/// The folder may have been moved, with all its files, and another one put in its place.
static ts_status check_folder(ts_results *results) {
  struct stat own, named;
  if (fstat(results->folder_fd, &own) != 0)
    return ts_fail(TS_E_IO, "cannot access %s: %s", results->folder, strerror(errno));
  bool is_there = stat(results->folder, &named) == 0;
  if (is_there && is_same_file(&own, &named))
    return TS_OK;
  results->was_changed = true;
  return fail_gone(results, results->folder, is_there, true);
}

/// What follows a damaged line of a journal is cut off only when the part begins.
static ts_status check_notes(ts_results *results) {
  char path[512];
  const ts_journal *journal = &results->journal;
  snprintf(path, sizeof path, "%s/%s", results->folder, TS_CONTEXT_NAME);
  TS_TRY(check_file(results, &(watched){path, TS_CONTEXT_NAME, results->context_fd,
                                        results->context_length, true}));
  snprintf(path, sizeof path, "%s/%s", results->folder, TS_JOURNAL_NAME);
  return check_file(results, &(watched){path, TS_JOURNAL_NAME, journal->fd,
                                        journal->has_part ? journal->length : -1, false});
}

ts_status ts_results_check_files(ts_results *results) {
  if (results->was_changed)
    return ts_fail(TS_E_INPUT, "%s was changed by another program during the run", results->folder);
  TS_TRY(check_folder(results));
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    const ts_results_file *file = &results->files[i];
    TS_TRY(check_file(results, &(watched){file->path, file->name, file->fd, file->length, false}));
  }
  return check_notes(results);
}
