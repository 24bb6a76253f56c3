// SPDX-License-Identifier: MIT
#include "reports/compare/method_times.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
  const char *method;
  double ratio;
} entry;

static int compare_entries(const void *a, const void *b) {
  const entry *x = a, *y = b;
  int order = strcmp(x->method, y->method);
  return order != 0 ? order : (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

static ts_method_time judge(const entry *entries, size_t count) {
  ts_method_time m = {entries->method, count, entries[count / 2].ratio, TS_TIME_SAME};
  if (count % 2 == 0)
    m.ratio_to_run = (entries[count / 2 - 1].ratio + entries[count / 2].ratio) / 2;
  double slower = 0, faster = 0;
  for (size_t i = 0; i < count; i++) {
    slower += entries[i].ratio > 1;
    faster += entries[i].ratio < 1;
  }
  double least = TS_METHOD_SHARE * (double)count;
  if (count < TS_METHOD_CELLS_MIN)
    m.verdict = TS_TIME_UNTESTED;
  else if (m.ratio_to_run >= TS_METHOD_RATIO && slower >= least)
    m.verdict = TS_TIME_SLOWER;
  else if (m.ratio_to_run <= 1 / TS_METHOD_RATIO && faster >= least)
    m.verdict = TS_TIME_FASTER;
  return m;
}

ts_status ts_method_times_make(ts_method_time **out, size_t *out_count, ts_arena *arena,
                               const ts_difference *difference, const ts_time_difference *times) {
  entry *entries = ts_arena_array(arena, times->count, sizeof *entries);
  *out = ts_arena_array(arena, times->count, sizeof **out);
  *out_count = 0;
  if (!entries || !*out)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < times->count; i++)
    if (times->changes[i].verdict != TS_TIME_UNTESTED)
      entries[count++] = (entry){difference->pairs[times->changes[i].pair].new->method,
                                 times->changes[i].ratio_to_run};
  qsort(entries, count, sizeof *entries, compare_entries);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count; end++)
      if (strcmp(entries[first].method, entries[end].method) != 0)
        break;
    (*out)[(*out_count)++] = judge(&entries[first], end - first);
  }
  return TS_OK;
}
