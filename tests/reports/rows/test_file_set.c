// SPDX-License-Identifier: MIT
// covers: reports/rows/file_set.c
#include "reports/rows/file_set.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(reports_file_set, .init = results_open, .fini = results_close, .timeout = 60);

static const ts_file_of_set files[] = {
    {"inner/deep/a.txt", "a", 1}, {"inner/b.txt", "bb", 2}, {"last.txt", "ccc", 3}};

static ts_status write_to(const char *folder) {
  return ts_file_set_write(files, 3, fixture_arena, folder);
}

Test(reports_file_set, all_files_are_written_with_the_folders_on_the_way) {
  const char *folder = fixture_path("new/set");
  cr_assert_eq(write_to(folder), TS_OK, "%s", ts_status_detail());
  cr_expect_str_eq(fixture_read(fixture_path("new/set/inner/deep/a.txt"), NULL), "a");
  cr_expect_str_eq(fixture_read(fixture_path("new/set/inner/b.txt"), NULL), "bb");
  cr_expect_str_eq(fixture_read(fixture_path("new/set/last.txt"), NULL), "ccc");
}

Test(reports_file_set, the_draft_is_gone_afterwards) {
  const char *folder = fixture_path("set");
  cr_assert_eq(write_to(folder), TS_OK);
  cr_assert_eq(ts_file_set_write(&files[2], 1, fixture_arena, folder), TS_OK);
  cr_assert_eq(unlink(fixture_path("set/last.txt")), 0);
  cr_assert_eq(unlink(fixture_path("set/inner/b.txt")), 0);
  cr_assert_eq(unlink(fixture_path("set/inner/deep/a.txt")), 0);
  cr_assert_eq(rmdir(fixture_path("set/inner/deep")), 0);
  cr_assert_eq(rmdir(fixture_path("set/inner")), 0);
  cr_expect_eq(rmdir(folder), 0, "something else is left");
}

Test(reports_file_set, files_of_the_same_names_are_replaced_and_others_stay) {
  const char *folder = fixture_path("set");
  cr_assert_eq(mkdir(folder, 0777), 0);
  fixture_write_text(fixture_path("set/last.txt"), "old");
  fixture_write_text(fixture_path("set/mine.txt"), "mine");
  cr_assert_eq(ts_file_set_write(&files[2], 1, fixture_arena, folder), TS_OK);
  cr_expect_str_eq(fixture_read(fixture_path("set/last.txt"), NULL), "ccc");
  cr_expect_str_eq(fixture_read(fixture_path("set/mine.txt"), NULL), "mine");
}

Test(reports_file_set, a_file_that_cannot_be_placed_leaves_nothing_of_a_new_set) {
  const char *folder = fixture_path("set");
  cr_assert_eq(mkdir(folder, 0777), 0);
  cr_assert_eq(mkdir(fixture_path("set/last.txt"), 0777), 0);
  cr_expect_eq(write_to(folder), TS_E_IO);
  cr_expect(strstr(ts_status_detail(), "last.txt"), "%s", ts_status_detail());
  cr_expect_eq(rmdir(fixture_path("set/last.txt")), 0);
  cr_expect_eq(rmdir(folder), 0, "something else is left");
}

Test(reports_file_set, a_folder_that_is_not_empty_is_refused_with_the_remedy) {
  cr_expect_eq(ts_file_set_check(fixture_path("none"), "add --force"), TS_OK);
  fixture_write_text(fixture_path("file"), "x");
  cr_expect_eq(ts_file_set_check(fixture_path("file"), "add --force"), TS_E_INPUT);
  cr_assert_eq(mkdir(fixture_path("full"), 0777), 0);
  cr_expect_eq(ts_file_set_check(fixture_path("full"), "add --force"), TS_OK);
  fixture_write_text(fixture_path("full/.hidden"), "x");
  cr_expect_eq(ts_file_set_check(fixture_path("full"), "add --force"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "add --force"), "%s", ts_status_detail());
}
