// SPDX-License-Identifier: MIT
#include "reports/compare/difference.h"

#include "base/array.h"
#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/table_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ts_change_names[TS_CHANGE_KIND_COUNT] = {
    [TS_CHANGE_OUTCOME_WORSE] = "outcome_worse",
    [TS_CHANGE_VANISHED] = "vanished",
    [TS_CHANGE_WORSE] = "worse",
    [TS_CHANGE_OTHER] = "changed",
    [TS_CHANGE_APPEARED] = "appeared",
    [TS_CHANGE_BETTER] = "better",
    [TS_CHANGE_OUTCOME_BETTER] = "outcome_better",
};

ts_order ts_field_compare(const ts_field *field, const ts_record *old, const ts_record *new) {
  if (field->kind == TS_FIELD_TEXT)
    return strcmp(ts_row_text(field, old), ts_row_text(field, new)) == 0 ? TS_ORDER_SAME
                                                                         : TS_ORDER_OTHER;
  double was = ts_row_number(field, old), is = ts_row_number(field, new);
  if (isnan(was) || isnan(is))
    return isnan(was) && isnan(is) ? TS_ORDER_SAME : isnan(is) ? TS_ORDER_LOST : TS_ORDER_GAINED;
  // Relative to an infinite value, everything would be close.
  double allowed =
      field->compare == TS_COMPARE_CLOSE && isfinite(was) && isfinite(is) ? field->tolerance : 0;
  if (was == is || (allowed > 0 && fabs(is - was) <= allowed * fmax(1, fabs(was))))
    return TS_ORDER_SAME;
  return is > was ? TS_ORDER_LARGER : TS_ORDER_SMALLER;
}

ts_change_kind ts_field_change(const ts_field *field, ts_order order, const ts_record *old,
                               const ts_record *new) {
  if (field->kind == TS_FIELD_TEXT || field->sense == TS_SENSE_NONE || order == TS_ORDER_GAINED)
    return TS_CHANGE_OTHER;
  if (order == TS_ORDER_LOST)
    return TS_CHANGE_WORSE;
  double was = ts_field_badness(field, ts_row_number(field, old));
  double is = ts_field_badness(field, ts_row_number(field, new));
  // 0.5 and 2 are equally far from 1, whatever the last bits of their logarithms.
  double hair = field->sense == TS_SENSE_CLOSEST_TO_1 ? field->tolerance : 0;
  return is - was > hair ? TS_CHANGE_WORSE : was - is > hair ? TS_CHANGE_BETTER : TS_CHANGE_OTHER;
}

int ts_rows_compare_identity(const ts_record *a, const ts_record *b) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->compare != TS_COMPARE_IDENTITY)
      continue;
    if (field->kind == TS_FIELD_TEXT) {
      int order = strcmp(ts_row_text(field, a), ts_row_text(field, b));
      if (order != 0)
        return order;
      continue;
    }
    double x = ts_row_number(field, a), y = ts_row_number(field, b);
    if (isnan(x) != isnan(y))
      return isnan(x) ? -1 : 1;
    if (!isnan(x) && x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

static int compare_pointed(const void *a, const void *b) {
  return ts_rows_compare_identity(*(const ts_record *const *)a, *(const ts_record *const *)b);
}

/// The rows sorted by identity.
static ts_status sort_rows(const ts_record ***out, ts_arena *arena, const ts_rows_of *rows) {
  const ts_record **order = ts_arena_array(arena, rows->count, sizeof *order);
  if (!order)
    return TS_E_MEMORY;
  for (size_t i = 0; i < rows->count; i++)
    order[i] = &rows->records[i];
  qsort(order, rows->count, sizeof *order, compare_pointed);
  for (size_t i = 1; i < rows->count; i++)
    if (ts_rows_compare_identity(order[i - 1], order[i]) == 0)
      return ts_fail(TS_E_INPUT,
                     "%s: duplicate row of %s x %s, cell %s, step %.0f (rows %zu and %zu); give "
                     "the results of one run",
                     rows->name, order[i]->case_name, order[i]->method, order[i]->cell,
                     order[i]->step, (size_t)(order[i - 1] - rows->records) + 1,
                     (size_t)(order[i] - rows->records) + 1);
  *out = order;
  return TS_OK;
}

ts_status ts_rows_check_once(ts_arena *arena, const ts_rows_of *rows) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  const ts_record **order;
  ts_status status = sort_rows(&order, arena, rows);
  ts_arena_rewind(arena, mark);
  return status;
}

static ts_status match_rows(ts_difference *out, ts_arena *arena, const ts_rows_of *old,
                            const ts_rows_of *new) {
  const ts_record **old_order, **new_order;
  TS_TRY(sort_rows(&old_order, arena, old));
  TS_TRY(sort_rows(&new_order, arena, new));
  ts_row_pair *pairs = ts_arena_array(arena, old->count + new->count, sizeof *pairs);
  bool *is_matched = ts_arena_array(arena, new->count, sizeof *is_matched);
  if (!pairs || !is_matched)
    return TS_E_MEMORY;
  for (size_t i = 0; i < old->count; i++)
    pairs[i].old = &old->records[i];
  for (size_t i = 0, k = 0; i < old->count && k < new->count;) {
    int order = ts_rows_compare_identity(old_order[i], new_order[k]);
    if (order == 0) {
      pairs[old_order[i] - old->records].new = new_order[k];
      is_matched[new_order[k] - new->records] = true;
      out->matched_count++;
    }
    i += order <= 0;
    k += order >= 0;
  }
  out->pair_count = old->count;
  for (size_t i = 0; i < new->count; i++)
    if (!is_matched[i])
      pairs[out->pair_count++].new = &new->records[i];
  out->pairs = pairs;
  return TS_OK;
}

