// SPDX-License-Identifier: MIT
// covers: reports/rows/row_details.c
#include "reports/rows/row_details.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define STEPS 7 // of all cells of the fixture

/// The records of the whole run in "r", in the order of the summary.
static ts_record records[STEPS];
static size_t cell_of_record[STEPS];

static void open_run(void) {
  results_open();
  results_run(fixture_path("r"), FIXTURE_CELLS);
  size_t count = 0;
  for (size_t c = 0; c < FIXTURE_CELLS; c++) {
    ts_cell_rows rows = fixture_cell(c);
    for (size_t i = 0; i < rows.record_count; i++) {
      cell_of_record[count] = c;
      records[count++] = rows.records[i];
    }
  }
  cr_assert_eq(count, STEPS);
}

TestSuite(reports_row_details, .init = open_run, .fini = results_close);

static ts_status read_details(ts_row_details **out, const bool *is_wanted) {
  return ts_row_details_read(out, fixture_arena, fixture_path("r"), records, is_wanted, STEPS);
}

/// Expects the rows of one step among those of its cell.
static void expect_rows(int file, ts_rows_view found, size_t record) {
  const ts_row_type *type = ts_results_row_type(file);
  ts_cell_rows cell = fixture_cell(cell_of_record[record]);
  ts_rows_view all = ts_cell_rows_of(&cell, file);
  size_t next = 0;
  for (size_t i = 0; i < all.count; i++) {
    const char *row = (const char *)all.rows + i * type->row_bytes;
    if (ts_row_step(type, row) != records[record].step)
      continue;
    cr_assert_lt(next, found.count, "%s of record %zu", type->name, record);
    const char *other = (const char *)found.rows + next++ * type->row_bytes;
    cr_expect(fixture_rows_equal(type, other, row), "%s of record %zu", type->name, record);
  }
  cr_expect_eq(next, found.count, "%s of record %zu", type->name, record);
}

Test(reports_row_details, wanted_rows_get_what_was_written_and_others_nothing) {
  for (size_t wanted = 0; wanted < 1 << STEPS; wanted += 5) {
    bool is_wanted[STEPS];
    ts_row_details *details;
    for (size_t i = 0; i < STEPS; i++)
      is_wanted[i] = wanted >> i & 1;
    cr_assert_eq(read_details(&details, is_wanted), TS_OK, "%s", ts_status_detail());
    for (size_t i = 0; i < STEPS; i++) {
      const ts_row_details *d = &details[i];
      if (!is_wanted[i]) {
        cr_expect_eq(d->contact_count + d->region_count + d->pose_count, 0);
        continue;
      }
      expect_rows(TS_CONTACTS_FILE, (ts_rows_view){d->contacts, d->contact_count}, i);
      expect_rows(TS_REGIONS_FILE, (ts_rows_view){d->regions, d->region_count}, i);
      expect_rows(TS_POSES_FILE, (ts_rows_view){d->poses, d->pose_count}, i);
    }
  }
}

static const bool all[STEPS] = {true, true, true, true, true, true, true};

Test(reports_row_details, without_a_folder_or_a_file_there_is_nothing) {
  ts_row_details *details;
  cr_assert_eq(ts_row_details_read(&details, fixture_arena, NULL, records, all, STEPS), TS_OK);
  cr_expect_eq(details[0].contact_count, 0);
  // As a run wrote it that knew no regions and poses.
  cr_assert_eq(unlink(fixture_path("r/regions.csv")) + unlink(fixture_path("r/poses.csv")), 0);
  for (size_t i = 0; i < STEPS; i++)
    records[i].regions_listed = records[i].poses_listed = (double)NAN;
  cr_assert_eq(read_details(&details, all), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(details[0].contact_count, 2);
  cr_expect_eq(details[1].region_count + details[1].pose_count, 0);
}

/// Replaces the text of a file of "r", and expects a refusal that names `reason`.
static void expect_refused(const char *name, const char *text, const char *reason) {
  const char *path = fixture_path("r/%s.csv", name), *whole = fixture_read(path, NULL);
  ts_row_details *details;
  fixture_write_text(path, text);
  cr_expect_eq(read_details(&details, all), TS_E_INPUT, "%s", reason);
  cr_expect(fixture_detail_has(reason), "%s, not %s", ts_status_detail(), reason);
  fixture_write_text(path, whole);
}

Test(reports_row_details, files_that_are_damaged_are_refused) {
  for (int f = 0; f < TS_SAMPLES_FILE; f++) {
    size_t size;
    const char *name = fixture_names[f],
               *whole = fixture_read(fixture_path("r/%s.csv", name), &size);
    const char *body = strchr(whole, '\n') + 1;
    expect_refused(name, "", "the file is empty");
    expect_refused(name, ts_arena_format(fixture_arena, "%.*s", (int)size - 3, whole), "cut off");
    expect_refused(name, ts_arena_format(fixture_arena, "%s%s", whole, body), "not consecutive");
    expect_refused(name, ts_arena_format(fixture_arena, "%.*s", (int)(body - whole), whole),
                   "has 0 rows of cell");
  }
}

Test(reports_row_details, a_file_that_is_not_there_has_no_rows) {
  ts_row_details *details;
  cr_assert_eq(unlink(fixture_path("r/contacts.csv")), 0);
  cr_assert_eq(read_details(&details, all), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(details[0].contact_count, 0);
  cr_expect_gt(details[0].region_count, 0, "those of the other files are there");
}

Test(reports_row_details, more_rows_than_the_summary_counts_are_refused_at_once) {
  records[0].contacts_listed = 1;
  ts_row_details *details;
  cr_expect_eq(read_details(&details, all), TS_E_INPUT);
  cr_expect(fixture_detail_has("contacts.csv has 2 or more rows of cell cell9 at step 0, but the "
                               "summary counts 1"),
            "%s", ts_status_detail());
}
