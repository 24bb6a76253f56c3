// SPDX-License-Identifier: MIT
/// Internals of an open results folder, shared by the code that creates and the code that resumes
/// one.
///
/// What a kill can leave behind, and how it is handled. ts_results_create() works in this order:
///
/// 1. makes the folder nothing or an empty folder is left: create() takes it again
/// 2. context.json.partial that file alone is left: create() takes the folder again
/// 3. renames it to context.json complete or absent; from here on resume() accepts the folder
/// 4. the three CSV files, with their headers; resume() makes missing ones, and completes a header
/// that was cut off
///
/// and ts_results_append() for each cell in this order: contacts, samples, summary. So only the
/// last cell can have contacts and samples without all its summary rows, and only the last row of a
/// file can be cut off; resume() drops both. The kernel keeps what was written when a process is
/// killed; a power failure is not covered.
#ifndef TS_REPORTS_RESULTS_FILES_H
#define TS_REPORTS_RESULTS_FILES_H

#include "reports/rows/csv.h"
#include "reports/rows/results.h"

#define TS_CONTEXT_NAME       "context.json"
#define TS_CONTEXT_DRAFT_NAME "context.json.partial"

/// In the order of creation and writing.
enum { TS_CONTACTS_FILE, TS_SAMPLES_FILE, TS_SUMMARY_FILE, TS_RESULTS_FILE_COUNT };

typedef struct ts_results_file {
  const ts_row_type *type;
  char *path;       ///< for messages
  const char *name; ///< the last part of `path`
  int fd;           ///< -1: not open
  int64_t length;
  ts_csv_buffer buffer; ///< data to append next
} ts_results_file;

struct ts_results {
  char *folder;
  int folder_fd;
  int context_fd; ///< descriptor of context.json; holds the lock
  ts_results_file files[TS_RESULTS_FILE_COUNT];
  bool is_broken; ///< A file could not be truncated after a failed write.
};

/// An object without open files.
ts_status ts_results_alloc(ts_results **out, const char *folder);

/// Closes all open files, ignoring errors.
void ts_results_free(ts_results *results);

/// Opens a file of the folder for reading and writing, with additional `flags`; -1 and errno on
/// failure.
int ts_results_open(const ts_results *results, const char *name, int flags);

/// Creates a CSV file that must not exist.
ts_status ts_results_create_file(ts_results *results, ts_results_file *file);

/// Resets the file to just its header.
ts_status ts_results_write_header(ts_results *results, ts_results_file *file);

/// The error when another process holds the lock.
ts_status ts_results_fail_locked(const ts_results *results);

#endif
