// SPDX-License-Identifier: MIT
#include "harness/score/contacts_read.h"

#include "base/feature.h"
#include "base/status.h"
#include "harness/plan/names.h"
#include "reports/rows/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static const char *const needed[] = {"body_a",    "body_b",   "point_x_m", "point_y_m",
                                     "point_z_m", "normal_x", "normal_y",  "normal_z"};
static const char *const optional[] = {
    "cell",    "case",      "method",          "step",      "gap_m",
    "area_m2", "feature_a", "feature_a_index", "feature_b", "feature_b_index",
    "group"};

/// Columns that are not fields of a contact row, or differ from them.
enum { COLUMN_BODY_A, COLUMN_BODY_B, COLUMN_ENVELOPE, COLUMN_ENVELOPE_M, COLUMN_COUNT };
static const char *const column_names[COLUMN_COUNT] = {"body_a", "body_b", "envelope",
                                                       "envelope_m"};
#define NO_COLUMN SIZE_MAX

/// Columns considered when suggesting the right spelling.
#define NAMES_MAX ((size_t)1000)

struct ts_contacts_reader {
  int fd;
  const char *path;
  ts_csv_reader *csv;
  ts_csv_record record;
  size_t column_count;
  const char *const *header;    ///< [column_count]
  ts_row_columns columns;       ///< of a contact row; NULL for columns that are not read as one
  size_t special[COLUMN_COUNT]; ///< index of the special columns; NO_COLUMN if missing
};

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/// The field of a contact row that a column is read into; NULL for none.
static const ts_field *field_of(const char *column) {
  bool is_read = is_one_of(column, needed + 2, sizeof needed / sizeof *needed - 2) ||
                 is_one_of(column, optional, sizeof optional / sizeof *optional);
  return is_read ? ts_row_find(&ts_contact_rows, column) : NULL;
}

bool ts_contacts_has_column(const ts_contacts_reader *reader, const char *column) {
  return is_one_of(column, reader->header, reader->column_count);
}

const char *const *ts_contacts_header(size_t *out_count, const ts_contacts_reader *reader) {
  *out_count = reader->column_count;
  return reader->header;
}

int ts_contacts_feature_kind(const char *name) {
  return name[0] == '\0' ? TS_FEATURE_NONE : ts_feature_find(name);
}

/// Fails because a column is missing; suggests the unknown column that may be a misspelling of it.
static ts_status fail_missing(const ts_contacts_reader *reader, ts_arena *arena,
                              const char *column) {
  const char *const *names = reader->header;
  size_t count = reader->column_count;
  if (count == 1 && strpbrk(names[0], ";\t|"))
    return ts_fail(TS_E_INPUT,
                   "%s: columns must be separated by commas, and numbers must use a decimal point; "
                   "the first line is \"%.80s\"",
                   reader->path, names[0]);
  const char **unknown = ts_arena_array(arena, count, sizeof *unknown);
  if (!unknown)
    return TS_E_MEMORY;
  size_t unknown_count = 0;
  for (size_t i = 0; i < count && unknown_count < NAMES_MAX; i++)
    if (!reader->columns.fields[i] && !is_one_of(names[i], column_names, COLUMN_COUNT))
      unknown[unknown_count++] = names[i];
  char list[500];
  ts_names_join(list, sizeof list, names, count);
  const char *nearest = ts_names_nearest(column, unknown, unknown_count);
  if (nearest)
    return ts_fail(TS_E_INPUT, "%s: the column %s is missing; is it \"%s\"? The columns are: %s",
                   reader->path, column, nearest, list);
  return ts_fail(TS_E_INPUT, "%s: the column %s is missing; the columns are: %s", reader->path,
                 column, list);
}

static ts_status keep_header(ts_contacts_reader *reader, ts_arena *arena,
                             const ts_csv_record *header) {
  const char **names = ts_arena_array(arena, header->field_count, sizeof *names);
  const ts_field **fields = ts_arena_array(arena, header->field_count, sizeof(ts_field *));
  if (!names || !fields)
    return TS_E_MEMORY;
  for (size_t i = 0; i < header->field_count; i++) {
    names[i] = ts_arena_string(arena, header->fields[i]);
    if (!names[i])
      return TS_E_MEMORY;
    fields[i] = field_of(names[i]);
  }
  reader->header = names;
  reader->column_count = header->field_count;
  reader->columns = (ts_row_columns){header->field_count, fields};
  return TS_OK;
}

static ts_status check_header(ts_contacts_reader *reader, ts_arena *arena) {
  for (size_t k = 0; k < COLUMN_COUNT; k++)
    reader->special[k] = NO_COLUMN;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!ts_contacts_has_column(reader, needed[i]))
      return fail_missing(reader, arena, needed[i]);
  for (size_t i = 0; i < reader->column_count; i++) {
    const char *name = reader->header[i];
    bool is_special = is_one_of(name, column_names, COLUMN_COUNT);
    if ((is_special || reader->columns.fields[i]) && is_one_of(name, reader->header, i))
      return ts_fail(TS_E_INPUT, "%s: duplicate column %s; keep one", reader->path, name);
    for (size_t k = 0; k < COLUMN_COUNT; k++)
      if (strcmp(name, column_names[k]) == 0)
        reader->special[k] = i;
  }
  return TS_OK;
}

