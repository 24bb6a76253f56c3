// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK_BYTES ((size_t)64 * 1024)
#define LARGEST_GROWTH    ((size_t)16 * 1024 * 1024)
#define ALIGNMENT         ((size_t)64)

typedef struct block block;
struct block {
  block *next;
  size_t capacity, used;
  unsigned char *bytes;
};

struct ts_arena {
  block *first, *current;
  size_t next_capacity;
};

ts_status ts_arena_create(ts_arena **out) {
  ts_arena *arena = calloc(1, sizeof *arena);
  if (!arena)
    return ts_fail(TS_E_MEMORY, "out of memory");
  arena->next_capacity = FIRST_BLOCK_BYTES;
  *out = arena;
  return TS_OK;
}

void ts_arena_destroy(ts_arena *arena) {
  if (!arena)
    return;
  for (block *b = arena->first; b;) {
    block *next = b->next;
    free(b->bytes);
    free(b);
    b = next;
  }
  free(arena);
}

static block *block_create(size_t capacity) {
  block *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  b->bytes = aligned_alloc(ALIGNMENT, capacity);
  if (!b->bytes) {
    free(b);
    return NULL;
  }
  b->capacity = capacity;
  return b;
}

/// Makes `current` a block with room for `bytes`: one kept from before a rewind, or a new one.
static int make_room(ts_arena *arena, size_t bytes) {
  while (arena->current && arena->current->next) {
    arena->current = arena->current->next;
    arena->current->used = 0;
    if (arena->current->capacity >= bytes)
      return 1;
  }
  size_t capacity = arena->next_capacity > bytes ? arena->next_capacity : bytes;
  capacity = (capacity + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  block *b = block_create(capacity);
  if (!b)
    return 0;
  if (arena->next_capacity < LARGEST_GROWTH)
    arena->next_capacity *= 2;
  if (arena->current)
    arena->current->next = b;
  else
    arena->first = b;
  arena->current = b;
  return 1;
}

void *ts_arena_alloc(ts_arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 2) {
    ts_fail(TS_E_MEMORY, "out of memory: %zu bytes requested", bytes);
    return NULL;
  }
  size_t alignment = bytes >= ALIGNMENT ? ALIGNMENT : 16;
  size_t padded = (bytes + 15) / 16 * 16;
  block *b = arena->current;
  // A power of 2: a division by it would take longer than all the rest.
  size_t start = b ? (b->used + alignment - 1) & ~(alignment - 1) : 0;
  if (!b || start > b->capacity || b->capacity - start < padded) {
    if (!make_room(arena, padded)) {
      ts_fail(TS_E_MEMORY, "out of memory: %zu bytes requested", bytes);
      return NULL;
    }
    b = arena->current;
    start = 0;
  }
  b->used = start + padded;
  return memset(b->bytes + start, 0, padded);
}

void *ts_arena_array(ts_arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) {
    ts_fail(TS_E_MEMORY, "out of memory: %zu items of %zu bytes requested", count, size);
    return NULL;
  }
  return ts_arena_alloc(arena, count * size);
}

char *ts_arena_string(ts_arena *arena, const char *text) {
  size_t length = strlen(text) + 1;
  char *copy = ts_arena_alloc(arena, length);
  return copy ? memcpy(copy, text, length) : NULL;
}

char *ts_arena_format(ts_arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = length < 0 ? NULL : ts_arena_alloc(arena, (size_t)length + 1);
  if (text)
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

ts_arena_mark ts_arena_get_mark(const ts_arena *arena) {
  block *b = arena->current;
  return (ts_arena_mark){b, b ? b->used : 0};
}

void ts_arena_rewind(ts_arena *arena, ts_arena_mark mark) {
  arena->current = mark.block ? mark.block : arena->first;
  if (arena->current)
    arena->current->used = mark.block ? mark.used : 0;
}

size_t ts_arena_used(const ts_arena *arena) {
  size_t used = 0;
  for (const block *b = arena->first; b; b = b->next) {
    used += b->used;
    if (b == arena->current)
      break;
  }
  return used;
}
