// SPDX-License-Identifier: MIT
#include "reports/rows/resume_scan.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/status.h"
#include "reports/rows/outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_RECORD SIZE_MAX

/// Consecutive rows of the summary that belong to one cell, one row per step.
typedef struct cell {
  const char *key;
  size_t first, count;                 ///< range of records
  int64_t ends[TS_RESULTS_FILE_COUNT]; ///< of its rows
  bool lacks_step;                     ///< Another file has a step that the summary lacks.
} cell;

/// What was found in a file.
typedef struct file_scan {
  ts_row_columns columns;
  int64_t header_end, end; ///< `end` is that of the last whole row
  size_t last_cell;        ///< index of the last cell of the summary that it has rows of
  size_t other_cells;      ///< cells after that, which the summary does not have
} file_scan;

/// Numbers of rows that belong to one row of the summary.
typedef struct row_counts {
  size_t of_file[TS_DETAIL_FILE_COUNT]; ///< those that count (ts_results_is_counted)
  size_t others;                        ///< samples that do not
} row_counts;

typedef struct scan {
  ts_arena *arena;
  ts_results *results;
  ts_resume_scan *out;
  row_counts *counts;  ///< [records]
  cell *cells;         ///< [cell_count], in the order of the summary
  const cell **by_key; ///< [cell_count], sorted by key
  size_t cell_count;
  file_scan files[TS_RESULTS_FILE_COUNT];
  bool has_lost_rows; ///< Rows of other files have been cut off that the summary counts.
} scan;

/// NaN sorts before all numbers.
static int compare_steps(double a, double b) {
  return a < b || (a != a && b == b) ? -1 : a > b || (a == a && b != b) ? 1 : 0;
}

static int compare_keys(const void *a, const void *b) {
  return strcmp((*(const cell *const *)a)->key, (*(const cell *const *)b)->key);
}

/// Whether the file has only a part of its header, followed by nothing or by zeros.
static ts_status check_cut_header(bool *out, const ts_results_file *file, ts_arena *arena) {
  size_t size = file->buffer.count;
  char *start = ts_arena_array(arena, size, 1);
  if (!start)
    return TS_E_MEMORY;
  ssize_t count = pread(file->fd, start, size, 0);
  if (count < 0)
    return ts_fail(TS_E_IO, "cannot read %s: %s", file->path, strerror(errno));
  size_t length = strnlen(start, (size_t)count);
  *out = length < size && memcmp(start, file->buffer.bytes, length) == 0;
  return TS_OK;
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
static ts_status start_scan(ts_csv_reader **out, scan *s, int index) {
  ts_results_file *file = &s->results->files[index];
  file_scan *found = &s->files[index];
  *out = NULL;
  file->buffer.count = 0;
  TS_TRY(ts_rows_add_header(&file->buffer, file->type));
  if (file->fd < 0)
    return TS_OK;
  bool is_cut = false;
  TS_TRY(check_cut_header(&is_cut, file, s->arena));
  if (is_cut)
    return TS_OK;
  ts_csv_record header = {0};
  bool has_header;
  TS_TRY(ts_csv_reader_create(out, file->fd, file->path));
  ts_csv_reader_end_at_nul(*out);
  TS_TRY(ts_csv_read(&has_header, &header, *out));
  if (ts_csv_is_compressed(*out)) // rows cannot be cut off or appended there
    return ts_fail(TS_E_INPUT, "%s is compressed; decompress it with gunzip, then resume again",
                   file->path);
  TS_TRY(check_header(file, &header));
  s->out->has_header[index] = true;
  found->header_end = found->end = header.end;
  return ts_rows_read_header(&found->columns, s->arena, file->type, &header, file->path);
}

// The summary

/// Reads the rows of the summary, up to one that is cut off, and finds its cells.
static ts_status scan_summary(scan *s, ts_csv_reader *reader) {
  const char *path = s->results->files[TS_SUMMARY_FILE].path;
  file_scan *found = &s->files[TS_SUMMARY_FILE];
  ts_record_list *list = &s->out->list;
  size_t capacity = 0;
  ts_csv_record record;
  for (bool is_found;;) {
    TS_TRY(ts_csv_read(&is_found, &record, reader));
    if (!is_found || record.is_cut)
      return TS_OK;
    ts_record row;
    const ts_record *previous = list->count > 0 ? &list->records[list->count - 1] : NULL;
    TS_TRY(
        ts_rows_read(&row, s->arena, &ts_summary_rows, &found->columns, &record, previous, path));
    bool is_same_cell = previous && strcmp(previous->cell, row.cell) == 0;
    if (is_same_cell && compare_steps(previous->step, row.step) >= 0)
      return ts_fail(TS_E_INPUT,
                     "%s, line %zu: the steps of cell %s are not ascending; no run writes that, "
                     "start a new one with --out",
                     path, record.line, row.cell);
    if (!is_same_cell) {
      TS_TRY(TS_ARENA_GROW(s->cells, capacity, s->cell_count, 1, s->arena));
      s->cells[s->cell_count++] = (cell){.key = row.cell, .first = list->count};
    }
    s->cells[s->cell_count - 1].count++;
    s->cells[s->cell_count - 1].ends[TS_SUMMARY_FILE] = found->end = record.end;
    TS_TRY(ts_record_list_add(list, &row));
  }
}

/// Sorts the cells by key.
static ts_status index_cells(scan *s) {
  s->counts = ts_arena_array(s->arena, s->out->list.count, sizeof *s->counts);
  s->by_key = ts_arena_array(s->arena, s->cell_count, sizeof *s->by_key);
  if (!s->counts || !s->by_key)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->cell_count; i++)
    s->by_key[i] = &s->cells[i];
  qsort(s->by_key, s->cell_count, sizeof *s->by_key, compare_keys);
  for (size_t i = 1; i < s->cell_count; i++)
    if (compare_keys(&s->by_key[i - 1], &s->by_key[i]) == 0)
      return ts_fail(TS_E_INPUT,
                     "%s: duplicate cell %s; no run writes that, start a new one with --out",
                     s->results->files[TS_SUMMARY_FILE].path, s->by_key[i]->key);
  return TS_OK;
}

