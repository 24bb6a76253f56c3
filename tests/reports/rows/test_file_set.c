// SPDX-License-Identifier: MIT
// covers: reports/rows/file_set.c
#include "reports/rows/file_set.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/// A folder "set" with what a killed process has left, and its draft.
static const char *folder_with_draft(void) {
  cr_assert_eq(mkdir(fixture_path("set"), 0777), 0);
  cr_assert_eq(mkdir(fixture_path("set/.draft-4000000"), 0777), 0);
  cr_assert_eq(mkdir(fixture_path("set/.draft-4000000/inner"), 0777), 0);
  fixture_write_text(fixture_path("set/.draft-4000000/inner/a.txt"), "half");
  return fixture_path("set");
}

Test(reports_file_set, the_draft_of_a_killed_process_does_not_count_and_goes) {
  const char *folder = folder_with_draft();
  cr_expect_eq(ts_file_set_check(folder, "add --force"), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(access(fixture_path("set/.draft-4000000"), F_OK), 0, "a check changes nothing");
  cr_assert_eq(write_to(folder), TS_OK, "%s", ts_status_detail());
  cr_expect_neq(access(fixture_path("set/.draft-4000000"), F_OK), 0);
}

Test(reports_file_set, a_draft_with_the_number_of_this_process_is_not_in_the_way) {
  cr_assert_eq(mkdir(fixture_path("set"), 0777), 0);
  const char *draft = fixture_path("set/.draft-%ld", (long)getpid());
  cr_assert_eq(mkdir(draft, 0777), 0);
  fixture_write_text(fixture_path("set/.draft-%ld/last.txt", (long)getpid()), "half");
  cr_assert_eq(write_to(fixture_path("set")), TS_OK, "%s", ts_status_detail());
  cr_expect_str_eq(fixture_read(fixture_path("set/last.txt"), NULL), "ccc");
  cr_expect_neq(access(draft, F_OK), 0);
}

Test(reports_file_set, what_is_only_named_like_a_draft_stays) {
  cr_assert_eq(mkdir(fixture_path("set"), 0777), 0);
  cr_assert_eq(mkdir(fixture_path("set/.draft-"), 0777), 0);
  cr_assert_eq(mkdir(fixture_path("set/.draft-12x"), 0777), 0);
  cr_assert_eq(mkdir(fixture_path("elsewhere"), 0777), 0);
  cr_assert_eq(symlink("../elsewhere", fixture_path("set/.draft-12")), 0);
  fixture_write_text(fixture_path("set/.draft-13"), "a file");
  cr_expect_eq(ts_file_set_check(fixture_path("set"), "add --force"), TS_E_INPUT);
  cr_assert_eq(write_to(fixture_path("set")), TS_OK);
  cr_expect_eq(access(fixture_path("set/.draft-"), F_OK), 0);
  cr_expect_eq(access(fixture_path("set/.draft-12x"), F_OK), 0);
  cr_expect_eq(access(fixture_path("set/.draft-12"), F_OK), 0);
  cr_expect_eq(access(fixture_path("set/.draft-13"), F_OK), 0);
}

/// Whether the draft of a writer is there and locked.
static bool draft_is_locked(pid_t writer) {
  int file = open(fixture_path("set/.draft-%ld", (long)writer), O_RDONLY | O_DIRECTORY);
  bool is_locked = file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0;
  if (file >= 0)
    close(file);
  return is_locked;
}

Test(reports_file_set, the_draft_of_a_live_process_stays_and_that_of_a_killed_one_does_not) {
  static char large[1 << 20];
  static ts_file_of_set many[2000];
  for (size_t i = 0; i < 2000; i++)
    many[i] =
        (ts_file_of_set){ts_arena_format(fixture_arena, "%zu.txt", i), large, sizeof large / 16};
  pid_t writer = fork();
  if (writer == 0) {
    ts_file_set_write(many, 2000, fixture_arena, fixture_path("set"));
    _exit(0);
  }
  while (!draft_is_locked(writer))
    usleep(100);
  kill(writer, SIGSTOP);
  cr_expect_eq(ts_file_set_check(fixture_path("set"), "add --force"), TS_E_INPUT,
               "another process writes there");
  kill(writer, SIGKILL);
  waitpid(writer, NULL, 0);
  cr_expect_eq(ts_file_set_check(fixture_path("set"), "add --force"), TS_OK, "%s",
               ts_status_detail());
}

// ---- replacing an earlier set -------------------------------------------------------------------

static const ts_file_of_set newer[] = {{"1.txt", "new", 3}, {"2.txt", "new", 3}, {"index", "n", 1}};
static const char *older_names[] = {"index", "1.txt", "3.txt", "gone.txt"};
static const ts_earlier_files older = {4, older_names};

static const char *folder_of_older(void) {
  cr_assert_eq(mkdir(fixture_path("set"), 0777), 0);
  fixture_write_text(fixture_path("set/index"), "o");
  fixture_write_text(fixture_path("set/1.txt"), "old");
  fixture_write_text(fixture_path("set/3.txt"), "old");
  fixture_write_text(fixture_path("set/mine.txt"), "mine");
  return fixture_path("set");
}

Test(reports_file_set, an_earlier_set_is_gone_before_anything_of_the_new_one_is_there) {
  const char *folder = folder_of_older();
  int events = inotify_init1(IN_NONBLOCK);
  cr_assert_geq(inotify_add_watch(events, folder, IN_DELETE | IN_MOVED_TO), 0);
  cr_assert_eq(ts_file_set_replace(newer, 3, &older, fixture_arena, folder), TS_OK, "%s",
               ts_status_detail());
  static const char *const expected[] = {"-index", "-1.txt", "-3.txt", "+1.txt",
                                         "+2.txt", "+index", "-.draft"};
  _Alignas(struct inotify_event) char bytes[4096];
  ssize_t count = read(events, bytes, sizeof bytes), at = 0;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    cr_assert_lt(at, count, "no %s", expected[i]);
    const struct inotify_event *event = (const void *)&bytes[at];
    cr_expect_eq((event->mask & IN_MOVED_TO) != 0, expected[i][0] == '+', "%s", expected[i]);
    cr_expect_eq(strncmp(event->name, &expected[i][1], strlen(expected[i]) - 1), 0, "%s and not %s",
                 event->name, expected[i]);
    at += (ssize_t)(sizeof *event + event->len);
  }
  cr_expect_eq(at, count);
  close(events);
  cr_expect_str_eq(fixture_read(fixture_path("set/index"), NULL), "n");
  cr_expect_str_eq(fixture_read(fixture_path("set/mine.txt"), NULL), "mine");
}

