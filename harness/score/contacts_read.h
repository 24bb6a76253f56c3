// SPDX-License-Identifier: MIT
/// Reading contacts from CSV, written by any program, or contacts.csv of a results folder.
///
/// Columns are found by name, in any order; unknown ones are ignored. Required: body_a, body_b,
/// point_x_m, point_y_m, point_z_m, normal_x, normal_y, normal_z. Optional: cell, case, method,
/// step, gap_m, area_m2, feature_a, feature_a_index, feature_b, feature_b_index, group, envelope,
/// envelope_m, shapes_native, impulse_kg_m_s, id. They have the same meaning as in contacts.csv and
/// summary.csv, except that bodies may also be given by name; the last two are the solver's normal
/// impulse and the key of the contact in its generator.
#ifndef TS_HARNESS_CONTACTS_READ_H
#define TS_HARNESS_CONTACTS_READ_H

#include "base/arena.h"
#include "reports/rows/csv.h"
#include "reports/rows/record.h"

/// A row. A borrowed view, valid until the next one is read.
typedef struct ts_contacts_line {
  ts_contact_row row;          ///< the columns read; its bodies, index and verdict are NaN
  const char *body_a, *body_b; ///< as written in the file
  const char *envelope;        ///< "" when missing
  double envelope_m;           ///< NaN when missing
  const char *shapes_native;   ///< "" when missing
  double impulse_kg_m_s;       ///< likewise
  const char *id;              ///< "" when missing
  const ts_csv_record *record; ///< the entire line
} ts_contacts_line;

typedef struct ts_contacts_reader ts_contacts_reader;

/// Opens a file and reads its header. TS_E_INPUT, saying what to do: the file does not exist, is
/// empty, is not comma-separated, lacks a required column (a similar one is suggested) or has a
/// duplicate column. Everything except the file's buffers is in the arena.
ts_status ts_contacts_reader_create(ts_contacts_reader **out, ts_arena *arena, const char *path);
void ts_contacts_reader_destroy(ts_contacts_reader *reader);

/// Whether the header has a column.
bool ts_contacts_has_column(const ts_contacts_reader *reader, const char *column);

/// The header as written: `*out` [*out_count], in the arena.
const char *const *ts_contacts_header(size_t *out_count, const ts_contacts_reader *reader);

/// Reads the next row; `*out_found` is false at the end. TS_E_INPUT, with file and line: a number
/// of fields that differs from the header, a missing newline at the end, an invalid number, an
/// unknown kind of feature, and what ts_csv_read() refuses.
ts_status ts_contacts_read(bool *out_found, ts_contacts_line *out, ts_contacts_reader *reader);

/// The kind of feature with that word; "" is none. -1 for any other.
int ts_contacts_feature_kind(const char *name);

#endif
