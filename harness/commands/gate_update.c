// SPDX-License-Identifier: MIT
#include "harness/commands/gate.h"

#include "base/number.h"
#include "base/status.h"
#include "harness/run/output.h"
#include "reports/rows/csv.h"

#include <string.h>

/// Whether a column goes into the baseline: it does if it is judged, or if a rule names it. Times
/// and other facts about the machine would make diffs of the baseline unreadable.
static bool is_kept(const ts_gate *g, const ts_field *field) {
  return field->compare != TS_COMPARE_REPORT || ts_gate_rules_need(&g->rules, field);
}

static ts_status check_columns(const ts_gate *g) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (is_kept(g, field) && !g->results.has_column[i])
      return ts_fail(TS_E_INPUT,
                     "%s has no column %s, which a baseline needs; give the results as touchstone "
                     "run wrote them",
                     g->results.summary_path, field->column);
  }
  return TS_OK;
}

/// Adds one line; the header if there is no record.
static ts_status add_line(ts_csv_buffer *buffer, const ts_gate *g, const ts_record *record) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    char number[TS_NUMBER_BYTES];
    if (!is_kept(g, field))
      continue;
    const char *text = !record ? field->column
                       : field->kind == TS_FIELD_TEXT
                           ? ts_row_text(field, record)
                           : ts_number_format(number, ts_row_number(field, record));
    TS_TRY(ts_csv_add_field(buffer, text));
  }
  ts_csv_end_record(buffer);
  return TS_OK;
}

/// Existing rows keep their order, and new ones follow.
static ts_status fill(ts_csv_buffer *buffer, size_t *out_count, const ts_gate *g) {
  const ts_difference *d = &g->comparison.difference;
  *out_count = 0;
  TS_TRY(add_line(buffer, g, NULL));
  for (size_t i = 0; i < d->pair_count; i++) {
    const ts_row_pair *pair = &d->pairs[i];
    const ts_record *record = pair->new ? pair->new : g->is_partial ? pair->old : NULL;
    if (!record)
      continue;
    TS_TRY(add_line(buffer, g, record));
    ++*out_count;
  }
  return TS_OK;
}

static ts_status write_baseline(const ts_gate *g, size_t *out_count) {
  ts_csv_buffer buffer = {0};
  ts_output output;
  TS_TRY(ts_output_start(&output, g->baseline_path, true));
  ts_status status = fill(&buffer, out_count, g);
  if (status == TS_OK)
    fwrite(buffer.bytes, 1, buffer.count, output.file);
  ts_csv_buffer_free(&buffer);
  return ts_output_end(&output, status);
}

ts_status ts_gate_update(const ts_gate *gate) {
  const ts_difference *d = &gate->comparison.difference;
  size_t count, added = d->counts[TS_CHANGE_APPEARED], absent = d->counts[TS_CHANGE_VANISHED];
  bool is_new = gate->baseline.count == 0;
  TS_TRY(check_columns(gate));
  if (gate->results.shortfall && !gate->is_partial)
    return ts_fail(TS_E_INPUT,
                   "%s has %s, and the baseline would lose the rows of the others; continue the "
                   "run with touchstone run --resume %s, or keep them with --partial",
                   gate->results_path, gate->results.shortfall, gate->results_path);
  if (gate->results.count == 0)
    return ts_fail(TS_E_INPUT, "%s has no rows to make a baseline from",
                   gate->results.summary_path);
  TS_TRY(write_baseline(gate, &count));
  if (!is_new)
    TS_TRY(
        ts_comparison_print_text(stdout, gate->arena, &gate->comparison, ts_output_has_colour()));
  printf("baseline: %s now has %zu rows, %zu of them new, %zu %s\n", gate->baseline_path, count,
         added, absent, gate->is_partial ? "kept although not in the results" : "removed");
  return TS_OK;
}
