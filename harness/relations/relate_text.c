// SPDX-License-Identifier: MIT
#include "harness/relations/relate_text.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/plan/grid.h"
#include "harness/plan/shell_word.h"
#include "reports/rows/outcome.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <string.h>

// ---- the table ---------------------------------------------------------------------------------

static bool has_measured(const ts_relation_review *review) {
  return !isnan(review->distance_max);
}

/// "0", "0.77 (7)", "0.77 (7) !", "2 failed", "-". Where methods give alternatives nothing is
/// known.
static const char *cell_text(ts_arena *arena, const ts_relation_review *review) {
  if (review->failed > 0)
    return ts_arena_format(arena, "%zu failed", review->failed);
  if (!has_measured(review))
    return review->pairs > 0 ? "nan" : "-";
  if (review->beyond == 0)
    return "0";
  return ts_arena_format(arena, "%.2g (%zu)%s", review->distance_max, review->beyond,
                         review->unexpected > 0 ? " !" : "");
}

static ts_status print_table(FILE *file, ts_arena *arena, const ts_relate_review *review,
                             const bool *is_wanted) {
  const char *row[1 + TS_RELATION_COUNT] = {"method"};
  ts_grid grid = ts_grid_start(arena, "lrrrrrr");
  for (int r = 0; r < TS_RELATION_COUNT; r++)
    row[1 + r] = ts_relations[r].heading;
  TS_TRY(ts_grid_add(&grid, row));
  for (size_t m = 0; m < review->method_count; m++) {
    const ts_relation_review *reviews = &review->items[m * TS_RELATION_COUNT];
    row[0] = reviews[0].method->name;
    for (int r = 0; r < TS_RELATION_COUNT; r++) {
      row[1 + r] = is_wanted[r] ? cell_text(arena, &reviews[r]) : "";
      if (!row[1 + r])
        return TS_E_MEMORY;
    }
    TS_TRY(ts_grid_add(&grid, row));
  }
  TS_TRY(ts_grid_print(file, &grid, 0, false));
  fprintf(
      file,
      "\n%zu case%s. The largest distance of a wrench from the cone of the others, 0 to 1, and "
      "in\nhow many cases it is above %g; ! not all of them expected, - no contacts to compare.\n",
      review->cases, review->cases == 1 ? "" : "s", TS_RELATION_DISTANCE);
  return TS_OK;
}

// ---- violations --------------------------------------------------------------------------------

/// Reasons in the order of their first violation, which lines refer to by number.
typedef struct reasons {
  size_t count;
  const char **items;
} reasons;

static size_t number_of(reasons *in, const char *reason) {
  size_t i = 0;
  while (i < in->count && strcmp(in->items[i], reason) != 0)
    i++;
  if (i == in->count)
    in->items[in->count++] = reason;
  return i + 1;
}

static const char *look_command(ts_arena *arena, const ts_relation_review *review,
                                const char *words) {
  const char *name = ts_shell_word(arena, review->worst.cell->c->name);
  return name ? ts_arena_format(arena,
                                "touchstone relate --case %s --method %s --relation %s%s --look "
                                "look",
                                name, review->method->name, ts_relations[review->relation].name,
                                words)
              : NULL;
}

static ts_status add_violation(ts_grid *grid, ts_arena *arena, const ts_relation_review *review,
                               reasons *why, const char *words) {
  const ts_relation_difference *d = &review->worst.finding->difference;
  const char *row[] = {
      review->method->name,
      ts_relations[review->relation].heading,
      ts_arena_format(arena, "%.3g", ts_relation_distance(d)),
      review->worst.cell->c->name,
      ts_arena_format(arena, "%d, %d", d->worst_a, d->worst_b),
      ts_arena_format(arena, "%zu of %zu", review->pairs_differ, review->pairs),
      review->reason ? ts_arena_format(arena, "(%zu)", number_of(why, review->reason)) : "no",
      look_command(arena, review, words)};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (!row[i])
      return TS_E_MEMORY;
  return ts_grid_add(grid, row);
}

static ts_status print_violations(FILE *file, ts_arena *arena, const ts_relate_review *review,
                                  const char *words) {
  size_t most = review->method_count * TS_RELATION_COUNT;
  reasons why = {.items = ts_arena_array(arena, most, sizeof *why.items)};
  ts_grid grid = ts_grid_start(arena, "llrllrll");
  if (!why.items)
    return TS_E_MEMORY;
  TS_TRY(ts_grid_add(&grid, (const char *[]){"method", "relation", "worst", "case", "bodies",
                                             "pairs", "expected", "to look at it"}));
  for (size_t i = 0; i < most; i++)
    if (review->items[i].worst.cell)
      TS_TRY(add_violation(&grid, arena, &review->items[i], &why, words));
  if (grid.row_count == 1)
    return TS_OK;
  fputc('\n', file);
  TS_TRY(ts_grid_print(file, &grid, 0, false));
  for (size_t i = 0; i < why.count; i++)
    fprintf(file, "%s(%zu) %s\n", i == 0 ? "\n" : "", i + 1, why.items[i]);
  return TS_OK;
}

