// SPDX-License-Identifier: MIT
#include "harness/explain/explanation.h"

#include "base/status.h"
#include "harness/explain/fault_text.h"
#include "reports/export/region_text.h"

#include <string.h>

/// Lines of a section unless all are asked for.
#define LINES_MAX ((size_t)10)

ts_status ts_explanation_look(ts_explanation *out, ts_arena *arena, const ts_cell_state *state) {
  const ts_scene *scene = state->judgement.scene;
  ts_motion_fault *motions;
  TS_TRY(ts_motion_faults_find(&motions, &out->motion_count, arena, &state->judgement));
  out->motions = motions;
  out->truth_note = scene->truth_note ? ts_arena_string(arena, scene->truth_note) : NULL;
  return scene->truth_note && !out->truth_note ? TS_E_MEMORY : TS_OK;
}

static void put_rest(FILE *file, size_t count, size_t limit) {
  if (count > limit)
    fprintf(file, "  and %zu more, all with --all\n", count - limit);
}

static ts_status print_contacts(FILE *file, ts_arena *arena, const ts_snapshot *snapshot,
                                size_t limit) {
  const ts_contact_row **faults;
  size_t count;
  TS_TRY(ts_faults_of_snapshot(&faults, &count, arena, snapshot));
  if (count == 0)
    return TS_OK;
  fprintf(file, "\n%zu of %zu contact%s %s at fault, worst first; normals are from a to b:\n",
          count, snapshot->contact_count, snapshot->contact_count == 1 ? "" : "s",
          count == 1 ? "is" : "are");
  for (size_t i = 0; i < count && i < limit; i++) {
    const char *line = ts_fault_explain(arena, snapshot, faults[i]);
    if (!line)
      return TS_E_MEMORY;
    fprintf(file, "  %s\n", line);
  }
  put_rest(file, count, limit);
  return TS_OK;
}

static const char *describe_share(ts_arena *arena, const ts_motion_fault *fault) {
  static const char *const classes[] = {
      [TS_MOTION_FREE_BLOCKED] = "free motions tried are blocked",
      [TS_MOTION_SLIDING_BLOCKED] = "sliding motions tried are blocked",
      [TS_MOTION_STOPPED_FREED] = "motions tried that the truth stops are free",
  };
  return ts_arena_format(arena, "%zu of %zu %s", fault->wrong_count, fault->tried_count,
                         classes[fault->kind]);
}

static ts_status print_motions(FILE *file, ts_arena *arena, const ts_explanation *e, size_t limit) {
  if (e->motion_count > 0)
    fputs("\nmotions blocked or freed wrongly, worst first:\n", file);
  for (size_t i = 0; i < e->motion_count && i < limit; i++) {
    const ts_motion_fault *fault = &e->motions[i];
    const char *a = ts_text_body(arena, e->snapshot, fault->body_a);
    const char *b = ts_text_body(arena, e->snapshot, fault->body_b);
    const char *motion = a && b ? ts_motion_fault_describe(arena, fault, a, b) : NULL;
    const char *share = describe_share(arena, fault);
    if (!motion || !share)
      return TS_E_MEMORY;
    fprintf(file, "  %s (%s)\n", motion, share);
  }
  put_rest(file, e->motion_count, limit);
  return TS_OK;
}

/// Less than this is rounding.
#define OFF_MIN 1e-6

/// Columns whose best is not known: they depend on the machine, or on where the bodies are and how
/// they move (docs/explain.md).
static bool has_no_best(const ts_field *field) {
  static const char *const columns[] = {"memory_bytes_max", "overlap_m_max", "overlap_m3",
                                        "set_jump_m", "set_jump_m_max"};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    if (strcmp(field->column, columns[i]) == 0)
      return true;
  return false;
}

/// Whether a column of the row is not at its best.
static bool is_off(const ts_field *field, const ts_record *record) {
  bool is_judged = field->role == TS_ROLE_FAULT || field->role == TS_ROLE_MEASURE;
  if (!is_judged || field->kind == TS_FIELD_TEXT || has_no_best(field))
    return false;
  double value = ts_row_number(field, record), best = 0;
  if (field->sense == TS_SENSE_HIGHER)
    best = strcmp(field->unit, "percent") == 0 ? 100 : 1;
  if (field->sense == TS_SENSE_CLOSEST_TO_1)
    best = 1;
  bool is_beyond =
      field->sense == TS_SENSE_HIGHER ? value < best - OFF_MIN : value > best + OFF_MIN;
  return is_beyond || (field->sense == TS_SENSE_CLOSEST_TO_1 && value < 1 - OFF_MIN);
}

/// What a column is, also where its sentence refers to the column before.
static const char *sentence_of(const ts_field *field) {
  return strncmp(field->meaning, "The same", strlen("The same")) == 0 ? field->label
                                                                      : field->meaning;
}

/// The columns of the row that are not at their best, faults first.
static void print_columns(FILE *file, const ts_record *record) {
  bool has_any = false;
  for (int faults = 1; faults >= 0; faults--)
    for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
      const ts_field *field = &ts_summary_rows.fields[i];
      if ((field->role == TS_ROLE_FAULT) != (faults == 1) || !is_off(field, record))
        continue;
      if (!has_any)
        fputs("\ncolumns of the row that are not at their best:\n", file);
      has_any = true;
      fprintf(file, "  %s %.4g%s%s: %s\n", field->column, ts_row_number(field, record),
              field->unit[0] ? " " : "", field->unit, sentence_of(field));
    }
  if (record->left_changed[0])
    fprintf(file, "  left_changed %s: what the method has changed in its process\n",
            record->left_changed);
}

ts_status ts_explanation_print_sections(FILE *file, ts_arena *arena, const ts_explanation *e,
                                        bool is_all) {
  size_t limit = is_all ? SIZE_MAX : LINES_MAX;
  if (e->snapshot && ts_regions_needed(e->snapshot) > 0) {
    fputc('\n', file);
    TS_TRY(ts_regions_print(file, arena, e->snapshot, limit, NULL));
  }
  if (e->snapshot) {
    TS_TRY(print_contacts(file, arena, e->snapshot, limit));
    TS_TRY(print_motions(file, arena, e, limit));
  }
  print_columns(file, &e->record);
  return TS_OK;
}
