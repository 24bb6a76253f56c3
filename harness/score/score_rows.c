// SPDX-License-Identifier: MIT
#include "harness/score/score_rows.h"

#include "base/number.h"
#include "base/status.h"
#include "reports/rows/contact_kind.h"

#include <math.h>
#include <string.h>

#define FLUSH_BYTES ((size_t)64 * 1024)

enum {
  VERDICT_ERROR,
  VERDICT_CORRECT,
  VERDICT_REGION,
  VERDICT_POSITION,
  VERDICT_GAP,
  VERDICT_KIND,
  VERDICTS
};
static const char *const verdict_columns[VERDICTS] = {"normal_error_deg", "correct",     "region",
                                                      "position_error_m", "gap_error_m", "kind"};

/// State of writing the rows.
typedef struct writing {
  FILE *file;
  ts_arena *arena;
  const ts_contacts_source *source;
  const ts_contacts_found *found;
  const ts_judgement *judgement;
  const ts_judged_pair **pairs; ///< [found->set_count], the judged pair of each set
  size_t *next;                 ///< [found->set_count], the next row of each set
  size_t column_count;          ///< of the file; 0: header not read yet
  int *verdicts;                ///< [column_count], the verdict that replaces the column; -1: none
  bool is_replaced[VERDICTS];
  ts_csv_buffer buffer;
} writing;

static ts_status flush(writing *w) {
  fwrite(w->buffer.bytes, 1, w->buffer.count, w->file);
  w->buffer.count = 0;
  return TS_OK;
}

static ts_status write_header(writing *w, const ts_contacts_reader *reader) {
  const char *const *names = ts_contacts_header(&w->column_count, reader);
  w->verdicts = ts_arena_array(w->arena, w->column_count, sizeof *w->verdicts);
  if (!w->verdicts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < w->column_count; i++) {
    w->verdicts[i] = -1;
    for (int k = 0; k < VERDICTS; k++)
      if (strcmp(names[i], verdict_columns[k]) == 0) {
        w->verdicts[i] = k;
        w->is_replaced[k] = true;
      }
    TS_TRY(ts_csv_add_field(&w->buffer, names[i]));
  }
  for (int k = 0; k < VERDICTS; k++)
    if (!w->is_replaced[k])
      TS_TRY(ts_csv_add_field(&w->buffer, verdict_columns[k]));
  ts_csv_end_record(&w->buffer);
  return TS_OK;
}

static const char *name_kind(double correct, const ts_verdict *verdict) {
  const ts_contact_row row = {.correct = correct,
                              .phantom = verdict->is_phantom,
                              .speculative = verdict->is_speculative,
                              .speculative_wrong = verdict->is_wrong_ahead,
                              .flipped = verdict->is_flipped,
                              .gap_wrong = verdict->is_gap_wrong};
  return ts_contact_kind_words[ts_contact_row_kind(&row)];
}

static void format_verdict(char out[VERDICTS][TS_NUMBER_BYTES], const ts_scene *scene,
                           const ts_judged_pair *pair, const ts_verdict *verdict) {
  bool is_unknown = scene->truth_is_unknown || pair->is_unknown;
  double correct = is_unknown ? (double)NAN : (double)verdict->is_correct;
  ts_number_format(out[VERDICT_ERROR], verdict->normal_error_deg);
  ts_number_format(out[VERDICT_CORRECT], correct);
  ts_number_format(out[VERDICT_REGION], verdict->region == TS_NO_REGION
                                            ? (double)NAN
                                            : (double)(verdict->region - pair->first_region));
  ts_number_format(out[VERDICT_POSITION], verdict->position_error_m);
  ts_number_format(out[VERDICT_GAP], verdict->gap_error_m);
  snprintf(out[VERDICT_KIND], TS_NUMBER_BYTES, "%s", name_kind(correct, verdict));
}

static ts_status write_row(void *context, const ts_contacts_visit *row) {
  writing *w = context;
  if (w->column_count == 0)
    TS_TRY(write_header(w, row->reader));
  size_t set = ts_contacts_find_set(w->found, row->body_a, row->body_b);
  if (set == SIZE_MAX || w->next[set] == w->found->rows[set].count)
    return ts_fail(TS_E_INPUT, "%s has changed while it was read; score it again", w->source->path);
  const ts_judged_pair *pair = w->pairs[set];
  char verdict[VERDICTS][TS_NUMBER_BYTES];
  format_verdict(verdict, w->source->scene, pair, &pair->verdicts[w->next[set]++]);
  for (size_t i = 0; i < w->column_count; i++)
    TS_TRY(ts_csv_add_field(&w->buffer, w->verdicts[i] < 0 ? row->line->record->fields[i]
                                                           : verdict[w->verdicts[i]]));
  for (int k = 0; k < VERDICTS; k++)
    if (!w->is_replaced[k])
      TS_TRY(ts_csv_add_field(&w->buffer, verdict[k]));
  ts_csv_end_record(&w->buffer);
  return w->buffer.count > FLUSH_BYTES ? flush(w) : TS_OK;
}

/// Finds the judged pair of each set; pairs and sets have the same order.
static ts_status match_pairs(writing *w) {
  size_t count = w->found->set_count, set = 0;
  w->pairs = ts_arena_array(w->arena, count, sizeof(ts_judged_pair *));
  w->next = ts_arena_array(w->arena, count, sizeof *w->next);
  if (!w->pairs || !w->next)
    return TS_E_MEMORY;
  for (size_t i = 0; i < w->judgement->pair_count && set < count; i++)
    if (w->judgement->pairs[i].set == &w->found->rows[set])
      w->pairs[set++] = &w->judgement->pairs[i];
  return TS_OK;
}

/// The header of a file without selected rows.
static ts_status write_header_alone(writing *w) {
  ts_contacts_reader *reader;
  TS_TRY(ts_contacts_reader_create(&reader, w->arena, w->source->path));
  ts_status status = write_header(w, reader);
  ts_contacts_reader_destroy(reader);
  return status;
}

ts_status ts_score_rows_write(FILE *file, ts_arena *arena, const ts_contacts_source *source,
                              const ts_contacts_found *found, ts_envelope envelope,
                              ts_scoring scoring) {
  ts_judgement judgement;
  TS_TRY(
      ts_judge(&judgement, arena, source->scene, found->rows, found->set_count, envelope, scoring));
  writing w = {
      .file = file, .arena = arena, .source = source, .found = found, .judgement = &judgement};
  TS_TRY(match_pairs(&w));
  ts_contacts_found again = {.row_count = 0};
  ts_status status = ts_contacts_walk(&again, arena, source, write_row, &w);
  if (status == TS_OK && w.column_count == 0)
    status = write_header_alone(&w);
  if (status == TS_OK)
    status = flush(&w);
  ts_csv_buffer_free(&w.buffer);
  return status;
}
