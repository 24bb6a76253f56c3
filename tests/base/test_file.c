// SPDX-License-Identifier: MIT
// covers: base/file.c
#include "base/file.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ts_arena *arena;
static char folder[] = "/tmp/ts_file_XXXXXX";

static void put(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
}

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
  cr_assert_eq(mkdir("in", 0700) + mkdir("in/deep", 0700) + mkdir("inside", 0700), 0);
  put("in/a", "abc");
  put("in/deep/b", "abc");
  put("inside/c", "abc");
}

static void teardown(void) {
  char *command = ts_arena_format(arena, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
  ts_arena_destroy(arena);
}

TestSuite(base_file, .init = setup, .fini = teardown);

static void expect_read(const char *path, size_t limit, const char *words) {
  char *bytes;
  size_t count;
  cr_expect_eq(ts_file_read(&bytes, &count, arena, path, limit), TS_E_INPUT, "%s", path);
  cr_expect(strstr(ts_status_detail(), words), "%s", ts_status_detail());
}

Test(base_file, a_file_is_read_up_to_its_limit) {
  char *bytes;
  size_t count;
  cr_assert_eq(ts_file_read(&bytes, &count, arena, "in/a", 3), TS_OK);
  cr_expect_eq(count, 3);
  cr_expect_str_eq(bytes, "abc");
  expect_read("in/a", 2, "in/a has more than 2 bytes");
  // A file of holes: nothing of it may be taken.
  cr_assert_eq(truncate("in/a", (off_t)1 << 40), 0);
  size_t used = ts_arena_used(arena);
  expect_read("in/a", 1 << 20, "has more than 1048576 bytes");
  cr_expect_eq(ts_arena_used(arena), used);
}

Test(base_file, anything_but_a_regular_file_is_refused_at_once) {
  cr_assert_eq(mkfifo("in/pipe", 0600), 0);
  cr_assert_eq(symlink("loop", "loop"), 0);
  expect_read("in/pipe", 100, "in/pipe is not a regular file");
  expect_read("/dev/zero", 100, "is not a regular file");
  expect_read("in", 100, "in is a folder");
  expect_read("none", 100, "cannot read none: No such file");
  expect_read("loop", 100, "cannot read loop: Too many levels of symbolic links");
}

static void expect_beneath(const char *name, const char *words) {
  char *path;
  cr_expect_eq(ts_file_beneath(&path, arena, "in", name), TS_E_INPUT, "%s", name);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", name, ts_status_detail());
}

Test(base_file, names_of_files_in_the_folder_are_resolved) {
  char *path;
  cr_assert_eq(symlink("deep/b", "in/link"), 0);
  const char *const names[] = {"a", "./a", "deep/b", "link", "deep//b"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    cr_expect_eq(ts_file_beneath(&path, arena, "in", names[i]), TS_OK, "%s", ts_status_detail());
  put("in/..a", "");
  cr_expect_eq(ts_file_beneath(&path, arena, "in", "..a"), TS_OK, "%s", ts_status_detail());
}

Test(base_file, names_outside_the_folder_are_refused) {
  cr_assert_eq(symlink("../inside/c", "in/out"), 0);
  cr_assert_eq(symlink("../inside", "in/door"), 0);
  cr_assert_eq(symlink("round", "in/round"), 0);
  expect_beneath("", "leads out of the folder");
  expect_beneath("/etc/passwd", "leads out of the folder");
  expect_beneath("../inside/c", "leads out of the folder");
  expect_beneath("deep/../a", "leads out of the folder");
  expect_beneath("..", "leads out of the folder");
  expect_beneath("deep/..", "leads out of the folder");
  expect_beneath("out", "is a link that leads out of its folder");
  expect_beneath("door/c", "is a link that leads out of its folder");
  expect_beneath("round", "Too many levels of symbolic links");
  expect_beneath("none", "No such file");
}

Test(base_file, the_folder_of_a_file_is_that_before_its_name) {
  cr_expect_str_eq(ts_file_folder(arena, "a"), ".");
  cr_expect_str_eq(ts_file_folder(arena, "in/a"), "in");
  cr_expect_str_eq(ts_file_folder(arena, "/a"), "/");
  cr_expect_str_eq(ts_file_folder(arena, "/in/deep/b"), "/in/deep");
}
