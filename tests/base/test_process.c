// SPDX-License-Identifier: MIT
// covers: base/process.c
#include "base/process.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(base_process);

/// A child that waits until it is killed, after `work`.
static pid_t child_that(void (*work)(void)) {
  int ready[2];
  char byte;
  cr_assert_eq(pipe(ready), 0);
  pid_t process = fork();
  if (process == 0) {
    work();
    (void)!write(ready[1], "r", 1);
    for (;;)
      pause();
  }
  cr_assert_eq(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  close(ready[1]);
  return process;
}

static void end(pid_t process) {
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

static void take_an_odd_name(void) {
  prctl(PR_SET_NAME, "a) (b c");
}

Test(base_process, facts_of_a_child_are_read_whatever_its_name) {
  pid_t process = child_that(take_an_odd_name);
  ts_process_facts child, self;
  cr_assert(ts_process_read(&child, process) && ts_process_read(&self, getpid()));
  cr_expect_str_eq(child.name, "a) (b c");
  cr_expect_eq(child.parent, getpid());
  cr_expect_geq(child.start_ticks, self.start_ticks);
  end(process);
  cr_expect_not(ts_process_read(&child, process), "it has ended");
}

static void *start_child(void *out) {
  *(pid_t *)out = child_that(take_an_odd_name);
  pause(); // a thread that ends leaves its children to another one
  return NULL;
}

Test(base_process, children_of_all_threads_are_listed) {
  size_t threads = ts_process_thread_count();
  pid_t first = child_that(take_an_odd_name), listed[4];
  volatile pid_t second = 0;
  pthread_t thread;
  cr_assert_eq(pthread_create(&thread, NULL, start_child, (void *)(uintptr_t)&second), 0);
  while (second == 0)
    usleep(1000);
  cr_expect_eq(ts_process_thread_count(), threads + 1);
  cr_assert_eq(ts_process_children(listed, 4, getpid()), 2);
  cr_expect((listed[0] == first && listed[1] == second) ||
            (listed[0] == second && listed[1] == first));
  cr_expect_eq(ts_process_children(listed, 1, getpid()), 1, "no more than there is room for");
  end(first);
  end(second);
  cr_expect_eq(ts_process_children(listed, 4, getpid()), 0);
}

static unsigned char *block;
enum { BLOCK_BYTES = 64 << 20 };

static void touch_half(void) {
  for (size_t i = 0; i < BLOCK_BYTES / 2; i += 4096)
    block[i] = 2;
}

Test(base_process, memory_that_is_shared_after_a_fork_is_not_counted_twice) {
  block = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  cr_assert(block != MAP_FAILED);
  for (size_t i = 0; i < BLOCK_BYTES; i += 4096)
    block[i] = 1;
  pid_t process = child_that(touch_half);
  double own = ts_process_own_memory(process), resident = 0, address_space = 0;
  cr_expect(own > BLOCK_BYTES / 2 && own < 0.75 * BLOCK_BYTES, "%g", own);
  cr_assert(ts_process_memory(&resident, &address_space, getpid()));
  cr_expect(resident > BLOCK_BYTES && address_space >= resident);
  end(process);
}

Test(base_process, the_path_of_this_program_is_known_if_it_fits) {
  char path[4096], expected[4096], tiny[4];
  cr_assert(ts_process_program(path, sizeof path));
  cr_assert(realpath("/proc/self/exe", expected));
  cr_expect_str_eq(path, expected);
  cr_expect_not(ts_process_program(tiny, sizeof tiny), "no path is cut short");
}
