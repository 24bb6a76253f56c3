// SPDX-License-Identifier: MIT
#include "reports/tables/ranking.h"

#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/counted.h"
#include "reports/tables/field_text.h"
#include "reports/tables/pivot.h"
#include "reports/tables/table_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAP ((size_t)2)

typedef struct mean {
  double sum, count; ///< of times the sum of their logarithms
} mean;

/// The columns of which a ranking has the means.
enum { RANKED_QUALITY, RANKED_COVERAGE, RANKED_EXCESS, RANKED_TIME, RANKED_COUNT };

static const char *const ranked[RANKED_COUNT] = {"quality_percent", "coverage_percent",
                                                 "excess_factor", "generate_ns_median"};

typedef struct tally {
  mean means[RANKED_COUNT];
  size_t failed, skipped, failed_later;
} tally;

static void add(mean *m, double value) {
  if (isnan(value))
    return;
  m->sum += value;
  m->count += 1;
}

static double value_of(mean m) {
  return m.count > 0 ? m.sum / m.count : (double)NAN;
}

/// In motion the bodies are where the contacts of each method have moved them; as built all methods
/// see the same bodies, so that those rows alone count.
static void add_record(tally *t, const ts_record *record) {
  bool has_failed = ts_record_has_failed(record);
  if (record->step != 0) {
    t->failed_later += has_failed;
    return;
  }
  t->failed += has_failed;
  t->skipped += !has_failed && !ts_record_is_ok(record);
  for (int k = 0; k < RANKED_COUNT; k++) {
    double value = ts_row_counted(ts_row_find(&ts_summary_rows, ranked[k]), record);
    if (k != RANKED_TIME)
      add(&t->means[k], value);
    else if (value > 0)
      add(&t->means[k], log(value));
  }
}

/// By quality, then coverage, then name, as a study does that tells no methods apart.
static int compare_ranks(const void *a, const void *b) {
  const ts_rank *x = a, *y = b;
  int order = ts_order_of_means(x->quality_percent, y->quality_percent);
  if (order == 0)
    order = ts_order_of_means(x->coverage_percent, y->coverage_percent);
  return order != 0 ? order : ts_order_of_labels(x->method, y->method);
}

/// Cases with the parameters that differ between rows, as built.
static ts_status count_scenes(size_t *out, ts_arena *arena, const ts_pivot *cross) {
  bool *is_counted = ts_arena_array(arena, cross->cases.count, sizeof *is_counted);
  if (!is_counted)
    return TS_E_MEMORY;
  *out = 0;
  for (size_t i = 0; i < cross->count; i++) {
    size_t scene = cross->cases.entry_of[i];
    *out += cross->records[i]->step == 0 && !is_counted[scene];
    is_counted[scene] = true;
  }
  return TS_OK;
}

ts_status ts_ranking_make(ts_ranking *out, ts_arena *arena, const ts_record *records,
                          size_t count) {
  ts_pivot cross;
  TS_TRY(ts_pivot_make(&cross, arena, records, count));
  size_t method_count = cross.methods.count;
  tally *tallies = ts_arena_array(arena, method_count, sizeof *tallies);
  ts_rank *ranks = ts_arena_array(arena, method_count, sizeof *ranks);
  if (!tallies || !ranks)
    return TS_E_MEMORY;
  for (size_t i = 0; i < cross.count; i++)
    add_record(&tallies[cross.methods.entry_of[i]], cross.records[i]);
  size_t failed_later = 0;
  for (size_t m = 0; m < method_count; m++) {
    failed_later += tallies[m].failed_later;
    ranks[m] = (ts_rank){.method = cross.method_labels[m],
                         .quality_percent = value_of(tallies[m].means[RANKED_QUALITY]),
                         .coverage_percent = value_of(tallies[m].means[RANKED_COVERAGE]),
                         .excess_factor = value_of(tallies[m].means[RANKED_EXCESS]),
                         .time_ns = exp(value_of(tallies[m].means[RANKED_TIME])),
                         .failed = tallies[m].failed,
                         .skipped = tallies[m].skipped};
  }
  if (method_count > 1)
    qsort(ranks, method_count, sizeof *ranks, compare_ranks);
  *out = (ts_ranking){.count = method_count, .ranks = ranks, .failed_later = failed_later};
  return count_scenes(&out->scene_count, arena, &cross);
}

