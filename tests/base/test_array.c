// SPDX-License-Identifier: MIT
// covers: base/array.c
#include "base/array.h"
#include "base/sanitizer.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(base_array, .init = setup, .fini = teardown);

/// A source that counts what it is asked for, and has nothing left after `limit` times.
typedef struct counted {
  size_t calls, limit, bytes;
} counted;

static void *allocate_counted(void *context, size_t bytes) {
  counted *source = context;
  source->bytes = bytes;
  if (source->calls == source->limit) {
    ts_fail(TS_E_MEMORY, "the source is empty");
    return NULL;
  }
  source->calls++;
  return ts_arena_alloc(arena, bytes);
}

Test(base_array, appended_items_keep_their_values_in_an_arena) {
  double *items = NULL;
  size_t capacity = 0, count = 0;
  while (count < 10000) {
    cr_assert_eq(TS_ARENA_GROW(items, capacity, count, 1, arena), TS_OK);
    cr_assert_gt(capacity, count);
    items[count] = (double)count;
    count++;
  }
  for (size_t i = 0; i < count; i++)
    cr_assert(items[i] == (double)i, "item %zu is %g", i, items[i]);
}

Test(base_array, appended_items_keep_their_values_on_the_heap) {
  uint32_t(*items)[3] = NULL;
  size_t capacity = 0, count = 0;
  while (count < 10000) {
    cr_assert_eq(TS_HEAP_GROW(items, capacity, count, 1), TS_OK);
    cr_assert_gt(capacity, count);
    items[count][0] = (uint32_t)count;
    items[count++][2] = 7;
  }
  for (size_t i = 0; i < count; i++)
    cr_assert(items[i][0] == i && items[i][2] == 7, "item %zu", i);
  free(items);
}

Test(base_array, arrays_of_large_items_begin_with_fewer) {
  struct {
    unsigned char bytes[200];
  } *large = NULL;
  char *small = NULL;
  size_t large_capacity = 0, small_capacity = 0;
  cr_assert_eq(TS_HEAP_GROW(large, large_capacity, 0, 1), TS_OK);
  cr_assert_eq(TS_HEAP_GROW(small, small_capacity, 0, 1), TS_OK);
  cr_assert_eq(large_capacity, 4);
  cr_assert_eq(small_capacity, 16);
  free(large);
  free(small);
}

Test(base_array, the_capacity_at_least_doubles_and_fits_the_request) {
  counted source = {.limit = SIZE_MAX};
  int64_t *items = NULL;
  size_t capacity = 0;
  for (size_t count = 0; count < 1000000; count++) {
    size_t before = capacity;
    cr_assert_eq(
        ts_array_grow(&items, sizeof *items, &capacity, count, 1, allocate_counted, &source),
        TS_OK);
    cr_assert(capacity == before || capacity >= 2 * before);
  }
  cr_assert_lt(source.calls, 20);
  cr_assert_eq(source.bytes, capacity * sizeof *items);
  cr_assert_eq(
      ts_array_grow(&items, sizeof *items, &capacity, 5, 3000000, allocate_counted, &source),
      TS_OK);
  cr_assert_geq(capacity, 3000005);
}

Test(base_array, room_that_is_there_asks_for_no_memory) {
  counted source = {.limit = 1};
  char *items = NULL;
  size_t capacity = 0;
  cr_assert_eq(ts_array_grow(&items, 1, &capacity, 0, 100, allocate_counted, &source), TS_OK);
  cr_assert_eq(ts_array_grow(&items, 1, &capacity, 0, capacity, allocate_counted, &source), TS_OK);
  cr_assert_eq(ts_array_grow(&items, 1, &capacity, capacity, 0, allocate_counted, &source), TS_OK);
  cr_assert_eq(source.calls, 1);
}

Test(base_array, nothing_asked_for_of_an_empty_array_leaves_it_empty) {
  int *items = NULL;
  size_t capacity = 0;
  cr_assert_eq(TS_HEAP_GROW(items, capacity, 0, 0), TS_OK);
  cr_assert_eq(TS_ARENA_GROW(items, capacity, 0, 0, arena), TS_OK);
  cr_assert_null(items);
  cr_assert_eq(capacity, 0);
}

