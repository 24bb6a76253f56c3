// SPDX-License-Identifier: MIT
#include "tests/reports/formats/format_fixture.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void measure(ts_record *record, double quality, double coverage, double excess,
                    double time_ns) {
  record->quality_percent = quality;
  record->coverage_percent = coverage;
  record->excess_factor = excess;
  record->generate_ns_median = time_ns;
  record->generate_ns_min = time_ns - 5;
  record->generate_ns_mad = 2;
  record->repeats = 4;
  record->normals_flipped = 1;
  record->normals_invalid = 0;
  record->phantom = 2;
  record->regions_missed = 0;
}

ts_format_source format_fixture_source(void) {
  static const char *const names[FORMAT_ROWS] = {"wall/one", "wall/two", "spike_in_hole/one",
                                                 "spike_in_hole/two", "wall/skips"};
  static const char *const commands[FORMAT_ROWS] = {"run a", "run b", "run c", "run '<d>'",
                                                    "run e"};
  static const char *const cells[FORMAT_ROWS] = {"c0", "c1", "c2", "c3", "c4"};
  ts_record *records = ts_arena_array(fixture_arena, FORMAT_ROWS, sizeof *records);
  for (size_t i = 0; i < FORMAT_ROWS; i++) {
    ts_row_init(&ts_summary_rows, &records[i]);
    records[i].cell = cells[i];
    records[i].case_name = strncmp(names[i], "wall", 4) == 0 ? "wall" : "spike_in_hole";
    records[i].method = strrchr(names[i], '/') + 1;
    records[i].step = 0;
    records[i].outcome = i == 3 ? "timed_out" : i == 4 ? "skipped" : "ok";
  }
  measure(&records[0], 62.5, 100, 1.5, 25);
  measure(&records[1], 100, 100, 1, 1500);
  records[3].reason = FORMAT_EVIL;
  records[4].reason = "needs tets";
  return (ts_format_source){
      .records = records, .count = FORMAT_ROWS, .names = names, .commands = commands};
}

const char *format_fixture_write(const ts_format *format, const ts_format_source *source) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  cr_assert_eq(format->write(file, fixture_arena, source), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(fclose(file), 0);
  cr_assert_eq(strlen(text), bytes);
  char *copy = ts_arena_string(fixture_arena, text);
  free(text);
  return copy;
}

json_t *format_fixture_json(const ts_format *format, const ts_format_source *source) {
  json_error_t error;
  json_t *value = json_loads(format_fixture_write(format, source), JSON_REJECT_DUPLICATES, &error);
  cr_assert_not_null(value, "line %d: %s", error.line, error.text);
  return value;
}

const char *format_fixture_samples(void) {
  const char *folder = fixture_path("with_samples");
  cr_assert_eq(mkdir(folder, 0777), 0);
  fixture_write_text(ts_arena_format(fixture_arena, "%s/samples.csv", folder),
                     "cell,case,method,step,phase,sample,passes,time_ns\n"
                     "c0,wall,one,0,prepare,0,1,7000\n"
                     "c0,wall,one,0,generate,1,8,10\n"
                     "c0,wall,one,0,generate,0,8,30\n"
                     "c0,wall,one,0,generate,2,8,20\n"
                     "c0,wall,one,3,generate,0,8,999\n"
                     "c0,wall,one,0,generate,3,8,40\n");
  return folder;
}

size_t format_fixture_count(const char *text, const char *part) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}
