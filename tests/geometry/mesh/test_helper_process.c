// SPDX-License-Identifier: MIT
// covers: geometry/mesh/helper_process.c
#include "geometry/mesh/helper_process.h"

#include "base/status.h"
#include "tests/geometry/mesh/fake_helper.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#define MAGIC      "ANSWER01"
#define FOR_EVER_S 60

static ts_arena *arena;
static int files_before;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  files_before = open_file_count();
}

/// Whatever a helper did, no file or process may be left.
static void teardown(void) {
  cr_expect_eq(open_file_count(), files_before, "a file is left open");
  cr_expect(has_no_child(), "a process is left");
  ts_arena_destroy(arena);
}

TestSuite(geometry_helper_process, .init = setup, .fini = teardown);

static ts_status ask_bytes(ts_helper_answer *out, const char *program, const void *bytes,
                           size_t count, double time_limit_s) {
  return ts_helper_ask(out, arena,
                       &(ts_helper_question){.program = program,
                                             .bytes = bytes,
                                             .byte_count = count,
                                             .answer_magic = MAGIC,
                                             .answer_limit = (size_t)4 << 20,
                                             .time_limit_s = time_limit_s});
}

/// Runs a script of these lines with "hello" on its standard input; returns how it ends.
static ts_helper_answer ask(const char *lines, double time_limit_s) {
  fake_helper fake = fake_helper_make(lines);
  ts_helper_answer answer;
  cr_assert_eq(ask_bytes(&answer, fake.program, "hello", 5, time_limit_s), TS_OK, "%s",
               ts_status_detail());
  fake_helper_remove(&fake);
  return answer;
}

/// Octal escapes of printf: an answer of 24 bytes, and the head of one of 2 MiB.
#define SMALL_HEAD "printf 'ANSWER01\\030\\0\\0\\0\\0\\0\\0\\0'; "
#define LARGE_HEAD "printf 'ANSWER01\\0\\0\\040\\0\\0\\0\\0\\0'; "

Test(geometry_helper_process, a_whole_answer_is_given) {
  ts_helper_answer answer = ask(SMALL_HEAD "head -c 5; printf 'abc'", FOR_EVER_S);
  cr_assert_eq(answer.end, TS_HELPER_ANSWERED);
  cr_assert_eq(answer.byte_count, 24);
  cr_expect_eq(memcmp(answer.bytes + 16, "helloabc", 8), 0);
}

Test(geometry_helper_process, question_and_answer_may_be_larger_than_any_buffer) {
  fake_helper fake = fake_helper_make(LARGE_HEAD "exec cat");
  size_t count = ((size_t)2 << 20) - 16;
  uint8_t *bytes = ts_arena_alloc(arena, count);
  cr_assert_not_null(bytes);
  for (size_t i = 0; i < count; i++)
    bytes[i] = (uint8_t)(i * 2654435761u >> 13);
  ts_helper_answer answer;
  cr_assert_eq(ask_bytes(&answer, fake.program, bytes, count, FOR_EVER_S), TS_OK);
  cr_assert_eq(answer.end, TS_HELPER_ANSWERED);
  cr_assert_eq(answer.byte_count, count + 16);
  cr_expect_eq(memcmp(answer.bytes + 16, bytes, count), 0);
  fake_helper_remove(&fake);
}

Test(geometry_helper_process, a_helper_that_does_not_read_may_answer) {
  fake_helper fake = fake_helper_make(SMALL_HEAD "printf '12345678'");
  uint8_t *bytes = ts_arena_alloc(arena, (size_t)2 << 20);
  ts_helper_answer answer;
  cr_assert_eq(ask_bytes(&answer, fake.program, bytes, (size_t)2 << 20, FOR_EVER_S), TS_OK);
  cr_expect_eq(answer.end, TS_HELPER_ANSWERED);
  fake_helper_remove(&fake);
}

Test(geometry_helper_process, a_helper_that_exits_without_reading_does_not_kill_the_caller) {
  fake_helper fake = fake_helper_make("exit 7");
  uint8_t *bytes = ts_arena_alloc(arena, (size_t)2 << 20);
  ts_helper_answer answer;
  cr_assert_eq(ask_bytes(&answer, fake.program, bytes, (size_t)2 << 20, FOR_EVER_S), TS_OK);
  cr_expect_eq(answer.end, TS_HELPER_EXITED);
  cr_expect_eq(answer.code, 7);
  fake_helper_remove(&fake);
}

