// SPDX-License-Identifier: MIT
// covers: harness/controls/faults.c harness/isolation/cell_ipc.c harness/run/isolate.c
#include "harness/run/isolate.h"

#include "base/status.h"
#include "harness/isolation/cell_ipc.h"

#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEBIBYTE (1024.0 * 1024.0)

static ts_arena *arena;

static void setup(void) {
  cr_assert(ts_arena_create(&arena) == TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_isolate, .init = setup, .fini = teardown);

typedef ts_status generator(const ts_host *host, const ts_pair *pair, const void *shape_a,
                            const void *shape_b, void *pair_state, const double *params);

#define UNUSED __attribute__((unused))
#define GENERATOR(name)                                                                            \
  static ts_status name(UNUSED const ts_host *host, UNUSED const ts_pair *pair,                    \
                        UNUSED const void *a, UNUSED const void *b, UNUSED void *state,            \
                        UNUSED const double *params)

/// A cell of a small case whose method uses `generate`.
static const ts_cell *cell_of(generator *generate) {
  ts_plan plan;
  ts_plan_request request = {.cases = "sliding_spike", .methods = "closest_points", .steps = 1};
  cr_assert(ts_plan_create(&plan, arena, &request) == TS_OK, "%s", ts_status_detail());
  ts_method *method = ts_arena_alloc(arena, sizeof *method);
  *method = (ts_method){.abi = TS_METHOD_ABI,
                        .struct_size = sizeof *method,
                        .name = "test",
                        .summary = "Test.",
                        .source = "here",
                        .generate = generate};
  plan.cells[0].method = method;
  plan.cells[0].method_parameters = "";
  return &plan.cells[0];
}

static const ts_limits wide = {.time_s = 60, .memory_bytes = 4096 * MEBIBYTE};

/// Waits for the child and destroys it.
static ts_cell_rows finish(ts_child *child) {
  ts_cell_rows rows = {0};
  bool is_done = false;
  while (!is_done) {
    cr_assert(ts_child_poll(&is_done, &rows, child, arena) == TS_OK, "%s", ts_status_detail());
    struct pollfd file = {.fd = ts_child_file(child), .events = POLLIN};
    if (!is_done)
      poll(&file, 1, 5);
  }
  ts_child_destroy(child);
  return rows;
}

static ts_cell_rows run(generator *generate, const ts_limits *limits) {
  ts_child *child;
  const ts_cell *cell = cell_of(generate);
  cr_assert(ts_child_start(&child, cell, &once, limits) == TS_OK, "%s", ts_status_detail());
  ts_cell_rows rows = finish(child);
  cr_assert(rows.record_count == 1);
  cr_expect(strcmp(rows.records[0].cell, cell->key) == 0);
  cr_expect(strcmp(rows.records[0].method, "test") == 0);
  cr_expect(strcmp(rows.records[0].case_name, "sliding_spike") == 0);
  return rows;
}

/// The record must have this outcome and a reason that contains `word`.
static void expect_outcome(ts_cell_rows rows, const char *outcome, const char *word) {
  cr_expect(strcmp(rows.records[0].outcome, outcome) == 0, "%s: %s", rows.records[0].outcome,
            rows.records[0].reason);
  cr_expect(strstr(rows.records[0].reason, word), "\"%s\" is not in: %s", word,
            rows.records[0].reason);
  cr_expect(rows.contact_count == 0 && rows.sample_count == 0);
}

GENERATOR(push_two) {
  ts_contact contacts[2] = {
      {.point = {1, 2, 3}, .normal = {0, 1, 0}, .gap_m = -0.25, .area_m2 = NAN},
      {.point = {4, 5, 6}, .normal = {0, 1, 0}, .gap_m = 0, .area_m2 = 1.5}};
  return host->push(host, contacts, 2);
}

Test(harness_isolate, rows_come_back_as_the_cell_made_them) {
  const ts_cell *cell = cell_of(push_two);
  ts_cell_rows here;
  cr_assert(collect_cell(&here, arena, cell, &once) == TS_OK);
  ts_cell_rows there = run(push_two, &wide);
  cr_assert(there.record_count == here.record_count);
  cr_assert(there.contact_count == here.contact_count && here.contact_count >= 2);
  cr_assert(there.sample_count == here.sample_count && here.sample_count > 0);
  cr_expect(strcmp(there.records[0].outcome, "ok") == 0, "%s", there.records[0].reason);
  cr_expect(strcmp(there.records[0].contacts_hash, here.records[0].contacts_hash) == 0);
  for (size_t i = 0; i < here.contact_count; i++)
    for (size_t k = 0; k < ts_contact_rows.field_count; k++) {
      const ts_field *field = &ts_contact_rows.fields[k];
      if (field->kind == TS_FIELD_TEXT) {
        cr_expect(strcmp(ts_row_text(field, &here.contacts[i]),
                         ts_row_text(field, &there.contacts[i])) == 0);
      } else {
        double a = ts_row_number(field, &here.contacts[i]);
        double b = ts_row_number(field, &there.contacts[i]);
        cr_expect(memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)), "%s", field->column);
      }
    }
}

