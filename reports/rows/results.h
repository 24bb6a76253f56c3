// SPDX-License-Identifier: MIT
/// A results folder: summary.csv, contacts.csv, samples.csv and context.json, written so that a
/// killed run leaves valid files and can be resumed.
#ifndef TS_REPORTS_RESULTS_H
#define TS_REPORTS_RESULTS_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>

/// Key of the context: the schema version.
#define TS_SCHEMA_KEY "schema_version"

/// Key of the context, an integer: the step of the last row of every cell that is ok throughout.
/// Without it, a cell whose last rows are missing cannot always be distinguished from a complete
/// one.
#define TS_LAST_STEP_KEY "last_step"

typedef struct ts_results ts_results;

/// The results of one cell.
typedef struct ts_cell_rows {
  const ts_record *records; ///< [record_count], one row per step
  size_t record_count;
  const ts_contact_row *contacts;
  size_t contact_count;
  const ts_sample_row *samples;
  size_t sample_count;
} ts_cell_rows;

/// Makes a new results folder and opens its files. Parent folders are made. A folder that exists
/// and is not empty is refused with TS_E_INPUT and not changed; a path that cannot be written gives
/// TS_E_IO, and folders made on the way are removed again. `context` (borrowed, from
/// ts_context_create) is written as context.json with the schema version added. Until the results
/// are closed, other processes that try to create or resume them get TS_E_INPUT.
ts_status ts_results_create(ts_results **out, const char *folder, const json_t *context);

/// Opens a folder to resume its run. Refused with TS_E_INPUT, without changing anything, when it
/// has no results, another schema, was begun by another build or on another machine (see
/// ts_context_check), has other columns, when the numbers of contacts or samples differ from those
/// of a summary row, or when a cell other than the last lacks steps. Dropped are: rows that were
/// cut off, all rows of an incomplete last cell, and contacts and samples of cells without a
/// summary row. `*out_context` (owned by the caller) is the content of context.json; `*out_records`
/// [*out_count], in the arena, are the summary rows kept, in their order.
ts_status ts_results_resume(ts_results **out, json_t **out_context, ts_record **out_records,
                            size_t *out_count, ts_arena *arena, const char *folder);

/// Appends the rows of one cell and flushes them: contacts and samples first, the summary last, so
/// that a summary row means that the cell is complete. A cell has one row per step, in ascending
/// order, and no two cells of a folder have the same key. A row that is ok has `contacts_listed`
/// contacts and `repeats` samples of phase "generate", any other row has as many or none, and the
/// samples of each phase are numbered from 0. Resuming relies on all of this. On TS_E_IO (disk
/// full) each file is truncated to its previous length, so that nothing is half-written.
ts_status ts_results_append(ts_results *results, const ts_cell_rows *rows);

/// Replaces contacts.csv and samples.csv by contacts.csv.gz and samples.csv.gz (ts_gzip_replace),
/// which every command reads. For results that are complete: nothing can be appended afterwards,
/// and they cannot be resumed. TS_E_IO when that fails; each file is then there in one form or the
/// other.
ts_status ts_results_compress(ts_results *results);

/// Whether contacts.csv or samples.csv of a folder is there in its compressed form only.
bool ts_results_are_compressed(const char *folder);

/// Closes the files and frees the object in any case; TS_E_IO when the system reports a write error
/// only now. NULL is allowed.
ts_status ts_results_close(ts_results *results);

/// Reads any summary.csv (or baseline in its form): columns by name, unknown ones ignored, missing
/// ones NaN or "", empty numbers NaN. TS_E_INPUT, naming the line: rows of different length, an
/// invalid number, a line that is cut off; also TS_E_INPUT: an empty or missing file, a duplicate
/// column or row, a missing identity column.
ts_status ts_summary_read(ts_record **out, size_t *out_count, ts_arena *arena, const char *path);

/// Points the symbolic link `parent/latest` to the folder, replacing an older link. Anything else
/// with that name is not changed and gives TS_E_INPUT. TS_SKIPPED for a folder without a name, such
/// as ".".
ts_status ts_results_link_latest(const char *folder);

#endif
