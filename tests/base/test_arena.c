// SPDX-License-Identifier: MIT
// covers: base/arena.c
#include "base/arena.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(base_arena, .init = setup, .fini = teardown);

Test(base_arena, memory_is_zeroed_also_after_a_rewind) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  memset(ts_arena_alloc(arena, 1000), 0xff, 1000);
  ts_arena_rewind(arena, mark);
  const unsigned char *bytes = ts_arena_alloc(arena, 1000);
  for (int i = 0; i < 1000; i++)
    cr_assert_eq(bytes[i], 0);
}

Test(base_arena, large_pieces_are_aligned_to_cache_lines_and_small_ones_to_any_type) {
  for (size_t bytes = 0; bytes < 300; bytes += 7) {
    uintptr_t address = (uintptr_t)ts_arena_alloc(arena, bytes);
    cr_assert_neq(address, 0);
    cr_assert_eq(address % (bytes >= 64 ? 64 : 16), 0, "%zu bytes", bytes);
  }
}

Test(base_arena, pieces_do_not_overlap_across_many_blocks) {
  enum { COUNT = 3000 };
  static unsigned char *pieces[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    pieces[i] = ts_arena_alloc(arena, 1 + i);
    memset(pieces[i], (int)(i % 251), 1 + i);
  }
  for (size_t i = 0; i < COUNT; i++)
    for (size_t k = 0; k <= i; k++)
      cr_assert_eq(pieces[i][k], i % 251);
}

Test(base_arena, a_rewind_gives_everything_after_the_mark_back_and_keeps_what_was_before) {
  char *kept = ts_arena_string(arena, "kept");
  ts_arena_mark mark = ts_arena_get_mark(arena);
  size_t used = ts_arena_used(arena);
  for (int round = 0; round < 100; round++) {
    cr_assert_not_null(ts_arena_alloc(arena, 5000000));
    cr_assert_not_null(ts_arena_alloc(arena, 10));
    cr_assert_gt(ts_arena_used(arena), used);
    ts_arena_rewind(arena, mark);
    cr_assert_eq(ts_arena_used(arena), used);
  }
  cr_assert_str_eq(kept, "kept");
}

Test(base_arena, a_rewind_to_the_start_of_an_empty_arena_is_fine) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  cr_assert_not_null(ts_arena_alloc(arena, 100));
  ts_arena_rewind(arena, mark);
  cr_assert_eq(ts_arena_used(arena), 0);
  cr_assert_not_null(ts_arena_alloc(arena, 100));
}

Test(base_arena, sizes_that_overflow_are_refused_with_a_message) {
  cr_assert_null(ts_arena_array(arena, SIZE_MAX / 2, 4));
  cr_assert_not_null(strstr(ts_status_detail(), "out of memory"));
  cr_assert_null(ts_arena_alloc(arena, SIZE_MAX));
}

Test(base_arena, a_copy_is_equal_and_one_of_nothing_is_valid) {
  const int items[] = {3, 1, 2};
  int *copy = ts_arena_copy(arena, items, 3, sizeof *items);
  cr_assert_not_null(copy);
  cr_assert_neq(copy, items);
  cr_assert_arr_eq(copy, items, sizeof items);
  cr_assert_not_null(ts_arena_copy(arena, NULL, 0, sizeof *items));
  volatile size_t overflowing = SIZE_MAX / 2; // the compiler would refuse the constant
  cr_assert_null(ts_arena_copy(arena, items, overflowing, sizeof *items));
}

Test(base_arena, format_writes_what_printf_would) {
  cr_assert_str_eq(ts_arena_format(arena, "%d-%s", 42, "x"), "42-x");
}
