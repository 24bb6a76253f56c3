// SPDX-License-Identifier: MIT
// covers: reports/rows/resume.c
#include "base/sanitizer.h"
#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  CONTACTS = TS_CONTACTS_FILE,
  REGIONS = TS_REGIONS_FILE,
  POSES = TS_POSES_FILE,
  SAMPLES = TS_SAMPLES_FILE,
  SUMMARY = TS_SUMMARY_FILE,
  FILE_COUNT = TS_RESULTS_FILE_COUNT
};

/// The files of a run after each of its cells; a kill leaves a state between two of them.
typedef struct history {
  const char *bytes[FILE_COUNT];               ///< in the end
  size_t sizes[FIXTURE_CELLS + 1][FILE_COUNT]; ///< after so many cells
  const char *context;
} history;

static history past;

static const char *context_text(int version) {
  json_t *values = fixture_context();
  json_object_set_new(values, "schema_version", json_integer(version));
  char *text = json_dumps(values, 0);
  const char *copy = ts_arena_string(fixture_arena, text);
  free(text);
  json_decref(values);
  return copy;
}

static void write_context(int version) {
  fixture_write_text(fixture_path("r/context.json"), context_text(version));
}

static void open_suite(void) {
  results_open();
  past.context = context_text(TS_SCHEMA_VERSION);
  for (size_t c = 0; c <= FIXTURE_CELLS; c++) {
    results_run(fixture_path("whole%zu", c), c);
    for (int f = 0; f < FILE_COUNT; f++)
      past.bytes[f] =
          fixture_read(fixture_path("whole%zu/%s.csv", c, fixture_names[f]), &past.sizes[c][f]);
  }
}

TestSuite(reports_resume, .init = open_suite, .fini = results_close);

/// The next place of a kill, up to the end of what is written: each byte, or fewer where a
/// sanitizer slows it down.
static size_t next_place(size_t place, size_t end) {
  size_t step = TS_HAS_ADDRESS_SANITIZER ? 11 : 1;
  return place + step < end ? place + step : end;
}

/// Leaves a folder "r" with the first `sizes` bytes of each file, and no journal.
static void leave(const size_t sizes[FILE_COUNT]) {
  mkdir(fixture_path("r"), 0777);
  unlink(fixture_path("r/journal.log"));
  fixture_write_text(fixture_path("r/context.json"), past.context);
  for (int f = 0; f < FILE_COUNT; f++)
    fixture_write(fixture_path("r/%s.csv", fixture_names[f]), past.bytes[f], sizes[f]);
}

static ts_results *results;
static json_t *context;
static ts_record *records;
static size_t record_count;

static size_t lost_cells;

static ts_status resume_in(const char *folder) {
  ts_resumed resumed;
  TS_TRY(ts_results_resume(&results, &resumed, fixture_arena, folder));
  context = resumed.context;
  records = resumed.records;
  record_count = resumed.record_count;
  lost_cells = resumed.lost_cells;
  return ts_results_continue(results, NULL);
}

static ts_status resume(void) {
  return resume_in(fixture_path("r"));
}

static size_t cells_of(const ts_record *rows, size_t count) {
  size_t cells = 0;
  for (size_t i = 0; i < count; i++)
    cells += i == 0 || strcmp(rows[i].cell, rows[i - 1].cell) != 0;
  return cells;
}

