// SPDX-License-Identifier: MIT
/// The rows or the columns of a table: the different cases or methods, with what distinguishes
/// those of the same name.
#ifndef TS_REPORTS_TABLE_AXIS_H
#define TS_REPORTS_TABLE_AXIS_H

#include "base/arena.h"
#include "reports/rows/record.h"

/// What determines the place of a record on an axis; together these are its identity.
typedef struct ts_axis_key {
  const char *name;
  const char *parameters[2]; ///< each "name=value;name=value", or ""
  double step;
} ts_axis_key;

typedef struct ts_axis_entry {
  const char *name;
  size_t word_count;
  const char *const *words; ///< "name=value" where entries of this name differ
} ts_axis_entry;

typedef struct ts_axis {
  size_t count;
  const ts_axis_entry *entries; ///< [count], in the order in which they first occur in the records
  const size_t *entry_of;       ///< [record_count]
} ts_axis;

/// Whether tables show record `i` of records [count], sorted by cell: for a long run they show the
/// first and the last step, the step of the published tables, and those that are not ok.
bool ts_record_is_tabulated(const ts_record *records, size_t count, size_t i);

/// Cases, distinguished by their parameters, those of the simulation, and the step ("touch" for 0).
ts_status ts_axis_of_cases(ts_axis *out, ts_arena *arena, const ts_record *records, size_t count);

/// Methods, distinguished by their parameters and those of the scoring.
ts_status ts_axis_of_methods(ts_axis *out, ts_arena *arena, const ts_record *records, size_t count);

/// "name word word". NULL when out of memory.
const char *ts_axis_label(ts_arena *arena, const ts_axis_entry *entry);

#endif