enum { METHOD, QUALITY, COVERAGE, EXCESS, TIME, FAILED, SKIPPED, COLUMN_COUNT };

/// The columns whose means are shown; heads and numbers are as in the list of columns.
static const char *const measured[COLUMN_COUNT] = {[QUALITY] = "quality_percent",
                                                   [COVERAGE] = "coverage_percent",
                                                   [EXCESS] = "excess_factor",
                                                   [TIME] = "generate_ns_median"};

static void head_of(char out[TS_NUMBER_BYTES], int column) {
  static const char *const heads[COLUMN_COUNT] = {
      [METHOD] = "method", [FAILED] = "failed", [SKIPPED] = "skipped"};
  const ts_field *field = measured[column] ? ts_row_find(&ts_summary_rows, measured[column]) : NULL;
  snprintf(out, TS_NUMBER_BYTES, "%s%s", field ? ts_field_short_label(field) : heads[column],
           field ? ts_field_unit_sign(field) : "");
  out[0] = (char)tolower((unsigned char)out[0]);
}

static const char *text_of(char out[TS_NUMBER_BYTES], const ts_rank *rank, int column) {
  const double values[] = {[QUALITY] = rank->quality_percent, [COVERAGE] = rank->coverage_percent,
                           [EXCESS] = rank->excess_factor,    [TIME] = rank->time_ns,
                           [FAILED] = (double)rank->failed,   [SKIPPED] = (double)rank->skipped};
  if (column == METHOD)
    return rank->method;
  if (isnan(values[column]))
    return "-";
  if (measured[column])
    ts_field_number_text(out, ts_row_find(&ts_summary_rows, measured[column]), values[column]);
  else
    ts_text_fixed(out, values[column], 0);
  return out;
}

/// Columns of failures are left out when there are none.
static bool is_shown(const ts_ranking *ranking, int column) {
  bool is_needed = column != FAILED && column != SKIPPED;
  for (size_t i = 0; i < ranking->count && !is_needed; i++)
    is_needed = (column == FAILED ? ranking->ranks[i].failed : ranking->ranks[i].skipped) > 0;
  return is_needed;
}

static void print_line(ts_pen *pen, const size_t widths[COLUMN_COUNT], const ts_rank *rank) {
  for (int c = 0; c < COLUMN_COUNT; c++) {
    char number[TS_NUMBER_BYTES];
    if (widths[c] == 0)
      continue;
    const char *text = number;
    if (rank)
      text = text_of(number, rank, c);
    else
      head_of(number, c);
    if (c == METHOD)
      ts_pen_put_left(pen, rank ? TS_BOLD : NULL, text, widths[c]);
    else
      ts_pen_put_right(pen, NULL, text, widths[c]);
    pen->pending += GAP;
  }
  ts_pen_end_line(pen);
}

void ts_ranking_print(FILE *file, const ts_ranking *ranking, ts_table_style style) {
  ts_pen pen = {file, style.colour, 0};
  size_t widths[COLUMN_COUNT] = {0};
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (!is_shown(ranking, c))
      continue;
    char head[TS_NUMBER_BYTES];
    head_of(head, c);
    widths[c] = strlen(head);
    for (size_t i = 0; i < ranking->count; i++) {
      char number[TS_NUMBER_BYTES];
      size_t length = strlen(text_of(number, &ranking->ranks[i], c));
      widths[c] = length > widths[c] ? length : widths[c];
    }
  }
  print_line(&pen, widths, NULL);
  for (int c = 0; c < COLUMN_COUNT; c++)
    if (widths[c] > 0) {
      ts_pen_put_rule(&pen, widths[c]);
      pen.pending = GAP;
    }
  ts_pen_end_line(&pen);
  for (size_t i = 0; i < ranking->count; i++)
    print_line(&pen, widths, &ranking->ranks[i]);
  fprintf(file,
          "\nMeans over %zu scene%s as built, best quality first; of times the geometric mean.\n"
          "Where a method failed or found no contact, its quality and coverage count as 0.\n",
          ranking->scene_count, ranking->scene_count == 1 ? "" : "s");
  if (ranking->failed_later > 0)
    fprintf(file, "%zu row%s in motion failed, and count%s nowhere.\n", ranking->failed_later,
            ranking->failed_later == 1 ? "" : "s", ranking->failed_later == 1 ? "s" : "");
}
