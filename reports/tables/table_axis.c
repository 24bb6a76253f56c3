// SPDX-License-Identifier: MIT
#include "reports/tables/table_axis.h"

#include "base/number.h"
#include "base/status.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
  ts_axis_key key;
  size_t record; ///< the first one with the key
  ts_axis_entry entry;
} place;

/// A parameter of one place; its texts are not NUL-terminated.
typedef struct param {
  const char *name, *value;
  size_t name_length, value_length;
} param;

static int compare_keys(const ts_axis_key *a, const ts_axis_key *b) {
  int order = strcmp(a->name, b->name);
  for (int i = 0; i < 2 && order == 0; i++)
    order = strcmp(a->parameters[i], b->parameters[i]);
  if (order != 0)
    return order;
  bool a_is_number = !isnan(a->step), b_is_number = !isnan(b->step);
  if (!a_is_number || !b_is_number)
    return a_is_number - b_is_number;
  return (a->step > b->step) - (a->step < b->step);
}

static int compare_places(const void *a, const void *b) {
  const place *x = a, *y = b;
  int order = compare_keys(&x->key, &y->key);
  return order != 0 ? order : (x->record > y->record) - (x->record < y->record);
}

static int compare_first(const void *a, const void *b) {
  size_t x = (*(const place *const *)a)->record, y = (*(const place *const *)b)->record;
  return (x > y) - (x < y);
}

/// Reads the next parameter of "name=value;name=value" and advances `text`; false at its end.
static bool next_param(param *out, const char **text) {
  const char *start = *text;
  if (*start == '\0')
    return false;
  size_t length = strcspn(start, ";");
  const char *equals = memchr(start, '=', length);
  out->name = start;
  out->name_length = equals ? (size_t)(equals - start) : length;
  out->value = equals ? equals + 1 : start + length;
  out->value_length = length - (size_t)(out->value - start);
  *text = start + length + (start[length] == ';');
  return true;
}

/// Whether "name=value;name=value" contains this parameter with this value.
static bool has_param(const char *text, const param *wanted) {
  for (param p; next_param(&p, &text);)
    if (p.name_length == wanted->name_length && p.value_length == wanted->value_length &&
        memcmp(p.name, wanted->name, p.name_length) == 0 &&
        memcmp(p.value, wanted->value, p.value_length) == 0)
      return true;
  return false;
}

static size_t count_params(const char *text) {
  size_t count = 0;
  for (param p; next_param(&p, &text);)
    count++;
  return count;
}

/// The parameter of that name in the list; false when it has none.
static bool find_param(param *out, const char *text, const param *wanted) {
  while (next_param(out, &text))
    if (out->name_length == wanted->name_length &&
        memcmp(out->name, wanted->name, wanted->name_length) == 0)
      return true;
  return false;
}

/// Whether a parameter of the list `text` tells it from one of `others` [count]: one that has
/// another value, or that lacks the parameter and has all those before it. Parameters that come
/// with a value of an earlier one so say nothing unless they differ among themselves.
static bool tells_apart(const char *text, const param *p, const place *others, size_t count,
                        int list) {
  for (size_t i = 0; i < count; i++) {
    const char *other = others[i].key.parameters[list];
    param same, before;
    if (find_param(&same, other, p)) {
      if (!has_param(other, p))
        return true;
      continue;
    }
    bool is_told = false;
    for (const char *rest = text; !is_told && rest < p->name && next_param(&before, &rest);)
      is_told = before.name < p->name && !has_param(other, &before);
    if (!is_told)
      return true;
  }
  return false;
}

/// The parameters of one list that all places [count] have with the same value, as a list; NULL
/// when out of memory.
static const char *find_shared(ts_arena *arena, const place *places, size_t count, int list) {
  const char *text = places[0].key.parameters[list];
  char *shared = ts_arena_alloc(arena, strlen(text) + 2), *end = shared;
  for (param p; shared && next_param(&p, &text);) {
    bool is_shared = true;
    for (size_t i = 1; i < count && is_shared; i++)
      is_shared = has_param(places[i].key.parameters[list], &p);
    size_t length = (size_t)(p.value + p.value_length - p.name);
    if (is_shared) {
      memcpy(end, p.name, length);
      end += length;
      *end++ = ';';
    }
  }
  return shared;
}

/// Adds to each place's label the parameters of one list that distinguish it among places [count].
static ts_status add_varying(const char ***words, ts_arena *arena, place *places, size_t count,
                             int list) {
  // Of thousands of draws most parameters are the same: looking for another value of each of them
  // would take a time that grows with the square of the count.
  const char *shared = find_shared(arena, places, count, list);
  if (!shared)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const char *start = places[i].key.parameters[list], *text = start;
    for (param p; next_param(&p, &text);) {
      if (has_param(shared, &p) || !tells_apart(start, &p, places, count, list))
        continue;
      int length = (int)(p.value + p.value_length - p.name);
      const char *word = ts_arena_format(arena, "%.*s", length, p.name);
      if (!word)
        return TS_E_MEMORY;
      words[i][places[i].entry.word_count++] = word;
    }
  }
  return TS_OK;
}

