// SPDX-License-Identifier: MIT
// covers: harness/run/kept_files.c harness/isolation/kept.c harness/isolation/kept_process.c
#include "harness/run/kept_files.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEBIBYTE (1024.0 * 1024.0)

static ts_arena *arena;

static void setup(void) {
  cr_assert(ts_arena_create(&arena) == TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_kept_files, .init = setup, .fini = teardown);

static const ts_limits wide = {.time_s = 60, .memory_bytes = 4096 * MEBIBYTE};

static ts_kept_files make(ts_status (*work)(ts_made_files *out, void *context), void *context,
                          const ts_limits *limits) {
  ts_kept_files made;
  ts_kept_files_job job = {.make = work,
                           .context = context,
                           .case_name = "a case",
                           .method = "a method",
                           .limits = *limits};
  cr_assert_eq(ts_kept_files_make(&made, arena, &job), TS_OK, "%s", ts_status_detail());
  return made;
}

static void expect_outcome(ts_kept_files made, ts_outcome outcome, const char *words) {
  cr_expect_eq(made.outcome, outcome, "%s: %s", ts_outcomes[made.outcome].word, made.reason);
  cr_expect(strstr(made.reason, words), "\"%s\" is not in: %s", words, made.reason);
  cr_expect_eq(made.files.count, 0);
}

static ts_status write_word(FILE *file, void *context) {
  fputs(context, file);
  return TS_OK;
}

/// Two files, and an empty one between them.
static ts_status make_three(ts_made_files *out, void *context) {
  *out = (ts_made_files){.items = ts_arena_array(arena, 3, sizeof *out->items)};
  TS_TRY(ts_made_files_add(out, arena, "below/a.txt", write_word, context));
  TS_TRY(ts_made_files_add(out, arena, "b.txt", write_word, ""));
  return ts_made_files_add(out, arena, "c.txt", write_word, "last");
}

static void expect_three(ts_kept_files made) {
  cr_assert_eq(made.outcome, TS_OUTCOME_OK, "%s", made.reason);
  cr_assert_eq(made.files.count, 3);
  const ts_file_of_set *files = made.files.items;
  cr_expect_str_eq(files[0].path, "below/a.txt");
  cr_expect(files[0].byte_count == 5 && memcmp(files[0].bytes, "first", 5) == 0);
  cr_expect(files[1].byte_count == 0);
  cr_expect(files[2].byte_count == 4 && memcmp(files[2].bytes, "last", 4) == 0);
}

Test(harness_kept_files, files_come_back_as_they_were_made) {
  expect_three(make(make_three, "first", &wide));
}

static ts_status make_elsewhere(ts_made_files *out, void *context) {
  umask(0777);
  close(STDOUT_FILENO);
  if (chdir("/") != 0)
    abort();
  return make_three(out, context);
}

Test(harness_kept_files, what_the_work_does_to_its_process_stays_there) {
  char before[4096], after[4096];
  mode_t mask = umask(022);
  cr_assert(getcwd(before, sizeof before));
  expect_three(make(make_elsewhere, "first", &wide));
  cr_assert(getcwd(after, sizeof after));
  cr_expect_str_eq(before, after);
  cr_expect_eq(umask(mask), 022);
  cr_expect(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
}

/// Leaves a process in a session of its own, which keeps the file open that `context` names.
static ts_status leave_process(ts_made_files *out, void *context) {
  int file = open(context, O_RDWR);
  if (file < 0)
    abort();
  if (fork() == 0) {
    setsid();
    flock(open(context, O_RDWR), LOCK_EX); // opened here: what is inherited would share the lock
    pause();
  }
  while (flock(file, LOCK_SH | LOCK_NB) == 0) // until it has the lock
    flock(file, LOCK_UN);
  close(file);
  return make_three(out, "first");
}

Test(harness_kept_files, what_it_has_started_is_ended) {
  char path[] = "/tmp/kept_files_XXXXXX";
  int file = mkstemp(path);
  cr_assert(file >= 0);
  expect_three(make(leave_process, path, &wide));
  cr_expect_eq(flock(file, LOCK_EX | LOCK_NB), 0); // nobody has the lock
  close(file);
  unlink(path);
}

static ts_status fail_to_make(ts_made_files *out, void *context) {
  (void)out;
  return ts_fail(*(ts_status *)context, "no \x1b[31m reason");
}

Test(harness_kept_files, an_error_of_the_work_is_an_outcome_with_its_words) {
  expect_outcome(make(fail_to_make, &(ts_status){TS_E_INPUT}, &wide), TS_OUTCOME_FAILED,
                 "no ?[31m reason");
  expect_outcome(make(fail_to_make, &(ts_status){TS_SKIPPED}, &wide), TS_OUTCOME_SKIPPED, "reason");
  expect_outcome(make(fail_to_make, &(ts_status){TS_E_MEMORY}, &wide), TS_OUTCOME_OUT_OF_MEMORY,
                 "reason");
}

Test(harness_kept_files, what_the_machine_lacks_is_an_error) {
  ts_kept_files made;
  ts_kept_files_job job = {.make = fail_to_make,
                           .context = &(ts_status){TS_E_IO},
                           .case_name = "a case",
                           .method = "a method",
                           .limits = wide};
  cr_expect_eq(ts_kept_files_make(&made, arena, &job), TS_E_IO);
  cr_expect(strstr(ts_status_detail(), "reason"), "%s", ts_status_detail());
}

static ts_status crash(ts_made_files *out, void *context) {
  (void)out;
  raise(*(int *)context);
  return TS_OK;
}

static ts_status leave(ts_made_files *out, void *context) {
  (void)out;
  exit(*(int *)context);
}

static ts_status hang(ts_made_files *out, void *context) {
  (void)out;
  (void)context;
  sleep(60);
  return TS_OK;
}

static ts_status take_memory(ts_made_files *out, void *context) {
  size_t bytes = 300 << 20;
  volatile char *block = malloc(bytes);
  for (size_t i = 0; block && i < bytes; i += 4096)
    block[i] = 1;
  return make_three(out, context);
}

Test(harness_kept_files, what_ends_the_process_is_an_outcome) {
  expect_outcome(make(crash, &(int){SIGSEGV}, &wide), TS_OUTCOME_CRASHED, "SIGSEGV");
  expect_outcome(make(leave, &(int){0}, &wide), TS_OUTCOME_CRASHED, "exit status 0");
  expect_outcome(make(leave, &(int){7}, &wide), TS_OUTCOME_CRASHED, "exit status 7");
  const ts_limits brief = {.time_s = 0.2, .memory_bytes = wide.memory_bytes};
  expect_outcome(make(hang, NULL, &brief), TS_OUTCOME_TIMED_OUT, "more than 0.2 s");
  const ts_limits narrow = {.time_s = 60, .memory_bytes = 200 * MEBIBYTE};
  expect_outcome(make(take_memory, "first", &narrow), TS_OUTCOME_OUT_OF_MEMORY,
                 "more than 200 MiB");
}

/// Where the files are handed over; the rest is what a method may do to them.
static void damage(off_t at, const void *bytes, size_t count) {
  if (pwrite(TS_KEEPER_RESULT_FILE, bytes, count, at) != (ssize_t)count)
    abort();
}

static ts_status close_results(ts_made_files *out, void *context) {
  close(TS_KEEPER_RESULT_FILE);
  return make_three(out, context);
}

static ts_status lengthen(ts_made_files *out, void *context) {
  damage(100000, "more", 4);
  return make_three(out, context);
}

static ts_status climb(ts_made_files *out, void *context) {
  TS_TRY(make_three(out, context));
  out->items[1].path = context;
  return TS_OK;
}

static ts_status write_in_the_hole(ts_made_files *out, void *context) {
  damage(0, "noise", 5);
  return make_three(out, context);
}

Test(harness_kept_files, results_that_were_damaged_are_not_taken) {
  expect_three(make(write_in_the_hole, "first", &wide));
  expect_outcome(make(close_results, "first", &wide), TS_OUTCOME_CRASHED, "was closed");
  expect_outcome(make(lengthen, "first", &wide), TS_OUTCOME_CRASHED, "unreadable results");
  static const char *const paths[] = {"../a", "/a", "a/../../b", "", ".."};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    expect_outcome(make(climb, (void *)(uintptr_t)paths[i], &wide), TS_OUTCOME_CRASHED,
                   "unreadable results");
}
