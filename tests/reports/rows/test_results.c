// SPDX-License-Identifier: MIT
// covers: reports/rows/cell_rows.c reports/rows/disk.c reports/rows/results.c reports/rows/rows.c
#include "reports/rows/results.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(reports_results, .init = results_open, .fini = results_close);

/// Creates results and expects a failure.
static ts_status create(const char *folder) {
  ts_results *results = NULL;
  json_t *context = fixture_context();
  ts_status status = ts_results_create(&results, folder, context);
  json_decref(context);
  if (status == TS_OK)
    ts_results_close(results);
  return status;
}

static ts_results *must_create(const char *folder) {
  ts_results *results = NULL;
  json_t *context = fixture_context();
  cr_assert_eq(ts_results_create(&results, folder, context), TS_OK, "%s", ts_status_detail());
  json_decref(context);
  return results;
}

static bool exists(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0;
}

Test(reports_results, new_results_are_headers_and_a_context) {
  results_run(fixture_path("a/b//c/"), 0);
  cr_expect_eq(strncmp(fixture_read(fixture_path("a/b/c/summary.csv"), NULL),
                       "cell,case,case_parameters,method,", 33),
               0);
  const char *samples = fixture_read(fixture_path("a/b/c/samples.csv"), NULL);
  cr_expect_str_eq(samples, "cell,case,method,step,phase,sample,passes,time_ns,waited_ns\n");
  const char *contacts = fixture_read(fixture_path("a/b/c/contacts.csv"), NULL);
  cr_expect_eq(strcspn(contacts, "\n") + 1, strlen(contacts));
  json_t *context = json_load_file(fixture_path("a/b/c/context.json"), 0, NULL);
  cr_expect_eq(json_integer_value(json_object_get(context, "schema_version")), TS_SCHEMA_VERSION);
  cr_expect_str_eq(json_string_value(json_object_get(context, "plan")), "a small run");
  json_decref(context);
  cr_expect_not(exists(fixture_path("a/b/c/context.json.partial")));
}

Test(reports_results, the_given_context_is_left_alone) {
  json_t *context = fixture_context(), *before = json_deep_copy(context);
  ts_results *results = NULL;
  cr_assert_eq(ts_results_create(&results, fixture_path("r"), context), TS_OK);
  cr_expect(json_equal(context, before));
  ts_results_close(results);
  json_decref(context);
  json_decref(before);
}

Test(reports_results, rows_come_back_bit_by_bit) {
  results_run(fixture_path("r"), FIXTURE_CELLS);
  ts_record *records;
  size_t count, next = 0;
  cr_assert_eq(ts_summary_read(&records, &count, fixture_arena, fixture_path("r/summary.csv")),
               TS_OK, "%s", ts_status_detail());
  for (size_t c = 0; c < FIXTURE_CELLS; c++) {
    ts_cell_rows rows = fixture_cell(c);
    for (size_t i = 0; i < rows.record_count; i++) {
      cr_assert_lt(next, count);
      cr_expect(fixture_rows_equal(&ts_summary_rows, &records[next++], &rows.records[i]),
                "cell %zu, row %zu", c, i);
    }
  }
  cr_expect_eq(next, count);
}

Test(reports_results, counts_have_no_decimals_and_reals_are_shortest) {
  ts_sample_row sample;
  ts_row_init(&ts_sample_rows, &sample);
  sample.cell = "c";
  sample.phase = "generate";
  sample.passes = 4;
  const double counts[] = {0, 7, -3, 123456789012345.0, 1e15, NAN};
  const double times[] = {0.1, -0.0, 2.5e-7, 1e22, INFINITY, 1.0 / 3};
  ts_results *results = must_create(fixture_path("r"));
  for (int i = 0; i < 6; i++) {
    sample.sample = counts[i];
    sample.time_ns = times[i];
    ts_cell_rows rows = {.samples = &sample, .sample_count = 1};
    cr_assert_eq(ts_results_append(results, &rows), TS_OK);
  }
  cr_assert_eq(ts_results_close(results), TS_OK);
  cr_expect_str_eq(strchr(fixture_read(fixture_path("r/samples.csv"), NULL), '\n'),
                   "\nc,,,nan,generate,0,4,0.1,nan\n"
                   "c,,,nan,generate,7,4,-0,nan\n"
                   "c,,,nan,generate,-3,4,2.5e-07,nan\n"
                   "c,,,nan,generate,123456789012345,4,1e+22,nan\n"
                   "c,,,nan,generate,1e+15,4,inf,nan\n"
                   "c,,,nan,generate,nan,4,0.3333333333333333,nan\n");
}

