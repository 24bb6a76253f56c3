// SPDX-License-Identifier: MIT
/// Resuming the results of a killed run: finds the complete part of each file, then truncates the
/// rest. Nothing is changed until everything has been checked.
#include "base/status.h"
#include "reports/rows/context.h"
#include "reports/rows/disk.h"
#include "reports/rows/outcome.h"
#include "reports/rows/results_files.h"
#include "reports/rows/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NO_RECORD SIZE_MAX

/// Consecutive rows of the summary that belong to one cell, one row per step.
typedef struct cell_group {
  const char *cell;
  size_t first, count; ///< range of records
  size_t index;        ///< index in the summary
} cell_group;

/// The complete part of a file.
typedef struct file_scan {
  bool has_header;
  ts_row_columns columns;
  int64_t kept_end;   ///< end of the rows of cells that are in the summary
  int64_t last_start; ///< start of the rows of the summary's last cell; -1 if there are none
} file_scan;

/// Numbers of rows that belong to one row of the summary.
typedef struct row_counts {
  size_t contacts, prepare, generate;
} row_counts;

typedef struct resume_state {
  ts_arena *arena;
  ts_record_list list;
  row_counts *counts; ///< [list.count], in the arena
  cell_group *groups; ///< [group_count], in the arena, sorted by cell
  size_t group_count;
  const char *unfinished; ///< the cell that was cut short by a kill; NULL if none
  file_scan scans[TS_RESULTS_FILE_COUNT];
} resume_state;

/// NaN sorts before all numbers.
static int compare_steps(double a, double b) {
  return a < b || (a != a && b == b) ? -1 : a > b || (a == a && b != b) ? 1 : 0;
}

static int compare_groups(const void *a, const void *b) {
  return strcmp(((const cell_group *)a)->cell, ((const cell_group *)b)->cell);
}

/// Whether the file has only a part of its header: the run was killed at its start.
static bool is_cut_header(const ts_results_file *file, int64_t size) {
  char start[4096];
  if (size < 0 || (size_t)size > sizeof start || (size_t)size >= file->buffer.count)
    return false;
  return pread(file->fd, start, (size_t)size, 0) == (ssize_t)size &&
         memcmp(start, file->buffer.bytes, (size_t)size) == 0;
}

/// Reads the header, which must have our columns in our order.
static ts_status check_header(const ts_results_file *file, const ts_csv_record *header) {
  const ts_row_type *type = file->type;
  size_t i = 0;
  while (i < header->field_count && i < type->field_count &&
         strcmp(header->fields[i], type->fields[i].column) == 0)
    i++;
  if (!header->is_cut && i == header->field_count && i == type->field_count)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s was written by another version: column %zu is \"%.60s\" and should be \"%s\"; "
                 "start a new run with --out",
                 file->path, i + 1, i < header->field_count ? header->fields[i] : "",
                 i < type->field_count ? type->fields[i].column : "");
}

/// Opens a reader after the header; none if the header is incomplete.
static ts_status start_scan(ts_csv_reader **out, file_scan *scan, ts_arena *arena,
                            ts_results_file *file) {
  struct stat info;
  *out = NULL;
  *scan = (file_scan){.last_start = -1};
  file->buffer.count = 0;
  TS_TRY(ts_rows_add_header(&file->buffer, file->type));
  if (file->fd < 0)
    return TS_OK;
  if (fstat(file->fd, &info) != 0)
    return ts_fail(TS_E_IO, "cannot access %s: %s", file->path, strerror(errno));
  if (!S_ISREG(info.st_mode))
    return ts_fail(TS_E_INPUT, "%s is not a regular file; start a new run with --out", file->path);
  if (is_cut_header(file, info.st_size))
    return TS_OK;
  ts_csv_record header = {0};
  bool found;
  TS_TRY(ts_csv_reader_create(out, file->fd, file->path));
  TS_TRY(ts_csv_read(&found, &header, *out));
  if (ts_csv_is_compressed(*out)) // rows cannot be cut off or appended there
    return ts_fail(TS_E_INPUT, "%s is compressed; decompress it with gunzip, then resume again",
                   file->path);
  TS_TRY(check_header(file, &header));
  scan->has_header = true;
  scan->kept_end = header.end;
  return ts_rows_read_header(&scan->columns, arena, file->type, &header, file->path);
}

