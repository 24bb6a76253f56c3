// SPDX-License-Identifier: MIT
#include "reports/compare/difference_print.h"

#include "base/markdown.h"
#include "base/number.h"
#include "base/status.h"
#include "reports/compare/method_times.h"
#include "reports/tables/table_text.h"

#include <math.h>
#include <string.h>

#define COLUMNS_MAX 8

/// State of writing the report.
typedef struct writer {
  ts_arena *arena;
  const ts_comparison *comparison;
  ts_pen pen;
  bool as_markdown;
  const char *const *cases, *const *methods; ///< [pair_count]
} writer;

/// A section: its first row is the header.
typedef struct section {
  const char *title, *style;
  const char *alignment; ///< a letter for each column, 'l' or 'r'
  const char *(*rows)[COLUMNS_MAX];
  size_t row_count;
} section;

const char *ts_field_text(ts_arena *arena, const ts_field *field, const ts_record *record,
                          int digits) {
  if (field->kind == TS_FIELD_TEXT) {
    const char *text = ts_row_text(field, record);
    return text[0] ? text : "nothing";
  }
  double value = ts_row_number(field, record);
  if (isnan(value))
    return "not measured";
  if (digits < 17 && !(fabs(value) >= 1e5 && fabs(value) < 1e15 && value == floor(value)))
    return ts_arena_format(arena, "%.*g", digits, value);
  char number[TS_NUMBER_BYTES];
  return ts_arena_string(arena, ts_number_format(number, value));
}

ts_status ts_field_texts(const char **out_old, const char **out_new, ts_arena *arena,
                         const ts_field *field, const ts_record *old, const ts_record *new) {
  static const int digits[] = {6, 9, 12, 17};
  for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
    *out_old = ts_field_text(arena, field, old, digits[i]);
    *out_new = ts_field_text(arena, field, new, digits[i]);
    if (!*out_old || !*out_new)
      return TS_E_MEMORY;
    if (strcmp(*out_old, *out_new) != 0)
      break;
  }
  return TS_OK;
}

static void print_markdown_section(FILE *file, const section *s) {
  size_t columns = strlen(s->alignment);
  fprintf(file, "**%s**\n\n", s->title);
  for (size_t row = 0; row < s->row_count; row++) {
    for (size_t i = 0; i < columns; i++) {
      fputs(i ? " | " : "| ", file);
      ts_markdown_put(file, s->rows[row][i]);
    }
    fputs(" |\n", file);
    for (size_t i = 0; row == 0 && i < columns; i++)
      fputs(s->alignment[i] == 'l' ? "|---" : "|---:", file);
    if (row == 0)
      fputs("|\n", file);
  }
  fputc('\n', file);
}

/// Pads the cells. In the first two columns a value equal to the one above is left out.
static void print_text_section(ts_pen *pen, const section *s) {
  size_t columns = strlen(s->alignment), widths[COLUMNS_MAX] = {0};
  for (size_t row = 0; row < s->row_count; row++)
    for (size_t i = 0; i < columns; i++)
      if (strlen(s->rows[row][i]) > widths[i])
        widths[i] = strlen(s->rows[row][i]);
  ts_pen_put(pen, s->style, s->title);
  ts_pen_end_line(pen);
  for (size_t row = 0; row < s->row_count; row++) {
    bool is_same = row > 1;
    for (size_t i = 0; i < columns; i++) {
      const char *text = s->rows[row][i];
      is_same = is_same && i < 2 && strcmp(text, s->rows[row - 1][i]) == 0;
      pen->pending += 2;
      (s->alignment[i] == 'l' ? ts_pen_put_left : ts_pen_put_right)(pen, row == 0 ? TS_DIM : NULL,
                                                                    is_same ? "" : text, widths[i]);
    }
    ts_pen_end_line(pen);
  }
  fputc('\n', pen->file);
}

static void print_section(writer *w, const section *s) {
  if (w->as_markdown)
    print_markdown_section(w->pen.file, s);
  else
    print_text_section(&w->pen, s);
}

static ts_status start_section(section *s, ts_arena *arena, size_t rows,
                               const char *const *header) {
  s->rows = ts_arena_array(arena, rows + 1, sizeof *s->rows);
  if (!s->rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < strlen(s->alignment); i++)
    s->rows[0][i] = header[i];
  s->row_count = 1;
  return TS_OK;
}