Test(reports_results, rows_are_in_the_files_before_they_are_closed) {
  ts_results *results = must_create(fixture_path("r"));
  ts_cell_rows rows = fixture_cell(0);
  cr_assert_eq(ts_results_append(results, &rows), TS_OK);
  ts_record *records;
  size_t count;
  cr_assert_eq(ts_summary_read(&records, &count, fixture_arena, fixture_path("r/summary.csv")),
               TS_OK);
  cr_expect_eq(count, 1);
  ts_results_close(results);
}

Test(reports_results, a_folder_with_results_is_refused_and_left_alone) {
  results_run(fixture_path("r"), 1);
  const char *before = fixture_read(fixture_path("r/summary.csv"), NULL);
  cr_expect_eq(create(fixture_path("r")), TS_E_INPUT);
  cr_expect(fixture_detail_has("already has results"));
  cr_expect(fixture_detail_has("--resume"));
  cr_expect_str_eq(fixture_read(fixture_path("r/summary.csv"), NULL), before);
  cr_expect_not(exists(fixture_path("r/context.json.partial")));
}

Test(reports_results, a_folder_of_something_else_is_refused_and_left_alone) {
  mkdir(fixture_path("r"), 0777);
  fixture_write_text(fixture_path("r/thesis.tex"), "x");
  cr_expect_eq(create(fixture_path("r")), TS_E_INPUT);
  cr_expect(fixture_detail_has("is not empty; choose another --out"), "%s", ts_status_detail());
  cr_expect_not(exists(fixture_path("r/context.json")));
  cr_expect_not(exists(fixture_path("r/context.json.partial")));
}

Test(reports_results, an_empty_folder_and_one_with_a_leftover_draft_are_taken) {
  char draft[16384];
  memset(draft, 'x', sizeof draft);
  mkdir(fixture_path("a"), 0777);
  mkdir(fixture_path("b"), 0777);
  fixture_write(fixture_path("b/context.json.partial"), draft, sizeof draft);
  json_t *context = fixture_context();
  for (int i = 0; i < 2; i++) {
    ts_results *results = NULL;
    cr_expect_eq(ts_results_create(&results, fixture_path(i == 0 ? "a" : "b"), context), TS_OK,
                 "%s", ts_status_detail());
    ts_results_close(results);
  }
  json_decref(context);
  size_t length;
  const char *text = fixture_read(fixture_path("b/context.json"), &length);
  cr_expect_lt(length, sizeof draft);
  cr_expect_str_eq(text, fixture_read(fixture_path("a/context.json"), NULL));
}

Test(reports_results, a_path_that_cannot_be_is_refused) {
  fixture_write_text(fixture_path("file"), "x");
  cr_expect_eq(create(""), TS_E_INPUT);
  cr_expect_eq(create(fixture_path("file")), TS_E_INPUT);
  cr_expect(fixture_detail_has("is not a folder; choose another"));
  cr_expect_eq(create("/dev/full"), TS_E_INPUT);
  cr_expect_eq(create(fixture_path("file/below/it")), TS_E_IO);
  cr_expect(fixture_detail_has("Not a directory; choose another"), "%s", ts_status_detail());
  cr_expect_eq(create("/proc/results"), TS_E_IO);
  cr_expect_eq(create("/proc/1"), TS_E_INPUT);
}

