// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/markdown.h"
#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"
#include "reports/tables/pivot.h"
#include "reports/tables/table_flags.h"
#include "reports/tables/table_text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/// Rows whose explanation is offered.
#define EXPLAINED_MAX ((size_t)5)

static void put_values(FILE *file, const ts_record *record) {
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(fields, TS_SHOWN_TABLE);
  for (size_t i = 0; i < count; i++) {
    char text[TS_NUMBER_BYTES] = "-";
    double value = ts_row_number(fields[i], record);
    if (!isnan(value))
      ts_field_number_text(text, fields[i], value);
    fprintf(file, "%s%s", i > 0 ? " / " : "", text);
  }
}

/// Explains the numbers of a cell: "Quality % / coverage % / excess / time, and flags".
static void put_legend(FILE *file) {
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(fields, TS_SHOWN_TABLE);
  for (size_t i = 0; i < count; i++) {
    const char *label = ts_field_short_label(fields[i]), *sign = ts_field_unit_sign(fields[i]);
    int first = i > 0 ? tolower((unsigned char)label[0]) : label[0];
    fprintf(file, "%s%c%s%s%s", i > 0 ? " / " : "", first, label + 1, sign[0] ? " " : "", sign);
  }
  fputs(", and flags; the time is that of generating all contacts.\n\n", file);
}

static void put_cell(FILE *file, const ts_record *record) {
  char letters[TS_FLAGS_MAX + 1];
  fputs(" | ", file);
  if (!record)
    return;
  if (!ts_record_is_ok(record)) {
    fputs("**", file);
    ts_markdown_put(file, ts_record_outcome_words(record));
    fputs("**", file);
    return;
  }
  put_values(file, record);
  if (ts_flags_of(record))
    fprintf(file, " %s", ts_flags_letters(letters, ts_flags_of(record)));
}

static void put_table(FILE *file, const ts_pivot *cross) {
  fputs("| case", file);
  for (size_t m = 0; m < cross->methods.count; m++) {
    fputs(" | ", file);
    ts_markdown_put(file, cross->method_labels[m]);
  }
  fputs(" |\n|---", file);
  for (size_t m = 0; m < cross->methods.count; m++)
    fputs("|---:", file);
  fputs("|\n", file);
  for (size_t row = 0; row < cross->cases.count; row++) {
    fputs("| ", file);
    ts_markdown_put(file, cross->case_labels[row]);
    for (size_t m = 0; m < cross->methods.count; m++)
      put_cell(file, ts_pivot_find(cross, row, m));
    fputs(" |\n", file);
  }
}

static void put_failures(FILE *file, const ts_pivot *cross, size_t total) {
  size_t bad = 0;
  for (size_t i = 0; i < cross->count; i++) {
    const ts_record *record = cross->records[i];
    if (ts_record_is_ok(record))
      continue;
    fputs(bad++ == 0 ? "\nNot ok:\n\n- " : "- ", file);
    ts_markdown_put(file, cross->case_labels[cross->cases.entry_of[i]]);
    fputs(" x ", file);
    ts_markdown_put(file, cross->method_labels[cross->methods.entry_of[i]]);
    fputs(": ", file);
    ts_markdown_put(file, ts_record_outcome_words(record));
    fputs(record->reason[0] ? ", " : "", file);
    ts_markdown_put(file, record->reason);
    fputc('\n', file);
  }
  if (bad > 0)
    fprintf(file, "\n%zu of %zu rows not ok.\n", bad, total);
  else
    fprintf(file, "\n%zu row%s ok.\n", total, total == 1 ? "" : "s, all");
}

/// The commands that explain rows with faults, the first of them.
static void put_explains(FILE *file, const ts_format_source *source) {
  size_t count = 0;
  for (size_t i = 0; i < source->count && source->explains; i++) {
    const ts_record *record = &source->records[i];
    if ((!ts_flags_of(record) && !ts_record_has_failed(record)) || count++ >= EXPLAINED_MAX)
      continue;
    fprintf(file, "%s- `%s`\n", count == 1 ? "\nWhy rows have flags, or failed:\n\n" : "",
            source->explains[i]);
  }
  if (count > EXPLAINED_MAX)
    fprintf(file, "- and %zu more row%s\n", count - EXPLAINED_MAX,
            count - EXPLAINED_MAX == 1 ? "" : "s");
}

static ts_status write_markdown(FILE *file, ts_arena *arena, const ts_format_source *source) {
  ts_pivot cross;
  TS_TRY(ts_pivot_make(&cross, arena, source->records, source->count));
  put_legend(file);
  if (source->shortfall)
    fprintf(file, "**%s**\n\n", source->shortfall);
  if (cross.count == 0) {
    fputs("No rows.\n", file);
    return TS_OK;
  }
  put_table(file, &cross);
  unsigned flags = 0;
  for (size_t i = 0; i < cross.count; i++)
    flags |= ts_flags_of(cross.records[i]);
  fputs(flags ? "\n" : "", file);
  ts_flags_explain(&(ts_pen){.file = file}, flags, 1000);
  put_failures(file, &cross, source->count);
  put_explains(file, source);
  return TS_OK;
}

const ts_format ts_format_markdown = {
    .name = "markdown",
    .readers = "issues, pull requests",
    .summary = "The table printed at the end of a run.",
    .reads = "",
    .write = write_markdown,
};
