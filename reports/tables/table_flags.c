// SPDX-License-Identifier: MIT
#include "reports/tables/table_flags.h"

#include "reports/rows/outcome.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/// The columns with a letter, in order; bit i of a set of flags is column i here.
static unsigned find_faults(const ts_field *out[TS_FLAGS_MAX]) {
  unsigned count = 0;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++)
    if (ts_summary_rows.fields[i].flag) {
      assert(count < TS_FLAGS_MAX);
      out[count++] = &ts_summary_rows.fields[i];
    }
  return count;
}

unsigned ts_flags_of(const ts_record *record) {
  const ts_field *faults[TS_FLAGS_MAX];
  unsigned count = find_faults(faults), flags = 0;
  for (unsigned i = 0; i < count && ts_record_is_ok(record); i++)
    flags |= (unsigned)(ts_row_number(faults[i], record) > 0) << i;
  return flags;
}

const char *ts_flags_letters(char out[TS_FLAGS_MAX + 1], unsigned flags) {
  const ts_field *faults[TS_FLAGS_MAX];
  unsigned count = find_faults(faults);
  char *end = out;
  for (unsigned i = 0; i < count; i++)
    if (flags & 1u << i)
      *end++ = faults[i]->flag;
  *end = '\0';
  return out;
}

#define HEAD "flags:"

/// Appends a piece of the explanation, on a new line if it does not fit.
static void put_piece(ts_pen *pen, size_t *used, size_t limit, const char *piece) {
  const size_t indent = strlen(HEAD);
  if (*used > indent && *used + 1 + strlen(piece) > limit) {
    ts_pen_end_line(pen);
    *used = pen->pending = indent;
  }
  pen->pending++;
  ts_pen_put(pen, TS_DIM, piece);
  *used += 1 + strlen(piece);
}

void ts_flags_explain(ts_pen *pen, unsigned flags, size_t limit) {
  if (flags == 0)
    return;
  const ts_field *faults[TS_FLAGS_MAX];
  unsigned count = find_faults(faults);
  char piece[128];
  size_t used = strlen(HEAD);
  ts_pen_put(pen, TS_DIM, HEAD);
  for (unsigned i = 0; i < count; i++)
    if (flags & 1u << i) {
      const char *label = faults[i]->label, *end = flags >> (i + 1) ? "," : "";
      snprintf(piece, sizeof piece, "%c %c%s%s", faults[i]->flag, tolower((unsigned char)label[0]),
               label + 1, end);
      put_piece(pen, &used, limit, piece);
    }
  const char *start = flags & (flags - 1) ? "(columns " : "(column ";
  for (unsigned i = 0; i < count; i++)
    if (flags & 1u << i) {
      const char *end = flags >> (i + 1) ? "," : "";
      snprintf(piece, sizeof piece, "%s%s%s", start, faults[i]->column, end);
      put_piece(pen, &used, limit, piece);
      start = "";
    }
  put_piece(pen, &used, limit, "of summary.csv)");
  ts_pen_end_line(pen);
}
