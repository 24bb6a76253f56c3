// SPDX-License-Identifier: MIT
#include "tests/reports/rows/results_fixture.h"

#include "base/status.h"
#include "reports/rows/context.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ts_arena *fixture_arena;
static char folder[256];

const char *const fixture_names[TS_RESULTS_FILE_COUNT] = {"contacts", "regions", "poses", "samples",
                                                          "summary"};

void results_open(void) {
  // Results are synced, thousands of times here, for which a disk would take minutes.
  const char *parent = getenv("TMPDIR"), *memory = "/dev/shm";
  if (!parent)
    parent = access(memory, W_OK) == 0 ? memory : "/tmp";
  snprintf(folder, sizeof folder, "%s/touchstone-test-XXXXXX", parent);
  cr_assert(mkdtemp(folder) != NULL);
  cr_assert_eq(ts_arena_create(&fixture_arena), TS_OK);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place) {
  (void)info, (void)kind, (void)place;
  return remove(path);
}

void results_close(void) {
  nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
  ts_arena_destroy(fixture_arena);
}

const char *fixture_path(const char *format, ...) {
  char name[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  return ts_arena_format(fixture_arena, "%s/%s", folder, name);
}

const char *fixture_read(const char *path, size_t *count) {
  struct stat info;
  int fd = open(path, O_RDONLY);
  cr_assert(fd >= 0 && fstat(fd, &info) == 0, "there is no %s", path);
  char *bytes = ts_arena_alloc(fixture_arena, (size_t)info.st_size + 1);
  cr_assert_eq(read(fd, bytes, (size_t)info.st_size), info.st_size);
  close(fd);
  if (count)
    *count = (size_t)info.st_size;
  return bytes;
}

void fixture_write(const char *path, const void *bytes, size_t count) {
  unlink(path); // ext4 writes a file to the disk at once that was cut to nothing and filled again
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  cr_assert(fd >= 0, "cannot write %s", path);
  cr_assert_eq(write(fd, bytes, count), (ssize_t)count);
  close(fd);
}

void fixture_write_text(const char *path, const char *text) {
  fixture_write(path, text, strlen(text));
}

static const double numbers[] = {0.1,    -0.0,   INFINITY, 1e-300, 123456789.125,
                                 5e-324, -1e308, 1.0 / 3,  1e15,   -7};

/// For columns that cannot be negative, infinite or above 100.
static const double tame_numbers[] = {0.1, -0.0, 100, 1e-300, 5e-324, 1.0 / 3, 2, 7, 99.5, 0};

static bool is_tame(const ts_field *field) {
  return field->unit[0] == '\0' || strchr("pnb", field->unit[0]) || strcmp(field->unit, "deg") == 0;
}

/// Fills every field of a row with a value that is unique to row and field.
static void fill_row(const ts_row_type *type, void *row, size_t seed) {
  static const char *const texts[] = {"plain",      "",        "a,b",        "say \"so\"",
                                      "two\nlines", " blank ", "caf\xc3\xa9"};
  ts_row_init(type, row);
  for (size_t i = 0; i < type->field_count; i++) {
    const ts_field *field = &type->fields[i];
    size_t pick = seed * 5 + i;
    if (field->kind == TS_FIELD_TEXT)
      ts_row_set_text(field, row, texts[pick % 7]);
    else if (field->kind == TS_FIELD_REAL)
      ts_row_set_number(field, row,
                        pick % 11 == 10  ? (double)NAN
                        : is_tame(field) ? tame_numbers[pick % 10]
                                         : numbers[pick % 10]);
    else
      ts_row_set_number(field, row, pick % 9 == 8 ? (double)NAN : (double)(pick * pick * 1000));
  }
}

ts_cell_rows fixture_cell(size_t index) {
  static const size_t step_counts[FIXTURE_CELLS] = {1, 3, 1, 2};
  size_t steps = step_counts[index];
  bool has_crashed = index == 2;
  char *cell = ts_arena_format(fixture_arena, "cell%zu", 9 - index);
  ts_record *records = ts_arena_array(fixture_arena, steps, sizeof *records);
  ts_contact_row *contacts = ts_arena_array(fixture_arena, 2 * steps, sizeof *contacts);
  ts_region_row *regions = ts_arena_array(fixture_arena, steps, sizeof *regions);
  ts_pose_row *poses = ts_arena_array(fixture_arena, 2 * steps, sizeof *poses);
  ts_sample_row *samples = ts_arena_array(fixture_arena, 3 * steps, sizeof *samples);
  for (size_t i = 0; i < steps; i++) {
    fill_row(&ts_summary_rows, &records[i], index + 6 * i);
    records[i].cell = cell;
    records[i].step = (double)i;
    records[i].outcome = has_crashed ? "crashed" : "ok";
    records[i].contacts_listed = has_crashed ? (double)NAN : 2;
    records[i].regions_listed = has_crashed ? (double)NAN : 1;
    records[i].poses_listed = has_crashed ? (double)NAN : i == 0 ? 0 : 2;
    records[i].repeats = has_crashed ? (double)NAN : 2;
  }
  if (has_crashed)
    return (ts_cell_rows){.records = records, .record_count = 1};
  for (size_t i = 0; i < 2 * steps; i++) {
    fill_row(&ts_contact_rows, &contacts[i], index + i);
    contacts[i].cell = cell;
    contacts[i].step = (double)(i / 2);
  }
  for (size_t i = 0; i < steps; i++) {
    fill_row(&ts_region_rows, &regions[i], index + 3 * i);
    regions[i].cell = cell;
    regions[i].step = (double)i;
  }
  for (size_t i = 0; i < 2 * steps - 2; i++) { // none as built
    fill_row(&ts_pose_rows, &poses[i], index + 4 * i);
    poses[i].cell = cell;
    poses[i].step = (double)(1 + i / 2);
  }
  for (size_t i = 0; i < 3 * steps; i++) { // one prepare and two generate samples per step
    fill_row(&ts_sample_rows, &samples[i], index + 2 * i);
    samples[i].cell = cell;
    samples[i].step = (double)(i % steps);
    samples[i].phase = i < steps ? "prepare" : "generate";
    samples[i].sample = i < 2 * steps ? 0 : 1;
  }
  return (ts_cell_rows){.records = records,
                        .record_count = steps,
                        .contacts = contacts,
                        .contact_count = 2 * steps,
                        .regions = regions,
                        .region_count = steps,
                        .poses = poses,
                        .pose_count = 2 * steps - 2,
                        .samples = samples,
                        .sample_count = 3 * steps};
}

json_t *fixture_context(void) {
  json_t *context = ts_context_create(0, NULL);
  json_object_set_new(context, "plan", json_string("a small run"));
  return context;
}

void results_run(const char *path, size_t count) {
  ts_results *results = NULL;
  json_t *context = fixture_context();
  cr_assert_eq(ts_results_create(&results, path, context), TS_OK, "%s", ts_status_detail());
  json_decref(context);
  for (size_t i = 0; i < count; i++) {
    ts_cell_rows rows = fixture_cell(i);
    cr_assert_eq(ts_results_append(results, &rows), TS_OK, "%s", ts_status_detail());
  }
  cr_assert_eq(ts_results_close(results), TS_OK);
}

bool fixture_rows_equal(const ts_row_type *type, const void *a, const void *b) {
  for (size_t i = 0; i < type->field_count; i++) {
    const ts_field *field = &type->fields[i];
    if (field->kind == TS_FIELD_TEXT) {
      if (strcmp(ts_row_text(field, a), ts_row_text(field, b)) != 0)
        return false;
      continue;
    }
    double x = ts_row_number(field, a), y = ts_row_number(field, b);
    if (isnan(x) ? !isnan(y) : memcmp(&x, &y, sizeof x) != 0)
      return false;
  }
  return true;
}

bool fixture_detail_has(const char *text) {
  return strstr(ts_status_detail(), text) != NULL;
}
