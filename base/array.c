// SPDX-License-Identifier: MIT
#include "base/array.h"

#include "base/status.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// How much room an array begins with: so many bytes, in whole items of these numbers.
#define FIRST_BYTES          ((size_t)512)
#define FIRST_CAPACITY_LEAST ((size_t)4)
#define FIRST_CAPACITY_MOST  ((size_t)16)

void *ts_array_from_arena(void *context, size_t bytes) {
  return ts_arena_alloc(context, bytes);
}

static void *reallocate(void *old, size_t bytes) {
  void *grown = realloc(old, bytes);
  if (!grown)
    ts_fail(TS_E_MEMORY, "out of memory: %zu bytes requested", bytes);
  return grown;
}

static size_t first_capacity(size_t item_bytes) {
  size_t items = FIRST_BYTES / item_bytes;
  return items < FIRST_CAPACITY_LEAST  ? FIRST_CAPACITY_LEAST
         : items < FIRST_CAPACITY_MOST ? items
                                       : FIRST_CAPACITY_MOST;
}

ts_status ts_array_regrow(void *items, size_t item_bytes, size_t *capacity, size_t count,
                          size_t more, ts_array_source *source, void *context) {
  assert(item_bytes > 0 && count <= *capacity);
  const size_t capacity_max = SIZE_MAX / 2 / item_bytes;
  if (count > capacity_max || more > capacity_max - count)
    return ts_fail(TS_E_MEMORY, "out of memory: %zu more items of %zu bytes after %zu", more,
                   item_bytes, count);
  const size_t first = first_capacity(item_bytes);
  size_t larger = *capacity < first / 2 ? first : 2 * *capacity;
  if (larger < count + more || larger > capacity_max)
    larger = count + more;

  // Through copies of the pointer: the array may be of any type, and no `void **` points to a
  // pointer of another type.
  void *old, *grown;
  memcpy(&old, items, sizeof old);
  grown = source ? source(context, larger * item_bytes) : reallocate(old, larger * item_bytes);
  if (!grown)
    return TS_E_MEMORY;
  if (source && count > 0)
    memcpy(grown, old, count * item_bytes);
  memcpy(items, &grown, sizeof grown);
  *capacity = larger;
  return TS_OK;
}
