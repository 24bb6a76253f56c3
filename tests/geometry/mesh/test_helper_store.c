// SPDX-License-Identifier: MIT
// covers: geometry/mesh/helper_store.c
#include "geometry/mesh/helper_store.h"

#include "tests/geometry/mesh/fake_helper.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_helper_store_open();
}

static void teardown(void) {
  ts_helper_store_close();
  ts_arena_destroy(arena);
}

TestSuite(geometry_helper_store, .init = setup, .fini = teardown);

static ts_helper_question question_of(const char *text) {
  return (ts_helper_question){.program = "/bin/helper",
                              .bytes = text,
                              .byte_count = strlen(text),
                              .answer_magic = "ANSWER01",
                              .answer_limit = (size_t)1 << 30,
                              .time_limit_s = 10};
}

static void keep(const char *question, const void *bytes, size_t count) {
  ts_helper_question q = question_of(question);
  ts_helper_store_keep(&q, &(ts_helper_answer){TS_HELPER_ANSWERED, 0, bytes, count});
}

static bool has(const char *question, const void *bytes, size_t count) {
  ts_helper_question q = question_of(question);
  ts_helper_answer answer;
  if (!ts_helper_store_find(&answer, arena, &q))
    return false;
  cr_assert_eq(answer.end, TS_HELPER_ANSWERED);
  cr_assert_eq(answer.byte_count, count);
  cr_assert_eq(memcmp(answer.bytes, bytes, count), 0);
  return true;
}

/// Where the store is, and how it may be used now; found among the mappings of this process.
static uint8_t *find_memory(size_t *out_count, char out_access[5]) {
  FILE *maps = fopen("/proc/self/maps", "r");
  cr_assert(maps);
  char line[512];
  uint8_t *found = NULL;
  while (!found && fgets(line, sizeof line, maps)) {
    uintptr_t begin, end;
    cr_assert_eq(sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, out_access), 3);
    *out_count = end - begin;
    if (*out_count == (size_t)512 << 20 && out_access[3] == 's')
      found = (uint8_t *)begin;
  }
  fclose(maps);
  return found;
}

/// Runs the work in a process of its own; returns its wait status.
static int in_child(void (*work)(int), int number) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL); // a sanitizer would end the process without one
    work(number);
    _exit(0);
  }
  int status;
  cr_assert_eq(waitpid(child, &status, 0), child);
  return status;
}

Test(geometry_helper_store, an_answer_is_for_its_question_alone) {
  cr_expect(!has("one", "answer 1", 8));
  keep("one", "answer 1", 8);
  keep("two", "answer 2", 8);
  cr_expect(has("one", "answer 1", 8));
  cr_expect(has("two", "answer 2", 8));
  cr_expect(!has("on", "", 0));
  cr_expect(!has("one ", "", 0));
  ts_helper_answer answer;
  ts_helper_question q = question_of("one");
  q.program = "/bin/another";
  cr_expect(!ts_helper_store_find(&answer, arena, &q));
  q = question_of("one");
  q.answer_limit = 7;
  cr_expect(!ts_helper_store_find(&answer, arena, &q), "longer than what is taken");
}

static void keep_number(int number) {
  char question[32], answer[4096];
  snprintf(question, sizeof question, "question %d", number);
  memset(answer, number, sizeof answer);
  keep(question, answer, sizeof answer);
}

Test(geometry_helper_store, processes_share_it) {
  enum { COUNT = 40 };
  for (int i = 0; i < COUNT; i++)
    if (fork() == 0) {
      keep_number(i);
      _exit(0);
    }
  while (wait(NULL) > 0)
    continue;
  for (int i = 0; i < COUNT; i++) {
    char question[32], answer[4096];
    snprintf(question, sizeof question, "question %d", i);
    memset(answer, i, sizeof answer);
    cr_expect(has(question, answer, sizeof answer), "%s", question);
  }
}

/// Crashes in the middle of an answer: its second half is out of reach.
static void keep_half(int number) {
  (void)number;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *bytes = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(bytes + page, page, PROT_NONE);
  keep("half", bytes, 2 * page);
}

Test(geometry_helper_store, what_a_process_did_not_finish_is_no_answer) {
  cr_assert(WIFSIGNALED(in_child(keep_half, 0)), "it did not crash");
  cr_expect(!has("half", "", 0));
  keep("half", "whole", 5);
  cr_expect(has("half", "whole", 5));
}

