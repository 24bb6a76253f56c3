// SPDX-License-Identifier: MIT
/// A results folder: summary.csv, contacts.csv, samples.csv and context.json, written so that a
/// killed run leaves valid files and can go on.
#ifndef TS_REPORTS_RESULTS_H
#define TS_REPORTS_RESULTS_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>

/// Key of the context, a whole number: the step of the last row of every cell that ends well. Where
/// it is missing, a cell whose last rows are cut off cannot always be told from a whole one.
#define TS_LAST_STEP_KEY "last_step"

typedef struct ts_results ts_results;

/// All that one cell leaves.
typedef struct ts_cell_rows {
  const ts_record *records; ///< [record_count], a row a step
  size_t record_count;
  const ts_contact_row *contacts;
  size_t contact_count;
  const ts_sample_row *samples;
  size_t sample_count;
} ts_cell_rows;

/// Makes a new results folder and opens its files. Parent folders are made. A folder that exists
/// and is not empty is refused with TS_E_INPUT and left alone; so is a path that cannot be written
/// (TS_E_IO), and what was made of it on the way is removed again. `context` (borrowed, of
/// ts_context_create) is written as context.json with the schema version added. Until the results
/// are closed no other process can create or resume them: it gets TS_E_INPUT.
ts_status ts_results_create(ts_results **out, const char *folder, const json_t *context);

/// Opens a folder to go on with it. Refused with TS_E_INPUT, and nothing is changed, when it holds
/// no results, is of another schema, was begun by another build or on another machine (see
/// ts_context_check), its columns are not ours, or a summary row has other numbers of contacts or
/// samples than it tells of, or a cell that is not the last lacks steps. Rows that a kill cut off,
/// all those of a last cell that lacks some, and contacts and samples of cells that have no summary
/// row, are dropped. `*out_context` (owned by
/// the caller) is what context.json holds; `*out_records` [*out_count], in the arena, are the
/// summary rows kept, in their order.
ts_status ts_results_resume(ts_results **out, json_t **out_context, ts_record **out_records,
                            size_t *out_count, ts_arena *arena, const char *folder);

/// Appends the rows of one cell and flushes them: contacts and samples first, the summary last, so
/// that a summary row means that all of the cell is there. A cell has a row for each step, the
/// steps ascending, and no two cells of a folder have the same key. A row that is ok has
/// `contacts_listed` contacts and `repeats` samples of phase "generate", any other row as many or
/// none, and the samples of each phase are numbered from 0. Resuming relies on all of it. On
/// TS_E_IO (disk full) each file is cut back to what it was, so that nothing is half-written.
ts_status ts_results_append(ts_results *results, const ts_cell_rows *rows);

/// Closes the files and frees the object, whatever the result; TS_E_IO when the system tells only
/// now that it could not write. NULL is fine.
ts_status ts_results_close(ts_results *results);

/// Reads any summary.csv (or baseline in its form): columns by name, unknown ones ignored, missing
/// ones NaN or "", empty numbers NaN. Refused with TS_E_INPUT and the line named: ragged rows, a
/// number that is none, a line that is cut off; refused too: an empty or missing file, a column
/// that stands twice, a missing identity column.
ts_status ts_summary_read(ts_record **out, size_t *out_count, ts_arena *arena, const char *path);

/// Points the symbolic link `parent/latest` to the folder, replacing an older link; anything else
/// of that name is left alone and is TS_E_INPUT. TS_SKIPPED for a folder without a name, such as
/// ".".
ts_status ts_results_link_latest(const char *folder);

#endif
