// SPDX-License-Identifier: MIT
#include "harness/score/sequence.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "base/terminal.h"
#include "cases/truth/moved_truth.h"
#include "harness/judge/coherence.h"
#include "harness/judge/metrics/coherence_columns.h"
#include "harness/plan/grid.h"
#include "harness/run/cell.h"
#include "harness/score/poses_read.h"
#include "harness/score/score_modify.h"
#include "reports/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOW_EVERY_NS 100000000

/// A copy of the rows of one step.
typedef struct row_copy {
  ts_arena *arena; ///< owns them; NULL: there is none
  ts_cell_rows rows;
} row_copy;

enum { FIRST_STEP, JUMP_STEP, LAST_STEP, COPIES };

/// State while scoring.
typedef struct work {
  ts_score *s;
  ts_sequence *out;
  ts_poses *poses;
  ts_contacts_cursor *cursor;
  ts_moved_truth *truth;   ///< NULL: the truth is carried
  ts_coherence *coherence; ///< NULL likewise
  ts_arena *step;          ///< of what one step needs
  ts_record_list records;
  row_copy copies[COPIES];
  ts_record *summary; ///< [summary_count] of the results folder that the contacts are from
  size_t summary_count;
  double stride;  ///< least difference of two steps so far
  FILE *progress; ///< NULL: show nothing
  int64_t shown_ns;
} work;

static ts_status open_poses(ts_poses **out, ts_poses_source *source, const ts_score *s) {
  *source = (ts_poses_source){.path = s->values.poses,
                              .scene = s->scene,
                              .words = s->source.words,
                              .starts_anywhere = s->starts_anywhere,
                              .cell = s->source.cell,
                              .case_name = s->source.case_name,
                              .method = s->source.method};
  return ts_poses_open(out, s->arena, source);
}

/// The truth of where the bodies move to; NULL where it is carried along.
static ts_status make_truth(ts_moved_truth **out, ts_score *s) {
  *out = NULL;
  return ts_cell_moves_truth(&s->cell) ? ts_moved_truth_create(out, s->arena, s->scene) : TS_OK;
}

static ts_status find_step(ts_recorded_step *out, ts_poses *poses, const ts_score *s) {
  for (;;) {
    bool is_there;
    TS_TRY(ts_poses_next(&is_there, out, poses));
    if (!is_there)
      return ts_fail(TS_E_INPUT, "%s has no step %.0f", s->values.poses, s->values.step);
    if (out->step == s->values.step)
      return TS_OK;
  }
}

/// The scene at the poses of a step. Where they are those of the scene to the bit, its truth is the
/// one as built.
static ts_status place_scene(ts_scene **out, ts_arena *arena, const ts_score *s,
                             const ts_moved_truth *truth, const ts_recorded_step *step) {
  bool is_built = true;
  for (size_t i = 0; i < s->scene->body_count; i++)
    is_built =
        is_built && memcmp(&step->bodies[i].pose, &s->scene->bodies[i].pose, sizeof(ts_pose)) == 0;
  *out = s->scene;
  return is_built ? TS_OK : ts_scene_at(out, arena, s->scene, step->bodies, truth);
}

ts_status ts_sequence_pose_scene(ts_score *s) {
  ts_poses_source source;
  ts_poses *poses;
  ts_moved_truth *truth;
  ts_recorded_step step;
  TS_TRY(make_truth(&truth, s));
  TS_TRY(open_poses(&poses, &source, s));
  ts_status status = find_step(&step, poses, s);
  if (status == TS_OK)
    status = place_scene(&s->scene, s->arena, s, truth, &step);
  ts_poses_close(poses);
  return status;
}

// ---- steps ------------------------------------------------------------------------------------

static ts_status fail_row(const work *w, const ts_contacts_visit *row, const char *message) {
  return ts_fail(TS_E_INPUT, "%s, line %zu: %s", w->s->path, row->line->record->line, message);
}

/// Checks the next row of the contacts before the poses of `step`, which is NAN after the last one.
static ts_status check_next_row(work *w, double step) {
  const ts_contacts_visit *next;
  TS_TRY(ts_contacts_peek(&next, w->cursor));
  if (!next)
    return TS_OK;
  const ts_contact_row *row = &next->line->row;
  if (isnan(row->step))
    return fail_row(w, next,
                    "the contact has no step; with --poses there is a column step, with "
                    "the step of each contact");
  if (!(row->step >= step)) {
    char message[300];
    bool is_known =
        w->records.count > 0 && row->step <= w->records.records[w->records.count - 1].step;
    if (is_known)
      snprintf(message, sizeof message,
               "step %.0f comes after a later one; sort the contacts by step", row->step);
    else
      snprintf(
          message, sizeof message,
          "step %.0f has contacts, but no poses; add them to %.150s, or leave out the contacts",
          row->step, w->s->values.poses);
    return fail_row(w, next, message);
  }
  return TS_OK;
}