/// Which changes are listed: a changed hash is not if something else in its row changed as well,
/// since that says more.
static ts_status find_listed(bool **out, const writer *w) {
  const ts_difference *d = &w->comparison->difference;
  size_t *counts = ts_arena_array(w->arena, d->pair_count, sizeof *counts);
  bool *is_listed = ts_arena_array(w->arena, d->change_count, sizeof *is_listed);
  if (!counts || !is_listed)
    return TS_E_MEMORY;
  for (size_t i = 0; i < d->change_count; i++)
    counts[d->changes[i].pair]++;
  for (size_t i = 0; i < d->change_count; i++) {
    const ts_field *field = d->changes[i].field;
    bool is_hash = field && field->offset == offsetof(ts_record, contacts_hash);
    is_listed[i] = !is_hash || counts[d->changes[i].pair] == 1;
  }
  *out = is_listed;
  return TS_OK;
}

static const char *with_reason(ts_arena *arena, const ts_field *field, const ts_record *record,
                               const char *text) {
  if (field->offset != offsetof(ts_record, outcome) || !record->reason[0])
    return text;
  return ts_arena_format(arena, "%s (%s)", text, record->reason);
}

static ts_status fill_change(const char **row, const writer *w, const ts_change *change) {
  const ts_row_pair *pair = &w->comparison->difference.pairs[change->pair];
  row[0] = w->cases[change->pair];
  row[1] = w->methods[change->pair];
  if (!change->field) {
    row[2] = pair->new ? pair->new->outcome : pair->old->outcome;
    return TS_OK;
  }
  row[2] = change->field->column;
  TS_TRY(ts_field_texts(&row[3], &row[4], w->arena, change->field, pair->old, pair->new));
  row[3] = with_reason(w->arena, change->field, pair->old, row[3]);
  row[4] = with_reason(w->arena, change->field, pair->new, row[4]);
  return row[3] && row[4] ? TS_OK : TS_E_MEMORY;
}

/// Rows that got worse whose explanation is offered.
#define EXPLAINED_MAX 3

/// The commands that explain the first rows of what got worse.
static void print_explains(const writer *w, ts_change_kind kind, const bool *is_listed) {
  const ts_comparison *c = w->comparison;
  const ts_difference *d = &c->difference;
  size_t explained = 0, last = SIZE_MAX;
  bool is_worse = kind == TS_CHANGE_OUTCOME_WORSE || kind == TS_CHANGE_WORSE;
  for (size_t i = 0; i < d->change_count && is_worse && c->explains; i++) {
    const ts_row_pair *pair = &d->pairs[d->changes[i].pair];
    if (d->changes[i].kind != kind || !is_listed[i] || d->changes[i].pair == last || !pair->new)
      continue;
    last = d->changes[i].pair;
    if (explained++ < EXPLAINED_MAX)
      fprintf(w->pen.file, w->as_markdown ? "why: `%s`\n\n" : "  why: %s\n",
              c->explains[pair->new - c->new.records]);
  }
  if (explained > 0 && !w->as_markdown)
    fputc('\n', w->pen.file);
}

static ts_status print_kind(writer *w, ts_change_kind kind, const bool *is_listed) {
  static const struct {
    const char *title, *style;
  } heads[TS_CHANGE_KIND_COUNT] = {
      [TS_CHANGE_OUTCOME_WORSE] = {"outcome worse", TS_RED},
      [TS_CHANGE_VANISHED] = {"only in old", TS_RED},
      [TS_CHANGE_WORSE] = {"worse", TS_RED},
      [TS_CHANGE_OTHER] = {"changed", TS_BOLD},
      [TS_CHANGE_APPEARED] = {"only in new", TS_BOLD},
      [TS_CHANGE_BETTER] = {"better", TS_BOLD},
      [TS_CHANGE_OUTCOME_BETTER] = {"outcome better", TS_BOLD},
  };
  const ts_difference *d = &w->comparison->difference;
  bool is_row = kind == TS_CHANGE_VANISHED || kind == TS_CHANGE_APPEARED;
  section s = {heads[kind].title, heads[kind].style, is_row ? "lll" : "lllrr", NULL, 0};
  const char *const header[] = {"case", "method", is_row ? "outcome" : "column", "old", "new"};
  TS_TRY(start_section(&s, w->arena, d->counts[kind], header));
  for (size_t i = 0; i < d->change_count; i++)
    if (d->changes[i].kind == kind && is_listed[i])
      TS_TRY(fill_change(s.rows[s.row_count++], w, &d->changes[i]));
  if (s.row_count > 1)
    print_section(w, &s);
  print_explains(w, kind, is_listed);
  return TS_OK;
}

