// SPDX-License-Identifier: MIT
#include "harness/agree/agreement_text.h"

#include "base/status.h"
#include "harness/plan/grid.h"
#include "reports/rows/csv.h"

#include <math.h>
#include <string.h>

/// "0" only for none at all.
static const char *distance_text(ts_arena *arena, double distance) {
  if (isnan(distance))
    return "nan";
  return distance == 0 ? "0" : ts_arena_format(arena, "%.2f", distance);
}

static ts_status add_headings(ts_grid *grid, const char **texts, const ts_agreement *agreement) {
  texts[0] = "from, to";
  for (size_t i = 0; i < agreement->count; i++)
    if (!(texts[1 + i] = ts_arena_format(grid->arena, "%zu", i + 1)))
      return TS_E_MEMORY;
  return ts_grid_add(grid, texts);
}

static ts_status add_method(ts_grid *grid, const char **texts, const ts_agreement *agreement,
                            const ts_plot_source *source, size_t method) {
  const char *label = ts_axis_label(grid->arena, &source->methods.entries[method]);
  texts[0] = label ? ts_arena_format(grid->arena, "%zu %s", method + 1, label) : NULL;
  if (!texts[0])
    return TS_E_MEMORY;
  for (size_t i = 0; i < agreement->count; i++) {
    double distance = agreement->cells[method * agreement->count + i].distance;
    if (!(texts[1 + i] = distance_text(grid->arena, distance)))
      return TS_E_MEMORY;
  }
  return ts_grid_add(grid, texts);
}

static ts_status print_matrix(FILE *file, ts_arena *arena, const ts_agreement *agreement,
                              const ts_plot_source *source) {
  const char **texts = ts_arena_array(arena, agreement->count + 1, sizeof *texts);
  char *alignment = ts_arena_alloc(arena, agreement->count + 2);
  if (!texts || !alignment)
    return TS_E_MEMORY;
  alignment[0] = 'l';
  memset(alignment + 1, 'r', agreement->count);
  ts_grid grid = ts_grid_start(arena, alignment);
  grid.whole = "touchstone agree RESULTS | cat";
  TS_TRY(add_headings(&grid, texts, agreement));
  for (size_t i = 0; i < agreement->count; i++)
    TS_TRY(add_method(&grid, texts, agreement, source, i));
  return ts_grid_print(file, &grid, 0, false);
}

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

/// The methods that cannot be compared in all cases.
static ts_status print_missing(FILE *file, ts_arena *arena, const ts_agreement *agreement,
                               const ts_plot_source *source) {
  for (size_t i = 0; i < agreement->count; i++) {
    const char *label = ts_axis_label(arena, &source->methods.entries[i]);
    if (!label)
      return TS_E_MEMORY;
    if (agreement->ok_counts[i] < agreement->case_count)
      fprintf(file, "only cases in common count: %s is ok in %zu of %zu\n", label,
              agreement->ok_counts[i], agreement->case_count);
  }
  return TS_OK;
}

ts_status ts_agreement_print(FILE *file, ts_arena *arena, const ts_agreement *agreement,
                             const ts_plot_source *source) {
  TS_TRY(print_matrix(file, arena, agreement, source));
  fprintf(file,
          "\n0: the method of the column blocks all that the one of the row blocks; 1: not at all\n"
          "mean over %zu pair%s of bodies with contacts in %zu case%s, scenes as built\n",
          agreement->pair_count, plural(agreement->pair_count), agreement->contact_case_count,
          plural(agreement->contact_case_count));
  if (agreement->contact_case_count < agreement->case_count)
    fprintf(file, "in %zu more no method has contacts\n",
            agreement->case_count - agreement->contact_case_count);
  TS_TRY(print_missing(file, arena, agreement, source));
  if (agreement->unbuilt_count > 0)
    fprintf(file, "%zu case%s in the frame of the contacts: %s\n", agreement->unbuilt_count,
            plural(agreement->unbuilt_count), agreement->unbuilt_why);
  return TS_OK;
}

static ts_status add_numbers(ts_csv_buffer *buffer, const double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    TS_TRY(ts_csv_add_number(buffer, numbers[i]));
  return TS_OK;
}

static ts_status add_worst(ts_csv_buffer *buffer, const ts_disagreement *worst,
                           const ts_record *records) {
  bool is_known = !isnan(worst->distance);
  ts_vec3 p = worst->contact.point, n = worst->contact.normal;
  const double known[] = {worst->body_a, worst->body_b, p.x, p.y, p.z, n.x, n.y, n.z};
  const double unknown[] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  TS_TRY(ts_csv_add_number(buffer, worst->distance));
  TS_TRY(ts_csv_add_field(buffer, is_known ? records[worst->from_row].case_name : ""));
  TS_TRY(ts_csv_add_field(buffer, is_known ? records[worst->from_row].case_parameters : ""));
  return add_numbers(buffer, is_known ? known : unknown, sizeof known / sizeof *known);
}

static ts_status add_rows(ts_csv_buffer *buffer, ts_arena *arena, const ts_agreement *agreement,
                          const ts_plot_source *source, const ts_record *records) {
  static const char *const columns[] = {"from",           "to",
                                        "distance",       "cases",
                                        "pairs",          "worst",
                                        "worst_case",     "worst_case_parameters",
                                        "worst_body_a",   "worst_body_b",
                                        "worst_x_m",      "worst_y_m",
                                        "worst_z_m",      "worst_normal_x",
                                        "worst_normal_y", "worst_normal_z"};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    TS_TRY(ts_csv_add_field(buffer, columns[i]));
  ts_csv_end_record(buffer);
  for (size_t i = 0; i < agreement->count * agreement->count; i++) {
    const ts_agreement_cell *cell = &agreement->cells[i];
    size_t from = i / agreement->count, to = i % agreement->count;
    if (from == to)
      continue;
    TS_TRY(ts_csv_add_field(buffer, ts_axis_label(arena, &source->methods.entries[from])));
    TS_TRY(ts_csv_add_field(buffer, ts_axis_label(arena, &source->methods.entries[to])));
    const double numbers[] = {cell->distance, (double)cell->case_count, (double)cell->pair_count};
    TS_TRY(add_numbers(buffer, numbers, 3));
    TS_TRY(add_worst(buffer, &cell->worst, records));
    ts_csv_end_record(buffer);
  }
  return TS_OK;
}

ts_status ts_agreement_write_csv(FILE *file, ts_arena *arena, const ts_agreement *agreement,
                                 const ts_plot_source *source, const ts_record *records) {
  ts_csv_buffer buffer = {.count = 0};
  ts_status status = add_rows(&buffer, arena, agreement, source, records);
  if (status == TS_OK)
    fwrite(buffer.bytes, 1, buffer.count, file);
  ts_csv_buffer_free(&buffer);
  return status;
}
