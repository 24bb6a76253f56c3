// SPDX-License-Identifier: MIT
#include "tests/reports/plots/plot_fixture.h"

#include "reports/rows/rows.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *const plot_method_names[] = {"closest_points", "growth", "opposing"};

#define RECORD_MAX 64
static ts_record records[RECORD_MAX];
static size_t record_count;

ts_record *plot_add_record(const char *case_parameters, const char *method, double step) {
  ts_record *r = &records[record_count++];
  ts_row_init(&ts_summary_rows, r);
  r->cell = "00";
  r->case_name = "wall";
  r->case_parameters = case_parameters;
  r->method = method;
  r->simulation_parameters = "dt_s=0.01";
  r->outcome = "ok";
  r->step = step;
  return r;
}

const ts_record *plot_records(size_t *count) {
  *count = record_count;
  return records;
}

ts_plot_source plot_make_source(void) {
  ts_plot_source source = {.method_names = plot_method_names, .method_count = 3};
  cr_assert_eq(ts_plot_source_make(&source, fixture_arena, records, record_count), TS_OK);
  return source;
}

ts_plot_book plot_make_book(void) {
  const char *folder = fixture_path("plots");
  mkdir(folder, 0777);
  return (ts_plot_book){.arena = fixture_arena, .folder = folder};
}

const char *plot_read_script(const char *name) {
  return fixture_read(fixture_path("plots/%s.gp", name), NULL);
}

/// Rows of a data file as numbers: column `wanted` of the rows whose column `where` is `value`.
size_t plot_read_column(double *out, size_t room, const char *name, int where, double value,
                        int wanted) {
  const char *line = strchr(fixture_read(fixture_path("plots/%s.csv", name), NULL), '\n') + 1;
  size_t count = 0;
  for (; *line; line = strchr(line, '\n') + 1) {
    double numbers[12];
    const char *field = line;
    for (int i = 0; i < 12 && field; i++) {
      numbers[i] = strtod(field, NULL);
      field = strpbrk(field, ",\n");
      field = field && *field == ',' ? field + 1 : NULL;
    }
    if (numbers[where] == value && count < room)
      out[count++] = numbers[wanted];
  }
  return count;
}

void plot_open(void) {
  results_open();
  record_count = 0;
}
