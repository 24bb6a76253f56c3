// SPDX-License-Identifier: MIT
#include "harness/commands/method_styles.h"

#include "base/hash.h"
#include "base/status.h"
#include "harness/plan/catalog.h"
#include "methods/plugins/engines.h"
#include "reports/plots/plot_style.h"

#include <stdbool.h>
#include <string.h>

/// Slots for methods of plug-ins: enough to make hash collisions of two names rare.
#define FOREIGN_PLACES 56

/// Assigns one of `places` [count] ("" is free) to a method that is in no list: the one that its
/// name hashes to, or the next free one. False when all are taken.
static bool take_place(const char **places, size_t count, const char *name) {
  uint64_t hash = ts_hash_bytes(TS_HASH_START, name, strlen(name));
  for (size_t i = 0; i < count; i++) {
    const char **place = &places[(hash + i) % count];
    if ((*place)[0] == '\0') {
      *place = name;
      return true;
    }
  }
  return false;
}

ts_status ts_method_styles_order(const char *const **out, size_t *out_count, ts_arena *arena,
                                 const ts_record *records, size_t count) {
  ts_catalog plain, all;
  TS_TRY(ts_catalog_create(&plain, arena, false));
  TS_TRY(ts_catalog_create(&all, arena, true));
  size_t engine_count = 0, used = 0;
  while (ts_engines[engine_count].name)
    engine_count++;
  const char **names = ts_arena_array(
      arena, all.method_count + engine_count + FOREIGN_PLACES + count, sizeof *names);
  if (!names)
    return TS_E_MEMORY;
  for (size_t i = 0; i < plain.method_count; i++)
    names[used++] = plain.methods[i]->name;
  for (size_t i = 0; i < engine_count; i++)
    names[used++] = ts_engines[i].name;
  for (size_t i = plain.method_count; i < all.method_count; i++) // the controls
    names[used++] = all.methods[i]->name;
  const char **foreign = &names[used];
  for (size_t i = 0; i < FOREIGN_PLACES; i++)
    names[used++] = "";
  for (size_t i = 0; i < count; i++) {
    const char *name = records[i].method;
    if (ts_style_place(names, used, name) == used && !take_place(foreign, FOREIGN_PLACES, name))
      names[used++] = name;
  }
  *out = names;
  *out_count = used;
  return TS_OK;
}
