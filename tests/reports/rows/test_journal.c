// SPDX-License-Identifier: MIT
// covers: reports/rows/journal.c
#include "reports/rows/journal.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

TestSuite(reports_journal, .init = results_open, .fini = results_close);

static const int64_t no_sizes[TS_RESULTS_FILE_COUNT] = {10, 20, 30, 40, 50};

/// Opens and reads the journal of the test.
static ts_journal open_journal(void) {
  ts_journal journal = {.fd = open(fixture_path("journal.log"), O_RDWR | O_CREAT, 0666)};
  cr_assert(journal.fd >= 0);
  cr_assert_eq(ts_journal_read(&journal), TS_OK, "%s", ts_status_detail());
  return journal;
}

/// A part of a run: "+a" begins cell a, "-a" ends it, "=a" writes its rows, "." ends in order.
static void run_part(const char *text) {
  ts_journal journal = open_journal();
  int64_t sizes[TS_RESULTS_FILE_COUNT];
  memcpy(sizes, no_sizes, sizeof sizes);
  for (; *text; text++) {
    char key[2] = {*text == '.' ? '\0' : text[1], '\0'};
    ts_journal_cell cell = {.key = {key[0]}};
    memcpy(cell.starts, sizes, sizeof sizes);
    for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
      cell.ends[f] = sizes[f] + (*text == '=' ? 100 : 0);
    memcpy(sizes, cell.ends, sizeof sizes);
    int error = *text == '+'   ? ts_journal_begin(&journal, key, no_sizes)
                : *text == '-' ? ts_journal_ended(&journal, key, no_sizes)
                : *text == '=' ? ts_journal_cell_written(&journal, &cell)
                               : ts_journal_part_done(&journal);
    cr_assert_eq(error, 0);
    text += *text != '.';
  }
  ts_journal_free(&journal); // as if the program had died, unless it ended in order
}

/// "a1 b2!": the suspects with the deaths of the program in them, and who was alone at the last.
static const char *suspects_after(const char *const *parts) {
  unlink(fixture_path("journal.log"));
  for (; *parts; parts++)
    run_part(*parts);
  ts_journal journal = open_journal();
  const char *text = "";
  for (char c = 'a'; c <= 'z'; c++) {
    const ts_journal_suspect *s = ts_journal_suspect_of(&journal, (char[]){c, '\0'});
    if (s)
      text = ts_arena_format(fixture_arena, "%s%s%c%d%s", text, text[0] ? " " : "", c, s->deaths,
                             s->was_alone ? "!" : "");
  }
  ts_journal_free(&journal);
  return text;
}

#define AFTER(...) suspects_after((const char *const[]){__VA_ARGS__, NULL})

Test(reports_journal, deaths_in_one_cell_without_progress_are_counted) {
  cr_expect_str_eq(AFTER("+a"), "a1!");
  cr_expect_str_eq(AFTER("+a", "+a"), "a2!");
  cr_expect_str_eq(AFTER("+a", "+a", "+a"), "a3!");
  cr_expect_str_eq(AFTER("+a-a=a+b", "+b"), "b2!");
}

Test(reports_journal, a_kill_by_hand_at_different_cells_counts_once_each) {
  cr_expect_str_eq(AFTER("+a", "+a-a=a+b"), "b1!");
  cr_expect_str_eq(AFTER("+a", "+a-a=a+b", "+b-b=b+c", "+c-c=c+d"), "d1!");
  cr_expect_str_eq(AFTER("+a-a=a+b", "+b-b=b+c-c=c"), "");
}

Test(reports_journal, ends_in_order_do_not_count) {
  cr_expect_str_eq(AFTER("+a.", "+a."), "");
  cr_expect_str_eq(AFTER("+a", "+a."), "a1!");
  cr_expect_str_eq(AFTER("+a", "+a.", "+a"), "a2!");
}