Test(geometry_helper_process, exit_status_and_signal_are_reported) {
  ts_helper_answer answer = ask("exit 42", FOR_EVER_S);
  cr_expect_eq(answer.end, TS_HELPER_EXITED);
  cr_expect_eq(answer.code, 42);
  answer = ask("kill -SEGV $$", FOR_EVER_S);
  cr_expect_eq(answer.end, TS_HELPER_SIGNALLED);
  cr_expect_eq(answer.code, SIGSEGV);
}

Test(geometry_helper_process, a_truncated_answer_is_not_an_answer) {
  cr_expect_eq(ask(SMALL_HEAD "printf 'abc'", FOR_EVER_S).end, TS_HELPER_EXITED);
  cr_expect_eq(ask("printf 'ANSW'", FOR_EVER_S).end, TS_HELPER_EXITED);
  cr_expect_eq(ask(SMALL_HEAD "kill -ABRT $$", FOR_EVER_S).end, TS_HELPER_SIGNALLED);
}

Test(geometry_helper_process, garbage_is_detected) {
  cr_expect_eq(ask("echo hello; exec sleep 100", FOR_EVER_S).end, TS_HELPER_GARBLED);
  cr_expect_eq(ask("printf 'ANSWER01\\0\\0\\0\\0\\0\\0\\0\\0'", FOR_EVER_S).end, TS_HELPER_GARBLED,
               "a length below that of the head");
  cr_expect_eq(ask("printf 'ANSWER01\\1\\0\\100\\0\\0\\0\\0\\0'", FOR_EVER_S).end,
               TS_HELPER_GARBLED, "a length above the limit");
  cr_expect_eq(ask(SMALL_HEAD "printf '123456789'; exec sleep 100", FOR_EVER_S).end,
               TS_HELPER_GARBLED, "more than the length");
}

Test(geometry_helper_process, a_flood_is_cut_off) {
  cr_expect_eq(ask("exec yes", FOR_EVER_S).end, TS_HELPER_GARBLED);
  cr_expect_eq(ask(LARGE_HEAD "exec yes", FOR_EVER_S).end, TS_HELPER_GARBLED);
}

Test(geometry_helper_process, output_on_standard_error_is_dropped) {
  cr_expect_eq(ask("echo noise >&2; " SMALL_HEAD "printf '12345678'", FOR_EVER_S).end,
               TS_HELPER_ANSWERED);
}

Test(geometry_helper_process, one_that_hangs_is_killed) {
  cr_expect_eq(ask("exec sleep 100", 0.1).end, TS_HELPER_TIMED_OUT);
  cr_expect_eq(ask("trap '' TERM HUP INT; while :; do sleep 0.01; done", 0.1).end,
               TS_HELPER_TIMED_OUT);
  cr_expect_eq(ask(SMALL_HEAD "printf '12345678'; exec sleep 100", 0.1).end, TS_HELPER_TIMED_OUT,
               "answered, but never exited");
  cr_expect_eq(ask("exec <&- >&-; exec sleep 100", 0.1).end, TS_HELPER_TIMED_OUT,
               "closed its files, but never exited");
}

/// Whether the process is gone, or a zombie that its new parent has not reaped yet.
static bool is_dead(long process) {
  char path[64], state = 'Z';
  snprintf(path, sizeof path, "/proc/%ld/stat", process);
  FILE *file = fopen(path, "r");
  if (!file)
    return true;
  if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
    state = 'Z';
  fclose(file);
  return state == 'Z' || state == 'X';
}

Test(geometry_helper_process, processes_started_by_a_helper_die_with_it) {
  fake_helper fake = fake_helper_make("sleep 100 & echo $! >$1; wait");
  ts_helper_answer answer;
  cr_assert_eq(ask_bytes(&answer, fake.program, "", 0, 2), TS_OK);
  cr_expect_eq(answer.end, TS_HELPER_TIMED_OUT);
  FILE *file = fopen(fake.data, "r");
  long process = 0;
  cr_assert_not_null(file);
  cr_assert_eq(fscanf(file, "%ld", &process), 1);
  fclose(file);
  for (int i = 0; i < 1000 && !is_dead(process); i++)
    usleep(1000);
  cr_expect(is_dead(process), "process %ld is still running", process);
  fake_helper_remove(&fake);
}

Test(geometry_helper_process, a_missing_program_is_unsupported) {
  ts_helper_answer answer;
  cr_expect_eq(ask_bytes(&answer, "/nowhere/helper", "", 0, 1), TS_E_UNSUPPORTED);
  cr_expect_not_null(strstr(ts_status_detail(), "/nowhere/helper"));
}

