// SPDX-License-Identifier: MIT
#include "reports/tables/table_flags.h"

#include "reports/rows/outcome.h"

#include <string.h>

typedef struct flag {
  char letter;
  const char *meaning, *column;
} flag;

static const flag flags_known[TS_FLAG_COUNT] = {
    {'f', "flipped normals", "normals_flipped"},
    {'i', "invalid normals", "normals_invalid"},
    {'p', "phantom contacts", "phantom"},
    {'m', "missed regions", "regions_missed"},
};

unsigned ts_flags_of(const ts_record *record) {
  const double values[TS_FLAG_COUNT] = {record->normals_flipped, record->normals_invalid,
                                        record->phantom, record->regions_missed};
  unsigned flags = 0;
  for (unsigned i = 0; i < TS_FLAG_COUNT && ts_record_is_ok(record); i++)
    flags |= (unsigned)(values[i] > 0) << i;
  return flags;
}

const char *ts_flags_letters(char out[TS_FLAG_COUNT + 1], unsigned flags) {
  char *end = out;
  for (unsigned i = 0; i < TS_FLAG_COUNT; i++)
    if (flags & 1u << i)
      *end++ = flags_known[i].letter;
  *end = '\0';
  return out;
}

#define HEAD "flags:"

/// Puts a piece of the explanation behind the others, or below the first when it would not fit.
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
  char piece[64];
  size_t used = strlen(HEAD);
  ts_pen_put(pen, TS_DIM, HEAD);
  for (unsigned i = 0; i < TS_FLAG_COUNT; i++)
    if (flags & 1u << i) {
      const char *end = flags >> (i + 1) ? "," : "";
      snprintf(piece, sizeof piece, "%c %s%s", flags_known[i].letter, flags_known[i].meaning, end);
      put_piece(pen, &used, limit, piece);
    }
  const char *start = flags & (flags - 1) ? "(columns " : "(column ";
  for (unsigned i = 0; i < TS_FLAG_COUNT; i++)
    if (flags & 1u << i) {
      const char *end = flags >> (i + 1) ? "," : "";
      snprintf(piece, sizeof piece, "%s%s%s", start, flags_known[i].column, end);
      put_piece(pen, &used, limit, piece);
      start = "";
    }
  put_piece(pen, &used, limit, "of summary.csv)");
  ts_pen_end_line(pen);
}