static ts_status fill_time(const char **row, const writer *w, const ts_time_change *c) {
  char was[TS_NUMBER_BYTES], is[TS_NUMBER_BYTES];
  ts_text_time(was, c->old_ns);
  ts_text_time(is, c->new_ns);
  row[0] = w->cases[c->pair];
  row[1] = w->methods[c->pair];
  row[2] = ts_arena_string(w->arena, was);
  row[3] = ts_arena_string(w->arena, is);
  row[4] = ts_arena_format(w->arena, "%.2f", c->ratio);
  row[5] = ts_arena_format(w->arena, "%.2f", c->ratio_to_run);
  row[6] = ts_arena_format(w->arena, "%.1f %%", 100 * c->new_is_slower);
  row[7] = ts_arena_format(w->arena, c->p < 1e-4 ? "%.0e" : "%.4f", c->p);
  for (int i = 2; i < 8; i++)
    if (!row[i])
      return TS_E_MEMORY;
  return TS_OK;
}

static ts_status print_times_of(writer *w, ts_time_verdict verdict, const char *title,
                                const char *style, size_t count) {
  static const char *const header[] = {"case",  "method", "old",    "new",
                                       "ratio", "to run", "slower", "p"};
  const ts_time_difference *t = &w->comparison->times;
  if (count == 0)
    return TS_OK;
  section s = {title, style, "llrrrrrr", NULL, 0};
  TS_TRY(start_section(&s, w->arena, count, header));
  for (size_t i = 0; i < t->count; i++)
    if (t->changes[i].verdict == verdict)
      TS_TRY(fill_time(s.rows[s.row_count++], w, &t->changes[i]));
  print_section(w, &s);
  return TS_OK;
}

/// Prints how many rows were not tested, and why.
static void print_untested(FILE *file, const ts_time_difference *t) {
  const size_t lacking[] = {t->old_lacking_count, t->new_lacking_count};
  static const char *const sides[] = {"old", "new"};
  for (size_t i = 0; i < 2; i++)
    if (lacking[i] > 0)
      fprintf(file, "times: samples.csv of %s is incomplete: it lacks repeats of %zu row%s\n",
              sides[i], lacking[i], lacking[i] == 1 ? "" : "s");
  if (t->tested_count < t->count)
    fprintf(file,
            "times: %zu of %zu rows not tested, because one side has no samples of them, or only "
            "samples that waited for a processor\n",
            t->count - t->tested_count, t->count);
}

static void print_times_summary(FILE *file, const ts_comparison *c) {
  const ts_time_difference *t = &c->times;
  if (t->count == 0)
    return;
  if (t->has_samples)
    print_untested(file, t);
  if (t->tested_count == 0 && t->has_samples)
    return;
  if (t->tested_count == 0) {
    fputs("times: not tested, because that needs samples.csv of both: give two results folders\n",
          file);
    return;
  }
  if (c->others && c->others[0] != '\0')
    fprintf(file, "times: compare with care, because these differ between the two runs: %s\n",
            c->others);
  fprintf(file, "times: ");
  if (t->slower_count + t->faster_count > 0)
    fprintf(file, "%zu slower, %zu faster of", t->slower_count, t->faster_count);
  else
    fprintf(file, "none differs of");
  fprintf(file, " %zu tested; the run as a whole took %.3f of the old time", t->tested_count,
          t->factor);
  if (t->count >= TS_TIME_CELLS_MIN)
    fprintf(file, " (median over the cells; their spread is %.1f %%)", 100 * t->spread);
  fputs("\n", file);
  if (t->slower_count + t->faster_count > 0)
    fputs("  ratio: of the medians; to run: divided by the ratio of the run; slower: share of the "
          "pairs of\n  samples in which new is slower, with the ratio of the run divided out; p: "
          "rank test, corrected\n  for all cells\n",
          file);
}