static ts_status choose_columns(ts_difference *out, ts_arena *arena, const ts_rows_of *old,
                                const ts_rows_of *new) {
  bool *is_compared = ts_arena_array(arena, ts_summary_rows.field_count, sizeof *is_compared);
  if (!is_compared)
    return TS_E_MEMORY;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    ts_compare rule = ts_summary_rows.fields[i].compare;
    is_compared[i] = (rule == TS_COMPARE_EXACT || rule == TS_COMPARE_CLOSE) &&
                     (!old->has_column || old->has_column[i]) &&
                     (!new->has_column || new->has_column[i]);
  }
  out->is_compared = is_compared;
  return TS_OK;
}

typedef struct change_list {
  ts_change *items;
  size_t count, capacity;
} change_list;

static ts_status add_change(change_list *list, ts_change change) {
  TS_TRY(TS_HEAP_GROW(list->items, list->capacity, list->count, 1));
  list->items[list->count++] = change;
  return TS_OK;
}

static bool is_outcome(const ts_field *field) {
  return field->offset == offsetof(ts_record, outcome);
}

static ts_status compare_pair(change_list *list, const ts_difference *d, size_t index) {
  const ts_row_pair *pair = &d->pairs[index];
  if (!pair->old || !pair->new)
    return add_change(
        list, (ts_change){pair->old ? TS_CHANGE_VANISHED : TS_CHANGE_APPEARED, index, NULL});
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    ts_order order =
        d->is_compared[i] ? ts_field_compare(field, pair->old, pair->new) : TS_ORDER_SAME;
    if (order == TS_ORDER_SAME)
      continue;
    if (is_outcome(field)) {
      int was = ts_outcomes[ts_record_outcome(pair->old)].rank,
          is = ts_outcomes[ts_record_outcome(pair->new)].rank;
      ts_change_kind kind = is > was   ? TS_CHANGE_OUTCOME_WORSE
                            : is < was ? TS_CHANGE_OUTCOME_BETTER
                                       : TS_CHANGE_OTHER;
      return add_change(list, (ts_change){kind, index, field});
    }
    ts_change_kind kind = ts_field_change(field, order, pair->old, pair->new);
    TS_TRY(add_change(list, (ts_change){kind, index, field}));
  }
  return TS_OK;
}

/// Sorts by kind, stably.
static ts_status keep_changes(ts_difference *out, ts_arena *arena, const change_list *list) {
  ts_change *changes = ts_arena_array(arena, list->count, sizeof *changes);
  if (!changes)
    return TS_E_MEMORY;
  for (int kind = 0; kind < TS_CHANGE_KIND_COUNT; kind++)
    for (size_t i = 0; i < list->count; i++)
      if (list->items[i].kind == (ts_change_kind)kind) {
        changes[out->change_count++] = list->items[i];
        out->counts[kind]++;
      }
  out->changes = changes;
  return TS_OK;
}

ts_status ts_difference_make(ts_difference *out, ts_arena *arena, const ts_rows_of *old,
                             const ts_rows_of *new) {
  *out = (ts_difference){0};
  TS_TRY(match_rows(out, arena, old, new));
  TS_TRY(choose_columns(out, arena, old, new));
  change_list list = {0};
  ts_status status = TS_OK;
  for (size_t i = 0; i < out->pair_count && status == TS_OK; i++)
    status = compare_pair(&list, out, i);
  if (status == TS_OK)
    status = keep_changes(out, arena, &list);
  free(list.items);
  return status;
}

static ts_status fill_labels(const char *const **out, ts_arena *arena, const ts_axis *axis,
                             size_t count) {
  const char **of_entry = ts_arena_array(arena, axis->count, sizeof *of_entry);
  const char **labels = ts_arena_array(arena, count, sizeof *labels);
  if (!of_entry || !labels)
    return TS_E_MEMORY;
  for (size_t i = 0; i < axis->count; i++)
    if (!(of_entry[i] = ts_axis_label(arena, &axis->entries[i])))
      return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    labels[i] = of_entry[axis->entry_of[i]];
  *out = labels;
  return TS_OK;
}

ts_status ts_difference_label(const char *const **out_cases, const char *const **out_methods,
                              ts_arena *arena, const ts_difference *difference) {
  size_t count = difference->pair_count;
  ts_record *records = ts_arena_array(arena, count, sizeof *records);
  if (!records)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const ts_row_pair *pair = &difference->pairs[i];
    records[i] = pair->new ? *pair->new : *pair->old;
  }
  ts_axis cases, methods;
  TS_TRY(ts_axis_of_cases(&cases, arena, records, count));
  TS_TRY(ts_axis_of_methods(&methods, arena, records, count));
  TS_TRY(fill_labels(out_cases, arena, &cases, count));
  return fill_labels(out_methods, arena, &methods, count);
}
