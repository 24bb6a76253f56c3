// SPDX-License-Identifier: MIT
// covers: reports/tables/field_text.c
#include "reports/tables/field_text.h"

#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(reports_field_text, .init = results_open, .fini = results_close);

static const ts_field *column(const char *name) {
  const ts_field *field = ts_row_find(&ts_summary_rows, name);
  cr_assert_not_null(field, "%s", name);
  return field;
}

Test(reports_field_text, numbers_are_written_by_the_unit_and_kind_of_their_column) {
  static const struct {
    const char *column;
    double number;
    const char *text;
  } numbers[] = {
      {"quality_percent", 62.54, "62.5"},
      {"coverage_percent", 100, "100"},
      {"excess_factor", 1.5, "1.50"},
      {"normal_error_deg_max", 37.981, "37.98"},
      {"phantom", 12, "12"},
      {"generate_ns_median", 1500, "1.50 us"},
      {"set_jump_per_m_max", 678424.8, "6.8e5"},
      {"set_jump_per_m_max", 9999.9, "9999.90"},
      {"set_jump_per_m_max", 99600, "1.0e5"},
      {"cone_jump_max", 2.9064e-9, "2.9e-9"},
      {"cone_jump_max", 0.0051, "0.01"},
      {"cone_jump_max", 0, "0.00"},
      {"continuity_order", -0.001, "-1.0e-3"},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char text[TS_NUMBER_BYTES];
    ts_field_number_text(text, column(numbers[i].column), numbers[i].number);
    cr_expect_str_eq(text, numbers[i].text);
  }
}

Test(reports_field_text, headings_have_the_unit) {
  cr_expect_str_eq(ts_field_heading(fixture_arena, column("quality_percent")),
                   "Normal quality [percent]");
  cr_expect_str_eq(ts_field_heading(fixture_arena, column("excess_factor")), "Excess of contacts");
  cr_expect_str_eq(ts_label_in_text(fixture_arena, "Normal quality"), "normal quality");
  cr_expect_str_eq(ts_field_unit_sign(column("quality_percent")), "%");
  cr_expect_str_eq(ts_field_unit_sign(column("normal_error_deg_max")), "\xc2\xb0");
  cr_expect_str_eq(ts_field_unit_sign(column("generate_ns_median")), "");
}

Test(reports_field_text, weights_go_from_the_best_to_the_worst) {
  const struct {
    const char *column;
    double number, weight;
  } weights[] = {
      {"quality_percent", 100, 0},
      {"quality_percent", 40, 0.6},
      {"blocked_wrongly_percent", 25, 0.25},
      {"excess_factor", 1, 0},
      {"excess_factor", 2, 0.25},
      {"excess_factor", 0.5, 0.25},
      {"excess_factor", 16, 1},
      {"excess_factor", 99, 1},
      {"excess_factor", 0, 1},
      {"area_coverage", 0.5, 0.5},
      {"area_coverage", 0, 1},
      {"phantom", 2, 0},
      {"phantom", 4, 0.5},
      {"phantom", 6, 1},
      {"set_jump_per_m_max", 0, 0},
      {"set_jump_per_m_max", 999, 3 * log(10) / log1p(1e6)},
      {"set_jump_per_m_max", 1e9, 1},
      {"cone_jump_max", 1e-9, 1e-9 / log(2)},
      {"cone_jump_max", 1, 1},
      {"continuity_order", 0.75, 0.25},
      {"continuity_order", -1, 1},
  };
  for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
    cr_expect_float_eq(ts_field_weight(column(weights[i].column), weights[i].number, 2, 6),
                       weights[i].weight, 1e-12, "%s %g", weights[i].column, weights[i].number);
  cr_expect_eq(ts_field_weight(column("phantom"), 3, 3, 3), 0, "all are the same");
}
