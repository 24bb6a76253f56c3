// SPDX-License-Identifier: MIT
/// An arena: memory that is allocated in pieces and released all at once.
#ifndef TS_BASE_ARENA_H
#define TS_BASE_ARENA_H

#include "base/types.h"

#include <string.h>

typedef struct ts_arena ts_arena;

/// A position in an arena to rewind to.
typedef struct ts_arena_mark {
  void *block;
  size_t used;
} ts_arena_mark;

ts_status ts_arena_create(ts_arena **out);
void ts_arena_destroy(ts_arena *arena);

/// `bytes` of zeroed memory, aligned for any type and to 64 bytes when it is that large; NULL, with
/// the detail line set, when out of memory. Zero bytes give a valid pointer.
void *ts_arena_alloc(ts_arena *arena, size_t bytes);

/// The same for an array; NULL when `count * size` overflows.
void *ts_arena_array(ts_arena *arena, size_t count, size_t size);

/// A copy of an array, which may be NULL when the count is 0; NULL as above.
static inline void *ts_arena_copy(ts_arena *arena, const void *items, size_t count, size_t size) {
  void *copy = ts_arena_array(arena, count, size);
  return copy && count > 0 ? memcpy(copy, items, count * size) : copy;
}

/// A copy of a string; NULL when out of memory.
char *ts_arena_string(ts_arena *arena, const char *text);

/// A formatted string; NULL when out of memory.
char *ts_arena_format(ts_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// ts_arena_rewind() releases everything allocated after its mark was taken; the
/// blocks stay for reuse, so that a warm loop allocates nothing from the system.
ts_arena_mark ts_arena_get_mark(const ts_arena *arena);
void ts_arena_rewind(ts_arena *arena, ts_arena_mark mark);

/// Bytes allocated and not released.
size_t ts_arena_used(const ts_arena *arena);

#endif
