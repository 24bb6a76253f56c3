// SPDX-License-Identifier: MIT
#include "harness/score/body_words.h"

#include "base/number.h"
#include "base/status.h"
#include "harness/plan/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Names longer than this are not cached.
#define WORD_BYTES 64

/// A body by its name, for lookup.
typedef struct named {
  const char *name;
  int32_t body;
} named;

/// A word that was looked up, cached because rows of a pair are usually consecutive.
typedef struct known_word {
  char word[WORD_BYTES];
  int32_t body; ///< -1: none yet
} known_word;

/// The last words of so many columns of a row.
enum { KNOWN_WORDS = 2 };

struct ts_body_finder {
  const ts_scene *scene;
  ts_body_words words;
  const char *path;
  named *names; ///< [scene->body_count], sorted
  known_word known[KNOWN_WORDS];
  size_t next; ///< that is replaced next
};

static int compare_named(const void *a, const void *b) {
  const named *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order != 0 ? order : (x->body > y->body) - (x->body < y->body);
}

ts_status ts_body_finder_create(ts_body_finder **out, ts_arena *arena, const ts_scene *scene,
                                ts_body_words words, const char *path) {
  ts_body_finder *f = ts_arena_alloc(arena, sizeof *f);
  named *names = ts_arena_array(arena, scene->body_count, sizeof *names);
  if (!f || !names)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->body_count; i++)
    names[i] = (named){scene->bodies[i].name, (int32_t)i};
  if (scene->body_count > 0)
    qsort(names, scene->body_count, sizeof *names, compare_named);
  *f = (ts_body_finder){.scene = scene, .words = words, .path = path, .names = names};
  for (int i = 0; i < KNOWN_WORDS; i++)
    f->known[i].body = -1;
  *out = f;
  return TS_OK;
}

/// Finds the bodies with this name: the first one, and how many there are.
static size_t find_named(int32_t *out, const ts_body_finder *f, const char *word) {
  size_t low = 0, high = f->scene->body_count, count = high;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(f->names[middle].name, word) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  size_t same = 0;
  while (low + same < count && strcmp(f->names[low + same].name, word) == 0)
    same++;
  *out = same > 0 ? f->names[low].body : -1;
  return same;
}

static ts_status fail_unknown(const ts_body_finder *f, const char *column, const char *word,
                              size_t line) {
  const ts_scene *scene = f->scene;
  double number;
  if (f->words != TS_BODIES_NAME && ts_number_parse(&number, word) == TS_OK)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: %s is %.40s, but the scene has %zu bodies, counted from 0",
                   f->path, line, column, word, scene->body_count);
  const char **names = calloc(scene->body_count + 1, sizeof *names);
  if (!names)
    return ts_fail(TS_E_MEMORY, "out of memory");
  for (size_t i = 0; i < scene->body_count; i++)
    names[i] = scene->bodies[i].name;
  char cut[WORD_BYTES];
  snprintf(cut, sizeof cut, "%s", word);
  ts_names_unknown("body", cut, names, scene->body_count);
  free(names);
  char message[900];
  snprintf(message, sizeof message, "%s", ts_status_detail());
  return ts_fail(TS_E_INPUT, "%s, line %zu: %s", f->path, line, message);
}

static ts_status look_up(int32_t *out, const ts_body_finder *f, const char *column,
                         const char *word, size_t line) {
  const ts_scene *scene = f->scene;
  ts_body_words words = f->words;
  double number = -1;
  bool is_number = words != TS_BODIES_NAME && ts_number_parse(&number, word) == TS_OK;
  bool is_index =
      is_number && number >= 0 && number < (double)scene->body_count && number == floor(number);
  int32_t body = -1;
  size_t same = words == TS_BODIES_INDEX ? 0 : find_named(&body, f, word);
  if (same > 1)
    return ts_fail(TS_E_INPUT, "%s, line %zu: %zu bodies are named \"%.40s\"; use the index",
                   f->path, line, same, word);
  if (is_index && same == 1 && body != (int32_t)number)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: %s is %.40s, which is an index, but body %d also has this name; "
                   "say which is meant with --bodies index or --bodies name",
                   f->path, line, column, word, body);
  if (!is_index && same == 0)
    return fail_unknown(f, column, word, line);
  *out = is_index ? (int32_t)number : body;
  return TS_OK;
}

ts_status ts_body_find(int32_t *out, ts_body_finder *finder, const char *column, const char *word,
                       size_t line) {
  for (int i = 0; i < KNOWN_WORDS; i++)
    if (finder->known[i].body >= 0 && strcmp(finder->known[i].word, word) == 0) {
      *out = finder->known[i].body;
      return TS_OK;
    }
  TS_TRY(look_up(out, finder, column, word, line));
  size_t length = strlen(word);
  if (length >= WORD_BYTES)
    return TS_OK;
  known_word *known = &finder->known[finder->next++ % KNOWN_WORDS];
  memcpy(known->word, word, length + 1);
  known->body = *out;
  return TS_OK;
}
