// SPDX-License-Identifier: MIT
#include "reports/study/study_table.h"

#include "base/status.h"
#include "reports/tables/field_text.h"
#include "reports/tables/table_text.h"

#include <math.h>
#include <string.h>

/// Room for a column of each kind below.
#define COLUMNS_MAX 16

/// Fills a table cell by cell, row by row. A text that is NULL, out of memory, is remembered.
typedef struct writer {
  ts_study_table *table;
  ts_arena *arena;
  size_t cell_count;
  bool has_failed;
} writer;

static ts_status begin_table(writer *out, ts_study_table *table, ts_arena *arena, const char *title,
                             size_t row_count) {
  *table = (ts_study_table){.title = title,
                            .row_count = row_count,
                            .heads = ts_arena_array(arena, COLUMNS_MAX, sizeof *table->heads),
                            .is_text = ts_arena_array(arena, COLUMNS_MAX, sizeof *table->is_text)};
  *out = (writer){table, arena, 0, !table->heads || !table->is_text};
  return out->has_failed ? TS_E_MEMORY : TS_OK;
}

static void put_head(writer *w, const char *text, bool is_text) {
  w->has_failed |= !text;
  w->table->is_text[w->table->column_count] = is_text;
  w->table->heads[w->table->column_count++] = text;
}

/// To be called after the heads, before the cells.
static ts_status end_heads(writer *w) {
  ts_study_table *t = w->table;
  t->cells = ts_arena_array(w->arena, t->row_count * t->column_count, sizeof *t->cells);
  return w->has_failed || !t->cells ? TS_E_MEMORY : TS_OK;
}

static void put(writer *w, const char *text) {
  w->has_failed |= !text;
  w->table->cells[w->cell_count++] = text;
}

static ts_status end_table(const writer *w) {
  return w->has_failed ? TS_E_MEMORY : TS_OK;
}

/// "quality%", as in the table of a run.
static const char *head_of(ts_arena *arena, const ts_field *field) {
  const char *label = ts_label_in_text(arena, ts_field_short_label(field));
  return label ? ts_arena_format(arena, "%s%s", label, ts_field_unit_sign(field)) : NULL;
}

static const char *number_of(ts_arena *arena, const ts_field *field, double number) {
  char text[TS_NUMBER_BYTES];
  if (isnan(number))
    return "-";
  ts_field_number_text(text, field, number);
  return ts_arena_string(arena, text);
}

static const char *count_of(ts_arena *arena, size_t count) {
  return ts_arena_format(arena, "%zu", count);
}

/// "98.3 [97.9, 98.7]", with a star if the interval is too narrow; "98.3 (fixed)" if no draw
/// changes it, so that there is nothing to resample.
static const char *mean_of(ts_arena *arena, const ts_field *field, const ts_study_value *value) {
  const char *mean = number_of(arena, field, value->mean.mean);
  if (!mean || isnan(value->mean.low))
    return mean;
  if (value->mean.exceptions == 0)
    return ts_arena_format(arena, "%s (fixed)", mean);
  const char *low = number_of(arena, field, value->mean.low);
  const char *high = number_of(arena, field, value->mean.high);
  const char *star = value->mean.exceptions < TS_EXCEPTIONS_MIN ? "*" : "";
  return low && high ? ts_arena_format(arena, "%s [%s, %s]%s", mean, low, high, star) : NULL;
}

const char *ts_study_rank(ts_arena *arena, const ts_study_method *method) {
  if (method->rank_first == 0)
    return "-";
  if (method->rank_first == method->rank_last)
    return count_of(arena, method->rank_first);
  return ts_arena_format(arena, "%zu-%zu", method->rank_first, method->rank_last);
}

static const char *percent_of(ts_arena *arena, double percent) {
  char text[TS_NUMBER_BYTES];
  if (isnan(percent))
    return "-";
  ts_text_percent(text, percent);
  return ts_arena_string(arena, text);
}

/// Cells that are counted apart, summed over the methods.
typedef struct apart {
  size_t failed, found_nothing, skipped, failed_later;
  bool has_stars, has_fixed;
  bool has_unjudged; ///< a method has cells of which the truth is not known
  bool has_gaps;     ///< a method has no row, not even a skipped one, of some scene
} apart;