Test(harness_isolate, rows_of_all_steps_are_returned) {
  ts_plan plan;
  ts_plan_request request = {.cases = "sliding_spike", .methods = "closest_points", .steps = 5};
  cr_assert(ts_plan_create(&plan, arena, &request) == TS_OK, "%s", ts_status_detail());
  ts_cell_rows here;
  cr_assert(collect_cell(&here, arena, plan.cells, &once) == TS_OK);
  ts_child *child;
  cr_assert(ts_child_start(&child, plan.cells, &once, &wide) == TS_OK, "%s", ts_status_detail());
  ts_cell_rows there = finish(child);
  cr_assert(here.record_count == 5 && there.record_count == 5);
  cr_assert(there.contact_count == here.contact_count && there.sample_count == here.sample_count);
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < ts_summary_rows.field_count; k++) {
      const ts_field *field = &ts_summary_rows.fields[k];
      const ts_record *a = &here.records[i], *b = &there.records[i];
      if (field->compare == TS_COMPARE_REPORT)
        continue;
      if (field->kind == TS_FIELD_TEXT) {
        cr_expect(strcmp(ts_row_text(field, a), ts_row_text(field, b)) == 0, "%s", field->column);
      } else {
        double x = ts_row_number(field, a), y = ts_row_number(field, b);
        cr_expect(memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)), "%s", field->column);
      }
    }
}

Test(harness_isolate, every_record_has_the_memory_of_its_process) {
  ts_cell_rows rows = run(push_two, &wide);
  cr_expect(rows.records[0].memory_bytes_max > 100000);
  cr_expect(rows.records[0].memory_bytes_max < 4096 * MEBIBYTE);
}

GENERATOR(refuse) {
  return host->fail(host, TS_E_INPUT, "not this pair");
}

Test(harness_isolate, a_failure_comes_back_with_its_reason) {
  expect_outcome(run(refuse, &wide), "failed", "not this pair");
}

GENERATOR(die_by_segv) {
  raise(SIGSEGV);
  return TS_OK;
}

GENERATOR(die_by_abort) {
  abort();
}

Test(harness_isolate, a_crash_is_reported_with_its_signal) {
  expect_outcome(run(die_by_segv, &wide), "crashed", "SIGSEGV");
  expect_outcome(run(die_by_abort, &wide), "crashed", "SIGABRT");
}

Test(harness_isolate, a_method_that_crashes_at_once_has_left_no_process) {
  for (int i = 0; i < 40; i++)
    cr_expect(run(die_by_abort, &wide).records[0].processes_left == 0);
}

GENERATOR(leave_with_seven) {
  _exit(7);
}

GENERATOR(leave_with_zero) {
  _exit(0);
}

/// Ends the process as if all were well, once the bodies have moved four times.
GENERATOR(leave_later) {
  static ts_vec3 at;
  static int moves;
  ts_vec3 now = pair->pose_b.translation;
  moves += fabs(now.x - at.x) + fabs(now.y - at.y) + fabs(now.z - at.z) > 1e-6; // no nearby pose
  at = now;
  if (moves > 4)
    exit(0);
  return host->push(host, NULL, 0);
}

Test(harness_isolate, a_method_that_exits_at_a_later_step_has_crashed_at_that_step) {
  ts_cell cell = *cell_of(leave_later);
  cell.steps = 10;
  ts_child *child;
  cr_assert(ts_child_start(&child, &cell, &once, &wide) == TS_OK, "%s", ts_status_detail());
  ts_cell_rows rows = finish(child);
  cr_assert(rows.record_count > 2 && rows.record_count < 10);
  for (size_t i = 0; i < rows.record_count; i++) {
    bool is_last = i + 1 == rows.record_count;
    cr_expect(rows.records[i].step == (i == 0 ? 0 : (double)i + 1));
    cr_expect(strcmp(rows.records[i].outcome, is_last ? "crashed" : "ok") == 0, "%s: %s",
              rows.records[i].outcome, rows.records[i].reason);
  }
}

