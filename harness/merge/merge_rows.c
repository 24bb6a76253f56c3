// SPDX-License-Identifier: MIT
#include "harness/merge/merge_rows.h"

#include "base/array.h"
#include "base/file.h"
#include "base/status.h"
#include "harness/run/progress.h"
#include "reports/rows/csv.h"
#include "reports/rows/outcome.h"
#include "reports/rows/rows.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/// One file of a shard, with the next row ahead.
typedef struct row_source {
  const ts_row_type *type;
  const char *path;
  int fd; ///< -1: not open
  ts_csv_reader *reader;
  ts_row_columns columns;
  size_t cell_column;
  ts_csv_record next;
  bool has_next;
} row_source;

typedef struct merging {
  const ts_shard_set *set;
  ts_arena *arena;      ///< what lives as long as the merging
  ts_arena *cell_arena; ///< rows of one cell
  /// [set->shard_count]; unused for shards without cells
  row_source (*sources)[TS_RESULTS_FILE_COUNT];
} merging;

static ts_status advance(row_source *s) {
  TS_TRY(ts_csv_read(&s->has_next, &s->next, s->reader));
  return s->has_next ? ts_rows_check_width(&s->columns, &s->next, s->path) : TS_OK;
}

static ts_status open_source(row_source *out, ts_arena *arena, const ts_row_type *type,
                             const char *folder) {
  *out = (row_source){.type = type, .fd = -1};
  const char *plain = ts_arena_format(arena, "%s/%s.csv", folder, type->name);
  out->path = plain ? ts_csv_find(arena, plain) : NULL;
  if (!out->path)
    return TS_E_MEMORY;
  TS_TRY(ts_file_open(&out->fd, out->path));
  TS_TRY(ts_csv_reader_create(&out->reader, out->fd, out->path));
  TS_TRY(ts_csv_read(&out->has_next, &out->next, out->reader));
  if (!out->has_next || out->next.is_cut)
    return ts_fail(TS_E_INPUT, "%s has no header; continue its run with --resume %s", out->path,
                   folder);
  TS_TRY(ts_rows_read_header(&out->columns, arena, type, &out->next, out->path));
  const ts_field *cell = ts_row_find(type, "cell");
  while (out->columns.fields[out->cell_column] != cell)
    out->cell_column++;
  return advance(out);
}

static void close_source(row_source *s) {
  ts_csv_reader_destroy(s->reader);
  if (s->fd >= 0)
    close(s->fd);
}

/// Reads the rows of a cell, which come next if there are any, to an array in the cell's arena.
static ts_status take_rows(ts_rows_view *out, ts_arena *arena, row_source *s, const char *cell) {
  char *rows = NULL;
  size_t count = 0, capacity = 0, bytes = s->type->row_bytes;
  while (s->has_next && strcmp(s->next.fields[s->cell_column], cell) == 0) {
    TS_TRY(TS_ARENA_GROW(rows, capacity, count * bytes, bytes, arena));
    const void *previous = count > 0 ? rows + (count - 1) * bytes : NULL;
    TS_TRY(ts_rows_read(rows + count * bytes, arena, s->type, &s->columns, &s->next, previous,
                        s->path));
    count++;
    TS_TRY(advance(s));
  }
  *out = (ts_rows_view){rows, count};
  return TS_OK;
}

static ts_status fail_count(const row_source *s, const ts_record *record, size_t count,
                            double stated) {
  return ts_fail(TS_E_INPUT,
                 "%s has %zu rows of cell %.60s at step %.0f, but summary.csv beside it counts "
                 "%.0f: a file was changed after the run; run that shard again",
                 s->path, count, record->cell, record->step, stated);
}

/// Checks that the rows of a file that belong to each row of the summary that is ok are all there.
static ts_status check_counts(const ts_cell_rows *rows, int file, const row_source *source) {
  for (size_t i = 0; i < rows->record_count; i++) {
    const ts_record *r = &rows->records[i];
    double stated = ts_results_stated(r, file);
    size_t count = ts_cell_rows_count(rows, file, r->step);
    if (ts_record_is_ok(r) && stated >= 0 && (double)count != stated)
      return fail_count(source, r, count, stated);
  }
  return TS_OK;
}

