// SPDX-License-Identifier: MIT
// covers: harness/commands/reproduce.c
#include "base/number.h"
#include "base/status.h"
#include "harness/paper/reproduction.h"
#include "harness/plan/options.h"
#include "reports/rows/csv.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

TestSuite(harness_reproduce, .init = results_open, .fini = results_close, .timeout = 120);

enum { SOURCE, CASE, METHOD, UNIT, METRIC, PUBLISHED, PROX2018, PAPER, MARK_PROX2018, MARK_PAPER };
enum { REASON = MARK_PAPER + 1, REASON_PAPER, COLUMNS };

/// Runs the command; returns the folder of its files.
static const char *reproduce(const char *name) {
  const char *folder = fixture_path("%s", name);
  char *arguments[] = {"--source", "table8", "--quiet", "--out", (char *)folder};
  int exit_status = -1;
  cr_assert_eq(ts_command_reproduce.run(&exit_status, 5, arguments), TS_OK, "%s",
               ts_status_detail());
  cr_assert_eq(exit_status, 0);
  return folder;
}

static void expect_figure(const char *const *fields, const ts_published *p) {
  const char *const texts[] = {p->source, p->scene, p->method, p->unit, p->metric, p->value};
  for (int i = SOURCE; i <= PUBLISHED; i++)
    cr_expect_str_eq(fields[i], texts[i]);
  for (int column = 0; column < TS_REPRODUCED_OURS; column++) {
    double ours;
    cr_assert_eq(ts_number_parse(&ours, fields[PROX2018 + column]), TS_OK, "%s",
                 fields[PROX2018 + column]);
    const char *mark = fields[MARK_PROX2018 + column];
    size_t known = 0;
    for (int i = 0; i < TS_MARK_COUNT; i++)
      known += strcmp(mark, ts_mark_names[i]) == 0;
    cr_expect_eq(known, 1, "%s", mark);
    // A dash is printed where nothing was found.
    bool is_dash = p->value[0] == '\0';
    cr_expect_eq(strcmp(mark, "missing") == 0, isnan(ours) || (is_dash && ours != 0));
    if (strcmp(mark, "equal") == 0 && !is_dash) {
      double published;
      cr_assert_eq(ts_number_parse(&published, p->value), TS_OK);
      cr_expect_float_eq(ours, published, 0.0501);
    }
  }
}

static void expect_the_csv_to_hold_every_figure(const char *folder) {
  static const char *const header[COLUMNS] = {
      "source",   "case",  "method",        "unit",       "metric", "published",
      "prox2018", "paper", "mark_prox2018", "mark_paper", "reason", "reason_paper"};
  const char *path = ts_arena_format(fixture_arena, "%s/reproduce.csv", folder);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  cr_assert_geq(file, 0);
  ts_csv_reader *reader;
  cr_assert_eq(ts_csv_reader_create(&reader, file, "reproduce.csv"), TS_OK);
  ts_csv_record row;
  bool found;
  cr_assert(ts_csv_read(&found, &row, reader) == TS_OK && found && row.field_count == COLUMNS);
  for (size_t i = 0; i < COLUMNS; i++)
    cr_expect_str_eq(row.fields[i], header[i]);
  size_t rows = 0, reasons = 0;
  for (size_t i = 0; i < ts_paper_erleben2018.value_count; i++) {
    if (strcmp(ts_paper_erleben2018.values[i].source, "table8") != 0)
      continue;
    cr_assert(ts_csv_read(&found, &row, reader) == TS_OK && found, "%s", ts_status_detail());
    cr_assert(row.field_count == COLUMNS && !row.is_cut);
    expect_figure(row.fields, &ts_paper_erleben2018.values[i]);
    bool is_equal = strcmp(row.fields[MARK_PROX2018], "equal") == 0;
    bool is_earlier = strcmp(ts_paper_erleben2018.values[i].scene, "sliding_wedge") == 0;
    cr_expect(!is_equal || is_earlier || row.fields[REASON][0] == '\0', "nothing to explain");
    reasons += row.fields[REASON][0] != '\0';
    rows++;
  }
  cr_expect(ts_csv_read(&found, &row, reader) == TS_OK && !found);
  cr_expect_eq(rows, 240);
  cr_expect_gt(reasons, 0);
  ts_csv_reader_destroy(reader);
  close(file);
}

/// What is printed with an equals sign is the published figure.
static void expect_equals_signs_to_be_right(const char *folder) {
  const char *path = ts_arena_format(fixture_arena, "%s/reproduce.md", folder);
  char *text = ts_arena_string(fixture_arena, fixture_read(path, NULL));
  size_t equal = 0;
  for (char *line; (line = strsep(&text, "\n"));) {
    // "", source, case, method, metric, published, prox2018, mark, paper, mark, two reasons, ""
    char *cells[16], *rest = line;
    size_t count = 0;
    while (rest && count < 16)
      cells[count++] = strsep(&rest, "|");
    if (count != 13 || strcmp(cells[1], " table8 ") != 0)
      continue;
    for (int column = 6; column <= 8; column += 2)
      if (strcmp(cells[column + 1], " = ") == 0) {
        cr_expect(strncmp(cells[column], cells[5], strlen(cells[5]) - 1) == 0 ||
                      strlen(cells[column]) == strlen(cells[5]) + 1 || cells[5][1] == ' ',
                  "%s beside %s", cells[column], cells[5]);
        equal++;
      }
  }
  cr_expect_gt(equal, 200, "%zu", equal);
}

// One test: the command runs for seconds.
Test(harness_reproduce, the_files_hold_the_figures) {
  const char *folder = reproduce("figures");
  expect_the_csv_to_hold_every_figure(folder);
  expect_equals_signs_to_be_right(folder);
}