/// Whatever byte has changed, no wrong answer is given, and it can be had anew.
Test(geometry_helper_store, what_was_damaged_is_no_answer) {
  static const char text[] = "an answer of some length";
  keep("one", text, sizeof text);
  size_t count;
  char access[5];
  uint8_t *memory = find_memory(&count, access);
  cr_assert(memory);
  cr_assert_eq(mprotect(memory, count, PROT_READ | PROT_WRITE), 0);
  uint8_t *answer = memmem(memory, (size_t)1 << 20, text, sizeof text);
  uint8_t *question = memmem(memory, (size_t)1 << 20, "one", 3);
  cr_assert(answer && question);
  uint8_t *places[] = {answer, answer + sizeof text - 1, question, memory + 16 + 8};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    for (int bit = 0; bit < 8; bit++) {
      mprotect(memory, count, PROT_READ | PROT_WRITE);
      *places[i] ^= (uint8_t)(1 << bit);
      cr_expect(!has("one", "", 0), "place %zu, bit %d", i, bit);
      mprotect(memory, count, PROT_READ | PROT_WRITE);
      *places[i] ^= (uint8_t)(1 << bit);
      cr_expect(has("one", text, sizeof text));
    }
  mprotect(memory, count, PROT_READ | PROT_WRITE);
  memset(memory + 16, 0xff, 4000);
  keep("one", text, sizeof text);
  cr_expect(has("one", text, sizeof text));
}

static void write_to_memory(int number) {
  (void)number;
  size_t count;
  char access[5];
  memset(find_memory(&count, access), 0, 4096);
}

Test(geometry_helper_store, it_is_out_of_reach_between_calls) {
  size_t count;
  char access[5];
  keep("one", "answer 1", 8);
  cr_assert(find_memory(&count, access));
  cr_expect_str_eq(access, "---s");
  int status = in_child(write_to_memory, 0);
  cr_expect(WIFSIGNALED(status));
  cr_expect(has("one", "answer 1", 8));
}

Test(geometry_helper_store, a_full_store_takes_no_more_and_keeps_what_it_has) {
  size_t count = (size_t)200 << 20;
  uint8_t *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  cr_assert(bytes != MAP_FAILED);
  keep("first", "small", 5);
  keep("large 1", bytes, count);
  keep("large 2", bytes, count);
  keep("large 3", bytes, count);
  ts_helper_answer answer;
  ts_helper_question large = question_of("large 3"), small = question_of("large 2");
  cr_expect(!ts_helper_store_find(&answer, arena, &large));
  cr_expect(ts_helper_store_find(&answer, arena, &small));
  keep("last", "small", 5);
  cr_expect(has("first", "small", 5));
  cr_expect(has("last", "small", 5));
  munmap(bytes, count);
}

Test(geometry_helper_store, more_answers_than_entries) {
  for (int i = 0; i < 5000; i++) {
    char question[32];
    snprintf(question, sizeof question, "question %d", i);
    keep(question, question, sizeof question);
  }
  char question[32] = "question 7";
  ts_helper_answer answer;
  ts_helper_question q = question_of(question);
  cr_expect(ts_helper_store_find(&answer, arena, &q));
  q = question_of("question 4999");
  cr_expect(!ts_helper_store_find(&answer, arena, &q));
}

/// The script leaves a line in a file each time that it runs.
Test(geometry_helper_store, a_helper_is_asked_once) {
  char path[] = "/tmp/helper_runs_XXXXXX", lines[256];
  int file = mkstemp(path);
  cr_assert(file >= 0);
  snprintf(lines, sizeof lines,
           "echo >>%s; printf 'ANSWER01\\024\\0\\0\\0\\0\\0\\0\\0'; exec head -c 4", path);
  fake_helper fake = fake_helper_make(lines);
  const char *const questions[] = {"four", "five", "four", "four", "five"};
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    ts_helper_question q = question_of(questions[i]);
    ts_helper_answer answer;
    q.program = fake.program;
    cr_assert_eq(ts_helper_ask(&answer, arena, &q), TS_OK);
    cr_assert_eq(answer.end, TS_HELPER_ANSWERED);
    cr_expect_eq(memcmp(answer.bytes + 16, questions[i], 4), 0);
  }
  cr_expect_eq(lseek(file, 0, SEEK_END), 2);
  close(file);
  unlink(path);
  fake_helper_remove(&fake);
}

Test(geometry_helper_store, without_one_nothing_is_found) {
  ts_helper_store_close();
  keep("one", "answer 1", 8);
  cr_expect(!has("one", "answer 1", 8));
}
