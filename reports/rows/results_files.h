// SPDX-License-Identifier: MIT
/// Internals of an open results folder, shared by the code that creates and the code that resumes
/// one.
///
/// What a killed run or a power cut can leave behind, and how it is handled. ts_results_create()
/// works in this order:
///
/// 1. makes the folder: nothing or an empty folder is left; create() takes it again
/// 2. context.json.partial: that file alone is left; create() takes the folder again
/// 3. renames it to context.json: complete or absent; from here on resume() accepts the folder
/// 4. the CSV files, with their headers, and the journal: resume() makes missing ones, and
/// completes a header that was cut off
///
/// and syncs the folder and the new ones above it. ts_results_append() writes each cell in the
/// order of TS_DETAIL_FILES, and its rows of the summary last. The kernel keeps what was written
/// when a process is killed, so that only the last cell can be incomplete then. Every few seconds
/// and at the end the files are synced, in the same order, and the journal last. What was written
/// after that, a power cut can take: each file may end earlier, at a place of its own, end in
/// zeros, or be gone. resume() finds the cells, from the first one on, that are whole in all files,
/// which it knows because the summary says how many rows each of the others has of a step, and cuts
/// the rest off. It refuses what neither leaves behind, such as a row that is missing before
/// others: that was changed by someone, and cutting there would lose rows that are whole.
#ifndef TS_REPORTS_RESULTS_FILES_H
#define TS_REPORTS_RESULTS_FILES_H

#include "reports/rows/csv.h"
#include "reports/rows/journal.h"
#include "reports/rows/results.h"

#define TS_CONTEXT_NAME       "context.json"
#define TS_CONTEXT_DRAFT_NAME "context.json.partial"

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
  int64_t context_length;
  ts_results_file files[TS_RESULTS_FILE_COUNT];
  ts_journal journal;
  const char *option; ///< what gives the folder, for messages: "--out"
  char *next;         ///< what to do after a failure, for messages: "continue with --resume r"
  int64_t synced_ns;  ///< when the files were synced last
  bool is_new;        ///< The folder is being made, and is removed again if that fails.
  bool is_writing;    ///< The files are as long as we have made them, and are checked for that.
  bool has_unsynced;  ///< Rows or lines of the journal have been written since.
  bool is_careful;    ///< Each begin of a cell is synced: the program died here before.
  bool is_broken;     ///< A file could not be truncated after a failed write.
  bool was_changed;   ///< Another program has changed a file; nothing more is written.
  bool is_compressed_at_close;
  json_t *context_at_close; ///< NULL: it stays
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

/// Opens the journal, empty if there was none.
ts_status ts_results_open_journal(ts_results *results);

/// Replaces context.json, and takes the lock along. Only for the process that has the lock.
ts_status ts_results_replace_context(ts_results *results, const json_t *context);

/// Resets the file to just its header.
ts_status ts_results_write_header(ts_results *results, ts_results_file *file);

/// Whether the folder and its files are still as we left them. TS_E_INPUT, naming what is not and
/// what to do; from then on nothing more is written.
ts_status ts_results_check_files(ts_results *results);

/// The error when another process holds the lock.
ts_status ts_results_fail_locked(const ts_results *results);

#endif