/// Lowers the limit on open files until only `count` more can be opened.
static void limit_open_files(int count) {
  struct rlimit limit;
  int next = dup(STDIN_FILENO);
  cr_assert(next >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0);
  close(next);
  limit.rlim_cur = (rlim_t)(next + count);
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void allow_open_files(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

Test(reports_results, too_few_open_files_are_reported_and_leave_nothing_behind) {
  const char *folder = fixture_path("new/r");
  json_t *context = fixture_context();
  int failures = 0;
  for (ts_status status = TS_E_IO; status != TS_OK; failures++) {
    ts_results *results = NULL;
    limit_open_files(failures);
    status = ts_results_create(&results, folder, context);
    allow_open_files();
    if (status == TS_OK) {
      ts_results_close(results);
      continue;
    }
    cr_assert_eq(status, TS_E_IO, "%d: %s", failures, ts_status_detail());
    cr_expect(fixture_detail_has("Too many open files; allow more open files (ulimit -n), or"),
              "%d: %s", failures, ts_status_detail());
    cr_expect_not(exists(fixture_path("new")), "%d", failures);
  }
  cr_expect_gt(failures, 3);
  json_decref(context);
}

Test(reports_results, a_folder_that_cannot_be_looked_into_is_not_called_full) {
  mkdir(fixture_path("r"), 0777);
  chmod(fixture_path("."), 0755);
  chmod(fixture_path("r"), 0333);
  uid_t user = geteuid(); // Root may read everything, so become another user meanwhile.
  cr_assert(user != 0 || seteuid(65534) == 0);
  ts_status status = create(fixture_path("r"));
  cr_assert_eq(seteuid(user), 0);
  cr_expect_eq(status, TS_E_IO);
  cr_expect(fixture_detail_has("Permission denied; check the permissions, or choose another"), "%s",
            ts_status_detail());
}

Test(reports_results, a_circular_link_is_reported) {
  cr_assert_eq(symlink("circle", fixture_path("circle")), 0);
  cr_expect_eq(create(fixture_path("circle")), TS_E_IO);
  cr_expect(fixture_detail_has("Too many levels of symbolic links"), "%s", ts_status_detail());
}

Test(reports_results, a_context_that_is_not_an_object_is_refused) {
  ts_results *results = NULL;
  cr_expect_eq(ts_results_create(&results, fixture_path("r"), NULL), TS_E_INPUT);
  cr_expect_not(exists(fixture_path("r")));
}

/// Limits the size of files that this process writes; SIGXFSZ keeps its default action.
static void limit_file_size(rlim_t bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(reports_results, a_disk_that_is_full_from_the_start_leaves_nothing_behind) {
  size_t header;
  results_run(fixture_path("whole"), 0);
  fixture_read(fixture_path("whole/summary.csv"), &header);
  for (rlim_t limit = 0; limit < header; limit += 20) {
    limit_file_size(limit);
    ts_status status = create(fixture_path("new/r"));
    limit_file_size(RLIM_INFINITY);
    cr_expect_eq(status, TS_E_IO, "limit %d", (int)limit);
    cr_expect(fixture_detail_has("File too large; raise the file size limit (ulimit -f), or choose "
                                 "another --out"),
              "%s", ts_status_detail());
    cr_expect_not(exists(fixture_path("new")), "limit %d", (int)limit);
  }
}

Test(reports_results, a_disk_that_fills_up_cuts_every_file_back) {
  enum { COUNT = TS_RESULTS_FILE_COUNT };
  ts_results *results = must_create(fixture_path("r"));
  ts_cell_rows rows = fixture_cell(0), next = fixture_cell(1);
  char reason[8192];
  memset(reason, 'x', sizeof reason);
  reason[sizeof reason - 1] = '\0';
  ts_record wordy = next.records[0];
  wordy.reason = reason;
  ts_cell_rows wordy_next = next;
  wordy_next.records = &wordy;
  wordy_next.record_count = 1;
  cr_assert_eq(ts_results_append(results, &rows), TS_OK);
  const char *before[COUNT];
  size_t counts[COUNT], failures[COUNT] = {0}, longest = 0;
  for (int i = 0; i < COUNT; i++)
    before[i] = fixture_read(fixture_path("r/%s.csv", fixture_names[i]), &counts[i]);
  for (int i = 1; i + 1 < COUNT; i++)
    longest = counts[i] > longest ? counts[i] : longest;
  for (size_t limit = longest; limit < sizeof reason; limit += 37) {
    limit_file_size(limit);
    ts_status status = ts_results_append(results, &wordy_next);
    limit_file_size(RLIM_INFINITY);
    cr_assert_eq(status, TS_E_IO);
    cr_assert(fixture_detail_has(
        "File too large; raise the file size limit (ulimit -f), then continue with --resume"));
    for (int i = 0; i < COUNT; i++) {
      size_t count;
      const char *after = fixture_read(fixture_path("r/%s.csv", fixture_names[i]), &count);
      cr_assert_eq(count, counts[i], "%s.csv at limit %zu", fixture_names[i], limit);
      cr_assert_arr_eq(after, before[i], count);
      failures[i] += fixture_detail_has(fixture_names[i]);
    }
  }
  cr_expect_gt(failures[0], 0, "contacts.csv, the first to be written, never failed");
  cr_expect_gt(failures[COUNT - 1], 0, "summary.csv, the last to be written, never failed");
  cr_expect_eq(ts_results_append(results, &next), TS_OK);
  cr_assert_eq(ts_results_close(results), TS_OK);
  results_run(fixture_path("whole"), 2);
  for (int i = 0; i < COUNT; i++)
    cr_expect_str_eq(fixture_read(fixture_path("r/%s.csv", fixture_names[i]), NULL),
                     fixture_read(fixture_path("whole/%s.csv", fixture_names[i]), NULL));
}

/// Runs `work` in a child and returns its exit status, or minus the signal.
static int in_child(int (*work)(const char *), const char *folder) {
  pid_t child = fork();
  if (child == 0)
    _exit(work(folder));
  int status;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int is_locked_to_all(const char *folder) {
  ts_results *results;
  ts_resumed resumed;
  if (create(folder) != TS_E_INPUT)
    return 1;
  if (ts_results_resume(&results, &resumed, fixture_arena, folder) != TS_E_INPUT)
    return 2;
  return fixture_detail_has("another run is writing to") ? 0 : 3;
}

Test(reports_results, two_runs_cannot_write_to_one_folder) {
  ts_results *results = must_create(fixture_path("r"));
  cr_expect_eq(in_child(is_locked_to_all, fixture_path("r")), 0);
  ts_cell_rows rows = fixture_cell(0);
  cr_expect_eq(ts_results_append(results, &rows), TS_OK);
  cr_assert_eq(ts_results_close(results), TS_OK);
  cr_expect_eq(in_child(is_locked_to_all, fixture_path("r")), 2, "the lock outlives the run");
}

static int until_the_test_ends[2]; ///< a pipe

static int create_and_leave_a_child(const char *folder) {
  must_create(folder);
  if (fork() == 0) {
    char byte;
    close(until_the_test_ends[1]);
    _exit((int)read(until_the_test_ends[0], &byte, 1));
  }
  return 0;
}

Test(reports_results, a_child_that_outlives_a_killed_run_does_not_hold_the_lock) {
  cr_assert_eq(pipe(until_the_test_ends), 0);
  cr_assert_eq(in_child(create_and_leave_a_child, fixture_path("r")), 0);
  ts_results *results;
  ts_resumed resumed;
  cr_assert_eq(ts_results_resume(&results, &resumed, fixture_arena, fixture_path("r")), TS_OK, "%s",
               ts_status_detail());
  json_decref(resumed.context);
  ts_results_close(results);
  close(until_the_test_ends[1]);
}

static ts_results *must_resume(const char *folder, json_t **context) {
  ts_results *results = NULL;
  ts_resumed resumed;
  cr_assert_eq(ts_results_resume(&results, &resumed, fixture_arena, folder), TS_OK, "%s",
               ts_status_detail());
  *context = resumed.context;
  return results;
}

Test(reports_results, a_context_that_is_replaced_takes_the_lock_along) {
  const char *folder = fixture_path("r");
  results_run(folder, 1);
  json_t *context;
  ts_results *results = must_resume(folder, &context);
  json_object_set_new(context, "plan", json_string("another"));
  cr_assert_eq(ts_results_continue(results, context), TS_OK, "%s", ts_status_detail());
  json_decref(context);
  cr_expect_not(exists(fixture_path("r/context.json.partial")));
  cr_expect_eq(in_child(is_locked_to_all, folder), 0);
  cr_assert_eq(ts_results_close(results), TS_OK);
  results = must_resume(folder, &context);
  cr_expect_str_eq(json_string_value(json_object_get(context, "plan")), "another");
  json_decref(context);
  ts_results_close(results);
}

Test(reports_results, resuming_alone_changes_nothing) {
  results_run(fixture_path("r"), 2);
  size_t size;
  fixture_read(fixture_path("r/samples.csv"), &size);
  cr_assert_eq(truncate(fixture_path("r/samples.csv"), (off_t)size - 3), 0);
  json_t *context;
  cr_assert_eq(ts_results_close(must_resume(fixture_path("r"), &context)), TS_OK);
  json_decref(context);
  size_t now;
  fixture_read(fixture_path("r/samples.csv"), &now);
  cr_expect_eq(now, size - 3);
}

/// Changes a file of "r" in one of several ways.
static void change(int way, const char *path) {
  size_t size;
  const char *bytes = fixture_read(path, &size);
  switch (way) {
  case 0:
    cr_assert_eq(truncate(path, 0), 0);
    break;
  case 1:
    cr_assert_eq(truncate(path, (off_t)size + 9), 0);
    break;
  case 2:
    fixture_write(path, bytes, size);
    break;
  default:
    cr_assert_eq(unlink(path), 0);
  }
}

Test(reports_results, files_that_others_change_are_noticed_before_the_next_row) {
  enum { COUNT = TS_RESULTS_FILE_COUNT };
  static const char *const words[] = {"it has 0 bytes instead of", "9 bytes were added", "replaced",
                                      "removed"};
  for (int i = 0; i < 4 * COUNT; i++) {
    const char *folder = fixture_path("r%d", i),
               *path = fixture_path("r%d/%s.csv", i, fixture_names[i % COUNT]);
    ts_results *results = must_create(folder);
    cr_assert_eq(ts_results_set_command(results, "touchstone run --resume it --jobs 2"), TS_OK);
    ts_cell_rows rows = fixture_cell(0), next = fixture_cell(1);
    cr_assert_eq(ts_results_append(results, &rows), TS_OK);
    change(i / COUNT, path);
    struct stat before, after;
    stat(fixture_path("r%d/%s.csv", i, fixture_names[(i + 1) % COUNT]), &before);
    cr_expect_eq(ts_results_append(results, &next), TS_E_INPUT);
    cr_expect(fixture_detail_has(words[i / COUNT]), "%s", ts_status_detail());
    cr_expect(fixture_detail_has(path) && fixture_detail_has("by another program"));
    cr_expect(fixture_detail_has("continue with: touchstone run --resume it --jobs 2"));
    cr_expect_eq(ts_results_append(results, &next), TS_E_INPUT, "and nothing more is written");
    ts_results_close(results);
    stat(fixture_path("r%d/%s.csv", i, fixture_names[(i + 1) % COUNT]), &after);
    cr_expect_eq(before.st_size, after.st_size);
  }
}

Test(reports_results, a_change_after_the_last_row_is_noticed_at_the_end) {
  ts_results *results = must_create(fixture_path("r"));
  change(1, fixture_path("r/summary.csv"));
  cr_expect_eq(ts_results_close(results), TS_E_INPUT);
  cr_expect(fixture_detail_has("9 bytes were added"));
}

Test(reports_results,
     a_cell_that_the_program_dies_in_is_suspect_then_tried_then_guilty_until_it_has_rows) {
  const char *folder = fixture_path("r");
  results_run(folder, 1);
  ts_cell_rows rows = fixture_cell(1);
  const char *key = rows.records[0].cell;
  for (int death = 0; death < 3; death++) {
    pid_t child = fork();
    if (child == 0) {
      json_t *context;
      ts_results *results = must_resume(folder, &context);
      ts_cell_history expected = death == 0   ? TS_HISTORY_CLEAN
                                 : death == 1 ? TS_HISTORY_SUSPECT
                                              : TS_HISTORY_TRIAL;
      _exit(ts_results_history(results, key) == expected &&
                    ts_results_continue(results, NULL) == TS_OK &&
                    ts_results_begin(results, key) == TS_OK
                ? 7
                : 1);
    }
    int status;
    waitpid(child, &status, 0);
    cr_assert_eq(WEXITSTATUS(status), 7);
  }
  json_t *context;
  ts_results *results = must_resume(folder, &context);
  json_decref(context);
  cr_expect_eq(ts_results_history(results, key), TS_HISTORY_GUILTY);
  cr_assert_eq(ts_results_continue(results, NULL), TS_OK);
  cr_assert_eq(ts_results_append(results, &rows), TS_OK);
  cr_assert_eq(ts_results_close(results), TS_OK);
  results = must_resume(folder, &context);
  json_decref(context);
  cr_expect_eq(ts_results_history(results, key), TS_HISTORY_CLEAN);
  ts_results_close(results);
}

Test(reports_results, closing_null_is_allowed) {
  cr_expect_eq(ts_results_close(NULL), TS_OK);
}

static const char *link_target(const char *path) {
  static char target[256];
  ssize_t length = readlink(path, target, sizeof target - 1);
  target[length > 0 ? length : 0] = '\0';
  return target;
}

Test(reports_results, latest_points_to_the_newest_run) {
  mkdir(fixture_path("one"), 0777);
  mkdir(fixture_path("two"), 0777);
  cr_expect_eq(ts_results_link_latest(fixture_path("one")), TS_OK);
  cr_expect_str_eq(link_target(fixture_path("latest")), "one");
  cr_expect_eq(ts_results_link_latest(fixture_path("two///")), TS_OK);
  cr_expect_str_eq(link_target(fixture_path("latest")), "two");
  cr_expect_eq(ts_results_link_latest(fixture_path("latest")), TS_OK);
  cr_expect_str_eq(link_target(fixture_path("latest")), "two");
  cr_assert_eq(chdir(fixture_path(".")), 0);
  cr_expect_eq(ts_results_link_latest("one"), TS_OK);
  cr_expect_str_eq(link_target("latest"), "one");
  cr_expect_eq(ts_results_link_latest("."), TS_SKIPPED);
}

Test(reports_results, something_else_called_latest_is_left_alone) {
  mkdir(fixture_path("one"), 0777);
  fixture_write_text(fixture_path("latest"), "mine");
  cr_expect_eq(ts_results_link_latest(fixture_path("one")), TS_E_INPUT);
  cr_expect_str_eq(fixture_read(fixture_path("latest"), NULL), "mine");
  cr_expect_eq(ts_results_link_latest(fixture_path("nowhere/one")), TS_E_IO);
}

#define HEAD                                                                                       \
  "cell,case,case_parameters,method,method_parameters,scoring_parameters,simulation_parameters,"   \
  "step"

static ts_status read_summary(ts_record **out, size_t *count, const char *text) {
  fixture_write_text(fixture_path("s.csv"), text);
  return ts_summary_read(out, count, fixture_arena, fixture_path("s.csv"));
}

Test(reports_results, a_summary_is_read_by_the_names_of_its_columns) {
  ts_record *records;
  size_t count;
  cr_assert_eq(read_summary(&records, &count,
                            "\xEF\xBB\xBFlucky,quality_percent,step,scoring_parameters,"
                            "simulation_parameters,method,"
                            "method_parameters,cell,case,case_parameters,contacts\r\n"
                            "seven,99.5,2,s,i,m,mp,c,wall,\"layers=3;bricks=4\",\r\n"
                            "\r\n"
                            ",nan,2.0,s,i,m,,d,wall,,12\r\n"),
               TS_OK, "%s", ts_status_detail());
  cr_assert_eq(count, 2);
  cr_expect_str_eq(records[0].cell, "c");
  cr_expect_str_eq(records[0].case_name, "wall");
  cr_expect_str_eq(records[0].case_parameters, "layers=3;bricks=4");
  cr_expect_eq(records[0].quality_percent, 99.5);
  cr_expect_eq(records[0].step, 2);
  cr_expect_str_eq(records[0].simulation_parameters, "i");
  cr_expect(isnan(records[0].contacts));
  cr_expect(isnan(records[1].quality_percent));
  cr_expect_eq(records[1].contacts, 12);
  cr_expect(isnan(records[1].coverage_percent), "a missing column is not measured");
  cr_expect_str_eq(records[1].outcome, "");
}

Test(reports_results, a_summary_without_rows_is_fine) {
  ts_record *records;
  size_t count = 9;
  cr_expect_eq(read_summary(&records, &count, HEAD "\n"), TS_OK);
  cr_expect_eq(count, 0);
}

Test(reports_results, a_bad_summary_is_refused_with_its_line) {
  static const struct {
    const char *text, *reason;
  } cases[] = {
      {"", "the file is empty"},
      {"\n\n", "the file is empty"},
      {HEAD, "cut off"},
      {HEAD "\nc,w,,m,,,,0", "s.csv, line 2: the line is cut off"},
      {HEAD "\nc,w,,m,,,,0\nc,w,,m,,,,\"0\n", "line 3: the line is cut off"},
      {HEAD "\nc,w,,m,,,,0,5\n", "line 2: 9 fields, but the header has 8 columns"},
      {HEAD "\nc,w,,m,,,,0\nc,w,,m,,,\n", "line 3: 7 fields"},
      {HEAD "\n\nc,\"w\n\n\",,m,,,,0\nc,w,,m,,,,zero\n", "line 6: step is \"zero\""},
      {HEAD ",gap,step\n", "duplicate column step"},
      {HEAD ",excess_factor\nc,w,,m,,,,0,1 2\n", "line 2: excess_factor is \"1 2\""},
      {HEAD ",excess_factor\nc,w,,m,,,,0,0x\n", "excess_factor is \"0x\""},
      {HEAD ",contacts\nc,w,,m,,,,0,1.5\n", "line 2: contacts is 1.5, and must be a whole number"},
      {HEAD ",contacts\nc,w,,m,,,,0,-1\n", "line 2: contacts is -1, and must not be below 0"},
      {HEAD ",contacts\nc,w,,m,,,,0,inf\n", "line 2: contacts is inf, and must be a whole number"},
      {HEAD ",quality_percent\nc,w,,m,,,,0,1e400\n",
       "quality_percent is 1e400, and must be finite"},
      {HEAD ",quality_percent\nc,w,,m,,,,0,101\n", "quality_percent is 101, and must not be above"},
      {HEAD ",excess_factor\nc,w,,m,,,,0,-inf\n", "excess_factor is -inf, and must be finite"},
      {HEAD ",generate_ns_median\nc,w,,m,,,,0,inf\n", "generate_ns_median is inf, and must be"},
      {HEAD ",generate_ns_median\nc,w,,m,,,,0,-1\n", "generate_ns_median is -1, and must not be"},
      {"cell,case,method,step\n", "the column case_parameters is missing"},
      {"\x89PNG\r\n\x1a\n", "the column cell is missing"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ts_record *records;
    size_t count;
    cr_expect_eq(read_summary(&records, &count, cases[i].text), TS_E_INPUT, "%s", cases[i].text);
    cr_expect(fixture_detail_has(cases[i].reason), "%s, not %s", ts_status_detail(),
              cases[i].reason);
  }
}

Test(reports_results, a_missing_summary_is_refused) {
  ts_record *records;
  size_t count;
  cr_expect_eq(ts_summary_read(&records, &count, fixture_arena, fixture_path("none.csv")),
               TS_E_INPUT);
  cr_expect(fixture_detail_has("none.csv: No such file"));
  cr_expect_eq(ts_summary_read(&records, &count, fixture_arena, fixture_path(".")), TS_E_INPUT);
}