static ts_status read_header(ts_contacts_reader *reader, ts_arena *arena) {
  ts_csv_record header;
  bool found;
  TS_TRY(ts_csv_read(&found, &header, reader->csv));
  if (!found)
    return ts_fail(
        TS_E_INPUT,
        "%s is empty; a file without contacts must still have a header line with the column names",
        reader->path);
  if (header.is_cut)
    return ts_fail(TS_E_INPUT,
                   "%s: the file has one line and does not end with a newline (cut off?); end it "
                   "with a newline",
                   reader->path);
  TS_TRY(keep_header(reader, arena, &header));
  return check_header(reader, arena);
}

/// Whether it is the pipe of a command, like <(command) in a shell. Its other end is or was open,
/// whereas opening a named pipe may block forever.
static bool is_pipe_of_command(int fd) {
  struct statfs facts;
  return fstatfs(fd, &facts) == 0 && facts.f_type == PIPEFS_MAGIC && fcntl(fd, F_SETFL, 0) == 0;
}

static ts_status open_file(ts_contacts_reader *reader) {
  struct stat facts;
  reader->fd = open(reader->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (reader->fd < 0 || fstat(reader->fd, &facts) != 0)
    return ts_fail(TS_E_INPUT, "cannot read %s: %s", reader->path, strerror(errno));
  if (S_ISDIR(facts.st_mode))
    return ts_fail(TS_E_INPUT, "%s is a folder; give a contacts file, such as %s/contacts.csv",
                   reader->path, reader->path);
  if (!S_ISREG(facts.st_mode) && !is_pipe_of_command(reader->fd))
    return ts_fail(TS_E_INPUT, "%s is not a regular file; copy its contents to one", reader->path);
  return ts_csv_reader_create(&reader->csv, reader->fd, reader->path);
}

ts_status ts_contacts_reader_create(ts_contacts_reader **out, ts_arena *arena, const char *path) {
  ts_contacts_reader *reader = ts_arena_alloc(arena, sizeof *reader);
  if (!reader)
    return TS_E_MEMORY;
  reader->fd = -1;
  reader->path = path;
  ts_status status = open_file(reader);
  if (status == TS_OK)
    status = read_header(reader, arena);
  if (status == TS_OK)
    *out = reader;
  else
    ts_contacts_reader_destroy(reader);
  return status;
}

void ts_contacts_reader_destroy(ts_contacts_reader *reader) {
  if (!reader)
    return;
  ts_csv_reader_destroy(reader->csv);
  if (reader->fd >= 0)
    close(reader->fd);
}

static ts_status check_feature(const ts_contacts_reader *reader, const char *column,
                               const char *kind) {
  if (ts_contacts_feature_kind(kind) >= 0)
    return TS_OK;
  char words[80];
  return ts_fail(TS_E_INPUT, "%s, line %zu: %s is \"%.40s\"; write %s", reader->path,
                 reader->record.line, column, kind,
                 ts_names_choice(words, sizeof words, ts_feature_words, TS_FEATURE_KIND_COUNT));
}

static ts_status read_fields(ts_contacts_line *out, const ts_contacts_reader *reader) {
  const ts_csv_record *record = &reader->record;
  for (size_t i = 0; i < reader->column_count; i++) {
    const ts_field *field = reader->columns.fields[i];
    if (!field)
      continue;
    if (field->kind == TS_FIELD_TEXT) {
      ts_row_set_text(field, &out->row, record->fields[i]);
      continue;
    }
    double number;
    TS_TRY(ts_rows_read_number(&number, field, record, record->fields[i], reader->path));
    ts_row_set_number(field, &out->row, number);
  }
  TS_TRY(check_feature(reader, "feature_a", out->row.feature_a));
  return check_feature(reader, "feature_b", out->row.feature_b);
}

ts_status ts_contacts_read(bool *out_found, ts_contacts_line *out, ts_contacts_reader *reader) {
  const ts_csv_record *record = &reader->record;
  TS_TRY(ts_csv_read(out_found, &reader->record, reader->csv));
  if (!*out_found)
    return TS_OK;
  if (record->is_cut)
    return ts_fail(
        TS_E_INPUT,
        "%s, line %zu: the file does not end with a newline (cut off?); end it with a newline",
        reader->path, record->line);
  TS_TRY(ts_rows_check_width(&reader->columns, record, reader->path));
  *out = (ts_contacts_line){.envelope = "", .envelope_m = (double)NAN, .record = record};
  ts_row_init(&ts_contact_rows, &out->row);
  out->body_a = record->fields[reader->special[COLUMN_BODY_A]];
  out->body_b = record->fields[reader->special[COLUMN_BODY_B]];
  if (reader->special[COLUMN_ENVELOPE] != NO_COLUMN)
    out->envelope = record->fields[reader->special[COLUMN_ENVELOPE]];
  if (reader->special[COLUMN_ENVELOPE_M] != NO_COLUMN) {
    const ts_field *field = ts_row_find(&ts_summary_rows, "envelope_m");
    TS_TRY(ts_rows_read_number(&out->envelope_m, field, record,
                               record->fields[reader->special[COLUMN_ENVELOPE_M]], reader->path));
  }
  return read_fields(out, reader);
}
