// SPDX-License-Identifier: MIT
#include "reports/tables/pivot.h"

#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/format_text.h"

#include <stdlib.h>
#include <string.h>

static ts_status make_labels(const char ***out, ts_arena *arena, const ts_axis *axis) {
  *out = ts_arena_array(arena, axis->count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < axis->count; i++) {
    (*out)[i] = ts_axis_label(arena, &axis->entries[i]);
    if (!(*out)[i])
      return TS_E_MEMORY;
  }
  return TS_OK;
}

/// Compares the place of a record with that of a case and a method: negative, zero or positive.
static int compare_place(const ts_pivot *cross, size_t i, size_t row, size_t column) {
  size_t y = cross->cases.entry_of[i], x = cross->methods.entry_of[i];
  return y != row ? (y > row) - (y < row) : (x > column) - (x < column);
}

static int compare_order(const void *a, const void *b, void *context) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  const ts_pivot *cross = context;
  int order = compare_place(cross, x, cross->cases.entry_of[y], cross->methods.entry_of[y]);
  return order != 0 ? order : (x > y) - (x < y);
}

ts_status ts_pivot_make(ts_pivot *out, ts_arena *arena, const ts_record *records, size_t count) {
  *out = (ts_pivot){0};
  ts_record *shown = ts_arena_array(arena, count, sizeof *shown);
  out->records = ts_arena_array(arena, count, sizeof(ts_record *));
  out->order = ts_arena_array(arena, count, sizeof *out->order);
  if (!shown || !out->records || !out->order)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (ts_record_is_tabulated(records, count, i)) {
      shown[out->count] = records[i];
      out->order[out->count] = out->count;
      out->records[out->count++] = &records[i];
    }
  TS_TRY(ts_axis_of_cases(&out->cases, arena, shown, out->count));
  TS_TRY(ts_axis_of_methods(&out->methods, arena, shown, out->count));
  TS_TRY(make_labels(&out->case_labels, arena, &out->cases));
  TS_TRY(make_labels(&out->method_labels, arena, &out->methods));
  qsort_r(out->order, out->count, sizeof *out->order, compare_order, out);
  return TS_OK;
}

const ts_record *ts_pivot_find(const ts_pivot *cross, size_t row, size_t column) {
  size_t low = 0, high = cross->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_place(cross, cross->order[middle], row, column) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || compare_place(cross, cross->order[low - 1], row, column) != 0)
    return NULL;
  return cross->records[cross->order[low - 1]];
}
