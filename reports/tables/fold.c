// SPDX-License-Identifier: MIT
#include "reports/tables/fold.h"

#include "base/status.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct member {
  const ts_record *record;
  const char *parameters; ///< those of the case that are kept
} member;

static bool is_kept(const char *word, size_t length, const char *const *kept, size_t kept_count) {
  size_t name_length = strcspn(word, "=;");
  for (size_t i = 0; i < kept_count; i++)
    if (strlen(kept[i]) == name_length && strncmp(kept[i], word, name_length) == 0)
      return name_length < length;
  return false;
}

/// The words of "name=value;name=value" whose names are kept; NULL when out of memory.
static const char *keep_words(ts_arena *arena, const char *text, const char *const *kept,
                              size_t kept_count) {
  if (kept_count == 0)
    return "";
  char *out = ts_arena_alloc(arena, strlen(text) + 1), *end = out;
  while (out && *text) {
    size_t length = strcspn(text, ";");
    if (is_kept(text, length, kept, kept_count)) {
      if (end > out)
        *end++ = ';';
      memcpy(end, text, length);
      end += length;
    }
    text += length + (text[length] == ';');
  }
  return out;
}

static int compare_texts(const char *a, const char *b) {
  return a == b ? 0 : strcmp(a, b);
}

static int compare_groups(const member *a, const member *b) {
  const ts_record *x = a->record, *y = b->record;
  int order = compare_texts(x->case_name, y->case_name);
  order = order ? order : compare_texts(x->method, y->method);
  order = order ? order : compare_texts(a->parameters, b->parameters);
  order = order ? order : compare_texts(x->method_parameters, y->method_parameters);
  order = order ? order : compare_texts(x->scoring_parameters, y->scoring_parameters);
  order = order ? order : compare_texts(x->simulation_parameters, y->simulation_parameters);
  return order ? order : (x->step > y->step) - (x->step < y->step);
}

static int compare_members(const void *a, const void *b) {
  const member *x = a, *y = b;
  int order = compare_groups(x, y);
  return order ? order : (x->record > y->record) - (x->record < y->record);
}

/// A group and its first record, by which groups are put in order.
typedef struct group {
  const ts_record *first;
  const member *members;
  size_t count;
} group;

static int compare_firsts(const void *a, const void *b) {
  const group *x = a, *y = b;
  return (x->first > y->first) - (x->first < y->first);
}

/// Sets the mean and the standard deviation of one column over the rows that are ok.
static void fold_number(ts_record *mean, ts_record *spread, const ts_field *field, const group *g) {
  double sum = 0, squares = 0, count = 0;
  for (size_t i = 0; i < g->count; i++) {
    double number = ts_row_number(field, g->members[i].record);
    if (ts_record_is_ok(g->members[i].record) && !isnan(number)) {
      sum += number;
      count++;
    }
  }
  double middle = count > 0 ? sum / count : (double)NAN;
  for (size_t i = 0; i < g->count; i++) {
    double number = ts_row_number(field, g->members[i].record);
    if (ts_record_is_ok(g->members[i].record) && !isnan(number))
      squares += (number - middle) * (number - middle);
  }
  ts_row_set_number(field, mean, middle);
  ts_row_set_number(field, spread, count > 1 ? sqrt(squares / (count - 1)) : (double)NAN);
}

static void fold_group(ts_fold *out, ts_record *mean, ts_record *spread, const group *g) {
  const ts_record *worst = g->first;
  size_t ok_count = 0, failed_count = 0;
  for (size_t i = 0; i < g->count; i++) {
    const ts_record *r = g->members[i].record;
    ok_count += ts_record_is_ok(r);
    failed_count += ts_record_has_failed(r);
    if (ts_outcomes[ts_record_outcome(r)].rank > ts_outcomes[ts_record_outcome(worst)].rank)
      worst = r;
  }
  *mean = *g->first;
  mean->case_parameters = g->members[0].parameters;
  mean->outcome = ok_count > 0 ? "ok" : worst->outcome;
  mean->reason = ok_count > 0 ? "" : worst->reason;
  ts_row_init(&ts_summary_rows, spread);
  for (size_t k = 0; k < ts_summary_rows.field_count; k++) {
    const ts_field *field = &ts_summary_rows.fields[k];
    if (field->kind != TS_FIELD_TEXT && field->role != TS_ROLE_IDENTITY)
      fold_number(mean, spread, field, g);
  }
  if (ok_count > 0) {
    out->left_out += g->count - ok_count;
    out->left_out_failed += failed_count;
  }
  out->draws_most = g->count > out->draws_most ? g->count : out->draws_most;
}

/// Finds the groups of members that are sorted, and puts them in order.
static size_t find_groups(group *groups, const member *members, size_t count) {
  size_t group_count = 0;
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && compare_groups(&members[first], &members[end]) == 0;)
      end++;
    groups[group_count++] = (group){members[first].record, &members[first], end - first};
  }
  if (group_count > 1)
    qsort(groups, group_count, sizeof *groups, compare_firsts);
  return group_count;
}

ts_status ts_fold_draws(ts_fold *out, ts_arena *arena, const ts_record *records, size_t count,
                        const char *const *kept, size_t kept_count) {
  *out = (ts_fold){.row_count = count};
  member *members = ts_arena_array(arena, count, sizeof *members);
  group *groups = ts_arena_array(arena, count, sizeof *groups);
  if (!members || !groups)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    members[i] =
        (member){&records[i], keep_words(arena, records[i].case_parameters, kept, kept_count)};
    if (!members[i].parameters)
      return TS_E_MEMORY;
  }
  if (count > 1)
    qsort(members, count, sizeof *members, compare_members);
  out->count = find_groups(groups, members, count);
  ts_record *means = ts_arena_array(arena, out->count, sizeof *means);
  ts_record *spreads = ts_arena_array(arena, out->count, sizeof *spreads);
  if (!means || !spreads)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++)
    fold_group(out, &means[i], &spreads[i], &groups[i]);
  out->means = means;
  out->spreads = spreads;
  return TS_OK;
}