/// Lists the columns that are not compared because one side lacks them.
static void print_missing(FILE *file, const ts_comparison *c, const ts_rows_of *rows,
                          const char *side) {
  size_t count = 0;
  for (size_t i = 0; i < ts_summary_rows.field_count && rows->has_column; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    bool is_judged = field->compare == TS_COMPARE_EXACT || field->compare == TS_COMPARE_CLOSE;
    if (rows->has_column[i] || !is_judged || c->difference.is_compared[i])
      continue;
    if (count++ == 0)
      fprintf(file, "not compared, because %s lacks them: %s", side, field->column);
    else
      fprintf(file, ", %s", field->column);
  }
  if (count > 0)
    fputc('\n', file);
}

static ts_status count_rows(size_t *out, ts_arena *arena, const ts_difference *d) {
  bool *is_changed = ts_arena_array(arena, d->pair_count, sizeof *is_changed);
  if (!is_changed)
    return TS_E_MEMORY;
  *out = 0;
  for (size_t i = 0; i < d->change_count; i++) {
    size_t pair = d->changes[i].pair;
    *out += d->changes[i].field && !is_changed[pair];
    is_changed[pair] = true;
  }
  return TS_OK;
}

static ts_status print_summary(const writer *w) {
  const ts_comparison *c = w->comparison;
  const ts_difference *d = &c->difference;
  FILE *file = w->pen.file;
  size_t changed;
  TS_TRY(count_rows(&changed, w->arena, d));
  print_missing(file, c, &c->old, "old");
  print_missing(file, c, &c->new, "new");
  if (c->old_shortfall)
    fprintf(file, "old has %s\n", c->old_shortfall);
  if (c->new_shortfall)
    fprintf(file, "new has %s\n", c->new_shortfall);
  if (d->change_count == 0)
    fprintf(file, "nothing differs in %zu row%s\n", d->matched_count,
            d->matched_count == 1 ? "" : "s");
  else
    fprintf(file, "%zu of %zu rows differ; %zu only in old, %zu only in new\n", changed,
            d->matched_count, d->counts[TS_CHANGE_VANISHED], d->counts[TS_CHANGE_APPEARED]);
  if (d->matched_count == 0 && d->pair_count > 0)
    fputs("no row is in both: rows are matched by all parameters of their cell, and those "
          "differ\n",
          file);
  if (w->as_markdown)
    fputc('\n', file);
  print_times_summary(file, c);
  return TS_OK;
}

/// Prints the methods that changed as a whole: over many cells, a smaller change counts than in a
/// single one.
static ts_status print_methods(const writer *w) {
  const ts_comparison *c = w->comparison;
  ts_method_time *methods;
  size_t count;
  TS_TRY(ts_method_times_make(&methods, &count, w->arena, &c->difference, &c->times));
  for (size_t i = 0; i < count; i++) {
    const ts_method_time *m = &methods[i];
    if (m->verdict == TS_TIME_SLOWER || m->verdict == TS_TIME_FASTER)
      fprintf(w->pen.file,
              "%stimes: %s is %s as a whole, by a factor of %.2f relative to the run (%zu cells)\n",
              w->as_markdown ? "\n" : "", m->method,
              m->verdict == TS_TIME_SLOWER ? "slower" : "faster", m->ratio_to_run, m->count);
  }
  return TS_OK;
}

static ts_status print(writer *w) {
  const ts_comparison *c = w->comparison;
  bool *is_listed;
  TS_TRY(ts_difference_label(&w->cases, &w->methods, w->arena, &c->difference));
  TS_TRY(find_listed(&is_listed, w));
  for (int kind = 0; kind < TS_CHANGE_KIND_COUNT; kind++)
    TS_TRY(print_kind(w, (ts_change_kind)kind, is_listed));
  TS_TRY(print_times_of(w, TS_TIME_SLOWER, "slower", TS_RED, c->times.slower_count));
  TS_TRY(print_times_of(w, TS_TIME_FASTER, "faster", TS_BOLD, c->times.faster_count));
  TS_TRY(print_summary(w));
  return print_methods(w);
}

ts_status ts_comparison_print_text(FILE *file, ts_arena *arena, const ts_comparison *comparison,
                                   bool has_colour) {
  writer w = {arena, comparison, {file, has_colour, 0}, false, NULL, NULL};
  return print(&w);
}

ts_status ts_comparison_print_markdown(FILE *file, ts_arena *arena,
                                       const ts_comparison *comparison) {
  writer w = {arena, comparison, {file, false, 0}, true, NULL, NULL};
  return print(&w);
}