Test(geometry_helper_process, a_program_that_cannot_be_run_is_an_error) {
  fake_helper fake = fake_helper_make("exit 0");
  ts_helper_answer answer;
  cr_expect_eq(ask_bytes(&answer, fake.folder, "", 0, 1), TS_E_IO, "a folder");
  fake_write(fake.data, "\1\2\3", 3);
  cr_expect_eq(chmod(fake.data, 0600), 0);
  cr_expect_eq(ask_bytes(&answer, fake.data, "", 0, 1), TS_E_IO, "not executable");
  cr_expect_eq(chmod(fake.data, 0700), 0);
  cr_expect_eq(ask_bytes(&answer, fake.data, "", 0, 1), TS_E_IO, "not a program");
  fake_write(fake.data, "#!/nowhere/shell\n", 17);
  cr_expect_eq(ask_bytes(&answer, fake.data, "", 0, 1), TS_E_IO, "no interpreter");
  fake_helper_remove(&fake);
}

Test(geometry_helper_process, running_out_of_descriptors_is_an_error) {
  struct rlimit limit, none;
  cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  none = limit;
  none.rlim_cur = 0;
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
  ts_helper_answer answer;
  ts_status status = ask_bytes(&answer, "/bin/true", "", 0, 1);
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  cr_expect_eq(status, TS_E_IO);
}

Test(geometry_helper_process, works_without_standard_files) {
  int kept[3];
  for (int i = 0; i < 3; i++)
    kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
  fake_helper fake = fake_helper_make(SMALL_HEAD "head -c 5; printf 'abc'");
  ts_helper_answer answer = {.end = TS_HELPER_TIMED_OUT};
  ts_status status = TS_OK;
  for (unsigned closed = 0; closed < 8; closed++) {
    for (int i = 0; i < 3; i++)
      if (closed >> i & 1)
        close(i);
    ts_status now = ask_bytes(&answer, fake.program, "hello", 5, FOR_EVER_S);
    for (int i = 0; i < 3; i++)
      if (closed >> i & 1)
        dup2(kept[i], i);
    if (now != TS_OK || answer.end != TS_HELPER_ANSWERED)
      status = TS_E_IO;
  }
  for (int i = 0; i < 3; i++)
    close(kept[i]);
  fake_helper_remove(&fake);
  cr_expect_eq(status, TS_OK, "%s", ts_status_detail());
}

Test(geometry_helper_process, works_where_signals_are_ignored_or_blocked) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  ts_helper_answer answer = ask("kill -TERM $$; exit 0", FOR_EVER_S);
  sigprocmask(SIG_SETMASK, &before, NULL);
  cr_expect_eq(answer.end, TS_HELPER_SIGNALLED, "the helper inherits a signal mask");
  signal(SIGTERM, SIG_IGN);
  answer = ask("kill -TERM $$; exit 0", FOR_EVER_S);
  signal(SIGTERM, SIG_DFL);
  cr_expect_eq(answer.end, TS_HELPER_SIGNALLED, "the helper inherits an ignored signal");
  signal(SIGCHLD, SIG_IGN); // the system reaps children and reports no status
  answer = ask(SMALL_HEAD "printf '12345678'", FOR_EVER_S);
  cr_expect_eq(answer.end, TS_HELPER_ANSWERED);
  answer = ask("exit 3", FOR_EVER_S);
  cr_expect_eq(answer.end, TS_HELPER_EXITED);
  answer = ask("exec sleep 100", 0.1);
  cr_expect_eq(answer.end, TS_HELPER_TIMED_OUT);
  signal(SIGCHLD, SIG_DFL);
}

Test(geometry_helper_process, the_helper_inherits_no_other_file) {
  int open_one = open("/dev/null", O_RDONLY); // not close-on-exec
  cr_assert_geq(open_one, 3);
  ts_helper_answer answer = ask("ls /proc/self/fd >$1; exit $(grep -c . $1)", FOR_EVER_S);
  close(open_one);
  cr_expect_eq(answer.end, TS_HELPER_EXITED);
  cr_expect_eq(answer.code, 4, "0, 1, 2 and the folder that ls reads, not %d files", answer.code);
}

Test(geometry_helper_process, a_program_beside_this_one_has_its_folder) {
  char *path = ts_helper_beside(arena, "test_geometry");
  cr_assert_not_null(path);
  cr_expect_eq(access(path, X_OK), 0, "%s", path);
}
