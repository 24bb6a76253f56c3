// SPDX-License-Identifier: MIT
#include "reports/rows/modified_names.h"

#include <stdbool.h>
#include <string.h>

void ts_modifier_names(char *out, size_t bytes, const char *modifiers) {
  size_t length = 0;
  bool is_name = true;
  for (const char *c = modifiers; *c && length + 1 < bytes; c++) {
    is_name = *c == ',' || (is_name && *c != ':');
    if (is_name)
      out[length++] = *c;
  }
  out[length] = '\0';
}

/// A chain of modifiers, the text of the first record that has its names.
typedef struct chain {
  const char *names, *text;
  bool has_other; ///< another chain has the same names
} chain;

#define NAMES_BYTES 1024

/// The entry of a text, added unless it is there; NULL when out of memory.
static chain *find_chain(chain *chains, size_t *count, ts_arena *arena, const char *text) {
  char names[NAMES_BYTES];
  ts_modifier_names(names, sizeof names, text);
  for (size_t i = 0; i < *count; i++)
    if (strcmp(chains[i].names, names) == 0)
      return &chains[i];
  const char *copy = ts_arena_string(arena, names);
  if (!copy)
    return NULL;
  chains[*count] = (chain){copy, text, false};
  return &chains[(*count)++];
}

ts_status ts_name_modified(ts_record *records, size_t count, ts_arena *arena) {
  chain *chains = ts_arena_array(arena, count, sizeof *chains);
  size_t chain_count = 0;
  if (!chains)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    if (!*records[i].modifiers)
      continue;
    chain *of = find_chain(chains, &chain_count, arena, records[i].modifiers);
    if (!of)
      return TS_E_MEMORY;
    of->has_other = of->has_other || strcmp(of->text, records[i].modifiers) != 0;
  }
  for (size_t i = 0; i < count; i++) {
    if (!*records[i].modifiers)
      continue;
    const chain *of = find_chain(chains, &chain_count, arena, records[i].modifiers);
    records[i].method = ts_arena_format(arena, "%s+%s", records[i].method,
                                        of->has_other ? records[i].modifiers : of->names);
    if (!records[i].method)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

const char *ts_unmodified_name(ts_arena *arena, const char *method) {
  size_t length = strcspn(method, "+"); // no name of a method has one
  return method[length] ? ts_arena_format(arena, "%.*s", (int)length, method) : method;
}
