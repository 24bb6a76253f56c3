// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_rows.h"

#include "base/number.h"
#include "base/status.h"
#include "reports/rows/csv.h"
#include "tests/benchmark/bench_csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define TEXT(member)   BENCH_TEXT(bench_row, member, NULL)
#define NUMBER(member) BENCH_NUMBER(bench_row, member, NULL)

/// In the order of the file.
static const bench_column columns[] = {
    TEXT(kernel),
    TEXT(profile),
    NUMBER(pairs),
    NUMBER(contacts),
    NUMBER(repeats),
    NUMBER(ns_per_pair_min),
    NUMBER(ns_per_pair_median),
    NUMBER(ns_per_pair_mad),
    NUMBER(pairs_per_s),
    NUMBER(ratio),
    NUMBER(ratio_mad),
    NUMBER(author_ns_per_pair),
    NUMBER(share_of_author),
    TEXT(commit),
    TEXT(compiler),
    TEXT(build_type),
    TEXT(flags),
    TEXT(cpu),
};

enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

const bench_row *bench_rows_find(const bench_rows *rows, const char *kernel, const char *profile) {
  for (size_t i = 0; i < rows->count; i++)
    if (strcmp(rows->items[i].kernel, kernel) == 0 && strcmp(rows->items[i].profile, profile) == 0)
      return &rows->items[i];
  return NULL;
}

ts_status bench_rows_write(const char *path, const bench_rows *rows) {
  return bench_csv_write(
      path, &(bench_csv){columns, COLUMN_COUNT, rows->items, rows->count, sizeof *rows->items});
}

static ts_status check_header(const ts_csv_record *header, const char *path) {
  for (size_t i = 0; i < COLUMN_COUNT; i++) {
    const char *found = i < header->field_count ? header->fields[i] : "";
    if (strcmp(found, columns[i].name) != 0)
      return ts_fail(
          TS_E_INPUT,
          "%s was not written by this benchmark: column %zu is \"%.64s\", not \"%s\"; give "
          "--against a file written by --csv",
          path, i + 1, found, columns[i].name);
  }
  if (header->field_count == COLUMN_COUNT)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s was not written by this benchmark: %zu columns, not %d", path,
                 header->field_count, COLUMN_COUNT);
}

static ts_status take_field(bench_row *out, ts_arena *arena, const bench_column *c,
                            const char *text, size_t line, const char *path) {
  void *member = (char *)out + c->offset;
  if (c->is_text) {
    char *copy = ts_arena_string(arena, text);
    *(const char **)member = copy;
    return copy ? TS_OK : TS_E_MEMORY;
  }
  if (ts_number_parse(member, text) == TS_OK)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s, line %zu: %s is not a number: \"%.64s\"", path, line, c->name,
                 text);
}

static ts_status take_row(bench_rows *out, ts_arena *arena, const ts_csv_record *record,
                          const char *path) {
  if (record->is_cut || record->field_count != COLUMN_COUNT)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: the row is incomplete; write the file again with --csv", path,
                   record->line);
  bench_row row;
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    TS_TRY(take_field(&row, arena, &columns[i], record->fields[i], record->line, path));
  if (!(row.ratio > 0 && isfinite(row.ratio)))
    return ts_fail(TS_E_INPUT, "%s, line %zu: the ratio is %g, which cannot be compared", path,
                   record->line, row.ratio);
  if (bench_rows_find(out, row.kernel, row.profile))
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: a second row of %.64s, %.64s; keep the rows of one run", path,
                   record->line, row.kernel, row.profile);
  if ((out->count & (out->count - 1)) == 0) {
    bench_row *longer = ts_arena_array(arena, out->count ? 2 * out->count : 1, sizeof *longer);
    if (!longer)
      return TS_E_MEMORY;
    if (out->count > 0)
      memcpy(longer, out->items, out->count * sizeof *longer);
    out->items = longer;
  }
  out->items[out->count++] = row;
  return TS_OK;
}

static ts_status read_records(bench_rows *out, ts_arena *arena, ts_csv_reader *reader,
                              const char *path) {
  bool has_header = false;
  for (;;) {
    ts_csv_record record;
    bool found;
    TS_TRY(ts_csv_read(&found, &record, reader));
    if (!found && out->count > 0)
      return TS_OK;
    if (!found)
      return ts_fail(TS_E_INPUT, "%s has no rows; give --against a file written by --csv", path);
    TS_TRY(has_header ? take_row(out, arena, &record, path) : check_header(&record, path));
    has_header = true;
  }
}

ts_status bench_rows_read(bench_rows *out, ts_arena *arena, const char *path) {
  *out = (bench_rows){.count = 0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return ts_fail(TS_E_INPUT, "cannot read %s: %s; give --against a file written by --csv", path,
                   strerror(errno));
  ts_csv_reader *reader;
  ts_status status = ts_csv_reader_create(&reader, fd, path);
  if (status == TS_OK) {
    status = read_records(out, arena, reader, path);
    ts_csv_reader_destroy(reader);
  }
  close(fd);
  return status;
}
