// SPDX-License-Identifier: MIT
#include "harness/score/csv_table.h"

#include "base/status.h"
#include "harness/plan/names.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Columns considered when suggesting the right spelling.
#define NAMES_MAX ((size_t)1000)

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

size_t ts_csv_table_column(const ts_csv_table *table, const char *name) {
  for (size_t i = 0; i < table->column_count; i++)
    if (strcmp(name, table->header[i]) == 0)
      return i;
  return TS_NO_COLUMN;
}

/// Fails because a column is missing; suggests the unknown column that may be a misspelling of it.
static ts_status fail_missing(const ts_csv_table *table, ts_arena *arena, const ts_csv_shape *shape,
                              const char *column) {
  const char *const *names = table->header;
  size_t count = table->column_count;
  if (count == 1 && strpbrk(names[0], ";\t|"))
    return ts_fail(TS_E_INPUT,
                   "%s: columns must be separated by commas, and numbers must use a decimal point; "
                   "the first line is \"%.80s\"",
                   table->path, names[0]);
  const char **unknown = ts_arena_array(arena, count, sizeof *unknown);
  if (!unknown)
    return TS_E_MEMORY;
  size_t unknown_count = 0;
  for (size_t i = 0; i < count && unknown_count < NAMES_MAX; i++)
    if (!table->columns.fields[i] && !is_one_of(names[i], shape->special, shape->special_count))
      unknown[unknown_count++] = names[i];
  char list[500];
  ts_names_join(list, sizeof list, names, count);
  const char *nearest = ts_names_nearest(column, unknown, unknown_count);
  if (nearest)
    return ts_fail(TS_E_INPUT, "%s: the column %s is missing; is it \"%s\"? The columns are: %s",
                   table->path, column, nearest, list);
  return ts_fail(TS_E_INPUT, "%s: the column %s is missing; the columns are: %s", table->path,
                 column, list);
}

static ts_status keep_header(ts_csv_table *table, ts_arena *arena, const ts_csv_shape *shape,
                             const ts_csv_record *header) {
  const char **names = ts_arena_array(arena, header->field_count, sizeof *names);
  const ts_field **fields = ts_arena_array(arena, header->field_count, sizeof(ts_field *));
  if (!names || !fields)
    return TS_E_MEMORY;
  for (size_t i = 0; i < header->field_count; i++) {
    names[i] = ts_arena_string(arena, header->fields[i]);
    if (!names[i])
      return TS_E_MEMORY;
    fields[i] = shape->field_of(names[i]);
  }
  table->header = names;
  table->column_count = header->field_count;
  table->columns = (ts_row_columns){header->field_count, fields};
  return TS_OK;
}

static ts_status check_header(const ts_csv_table *table, ts_arena *arena,
                              const ts_csv_shape *shape) {
  for (size_t i = 0; i < shape->needed_count; i++)
    if (ts_csv_table_column(table, shape->needed[i]) == TS_NO_COLUMN)
      return fail_missing(table, arena, shape, shape->needed[i]);
  for (size_t i = 0; i < table->column_count; i++) {
    const char *name = table->header[i];
    bool is_known =
        table->columns.fields[i] || is_one_of(name, shape->special, shape->special_count);
    if (is_known && is_one_of(name, table->header, i))
      return ts_fail(TS_E_INPUT, "%s: duplicate column %s; keep one", table->path, name);
  }
  return TS_OK;
}

static ts_status read_header(ts_csv_table *table, ts_arena *arena, const ts_csv_shape *shape) {
  ts_csv_record header;
  bool found;
  TS_TRY(ts_csv_read(&found, &header, table->csv));
  if (!found)
    return ts_fail(TS_E_INPUT,
                   "%s is empty; a file without %s must still have a header line with the column "
                   "names",
                   table->path, shape->what);
  if (header.is_cut)
    return ts_fail(TS_E_INPUT,
                   "%s: the file has one line and does not end with a newline (cut off?); end it "
                   "with a newline",
                   table->path);
  TS_TRY(keep_header(table, arena, shape, &header));
  return check_header(table, arena, shape);
}

/// Whether it is the pipe of a command, like <(command) in a shell. Its other end is or was open,
/// whereas opening a named pipe may block forever.
static bool is_pipe_of_command(int fd) {
  struct statfs facts;
  return fstatfs(fd, &facts) == 0 && facts.f_type == PIPEFS_MAGIC && fcntl(fd, F_SETFL, 0) == 0;
}

static ts_status open_file(ts_csv_table *table, const ts_csv_shape *shape) {
  struct stat facts;
  table->fd = open(table->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (table->fd < 0 || fstat(table->fd, &facts) != 0)
    return ts_fail(TS_E_INPUT, "cannot read %s: %s", table->path, strerror(errno));
  if (S_ISDIR(facts.st_mode))
    return ts_fail(TS_E_INPUT, "%s is a folder; give a %s file, such as %s/%s.csv", table->path,
                   shape->what, table->path, shape->what);
  if (!S_ISREG(facts.st_mode) && !is_pipe_of_command(table->fd))
    return ts_fail(TS_E_INPUT, "%s is not a regular file; copy its contents to one", table->path);
  return ts_csv_reader_create(&table->csv, table->fd, table->path);
}

ts_status ts_csv_table_open(ts_csv_table *out, ts_arena *arena, const char *path,
                            const ts_csv_shape *shape) {
  *out = (ts_csv_table){.path = ts_csv_find(arena, path), .fd = -1};
  if (!out->path)
    return TS_E_MEMORY;
  TS_TRY(open_file(out, shape));
  return read_header(out, arena, shape);
}

void ts_csv_table_close(ts_csv_table *table) {
  ts_csv_reader_destroy(table->csv);
  if (table->fd >= 0)
    close(table->fd);
}

ts_status ts_csv_table_read(bool *out_found, ts_csv_table *table) {
  const ts_csv_record *record = &table->record;
  TS_TRY(ts_csv_read(out_found, &table->record, table->csv));
  if (!*out_found)
    return TS_OK;
  if (record->is_cut)
    return ts_fail(
        TS_E_INPUT,
        "%s, line %zu: the file does not end with a newline (cut off?); end it with a newline",
        table->path, record->line);
  return ts_rows_check_width(&table->columns, record, table->path);
}

ts_status ts_csv_table_fill(void *row, const ts_csv_table *table) {
  const ts_csv_record *record = &table->record;
  for (size_t i = 0; i < table->column_count; i++) {
    const ts_field *field = table->columns.fields[i];
    if (field && field->kind == TS_FIELD_TEXT) {
      ts_row_set_text(field, row, record->fields[i]);
    } else if (field) {
      double number;
      TS_TRY(ts_rows_read_number(&number, field, record, record->fields[i], table->path));
      ts_row_set_number(field, row, number);
    }
  }
  return TS_OK;
}