static apart count_apart(const ts_study *study) {
  apart sum = {0};
  for (size_t i = 0; i < study->method_count; i++) {
    const ts_study_method *m = &study->methods[i];
    sum.failed += m->failed;
    sum.found_nothing += m->found_nothing;
    sum.skipped += m->skipped;
    sum.failed_later += m->failed_later;
    sum.has_unjudged |= m->judged < m->cells;
    sum.has_gaps |= m->cells + m->skipped < study->scene_count;
    for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++) {
      const ts_study_value *value = &m->values[k];
      bool has_interval = !isnan(value->mean.low);
      sum.has_fixed |= has_interval && value->mean.exceptions == 0;
      sum.has_stars |=
          has_interval && value->mean.exceptions > 0 && value->mean.exceptions < TS_EXCEPTIONS_MIN;
    }
  }
  return sum;
}

ts_status ts_study_means_table(ts_study_table *out, ts_arena *arena, const ts_study *study) {
  writer w;
  apart sum = count_apart(study);
  TS_TRY(begin_table(&w, out, arena, "Means", study->method_count));
  put_head(&w, "rank", true);
  put_head(&w, "method", true);
  for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++)
    put_head(&w, head_of(arena, ts_study_field((ts_study_measure)k)), false);
  put_head(&w, "perfect%", false);
  put_head(&w, "worst quality%", false);
  put_head(&w, "cells", false);
  if (sum.has_unjudged)
    put_head(&w, "judged", false);
  if (sum.failed > 0)
    put_head(&w, "failed", false);
  if (sum.found_nothing > 0)
    put_head(&w, "nothing", false);
  if (sum.skipped > 0)
    put_head(&w, "skipped", false);
  TS_TRY(end_heads(&w));
  for (size_t i = 0; i < study->method_count; i++) {
    const ts_study_method *m = &study->methods[i];
    put(&w, ts_study_rank(arena, m));
    put(&w, m->label);
    for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++)
      put(&w, mean_of(arena, ts_study_field((ts_study_measure)k), &m->values[k]));
    put(&w, percent_of(arena, ts_study_perfect_percent(m)));
    put(&w, percent_of(arena, m->values[TS_STUDY_QUALITY].worst));
    put(&w, count_of(arena, m->cells));
    if (sum.has_unjudged)
      put(&w, count_of(arena, m->judged));
    if (sum.failed > 0)
      put(&w, count_of(arena, m->failed));
    if (sum.found_nothing > 0)
      put(&w, count_of(arena, m->found_nothing));
    if (sum.skipped > 0)
      put(&w, count_of(arena, m->skipped));
  }
  return end_table(&w);
}

ts_status ts_study_worst_table(ts_study_table *out, ts_arena *arena, const ts_study *study) {
  writer w;
  TS_TRY(begin_table(&w, out, arena, "Worst cells", study->method_count));
  put_head(&w, "method", true);
  for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++) {
    put_head(&w, head_of(arena, ts_study_field((ts_study_measure)k)), false);
    put_head(&w, "in", true);
  }
  TS_TRY(end_heads(&w));
  for (size_t i = 0; i < study->method_count; i++) {
    const ts_study_method *m = &study->methods[i];
    put(&w, m->label);
    for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++) {
      put(&w, number_of(arena, ts_study_field((ts_study_measure)k), m->values[k].worst));
      put(&w, m->values[k].worst_label);
    }
  }
  return end_table(&w);
}

/// A difference with its sign, and "0.0" for one that is not exactly 0 but rounds to it.
static const char *difference_of(ts_arena *arena, double number) {
  char text[TS_NUMBER_BYTES];
  ts_text_fixed(text, number, 2);
  return ts_arena_format(arena, "%s%s", number > 0 ? "+" : "", text);
}

static const char *interval_of(ts_arena *arena, const ts_interval *interval) {
  if (isnan(interval->mean))
    return "-";
  const char *mean = difference_of(arena, interval->mean);
  if (!mean || isnan(interval->low))
    return mean;
  if (interval->exceptions == 0)
    return ts_arena_format(arena, "%s (fixed)", mean);
  const char *low = difference_of(arena, interval->low);
  const char *high = difference_of(arena, interval->high);
  return low && high ? ts_arena_format(arena, "%s [%s, %s]", mean, low, high) : NULL;
}