/// Reads the rows of the summary, up to one that is cut off.
static ts_status read_rows(resume_state *state, ts_csv_reader *reader, const char *path) {
  file_scan *scan = &state->scans[TS_SUMMARY_FILE];
  ts_csv_record record;
  ts_record_list *list = &state->list;
  for (bool found;;) {
    TS_TRY(ts_csv_read(&found, &record, reader));
    if (!found || record.is_cut)
      return TS_OK;
    ts_record row;
    const ts_record *previous = list->count > 0 ? &list->records[list->count - 1] : NULL;
    TS_TRY(ts_rows_read(&row, state->arena, &ts_summary_rows, &scan->columns, &record, previous,
                        path));
    bool is_same_cell = previous && strcmp(previous->cell, row.cell) == 0;
    if (is_same_cell && compare_steps(previous->step, row.step) >= 0)
      return ts_fail(TS_E_INPUT,
                     "%s, line %zu: the steps of cell %s are not ascending; no run writes that, "
                     "start a new one with --out",
                     path, record.line, row.cell);
    if (!is_same_cell)
      scan->last_start = record.start;
    TS_TRY(ts_record_list_add(list, &row));
    scan->kept_end = record.end;
  }
}

/// Collects the cells of the summary and sorts them.
static ts_status group_records(resume_state *state, const char *path) {
  const ts_record *records = state->list.records;
  size_t count = state->list.count, group_count = 0;
  state->groups = ts_arena_array(state->arena, count, sizeof *state->groups);
  state->counts = ts_arena_array(state->arena, count, sizeof *state->counts);
  if (!state->groups || !state->counts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || strcmp(records[i].cell, records[i - 1].cell) != 0) {
      state->groups[group_count] = (cell_group){records[i].cell, i, 0, group_count};
      group_count++;
    }
    state->groups[group_count - 1].count++;
  }
  state->group_count = group_count;
  qsort(state->groups, group_count, sizeof *state->groups, compare_groups);
  for (size_t i = 1; i < group_count; i++)
    if (compare_groups(&state->groups[i - 1], &state->groups[i]) == 0)
      return ts_fail(TS_E_INPUT,
                     "%s: duplicate cell %s; no run writes that, start a new one with --out", path,
                     state->groups[i].cell);
  return TS_OK;
}

static const cell_group *find_group(const resume_state *state, const char *cell) {
  const cell_group key = {.cell = cell};
  return bsearch(&key, state->groups, state->group_count, sizeof key, compare_groups);
}

/// Index of the record of this step of the cell; NO_RECORD if the summary has none.
static size_t find_record(const resume_state *state, const cell_group *group, double step) {
  size_t low = group->first, high = group->first + group->count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (compare_steps(state->list.records[middle].step, step) <= 0)
      low = middle;
    else
      high = middle;
  }
  return compare_steps(state->list.records[low].step, step) == 0 ? low : NO_RECORD;
}

static ts_status fail_row(const char *path, size_t line, const char *cell, const char *what) {
  return ts_fail(TS_E_INPUT,
                 "%s, line %zu: cell %.60s %s; a killed run does not leave that behind, so nothing "
                 "was changed; start a new run with --out",
                 path, line, cell, what);
}

/// Records that the summary lacks rows of this cell. A kill leaves at most one such cell, the last.
static ts_status note_unfinished(resume_state *state, const cell_group *group, const char *cell,
                                 const char *path, size_t line) {
  if (group && group->index + 1 < state->group_count)
    return fail_row(path, line, cell, "has a step that summary.csv does not have");
  if (state->unfinished && strcmp(state->unfinished, cell) != 0)
    return fail_row(path, line, cell, "is the second one that is incomplete in summary.csv");
  if (!state->unfinished && !(state->unfinished = ts_arena_string(state->arena, cell)))
    return TS_E_MEMORY;
  return TS_OK;
}

static size_t column_of(const ts_row_type *type, const char *name) {
  return (size_t)(ts_row_find(type, name) - type->fields);
}

/// Counts a row for its record. The samples of a phase are numbered from 0.
static ts_status count_row(row_counts *counts, const ts_results_file *file,
                           const ts_csv_record *row, const char *cell) {
  if (file->type == &ts_contact_rows) {
    counts->contacts++;
    return TS_OK;
  }
  const char *phase = row->fields[column_of(file->type, "phase")];
  size_t column = column_of(file->type, "sample");
  size_t *count = strcmp(phase, "generate") == 0 ? &counts->generate : &counts->prepare;
  double sample;
  TS_TRY(ts_rows_read_number(&sample, &file->type->fields[column], row, row->fields[column],
                             file->path));
  if (sample != (double)*count)
    return fail_row(file->path, row->line, cell, "lacks an earlier sample");
  ++*count;
  return TS_OK;
}

