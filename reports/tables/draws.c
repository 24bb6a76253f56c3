// SPDX-License-Identifier: MIT
#include "reports/tables/draws.h"

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

/// A list of parameters, split. The seed of the noise (perturb_seed) is apart from the others,
/// since it tells draws from each other only where there is noise: without, it may stay at its
/// default.
typedef struct list {
  const char *all, *rest, *seeds;
  const char *noise_seed; ///< NULL without noise, "" for its default
} list;

/// The seed of the noise in a list whose case comes from a file with parameters is that set on top
/// of those in the file, which are the same in all rows.
static const char *find_noise_name(const char *text, const char *plain, const char *then) {
  return strstr(text, "then_") ? then : plain;
}

static bool has_noise(const char *text) {
  size_t length;
  const char *name = find_noise_name(text, "perturb_m", "then_perturb_m");
  const char *size = find_value(&length, text, name, strlen(name));
  return length > 0 && !(length == 1 && *size == '0');
}

static bool is_word_of(const char *word, const char *name) {
  size_t length = strcspn(word, "=;");
  return strlen(name) == length && memcmp(word, name, length) == 0;
}

/// Splits a list, unless it is that of the previous row.
static ts_status split_seeds(list *l, ts_arena *arena, const char *text) {
  if (l->all && strcmp(l->all, text) == 0)
    return TS_OK;
  size_t room = strlen(text) + 1;
  char *rest = ts_arena_alloc(arena, room), *rest_end = rest;
  char *seeds = ts_arena_alloc(arena, room), *seeds_end = seeds;
  char *noise = ts_arena_alloc(arena, room), *noise_end = noise;
  if (!rest || !seeds || !noise)
    return TS_E_MEMORY;
  *l = (list){text, rest, seeds, has_noise(text) ? noise : NULL};
  const char *noise_name = find_noise_name(text, "perturb_seed", "then_perturb_seed");
  while (*text) {
    size_t length = strcspn(text, ";");
    if (is_word_of(text, noise_name))
      noise_end = add_word(noise, noise_end, text, length);
    else if (is_seed(text, length))
      seeds_end = add_word(seeds, seeds_end, text, length);
    else
      rest_end = add_word(rest, rest_end, text, length);
    text += length + (text[length] == ';');
  }
  *rest_end = *seeds_end = *noise_end = '\0';
  return TS_OK;
}

/// A row, to be sorted by case and seed; its record has no seeds any more.
typedef struct draw {
  ts_record *record;
  const char *seeds, *noise_seed;
} draw;

/// By the seed of the noise, those without noise first.
static int compare_noise(const draw *x, const draw *y) {
  if (!x->noise_seed || !y->noise_seed)
    return (x->noise_seed != NULL) - (y->noise_seed != NULL);
  return strcmp(x->noise_seed, y->noise_seed);
}

static const char *rest_of(const draw *d) {
  return d->record->case_parameters;
}

static int compare_draws(const void *a, const void *b) {
  const draw *x = a, *y = b;
  int order = strcmp(x->record->case_name, y->record->case_name);
  order = order ? order : strcmp(x->seeds, y->seeds);
  order = order ? order : compare_noise(x, y);
  order = order || rest_of(x) == rest_of(y) ? order : strcmp(rest_of(x), rest_of(y));
  return order ? order : (x->record > y->record) - (x->record < y->record);
}

static bool has_same_value(const char *a, const char *b, const char *name, size_t length) {
  size_t a_length, b_length;
  const char *x = find_value(&a_length, a, name, length);
  const char *y = find_value(&b_length, b, name, length);
  return a_length == b_length && memcmp(x, y, a_length) == 0;
}

/// A parameter, and what is counted of it over the rows of a case.
typedef struct drawn_count {
  const char *name; ///< not NUL-terminated
  size_t length;
  const draw *model;     ///< the first row
  size_t seeds, several; ///< seeds, and those with several values
  bool differs;          ///< the first value of a seed from that of the model
} drawn_count;

/// Whether a row of some sorted draws [count] has another value than the row `model`.
static bool has_other_value(const drawn_count *c, const draw *draws, size_t count,
                            const draw *model) {
  const char *before = rest_of(model);
  for (size_t i = 0; i < count; i++) {
    if (rest_of(&draws[i]) != before &&
        !has_same_value(rest_of(&draws[i]), rest_of(model), c->name, c->length))
      return true;
    before = rest_of(&draws[i]);
  }
  return false;
}

static void count_seed(drawn_count *c, const draw *first, bool several) {
  c->seeds++;
  c->several += several;
  c->differs |= has_other_value(c, first, 1, c->model);
}

/// Counts the seeds of noise in draws [count] that have all other seeds in common. Rows without
/// noise belong to each: where the noise is swept from 0, they are of the same draw as others.
static void count_noise_seeds(drawn_count *c, const draw *draws, size_t count) {
  size_t noisy = 0;
  while (noisy < count && !draws[noisy].noise_seed)
    noisy++;
  bool several = has_other_value(c, draws, noisy, &draws[0]);
  if (noisy == count)
    count_seed(c, &draws[0], several);
  for (size_t first = noisy, end; first < count; first = end) {
    for (end = first + 1; end < count && compare_noise(&draws[end], &draws[first]) == 0;)
      end++;
    const draw *model = noisy > 0 ? &draws[0] : &draws[first];
    count_seed(c, model, several || has_other_value(c, &draws[first], end - first, model));
  }
}

/// Whether a parameter of the rows [count] of a case was drawn with the seeds. Draws of the same
/// seed by chance do not change that.
static bool is_drawn(const draw *draws, size_t count, const char *name, size_t length) {
  drawn_count c = {.name = name, .length = length, .model = &draws[0]};
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && strcmp(draws[end].seeds, draws[first].seeds) == 0;)
      end++;
    count_noise_seeds(&c, &draws[first], end - first);
  }
  return c.differs && 2 * c.several < c.seeds;
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

ts_status ts_take_draws_off(ts_arena *arena, ts_record *records, size_t count) {
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
    draws[i] = (draw){r, lists[CASE].seeds, lists[CASE].noise_seed};
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
