// SPDX-License-Identifier: MIT
// covers: reports/rows/resume.c reports/rows/resume_scan.c
#include "base/random.h"
#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define CELLS     12
#define CUTS      200
#define LAST_STEP 2

#define FILE_COUNT TS_RESULTS_FILE_COUNT

/// The uncut run, and the size of each file after so many cells.
static const char *whole[FILE_COUNT], *whole_context, *whole_journal;
static size_t sizes[CELLS + 1][FILE_COUNT], journal_size;

/// A cell with the steps 0 to LAST_STEP. Every fifth crashes at step 1, every fourth has no
/// contact.
static ts_cell_rows cell_of(size_t index) {
  ts_record *rows = ts_arena_array(fixture_arena, LAST_STEP + 1, sizeof *rows);
  ts_contact_row *contacts = ts_arena_array(fixture_arena, 2 * LAST_STEP + 2, sizeof *contacts);
  ts_sample_row *samples = ts_arena_array(fixture_arena, 3 * LAST_STEP + 3, sizeof *samples);
  ts_region_row *regions = ts_arena_array(fixture_arena, LAST_STEP + 1, sizeof *regions);
  ts_pose_row *poses = ts_arena_array(fixture_arena, 2 * LAST_STEP + 2, sizeof *poses);
  ts_cell_rows out = {.records = rows,
                      .contacts = contacts,
                      .regions = regions,
                      .poses = poses,
                      .samples = samples};
  const char *key = ts_arena_format(fixture_arena, "%016zx", (index + 1) * 0x9e3779b97f4a7c15u);
  for (int step = 0; step <= LAST_STEP; step++) {
    ts_record *row = &rows[out.record_count++];
    bool has_crashed = index % 5 == 4 && step == 1;
    ts_row_init(&ts_summary_rows, row);
    row->cell = key;
    row->case_name = "a \"case\",\nof two lines";
    row->method = "growth";
    row->step = step;
    row->outcome = has_crashed ? "crashed" : "ok";
    if (has_crashed)
      break;
    row->contacts_listed = index % 4 == 3 ? 0 : 2;
    row->regions_listed = index % 3 > 0;
    row->poses_listed = step > 0 ? 2 : 0;
    row->repeats = 2;
    if (row->regions_listed > 0) {
      ts_region_row *region = &regions[out.region_count++];
      ts_row_init(&ts_region_rows, region);
      region->cell = key;
      region->step = step;
      region->corners_m = "0 0 0;1 0 0";
    }
    for (int i = 0; i < (int)row->poses_listed; i++) {
      ts_pose_row *pose = &poses[out.pose_count++];
      ts_row_init(&ts_pose_rows, pose);
      pose->cell = key;
      pose->step = step;
      pose->body = i == 0 ? "0" : "1";
    }
    for (int i = 0; i < (int)row->contacts_listed; i++) {
      ts_contact_row *contact = &contacts[out.contact_count++];
      ts_row_init(&ts_contact_rows, contact);
      contact->cell = key;
      contact->step = step;
      contact->index = i;
    }
    for (int i = 0; i < 3; i++) {
      ts_sample_row *sample = &samples[out.sample_count++];
      ts_row_init(&ts_sample_rows, sample);
      sample->cell = key;
      sample->step = step;
      sample->phase = i == 0 ? "prepare" : "generate";
      sample->sample = i == 0 ? 0 : i - 1;
    }
  }
  return out;
}

static void open_run(void) {
  results_open();
  json_t *context = fixture_context();
  json_object_set_new(context, TS_LAST_STEP_KEY, json_integer(LAST_STEP));
  ts_results *run;
  cr_assert_eq(ts_results_create(&run, fixture_path("whole"), context), TS_OK);
  json_decref(context);
  for (size_t c = 0; c <= CELLS; c++) {
    for (int f = 0; f < FILE_COUNT; f++)
      whole[f] = fixture_read(fixture_path("whole/%s.csv", fixture_names[f]), &sizes[c][f]);
    if (c == CELLS)
      break;
    ts_cell_rows rows = cell_of(c);
    cr_assert_eq(ts_results_append(run, &rows), TS_OK);
  }
  cr_assert_eq(ts_results_close(run), TS_OK);
  whole_context = fixture_read(fixture_path("whole/context.json"), NULL);
  whole_journal = fixture_read(fixture_path("whole/journal.log"), &journal_size);
}

TestSuite(reports_power_cut, .init = open_run, .fini = results_close);

static size_t pick(ts_random *random, size_t count) {
  return (size_t)(ts_random_u64(random) % count);
}

/// Writes a file of "r" as a power cut leaves it: its first `kept` bytes, then possibly zeros.
static void write_cut(const char *name, const char *bytes, size_t size, size_t kept,
                      bool has_zeros) {
  char *text = ts_arena_alloc(fixture_arena, size + 1); // zeroed
  memcpy(text, bytes, kept);
  fixture_write(fixture_path("r/%s", name), text, has_zeros ? size : kept);
}