Test(base_array, arrays_of_an_arena_are_aligned_to_cache_lines_whatever_their_items) {
  char *bytes = NULL;
  ts_vec3 *vectors = NULL;
  size_t byte_capacity = 0, vector_capacity = 0;
  for (size_t count = 64; count < 100000; count *= 3) {
    cr_assert_eq(TS_ARENA_GROW(bytes, byte_capacity, 0, count, arena), TS_OK);
    cr_assert_eq(TS_ARENA_GROW(vectors, vector_capacity, 0, count, arena), TS_OK);
    cr_assert_eq((uintptr_t)bytes % 64, 0, "%zu bytes", count);
    cr_assert_eq((uintptr_t)vectors % 64, 0, "%zu vectors", count);
  }
}

Test(base_array, arrays_of_the_heap_are_aligned_for_any_type) {
  max_align_t *items = NULL;
  size_t capacity = 0;
  for (size_t count = 1; count < 100000; count *= 3) {
    cr_assert_eq(TS_HEAP_GROW(items, capacity, 0, count), TS_OK);
    cr_assert_eq((uintptr_t)items % _Alignof(max_align_t), 0);
  }
  free(items);
}

Test(base_array, more_bytes_than_can_exist_are_refused_and_the_array_stays) {
  static const size_t too_many[] = {SIZE_MAX,
                                    SIZE_MAX - 1,
                                    SIZE_MAX / 2,
                                    SIZE_MAX / sizeof(ts_vec3),
                                    SIZE_MAX / sizeof(ts_vec3) + 1,
                                    SIZE_MAX / 2 / sizeof(ts_vec3)};
  for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++) {
    ts_vec3 *of_heap = NULL, *of_arena = NULL;
    size_t heap_capacity = 0, arena_capacity = 0;
    cr_assert_eq(TS_HEAP_GROW(of_heap, heap_capacity, 0, 1), TS_OK);
    cr_assert_eq(TS_ARENA_GROW(of_arena, arena_capacity, 0, 1, arena), TS_OK);
    of_heap[0].y = of_arena[0].y = 3;
    ts_vec3 *heap_before = of_heap, *arena_before = of_arena;
    cr_assert_eq(TS_HEAP_GROW(of_heap, heap_capacity, 1, too_many[i]), TS_E_MEMORY);
    cr_assert_not_null(strstr(ts_status_detail(), "out of memory"), "%s", ts_status_detail());
    cr_assert_eq(TS_ARENA_GROW(of_arena, arena_capacity, 1, too_many[i], arena), TS_E_MEMORY);
    cr_assert_not_null(strstr(ts_status_detail(), "out of memory"), "%s", ts_status_detail());
    cr_assert_eq(of_heap, heap_before);
    cr_assert_eq(of_arena, arena_before);
    cr_assert(of_heap[0].y == 3 && of_arena[0].y == 3);
    cr_assert_eq(heap_capacity, 16);
    cr_assert_eq(arena_capacity, 16);
    free(of_heap);
  }
}

Test(base_array, a_failing_allocation_leaves_the_array_and_says_what_the_source_says) {
  counted source = {.limit = 2};
  int *items = NULL;
  size_t capacity = 0, count = 0;
  ts_status status = TS_OK;
  while (status == TS_OK && count < 1000) {
    status = ts_array_grow(&items, sizeof *items, &capacity, count, 1, allocate_counted, &source);
    if (status == TS_OK) {
      items[count] = (int)count;
      count++;
    }
  }
  cr_assert_eq(status, TS_E_MEMORY);
  cr_assert_str_eq(ts_status_detail(), "the source is empty");
  cr_assert_eq(count, 32);
  cr_assert_eq(capacity, 32);
  for (size_t i = 0; i < count; i++)
    cr_assert_eq(items[i], (int)i);
}

// The address sanitizer ends a program that asks for so much.
#if !TS_HAS_ADDRESS_SANITIZER
Test(base_array, a_heap_without_memory_leaves_the_array_and_says_so) {
  uint64_t *items = NULL;
  size_t capacity = 0;
  cr_assert_eq(TS_HEAP_GROW(items, capacity, 0, 1), TS_OK);
  items[0] = 42;
  uint64_t *before = items;
  cr_assert_eq(TS_HEAP_GROW(items, capacity, 1, SIZE_MAX / 2 / sizeof *items - 1), TS_E_MEMORY);
  cr_assert_not_null(strstr(ts_status_detail(), "out of memory"), "%s", ts_status_detail());
  cr_assert_eq(items, before);
  cr_assert_eq(items[0], 42);
  cr_assert_eq(capacity, 16);
  free(items);
}
#endif
