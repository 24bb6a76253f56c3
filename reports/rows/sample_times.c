// SPDX-License-Identifier: MIT
#include "reports/rows/sample_times.h"

#include "base/array.h"
#include "base/status.h"
#include "reports/rows/record_index.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gathering {
  ts_record_index index;
  ts_sample_times *times;
  size_t capacity;
} gathering;

static ts_status gather(void *context, const void *row) {
  gathering *g = context;
  const ts_sample_row *sample = row;
  ts_sample_times *times = g->times;
  if (strcmp(sample->phase, "generate") != 0 || isnan(sample->time_ns))
    return TS_OK;
  size_t record = ts_record_index_find(&g->index, sample->cell, sample->step);
  if (record == TS_NO_RECORD)
    return TS_OK;
  TS_TRY(TS_HEAP_GROW(times->items, g->capacity, times->count, 1));
  times->items[times->count++] =
      (ts_sample_time){record, sample->sample, sample->passes, sample->time_ns};
  return TS_OK;
}

static int compare_samples(const void *a, const void *b) {
  const ts_sample_time *x = a, *y = b;
  if (x->record != y->record)
    return x->record < y->record ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static ts_status read_file(ts_sample_times *out, ts_arena *arena, const char *folder,
                           const ts_record *records, size_t count) {
  const char *path = ts_arena_format(arena, "%s/samples.csv", folder);
  if (!path)
    return TS_E_MEMORY;
  if (!ts_csv_exists(path))
    return TS_OK;
  gathering g = {.times = out};
  TS_TRY(ts_record_index_make(&g.index, arena, records, count));
  return ts_rows_visit(&ts_sample_rows, path, gather, &g);
}

ts_status ts_sample_times_read(ts_sample_times *out, ts_arena *arena, const char *folder,
                               const ts_record *records, size_t count) {
  *out = (ts_sample_times){0};
  size_t *start = ts_arena_array(arena, count + 1, sizeof *start);
  ts_status status = start ? TS_OK : TS_E_MEMORY;
  if (status == TS_OK && folder)
    status = read_file(out, arena, folder, records, count);
  if (status != TS_OK) {
    ts_sample_times_free(out);
    return status;
  }
  if (out->count > 0)
    qsort(out->items, out->count, sizeof *out->items, compare_samples);
  for (size_t i = 0; i < out->count; i++)
    start[out->items[i].record + 1]++;
  for (size_t i = 0; i < count; i++)
    start[i + 1] += start[i];
  out->start = start;
  return TS_OK;
}

void ts_sample_times_free(ts_sample_times *times) {
  free(times->items);
  *times = (ts_sample_times){0};
}
