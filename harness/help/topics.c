// SPDX-License-Identifier: MIT
#include "harness/help/topics.h"

#include "base/status.h"
#include "reports/rows/record.h"

#include <string.h>

/// A text needs no such heading.
static void begin_description(ts_page *page) {
  if (page->kind == TS_PAGE_MAN)
    ts_page_heading(page, "Description");
}

static ts_status put_mpi(ts_page *page) {
  ts_page_usage(page, "mpiexec -n RANKS touchstone-mpi", "run [options]");
  begin_description(page);
  ts_page_text(page,
               "Runs cases against methods on several ranks of one MPI job, by MPICH. The options "
               "and the results are those of touchstone run: the same rows in the same order, "
               "whatever the number of ranks. --jobs is the number of cells that each rank runs in "
               "parallel. All other commands are those of touchstone.\n\n"
               "A rank that dies loses only the cells that it was running. See docs/scale.md.");
  ts_page_heading(page, "Examples");
  ts_page_commands(page, "mpiexec -n 4 touchstone-mpi run --out results/suite\n"
                         "mpiexec -n 4 touchstone-mpi run --resume results/suite\n");
  return TS_OK;
}

/// The columns of one file.
static ts_status put_columns(ts_page *page, const ts_row_type *type) {
  ts_page_item *items = ts_arena_array(page->arena, type->field_count, sizeof *items);
  if (!items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < type->field_count; i++) {
    const ts_field *field = &type->fields[i];
    items[i].text = field->meaning;
    items[i].term = field->unit[0] == '\0'
                        ? field->column
                        : ts_arena_format(page->arena, "%s [%s]", field->column, field->unit);
    if (!items[i].term)
      return TS_E_MEMORY;
  }
  const char *heading = ts_arena_format(page->arena, "Columns of %s.csv", type->name);
  if (!heading)
    return TS_E_MEMORY;
  ts_page_heading(page, heading);
  return ts_page_items(page, items, type->field_count);
}

static ts_status put_results(ts_page *page) {
  static const ts_page_item files[] = {
      {"summary.csv",
       "a row for each state of a cell (a case, a method and a set of parameters; as "
       "built or after N steps): identity, outcome, measures, times"},
      {"contacts.csv",
       "a row for each unique contact: point, normal, gap, and what is wrong with it"},
      {"regions.csv", "a row for each place where two bodies truly touch, and whether it is met"},
      {"poses.csv",
       "a row for each body that can move, where it is in each step; none where bodies deform"},
      {"samples.csv", "a row for each timed repeat"},
      {"context.json", "the run: machine, compiler, commit, arguments, limits, its parts"},
      {"journal.log", "which cells began and ended, and where their rows end, for run --resume"},
  };
  static const ts_row_type *const types[] = {&ts_summary_rows, &ts_contact_rows, &ts_region_rows,
                                             &ts_pose_rows, &ts_sample_rows};
  begin_description(page);
  ts_page_text(page,
               "touchstone run, merge and score --results leave a folder of these files; "
               "results/latest leads to that of the newest run. Rows are in the order of the plan. "
               "Not measured is nan, never 0. CSV files may be compressed (name.csv.gz). "
               "touchstone list columns has what is compared, and how.");
  ts_page_heading(page, "Files");
  TS_TRY(ts_page_items(page, files, sizeof files / sizeof *files));
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    TS_TRY(put_columns(page, types[i]));
  return TS_OK;
}

const ts_topic ts_topics[] = {
    {"mpi", 1, "Runs touchstone on the ranks of an MPI job.", put_mpi},
    {"results", 5, "The files of a results folder, and their columns.", put_results},
    {.name = NULL},
};

const ts_topic *ts_topic_find(const char *name) {
  for (size_t i = 0; ts_topics[i].name; i++)
    if (strcmp(ts_topics[i].name, name) == 0)
      return &ts_topics[i];
  return NULL;
}

static ts_status put_topic(FILE *file, ts_arena *arena, const ts_topic *topic, ts_page_kind kind) {
  const char *name = ts_arena_format(arena, "touchstone-%s", topic->name);
  if (!name)
    return TS_E_MEMORY;
  ts_page page = ts_page_start(file, arena, kind, name, topic->section, topic->summary);
  if (kind == TS_PAGE_TEXT)
    ts_page_text(&page, topic->summary);
  TS_TRY(topic->put(&page));
  return ts_page_put_see_also(&page);
}

ts_status ts_topic_print(FILE *file, const ts_topic *topic, ts_page_kind kind) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = put_topic(file, arena, topic, kind);
  ts_arena_destroy(arena);
  return status;
}