/// Leaves "r" with one file cut, or several, and returns how many cells are whole in all of them.
static size_t leave_cut(ts_random *random, bool has_journal) {
  size_t kept[FILE_COUNT], count = 1 + pick(random, FILE_COUNT), first = pick(random, FILE_COUNT);
  memcpy(kept, sizes[CELLS], sizeof kept);
  fixture_write_text(fixture_path("r/context.json"), whole_context);
  for (int f = 0; f < FILE_COUNT; f++)
    fixture_write(fixture_path("r/%s.csv", fixture_names[f]), whole[f], kept[f]);
  for (size_t i = 0; i < count; i++) {
    size_t f = (first + i) % FILE_COUNT, size = sizes[CELLS][f];
    size_t kind = pick(random, 8);
    kept[f] = kind == 0 ? 0 : kind == 1 ? pick(random, sizes[0][f]) : pick(random, size);
    write_cut(ts_arena_format(fixture_arena, "%s.csv", fixture_names[f]), whole[f], size, kept[f],
              pick(random, 2) == 0);
    if (kind == 0)
      unlink(fixture_path("r/%s.csv", fixture_names[f]));
  }
  unlink(fixture_path("r/journal.log"));
  if (has_journal) // which is cut, too, in every other run
    write_cut("journal.log", whole_journal, journal_size,
              pick(random, 2) == 0 ? pick(random, journal_size) : journal_size,
              pick(random, 2) == 0);
  size_t cells = 0;
  for (; cells < CELLS; cells++)
    for (int f = 0; f < FILE_COUNT; f++)
      if (kept[f] < sizes[cells + 1][f] && sizes[cells + 1][f] > sizes[cells][f])
        return cells;
  return cells;
}

/// Goes on with the run in "r", and returns how many of its cells were kept.
static size_t go_on(size_t cut) {
  ts_results *results;
  ts_resumed resumed;
  cr_assert_eq(ts_results_resume(&results, &resumed, fixture_arena, fixture_path("r")), TS_OK,
               "cut %zu: %s", cut, ts_status_detail());
  json_decref(resumed.context);
  cr_assert_eq(ts_results_continue(results, NULL), TS_OK, "%s", ts_status_detail());
  size_t cells = 0;
  for (size_t i = 0; i < resumed.record_count; i++)
    cells += i == 0 || strcmp(resumed.records[i].cell, resumed.records[i - 1].cell) != 0;
  cr_expect_leq(resumed.lost_cells, CELLS - cells, "cut %zu", cut);
  for (size_t c = cells; c < CELLS; c++) {
    ts_cell_rows rows = cell_of(c);
    cr_assert_eq(ts_results_append(results, &rows), TS_OK);
  }
  cr_assert_eq(ts_results_close(results), TS_OK, "%s", ts_status_detail());
  return cells;
}

static void expect_whole(size_t cut) {
  for (int f = 0; f < FILE_COUNT; f++) {
    size_t size;
    const char *bytes = fixture_read(fixture_path("r/%s.csv", fixture_names[f]), &size);
    cr_assert_eq(size, sizes[CELLS][f], "cut %zu: %s.csv", cut, fixture_names[f]);
    cr_assert_arr_eq(bytes, whole[f], size, "cut %zu: %s.csv", cut, fixture_names[f]);
  }
}

Test(reports_power_cut, every_random_cut_goes_on_to_the_same_bytes) {
  ts_random random = ts_random_seed(21, 5);
  size_t fully_kept = 0;
  results_run(fixture_path("r"), 0);
  for (size_t cut = 0; cut < CUTS; cut++) {
    ts_arena_mark mark = ts_arena_get_mark(fixture_arena);
    size_t cells = leave_cut(&random, cut % 2 == 0), kept = go_on(cut);
    cr_assert_leq(kept, cells, "cut %zu: kept a cell that is not whole", cut);
    cr_assert_geq(kept + 1, cells, "cut %zu: kept %zu cells, and %zu are whole", cut, kept, cells);
    fully_kept += kept == cells;
    expect_whole(cut);
    ts_arena_rewind(fixture_arena, mark);
  }
  // Without a journal, a crashed cell right before the cut is run again.
  cr_expect_geq(fully_kept, CUTS * 9 / 10);
}

Test(reports_power_cut, a_cut_after_a_cut_goes_on_too) {
  ts_random random = ts_random_seed(21, 6);
  results_run(fixture_path("r"), 0);
  for (size_t cut = 0; cut < 20; cut++) {
    leave_cut(&random, true);
    go_on(cut);
    // The journal has several parts now; the files end in the middle.
    for (int f = 0; f < FILE_COUNT; f++)
      cr_assert_eq(truncate(fixture_path("r/%s.csv", fixture_names[f]),
                            (off_t)(sizes[CELLS][f] * (size_t)(f + 4) / (FILE_COUNT + 5))),
                   0);
    go_on(cut);
    expect_whole(cut);
  }
}

Test(reports_power_cut, zeros_within_a_file_are_its_end) {
  results_run(fixture_path("r"), 0);
  ts_random random = ts_random_seed(21, 7);
  leave_cut(&random, true);
  for (int f = 0; f < FILE_COUNT; f++) {
    char *bytes = ts_arena_copy(fixture_arena, whole[f], sizes[CELLS][f], 1);
    memset(bytes + sizes[6][f] + 3, 0, 20);
    fixture_write(fixture_path("r/%s.csv", fixture_names[f]), bytes, sizes[CELLS][f]);
  }
  cr_expect_eq(go_on(0), 6);
  expect_whole(0);
}
