// SPDX-License-Identifier: MIT
#include "reports/rows/row_details.h"

#include "base/array.h"
#include "base/status.h"
#include "reports/rows/cell_rows.h"
#include "reports/rows/outcome.h"
#include "reports/rows/record_index.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// State while one of the files is read.
typedef struct reading {
  ts_arena *arena;
  const char *path;
  int file;
  const ts_row_type *type;
  ts_record_index index;
  const bool *is_wanted;
  ts_cell_rows *found;    ///< [index.count]
  bool *is_read;          ///< [index.count] rows of this file
  size_t current;         ///< the record whose rows are read now; TS_NO_RECORD: none that is wanted
  char *rows;             ///< [count] of the current record, on the heap
  size_t count, capacity; ///< `capacity` in bytes
} reading;

/// Moves the rows of the current record to the arena, at their final size.
static ts_status end_record(reading *r) {
  if (r->current == TS_NO_RECORD)
    return TS_OK;
  void *rows = ts_arena_copy(r->arena, r->rows, r->count, r->type->row_bytes);
  if (!rows)
    return TS_E_MEMORY;
  ts_cell_rows_set(&r->found[r->current], r->file, (ts_rows_view){rows, r->count});
  r->current = TS_NO_RECORD;
  r->count = 0;
  return TS_OK;
}

static ts_status begin_record(reading *r, size_t record) {
  TS_TRY(end_record(r));
  if (record == TS_NO_RECORD || !r->is_wanted[record])
    return TS_OK;
  if (r->is_read[record])
    return ts_fail(TS_E_INPUT,
                   "%s: the rows of cell %s at step %.0f are not consecutive; sort the file by "
                   "cell and step",
                   r->path, r->index.records[record].cell, r->index.records[record].step);
  r->is_read[record] = true;
  r->current = record;
  return TS_OK;
}

static ts_status fail_count(const reading *r, const ts_record *record, size_t count) {
  return ts_fail(TS_E_INPUT,
                 "%s has %zu%s rows of cell %s at step %.0f, but the summary counts %.0f; the file "
                 "is incomplete or was changed: run again",
                 r->path, count, r->current == TS_NO_RECORD ? "" : " or more", record->cell,
                 record->step, ts_results_stated(record, r->file));
}

static ts_status take_row(void *context, const void *row) {
  reading *r = context;
  size_t bytes = r->type->row_bytes;
  const ts_field *cell = ts_row_find(r->type, "cell");
  size_t record =
      ts_record_index_find(&r->index, ts_row_text(cell, row), ts_row_step(r->type, row));
  if (record != r->current || record == TS_NO_RECORD)
    TS_TRY(begin_record(r, record));
  if (r->current == TS_NO_RECORD)
    return TS_OK;
  TS_TRY(TS_HEAP_GROW(r->rows, r->capacity, r->count * bytes, bytes));
  char *copy = r->rows + r->count * bytes;
  memcpy(copy, row, bytes);
  r->count++;
  const ts_record *of = &r->index.records[r->current];
  if ((double)r->count > ts_results_stated(of, r->file)) // at once, so that memory stays bounded
    return fail_count(r, of, r->count);
  return ts_row_keep_texts(r->type, copy, r->arena, r->count > 1 ? copy - bytes : NULL);
}

static ts_status check_counts(const reading *r) {
  for (size_t i = 0; i < r->index.count; i++) {
    const ts_record *record = &r->index.records[i];
    double stated = ts_results_stated(record, r->file);
    size_t count = ts_cell_rows_of(&r->found[i], r->file).count;
    if (r->is_wanted[i] && ts_record_is_ok(record) && !isnan(stated) && (double)count != stated)
      return fail_count(r, record, count);
  }
  return TS_OK;
}

static ts_status read_file(reading *r, const char *folder, int file) {
  r->file = file;
  r->type = ts_results_row_type(file);
  r->path = ts_arena_format(r->arena, "%s/%s.csv", folder, r->type->name);
  if (!r->path)
    return TS_E_MEMORY;
  if (!ts_csv_exists(r->path))
    return TS_OK;
  memset(r->is_read, 0, r->index.count * sizeof *r->is_read);
  TS_TRY(ts_rows_visit(r->type, r->path, take_row, r));
  TS_TRY(end_record(r));
  return check_counts(r);
}

static ts_status read_files(ts_row_details *out, reading *r, const char *folder) {
  static const int files[] = {TS_CONTACTS_FILE, TS_REGIONS_FILE, TS_POSES_FILE};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    TS_TRY(read_file(r, folder, files[i]));
  for (size_t i = 0; i < r->index.count; i++) {
    const ts_cell_rows *found = &r->found[i];
    out[i] = (ts_row_details){found->contact_count, found->contacts,   found->region_count,
                              found->regions,       found->pose_count, found->poses};
  }
  return TS_OK;
}

ts_status ts_row_details_read(ts_row_details **out, ts_arena *arena, const char *folder,
                              const ts_record *records, const bool *is_wanted, size_t count) {
  *out = ts_arena_array(arena, count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  if (!folder)
    return TS_OK;
  reading r = {.arena = arena,
               .is_wanted = is_wanted,
               .current = TS_NO_RECORD,
               .found = ts_arena_array(arena, count, sizeof *r.found),
               .is_read = ts_arena_array(arena, count, sizeof *r.is_read)};
  if (!r.found || !r.is_read)
    return TS_E_MEMORY;
  TS_TRY(ts_record_index_make(&r.index, arena, records, count));
  ts_status status = read_files(*out, &r, folder);
  free(r.rows);
  return status;
}
