// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/tables/ranking.h"

static ts_status write_ranking(FILE *file, ts_arena *arena, const ts_format_source *source) {
  ts_ranking ranking;
  if (source->study_fault)
    return ts_fail(TS_E_INPUT, "%s", source->study_fault);
  TS_TRY(ts_ranking_make(&ranking, arena, source->records, source->count));
  if (source->shortfall)
    fprintf(file, "%s\n\n", source->shortfall);
  if (ranking.count == 0)
    fputs("no rows\n", file);
  else
    ts_ranking_print(file, &ranking, (ts_table_style){0});
  return TS_OK;
}

const ts_format ts_format_ranking = {
    .name = "ranking",
    .readers = "a first answer",
    .summary = "Methods in the order of their mean quality, as text.",
    .reads = "",
    .write = write_ranking,
};
