// SPDX-License-Identifier: MIT
// covers: harness/plan/grid.c
#include "harness/plan/grid.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(harness_grid_print);

static ts_grid table_of(ts_arena *arena) {
  ts_grid grid = ts_grid_start(arena, "lrlw");
  grid.whole = "touchstone list things";
  ts_grid_add(&grid, (const char *[]){"name", "count", "source", "summary"});
  ts_grid_add(&grid, (const char *[]){"first", "1", "a journal of 1998",
                                      "Words that need more than twenty-eight columns."});
  ts_grid_add(&grid, (const char *[]){"second", "20", "", ""});
  return grid;
}

/// What is printed on a terminal of this width.
static void print_to_terminal(char out[2000], const ts_grid *grid, const char *columns) {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  FILE *file = fdopen(open(ptsname(master), O_RDWR | O_NOCTTY), "w");
  setenv("COLUMNS", columns, 1);
  cr_assert_eq(ts_grid_print(file, grid, 0, false), TS_OK);
  fclose(file);
  size_t used = 0;
  for (ssize_t count; (count = read(master, out + used, 1999 - used)) > 0;)
    used += (size_t)count;
  out[used] = '\0';
  char *to = out; // a terminal ends lines by two characters
  for (const char *from = out; *from; from++)
    if (*from != '\r')
      *to++ = *from;
  *to = '\0';
  close(master);
}

static void expect(const char *columns, const char *expected) {
  char printed[2000];
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_grid grid = table_of(arena);
  print_to_terminal(printed, &grid, columns);
  cr_expect_str_eq(printed, expected);
  ts_arena_destroy(arena);
}

Test(harness_grid_print, a_wide_terminal_shows_a_line_for_each_row) {
  expect("120",
         "name    count  source             summary\n"
         "first       1  a journal of 1998  Words that need more than twenty-eight columns.\n"
         "second     20\n");
}

Test(harness_grid_print, a_narrower_one_wraps_what_may_be_wrapped) {
  expect("65", "name    count  source             summary\n"
               "first       1  a journal of 1998  Words that need more than\n"
               "                                  twenty-eight columns.\n"
               "second     20\n");
}

Test(harness_grid_print, a_narrow_one_leaves_columns_out_and_says_so) {
  expect("50", "name    count  summary\n"
               "first       1  Words that need more than\n"
               "               twenty-eight columns.\n"
               "second     20\n"
               "\nnot shown: source\nto see all columns: touchstone list things | less -S\n");
}

Test(harness_grid_print, a_word_that_is_too_long_is_broken_and_so_is_the_list_of_columns) {
  char printed[2000];
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_grid grid = ts_grid_start(arena, "lllw");
  ts_grid_add(&grid, (const char *[]){"name", "a long heading", "another one", "summary"});
  ts_grid_add(&grid,
              (const char *[]){"first", "", "", "see blocked_wrongly_percent, Incomprehensible"});
  print_to_terminal(printed, &grid, "20");
  cr_expect_str_eq(printed, "name   summary\n"
                            "first  see\n"
                            "       blocked_\n"
                            "       wrongly_\n"
                            "       percent,\n"
                            "       Incomprehensi\n"
                            "       ble\n"
                            "\nnot shown: a long heading,\nanother one\n");
  ts_arena_destroy(arena);
}

Test(harness_grid_print, the_narrowest_one_keeps_the_first_column_and_whole_words) {
  expect("5",
         "name    summary\n"
         "first   Words\n"
         "        that\n"
         "        need\n"
         "        more\n"
         "        than\n"
         "        twenty-eight\n"
         "        columns.\n"
         "second\n"
         "\nnot shown: count,\nsource\nto see all columns: touchstone list things | less -S\n");
}

Test(harness_grid_print, a_file_gets_every_column_whatever_columns_says) {
  char *text = NULL;
  size_t count;
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_grid grid = table_of(arena);
  setenv("COLUMNS", "20", 1);
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_grid_print(file, &grid, 2, false), TS_OK);
  fclose(file);
  cr_expect_str_eq(text,
                   "  name    count  source             summary\n"
                   "  first       1  a journal of 1998  Words that need more than twenty-eight "
                   "columns.\n"
                   "  second     20\n");
  free(text);
  ts_arena_destroy(arena);
}