/// Two processes return from it.
GENERATOR(fork_and_return) {
  static int calls;
  if (calls++ == 0)
    (void)!fork();
  return push_two(host, pair, a, b, state, params);
}

Test(harness_isolate, a_copy_that_a_method_forks_hands_over_no_rows) {
  for (int i = 0; i < 20; i++) {
    ts_cell_rows rows = run(fork_and_return, &wide);
    cr_assert(strcmp(rows.records[0].outcome, "ok") == 0, "%s", rows.records[0].reason);
  }
}

GENERATOR(kill_itself) {
  kill(getpid(), SIGKILL);
  return TS_OK;
}

Test(harness_isolate, a_method_that_ends_the_process_has_crashed) {
  expect_outcome(run(leave_with_seven, &wide), "crashed", "exit status 7");
  expect_outcome(run(leave_with_zero, &wide), "crashed", "exit status 0 before the cell had");
  expect_outcome(run(kill_itself, &wide), "crashed", "SIGKILL: by itself, from outside");
}

GENERATOR(hang) {
  for (volatile int goes_on = 1; goes_on;)
    usleep(1000);
  return TS_OK;
}

/// Ignores SIGTERM and similar signals.
GENERATOR(hang_deaf) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  return hang(host, pair, a, b, state, params);
}

Test(harness_isolate, a_hang_is_ended_and_the_reason_names_the_limit) {
  ts_limits limits = {.time_s = 0.1, .memory_bytes = wide.memory_bytes};
  expect_outcome(run(hang, &limits), "timed_out",
                 "more than 0.1 s; run it again with a higher --time-limit");
  expect_outcome(run(hang_deaf, &limits), "timed_out", "0.1 s");
}

GENERATOR(take_memory) {
  for (int i = 0; i < 3000; i++) {
    unsigned char *block =
        mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
      return host->fail(host, TS_E_MEMORY, "no more");
    for (size_t k = 0; k < 1 << 20; k += 4096)
      block[k] = 1;
  }
  return TS_OK;
}

Test(harness_isolate, memory_without_end_is_ended_and_the_reason_names_the_limit) {
  ts_limits limits = {.time_s = 60, .memory_bytes = 300 * MEBIBYTE};
  ts_cell_rows rows = run(take_memory, &limits);
  expect_outcome(rows, "out_of_memory", "more than 300 MiB of memory");
  expect_outcome(rows, "out_of_memory", "higher --memory-limit");
  cr_expect(rows.records[0].memory_bytes_max > 250 * MEBIBYTE);
}

GENERATOR(take_much_and_crash) {
  unsigned char *block =
      mmap(NULL, 320 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t k = 0; block != MAP_FAILED && k < 320 << 20; k += 4096)
    block[k] = 1;
  raise(SIGSEGV);
  return TS_OK;
}

Test(harness_isolate, a_crash_beyond_the_memory_limit_is_out_of_memory) {
  ts_limits limits = {.time_s = 60, .memory_bytes = 300 * MEBIBYTE};
  expect_outcome(run(take_much_and_crash, &limits), "out_of_memory", "300 MiB");
}

GENERATOR(talk) {
  struct stat output, nothing, facts;
  char byte;
  printf("chatter\n");
  fflush(stdout);
  if (fstat(STDOUT_FILENO, &output) != 0 || stat("/dev/null", &nothing) != 0 ||
      output.st_rdev != nothing.st_rdev)
    return host->fail(host, TS_E_INPUT, "standard output is not /dev/null");
  if (read(STDIN_FILENO, &byte, 1) != 0)
    return host->fail(host, TS_E_INPUT, "standard input is not at its end");
  for (int file = 4; file < 64; file++)
    if (fstat(file, &facts) == 0 && !S_ISSOCK(facts.st_mode)) // the cell has a socket of its own
      return host->fail(host, TS_E_INPUT, "a file of the parent is open");
  return TS_OK;
}

Test(harness_isolate, a_method_has_none_of_the_parents_files) {
  int kept = dup(STDERR_FILENO);
  ts_cell_rows rows = run(talk, &wide);
  cr_expect(strcmp(rows.records[0].outcome, "ok") == 0, "%s", rows.records[0].reason);
  close(kept);
}

GENERATOR(scribble) {
  char junk[4096];
  memset(junk, 0xa5, sizeof junk);
  // The rows are written later from the start, so the junk is after them.
  return pwrite(3, junk, sizeof junk, TS_CELL_IPC_START + 100000) == (ssize_t)sizeof junk
             ? TS_OK
             : host->fail(host, TS_E_INPUT, "could not scribble");
}

