// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/study/study_print.h"

static ts_status write_summary(FILE *file, ts_arena *arena, const ts_format_source *source) {
  ts_study study;
  if (source->study_fault)
    return ts_fail(TS_E_INPUT, "%s", source->study_fault);
  TS_TRY(ts_study_make(&study, arena, source->records, source->count));
  if (source->shortfall)
    fprintf(file, "**%s**\n\n", source->shortfall);
  if (study.method_count == 0) {
    fputs("No rows as built.\n", file);
    return TS_OK;
  }
  return ts_study_print(file, arena, &study);
}

const ts_format ts_format_summary = {
    .name = "summary",
    .readers = "authors",
    .summary = "Each method over all cases and seeds: means with intervals, worst cells, ranks "
               "with ties, all pairs compared; in Markdown.",
    .reads = "",
    .write = write_summary,
};