static const char *p_of(ts_arena *arena, double p) {
  if (isnan(p))
    return "-";
  char text[TS_NUMBER_BYTES];
  snprintf(text, sizeof text, "%.4f", p);
  return p < 0.0001 ? "<0.0001" : ts_arena_string(arena, text);
}

/// Which of the two is ahead: ">" the first, "=" none; "-" if they have no cell in common.
static const char *relation_of(const ts_study_pair *pair) {
  if (pair->compared[0].difference.count == 0)
    return "-";
  if (pair->told_by == TS_STUDY_COMPARED_COUNT)
    return "=";
  return pair->compared[pair->told_by].difference.mean > 0 ? ">" : "<";
}

ts_status ts_study_pairs_table(ts_study_table *out, ts_arena *arena, const ts_study *study) {
  writer w;
  TS_TRY(begin_table(&w, out, arena, "Pairs", study->pair_count));
  put_head(&w, "method", true);
  put_head(&w, "", true);
  put_head(&w, "other", true);
  for (int k = 0; k < TS_STUDY_COMPARED_COUNT; k++) {
    put_head(&w, head_of(arena, ts_study_field((ts_study_measure)k)), false);
    put_head(&w, "better/equal/worse", false);
    put_head(&w, "p", false);
  }
  TS_TRY(end_heads(&w));
  for (size_t i = 0; i < study->pair_count; i++) {
    const ts_study_pair *pair = &study->pairs[i];
    put(&w, study->methods[pair->first].label);
    put(&w, relation_of(pair));
    put(&w, study->methods[pair->second].label);
    for (int k = 0; k < TS_STUDY_COMPARED_COUNT; k++) {
      const ts_study_comparison *c = &pair->compared[k];
      put(&w, interval_of(arena, &c->difference));
      put(&w, ts_arena_format(arena, "%zu/%zu/%zu", c->better, c->equal, c->worse));
      put(&w, p_of(arena, c->p_adjusted));
    }
  }
  return end_table(&w);
}

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

/// "60 scenes as built of 3 cases in 6 settings". NULL when out of memory.
static const char *scenes_in_words(ts_arena *arena, const ts_study *s) {
  if (s->stratum_count == s->case_count)
    return ts_arena_format(arena, "%zu scene%s as built of %zu case%s", s->scene_count,
                           plural(s->scene_count), s->case_count, plural(s->case_count));
  return ts_arena_format(arena,
                         "%zu scene%s as built of %zu case%s in %zu settings (of parameters "
                         "that were chosen, not drawn)",
                         s->scene_count, plural(s->scene_count), s->case_count,
                         plural(s->case_count), s->stratum_count);
}

/// What the means are over, and what the intervals say.
static const char *note_on_means(ts_arena *arena, const ts_study *study) {
  const char *scenes = scenes_in_words(arena, study);
  bool has_settings = study->stratum_count > study->case_count;
  if (!scenes)
    return NULL;
  if (study->scene_count < 2)
    return ts_arena_format(
        arena,
        "Values of %s: a single one has no interval. Run with --seeds N, or more "
        "cases.",
        scenes);
  if (!study->has_draws)
    return ts_arena_format(
        arena,
        "Means over %s, one draw of each; of times the geometric mean. The intervals (95%%, "
        "bootstrap over the %s, %d resamples) are about other %s like these, as if these had been "
        "drawn. Run with --seeds N, N at least 2, for intervals about these.",
        scenes, has_settings ? "scenes" : "cases", TS_BOOTSTRAP_RESAMPLES,
        has_settings ? "scenes" : "cases");
  return ts_arena_format(
      arena,
      "Means over %s; of times the geometric mean. The intervals (95%%, bootstrap over the draws "
      "within each %s, %d resamples) are about other draws of these %s, not about other %s.",
      scenes, has_settings ? "setting" : "case", TS_BOOTSTRAP_RESAMPLES,
      has_settings ? "settings" : "cases", has_settings ? "cases or parameters" : "cases");
}