static ts_status copy_rows(row_copy *to, const ts_cell_state *state) {
  if (!to->arena)
    TS_TRY(ts_arena_create(&to->arena));
  ts_arena_rewind(to->arena, (ts_arena_mark){NULL, 0});
  ts_cell_rows rows = ts_cell_state_rows(state);
  return ts_cell_rows_copy(&to->rows, to->arena, &rows);
}

/// Keeps the rows of the steps that are looked at most.
static ts_status keep_rows(work *w, const ts_cell_state *state) {
  const ts_record *record = &state->record;
  if (w->records.count == 0)
    TS_TRY(copy_rows(&w->copies[FIRST_STEP], state));
  if (record->set_jump_step == record->step) {
    TS_TRY(copy_rows(&w->copies[JUMP_STEP], state));
    memcpy(w->out->jump_bodies, ts_coherence_last(w->coherence)->jump_bodies,
           sizeof w->out->jump_bodies);
  }
  return copy_rows(&w->copies[LAST_STEP], state);
}

/// Compares a step with the one before, unless steps are missing in between.
static ts_status measure_coherence(work *w, ts_cell_state *state,
                                   const ts_contacts_step *contacts) {
  double step = state->record.step;
  if (w->records.count > 0) {
    double since = step - w->records.records[w->records.count - 1].step;
    if (since > w->stride)
      ts_coherence_break(w->coherence);
    w->stride = fmin(w->stride, since);
  }
  TS_TRY(ts_coherence_next(w->coherence, step, &state->judgement,
                           (ts_contact_facts){contacts->impulses, contacts->ids}));
  ts_coherence_fill(&state->record, w->coherence);
  return TS_OK;
}

/// Reads the summary beside contacts.csv of a results folder, which lists the contacts of some
/// steps only.
static ts_status read_summary(work *w) {
  ts_score *s = w->s;
  const char *folder = s->found.has_cells ? ts_file_folder(s->arena, s->path) : "";
  const char *path = folder ? ts_arena_format(s->arena, "%s/summary.csv", folder) : NULL;
  if (!path)
    return TS_E_MEMORY;
  if (!s->found.has_cells || !ts_csv_exists(path))
    return TS_OK;
  return ts_summary_read(&w->summary, &w->summary_count, s->arena, path);
}

/// Refuses a step of whose contacts some were found and not listed: it would be scored as if there
/// were no others.
static ts_status check_listed(const work *w, double step) {
  const ts_contacts_found *found = &w->s->found;
  for (size_t i = 0; i < w->summary_count; i++) {
    const ts_record *r = &w->summary[i];
    bool is_cell = found->states.count == 0 || strcmp(r->cell, found->states.items[0].cell) == 0;
    if (is_cell && r->step == step && r->contacts_listed < r->contacts_unique)
      return ts_fail(
          TS_E_INPUT,
          "%s does not list all contacts of step %.0f (see contacts_listed in summary.csv "
          "beside it); record all contacts of all steps",
          w->s->path, step);
  }
  return TS_OK;
}

static ts_status score_step(work *w, const ts_recorded_step *step) {
  ts_score *s = w->s;
  ts_cell_state *state = &s->state;
  ts_contacts_step contacts;
  ts_scene *scene;
  TS_TRY(ts_contacts_take_step(&contacts, w->step, w->cursor, step->step,
                               ts_cell_scoring(&s->cell).rule));
  TS_TRY(check_listed(w, step->step));
  TS_TRY(place_scene(&scene, w->step, s, w->truth, step));
  if (!s->values.envelope)
    s->envelope = s->found.envelope;
  ts_cell_state_begin(state, &s->cell, step->step);
  ts_cell_state_set_bodies(state, scene, s->envelope);
  TS_TRY(ts_score_modify(&state->record, s, w->step, scene, contacts.sets, contacts.set_count));
  ts_cell_state_set_contacts(state, contacts.sets, contacts.set_count);
  ts_scoring scoring = ts_cell_scoring(&s->cell);
  scoring.has_no_gaps = !s->found.has_gaps;
  scoring.takes = ts_score_takes(s);
  TS_TRY(ts_cell_state_score(state, w->step, scene, s->envelope, scoring, true));
  if (w->coherence)
    TS_TRY(measure_coherence(w, state, &contacts));
  TS_TRY(ts_cell_state_list_poses(state, w->step, scene, s->scene->bodies, step->time_s));
  TS_TRY(keep_rows(w, state));
  const ts_record *before = w->records.count > 0 ? &w->records.records[w->records.count - 1] : NULL;
  TS_TRY(ts_row_keep_texts(&ts_summary_rows, &state->record, s->arena, before));
  return ts_record_list_add(&w->records, &state->record);
}

