// SPDX-License-Identifier: MIT
#include "harness/plan/explain_command.h"

#include "base/number.h"
#include "base/param.h"
#include "base/status.h"
#include "harness/plan/shell_word.h"
#include "reports/rows/modified_names.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// With more parameters than this to tell cells apart, the cell itself is shorter.
#define SETS_MAX 3

/// Nor are so many cells compared with each other.
#define SIBLINGS_MAX 64

static int compare_subjects(const ts_record *a, const ts_record *b) {
  int order = strcmp(a->case_name, b->case_name);
  order = order != 0 ? order : strcmp(a->method, b->method);
  return order != 0 ? order : strcmp(a->modifiers, b->modifiers);
}

static int compare_records(const void *left, const void *right) {
  const ts_record *l = *(const ts_record *const *)left, *r = *(const ts_record *const *)right;
  int order = compare_subjects(l, r);
  return order != 0 ? order : (l > r) - (l < r); // both are in one array
}

/// A parameter of a record: "owner.name=value".
typedef struct setting {
  const char *owner, *word; ///< borrowed; the word has `length` bytes
  size_t length;
} setting;

/// Those that tell a cell apart from others.
typedef struct settings {
  size_t count; ///< may be more than there is room for
  setting items[SETS_MAX];
} settings;

/// Adds the parameters of `list` that are not in `other`, each once.
static void add_different(settings *s, const char *owner, const char *list, const char *other) {
  while (*list) {
    size_t length = strcspn(list, ";");
    bool is_known = ts_param_list_has(other, list, length);
    for (size_t i = 0; i < s->count && i < SETS_MAX && !is_known; i++)
      is_known = s->items[i].word == list;
    if (!is_known && s->count++ < SETS_MAX)
      s->items[s->count - 1] = (setting){owner, list, length};
    list += length + (list[length] == ';');
  }
}

/// The parameters of a record that another one of its case and method has otherwise.
static void tell_apart(settings *s, const ts_record *r, const ts_record *other) {
  add_different(s, r->case_name, r->case_parameters, other->case_parameters);
  add_different(s, r->method, r->method_parameters, other->method_parameters);
  add_different(s, "scoring", r->scoring_parameters, other->scoring_parameters);
  add_different(s, "simulation", r->simulation_parameters, other->simulation_parameters);
}

/// A row of each cell of one case and method.
typedef struct siblings {
  const ts_record **rows; ///< [count]
  size_t count;
} siblings;

/// What tells the cell of a record apart from its siblings.
static ts_status put_cell(FILE *file, ts_arena *arena, const ts_record *r, const siblings *s) {
  settings sets = {.count = 0};
  bool is_named = s->count > SIBLINGS_MAX;
  for (size_t i = 0; i < s->count && sets.count <= SETS_MAX && !is_named; i++)
    if (strcmp(s->rows[i]->cell, r->cell) != 0)
      tell_apart(&sets, r, s->rows[i]);
  if (is_named || sets.count > SETS_MAX || (s->count > 1 && sets.count == 0)) {
    fputs(" --cell ", file);
    ts_shell_put_word(file, r->cell);
    return TS_OK;
  }
  for (size_t i = 0; i < sets.count; i++) {
    const setting *set = &sets.items[i];
    const char *word = ts_arena_format(arena, "%s.%.*s", set->owner, (int)set->length, set->word);
    if (!word)
      return TS_E_MEMORY;
    fputs(" --set ", file);
    ts_shell_put_word(file, word);
  }
  return TS_OK;
}

static ts_status put_command(FILE *file, ts_arena *arena, const ts_record *r, const siblings *s,
                             const char *results) {
  char step[TS_NUMBER_BYTES];
  fputs("touchstone explain ", file);
  ts_shell_put_word(file, r->case_name);
  fputc(' ', file);
  const char *method = ts_unmodified_name(arena, r->method);
  if (!method)
    return TS_E_MEMORY;
  ts_shell_put_word(file, method);
  if (*r->modifiers) {
    fputs(" --modify ", file);
    ts_shell_put_word(file, r->modifiers);
  }
  if (r->step > 0)
    fprintf(file, " --step %s", ts_number_format(step, r->step));
  TS_TRY(put_cell(file, arena, r, s));
  fputc(' ', file);
  ts_shell_put_operand(file, results);
  return TS_OK;
}

static ts_status make_command(const char **out, ts_arena *arena, const ts_record *r,
                              const siblings *s, const char *results) {
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  ts_status status = file ? put_command(file, arena, r, s, results) : TS_OK;
  bool is_whole = file && fclose(file) == 0;
  *out = is_whole ? ts_arena_string(arena, text) : NULL;
  free(text);
  if (!is_whole)
    return ts_fail(TS_E_MEMORY, "out of memory");
  return status != TS_OK ? status : *out ? TS_OK : TS_E_MEMORY;
}

ts_status ts_explain_commands(const char *const **out, ts_arena *arena, const ts_record *records,
                              size_t count, const char *results) {
  const char **commands = ts_arena_array(arena, count, sizeof *commands);
  const ts_record **order = ts_arena_array(arena, count, sizeof *order);
  const ts_record **cells = ts_arena_array(arena, count, sizeof *cells);
  if (!commands || !order || !cells)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    order[i] = &records[i];
  if (count > 1)
    qsort(order, count, sizeof *order, compare_records);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && compare_subjects(order[first], order[end]) == 0; end++)
      ;
    siblings s = {cells, 0};
    for (size_t i = first; i < end; i++) // the rows of a cell follow each other
      if (i == first || strcmp(order[i]->cell, order[i - 1]->cell) != 0)
        cells[s.count++] = order[i];
    for (size_t i = first; i < end; i++)
      TS_TRY(make_command(&commands[order[i] - records], arena, order[i], &s, results));
  }
  *out = commands;
  return TS_OK;
}

/// What a share lacks of 100 percent.
static double lack(double percent) {
  return percent < 100 ? (100 - percent) / 100 : 0;
}

/// A failure is worse than any number of faults, and a fault weighs as much as all normals that are
/// wrong without being one.
static double badness(const ts_record *record) {
  if (ts_record_has_failed(record))
    return INFINITY;
  if (!ts_record_is_ok(record))
    return 0;
  double sum = (lack(record->quality_percent) + lack(record->coverage_percent)) / 2;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->role == TS_ROLE_FAULT && ts_row_number(field, record) > 0)
      sum += ts_row_number(field, record);
  }
  return sum;
}

const ts_record *ts_explain_first(size_t *out_count, const ts_record *records, size_t count) {
  const ts_record *first = NULL;
  *out_count = 0;
  for (size_t i = 0; i < count; i++) {
    *out_count += badness(&records[i]) > 0;
    if (badness(&records[i]) > (first ? badness(first) : 0))
      first = &records[i];
  }
  return first;
}