// The other files

static cell *find_cell(const scan *s, const char *key) {
  const cell wanted = {.key = key}, *pointer = &wanted;
  const cell **found = bsearch(&pointer, s->by_key, s->cell_count, sizeof *s->by_key, compare_keys);
  return found ? &s->cells[*found - s->cells] : NULL;
}

/// Index of the record of this step of the cell; NO_RECORD if the summary has none.
static size_t find_record(const scan *s, const cell *c, double step) {
  const ts_record *records = s->out->list.records;
  size_t low = c->first, high = c->first + c->count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (compare_steps(records[middle].step, step) <= 0)
      low = middle;
    else
      high = middle;
  }
  return compare_steps(records[low].step, step) == 0 ? low : NO_RECORD;
}

static ts_status fail_row(const char *path, size_t line, const char *key, const char *what) {
  return ts_fail(TS_E_INPUT,
                 "%s, line %zu: cell %.60s %s; neither a killed run nor a power cut leaves that "
                 "behind, so nothing was changed; start a new run with --out",
                 path, line, key, what);
}

static size_t column_of(const ts_row_type *type, const char *name) {
  return (size_t)(ts_row_find(type, name) - type->fields);
}

/// Counts a row for its record. The samples of a phase are numbered from 0.
static ts_status count_row(row_counts *counts, const ts_results_file *file, int index,
                           const ts_csv_record *row, const char *key) {
  if (index != TS_SAMPLES_FILE) {
    counts->of_file[index]++;
    return TS_OK;
  }
  const char *phase = row->fields[column_of(file->type, "phase")];
  size_t column = column_of(file->type, "sample");
  size_t *count = ts_results_is_counted(index, phase) ? &counts->of_file[index] : &counts->others;
  double sample;
  TS_TRY(ts_rows_read_number(&sample, &file->type->fields[column], row, row->fields[column],
                             file->path));
  if (sample != (double)*count)
    return fail_row(file->path, row->line, key, "lacks an earlier sample");
  ++*count;
  return TS_OK;
}

/// Takes a row of a cell that the summary has.
static ts_status take_row(scan *s, int index, cell *c, double step, const ts_csv_record *row) {
  const ts_results_file *file = &s->results->files[index];
  size_t record = find_record(s, c, step);
  c->ends[index] = row->end;
  if (record != NO_RECORD)
    return count_row(&s->counts[record], file, index, row, c->key);
  c->lacks_step = true;
  if (c + 1 < s->cells + s->cell_count)
    return fail_row(file->path, row->line, c->key, "has a step that summary.csv does not have");
  return TS_OK;
}

