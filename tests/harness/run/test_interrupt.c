// SPDX-License-Identifier: MIT
// covers: harness/run/interrupt.c
// Signals that end a command, and those that come too late to.
#include "harness/run/interrupt.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(harness_interrupt, .timeout = 60);

/// How a process ended that did the work, and what it wrote to standard error.
typedef struct ending {
  int status;
  char words[256];
} ending;

static ending ending_of(void (*work)(void)) {
  int ends[2];
  ending out = {.status = -1};
  cr_assert_eq(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    for (int number = 1; number < 32; number++)
      signal(number, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    work();
    _exit(0);
  }
  close(ends[1]);
  size_t count = 0;
  for (ssize_t got; count < sizeof out.words - 1; count += (size_t)got)
    if ((got = read(ends[0], &out.words[count], sizeof out.words - 1 - count)) <= 0)
      break;
  close(ends[0]);
  cr_assert_eq(waitpid(child, &out.status, 0), child);
  return out;
}

static void be_terminated(void) {
  ts_interrupt_say("nothing was written");
  raise(SIGTERM);
}

Test(harness_interrupt, a_signal_ends_the_program_with_a_line) {
  ending end = ending_of(be_terminated);
  cr_expect(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGTERM, "%d", end.status);
  cr_expect_str_eq(end.words, "touchstone: interrupted; nothing was written\n");
}

static void be_terminated_as_child(void) {
  int status = 0;
  ts_interrupt_say("nothing was written");
  pid_t child = fork();
  if (child == 0) {
    raise(SIGTERM);
    _exit(1);
  }
  waitpid(child, &status, 0);
  _exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : 1);
}

Test(harness_interrupt, a_process_that_it_makes_says_nothing) {
  ending end = ending_of(be_terminated_as_child);
  cr_expect_eq(end.status, 0);
  cr_expect_str_eq(end.words, "");
}

static void be_terminated_while_held(void) {
  sigset_t before;
  ts_interrupt_say("nothing was written");
  ts_interrupt_hold(&before);
  raise(SIGINT);
  raise(SIGTERM);
  raise(SIGHUP);
  ts_interrupt_release_done(&before);
}

Test(harness_interrupt, a_signal_that_came_while_the_work_was_done_is_discarded) {
  ending end = ending_of(be_terminated_while_held);
  cr_expect_eq(end.status, 0);
  cr_expect_str_eq(end.words, "");
}

static void be_terminated_afterwards(void) {
  be_terminated_while_held();
  ts_interrupt_say("all files are written");
  raise(SIGHUP);
}

Test(harness_interrupt, one_that_comes_later_is_not) {
  ending end = ending_of(be_terminated_afterwards);
  cr_expect(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGHUP, "%d", end.status);
  cr_expect_str_eq(end.words, "touchstone: interrupted; all files are written\n");
}

static void ignore_and_be_hung_up(void) {
  signal(SIGHUP, SIG_IGN);
  be_terminated_while_held();
  raise(SIGHUP);
}

Test(harness_interrupt, an_ignored_signal_stays_ignored) {
  ending end = ending_of(ignore_and_be_hung_up);
  cr_expect_eq(end.status, 0);
  cr_expect_str_eq(end.words, "");
}
