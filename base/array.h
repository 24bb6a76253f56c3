// SPDX-License-Identifier: MIT
/// Growing arrays. The caller keeps a pointer (NULL at first), a capacity (0 at first) and a count;
/// before it appends, it asks for room:
///
///     TS_TRY(TS_ARENA_GROW(list->items, list->capacity, list->count, 1, list->arena));
///     list->items[list->count++] = item;
///
/// Each makes room for `more` items after the first `count`, which keep their values; the items
/// after them are undefined. The capacity at least doubles, so that appending n items copies fewer
/// than 2 n. `items` and `capacity` are lvalues, evaluated once. Out of memory, or more bytes than
/// can exist, is TS_E_MEMORY with the detail line set, and leaves array and capacity as they were.
#ifndef TS_BASE_ARRAY_H
#define TS_BASE_ARRAY_H

#include "base/arena.h"

/// In an arena. Outgrown blocks stay in the arena; together they are smaller than the array itself.
/// Items are aligned as by ts_arena_alloc().
#define TS_ARENA_GROW(items, capacity, count, more, arena)                                         \
  ts_array_grow(&(items), sizeof *(items), &(capacity), (count), (more), ts_array_from_arena,      \
                (arena))

/// On the heap; free(items) releases it.
#define TS_HEAP_GROW(items, capacity, count, more)                                                 \
  ts_array_grow(&(items), sizeof *(items), &(capacity), (count), (more), NULL, NULL)

/// Where the memory of an array comes from: `bytes` that last as long as the array and are released
/// by `context` later on; NULL, with the detail line set, when out of memory.
typedef void *ts_array_source(void *context, size_t bytes);

/// The source of TS_ARENA_GROW; `context` is a ts_arena.
void *ts_array_from_arena(void *context, size_t bytes);

/// Called by ts_array_grow() when there is no room.
ts_status ts_array_regrow(void *items, size_t item_bytes, size_t *capacity, size_t count,
                          size_t more, ts_array_source *source, void *context);

/// The same as the macros, for any other source of memory (NULL: the heap) and for items whose size
/// does not follow from the type of the pointer. `items` is the address of the pointer to the first
/// item.
static inline ts_status ts_array_grow(void *items, size_t item_bytes, size_t *capacity,
                                      size_t count, size_t more, ts_array_source *source,
                                      void *context) {
  if (more <= *capacity - count)
    return TS_OK;
  return ts_array_regrow(items, item_bytes, capacity, count, more, source, context);
}

#endif
