// SPDX-License-Identifier: MIT
#include "reports/rows/record_index.h"

#include <stdlib.h>
#include <string.h>

static int compare_key(const ts_record *record, const char *cell, double step) {
  int order = strcmp(record->cell, cell);
  return order != 0 ? order : (record->step > step) - (record->step < step);
}

static int compare_order(const void *a, const void *b, void *context) {
  const ts_record *records = ((const ts_record_index *)context)->records;
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  int order = compare_key(&records[x], records[y].cell, records[y].step);
  return order != 0 ? order : (x > y) - (x < y);
}

ts_status ts_record_index_make(ts_record_index *out, ts_arena *arena, const ts_record *records,
                               size_t count) {
  *out = (ts_record_index){.records = records, .count = count, .last = TS_NO_RECORD};
  out->order = ts_arena_array(arena, count, sizeof *out->order);
  if (!out->order)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    out->order[i] = i;
  qsort_r(out->order, count, sizeof *out->order, compare_order, out);
  return TS_OK;
}

size_t ts_record_index_find(ts_record_index *index, const char *cell, double step) {
  if (index->last != TS_NO_RECORD && compare_key(&index->records[index->last], cell, step) == 0)
    return index->last;
  size_t low = 0, high = index->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare_key(&index->records[index->order[middle]], cell, step);
    if (order == 0)
      return index->last = index->order[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return TS_NO_RECORD;
}