/// Checks contacts or samples: rows of the summary's cells in the summary's order, then those of
/// the unfinished cell, then possibly one that is cut off.
static ts_status scan_rows(resume_state *state, ts_csv_reader *reader, const ts_results_file *file,
                           file_scan *scan) {
  size_t cell_column = column_of(file->type, "cell");
  size_t step_column = column_of(file->type, "step");
  const cell_group *group = NULL;
  bool is_tail = false;
  ts_csv_record record;
  for (bool found;;) {
    TS_TRY(ts_csv_read(&found, &record, reader));
    if (!found || record.is_cut)
      return TS_OK;
    TS_TRY(ts_rows_check_width(&scan->columns, &record, file->path));
    const char *cell = record.fields[cell_column];
    double step;
    TS_TRY(ts_rows_read_number(&step, &file->type->fields[step_column], &record,
                               record.fields[step_column], file->path));
    const cell_group *before = group;
    if (!group || strcmp(group->cell, cell) != 0)
      group = find_group(state, cell);
    if (before && group && group->index < before->index)
      return fail_row(file->path, record.line, cell, "is not in the order of summary.csv");
    size_t index = group ? find_record(state, group, step) : NO_RECORD;
    if (index == NO_RECORD) {
      TS_TRY(note_unfinished(state, group, cell, file->path, record.line));
      is_tail = true;
    } else if (is_tail && strcmp(cell, state->unfinished) != 0) {
      return fail_row(file->path, record.line, cell, "comes after an unfinished one");
    } else {
      TS_TRY(count_row(&state->counts[index], file, &record, cell));
    }
    if (group && group->index + 1 == state->group_count && scan->last_start < 0)
      scan->last_start = record.start;
    if (!is_tail)
      scan->kept_end = record.end;
  }
}

/// Finds the complete part of the three files.
static ts_status scan_files(resume_state *state, ts_results *results) {
  static const int order[] = {TS_SUMMARY_FILE, TS_CONTACTS_FILE, TS_SAMPLES_FILE};
  for (size_t i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[order[i]];
    file_scan *scan = &state->scans[order[i]];
    ts_csv_reader *reader;
    bool is_summary = order[i] == TS_SUMMARY_FILE;
    ts_status status = start_scan(&reader, scan, state->arena, file);
    if (status == TS_OK && reader)
      status =
          is_summary ? read_rows(state, reader, file->path) : scan_rows(state, reader, file, scan);
    ts_csv_reader_destroy(reader);
    TS_TRY(status);
    if (is_summary)
      TS_TRY(group_records(state, file->path));
  }
  return TS_OK;
}

/// Finds cells that are ok but end before the last step. Only the last cell of the summary may, if
/// the kill came between its rows.
static ts_status find_short_cells(resume_state *state, const json_t *context, const char *path) {
  const json_t *last_step = json_object_get(context, TS_LAST_STEP_KEY);
  const ts_record *records = state->list.records;
  size_t count = state->list.count;
  for (size_t i = 0; json_is_number(last_step) && i < count; i++) {
    bool is_last_row = i + 1 == count || strcmp(records[i].cell, records[i + 1].cell) != 0;
    if (!is_last_row || !ts_record_is_ok(&records[i]) ||
        records[i].step == json_number_value(last_step))
      continue;
    if (i + 1 < count || (state->unfinished && strcmp(state->unfinished, records[i].cell) != 0))
      return ts_fail(TS_E_INPUT,
                     "%s lacks the last steps of cell %.60s, which is not its last cell; no run "
                     "writes that, start a new one with --out",
                     path, records[i].cell);
    state->unfinished = records[i].cell;
  }
  return TS_OK;
}

/// Drops the summary's last cell if it is the unfinished one.
static void drop_unfinished(resume_state *state) {
  const cell_group *last = state->unfinished ? find_group(state, state->unfinished) : NULL;
  if (!last)
    return;
  state->list.count = last->first;
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++)
    if (state->scans[i].last_start >= 0)
      state->scans[i].kept_end = state->scans[i].last_start;
}