/// Reads a file beside the summary: rows of the summary's cells in the summary's order, then those
/// of cells that the summary has lost, then possibly a row that is cut off.
static ts_status scan_rows(scan *s, ts_csv_reader *reader, int index) {
  const ts_results_file *file = &s->results->files[index];
  file_scan *found = &s->files[index];
  size_t key_column = column_of(file->type, "cell"), step_column = column_of(file->type, "step");
  cell *c = NULL;
  const char *other = NULL; // key of the last cell that the summary does not have
  ts_csv_record row;
  for (bool is_found;;) {
    TS_TRY(ts_csv_read(&is_found, &row, reader));
    if (!is_found || row.is_cut)
      return TS_OK;
    TS_TRY(ts_rows_check_width(&found->columns, &row, file->path));
    const char *key = row.fields[key_column];
    double step;
    TS_TRY(ts_rows_read_number(&step, &file->type->fields[step_column], &row,
                               row.fields[step_column], file->path));
    found->end = row.end;
    if (other && strcmp(other, key) == 0)
      continue;
    cell *next = c && strcmp(c->key, key) == 0 ? c : find_cell(s, key);
    if (next && other)
      return fail_row(file->path, row.line, key, "comes after one that summary.csv does not have");
    if (next && c && next < c)
      return fail_row(file->path, row.line, key, "is not in the order of summary.csv");
    if (next) {
      c = next;
      found->last_cell = (size_t)(c - s->cells);
      TS_TRY(take_row(s, index, c, step, &row));
      continue;
    }
    found->other_cells++;
    other = ts_arena_string(s->arena, key);
    if (!other)
      return TS_E_MEMORY;
  }
}

static ts_status scan_file(scan *s, int index) {
  ts_csv_reader *reader;
  ts_status status = start_scan(&reader, s, index);
  if (status == TS_OK && reader)
    status = index == TS_SUMMARY_FILE ? scan_summary(s, reader) : scan_rows(s, reader, index);
  ts_csv_reader_destroy(reader);
  return status;
}

/// Scans the summary first: the rows of the others belong to its cells.
static ts_status scan_each(scan *s) {
  TS_TRY(scan_file(s, TS_SUMMARY_FILE));
  TS_TRY(index_cells(s));
  for (int f = 0; f < TS_DETAIL_FILE_COUNT; f++)
    TS_TRY(scan_file(s, f));
  return TS_OK;
}

/// A cell without rows in a file ends there where the one before does.
static void fill_ends(scan *s) {
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    int64_t end = s->files[f].header_end;
    for (size_t i = 0; i < s->cell_count; i++) {
      if (s->cells[i].ends[f] == 0)
        s->cells[i].ends[f] = end;
      end = s->cells[i].ends[f];
    }
  }
}

// Which cells are whole

/// Compares the number of rows in a file with the one in the record, which a record that is not ok
/// may not have written. Rows that are missing before others were not lost by a cut.
static ts_status check_count(bool *whole, scan *s, size_t index, size_t row, int f) {
  const ts_record *record = &s->out->list.records[row];
  size_t count = s->counts[row].of_file[f];
  double stated = ts_results_stated(record, f), expected = stated > 0 ? stated : 0;
  if ((double)count == expected || (!ts_record_is_ok(record) && count == 0))
    return TS_OK;
  const file_scan *file = &s->files[f];
  *whole = false;
  s->has_lost_rows = (double)count < expected && file->last_cell <= index && file->other_cells == 0;
  if (s->has_lost_rows)
    return TS_OK;
  return ts_fail(
      TS_E_INPUT,
      "%s has %zu %s of %s x %s, cell %.60s, but summary.csv counts %.0f: a file was changed after "
      "the run wrote it; nothing was changed now; start a new run with --out",
      s->results->files[f].path, count, ts_results_counted_word(f), record->case_name,
      record->method, record->cell, expected);
}

/// Whether a cell that is ok ends before the last step. Only the last cell of the summary may.
static ts_status check_last_step(bool *whole, const scan *s, size_t index, double last_step) {
  const cell *c = &s->cells[index];
  const ts_record *last = &s->out->list.records[c->first + c->count - 1];
  if (last_step != last_step || !ts_record_is_ok(last) || last->step == last_step)
    return TS_OK;
  *whole = false;
  if (index + 1 == s->cell_count)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s lacks the last steps of cell %.60s, which is not its last cell; no run "
                 "writes that, start a new one with --out",
                 s->results->files[TS_SUMMARY_FILE].path, c->key);
}

static ts_status check_cell(bool *whole, scan *s, size_t index, double last_step) {
  const cell *c = &s->cells[index];
  *whole = !c->lacks_step;
  TS_TRY(check_last_step(whole, s, index, last_step));
  for (size_t i = c->first; i < c->first + c->count; i++)
    for (int f = 0; f < TS_DETAIL_FILE_COUNT; f++)
      TS_TRY(check_count(whole, s, index, i, f));
  return TS_OK;
}

/// Whether every row of the cell is ok, so that the number of its other rows is known.
static bool is_ok_throughout(const scan *s, const cell *c) {
  for (size_t i = c->first; i < c->first + c->count; i++)
    if (!ts_record_is_ok(&s->out->list.records[i]))
      return false;
  return true;
}