static void show(work *w, double step) {
  int64_t now_ns = ts_clock_ns();
  if (w->progress && now_ns - w->shown_ns > SHOW_EVERY_NS) {
    fprintf(w->progress, "\r\033[Kstep %.0f", step);
    fflush(w->progress);
    w->shown_ns = now_ns;
  }
}

static ts_status score_steps(work *w) {
  for (;;) {
    bool is_there;
    ts_recorded_step step;
    TS_TRY(ts_poses_next(&is_there, &step, w->poses));
    TS_TRY(check_next_row(w, is_there ? step.step : (double)NAN));
    if (!is_there)
      break;
    show(w, step.step);
    TS_TRY(score_step(w, &step));
    ts_arena_rewind(w->step, (ts_arena_mark){NULL, 0});
  }
  return w->records.count > 0
             ? TS_OK
             : ts_fail(TS_E_INPUT, "%s has no step; write a row for each step and body",
                       w->s->values.poses);
}

/// The copy of the rows of a step; NULL if there is none.
static const ts_cell_rows *find_copy(const work *w, double step) {
  for (int k = 0; k < COPIES; k++)
    if (w->copies[k].arena && w->copies[k].rows.records[0].step == step)
      return &w->copies[k].rows;
  return NULL;
}

/// Moves the rows of a file that were kept behind each other, in the order of the steps.
static ts_status join_copies(work *w, int file) {
  const ts_row_type *type = ts_results_row_type(file);
  size_t total = 0, count = 0, bytes = type->row_bytes;
  for (int k = 0; k < COPIES; k++)
    total += ts_cell_rows_of(&w->copies[k].rows, file).count;
  char *rows = ts_arena_array(w->s->arena, total, bytes);
  if (!rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < w->out->count; i++) {
    const ts_cell_rows *copy = find_copy(w, w->out->records[i].step);
    ts_rows_view kept = copy ? ts_cell_rows_of(copy, file) : (ts_rows_view){NULL, 0};
    if (kept.count > 0)
      memcpy(rows + count * bytes, kept.rows, kept.count * bytes);
    for (size_t k = count; k < count + kept.count; k++)
      TS_TRY(ts_row_keep_texts(type, rows + k * bytes, w->s->arena,
                               k > 0 ? rows + (k - 1) * bytes : NULL));
    count += kept.count;
  }
  ts_cell_rows_set(&w->out->rows, file, (ts_rows_view){rows, count});
  return TS_OK;
}

/// Moves what was found to the score's arena. The rows of a step that was kept twice are there
/// once.
static ts_status finish(work *w) {
  ts_sequence *out = w->out;
  out->count = w->records.count;
  out->records = ts_arena_copy(w->s->arena, w->records.records, out->count, sizeof *out->records);
  if (!out->records)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++) {
    ts_record *record = &out->records[i];
    const ts_cell_rows *copy = find_copy(w, record->step);
    record->contacts_listed = copy ? (double)copy->contact_count : 0;
    record->regions_listed = copy ? (double)copy->region_count : 0;
    record->poses_listed = copy ? (double)copy->pose_count : 0;
  }
  for (int f = 0; f < TS_DETAIL_FILE_COUNT; f++)
    TS_TRY(join_copies(w, f));
  ts_cell_rows_set(&out->rows, TS_SUMMARY_FILE, (ts_rows_view){out->records, out->count});
  return TS_OK;
}

/// Names the method by the first row before any step is scored.
static ts_status begin(work *w) {
  ts_score *s = w->s;
  const ts_contacts_visit *first;
  TS_TRY(ts_contacts_peek(&first, w->cursor));
  if (first)
    TS_TRY(ts_contacts_note_sequence(&s->found, s->arena, &first->line->row));
  TS_TRY(ts_score_name_method(s));
  TS_TRY(read_summary(w));
  TS_TRY(make_truth(&w->truth, s));
  if (w->truth)
    TS_TRY(ts_coherence_create(&w->coherence));
  return ts_arena_create(&w->step);
}

