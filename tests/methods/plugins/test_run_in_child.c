// SPDX-License-Identifier: MIT
// covers: methods/plugins/run_in_child.c
#include "methods/plugins/run_in_child.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Far longer than any work here that ends.
#define LONG_S 30.0

static ts_status guard(bool *out_has_returned, ts_status (*work)(void *, void *), void *context,
                       void *result, size_t bytes, double limit_s) {
  ts_child_call call = {.work = work,
                        .context = context,
                        .result = result,
                        .result_bytes = bytes,
                        .time_limit_s = limit_s,
                        .who = "the work"};
  return ts_run_in_child(out_has_returned, &call);
}

static ts_status twice(void *result, void *context) {
  const int *in = context;
  int out = 2 * *in;
  memcpy(result, &out, sizeof out);
  return TS_OK;
}

Test(methods_run_in_child, a_result_is_returned) {
  int in = 21, out = 0;
  bool has_returned = false;
  cr_assert_eq(guard(&has_returned, twice, &in, &out, sizeof out, LONG_S), TS_OK);
  cr_expect(has_returned);
  cr_expect_eq(out, 42);
}

static ts_status change(void *result, void *context) {
  (void)result;
  *(int *)context = 7;
  return TS_OK;
}

Test(methods_run_in_child, the_callers_memory_is_unchanged) {
  int number = 3;
  cr_assert_eq(guard(NULL, change, &number, NULL, 0, LONG_S), TS_OK);
  cr_expect_eq(number, 3);
}

static ts_status refuse(void *result, void *context) {
  memcpy(result, "half", 5);
  return ts_fail(TS_E_UNSUPPORTED, "%s", (const char *)context);
}

Test(methods_run_in_child, a_failure_returns_its_detail_line_and_partial_result) {
  char left[8] = "";
  bool has_returned = false;
  ts_status status = guard(&has_returned, refuse, "no, because", left, sizeof left, LONG_S);
  cr_expect_eq(status, TS_E_UNSUPPORTED);
  cr_expect(has_returned);
  cr_expect_str_eq(ts_status_detail(), "no, because");
  cr_expect_str_eq(left, "half");
}

static ts_status end(void *result, void *context) {
  memcpy(result, "half", 5);
  const char *how = context;
  if (strcmp(how, "abort") == 0)
    abort();
  if (strcmp(how, "kill") == 0)
    kill(getpid(), SIGKILL);
  if (strcmp(how, "exit") == 0)
    _exit(3);
  for (volatile int goes_on = 1; goes_on;)
    pause();
  return TS_OK;
}

static void expect_end(const char *how, double limit_s, const char *detail) {
  char left[8] = "", word[16];
  snprintf(word, sizeof word, "%s", how);
  bool has_returned = true;
  cr_expect_eq(guard(&has_returned, end, word, left, sizeof left, limit_s), TS_E_INPUT);
  cr_expect_not(has_returned);
  cr_expect_str_eq(ts_status_detail(), detail);
  cr_expect_str_eq(left, "half");
}

Test(methods_run_in_child, work_that_does_not_return_is_reported) {
  expect_end("abort", LONG_S, "crashed with SIGABRT");
  expect_end("kill", LONG_S, "crashed with SIGKILL");
  expect_end("exit", LONG_S, "exited with status 3");
  expect_end("hang", 0.05, "did not return within 0.05 s");
}

/// Starts a process that keeps the pipe open as long as it lives.
static ts_status leave_process(void *result, void *context) {
  (void)result, (void)context;
  if (fork() == 0)
    for (;;)
      pause();
  return TS_OK;
}

Test(methods_run_in_child, processes_that_it_started_are_killed) {
  int ends[2];
  cr_assert_eq(pipe(ends), 0);
  cr_assert_eq(guard(NULL, leave_process, NULL, NULL, 0, LONG_S), TS_OK);
  close(ends[1]);
  char byte;
  cr_expect_eq(read(ends[0], &byte, 1), 0); // the last holder of the other end is gone
  close(ends[0]);
}

static ts_status print(void *result, void *context) {
  (void)result, (void)context;
  printf("noise\n");
  return fflush(stdout) == 0 ? TS_OK : TS_E_IO;
}

Test(methods_run_in_child, output_is_discarded) {
  char path[] = "/tmp/touchstone-guarded-XXXXXX", text[64] = "";
  int file = mkstemp(path);
  cr_assert(file >= 0);
  int output = dup(STDOUT_FILENO);
  dup2(file, STDOUT_FILENO);
  ts_child_call call = {.work = print, .time_limit_s = LONG_S, .who = "the work"};
  ts_status silent = ts_run_in_child(NULL, &call);
  dup2(output, STDOUT_FILENO);
  ssize_t count = pread(file, text, sizeof text - 1, 0);
  close(file);
  unlink(path);
  cr_expect_eq(silent, TS_OK);
  cr_expect_eq(count, 0, "%s", text);
}