bool ts_study_is_too_small(const ts_study *study) {
  return !study->has_draws && ldexp((double)(study->pair_count * TS_STUDY_COMPARED_COUNT),
                                    1 - (int)study->scene_count) > TS_STUDY_ALPHA;
}

static const char *note_on_order(ts_arena *arena, const ts_study *study) {
  if (study->method_count < 2)
    return "";
  if (study->pair_count == 0)
    return ts_arena_format(arena,
                           "More than %d methods are not compared with each other, so that any "
                           "rank is possible for each: report fewer.",
                           TS_STUDY_PAIRED_MAX);
  return ts_arena_format(
      arena,
      "Ranks are those that a method may have: it is ahead of another one where its quality is "
      "higher on the cells of both (sign-flip test of the mean difference, p adjusted by Holm for "
      "%zu comparisons, at most %g), or where quality is equal in each cell and coverage is higher "
      "by that test.%s",
      study->pair_count * TS_STUDY_COMPARED_COUNT, TS_STUDY_ALPHA,
      ts_study_is_too_small(study)
          ? " So few scenes cannot tell so many methods apart, however they differ: "
            "run with --seeds N, or report fewer methods."
          : "");
}

static const char *note_on_marks(ts_arena *arena, const ts_study *study, const apart *sum) {
  const char *stars = "*: less than 10 cells differ from what is usual among the draws of their "
                      "scene, so that the interval is too "
                      "narrow: what is rare was hardly seen.";
  if (!sum->has_fixed)
    return sum->has_stars ? stars : "";
  return ts_arena_format(arena, "(fixed): the value is the same in each %s.%s%s",
                         !study->has_draws                          ? "scene"
                         : study->stratum_count > study->case_count ? "draw of a setting"
                                                                    : "draw of a case",
                         sum->has_stars ? " " : "", sum->has_stars ? stars : "");
}

static const char *note_on_failures(ts_arena *arena, const apart *sum) {
  const char *later = sum->failed_later == 0
                          ? ""
                          : ts_arena_format(arena, " Failures in motion, %zu row%s, count nowhere.",
                                            sum->failed_later, sum->failed_later == 1 ? "" : "s");
  if (!later || (sum->failed == 0 && sum->found_nothing == 0))
    return later && later[0] ? later + 1 : later;
  return ts_arena_format(arena,
                         "Quality and coverage count as 0 where a method failed or found nothing "
                         "although bodies touch.%s",
                         later);
}

static const char *note_on_gaps(ts_arena *arena, const ts_study *study, const apart *sum) {
  if (sum->skipped == 0 && !sum->has_gaps)
    return "";
  return ts_arena_format(arena,
                         "%s: a method's means are over the cells that it ran%s, and two methods "
                         "are compared on the cells that both ran.",
                         sum->has_gaps ? "Not all methods have rows of all scenes"
                                       : "Skipped cells count nowhere",
                         study->method_count > 1 ? ", which differ" : "");
}

ts_status ts_study_notes(const char ***out, size_t *out_count, ts_arena *arena,
                         const ts_study *study) {
  apart sum = count_apart(study);
  const char *notes[] = {
      note_on_means(arena, study),
      note_on_order(arena, study),
      note_on_marks(arena, study, &sum),
      note_on_failures(arena, &sum),
      !sum.has_unjudged ? ""
                        : "Of cells whose truth is not known only the time counts: the means of "
                          "quality and coverage are over those that were judged.",
      note_on_gaps(arena, study, &sum),
      "perfect%: quality and coverage 100, excess 1, no fault. Compare times only if measured on "
      "one machine with --jobs 1.",
  };
  size_t count = sizeof notes / sizeof *notes;
  *out = ts_arena_array(arena, count, sizeof **out);
  *out_count = 0;
  for (size_t i = 0; *out && i < count; i++) {
    if (!notes[i])
      return TS_E_MEMORY;
    if (notes[i][0])
      (*out)[(*out_count)++] = notes[i];
  }
  return *out ? TS_OK : TS_E_MEMORY;
}