GENERATOR(close_all) {
  for (int file = 3; file < 64; file++)
    close(file);
  return TS_OK;
}

Test(harness_isolate, a_damaged_file_of_rows_is_a_crash_of_the_cell) {
  expect_outcome(run(scribble, &wide), "crashed", "unreadable results");
  expect_outcome(run(close_all, &wide), "crashed", "the file for the results was closed");
}

/// Starts a process and abandons it, giving its pid as the reason.
GENERATOR(leave_a_process) {
  pid_t process = fork();
  if (process == 0) {
    for (;;)
      pause();
  }
  char text[32];
  snprintf(text, sizeof text, "%d", (int)process);
  return host->fail(host, TS_E_INPUT, text);
}

static bool is_alive(pid_t process) {
  char path[64], state = 'X';
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  if (fscanf(file, "%*d %*s %c", &state) != 1)
    state = 'X';
  fclose(file);
  return state != 'X' && state != 'Z';
}

Test(harness_isolate, what_a_method_has_started_ends_with_it) {
  ts_cell_rows rows = run(leave_a_process, &wide);
  cr_assert(strcmp(rows.records[0].outcome, "failed") == 0);
  const char *number = strpbrk(rows.records[0].reason, "0123456789");
  pid_t process = number ? (pid_t)atoi(number) : 0;
  cr_assert(process > 1, "%s", rows.records[0].reason);
  for (int i = 0; i < 2000 && is_alive(process); i++)
    usleep(1000);
  cr_expect(!is_alive(process));
}

Test(harness_isolate, a_child_that_runs_is_killed_by_destroy) {
  ts_child *child;
  cr_assert(ts_child_start(&child, cell_of(hang), &once, &wide) == TS_OK);
  bool is_done;
  ts_cell_rows rows;
  cr_assert(ts_child_poll(&is_done, &rows, child, arena) == TS_OK);
  cr_expect(!is_done);
  ts_child_destroy(child);
  cr_expect(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a child is left");
  ts_child_destroy(NULL);
}

Test(harness_isolate, a_child_dies_with_its_parent) {
  int channel[2];
  cr_assert(pipe(channel) == 0);
  pid_t parent = fork();
  if (parent == 0) {
    ts_child *child;
    pid_t number = -1;
    if (ts_child_start(&child, cell_of(hang), &once, &wide) == TS_OK) {
      char path[64];
      snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
      FILE *file = fopen(path, "r");
      if (!file || fscanf(file, "%d", &number) != 1)
        number = -1;
    }
    if (write(channel[1], &number, sizeof number) != sizeof number)
      _exit(1);
    usleep(50000); // the child is past its first steps
    kill(getpid(), SIGKILL);
  }
  pid_t process = -1;
  cr_assert(read(channel[0], &process, sizeof process) == sizeof process);
  cr_assert(waitpid(parent, NULL, 0) == parent);
  cr_assert(process > 1, "the system does not list children");
  for (int i = 0; i < 5000 && is_alive(process); i++)
    usleep(1000);
  cr_expect(!is_alive(process));
}

/// The rows of a cell in a file in memory; the bytes of the file from its start on.
static int packed(unsigned char **out_bytes, size_t *out_count, const ts_cell *cell) {
  ts_cell_rows rows;
  cr_assert(collect_cell(&rows, arena, cell, &once) == TS_OK);
  ts_cell_ipc_writer w = {memfd_create("rows", 0), TS_CELL_IPC_START};
  cr_assert(ts_cell_ipc_begin(&w, 7) == TS_OK && ts_cell_ipc_append(&w, &rows) == TS_OK);
  cr_assert(ts_cell_ipc_end(&w) == TS_OK);
  struct stat facts;
  cr_assert(fstat(w.file, &facts) == 0 && facts.st_size == w.end);
  *out_count = (size_t)(w.end - TS_CELL_IPC_START);
  *out_bytes = ts_arena_alloc(arena, *out_count);
  cr_assert(pread(w.file, *out_bytes, *out_count, TS_CELL_IPC_START) == (ssize_t)*out_count);
  return w.file;
}

static bool is_whole(int file, double bytes_max, const char *key) {
  ts_arena *scratch;
  cr_assert(ts_arena_create(&scratch) == TS_OK);
  ts_cell_ipc_content content;
  cr_assert(ts_cell_ipc_read(&content, scratch, file, bytes_max, key) == TS_OK);
  ts_arena_destroy(scratch);
  return content.is_whole;
}

Test(harness_isolate, any_cut_or_changed_byte_of_the_rows_is_noticed) {
  unsigned char *bytes;
  size_t count;
  const ts_cell *cell = cell_of(push_two);
  int file = packed(&bytes, &count, cell);
  cr_assert(is_whole(file, 1e9, cell->key));
  cr_expect(!is_whole(file, (double)count - 1, cell->key));
  cr_expect(!is_whole(file, 1e9, "0000000000000000"));
  for (size_t i = 0; i < count; i++) {
    unsigned char changed = bytes[i] ^ 0x40;
    cr_assert(pwrite(file, &changed, 1, (off_t)i + TS_CELL_IPC_START) == 1);
    cr_expect(!is_whole(file, 1e9, cell->key), "byte %zu changed", i);
    cr_assert(pwrite(file, &bytes[i], 1, (off_t)i + TS_CELL_IPC_START) == 1);
  }
  for (size_t cut = count; cut-- > 0;) {
    cr_assert(ftruncate(file, (off_t)cut + TS_CELL_IPC_START) == 0);
    cr_expect(!is_whole(file, 1e9, cell->key), "cut to %zu", cut);
  }
  close(file);
}

/// What is before the rows of the first parcel: the note of the step, and the header.
enum { NOTE_BYTES = TS_CELL_IPC_NOTE_BYTES, HEADER_BYTES = 48 };

/// Changes a byte and corrects the hash, as if the data had been damaged before writing.
static void reseal(int file, const unsigned char *bytes, size_t count) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = NOTE_BYTES + HEADER_BYTES; i < count; i++)
    hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  cr_assert(pwrite(file, bytes, count, TS_CELL_IPC_START) == (ssize_t)count);
  cr_assert(pwrite(file, &hash, sizeof hash, TS_CELL_IPC_START + NOTE_BYTES + 16) ==
            (ssize_t)sizeof hash);
}

