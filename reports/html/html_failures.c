// SPDX-License-Identifier: MIT
#include "reports/html/html_failures.h"

#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/rows/outcome.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LISTED_MAX     ((size_t)200) ///< rows with their commands
#define KINDS_NAMED    ((size_t)4)   ///< in the line that is always on view
#define REASON_LETTERS 120           ///< of a reason in that line

/// A failed row; those of one kind follow each other once sorted.
typedef struct failure {
  const ts_record *record;
  size_t index;     ///< of the row
  const char *kind; ///< outcome and reason without their numbers
  size_t count;     ///< of the kind
  size_t first;     ///< the first row of the kind
} failure;

/// The reason with one "#" for each number. NULL when out of memory.
static const char *make_kind(ts_arena *arena, const ts_record *record) {
  char *kind = ts_arena_alloc(arena, strlen(record->outcome) + strlen(record->reason) + 2);
  if (!kind)
    return NULL;
  char *end = stpcpy(stpcpy(kind, record->outcome), "\n");
  for (const char *c = record->reason; *c; c++) {
    bool is_digit = isdigit((unsigned char)*c);
    if (!is_digit)
      *end++ = *c;
    else if (end[-1] != '#')
      *end++ = '#';
  }
  *end = '\0';
  return kind;
}

static int compare_rows(const failure *x, const failure *y) {
  return (x->index > y->index) - (x->index < y->index);
}

static int compare_kinds(const void *a, const void *b) {
  const failure *x = a, *y = b;
  int order = strcmp(x->kind, y->kind);
  return order ? order : compare_rows(x, y);
}

/// The most frequent kind first, then the one that came first.
static int compare_counts(const void *a, const void *b) {
  const failure *x = a, *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return compare_rows(x, y);
}

static ts_status find_failures(failure **out, size_t *out_count, ts_arena *arena,
                               const ts_format_source *source) {
  size_t count = 0;
  failure *all = ts_arena_array(arena, source->count, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  for (size_t i = 0; i < source->count; i++) {
    const ts_record *record = &source->records[i];
    if (!ts_record_has_failed(record))
      continue;
    all[count] = (failure){.record = record, .index = i, .kind = make_kind(arena, record)};
    if (!all[count++].kind)
      return TS_E_MEMORY;
  }
  if (count > 1)
    qsort(all, count, sizeof *all, compare_kinds);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && strcmp(all[end].kind, all[first].kind) == 0; end++)
      ;
    for (size_t i = first; i < end; i++) {
      all[i].count = end - first;
      all[i].first = all[first].index;
    }
  }
  if (count > 1)
    qsort(all, count, sizeof *all, compare_counts);
  *out = all;
  *out_count = count;
  return TS_OK;
}

/// "failed, TetGen found ...", of the reason at most `letters` bytes.
static ts_status put_reason(FILE *file, ts_arena *arena, const ts_record *record, size_t letters) {
  fputs("<span class=\"bad\">", file);
  TS_TRY(ts_html_put(file, arena, ts_record_outcome_words(record)));
  fputs(record->reason[0] ? "</span>, " : "</span>", file);
  size_t length = strnlen(record->reason, letters);
  while (length > 0 && ((unsigned char)record->reason[length] & 0xc0) == 0x80)
    length--; // not within a character
  const char *text = ts_arena_format(arena, "%.*s%s", (int)length, record->reason,
                                     record->reason[length] ? "\xe2\x80\xa6" : "");
  return text ? ts_html_put(file, arena, text) : TS_E_MEMORY;
}

/// "40 rows failed: 36 x failed, TetGen ...; 4 x crashed".
static ts_status put_counts(FILE *file, ts_arena *arena, const failure *all, size_t count) {
  size_t kinds = 0, rest = count;
  fprintf(file, "<summary><strong>%zu row%s failed</strong>: ", count, count == 1 ? "" : "s");
  for (size_t first = 0; first < count && kinds < KINDS_NAMED; first += all[first].count) {
    fprintf(file, "%s%zu \xc3\x97 ", kinds++ > 0 ? "; " : "", all[first].count);
    TS_TRY(put_reason(file, arena, all[first].record, REASON_LETTERS));
    rest -= all[first].count;
  }
  if (rest > 0)
    fprintf(file, "; %zu for other reasons", rest);
  fputs("</summary>\n", file);
  return TS_OK;
}

static ts_status put_failure(FILE *file, ts_arena *arena, const ts_html_rows *rows,
                             const failure *f) {
  fputs("<li><p><strong>", file);
  TS_TRY(ts_html_put(file, arena, rows->case_labels[rows->cases.entry_of[f->index]]));
  fputs("</strong> with <strong>", file);
  TS_TRY(ts_html_put(file, arena, rows->method_labels[rows->methods.entry_of[f->index]]));
  fputs("</strong>: ", file);
  TS_TRY(put_reason(file, arena, f->record, strlen(f->record->reason)));
  fputs("</p><pre><code>", file);
  TS_TRY(ts_html_put(file, arena, rows->source->commands[f->index]));
  fputs("</code></pre></li>\n", file);
  return TS_OK;
}

ts_status ts_html_put_failures(FILE *file, ts_arena *arena, const ts_html_rows *rows) {
  failure *all;
  size_t count;
  TS_TRY(find_failures(&all, &count, arena, rows->source));
  if (count == 0)
    return TS_OK;
  fputs("<section id=\"failed\"><h2>Failed</h2>\n<details>", file);
  TS_TRY(put_counts(file, arena, all, count));
  fputs("<p>These rows could not be measured. The command below each repeats it.</p>\n<ol>\n",
        file);
  size_t listed = count < LISTED_MAX ? count : LISTED_MAX;
  for (size_t i = 0; i < listed; i++)
    TS_TRY(put_failure(file, arena, rows, &all[i]));
  fputs("</ol>\n", file);
  if (count > listed)
    fprintf(file, "<p>And %zu more, see the table.</p>\n", count - listed);
  fputs("</details></section>\n", file);
  return TS_OK;
}
