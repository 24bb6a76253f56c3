// SPDX-License-Identifier: MIT
/// The record: what a column is, and the rows made of them. The columns themselves are in
/// columns.h, one entry each. From an entry come the struct member, the CSV column, the JSON key,
/// the row of `list columns` and of the pages made from it, the rule by which two results are
/// compared, which way is better, the default rule of the gate, the flags and columns of the
/// tables, the page and its heat map, the plots, and the measures of every output format. A name is
/// never used again with another meaning; a change of the list raises TS_SCHEMA_VERSION.
#ifndef TS_REPORTS_RECORD_H
#define TS_REPORTS_RECORD_H

#include "base/types.h"
#include "reports/rows/columns.h"

#include <stdbool.h>

/// The simulation step that the tables of Erleben 2018 are taken at. Steps are counted as there:
/// step 1 is the scene as built (0 here), step n + 1 has the contacts that time step n is solved
/// with.
#define TS_PUBLISHED_STEP 3

typedef enum ts_field_kind {
  TS_FIELD_TEXT,  ///< const char *; "" when there is nothing to say
  TS_FIELD_COUNT, ///< double holding a whole number; NaN when not measured
  TS_FIELD_REAL   ///< double; NaN when not measured
} ts_field_kind;

/// How a column of two results is compared.
typedef enum ts_compare {
  TS_COMPARE_IDENTITY, ///< Says which row it is.
  TS_COMPARE_EXACT,    ///< Must be equal.
  TS_COMPARE_CLOSE,    ///< Equal within the field's tolerance (relative above 1, else absolute).
  TS_COMPARE_REPORT    ///< Informational, not compared: times and other facts of the machine.
} ts_compare;

/// What a column is for.
typedef enum ts_role {
  TS_ROLE_MISSING,  ///< an entry of the list without a role; a test fails
  TS_ROLE_IDENTITY, ///< says which row it is
  TS_ROLE_FACT,     ///< of the scene, the run or the contacts; no value is better than another
  TS_ROLE_MEASURE,  ///< how good the contacts are
  TS_ROLE_FAULT,    ///< counts what should not be there at all; the tables flag it with a letter
  TS_ROLE_TIME,
  TS_ROLE_COUNT
} ts_role;

/// Which value of a column is the best.
typedef enum ts_sense {
  TS_SENSE_MISSING, ///< an entry of the list without a sense; a test fails
  TS_SENSE_NONE,    ///< none is better than another
  TS_SENSE_HIGHER,
  TS_SENSE_LOWER,
  TS_SENSE_CLOSEST_TO_1, ///< of a ratio: half is as far from 1 as twice
  TS_SENSE_RANKED,       ///< words with an order of their own: the outcome
  TS_SENSE_COUNT
} ts_sense;

/// "identity", "fact", ... and "highest", "lowest", ..., "" for none: as lists and pages show them.
extern const char *const ts_role_names[TS_ROLE_COUNT];
extern const char *const ts_sense_names[TS_SENSE_COUNT];

/// Where a column is shown; elsewhere the choice follows from role and sense.
typedef enum ts_shown {
  TS_SHOWN_TABLE = 1,    ///< the table that a run ends in, and what is made in its image
  TS_SHOWN_PAGE = 2,     ///< the table of the page before "All columns"; charts of other programs
  TS_SHOWN_HEAT_MAP = 4, ///< a plot of methods by cases
  TS_SHOWN_SWEEP = 8     ///< a panel of the plot against a swept parameter
} ts_shown;

#define TS_FIELD_TYPE_TEXT                 const char *
#define TS_FIELD_TYPE_COUNT                double
#define TS_FIELD_TYPE_REAL                 double
#define TS_FIELD_MEMBER(kind, member, ...) TS_FIELD_TYPE_##kind member;

typedef struct ts_record {
  TS_RECORD_FIELDS(TS_FIELD_MEMBER)
} ts_record;

typedef struct ts_contact_row {
  TS_CONTACT_FIELDS(TS_FIELD_MEMBER)
} ts_contact_row;

typedef struct ts_sample_row {
  TS_SAMPLE_FIELDS(TS_FIELD_MEMBER)
} ts_sample_row;

/// How many columns summary.csv has.
#define TS_FIELD_ONE(...) +1
enum { TS_RECORD_FIELD_COUNT = TS_RECORD_FIELDS(TS_FIELD_ONE) };

/// One entry of a list of columns. Of the attributes without a remark every entry has one.
typedef struct ts_field {
  ts_field_kind kind;
  size_t offset; ///< of the member in its row struct
  const char *column;
  const char *unit; ///< "" for none
  ts_role role;
  ts_sense sense;
  ts_compare compare; ///< not given for the identity
  double tolerance;   ///< of TS_COMPARE_CLOSE
  const char *label;  ///< in words, for headings: "Normal quality"
  /// For heads of tables, and for those that are narrow; NULL: as the longer one. Use
  /// ts_field_short_label() and ts_field_narrow_label().
  const char *short_label, *narrow_label;
  char flag;          ///< letter of a fault in tables
  const char *series; ///< name in charts that go on from run to run; NULL: the column with dashes
  double far_off;     ///< of TS_SENSE_CLOSEST_TO_1: the ratio that pictures show as worst
  unsigned shown;     ///< of TS_SHOWN_*
  const char *metric; ///< name of the metric that fills it; NULL: something else does
  /// Whether the gate has a default rule against its getting worse, and if not why. Columns of
  /// summary.csv have one or the other; where the sense is none the reason says why that is.
  bool has_rule;
  const char *no_rule;
  const char *meaning; ///< a sentence
} ts_field;

/// A kind of row: the file it goes to and its fields.
typedef struct ts_row_type {
  const char *name; ///< "summary", "contacts", "samples"; the file is name.csv
  size_t row_bytes;
  size_t field_count;
  const ts_field *fields;
} ts_row_type;

extern const ts_row_type ts_summary_rows, ts_contact_rows, ts_sample_rows;

/// Sets every text to "" and every number to NaN.
void ts_row_init(const ts_row_type *type, void *row);

/// The text of a text field, or the number of any other, of a row.
const char *ts_row_text(const ts_field *field, const void *row);
double ts_row_number(const ts_field *field, const void *row);

/// Sets the text (borrowed) of a text field, or the number of any other.
void ts_row_set_text(const ts_field *field, void *row, const char *text);
void ts_row_set_number(const ts_field *field, void *row, double number);

/// NULL when there is no such column.
const ts_field *ts_row_find(const ts_row_type *type, const char *column);

/// The columns of summary.csv that are shown there, in the order of the list. Returns how many.
size_t ts_fields_shown(const ts_field *out[TS_RECORD_FIELD_COUNT], ts_shown where);

const char *ts_field_short_label(const ts_field *field);
const char *ts_field_narrow_label(const ts_field *field);

/// How bad a number is, by the sense of its column: smaller is better. Numbers of one column can be
/// put in order by it, and of a ratio it is the distance from 1 in doublings. NaN of a column
/// without a sense, and of texts.
double ts_field_badness(const ts_field *field, double number);

#endif
