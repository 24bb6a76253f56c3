// SPDX-License-Identifier: MIT
/// Replaces base/arena.c: every block is a separate allocation, so that sanitizers detect accesses
/// out of bounds.
#include "base/arena.h"
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX ((size_t)1 << 30)

typedef struct piece piece;
struct piece {
  piece *before;
  size_t bytes;
  void *memory;
};

struct ts_arena {
  piece *last;
  size_t used;
};

ts_status ts_arena_create(ts_arena **out) {
  *out = calloc(1, sizeof **out);
  return *out ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

void ts_arena_destroy(ts_arena *arena) {
  if (arena)
    ts_arena_rewind(arena, (ts_arena_mark){0});
  free(arena);
}

void *ts_arena_alloc(ts_arena *arena, size_t bytes) {
  piece *p = bytes > BYTES_MAX - arena->used ? NULL : malloc(sizeof *p);
  void *memory = NULL;
  // Aligned as documented, and not a byte longer.
  if (!p || posix_memalign(&memory, bytes >= 64 ? 64 : 16, bytes > 0 ? bytes : 1) != 0) {
    free(p);
    ts_fail(TS_E_MEMORY, "out of memory: %zu bytes requested", bytes);
    return NULL;
  }
  *p = (piece){arena->last, bytes, memory};
  arena->last = p;
  arena->used += bytes;
  return memset(memory, 0, bytes);
}

void *ts_arena_array(ts_arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = SIZE_MAX;
  return ts_arena_alloc(arena, bytes);
}

char *ts_arena_string(ts_arena *arena, const char *text) {
  size_t length = strlen(text) + 1;
  char *copy = ts_arena_alloc(arena, length);
  return copy ? memcpy(copy, text, length) : NULL;
}

char *ts_arena_format(ts_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = NULL;
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  char *copy = length < 0 ? NULL : ts_arena_string(arena, text);
  free(text);
  return copy;
}

ts_arena_mark ts_arena_get_mark(const ts_arena *arena) {
  return (ts_arena_mark){arena->last, arena->used};
}

void ts_arena_rewind(ts_arena *arena, ts_arena_mark mark) {
  while (arena->last && arena->last != mark.block) {
    piece *p = arena->last;
    arena->last = p->before;
    arena->used -= p->bytes;
    free(p->memory);
    free(p);
  }
}

size_t ts_arena_used(const ts_arena *arena) {
  return arena->used;
}
