// SPDX-License-Identifier: MIT
/// The record: the attributes of columns, and the rows made of them. The columns themselves are in
/// columns.h, one entry each. Everything about a column follows from its entry: the struct member,
/// the CSV column, the JSON key, the row of `list columns` and of the pages generated from it, the
/// rule by which two results are compared, which way is better, the default rule of the gate, the
/// flags and columns of the tables, the page and its heat map, the plots, and the measures of every
/// output format. A name is never reused with another meaning; a change of the list raises
/// TS_SCHEMA_VERSION.
#ifndef TS_REPORTS_RECORD_H
#define TS_REPORTS_RECORD_H

#include "base/types.h"
#include "reports/rows/columns.h"

#include <stdbool.h>

/// The simulation step at which the tables of Erleben 2018 are taken. Steps are counted as in the
/// paper: step 1 is the scene as built (0 here), step n + 1 has the contacts with which time step n
/// is solved.
#define TS_PUBLISHED_STEP 3

typedef enum ts_field_kind {
  TS_FIELD_TEXT,  ///< const char *; "" for none
  TS_FIELD_COUNT, ///< double holding a whole number; NaN when not measured
  TS_FIELD_REAL   ///< double; NaN when not measured
} ts_field_kind;

/// How a column is compared between two results.
typedef enum ts_compare {
  TS_COMPARE_IDENTITY, ///< Identifies the row.
  TS_COMPARE_EXACT,    ///< Must be equal.
  TS_COMPARE_CLOSE, ///< Equal within the field's tolerance (relative above 1, otherwise absolute).
  TS_COMPARE_REPORT ///< Informational, not compared: times and other facts of the machine.
} ts_compare;

/// What a column is for.
typedef enum ts_role {
  TS_ROLE_MISSING,  ///< an entry of the list without a role; a test fails
  TS_ROLE_IDENTITY, ///< identifies the row
  TS_ROLE_FACT,     ///< about the scene, the run or the contacts; no value is better than another
  TS_ROLE_MEASURE,  ///< quality of the contacts
  TS_ROLE_FAULT,    ///< counts things that should not occur at all; tables flag it with a letter
  TS_ROLE_TIME,
  TS_ROLE_COUNT
} ts_role;

/// Which value of a column is the best.
typedef enum ts_sense {
  TS_SENSE_MISSING, ///< an entry of the list without a sense; a test fails
  TS_SENSE_NONE,    ///< no value is better than another
  TS_SENSE_HIGHER,
  TS_SENSE_LOWER,
  TS_SENSE_CLOSEST_TO_1, ///< for ratios: 0.5 is as far from 1 as 2
  TS_SENSE_RANKED,       ///< words with a defined order: the outcome
  TS_SENSE_COUNT
} ts_sense;

/// "identity", "fact", ... and "highest", "lowest", ..., "" for none: as shown in lists and pages.
extern const char *const ts_role_names[TS_ROLE_COUNT];
extern const char *const ts_sense_names[TS_SENSE_COUNT];

/// Where a column is shown; everywhere else that follows from role and sense.
typedef enum ts_shown {
  TS_SHOWN_TABLE = 1, ///< the table at the end of a run, and other tables like it
  TS_SHOWN_PAGE = 2, ///< the table of the page unless "All columns" is on; charts of other programs
  TS_SHOWN_HEAT_MAP = 4, ///< a plot of methods by cases
  TS_SHOWN_SWEEP = 8,    ///< a panel of the plot against a swept parameter
  TS_SHOWN_STEPS = 16,   ///< a plot of coherence over the steps
  /// The section on coherence of the page. Such a column sums up the steps so far, so that heat
  /// maps show it at the last step only.
  TS_SHOWN_COHERENCE = 32
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

typedef struct ts_region_row {
  TS_REGION_FIELDS(TS_FIELD_MEMBER)
} ts_region_row;

typedef struct ts_sample_row {
  TS_SAMPLE_FIELDS(TS_FIELD_MEMBER)
} ts_sample_row;

typedef struct ts_pose_row {
  TS_POSE_FIELDS(TS_FIELD_MEMBER)
} ts_pose_row;

typedef struct ts_deform_row {
  TS_DEFORM_FIELDS(TS_FIELD_MEMBER)
} ts_deform_row;

typedef struct ts_relation_row {
  TS_RELATION_FIELDS(TS_FIELD_MEMBER)
} ts_relation_row;

/// Number of columns of summary.csv.
#define TS_FIELD_ONE(...) +1
enum { TS_RECORD_FIELD_COUNT = TS_RECORD_FIELDS(TS_FIELD_ONE) };

/// One entry of a list of columns. Attributes without a comment are present in every entry.
typedef struct ts_field {
  ts_field_kind kind;
  size_t offset; ///< of the member in its row struct
  const char *column;
  const char *unit; ///< "" for none
  ts_role role;
  ts_sense sense;
  ts_compare compare; ///< not given for identity columns
  double tolerance;   ///< for TS_COMPARE_CLOSE
  /// Of an identity column: files from before it was added lack it, and are read as if empty.
  bool may_lack;
  const char *label; ///< in words, for headings: "Normal quality"
  /// For table headings, and for narrow ones; NULL: the same as the longer one. Use
  /// ts_field_short_label() and ts_field_narrow_label().
  const char *short_label, *narrow_label;
  char flag;          ///< letter of a fault in tables
  const char *series; ///< name in charts that continue over many runs; NULL: the column with dashes
  /// The number that pictures show as the worst. Ratios, closest to 1, have one; a number of which
  /// less is better may have one, and its shade then follows the logarithm of 1 + number.
  double far_off;
  unsigned shown;     ///< of TS_SHOWN_*
  const char *metric; ///< name of the metric that fills it; NULL: not filled by a metric
  /// Whether the gate has a default rule that it must not get worse, and otherwise the reason.
  /// Columns of summary.csv have one or the other; if the sense is none, the reason explains that.
  bool has_rule;
  const char *no_rule;
  const char *meaning; ///< one sentence
} ts_field;

/// A kind of row: its file and its fields.
typedef struct ts_row_type {
  /// "summary", "contacts", "regions", "samples", "poses", "deform", "relations"; the file is
  /// name.csv
  const char *name;
  size_t row_bytes;
  size_t field_count;
  const ts_field *fields;
} ts_row_type;

extern const ts_row_type ts_summary_rows, ts_contact_rows, ts_region_rows, ts_sample_rows,
    ts_pose_rows, ts_deform_rows, ts_relation_rows;

/// Sets every text to "" and every number to NaN.
void ts_row_init(const ts_row_type *type, void *row);

/// The value of a field of a row: the text of a text field, or the number of any other.
const char *ts_row_text(const ts_field *field, const void *row);
double ts_row_number(const ts_field *field, const void *row);

/// Sets the text (borrowed) of a text field, or the number of any other.
void ts_row_set_text(const ts_field *field, void *row, const char *text);
void ts_row_set_number(const ts_field *field, void *row, double number);

/// NULL when there is no such column.
const ts_field *ts_row_find(const ts_row_type *type, const char *column);

/// The columns of summary.csv that are shown in that place, in the order of the list. Returns their
/// number.
size_t ts_fields_shown(const ts_field *out[TS_RECORD_FIELD_COUNT], ts_shown where);

const char *ts_field_short_label(const ts_field *field);
const char *ts_field_narrow_label(const ts_field *field);

/// How bad a number is, by the sense of its column: smaller is better. Numbers of one column can be
/// sorted by it; for ratios it is the distance from 1 in doublings. NaN for texts and for a column
/// without a sense.
double ts_field_badness(const ts_field *field, double number);

#endif