/// Adds the step to each place's label if steps differ.
static ts_status add_steps(const char ***words, ts_arena *arena, place *places, size_t count) {
  bool is_shared = true;
  for (size_t i = 1; i < count; i++)
    is_shared &= places[i].key.step == places[0].key.step ||
                 (isnan(places[i].key.step) && isnan(places[0].key.step));
  for (size_t i = 0; i < count && !is_shared; i++) {
    char number[TS_NUMBER_BYTES];
    double step = places[i].key.step;
    const char *word =
        step == 0 ? "touch" : ts_arena_format(arena, "step=%s", ts_number_format(number, step));
    if (!word)
      return TS_E_MEMORY;
    words[i][places[i].entry.word_count++] = word;
  }
  return TS_OK;
}

/// Finds what distinguishes the places [count], which have the same name.
static ts_status name_places(ts_arena *arena, place *places, size_t count) {
  const char ***words = ts_arena_array(arena, count, sizeof *words);
  if (!words)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const ts_axis_key *key = &places[i].key;
    size_t most = count_params(key->parameters[0]) + count_params(key->parameters[1]) + 1;
    words[i] = ts_arena_array(arena, most, sizeof **words);
    if (!words[i])
      return TS_E_MEMORY;
    places[i].entry = (ts_axis_entry){key->name, 0, words[i]};
  }
  TS_TRY(add_varying(words, arena, places, count, 0));
  TS_TRY(add_varying(words, arena, places, count, 1));
  return add_steps(words, arena, places, count);
}

/// Makes the axis of places [count], one for each record; they are sorted and thinned out.
static ts_status make_axis(ts_axis *out, ts_arena *arena, place *places, size_t count) {
  size_t *entry_of = ts_arena_array(arena, count, sizeof *entry_of);
  size_t *place_of = ts_arena_array(arena, count, sizeof *place_of);
  if (!entry_of || !place_of)
    return TS_E_MEMORY;
  qsort(places, count, sizeof *places, compare_places);
  size_t place_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (place_count == 0 || compare_keys(&places[place_count - 1].key, &places[i].key) != 0)
      places[place_count++] = places[i];
    place_of[places[i].record] = place_count - 1;
  }
  for (size_t first = 0, end; first < place_count; first = end) {
    for (end = first + 1; end < place_count; end++)
      if (strcmp(places[first].key.name, places[end].key.name) != 0)
        break;
    TS_TRY(name_places(arena, &places[first], end - first));
  }
  const place **order = ts_arena_array(arena, place_count, sizeof *order);
  size_t *entry_of_place = ts_arena_array(arena, place_count, sizeof *entry_of_place);
  ts_axis_entry *entries = ts_arena_array(arena, place_count, sizeof *entries);
  if (!order || !entry_of_place || !entries)
    return TS_E_MEMORY;
  for (size_t i = 0; i < place_count; i++)
    order[i] = &places[i];
  qsort(order, place_count, sizeof *order, compare_first);
  for (size_t i = 0; i < place_count; i++) {
    entries[i] = order[i]->entry;
    entry_of_place[order[i] - places] = i;
  }
  for (size_t i = 0; i < count; i++)
    entry_of[i] = entry_of_place[place_of[i]];
  *out = (ts_axis){place_count, entries, entry_of};
  return TS_OK;
}

bool ts_record_is_tabulated(const ts_record *records, size_t count, size_t i) {
  const ts_record *r = &records[i];
  bool is_last = i + 1 == count || strcmp(r->cell, records[i + 1].cell) != 0;
  return is_last || !(r->step > 0) || r->step == TS_PUBLISHED_STEP || !ts_record_is_ok(r);
}

ts_status ts_axis_of_cases(ts_axis *out, ts_arena *arena, const ts_record *records, size_t count) {
  place *places = ts_arena_array(arena, count, sizeof *places);
  if (!places)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    places[i] = (place){
        .key = {records[i].case_name,
                {records[i].case_parameters, records[i].simulation_parameters},
                records[i].step},
        .record = i,
    };
  return make_axis(out, arena, places, count);
}

ts_status ts_axis_of_methods(ts_axis *out, ts_arena *arena, const ts_record *records,
                             size_t count) {
  place *places = ts_arena_array(arena, count, sizeof *places);
  if (!places)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const ts_record *r = &records[i];
    places[i] = (place){
        .key = {r->method, {r->method_parameters, r->scoring_parameters}, 0},
        .record = i,
    };
  }
  return make_axis(out, arena, places, count);
}

const char *ts_axis_label(ts_arena *arena, const ts_axis_entry *entry) {
  size_t bytes = strlen(entry->name) + 1;
  for (size_t i = 0; i < entry->word_count; i++)
    bytes += strlen(entry->words[i]) + 1;
  char *label = ts_arena_alloc(arena, bytes), *end = label;
  if (!label)
    return NULL;
  end = stpcpy(end, entry->name);
  for (size_t i = 0; i < entry->word_count; i++)
    end = stpcpy(stpcpy(end, " "), entry->words[i]);
  return label;
}