Test(harness_isolate, wrong_lengths_and_texts_within_the_rows_do_no_harm) {
  unsigned char *bytes;
  size_t count, refused = 0;
  const ts_cell *cell = cell_of(push_two);
  int file = packed(&bytes, &count, cell);
  for (size_t i = NOTE_BYTES + HEADER_BYTES; i < count; i++) {
    unsigned char before = bytes[i];
    bytes[i] = 0xff;
    reseal(file, bytes, count);
    refused += !is_whole(file, 1e9, cell->key);
    bytes[i] = before;
  }
  // Lengths, keys and the outcome are checked; the values of numbers cannot be.
  cr_expect(refused > 200, "%zu refused", refused);
  // Numbers of rows that are not there.
  for (size_t i = NOTE_BYTES + 24; i < NOTE_BYTES + HEADER_BYTES; i++) {
    unsigned char before = bytes[i];
    bytes[i] ^= 0xff;
    reseal(file, bytes, count);
    cr_expect(!is_whole(file, 1e9, cell->key), "byte %zu", i);
    bytes[i] = before;
  }
  close(file);
}

Test(harness_isolate, whole_parcels_are_read_from_a_file_that_is_cut) {
  ts_cell_rows rows;
  const ts_cell *cell = cell_of(push_two);
  cr_assert(collect_cell(&rows, arena, cell, &once) == TS_OK);
  ts_cell_ipc_writer w = {memfd_create("rows", 0), TS_CELL_IPC_START};
  cr_assert(ts_cell_ipc_begin(&w, 0) == TS_OK && ts_cell_ipc_append(&w, &rows) == TS_OK);
  int64_t first_end = w.end;
  cr_assert(ts_cell_ipc_begin(&w, 2) == TS_OK && ts_cell_ipc_append(&w, &rows) == TS_OK);
  int64_t second_end = w.end;
  cr_assert(ts_cell_ipc_end(&w) == TS_OK);
  for (int64_t end = w.end; end >= first_end; end--) {
    cr_assert(ftruncate(w.file, end) == 0);
    ts_cell_ipc_content content;
    cr_assert(ts_cell_ipc_read(&content, arena, w.file, 1e9, cell->key) == TS_OK);
    size_t parcels = end >= second_end ? 2 : 1;
    bool ends_early = end == first_end || end == second_end;
    cr_assert(content.rows.record_count == parcels);
    cr_assert(content.rows.contact_count == parcels * rows.contact_count);
    cr_assert(content.step == 2);
    cr_assert(content.is_whole == (end == w.end));
    cr_assert(content.is_damaged == (end != w.end && !ends_early));
  }
  close(w.file);
}
