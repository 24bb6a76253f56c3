// SPDX-License-Identifier: MIT
// covers: base/clock.c
#include "base/clock.h"

#include <criterion/criterion.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

Test(base_clock, time_does_not_go_back) {
  int64_t before = ts_clock_ns();
  for (int i = 0; i < 1000; i++) {
    int64_t now = ts_clock_ns();
    cr_assert_geq(now, before);
    before = now;
  }
}

Test(base_clock, resolution_is_above_zero) {
  cr_assert_gt(ts_clock_resolution_ns(), 0);
}

/// Whether a thread that shares its processor with another busy one sees that it waits.
Test(base_clock, a_wait_for_a_processor_is_reported, .timeout = 60) {
  cpu_set_t all, one;
  cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &all))
    cpu++;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
  int64_t before = ts_clock_waited_ns();
  if (before < 0) // unknown on this system: then it stays unknown
    cr_assert_lt(ts_clock_waited_ns(), 0);
  else {
    pid_t child = fork();
    cr_assert_geq(child, 0);
    while (child == 0)
      ts_clock_ns();
    while (ts_clock_waited_ns() - before < 1000000)
      ;
    kill(child, SIGKILL);
    cr_assert_eq(waitpid(child, NULL, 0), child);
  }
}

Test(base_clock, a_tenth_of_waiting_is_a_crowd) {
  cr_assert(ts_clock_was_crowded(100, 11));
  cr_assert_not(ts_clock_was_crowded(100, 10));
  cr_assert_not(ts_clock_was_crowded(100, 0));
  cr_assert_not(ts_clock_was_crowded(100, (double)NAN));
}