// ---- the rest ----------------------------------------------------------------------------------

/// The first failure of each method and relation.
static void print_failures(FILE *file, const ts_relate_reviewed *of) {
  for (size_t i = 0; i < of->plan->cell_count; i++) {
    const ts_cell *cell = &of->plan->cells[i];
    const char *said = "";
    for (int r = 0; r < TS_RELATION_COUNT; r++) {
      const ts_relation_finding *finding = &of->findings[i * TS_RELATION_COUNT + (size_t)r];
      if (!of->is_wanted[r] || !ts_outcomes[finding->outcome].is_failure ||
          strcmp(finding->reason, said) == 0)
        continue;
      said = finding->reason;
      fprintf(file, "%s on %s %s: %s\n", cell->method->name, cell->c->name,
              ts_outcomes[finding->outcome].words, finding->reason);
    }
  }
}

static void print_plugins(FILE *file, const ts_relate_review *review,
                          const ts_relate_reviewed *of) {
  for (size_t m = 0; m < review->method_count; m++) {
    const ts_method *method = review->items[m * TS_RELATION_COUNT].method;
    const ts_plugin *plugin = ts_relate_plugin_of(of, method);
    if (plugin)
      fprintf(file, "%s is of the plug-in %s: no violation is expected of it\n", method->name,
              plugin->path);
  }
}

ts_status ts_relate_print(FILE *file, ts_arena *arena, const ts_relate_review *review,
                          const ts_relate_reviewed *of, const char *words) {
  TS_TRY(print_table(file, arena, review, of->is_wanted));
  TS_TRY(print_violations(file, arena, review, words));
  fputc('\n', file);
  print_plugins(file, review, of);
  print_failures(file, of);
  for (size_t i = 0; i < review->method_count * TS_RELATION_COUNT; i++)
    if (review->items[i].stale)
      fprintf(file,
              "%s keeps %s now where a violation is expected%s%s: take it out of "
              "harness/relations/expected_violations.c\n",
              review->items[i].method->name, ts_relations[review->items[i].relation].name,
              review->items[i].stale->only ? " on " : "",
              review->items[i].stale->only ? review->items[i].stale->only : "");
  fprintf(file, "violations that are not expected: %zu; expected ones that are gone: %zu\n",
          review->unexpected, review->stale);
  return TS_OK;
}

// ---- rows --------------------------------------------------------------------------------------

static void make_row(ts_relation_row *row, const ts_relate_reviewed *of, const ts_cell *cell,
                     ts_relation_kind relation, const ts_relation_finding *finding) {
  const ts_relation_difference *d = &finding->difference;
  ts_row_init(&ts_relation_rows, row);
  row->case_name = cell->c->name;
  row->case_parameters = cell->case_parameters;
  row->method = cell->method->name;
  row->method_parameters = cell->method_parameters;
  row->relation = ts_relations[relation].name;
  row->outcome = ts_outcomes[finding->outcome].word;
  row->reason = finding->reason;
  if (finding->outcome != TS_OUTCOME_OK)
    return;
  row->pairs = (double)d->pairs;
  row->pairs_measured = (double)d->pairs_measured;
  row->pairs_differ = (double)d->pairs_differ;
  row->lost_max = d->lost_max;
  row->added_max = d->added_max;
  if (!ts_relation_is_violated(finding))
    return;
  const char *why = ts_relation_expected(of, cell, relation);
  row->worst_variant = (double)finding->worst_variant;
  row->worst_a = d->worst_a;
  row->worst_b = d->worst_b;
  row->expected = why ? "yes" : "no";
  row->why = why ? why : "";
}

ts_status ts_relate_put_rows(ts_csv_buffer *out, const ts_relate_reviewed *of) {
  TS_TRY(ts_rows_add_header(out, &ts_relation_rows));
  for (size_t i = 0; i < of->plan->cell_count; i++)
    for (int r = 0; r < TS_RELATION_COUNT; r++) {
      ts_relation_row row;
      if (!of->is_wanted[r])
        continue;
      make_row(&row, of, &of->plan->cells[i], (ts_relation_kind)r,
               &of->findings[i * TS_RELATION_COUNT + (size_t)r]);
      TS_TRY(ts_rows_add(out, &ts_relation_rows, &row));
    }
  return TS_OK;
}
