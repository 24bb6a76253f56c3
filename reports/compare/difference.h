// SPDX-License-Identifier: MIT
/// The differences between two summaries: rows are matched by their identity, and columns are
/// compared by their rule in the record. Times are compared in time_difference.h.
#ifndef TS_REPORTS_DIFFERENCE_H
#define TS_REPORTS_DIFFERENCE_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

/// What happened to a row or a column, the worst first: reports are in this order.
typedef enum ts_change_kind {
  TS_CHANGE_OUTCOME_WORSE,
  TS_CHANGE_VANISHED, ///< the row is in old only
  TS_CHANGE_WORSE,
  TS_CHANGE_OTHER, ///< neither worse nor better
  TS_CHANGE_APPEARED,
  TS_CHANGE_BETTER,
  TS_CHANGE_OUTCOME_BETTER,
  TS_CHANGE_KIND_COUNT
} ts_change_kind;

/// "outcome_worse", "vanished", ...: the column `kind` of a comparison.
extern const char *const ts_change_names[TS_CHANGE_KIND_COUNT];

/// How the values of a column in two rows compare.
typedef enum ts_order {
  TS_ORDER_SAME,    ///< within the tolerance of the column's rule
  TS_ORDER_LARGER,  ///< new is larger
  TS_ORDER_SMALLER, ///< new is smaller
  TS_ORDER_LOST,    ///< was a number, is not measured now
  TS_ORDER_GAINED,  ///< was not measured, is a number now
  TS_ORDER_OTHER    ///< texts that differ
} ts_order;

/// By the rule of the field; informational columns count as exact.
ts_order ts_field_compare(const ts_field *field, const ts_record *old, const ts_record *new);

/// What a difference in a column other than the outcome means, by the column's sense:
/// TS_CHANGE_WORSE, TS_CHANGE_BETTER, or TS_CHANGE_OTHER when neither value is better. A lost
/// number is worse; a gained one is not better, since there is nothing to compare it with.
ts_change_kind ts_field_change(const ts_field *field, ts_order order, const ts_record *old,
                               const ts_record *new);

/// The rows of one file, borrowed.
typedef struct ts_rows_of {
  const char *name; ///< for messages
  const ts_record *records;
  size_t count;
  const bool *has_column; ///< [ts_summary_rows.field_count]; NULL: it has all
} ts_rows_of;

/// The order of rows by their identity columns; 0: they are the same row of two runs.
int ts_rows_compare_identity(const ts_record *a, const ts_record *b);

/// TS_E_INPUT, naming both, when two rows have the same identity.
ts_status ts_rows_check_once(ts_arena *arena, const ts_rows_of *rows);

/// One identity; at most one side is NULL.
typedef struct ts_row_pair {
  const ts_record *old, *new;
} ts_row_pair;

typedef struct ts_change {
  ts_change_kind kind;
  size_t pair;           ///< index into the pairs
  const ts_field *field; ///< NULL for a row that vanished or appeared
} ts_change;

typedef struct ts_difference {
  size_t pair_count;
  const ts_row_pair *pairs; ///< [pair_count], in the order of old, then those that appeared
  size_t matched_count;     ///< pairs with both sides
  size_t change_count;
  const ts_change *changes; ///< [change_count], by kind, then by pair and column
  size_t counts[TS_CHANGE_KIND_COUNT];
  const bool *is_compared; ///< [field_count]: both have the column, and its rule says to judge it
} ts_difference;

/// Compares old with new. A row whose outcome changed has only that change: its measures follow
/// from it. TS_E_INPUT when two rows of one side have the same identity.
ts_status ts_difference_make(ts_difference *out, ts_arena *arena, const ts_rows_of *old,
                             const ts_rows_of *new);

/// Labels of the cells: for each pair the case and the method, each with the parameters that
/// distinguish it from others of its name. `*out_cases` and `*out_methods` are arrays [pair_count].
ts_status ts_difference_label(const char *const **out_cases, const char *const **out_methods,
                              ts_arena *arena, const ts_difference *difference);

#endif