/// Counts the cells, from the first on, that are whole. Where rows of other files were cut off,
/// cells before that are not ok may have lost some that the summary does not count, so they are run
/// again as well, unless the journal (of the first `known` cells) tells where they ended.
static ts_status count_whole(size_t *out, scan *s, size_t known, double last_step) {
  size_t count = 0;
  bool is_whole = true;
  while (count < s->cell_count && is_whole) {
    TS_TRY(check_cell(&is_whole, s, count, last_step));
    count += is_whole;
  }
  if (s->has_lost_rows)
    while (count > known && !is_ok_throughout(s, &s->cells[count - 1]))
      count--;
  *out = count;
  return TS_OK;
}

// The journal

static ts_status hash_range(uint32_t *out, const ts_results_file *file, int64_t start,
                            int64_t end) {
  char bytes[1 << 14];
  uint64_t hash = TS_HASH_START;
  while (start < end) {
    size_t wanted = end - start < (int64_t)sizeof bytes ? (size_t)(end - start) : sizeof bytes;
    ssize_t count = pread(file->fd, bytes, wanted, (off_t)start);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return ts_fail(TS_E_IO, "cannot read %s: %s", file->path, strerror(count < 0 ? errno : EIO));
    hash = ts_hash_bytes(hash, bytes, (size_t)count);
    start += count;
  }
  *out = (uint32_t)hash;
  return TS_OK;
}

static ts_status fail_changed(const scan *s, const cell *c, int f) {
  const ts_record *record = &s->out->list.records[c->first];
  return ts_fail(
      TS_E_INPUT,
      "%s: the rows of %s x %s, cell %.60s, are not those that the run wrote, as %s has "
      "them: someone has changed one of the two files; restore it, or remove %s/%s to go "
      "on with the rows as they are, or start a new run with --out",
      s->results->files[f].path, record->case_name, record->method, c->key, TS_JOURNAL_NAME,
      s->results->folder, TS_JOURNAL_NAME);
}

/// Compares a cell with its line in the journal. `*out_is_cut`: a file ends before the cell does.
static ts_status check_noted(bool *out_is_cut, const scan *s, const ts_journal_cell *noted,
                             const cell *c) {
  *out_is_cut = false;
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
    *out_is_cut =
        *out_is_cut || (noted->ends[f] > noted->starts[f] && noted->ends[f] > s->files[f].end);
  for (int f = 0; f < TS_RESULTS_FILE_COUNT && !*out_is_cut; f++) {
    if (c->ends[f] != noted->ends[f] && noted->ends[f] > noted->starts[f])
      return fail_changed(s, c, f);
    uint32_t hash;
    if (noted->ends[f] == noted->starts[f])
      continue;
    TS_TRY(hash_range(&hash, &s->results->files[f], noted->starts[f], noted->ends[f]));
    if (hash != noted->hashes[f])
      return fail_changed(s, c, f);
  }
  return TS_OK;
}

/// Number of cells that the journal has in the order of the summary, from the first on.
static size_t count_noted(const scan *s) {
  const ts_journal *journal = &s->results->journal;
  size_t count = 0;
  while (count < s->cell_count && count < journal->cell_count &&
         strcmp(journal->cells[count].key, s->cells[count].key) == 0)
    count++;
  return count;
}

/// Lowers the number of whole cells to what the journal knows of them: fewer rows than were on the
/// disk have been cut off, others than were on it have been changed.
static ts_status check_journal(size_t *count, const scan *s) {
  const ts_journal *journal = &s->results->journal;
  for (size_t i = 0; i < journal->cell_count; i++) {
    const ts_journal_cell *noted = &journal->cells[i];
    const cell *c = find_cell(s, noted->key);
    size_t index = c ? (size_t)(c - s->cells) : s->cell_count;
    if (index >= *count)
      continue;
    bool is_cut;
    TS_TRY(check_noted(&is_cut, s, noted, c));
    if (is_cut)
      *count = index;
  }
  return TS_OK;
}

static void keep(scan *s, size_t count) {
  ts_resume_scan *out = s->out;
  const cell *last = count > 0 ? &s->cells[count - 1] : NULL;
  size_t others = 0;
  out->kept_records = last ? last->first + last->count : 0;
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    out->kept_end[f] = last ? last->ends[f] : s->files[f].header_end;
    others = s->files[f].other_cells > others ? s->files[f].other_cells : others;
  }
  out->lost_cells = s->cell_count - count + others;
}

ts_status ts_resume_scan_files(ts_resume_scan *out, ts_arena *arena, ts_results *results,
                               double last_step) {
  *out = (ts_resume_scan){0};
  scan s = {.arena = arena, .results = results, .out = out};
  size_t count;
  TS_TRY(scan_each(&s));
  fill_ends(&s);
  TS_TRY(count_whole(&count, &s, count_noted(&s), last_step));
  TS_TRY(check_journal(&count, &s));
  keep(&s, count);
  return TS_OK;
}
