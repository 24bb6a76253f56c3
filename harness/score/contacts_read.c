// SPDX-License-Identifier: MIT
#include "harness/score/contacts_read.h"

#include "base/feature.h"
#include "base/status.h"
#include "harness/plan/names.h"
#include "harness/score/csv_table.h"

#include <math.h>
#include <string.h>

static const char *const needed[] = {"body_a",    "body_b",   "point_x_m", "point_y_m",
                                     "point_z_m", "normal_x", "normal_y",  "normal_z"};
static const char *const optional[] = {
    "cell",    "case",      "method",          "step",      "gap_m",
    "area_m2", "feature_a", "feature_a_index", "feature_b", "feature_b_index",
    "group"};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/// Columns that are not fields of a contact row, or differ from them.
enum {
  COLUMN_BODY_A,
  COLUMN_BODY_B,
  COLUMN_ENVELOPE,
  COLUMN_ENVELOPE_M,
  COLUMN_IMPULSE,
  COLUMN_ID,
  COLUMN_SHAPES,
  COLUMN_COUNT
};
static const char *const column_names[COLUMN_COUNT] = {
    "body_a", "body_b", "envelope", "envelope_m", "impulse_kg_m_s", "id", "shapes_native"};

struct ts_contacts_reader {
  ts_csv_table table;
  size_t special[COLUMN_COUNT]; ///< index of the special columns; TS_NO_COLUMN if missing
};

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/// The field of a contact row that a column is read into; NULL for none.
static const ts_field *field_of(const char *column) {
  bool is_read = is_one_of(column, needed + 2, COUNT_OF(needed) - 2) ||
                 is_one_of(column, optional, COUNT_OF(optional));
  return is_read ? ts_row_find(&ts_contact_rows, column) : NULL;
}

static const ts_csv_shape shape = {.what = "contacts",
                                   .needed = needed,
                                   .needed_count = COUNT_OF(needed),
                                   .field_of = field_of,
                                   .special = column_names,
                                   .special_count = COLUMN_COUNT};

bool ts_contacts_has_column(const ts_contacts_reader *reader, const char *column) {
  return ts_csv_table_column(&reader->table, column) != TS_NO_COLUMN;
}

const char *const *ts_contacts_header(size_t *out_count, const ts_contacts_reader *reader) {
  *out_count = reader->table.column_count;
  return reader->table.header;
}

int ts_contacts_feature_kind(const char *name) {
  return name[0] == '\0' ? TS_FEATURE_NONE : ts_feature_find(name);
}

ts_status ts_contacts_reader_create(ts_contacts_reader **out, ts_arena *arena, const char *path) {
  ts_contacts_reader *reader = ts_arena_alloc(arena, sizeof *reader);
  if (!reader)
    return TS_E_MEMORY;
  ts_status status = ts_csv_table_open(&reader->table, arena, path, &shape);
  for (int i = 0; i < COLUMN_COUNT; i++)
    reader->special[i] = ts_csv_table_column(&reader->table, column_names[i]);
  if (status == TS_OK)
    *out = reader;
  else
    ts_contacts_reader_destroy(reader);
  return status;
}

void ts_contacts_reader_destroy(ts_contacts_reader *reader) {
  if (reader)
    ts_csv_table_close(&reader->table);
}

static ts_status check_feature(const ts_contacts_reader *reader, const char *column,
                               const char *kind) {
  if (ts_contacts_feature_kind(kind) >= 0)
    return TS_OK;
  char words[80];
  return ts_fail(TS_E_INPUT, "%s, line %zu: %s is \"%.40s\"; write %s", reader->table.path,
                 reader->table.record.line, column, kind,
                 ts_names_choice(words, sizeof words, ts_feature_words, TS_FEATURE_KIND_COUNT));
}

/// The text of a special column; "" if there is none.
static const char *text_of(const ts_contacts_reader *reader, int special) {
  size_t column = reader->special[special];
  return column == TS_NO_COLUMN ? "" : reader->table.record.fields[column];
}

/// The number of a special column; NaN if there is none.
static ts_status read_special(double *out, const ts_contacts_reader *reader, int special,
                              const char *unit) {
  const ts_csv_table *table = &reader->table;
  const ts_field field = {.kind = TS_FIELD_REAL, .column = column_names[special], .unit = unit};
  return ts_rows_read_number(out, &field, &table->record, text_of(reader, special), table->path);
}

ts_status ts_contacts_read(bool *out_found, ts_contacts_line *out, ts_contacts_reader *reader) {
  TS_TRY(ts_csv_table_read(out_found, &reader->table));
  if (!*out_found)
    return TS_OK;
  *out = (ts_contacts_line){.body_a = text_of(reader, COLUMN_BODY_A),
                            .body_b = text_of(reader, COLUMN_BODY_B),
                            .envelope = text_of(reader, COLUMN_ENVELOPE),
                            .id = text_of(reader, COLUMN_ID),
                            .shapes_native = text_of(reader, COLUMN_SHAPES),
                            .record = &reader->table.record};
  TS_TRY(read_special(&out->envelope_m, reader, COLUMN_ENVELOPE_M, "m"));
  TS_TRY(read_special(&out->impulse_kg_m_s, reader, COLUMN_IMPULSE, "kg m/s"));
  ts_row_init(&ts_contact_rows, &out->row);
  TS_TRY(ts_csv_table_fill(&out->row, &reader->table));
  TS_TRY(check_feature(reader, "feature_a", out->row.feature_a));
  return check_feature(reader, "feature_b", out->row.feature_b);
}