/// Resumes, expects `cells` complete cells, appends the rest, and expects the files of the complete
/// run.
static void expect_resumed(size_t cells, const char *what, size_t place) {
  cr_assert_eq(resume(), TS_OK, "%s %zu: %s", what, place, ts_status_detail());
  cr_assert_eq(cells_of(records, record_count), cells, "%s %zu: %zu cells instead of %zu", what,
               place, cells_of(records, record_count), cells);
  size_t next = 0;
  for (size_t c = 0; c < FIXTURE_CELLS; c++) {
    ts_cell_rows rows = fixture_cell(c);
    for (size_t i = 0; i < rows.record_count && c < cells; i++)
      cr_assert(fixture_rows_equal(&ts_summary_rows, &records[next++], &rows.records[i]));
    if (c >= cells)
      cr_assert_eq(ts_results_append(results, &rows), TS_OK);
  }
  cr_assert_eq(next, record_count);
  cr_assert_str_eq(json_string_value(json_object_get(context, "plan")), "a small run");
  json_decref(context);
  cr_assert_eq(ts_results_close(results), TS_OK);
  for (int f = 0; f < FILE_COUNT; f++) {
    size_t count;
    const char *bytes = fixture_read(fixture_path("r/%s.csv", fixture_names[f]), &count);
    cr_assert_eq(count, past.sizes[FIXTURE_CELLS][f], "%s %zu: %s.csv", what, place,
                 fixture_names[f]);
    cr_assert_arr_eq(bytes, past.bytes[f], count, "%s %zu: %s.csv", what, place, fixture_names[f]);
  }
}

Test(reports_resume, after_a_kill_at_any_byte_complete_cells_are_kept_and_the_rest_follows) {
  for (size_t c = 0; c < FIXTURE_CELLS; c++) {
    size_t sizes[FILE_COUNT];
    memcpy(sizes, past.sizes[c], sizeof sizes);
    for (int f = 0; f < FILE_COUNT; f++)
      for (; sizes[f] < past.sizes[c + 1][f];
           sizes[f] = next_place(sizes[f], past.sizes[c + 1][f])) {
        ts_arena_mark mark = ts_arena_get_mark(fixture_arena);
        leave(sizes);
        expect_resumed(c, fixture_names[f], sizes[f]);
        ts_arena_rewind(fixture_arena, mark);
      }
  }
}

Test(reports_resume, a_kill_while_the_headers_are_written_leaves_an_empty_run) {
  size_t sizes[FILE_COUNT] = {0};
  for (int f = 0; f < FILE_COUNT; f++)
    for (; sizes[f] < past.sizes[0][f]; sizes[f] = next_place(sizes[f], past.sizes[0][f])) {
      ts_arena_mark mark = ts_arena_get_mark(fixture_arena);
      leave(sizes);
      for (int later = f + 1; later < FILE_COUNT; later++)
        unlink(fixture_path("r/%s.csv", fixture_names[later]));
      if (sizes[f] == 0)
        unlink(fixture_path("r/%s.csv", fixture_names[f]));
      expect_resumed(0, fixture_names[f], sizes[f]);
      ts_arena_rewind(fixture_arena, mark);
    }
}

Test(reports_resume, a_complete_run_is_resumed_with_nothing_to_do) {
  leave(past.sizes[FIXTURE_CELLS]);
  fixture_write_text(fixture_path("r/context.json.partial"), "{");
  expect_resumed(FIXTURE_CELLS, "whole", 0);
  cr_expect_neq(access(fixture_path("r/context.json.partial"), F_OK), 0);
}

