// SPDX-License-Identifier: MIT
/// Contacts as a file: reading CSV that any program wrote, or contacts.csv of a results folder.
///
/// Columns are found by name, in any order, and those that are not known are left alone. Needed:
/// body_a, body_b, point_x_m, point_y_m, point_z_m, normal_x, normal_y, normal_z. Read besides:
/// cell, case, method, step, gap_m, area_m2, feature_a, feature_a_index, feature_b,
/// feature_b_index, group, envelope, envelope_m. All mean what they do in contacts.csv and
/// summary.csv, and bodies may also be given by name.
#ifndef TS_HARNESS_CONTACTS_READ_H
#define TS_HARNESS_CONTACTS_READ_H

#include "base/arena.h"
#include "reports/rows/csv.h"
#include "reports/rows/record.h"

/// A row. A borrowed view, valid until the next one is read.
typedef struct ts_contacts_line {
  ts_contact_row row;          ///< what is read; its bodies, index and verdict are NaN
  const char *body_a, *body_b; ///< as they stand there
  const char *envelope;        ///< "" when not told
  double envelope_m;           ///< NaN likewise
  const ts_csv_record *record; ///< all of the line
} ts_contacts_line;

typedef struct ts_contacts_reader ts_contacts_reader;

/// Opens a file and reads its header. TS_E_INPUT, with what to do: there is no such file, it is
/// empty, separated by something else than commas, lacks a needed column (the nearest one that is
/// there is named) or has one twice. All but the file's buffers is the arena's.
ts_status ts_contacts_reader_create(ts_contacts_reader **out, ts_arena *arena, const char *path);
void ts_contacts_reader_destroy(ts_contacts_reader *reader);

/// Whether the header names a column.
bool ts_contacts_has_column(const ts_contacts_reader *reader, const char *column);

/// The header as it stands: `*out` [*out_count], the arena's.
const char *const *ts_contacts_header(size_t *out_count, const ts_contacts_reader *reader);

/// Reads the next row; `*out_found` is false at the end. TS_E_INPUT, with file and line: not as
/// many fields as the header, a line that does not end, something that is no number where one must
/// be, an unknown kind of feature, and what ts_csv_read() refuses.
ts_status ts_contacts_read(bool *out_found, ts_contacts_line *out, ts_contacts_reader *reader);

/// The kind of feature with that word; "" is none. -1 for any other.
int ts_contacts_feature_kind(const char *name);

#endif