/// Moves the next cell of a shard to the results.
static ts_status move_cell(ts_results *results, size_t *rows_moved, const merging *m,
                           row_source *sources) {
  row_source *summary = &sources[TS_SUMMARY_FILE];
  ts_arena_rewind(m->cell_arena, (ts_arena_mark){NULL, 0});
  if (!summary->has_next)
    return ts_fail(TS_E_INPUT, "%s was changed while it was merged; merge again", summary->path);
  const char *cell = ts_arena_string(m->cell_arena, summary->next.fields[summary->cell_column]);
  if (!cell)
    return TS_E_MEMORY;
  ts_cell_rows rows = {0};
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    ts_rows_view view;
    TS_TRY(take_rows(&view, m->cell_arena, &sources[f], cell));
    ts_cell_rows_set(&rows, f, view);
  }
  for (int f = 0; f < TS_DETAIL_FILE_COUNT; f++)
    TS_TRY(check_counts(&rows, f, &sources[f]));
  *rows_moved += rows.record_count;
  return ts_results_append(results, &rows);
}

/// After all cells, every file must be at its end.
static ts_status check_ends(const merging *m) {
  for (size_t i = 0; i < m->set->count; i++)
    for (int k = 0; k < TS_RESULTS_FILE_COUNT; k++) {
      const row_source *s = &m->sources[m->set->folders[i].shard.number - 1][k];
      if (s->has_next)
        return ts_fail(TS_E_INPUT,
                       "%s, line %zu: cell %.60s is not in the order of summary.csv beside it: a "
                       "file was changed after the run; run that shard again",
                       s->path, s->next.line, s->next.fields[s->cell_column]);
    }
  return TS_OK;
}

/// All files of all shards are open at once.
static ts_status allow_files(const ts_shard_set *set) {
  struct rlimit limit;
  rlim_t wanted = set->count * TS_RESULTS_FILE_COUNT + 32;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
    return TS_OK;
  limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= wanted)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "merging %zu shards takes %zu open files; allow that with ulimit -n",
                 set->count, (size_t)wanted);
}

static ts_status open_sources(merging *m) {
  for (size_t i = 0; i < m->set->shard_count; i++)
    for (int k = 0; k < TS_RESULTS_FILE_COUNT; k++)
      m->sources[i][k].fd = -1;
  TS_TRY(allow_files(m->set));
  for (size_t i = 0; i < m->set->count; i++)
    for (int k = 0; k < TS_RESULTS_FILE_COUNT; k++) {
      const ts_shard_folder *f = &m->set->folders[i];
      TS_TRY(open_source(&m->sources[f->shard.number - 1][k], m->arena, ts_results_row_type(k),
                         f->path));
    }
  return TS_OK;
}

static ts_status move_cells(size_t *out_rows, ts_results *results, merging *m,
                            ts_interrupt *interrupt) {
  size_t cells = m->set->plan_cells;
  ts_progress progress = ts_progress_start(stderr, 0, cells, false);
  ts_status status = TS_OK;
  *out_rows = 0;
  for (size_t i = 0; i < cells && status == TS_OK && ts_interrupt_check(interrupt) == 0; i++) {
    status = move_cell(results, out_rows, m, m->sources[i % m->set->shard_count]);
    ts_progress_show(&progress, i + 1, NULL);
  }
  ts_progress_clear(&progress);
  return status == TS_OK && interrupt->signal == 0 ? check_ends(m) : status;
}

ts_status ts_merge_rows(size_t *out_rows, ts_results *results, const ts_shard_set *set,
                        ts_interrupt *interrupt) {
  merging m = {.set = set};
  ts_status status = ts_arena_create(&m.arena);
  if (status == TS_OK)
    status = ts_arena_create(&m.cell_arena);
  if (status == TS_OK) {
    m.sources = ts_arena_array(m.arena, set->shard_count, sizeof *m.sources);
    status = m.sources ? open_sources(&m) : TS_E_MEMORY;
  }
  if (status == TS_OK)
    status = move_cells(out_rows, results, &m, interrupt);
  for (size_t i = 0; m.sources && i < set->shard_count; i++)
    for (int k = 0; k < TS_RESULTS_FILE_COUNT; k++)
      close_source(&m.sources[i][k]);
  ts_arena_destroy(m.cell_arena);
  ts_arena_destroy(m.arena);
  return status;
}
