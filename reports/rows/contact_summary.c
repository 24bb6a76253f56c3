// SPDX-License-Identifier: MIT
#include "reports/rows/contact_summary.h"

#include "base/array.h"
#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/rows/record_index.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The error of one normal. Compact, since there are millions.
typedef struct normal_error {
  uint32_t record;
  float error_deg;
} normal_error;

typedef struct gathering {
  ts_record_index index;
  ts_contact_summary *summaries;
  normal_error *errors;
  size_t count, capacity;
} gathering;

static ts_status add_error(gathering *g, size_t record, double error_deg) {
  TS_TRY(TS_HEAP_GROW(g->errors, g->capacity, g->count, 1));
  g->errors[g->count++] = (normal_error){(uint32_t)record, (float)error_deg};
  return TS_OK;
}

static ts_status gather(void *context, const void *row) {
  gathering *g = context;
  const ts_contact_row *contact = row;
  size_t record = ts_record_index_find(&g->index, contact->cell, contact->step);
  if (record == TS_NO_RECORD)
    return TS_OK;
  ts_contact_summary *summary = &g->summaries[record];
  summary->listed++;
  if (contact->speculative > 0)
    summary->speculative++;
  else if (contact->phantom > 0)
    summary->phantom++;
  else if (contact->correct > 0)
    summary->correct++;
  else
    summary->incorrect++;
  if (contact->speculative > 0 || isnan(contact->normal_error_deg))
    return TS_OK;
  return add_error(g, record, contact->normal_error_deg);
}

static int compare_errors(const void *a, const void *b) {
  const normal_error *x = a, *y = b;
  if (x->record != y->record)
    return x->record < y->record ? -1 : 1;
  return (x->error_deg > y->error_deg) - (x->error_deg < y->error_deg);
}

/// Thins the sorted errors [count] of one row to a curve.
static ts_status make_curve(ts_contact_summary *summary, ts_arena *arena,
                            const normal_error *errors, size_t count, size_t limit) {
  size_t points = count < limit ? count : limit;
  float *curve = ts_arena_array(arena, points, sizeof *curve);
  if (!curve)
    return TS_E_MEMORY;
  for (size_t i = 0; i < points; i++)
    curve[i] = errors[points > 1 ? i * (count - 1) / (points - 1) : 0].error_deg;
  summary->curve = curve;
  summary->curve_count = points;
  return TS_OK;
}

static ts_status make_curves(gathering *g, ts_arena *arena, size_t limit) {
  if (g->count > 0)
    qsort(g->errors, g->count, sizeof *g->errors, compare_errors);
  for (size_t first = 0, end; first < g->count; first = end) {
    uint32_t record = g->errors[first].record;
    for (end = first + 1; end < g->count && g->errors[end].record == record; end++)
      ;
    TS_TRY(make_curve(&g->summaries[record], arena, &g->errors[first], end - first, limit));
  }
  return TS_OK;
}

/// Checks that the file has every contact of rows that are ok exactly once.
static ts_status check_counts(const gathering *g, size_t count, const char *path) {
  for (size_t i = 0; i < count; i++) {
    const ts_record *record = &g->index.records[i];
    size_t listed = g->summaries[i].listed;
    if (ts_record_is_ok(record) && !isnan(record->contacts_listed) &&
        (double)listed != record->contacts_listed)
      return ts_fail(TS_E_INPUT,
                     "%s has %zu contacts of cell %s at step %.0f, but the summary counts %.0f; "
                     "the file is incomplete or was changed: run again",
                     path, listed, record->cell, record->step, record->contacts_listed);
  }
  return TS_OK;
}

ts_status ts_contact_summary_read(ts_contact_summary **out, ts_arena *arena, const char *folder,
                                  const ts_record *records, size_t count, size_t curve_limit) {
  gathering g = {.summaries = ts_arena_array(arena, count, sizeof **out)};
  *out = g.summaries;
  const char *path = ts_arena_format(arena, "%s/contacts.csv", folder ? folder : "");
  if (!g.summaries || !path)
    return TS_E_MEMORY;
  if (!folder || !ts_csv_exists(path))
    return TS_OK;
  TS_TRY(ts_record_index_make(&g.index, arena, records, count));
  ts_status status = ts_rows_visit(&ts_contact_rows, path, gather, &g);
  if (status == TS_OK)
    status = check_counts(&g, count, path);
  if (status == TS_OK)
    status = make_curves(&g, arena, curve_limit);
  free(g.errors);
  return status;
}