Test(reports_file_set, a_folder_in_the_place_of_a_file_is_told_before_anything_is_removed) {
  const char *folder = folder_of_older();
  cr_assert_eq(mkdir(fixture_path("set/2.txt"), 0777), 0);
  cr_expect_eq(ts_file_set_replace(newer, 3, &older, fixture_arena, folder), TS_E_IO);
  cr_expect(strstr(ts_status_detail(), "2.txt: Is a directory"), "%s", ts_status_detail());
  cr_assert_eq(rmdir(fixture_path("set/2.txt")), 0);
  cr_assert_eq(mkdir(fixture_path("set/gone.txt"), 0777), 0);
  cr_expect_eq(ts_file_set_replace(newer, 3, &older, fixture_arena, folder), TS_E_IO);
  cr_expect(strstr(ts_status_detail(), "gone.txt"), "%s", ts_status_detail());
  cr_expect_str_eq(fixture_read(fixture_path("set/index"), NULL), "o");
  cr_expect_str_eq(fixture_read(fixture_path("set/1.txt"), NULL), "old");
  cr_expect_str_eq(fixture_read(fixture_path("set/3.txt"), NULL), "old");
}

Test(reports_file_set, what_was_placed_before_a_failure_is_taken_away) {
  const ts_file_of_set two[] = {{"first.txt", "a", 1}, {"inner/b.txt", "b", 1}};
  cr_assert_eq(mkdir(fixture_path("set"), 0777), 0);
  cr_assert_eq(mkdir(fixture_path("set/inner"), 0777), 0);
  fixture_write_text(fixture_path("set/inner/mine.txt"), "mine");
  cr_expect_eq(ts_file_set_write(two, 2, fixture_arena, fixture_path("set")), TS_E_IO);
  cr_expect_neq(access(fixture_path("set/first.txt"), F_OK), 0);
  cr_expect_str_eq(fixture_read(fixture_path("set/inner/mine.txt"), NULL), "mine");
}
