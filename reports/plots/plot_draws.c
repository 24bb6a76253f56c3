// SPDX-License-Identifier: MIT
#include "reports/plots/plot_draws.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static bool is_seed(const char *word, size_t length) {
  static const char ending[] = "seed";
  size_t name = strcspn(word, "=;"), letters = sizeof ending - 1;
  return name < length && name >= letters && memcmp(word + name - letters, ending, letters) == 0;
}

/// Adds "name=value" [length] to the list that ends at `end`; returns its new end.
static char *add_word(const char *start, char *end, const char *word, size_t length) {
  if (end > start)
    *end++ = ';';
  memcpy(end, word, length);
  return end + length;
}

/// A list of parameters, split.
typedef struct list {
  const char *all, *rest, *seeds;
} list;

/// Splits a list, unless it is that of the previous row.
static ts_status split_seeds(list *l, ts_arena *arena, const char *text) {
  if (l->all && strcmp(l->all, text) == 0)
    return TS_OK;
  char *rest = ts_arena_alloc(arena, strlen(text) + 1), *rest_end = rest;
  char *seeds = ts_arena_alloc(arena, strlen(text) + 1), *seeds_end = seeds;
  if (!rest || !seeds)
    return TS_E_MEMORY;
  *l = (list){text, rest, seeds};
  while (*text) {
    size_t length = strcspn(text, ";");
    if (is_seed(text, length))
      seeds_end = add_word(seeds, seeds_end, text, length);
    else
      rest_end = add_word(rest, rest_end, text, length);
    text += length + (text[length] == ';');
  }
  *rest_end = *seeds_end = '\0';
  return TS_OK;
}

/// A row, to be sorted by case and seed; its record has no seeds any more.
typedef struct draw {
  ts_record *record;
  const char *seeds;
} draw;

static int compare_draws(const void *a, const void *b) {
  const draw *x = a, *y = b;
  int order = strcmp(x->record->case_name, y->record->case_name);
  if (order == 0)
    order = strcmp(x->seeds, y->seeds);
  return order != 0 ? order : (x->record > y->record) - (x->record < y->record);
}

/// The value of a parameter in a list, not NUL-terminated; "" if it has none.
static const char *find_value(size_t *out_length, const char *text, const char *name,
                              size_t name_length) {
  while (*text) {
    size_t length = strcspn(text, ";");
    if (length > name_length && text[name_length] == '=' && memcmp(text, name, name_length) == 0) {
      *out_length = length - name_length - 1;
      return text + name_length + 1;
    }
    text += length + (text[length] == ';');
  }
  *out_length = 0;
  return text;
}

static bool has_same_value(const char *a, const char *b, const char *name, size_t length) {
  size_t a_length, b_length;
  const char *x = find_value(&a_length, a, name, length);
  const char *y = find_value(&b_length, b, name, length);
  return a_length == b_length && memcmp(x, y, a_length) == 0;
}

static const char *rest_of(const draw *d) {
  return d->record->case_parameters;
}

/// Whether a parameter of the rows [count] of a case was drawn with the seeds. Draws of the same
/// seed by chance do not change that.
static bool is_drawn(const draw *draws, size_t count, const char *name, size_t length) {
  size_t seeds = 0, several = 0;
  bool differs = false;
  for (size_t first = 0, end; first < count; first = end) {
    bool has_several = false;
    for (end = first + 1; end < count && strcmp(draws[end].seeds, draws[first].seeds) == 0; end++)
      if (rest_of(&draws[end]) != rest_of(&draws[end - 1]))
        has_several |= !has_same_value(rest_of(&draws[end]), rest_of(&draws[first]), name, length);
    differs |= !has_same_value(rest_of(&draws[first]), rest_of(&draws[0]), name, length);
    several += has_several;
    seeds++;
  }
  return differs && 2 * several < seeds;
}

/// Takes the drawn parameters off the rows [count] of a case.
static ts_status take_drawn_off(ts_arena *arena, draw *draws, size_t count) {
  const char *model = rest_of(&draws[0]);
  char *drawn = ts_arena_alloc(arena, strlen(model) + 1), *drawn_end = drawn;
  if (!drawn)
    return TS_E_MEMORY;
  for (const char *word = model; *word;) {
    size_t length = strcspn(word, ";");
    if (is_drawn(draws, count, word, strcspn(word, "=;")))
      drawn_end = add_word(drawn, drawn_end, word, length);
    word += length + (word[length] == ';');
  }
  *drawn_end = '\0';
  if (drawn_end == drawn)
    return TS_OK;
  const char *before = NULL, *kept = NULL;
  for (size_t i = 0; i < count; i++) {
    const char *text = rest_of(&draws[i]);
    if (text != before) {
      char *rest = ts_arena_alloc(arena, strlen(text) + 1), *end = rest;
      if (!rest)
        return TS_E_MEMORY;
      for (const char *word = text; *word;) {
        size_t length = strcspn(word, ";"), value;
        if (*find_value(&value, drawn, word, strcspn(word, "=;")) == '\0')
          end = add_word(rest, end, word, length);
        word += length + (word[length] == ';');
      }
      *end = '\0';
      kept = rest;
      before = text;
    }
    draws[i].record->case_parameters = kept;
  }
  return TS_OK;
}

ts_status ts_plot_take_draws_off(ts_arena *arena, ts_record *records, size_t count) {
  enum { CASE, LISTS = 4 };
  list lists[LISTS] = {0};
  draw *draws = ts_arena_array(arena, count, sizeof *draws);
  if (!draws)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_record *r = &records[i];
    const char **texts[LISTS] = {[CASE] = &r->case_parameters,
                                 &r->method_parameters,
                                 &r->scoring_parameters,
                                 &r->simulation_parameters};
    for (int k = 0; k < LISTS; k++) {
      TS_TRY(split_seeds(&lists[k], arena, *texts[k]));
      *texts[k] = lists[k].rest;
    }
    draws[i] = (draw){r, lists[CASE].seeds};
  }
  if (count > 1)
    qsort(draws, count, sizeof *draws, compare_draws);
  for (size_t first = 0, end; first < count; first = end) {
    const char *name = draws[first].record->case_name;
    for (end = first + 1; end < count && strcmp(draws[end].record->case_name, name) == 0;)
      end++;
    TS_TRY(take_drawn_off(arena, &draws[first], end - first));
  }
  return TS_OK;
}
