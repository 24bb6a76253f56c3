// SPDX-License-Identifier: MIT
/// Rows made by hand, for tests of comparisons.
#ifndef TS_TESTS_REPORTS_RECORD_FIXTURE_H
#define TS_TESTS_REPORTS_RECORD_FIXTURE_H

#include "reports/compare/difference.h"

/// A row of a separate cell for each case and method, all measures perfect, 10 us.
static inline ts_record record_of(const char *cell, const char *case_name, const char *method,
                                  double step) {
  ts_record r;
  ts_row_init(&ts_summary_rows, &r);
  r.cell = cell;
  r.case_name = case_name;
  r.method = method;
  r.step = step;
  r.outcome = "ok";
  r.quality_percent = r.coverage_percent = 100;
  r.area_coverage = r.excess_factor = 1;
  r.contacts = 4;
  r.normals_flipped = r.normals_invalid = r.phantom = r.regions_missed = 0;
  r.normal_error_deg_max = 0;
  r.generate_ns_median = 10000;
  r.contacts_hash = "00ff";
  return r;
}

static inline ts_rows_of rows_of(const ts_record *records, size_t count) {
  return (ts_rows_of){.name = "rows", .records = records, .count = count};
}

static inline const ts_field *column(const char *name) {
  return ts_row_find(&ts_summary_rows, name);
}

#endif