/// Compares the number of rows of one kind with the one in the record. A record that is not ok may
/// count rows that were discarded.
static ts_status check_count(const ts_record *record, size_t count, double stated,
                             const ts_results_file *file, const char *what) {
  double expected = stated > 0 ? stated : 0;
  if ((double)count == expected || (!ts_record_is_ok(record) && count == 0))
    return TS_OK;
  return ts_fail(
      TS_E_INPUT,
      "%s has %zu %s of %s x %s, cell %.60s, but summary.csv counts %.0f: a file was changed after "
      "the run wrote it; nothing was changed now; start a new run with --out",
      file->path, count, what, record->case_name, record->method, record->cell, expected);
}

/// Contacts and samples are written before the summary, so a cell in the summary has all of them.
static ts_status check_counts(const resume_state *state, const ts_results *results) {
  for (size_t i = 0; i < state->list.count; i++) {
    const ts_record *record = &state->list.records[i];
    TS_TRY(check_count(record, state->counts[i].contacts, record->contacts_listed,
                       &results->files[TS_CONTACTS_FILE], "rows"));
    TS_TRY(check_count(record, state->counts[i].generate, record->repeats,
                       &results->files[TS_SAMPLES_FILE], "rows of phase generate"));
  }
  return TS_OK;
}

/// Truncates the files, the summary first: if this is interrupted as well, the next resume sees the
/// dropped cells as unfinished ones.
static ts_status cut_files(const resume_state *state, ts_results *results) {
  for (int i = TS_RESULTS_FILE_COUNT - 1; i >= 0; i--) {
    ts_results_file *file = &results->files[i];
    if (file->fd < 0)
      TS_TRY(ts_results_create_file(results, file));
    if (!state->scans[i].has_header) {
      TS_TRY(ts_results_write_header(results, file));
      continue;
    }
    file->length = state->scans[i].kept_end;
    if (ftruncate(file->fd, (off_t)file->length) != 0)
      return ts_fail(TS_E_IO, "cannot truncate %s: %s", file->path, strerror(errno));
  }
  unlinkat(results->folder_fd, TS_CONTEXT_DRAFT_NAME, 0);
  return TS_OK;
}

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

static ts_status check_context_file(const ts_results *results) {
  struct stat facts;
  if (fstat(results->context_fd, &facts) != 0)
    return ts_fail(TS_E_IO, "cannot access %s/%s: %s", results->folder, TS_CONTEXT_NAME,
                   strerror(errno));
  if (S_ISREG(facts.st_mode) && (uintmax_t)facts.st_size <= TS_CONTEXT_BYTES_MAX)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s/%s is not a regular file of at most %zu bytes; start a new run with --out",
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

static ts_status open_files(json_t **out_context, ts_results *results) {
  results->folder_fd = open(results->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (results->folder_fd < 0)
    return fail_open(results->folder, NULL, errno);
  results->context_fd = ts_results_open(results, TS_CONTEXT_NAME, 0);
  if (results->context_fd < 0)
    return fail_open(results->folder, TS_CONTEXT_NAME, errno);
  if (!ts_disk_lock(results->context_fd))
    return ts_results_fail_locked(results);
  TS_TRY(check_context_file(results));
  TS_TRY(read_context(out_context, results));
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    ts_results_file *file = &results->files[i];
    file->fd = ts_results_open(results, file->name, 0);
    if (file->fd < 0 && errno != ENOENT)
      return fail_open(results->folder, file->name, errno);
  }
  return TS_OK;
}

ts_status ts_results_resume(ts_results **out, json_t **out_context, ts_record **out_records,
                            size_t *out_count, ts_arena *arena, const char *folder) {
  ts_results *results = NULL;
  json_t *context = NULL;
  resume_state state = {.arena = arena};
  TS_TRY(ts_results_alloc(&results, folder));
  ts_status status = open_files(&context, results);
  if (status == TS_OK)
    status = scan_files(&state, results);
  if (status == TS_OK)
    status = find_short_cells(&state, context, results->files[TS_SUMMARY_FILE].path);
  if (status == TS_OK) {
    drop_unfinished(&state);
    status = check_counts(&state, results);
  }
  if (status == TS_OK)
    status = ts_record_list_keep(out_records, arena, &state.list, state.list.count);
  if (status == TS_OK)
    status = cut_files(&state, results);
  free(state.list.records);
  if (status != TS_OK) {
    json_decref(context);
    ts_results_free(results);
    return status;
  }
  *out = results;
  *out_context = context;
  *out_count = state.list.count;
  return TS_OK;
}