ts_status ts_sequence_score(ts_sequence *out, ts_score *s) {
  ts_poses_source source;
  *out = (ts_sequence){.jump_bodies = {-1, -1}};
  work w = {.s = s,
            .out = out,
            .stride = (double)INFINITY,
            .progress = ts_terminal_is_capable(stderr) ? stderr : NULL};
  TS_TRY(open_poses(&w.poses, &source, s));
  ts_status status = ts_contacts_open(&w.cursor, &s->found, s->arena, &s->source);
  if (status != TS_OK)
    w.cursor = NULL;
  if (status == TS_OK)
    status = begin(&w);
  if (status == TS_OK)
    status = score_steps(&w);
  if (status == TS_OK)
    status = finish(&w);
  if (w.shown_ns > 0)
    fputs("\r\033[K", stderr);
  ts_poses_close(w.poses);
  if (w.cursor)
    ts_contacts_close(w.cursor);
  ts_coherence_destroy(w.coherence);
  ts_arena_destroy(w.step);
  free(w.records.records);
  for (int i = 0; i < COPIES; i++)
    ts_arena_destroy(w.copies[i].arena);
  return status;
}

// ---- in words ---------------------------------------------------------------------------------

/// What is shown of a sequence, if it is known in any step.
static const char *const shown[] = {"quality_percent",
                                    "coverage_percent",
                                    "excess_factor",
                                    "regions_missed",
                                    "phantom",
                                    "contacts_missing",
                                    "normals_flipped",
                                    "normals_invalid",
                                    "gaps_wrong",
                                    "speculative_wrong",
                                    "blocked_wrongly_percent",
                                    "freed_wrongly_percent",
                                    "churn_percent",
                                    "set_jump_m",
                                    "set_jump_per_m",
                                    "cone_jump",
                                    "features_kept_percent",
                                    "impulse_jump_percent",
                                    "stale_percent",
                                    "pairs_unknown"};

/// Adds a line: mean, worst value and its step. Nothing where the column is known in no step.
static ts_status add_measure(ts_grid *grid, ts_arena *arena, const ts_sequence *q,
                             const ts_field *field) {
  double sum = 0, worst = NAN, badness = -INFINITY, step = NAN;
  size_t known = 0;
  bool varies = false;
  for (size_t i = 0; i < q->count; i++) {
    double value = ts_row_number(field, &q->records[i]);
    if (isnan(value))
      continue;
    varies |= known > 0 && value != worst;
    known++;
    sum += value;
    if (ts_field_badness(field, value) > badness) {
      badness = ts_field_badness(field, value);
      worst = value;
      step = q->records[i].step;
    }
  }
  if (known == 0)
    return TS_OK;
  return ts_grid_add(grid,
                     (const char *[]){field->column, field->unit,
                                      ts_arena_format(arena, "%.4g", sum / (double)known + 0.0),
                                      ts_arena_format(arena, "%.4g", worst + 0.0),
                                      varies ? ts_arena_format(arena, "%.0f", step) : "any",
                                      ts_arena_format(arena, "%zu", known)});
}

/// Says in how many steps the truth of a pair is unknown, and why in the first of them.
static void print_unknown(FILE *file, const ts_sequence *q) {
  size_t count = 0, first = 0;
  for (size_t i = q->count; i-- > 0;)
    if (q->records[i].pairs_unknown > 0) {
      count++;
      first = i;
    }
  if (count > 0)
    fprintf(file, "in %zu of them something is not judged, first in step %.0f: %s\n", count,
            q->records[first].step, q->records[first].reason);
}

ts_status ts_sequence_print(FILE *file, const ts_score *score, const ts_sequence *q) {
  const ts_record *last = &q->records[q->count - 1];
  fprintf(file, "%s on %s: %zu step%s, %.0f to %.0f\n", last->method, last->case_name, q->count,
          q->count == 1 ? "" : "s", q->records[0].step, last->step);
  if (score->scene->truth_is_unknown)
    fprintf(file, "the truth of the scene is unknown: nothing is compared with it\n");
  print_unknown(file, q);
  ts_grid grid = ts_grid_start(score->arena, "llrrrr");
  TS_TRY(
      ts_grid_add(&grid, (const char *[]){"measure", "unit", "mean", "worst", "in step", "steps"}));
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
    TS_TRY(add_measure(&grid, score->arena, q, ts_row_find(&ts_summary_rows, shown[i])));
  fputc('\n', file);
  TS_TRY(ts_grid_print(file, &grid, 0, false));
  if (q->jump_bodies[0] >= 0) {
    const ts_body *bodies = score->scene->bodies;
    fprintf(file, "\nthe largest jump is between %s (%d) and %s (%d); to see a step: --step %.0f\n",
            bodies[q->jump_bodies[0]].name, q->jump_bodies[0], bodies[q->jump_bodies[1]].name,
            q->jump_bodies[1], last->set_jump_step);
  }
  return TS_OK;
}
