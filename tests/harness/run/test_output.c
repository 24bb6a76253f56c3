// SPDX-License-Identifier: MIT
// covers: harness/run/output.c
#include "harness/run/output.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(harness_output, .init = results_open, .fini = results_close, .timeout = 60);

static ts_status spare(const char *path, const char *read) {
  return ts_output_spare("--out", path, read);
}

Test(harness_output, an_input_is_not_written_under_any_name) {
  const char *read = fixture_path("read.csv"), *other = fixture_path("other.csv");
  fixture_write_text(read, "a\n");
  cr_expect_eq(spare(other, read), TS_OK);
  cr_expect_eq(spare(NULL, read), TS_OK);
  cr_expect_eq(spare(other, NULL), TS_OK);
  cr_expect_eq(spare(read, read), TS_E_INPUT);
  cr_expect(fixture_detail_has("is an input of this command"));
  cr_expect_eq(spare(fixture_path("./read.csv"), read), TS_E_INPUT);
  cr_assert_eq(link(read, fixture_path("hard.csv")), 0);
  cr_assert_eq(symlink(read, fixture_path("soft.csv")), 0);
  cr_expect_eq(spare(fixture_path("hard.csv"), read), TS_E_INPUT);
  cr_expect_eq(spare(fixture_path("soft.csv"), read), TS_E_INPUT);
  cr_expect_eq(spare("/dev/null", "/dev/null"), TS_E_INPUT);
  cr_expect_eq(spare("/dev/null", read), TS_OK);
}

Test(harness_output, nor_is_any_file_of_a_folder_that_is_read) {
  static const char *const names[] = {"summary.csv", "contacts.csv", "samples.csv", "context.json"};
  const char *folder = fixture_path("run");
  results_run(folder, 1);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    cr_expect_eq(spare(fixture_path("run/%s", names[i]), folder), TS_E_INPUT, "%s", names[i]);
  cr_expect_eq(spare(fixture_path("run/report.html"), folder), TS_OK);
}

/// Writes more than one part of it.
static void write_text(bool is_large, const char *path) {
  ts_output output;
  cr_assert_eq((is_large ? ts_output_start_large : ts_output_start)(&output, path, true), TS_OK);
  for (int i = 0; i < 50000; i++)
    fprintf(output.file, "line %d\n", i);
  cr_assert_eq(ts_output_end(&output, TS_OK), TS_OK, "%s", ts_status_detail());
}

Test(harness_output, large_text_is_the_same_to_the_byte) {
  const char *small = fixture_path("small"), *large = fixture_path("large");
  size_t small_count, large_count;
  write_text(false, small);
  fixture_write_text(large, "what was there");
  write_text(true, large);
  const char *a = fixture_read(small, &small_count), *b = fixture_read(large, &large_count);
  cr_assert_eq(small_count, large_count);
  cr_expect_eq(memcmp(a, b, small_count), 0);
}

Test(harness_output, what_failed_leaves_what_was_there) {
  const char *path = fixture_path("kept");
  size_t count;
  ts_output output;
  fixture_write_text(path, "mine");
  cr_assert_eq(ts_output_start_large(&output, path, true), TS_OK);
  fputs("theirs", output.file);
  cr_expect_eq(ts_output_end(&output, TS_E_INPUT), TS_E_INPUT);
  cr_expect_str_eq(fixture_read(path, &count), "mine");
}

Test(harness_output, a_pipe_that_nobody_reads_is_refused_and_not_waited_for, .timeout = 30) {
  const char *path = fixture_path("pipe");
  char text[16];
  ts_output output;
  cr_assert_eq(mkfifo(path, 0600), 0);
  cr_assert_eq(ts_output_start(&output, path, true), TS_OK);
  fputs("text", output.file);
  cr_expect_eq(ts_output_end(&output, TS_OK), TS_E_INPUT);
  cr_expect(fixture_detail_has("start its reader first"));
  int reader = open(path, O_RDONLY | O_NONBLOCK);
  cr_assert_eq(ts_output_start(&output, path, true), TS_OK);
  fputs("text", output.file);
  cr_expect_eq(ts_output_end(&output, TS_OK), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(read(reader, text, sizeof text), 4);
  close(reader);
}