Test(reports_journal, of_cells_that_ran_side_by_side_none_was_alone) {
  cr_expect_str_eq(AFTER("+a+b"), "a1 b1");
  cr_expect_str_eq(AFTER("+a+b", "+a+b"), "a2 b2");
  cr_expect_str_eq(AFTER("+a+b", "+a"), "a2! b1");
  // a is cleared, and its rows are progress: b must be met alone twice.
  cr_expect_str_eq(AFTER("+a+b", "+a-a=a+b"), "b1!");
  cr_expect_str_eq(AFTER("+a+b", "+a-a=a+b", "+b"), "b2!");
}

Test(reports_journal, a_cell_that_has_ended_is_no_suspect) {
  cr_expect_str_eq(AFTER("+a+b-b+c-c+d"), "a1 d1");
}

static void write_cells(void) {
  unlink(fixture_path("journal.log"));
  ts_journal journal = open_journal();
  for (int i = 0; i < 3; i++) {
    ts_journal_cell cell = {.key = {(char)('a' + i)}, .hashes = {1, 2, (uint32_t)i, 3, UINT32_MAX}};
    for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
      cell.starts[f] = 10 + 5 * i;
      cell.ends[f] = 15 + 5 * i;
    }
    cr_assert_eq(ts_journal_cell_written(&journal, &cell), 0);
    if (i == 1)
      cr_assert_eq(ts_journal_synced(&journal), 0);
  }
  ts_journal_free(&journal);
}

Test(reports_journal, only_rows_on_the_disk_are_known) {
  write_cells();
  ts_journal journal = open_journal();
  cr_assert_eq(journal.cell_count, 2);
  cr_expect_str_eq(journal.cells[1].key, "b");
  cr_expect_eq(journal.cells[0].starts[0], 10);
  cr_expect_eq(journal.cells[1].starts[2], 15);
  cr_expect_eq(journal.cells[1].ends[2], 20);
  cr_expect_eq(journal.cells[1].hashes[2], 1);
  cr_expect_eq(journal.cells[1].hashes[4], UINT32_MAX);
  cr_expect(journal.has_died);
  ts_journal_free(&journal);
}

Test(reports_journal, a_part_that_kept_fewer_cells_drops_the_others) {
  write_cells();
  ts_journal journal = open_journal();
  const int64_t kept[TS_RESULTS_FILE_COUNT] = {15, 15, 15, 15, 15};
  cr_assert_eq(ts_journal_begin(&journal, "b", kept), 0);
  cr_assert_eq(ts_journal_part_done(&journal), 0);
  ts_journal_free(&journal);
  journal = open_journal();
  cr_expect_eq(journal.cell_count, 1);
  cr_expect_not(journal.has_died);
  ts_journal_free(&journal);
}

Test(reports_journal, reading_ends_at_a_damaged_line_and_writing_goes_on_there) {
  write_cells();
  size_t size;
  const char *whole = fixture_read(fixture_path("journal.log"), &size);
  for (size_t i = 0; i < size; i++) {
    char *bytes = ts_arena_copy(fixture_arena, whole, size, 1);
    bytes[i] = (char)(bytes[i] ^ 1);
    fixture_write(fixture_path("journal.log"), bytes, size);
    ts_journal journal = open_journal();
    cr_expect_leq(journal.cell_count, 2);
    cr_expect_lt(journal.length, (int64_t)size, "byte %zu", i);
    cr_expect_leq(journal.length, (int64_t)i, "byte %zu", i);
    cr_assert_eq(ts_journal_begin(&journal, "x", no_sizes), 0);
    ts_journal_free(&journal);
    journal = open_journal();
    cr_expect(ts_journal_suspect_of(&journal, "x"), "byte %zu", i);
    ts_journal_free(&journal);
  }
}

Test(reports_journal, keys_that_do_not_fit_a_line_are_left_out) {
  char key[100];
  memset(key, 'k', sizeof key);
  key[sizeof key - 1] = '\0';
  const char *const keys[] = {"", "two words", "two\nlines", key};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    unlink(fixture_path("journal.log"));
    ts_journal journal = open_journal();
    cr_assert_eq(ts_journal_begin(&journal, keys[i], no_sizes), 0);
    ts_journal_free(&journal);
    journal = open_journal();
    cr_expect_eq(journal.suspect_count, 0);
    cr_expect(journal.has_died);
    ts_journal_free(&journal);
  }
}