Test(reports_resume, crlf_and_a_byte_order_mark_do_no_harm) {
  leave(past.sizes[1]);
  const char *text = fixture_read(fixture_path("r/samples.csv"), NULL);
  char changed[4096] = "\xEF\xBB\xBF";
  char *end = changed + 3;
  for (; *text; text++)
    end += sprintf(end, *text == '\n' && text[1] != 'l' ? "\r\n" : "%c", *text);
  fixture_write_text(fixture_path("r/samples.csv"), changed);
  cr_assert_eq(resume(), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(cells_of(records, record_count), 1);
  json_decref(context);
  ts_results_close(results);
  cr_expect_str_eq(fixture_read(fixture_path("r/samples.csv"), NULL), changed);
}

/// Expects a refusal that names `reason` and changes no file.
static void expect_refused(const char *reason) {
  const char *before[FILE_COUNT] = {0};
  for (int f = 0; f < FILE_COUNT; f++)
    if (access(fixture_path("r/%s.csv", fixture_names[f]), F_OK) == 0)
      before[f] = fixture_read(fixture_path("r/%s.csv", fixture_names[f]), NULL);
  cr_assert_eq(resume(), TS_E_INPUT, "%s: %s", reason, ts_status_detail());
  cr_expect(fixture_detail_has(reason), "%s, not %s", ts_status_detail(), reason);
  for (int f = 0; f < FILE_COUNT; f++) {
    cr_expect_eq(access(fixture_path("r/%s.csv", fixture_names[f]), F_OK) == 0, before[f] != NULL);
    if (before[f])
      cr_expect_str_eq(fixture_read(fixture_path("r/%s.csv", fixture_names[f]), NULL), before[f]);
  }
}

Test(reports_resume, a_folder_without_results_is_refused) {
  expect_refused("there is no such folder");
  mkdir(fixture_path("r"), 0777);
  expect_refused("there is no context.json");
  fixture_write_text(fixture_path("r/context.json"), "");
  expect_refused("context.json, line");
  fixture_write_text(fixture_path("r/context.json"), "{\"name\": \"something else\"}");
  expect_refused("has no schema_version");
  fixture_write_text(fixture_path("r/context.json"), "[1]");
  expect_refused("has no schema_version");
}

Test(reports_resume, results_of_another_schema_are_refused) {
  size_t sizes[FILE_COUNT];
  memcpy(sizes, past.sizes[2], sizeof sizes);
  sizes[SUMMARY] -= 3;
  leave(sizes);
  write_context(TS_SCHEMA_VERSION + 1);
  expect_refused(ts_arena_format(fixture_arena,
                                 "has results of schema %d, and this program writes schema %d",
                                 TS_SCHEMA_VERSION + 1, TS_SCHEMA_VERSION));
}

Test(reports_resume, columns_that_are_not_ours_are_refused) {
  leave(past.sizes[1]);
  fixture_write_text(fixture_path("r/samples.csv"),
                     "cell,case,method,step,phase,sample,passes,time_ms\n");
  expect_refused("column 8 is \"time_ms\" and should be \"time_ns\"");
  fixture_write_text(fixture_path("r/samples.csv"), "cell,case,method,step,phase,sample,passes\n");
  expect_refused("column 8 is \"\" and should be \"time_ns\"");
  fixture_write_text(fixture_path("r/samples.csv"),
                     "cell,case,method,step,phase,sample,passes,time_ns,waited_ns,more\n");
  expect_refused("column 10 is \"more\" and should be \"\"");
  fixture_write_text(fixture_path("r/samples.csv"), "once upon a time");
  expect_refused("samples.csv was written by another version");
}

Test(reports_resume, a_file_that_is_a_folder_is_refused) {
  leave(past.sizes[1]);
  unlink(fixture_path("r/samples.csv"));
  mkdir(fixture_path("r/samples.csv"), 0777);
  cr_expect_eq(resume(), TS_E_IO);
  cr_expect(fixture_detail_has("samples.csv"));
}

/// Writes a file of "r" as the header and the given pieces of the whole run, in cells.
static void splice(int file, const size_t *cells, size_t count) {
  char bytes[65536];
  size_t used = past.sizes[0][file];
  memcpy(bytes, past.bytes[file], used);
  for (size_t i = 0; i < count; i++) {
    size_t start = past.sizes[cells[i]][file], end = past.sizes[cells[i] + 1][file];
    memcpy(bytes + used, past.bytes[file] + start, end - start);
    used += end - start;
  }
  fixture_write(fixture_path("r/%s.csv", fixture_names[file]), bytes, used);
}

Test(reports_resume, rows_that_no_kill_leaves_are_refused) {
  leave(past.sizes[FIXTURE_CELLS]);
  splice(SUMMARY, (const size_t[]){0, 1, 3}, 3);
  splice(CONTACTS, (const size_t[]){0, 3, 1}, 3);
  expect_refused("is not in the order of summary.csv");

  splice(SUMMARY, (const size_t[]){0, 3}, 2);
  splice(CONTACTS, (const size_t[]){0, 1, 3}, 3);
  expect_refused("comes after one that summary.csv does not have");

  splice(SUMMARY, (const size_t[]){0, 0}, 2);
  splice(CONTACTS, (const size_t[]){0}, 1);
  splice(SAMPLES, (const size_t[]){0}, 1);
  expect_refused("are not ascending");

  splice(SUMMARY, (const size_t[]){0, 1, 0}, 3);
  expect_refused("duplicate cell");
}

Test(reports_resume, a_lost_step_of_an_earlier_cell_is_refused) {
  leave(past.sizes[FIXTURE_CELLS]);
  const char *text = past.bytes[SUMMARY];
  char bytes[65536];
  const char *step_2 = text + past.sizes[2][SUMMARY];
  do
    step_2--;
  while (strncmp(step_2, "\ncell8,", 7) != 0);
  size_t start = (size_t)(step_2 + 1 - text), end = past.sizes[2][SUMMARY];
  memcpy(bytes, text, start);
  memcpy(bytes + start, text + end, past.sizes[FIXTURE_CELLS][SUMMARY] - end);
  fixture_write(fixture_path("r/summary.csv"), bytes,
                past.sizes[FIXTURE_CELLS][SUMMARY] - (end - start));
  expect_refused("cell cell8 has a step that summary.csv does not have");
}

Test(reports_resume, a_damaged_line_is_refused_with_its_number) {
  leave(past.sizes[1]);
  size_t size;
  const char *text = fixture_read(fixture_path("r/samples.csv"), &size);
  fixture_write_text(fixture_path("r/samples.csv"),
                     ts_arena_format(fixture_arena, "%scell9,x\n", text));
  expect_refused("fields, but the header has 9 columns");
  fixture_write_text(fixture_path("r/samples.csv"),
                     ts_arena_format(fixture_arena, "%scell9,,,one,,,,,\n", text));
  expect_refused("step is \"one\"");
}

Test(reports_resume, another_build_or_machine_is_refused) {
  size_t sizes[FILE_COUNT];
  memcpy(sizes, past.sizes[2], sizeof sizes);
  sizes[SUMMARY] -= 3;
  leave(sizes);
  json_t *values = json_loads(past.context, 0, NULL);
  json_object_set_new(json_object_get(values, "machine"), "cpu", json_string("Abacus 2"));
  json_dump_file(values, fixture_path("r/context.json"), 0);
  json_decref(values);
  expect_refused("machine cpu was \"Abacus 2\" and is ");
}

/// Takes line `index` (from 0, the header) out of a file of "r".
static void drop_line(int file, size_t index) {
  const char *text = fixture_read(fixture_path("r/%s.csv", fixture_names[file]), NULL),
             *start = text;
  for (; index > 0; index--)
    start = strchr(start, '\n') + 1;
  const char *end = strchr(start, '\n') + 1;
  fixture_write_text(fixture_path("r/%s.csv", fixture_names[file]),
                     ts_arena_format(fixture_arena, "%.*s%s", (int)(start - text), text, end));
}

/// Leaves a run of two plain cells, one row a line.
static void leave_plain_run(void) {
  ts_results *run = NULL;
  json_t *values = fixture_context();
  cr_assert_eq(ts_results_create(&run, fixture_path("r"), values), TS_OK);
  json_decref(values);
  for (int c = 0; c < 2; c++) {
    ts_record record;
    ts_contact_row contacts[3];
    ts_region_row regions[2];
    ts_sample_row samples[5];
    ts_row_init(&ts_summary_rows, &record);
    record.cell = c == 0 ? "first" : "second";
    record.case_name = "wall";
    record.method = "growth";
    record.outcome = "ok";
    record.step = 0;
    record.contacts_unique = record.contacts_listed = 3;
    record.regions_listed = 2;
    record.repeats = 3;
    for (int i = 0; i < 2; i++) {
      ts_row_init(&ts_region_rows, &regions[i]);
      regions[i].cell = record.cell;
      regions[i].step = 0;
      regions[i].region = i;
    }
    for (int i = 0; i < 3; i++) {
      ts_row_init(&ts_contact_rows, &contacts[i]);
      contacts[i].cell = record.cell;
      contacts[i].step = 0;
      contacts[i].index = i;
    }
    for (int i = 0; i < 5; i++) {
      ts_row_init(&ts_sample_rows, &samples[i]);
      samples[i].cell = record.cell;
      samples[i].step = 0;
      samples[i].phase = i < 2 ? "prepare" : "generate";
      samples[i].sample = i < 2 ? i : i - 2;
    }
    const ts_cell_rows rows = {.records = &record,
                               .record_count = 1,
                               .contacts = contacts,
                               .contact_count = 3,
                               .regions = regions,
                               .region_count = 2,
                               .samples = samples,
                               .sample_count = 5};
    cr_assert_eq(ts_results_append(run, &rows), TS_OK);
  }
  cr_assert_eq(ts_results_close(run), TS_OK);
  for (int f = 0; f < FILE_COUNT; f++)
    past.bytes[f] = fixture_read(fixture_path("r/%s.csv", fixture_names[f]), &past.sizes[0][f]);
}

static void restore(int file) {
  fixture_write(fixture_path("r/%s.csv", fixture_names[file]), past.bytes[file],
                past.sizes[0][file]);
}

/// Expects that the plain run goes on with the first `count` of its cells.
static void expect_kept(size_t count) {
  cr_assert_eq(resume(), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(record_count, count);
  cr_expect_eq(lost_cells, 2 - count);
  json_decref(context);
  ts_results_close(results);
  for (int f = 0; f < FILE_COUNT; f++)
    restore(f);
}

Test(reports_resume, contacts_lost_before_others_are_noticed_and_at_the_end_run_again) {
  leave_plain_run();
  unlink(fixture_path("r/journal.log"));
  for (size_t line = 1; line <= 3; line++) {
    drop_line(CONTACTS, line);
    expect_refused(
        "contacts.csv has 2 rows of wall x growth, cell first, but summary.csv counts 3");
    cr_expect(fixture_detail_has("start a new run with --out"));
    restore(CONTACTS);
  }
  for (size_t line = 4; line <= 6; line++) {
    drop_line(CONTACTS, line);
    expect_kept(1);
  }
  fixture_write(fixture_path("r/contacts.csv"), past.bytes[CONTACTS], past.sizes[0][CONTACTS] - 1);
  expect_kept(1);
  fixture_write(fixture_path("r/contacts.csv"), past.bytes[CONTACTS], 5);
  expect_kept(0);
  unlink(fixture_path("r/contacts.csv"));
  expect_kept(0);
}

Test(reports_resume, regions_lost_before_others_are_noticed_and_at_the_end_run_again) {
  leave_plain_run();
  unlink(fixture_path("r/journal.log"));
  drop_line(REGIONS, 1);
  expect_refused("regions.csv has 1 rows of wall x growth, cell first, but summary.csv counts 2");
  restore(REGIONS);
  drop_line(REGIONS, 4);
  expect_kept(1);
  unlink(fixture_path("r/regions.csv"));
  expect_kept(0);
  unlink(fixture_path("r/poses.csv")); // which has no rows
  expect_kept(2);
}

Test(reports_resume, samples_lost_before_others_are_noticed_and_at_the_end_run_again) {
  leave_plain_run();
  unlink(fixture_path("r/journal.log"));
  for (size_t line = 1; line <= 10; line++) {
    size_t place = (line - 1) % 5;
    if (place == 1) // The summary does not have their number of prepare samples.
      continue;
    drop_line(SAMPLES, line);
    if (line == 10) {
      expect_kept(1);
      continue;
    }
    expect_refused(place == 4 ? "samples.csv has 2 rows of phase generate of wall x growth"
                              : "lacks an earlier sample");
    restore(SAMPLES);
  }
  fixture_write(fixture_path("r/samples.csv"), past.bytes[SAMPLES], past.sizes[0][SAMPLES] - 1);
  expect_kept(1);
  unlink(fixture_path("r/samples.csv"));
  expect_kept(0);
}

Test(reports_resume, the_journal_names_rows_that_were_changed) {
  leave_plain_run();
  drop_line(SAMPLES, 2); // of phase prepare, which nothing counts
  expect_refused("samples.csv: the rows of wall x growth, cell first, are not those that the run");
  restore(SAMPLES);
  const char *second = strstr(past.bytes[CONTACTS], "\nsecond,");
  char *changed = ts_arena_string(fixture_arena, past.bytes[CONTACTS]);
  changed[second + 1 - past.bytes[CONTACTS] + (ptrdiff_t)strcspn(second + 1, "\n") - 1] = '7';
  fixture_write_text(fixture_path("r/contacts.csv"), changed);
  expect_refused("contacts.csv: the rows of wall x growth, cell second, are not those that");
  cr_expect(fixture_detail_has("remove"));
  unlink(fixture_path("r/journal.log"));
  expect_kept(2);
}

Test(reports_resume, rows_too_many_are_noticed) {
  leave_plain_run();
  fixture_write_text(fixture_path("r/contacts.csv"),
                     ts_arena_format(fixture_arena, "%s%s", past.bytes[CONTACTS],
                                     strstr(past.bytes[CONTACTS], "\nsecond,") + 1));
  expect_refused("contacts.csv has 6 rows of wall x growth, cell second");
}

Test(reports_resume, a_cell_that_is_not_ok_may_have_no_rows) {
  static const struct {
    const char *outcome;
    double contacts_listed, repeats;
    size_t contact_count, sample_count;
    int kept; ///< rows; -1: refused, because no cut leaves more contacts than the summary counts
  } cases[] = {
      {"crashed", NAN, NAN, 0, 0, 1}, {"failed", 3, 1, 0, 0, 1},      {"failed", 3, 1, 3, 1, 1},
      {"failed", 3, 1, 2, 1, 0},      {"failed", NAN, NAN, 1, 0, -1}, {"ok", 0, 1, 0, 1, 1},
      {"ok", NAN, NAN, 0, 0, 1},      {"ok", 3, 1, 0, 1, 0},          {"ok", 3, 1, 3, 0, 0}};
  ts_contact_row contacts[3];
  ts_sample_row sample;
  ts_record record;
  for (size_t i = 0; i < 3; i++) {
    ts_row_init(&ts_contact_rows, &contacts[i]);
    contacts[i].cell = "c";
    contacts[i].step = 0;
  }
  ts_row_init(&ts_sample_rows, &sample);
  ts_row_init(&ts_summary_rows, &record);
  sample.cell = record.cell = "c";
  sample.step = sample.sample = record.step = 0;
  sample.phase = "generate";
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    record.outcome = cases[i].outcome;
    record.contacts_listed = cases[i].contacts_listed;
    record.repeats = cases[i].repeats;
    const char *folder = fixture_path("run%zu", i);
    json_t *values = fixture_context();
    const ts_cell_rows rows = {.records = &record,
                               .record_count = 1,
                               .contacts = contacts,
                               .contact_count = cases[i].contact_count,
                               .samples = &sample,
                               .sample_count = cases[i].sample_count};
    cr_assert_eq(ts_results_create(&results, folder, values), TS_OK);
    cr_assert_eq(ts_results_append(results, &rows), TS_OK);
    ts_results_close(results);
    json_decref(values);
    ts_status status = resume_in(folder);
    cr_expect_eq(status, cases[i].kept >= 0 ? TS_OK : TS_E_INPUT, "case %zu", i);
    if (status != TS_OK)
      continue;
    cr_expect_eq(record_count, (size_t)cases[i].kept, "case %zu", i);
    json_decref(context);
    ts_results_close(results);
  }
}

#define STATES_CELLS 4
#define LAST_STEP    6

/// The rows of a cell of a run with the steps 0, 2 to LAST_STEP: contacts of steps 0, 3 and the
/// last only, samples of steps 0 and 3 only, a pose of all but 0. Cell 1 has no contact in the last
/// step, so that nothing but its last row is of that step; cell 2 failed at step 4; cell 3 has no
/// contact after step 0.
static ts_cell_rows states_of(size_t index) {
  ts_record *rows = ts_arena_array(fixture_arena, LAST_STEP, sizeof *rows);
  ts_contact_row *contacts = ts_arena_array(fixture_arena, LAST_STEP, sizeof *contacts);
  ts_sample_row *samples = ts_arena_array(fixture_arena, LAST_STEP, sizeof *samples);
  ts_pose_row *poses = ts_arena_array(fixture_arena, LAST_STEP, sizeof *poses);
  ts_cell_rows out = {.records = rows, .contacts = contacts, .poses = poses, .samples = samples};
  int last = index == 2 ? 4 : LAST_STEP;
  for (int step = 0; step <= last; step += step == 0 ? 2 : 1) {
    ts_record *row = &rows[out.record_count++];
    ts_row_init(&ts_summary_rows, row);
    row->cell = ts_arena_format(fixture_arena, "m%zu", 9 - index);
    row->case_name = "wall";
    row->method = "growth";
    row->step = step;
    bool has_failed = index == 2 && step == last;
    row->outcome = has_failed ? "failed" : "ok";
    row->contacts_unique = index == 3 && step > 0 ? 0 : 1;
    bool is_listed = step == 0 || step == 3 || step == LAST_STEP;
    row->contacts_listed =
        is_listed && !(index == 1 && step == LAST_STEP) ? row->contacts_unique : 0;
    if (row->contacts_listed > 0) {
      ts_contact_row *contact = &contacts[out.contact_count++];
      ts_row_init(&ts_contact_rows, contact);
      contact->cell = row->cell;
      contact->step = step;
    }
    row->poses_listed = step > 0 && !has_failed && !(index == 1 && step == LAST_STEP);
    if (row->poses_listed > 0) {
      ts_pose_row *pose = &poses[out.pose_count++];
      ts_row_init(&ts_pose_rows, pose);
      pose->cell = row->cell;
      pose->step = step;
    }
    if (step != 0 && step != 3)
      continue;
    row->repeats = 1;
    ts_sample_row *sample = &samples[out.sample_count++];
    ts_row_init(&ts_sample_rows, sample);
    sample->cell = row->cell;
    sample->step = step;
    sample->phase = "generate";
    sample->sample = 0;
  }
  return out;
}

static json_t *states_context(void) {
  json_t *values = fixture_context();
  json_object_set_new(values, TS_LAST_STEP_KEY, json_integer(LAST_STEP));
  return values;
}

/// The run of states_of() in place of that of the fixture.
static void open_states(void) {
  json_t *values = states_context();
  cr_assert_eq(ts_results_create(&results, fixture_path("states"), values), TS_OK);
  json_decref(values);
  for (size_t c = 0; c <= STATES_CELLS; c++) {
    for (int f = 0; f < FILE_COUNT; f++)
      past.bytes[f] =
          fixture_read(fixture_path("states/%s.csv", fixture_names[f]), &past.sizes[c][f]);
    if (c == STATES_CELLS)
      break;
    ts_cell_rows rows = states_of(c);
    cr_assert_eq(ts_results_append(results, &rows), TS_OK);
  }
  cr_assert_eq(ts_results_close(results), TS_OK);
  past.context = fixture_read(fixture_path("states/context.json"), NULL);
}

/// Resumes, expects `cells` complete cells, appends the rest, and expects the files of the complete
/// run.
static void expect_states_resumed(size_t cells, const char *what, size_t place) {
  cr_assert_eq(resume(), TS_OK, "%s %zu: %s", what, place, ts_status_detail());
  json_decref(context);
  cr_assert_eq(cells_of(records, record_count), cells, "%s %zu: %zu cells", what, place,
               cells_of(records, record_count));
  for (size_t c = cells; c < STATES_CELLS; c++) {
    ts_cell_rows rows = states_of(c);
    cr_assert_eq(ts_results_append(results, &rows), TS_OK);
  }
  cr_assert_eq(ts_results_close(results), TS_OK);
  for (int f = 0; f < FILE_COUNT; f++) {
    size_t count;
    const char *bytes = fixture_read(fixture_path("r/%s.csv", fixture_names[f]), &count);
    cr_assert_eq(count, past.sizes[STATES_CELLS][f], "%s %zu: %s.csv", what, place,
                 fixture_names[f]);
    cr_assert_arr_eq(bytes, past.bytes[f], count, "%s %zu: %s.csv", what, place, fixture_names[f]);
  }
}

Test(reports_resume, steps_without_contacts_and_samples_are_cut_and_resumed_at_any_byte) {
  open_states();
  for (size_t c = 0; c < STATES_CELLS; c++) {
    size_t sizes[FILE_COUNT];
    memcpy(sizes, past.sizes[c], sizeof sizes);
    for (int f = 0; f < FILE_COUNT; f++)
      for (; sizes[f] < past.sizes[c + 1][f];
           sizes[f] = next_place(sizes[f], past.sizes[c + 1][f])) {
        ts_arena_mark mark = ts_arena_get_mark(fixture_arena);
        leave(sizes);
        expect_states_resumed(c, fixture_names[f], sizes[f]);
        ts_arena_rewind(fixture_arena, mark);
      }
  }
  leave(past.sizes[STATES_CELLS]);
  expect_states_resumed(STATES_CELLS, "whole", 0);
}

/// Writes the summary of "r" without the last row of a cell.
static void drop_last_row(size_t cell) {
  const char *text = past.bytes[SUMMARY];
  size_t end = past.sizes[cell + 1][SUMMARY], start = end - 1;
  while (text[start - 1] != '\n')
    start--;
  fixture_write_text(fixture_path("r/summary.csv"),
                     ts_arena_format(fixture_arena, "%.*s%s", (int)start, text, text + end));
}

Test(reports_resume, a_lost_last_step_of_an_earlier_cell_is_refused) {
  open_states();
  leave(past.sizes[STATES_CELLS]);
  drop_last_row(1);
  expect_refused("summary.csv lacks the last steps of cell m8, which is not its last");
  leave(past.sizes[STATES_CELLS]);
  drop_last_row(0); // whose last step has a contact
  expect_refused("cell m9 has a step that summary.csv does not have");
}

Test(reports_resume, rows_of_untimed_steps_have_no_samples) {
  open_states();
  leave(past.sizes[STATES_CELLS]);
  cr_assert_eq(resume(), TS_OK, "%s", ts_status_detail());
  json_decref(context);
  ts_results_close(results);
  cr_assert_eq(record_count, 6 + 6 + 4 + 6);
  for (size_t i = 0; i < record_count; i++)
    cr_expect_eq(isnan(records[i].repeats), records[i].step != 0 && records[i].step != 3);
  drop_line(SAMPLES, 2); // of step 3 of the first cell
  expect_refused("samples.csv has 0 rows of phase generate of wall x growth, cell m9");
}
