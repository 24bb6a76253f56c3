// SPDX-License-Identifier: MIT
/// A results folder: summary.csv, the files of TS_DETAIL_FILES (contacts.csv and others),
/// context.json and journal.log, written so that a run that was cut short, by a kill or a power
/// cut, leaves files from which it can go on.
#ifndef TS_REPORTS_RESULTS_H
#define TS_REPORTS_RESULTS_H

#include "base/arena.h"
#include "reports/rows/cell_rows.h"

#include <jansson.h>

/// Key of the context: the schema version.
#define TS_SCHEMA_KEY "schema_version"

/// Key of the context, an integer: the step of the last row of every cell that is ok throughout.
/// Without it, a cell whose last rows are missing cannot always be distinguished from a complete
/// one.
#define TS_LAST_STEP_KEY "last_step"

typedef struct ts_results ts_results;

/// Names of all files that a results folder can have, the compressed ones too; NULL-terminated.
extern const char *const ts_results_names[];

/// Makes a new results folder and opens its files. Parent folders are made. A folder that exists
/// and is not empty is refused with TS_E_INPUT and not changed; a path that cannot be written gives
/// TS_E_IO, and folders made on the way are removed again. `context` (borrowed, from
/// ts_context_create) is written as context.json with the schema version added. Until the results
/// are closed, other processes that try to create or resume them get TS_E_INPUT.
ts_status ts_results_create(ts_results **out, const char *folder, const json_t *context);

/// The same where another option than --out gives the folder, which messages then name. `option`
/// must outlive the results.
ts_status ts_results_create_by(ts_results **out, const char *folder, const char *option,
                               const json_t *context);

typedef struct ts_resumed {
  json_t *context;    ///< the content of context.json, owned by the caller
  ts_record *records; ///< [record_count], the summary rows that are kept, in their order
  size_t record_count;
  size_t lost_cells; ///< Cells that are run again: they have rows, but not all of them.
} ts_resumed;

/// Opens a folder to resume its run, and changes nothing yet. Kept are the cells, from the first
/// one on, that are whole in all files, wherever a kill or a power cut has ended each of them; a
/// file may be missing or end in zeros. Refused with TS_E_INPUT, when the folder has no results,
/// another schema, was begun by another build or on another machine (see ts_context_check), has
/// other columns, or rows that were changed: their numbers differ from those in a summary row
/// although others follow, their order from that of the summary, or their bytes from what the
/// journal says. The records are in the arena.
ts_status ts_results_resume(ts_results **out, ts_resumed *out_resumed, ts_arena *arena,
                            const char *folder);

/// Goes on with a resumed run: cuts the files back to what is kept, and replaces context.json by
/// `context` (borrowed) unless it is NULL. TS_E_IO.
ts_status ts_results_continue(ts_results *results, const json_t *context);

/// The command to go on with the run, for messages, such as "touchstone run --resume r --jobs 2";
/// it is copied. Without it, messages say `--resume FOLDER`. TS_E_MEMORY.
ts_status ts_results_set_command(ts_results *results, const char *command);

/// What to do after a failure, for messages, of results that cannot be gone on with: "score again";
/// it is copied. TS_E_MEMORY.
ts_status ts_results_set_next(ts_results *results, const char *next);

/// What is known of a cell from parts of the run that did not end in order: in how many of them the
/// program died while the cell ran, with no rows written in between.
typedef enum ts_cell_history {
  TS_HISTORY_CLEAN,
  TS_HISTORY_SUSPECT, ///< At least one: no other cell may run beside it.
  TS_HISTORY_TRIAL,   ///< Two, and at the last one no other ran: run it apart from this process.
  TS_HISTORY_GUILTY   ///< Three, likewise: do not run it.
} ts_cell_history;

ts_cell_history ts_results_history(const ts_results *results, const char *cell);

/// Note that a cell begins, and that it has ended and its rows are in memory, so that a resumed run
/// knows where the program died. The cells of one run may overlap. Errors as in
/// ts_results_append().
ts_status ts_results_begin(ts_results *results, const char *cell);
ts_status ts_results_ended(ts_results *results, const char *cell);

/// Syncs what was written, if that was not done for some seconds. To be called now and then.
/// TS_E_IO.
ts_status ts_results_tick(ts_results *results);

/// Appends the rows of one cell and flushes them, the summary last, so that a summary row means
/// that the cell is complete. A cell has one row per step, in ascending order, and no two cells of
/// a folder have the same key. Of a row that is ok, each other file has as many rows as it says
/// (ts_results_stated), of any other row as many or none, and the samples of each phase are
/// numbered from 0. Resuming relies on all of this. On TS_E_IO (disk
/// full) each file is truncated to its previous length, so that nothing is half-written.
/// TS_E_INPUT: another program has changed, replaced or removed a file, or moved the folder;
/// nothing is written any more.
ts_status ts_results_append(ts_results *results, const ts_cell_rows *rows);

/// Lets ts_results_close() replace all files but the summary by contacts.csv.gz and so on
/// (ts_gzip_replace), which every command reads. For results that are complete:
/// compressed ones cannot be resumed. When closing fails, each file is there in one form or the
/// other.
void ts_results_compress_at_close(ts_results *results);

/// Lets ts_results_close() replace context.json by `context` as its last step, after compression.
/// The reference is shared.
void ts_results_set_context_at_close(ts_results *results, json_t *context);

/// Whether a file of a folder is there in its compressed form only.
bool ts_results_are_compressed(const char *folder);

/// Syncs and closes the files and frees the object in any case; TS_E_IO when the system reports a
/// write error only now, TS_E_INPUT when another program has changed a file. NULL is allowed.
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
