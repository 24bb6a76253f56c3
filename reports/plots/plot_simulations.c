// SPDX-License-Identifier: MIT
#include "reports/plots/plot_simulations.h"

#include "base/status.h"

#include <stdbool.h>
#include <string.h>

// Runs do not write the response that there has always been.
#define RESPONSE        "response"
#define RESPONSE_POINTS RESPONSE "=points"

/// "name=value" in a list; not NUL-terminated.
typedef struct word {
  const char *text;
  size_t length, name_length;
} word;

/// Reads the next word and advances `list`; false at its end.
static bool next_word(word *out, const char **list) {
  if (!**list)
    return false;
  size_t length = strcspn(*list, ";"), name_length = strcspn(*list, "=;");
  *out = (word){*list, length, name_length};
  *list += length + ((*list)[length] == ';');
  return true;
}

static bool is_same(const char *a, size_t a_length, const char *b, size_t b_length) {
  return a_length == b_length && memcmp(a, b, a_length) == 0;
}

/// Whether the list has the parameter of the word with another value.
static bool has_other(const char *list, const word *wanted) {
  for (word w; next_word(&w, &list);)
    if (is_same(w.text, w.name_length, wanted->text, wanted->name_length))
      return !is_same(w.text, w.length, wanted->text, wanted->length);
  return false;
}

static bool differs(const char *const *lists, size_t count, const word *w) {
  for (size_t i = 0; i < count; i++)
    if (has_other(lists[i], w))
      return true;
  return false;
}

static bool has_response(const char *list) {
  for (word w; next_word(&w, &list);)
    if (is_same(w.text, w.name_length, RESPONSE, strlen(RESPONSE)))
      return true;
  return false;
}

ts_status ts_plot_name_simulations(const char ***out, ts_arena *arena, const char *const *lists,
                                   size_t count) {
  const char **full = ts_arena_array(arena, count, sizeof *full);
  const char **names = ts_arena_array(arena, count, sizeof *names);
  if (!full || !names)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    full[i] = has_response(lists[i]) ? lists[i]
                                     : ts_arena_format(arena, "%s%s" RESPONSE_POINTS, lists[i],
                                                       lists[i][0] ? ";" : "");
    if (!full[i])
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < count; i++) {
    names[i] = "";
    const char *list = full[i];
    for (word w; names[i] && next_word(&w, &list);)
      if (differs(full, count, &w))
        names[i] = ts_arena_format(arena, "%s%s%.*s", names[i], names[i][0] ? " " : "",
                                   (int)w.length, w.text);
    if (!names[i])
      return TS_E_MEMORY;
  }
  *out = names;
  return TS_OK;
}
