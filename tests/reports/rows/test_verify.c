// SPDX-License-Identifier: MIT
// covers: reports/rows/verify.c
#include "reports/rows/verify.h"

#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

TestSuite(reports_verify, .init = results_open, .fini = results_close);

Test(reports_verify, every_byte_of_a_row_counts) {
  const char *folder = fixture_path("r");
  results_run(folder, FIXTURE_CELLS);
  cr_assert_eq(ts_results_verify(fixture_arena, folder), TS_OK);
  for (int i = 0; i < TS_RESULTS_FILE_COUNT; i++) {
    const char *path = fixture_path("r/%s.csv", fixture_names[i]);
    size_t count;
    const char *whole = fixture_read(path, &count);
    char *copy = ts_arena_array(fixture_arena, count, 1);
    for (size_t k = strcspn(whole, "\n") + 1; k < count; k += 7) {
      memcpy(copy, whole, count);
      copy[k] ^= 1;
      fixture_write(path, copy, count);
      cr_expect_eq(ts_results_verify(fixture_arena, folder), TS_E_INPUT, "%s, byte %zu", path, k);
      cr_expect(fixture_detail_has(path) && fixture_detail_has("not those that the run wrote"));
    }
    fixture_write(path, whole, count);
  }
  cr_expect_eq(ts_results_verify(fixture_arena, folder), TS_OK);
}

Test(reports_verify, rows_that_are_missing_or_added_at_the_end_are_noticed) {
  const char *folder = fixture_path("r"), *path = fixture_path("r/contacts.csv");
  results_run(folder, FIXTURE_CELLS);
  size_t count;
  const char *whole = fixture_read(path, &count);
  fixture_write(path, whole, count - 1);
  cr_expect_eq(ts_results_verify(fixture_arena, folder), TS_E_INPUT);
  fixture_write(path, whole, count + 1); // with its NUL
  cr_expect_eq(ts_results_verify(fixture_arena, folder), TS_E_INPUT);
  cr_expect(fixture_detail_has("has 1 bytes behind the rows"), "the detail names them");
}

Test(reports_verify, without_a_journal_there_is_nothing_to_compare) {
  const char *path = fixture_path("r/contacts.csv");
  results_run(fixture_path("r"), FIXTURE_CELLS);
  fixture_write_text(path, "mine\n");
  cr_expect_eq(ts_results_verify(fixture_arena, fixture_path("r")), TS_E_INPUT);
  cr_assert_eq(unlink(fixture_path("r/journal.log")), 0);
  cr_expect_eq(ts_results_verify(fixture_arena, fixture_path("r")), TS_OK);
}
