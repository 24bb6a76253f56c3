// SPDX-License-Identifier: MIT
// covers: harness/paper/published.c harness/paper/reproduction.c
// covers: harness/paper/erleben2018.c harness/paper/allard2010.c harness/paper/faure2008.c
// covers: harness/paper/saupin2008.c
#include "harness/paper/reproduction.h"

#include "base/number.h"
#include "base/status.h"
#include "cases/case.h"
#include "methods/registry.h"
#include "reports/rows/csv.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

TestSuite(harness_reproduction, .init = scoring_setup, .fini = scoring_teardown);

#define COUNT(array) (sizeof(array) / sizeof *(array))

/// Holds the figures of a paper against the rows of its file in tests/reference/.
static void expect_the_figures_of_the_file(const ts_paper *paper) {
  static const char *const header[] = {"source", "case",  "method", "unit",
                                       "metric", "value", "note"};
  const char *path = ts_arena_format(arena, "%s/%s.csv", TS_REFERENCE_FOLDER, paper->name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  cr_assert_geq(file, 0, "%s comes with the repository", path);
  ts_csv_reader *reader;
  cr_assert_eq(ts_csv_reader_create(&reader, file, path), TS_OK);
  ts_csv_record row;
  bool found;
  size_t count = 0;
  for (;; count++) {
    cr_assert_eq(ts_csv_read(&found, &row, reader), TS_OK, "%s", ts_status_detail());
    if (!found)
      break;
    cr_assert_eq(row.field_count, COUNT(header), "line %zu", row.line);
    cr_assert_leq(count, paper->value_count, "line %zu", row.line);
    if (count == 0) {
      for (size_t i = 0; i < COUNT(header); i++)
        cr_assert_str_eq(row.fields[i], header[i]);
      continue;
    }
    const ts_published *p = &paper->values[count - 1];
    const char *const ours[] = {p->source, p->scene, p->method, p->unit,
                                p->metric, p->value, p->note};
    for (size_t i = 0; i < COUNT(ours); i++)
      cr_expect_str_eq(ours[i], row.fields[i], "%s, line %zu, %s", path, row.line, header[i]);
  }
  cr_expect_eq(count, paper->value_count + 1);
  ts_csv_reader_destroy(reader);
  close(file);
}

Test(harness_reproduction, the_figures_are_those_of_the_reference_files) {
  for (size_t i = 0; ts_papers[i]; i++)
    expect_the_figures_of_the_file(ts_papers[i]);
  cr_expect_eq(ts_paper_erleben2018.value_count, 307);
  cr_expect_eq(ts_paper_allard2010.value_count, 13 * 7 + 5 + 6 * 3);
  cr_expect_eq(ts_paper_faure2008.value_count, 4 * 7 + 6 + 1 + 6);
  cr_expect_eq(ts_paper_saupin2008.value_count, 2 * 4 + 4 + 5 * 5);
}

static const ts_source *source_named(const char *name) {
  for (size_t i = 0; i < ts_source_count; i++)
    if (strcmp(ts_sources[i].name, name) == 0)
      return &ts_sources[i];
  return NULL;
}

static void expect_known(const ts_paper *paper, const ts_published *p) {
  static const char *const units[] = {"percent",   "factor", "count", "fraction",
                                      "thousands", "ms",     "m",     "m5"};
  const ts_source *source = source_named(p->source);
  size_t unit = 0;
  for (size_t k = 0; k < COUNT(units); k++)
    unit += strcmp(p->unit, units[k]) == 0;
  cr_expect(source && strcmp(source->paper, paper->name) == 0, "%s", p->source);
  cr_expect_eq(unit, 1, "%s", p->unit);
  double value;
  if (p->value[0])
    cr_expect_eq(ts_number_parse(&value, p->value), TS_OK, "%s", p->value);
  else
    cr_expect(p->note[0], "%s %s is empty and does not say why", p->scene, p->metric);
}

Test(harness_reproduction, every_figure_is_of_a_known_kind_and_listed_once) {
  for (size_t paper = 0; ts_papers[paper]; paper++)
    for (size_t i = 0; i < ts_papers[paper]->value_count; i++) {
      const ts_published *p = &ts_papers[paper]->values[i];
      expect_known(ts_papers[paper], p);
      for (size_t k = 0; k < i; k++) {
        const ts_published *q = &ts_papers[paper]->values[k];
        cr_expect(strcmp(p->source, q->source) || strcmp(p->scene, q->scene) ||
                      strcmp(p->method, q->method) || strcmp(p->metric, q->metric),
                  "figures %zu and %zu", k, i);
      }
    }
}

static ts_plan plan_of(const char *source) {
  ts_plan plan;
  cr_assert_eq(ts_reproduction_plan(&plan, arena, source, 0), TS_OK, "%s", ts_status_detail());
  return plan;
}

static void expect_has(const char *text, const char *part, const ts_cell *cell) {
  cr_expect(strstr(text, part), "%s, %s: no %s in %s", cell->c->name, cell->method->name, part,
            text);
}

Test(harness_reproduction, the_cells_follow_the_rules_of_their_column) {
  ts_plan plan = plan_of("erleben2018");
  size_t half = plan.cell_count / 2;
  cr_assert_eq(plan.cell_count, 2 * half);
  for (size_t i = 0; i < plan.cell_count; i++) {
    const ts_cell *cell = &plan.cells[i], *twin = &plan.cells[(i + half) % plan.cell_count];
    bool is_prox = i < half;
    cr_expect_eq(cell->index, i);
    cr_expect(cell->c == twin->c && cell->method == twin->method && cell->steps == twin->steps);
    expect_has(cell->method_parameters, is_prox ? "profile=prox2018" : "profile=paper", cell);
    expect_has(cell->scoring_parameters, "reference=published", cell);
    expect_has(cell->scoring_parameters, "rule=published", cell);
    expect_has(cell->case_parameters,
               strstr(cell->case_parameters, "refinement=2") ? "refinement=2" : "tets=published",
               cell);
    for (size_t k = 0; k < i; k++)
      cr_expect_str_neq(cell->key, plan.cells[k].key, "a results folder has each cell once");
  }
}

Test(harness_reproduction, a_source_asks_for_its_own_cells_only) {
  ts_plan table8 = plan_of("table8"), all = plan_of("erleben2018"), text = plan_of("text");
  ts_plan table7 = plan_of("table7"), both = plan_of("table6|table7");
  cr_expect_eq(table8.cell_count, 2 * 8 * 10);
  cr_expect_eq(text.cell_count, 2 * (2 * 2 + 3));
  cr_expect_eq(both.cell_count, plan_of("table[67]").cell_count);
  cr_expect_geq(both.cell_count, table7.cell_count);
  cr_expect_eq(all.cell_count, table8.cell_count + text.cell_count + both.cell_count);
  for (size_t i = 0; i < table7.cell_count; i++)
    cr_expect_str_eq(table7.cells[i].c->name, "pillar");
}

Test(harness_reproduction, an_invalid_source_is_refused) {
  ts_plan plan;
  cr_assert_eq(ts_reproduction_plan(&plan, arena, "tabel8", 0), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "did you mean \"table8\""), "%s", ts_status_detail());
  cr_assert_eq(ts_reproduction_plan(&plan, arena, "table", 0), TS_E_INPUT, "whole names");
  cr_expect(strstr(ts_status_detail(), "table6, table7, table8, text"), "%s", ts_status_detail());
  cr_assert_eq(ts_reproduction_plan(&plan, arena, "(table8", 0), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "regular expression"), "%s", ts_status_detail());
}

/// A row of a cell in which every published quantity has this value.
static ts_record row_of(const ts_cell *cell, double step, double value) {
  ts_record r;
  ts_row_init(&ts_summary_rows, &r);
  r.cell = cell->key;
  r.outcome = "ok";
  r.step = step;
  r.quality_percent = r.coverage_percent = r.excess_factor = r.area_coverage = value;
  r.contacts = r.contacts_mean = r.contacts_min = r.contacts_max = r.contacts_stddev = value;
  return r;
}

/// For each cell a row of step 0, which must not be used, and rows of steps 2, 3 and 501.
static ts_record *rows_of(size_t *out_count, const ts_plan *plan, double value) {
  ts_record *records = ts_arena_array(arena, 4 * plan->cell_count, sizeof *records);
  for (size_t i = 0; i < plan->cell_count; i++) {
    records[4 * i] = row_of(&plan->cells[i], 0, -1e6);
    records[4 * i + 1] = row_of(&plan->cells[i], TS_PUBLISHED_STEP - 1, value);
    records[4 * i + 2] = row_of(&plan->cells[i], TS_PUBLISHED_STEP, value);
    records[4 * i + 3] = row_of(&plan->cells[i], 501, value);
  }
  *out_count = 4 * plan->cell_count;
  return records;
}

static ts_reproduction *fill(size_t *out_count, const char *source, const ts_plan *plan,
                             const ts_record *records, size_t record_count) {
  ts_reproduction *figures;
  cr_assert_eq(
      ts_reproduction_fill(&figures, out_count, arena, source, 0, plan, records, record_count),
      TS_OK, "%s", ts_status_detail());
  return figures;
}

/// All figures of a source, from rows whose values are all equal.
static ts_reproduction *fill_with(size_t *out_count, const char *source, double value) {
  ts_plan plan = plan_of(source);
  size_t record_count;
  ts_record *records = rows_of(&record_count, &plan, value);
  return fill(out_count, source, &plan, records, record_count);
}

Test(harness_reproduction, every_published_figure_has_a_cell_in_both_columns) {
  size_t count, empty = 0;
  ts_reproduction *figures = fill_with(&count, "erleben2018", 7);
  cr_assert_eq(count, ts_paper_erleben2018.value_count);
  for (size_t i = 0; i < count; i++) {
    const ts_published *p = figures[i].published;
    cr_expect_eq(p, &ts_paper_erleben2018.values[i]);
    double wanted = strcmp(p->metric, "correct_normals") == 0     ? 0.07
                    : strcmp(p->metric, "incorrect_normals") == 0 ? 0.93
                                                                  : 7;
    cr_expect_eq(figures[i].marks[TS_REPRODUCED_OURS], TS_MARK_NONE);
    for (int column = 0; column < TS_REPRODUCED_OURS; column++) {
      cr_expect_float_eq(figures[i].ours[column], wanted, 1e-12, "%s %s %s %s", p->source, p->scene,
                         p->method, p->metric);
      cr_expect_eq(figures[i].marks[column] == TS_MARK_MISSING, p->value[0] == '\0');
    }
    empty += p->value[0] == '\0';
  }
  cr_expect_lt(empty, 30);
}

static const ts_reproduction *find(const ts_reproduction *figures, size_t count, const char *scene,
                                   const char *method, const char *metric) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(figures[i].published->scene, scene) == 0 &&
        strcmp(figures[i].published->method, method) == 0 &&
        strcmp(figures[i].published->metric, metric) == 0)
      return &figures[i];
  cr_assert_fail("no figure %s %s %s", scene, method, metric);
  return NULL;
}

/// The mark of our value for one published figure.
static ts_mark mark_of(const char *source, const char *scene, const char *method,
                       const char *metric, const char *published, double ours) {
  size_t count;
  ts_reproduction *figures = fill_with(&count, source, ours);
  const ts_reproduction *f = find(figures, count, scene, method, metric);
  cr_assert_str_eq(f->published->value, published);
  cr_expect_eq(f->marks[0], f->marks[1]);
  return f->marks[TS_REPRODUCED_PROX2018];
}

Test(harness_reproduction, equal_is_within_half_of_the_last_decimal_printed) {
  static const double equal[] = {33.3, 33.25, 33.35, 33.3333333333}, not [] = {33.2499, 33.3501};
  for (size_t i = 0; i < COUNT(equal); i++)
    cr_expect_eq(mark_of("table8", "spike_and_wedge", "intersection", "quality", "33.3", equal[i]),
                 TS_MARK_EQUAL, "%g", equal[i]);
  for (size_t i = 0; i < COUNT(not ); i++)
    cr_expect_eq(mark_of("table8", "spike_and_wedge", "intersection", "quality", "33.3", not [i]),
                 TS_MARK_CLOSE, "%g", not [i]);
}

Test(harness_reproduction, close_is_within_2_points_or_5_percent) {
  static const struct {
    const char *source, *scene, *method, *metric, *published;
    double close, different;
  } borders[] = {
      // Two percentage points where that is larger, otherwise five percent.
      {"table8", "spikes", "closest_points", "coverage", "0.0", 2, 2.0001},
      {"table8", "spikes", "intersection", "quality", "10.0", 8, 7.9999},
      {"table8", "spikes", "closest_points", "excess", "10.0", 9.5, 9.4999},
      {"table8", "spikes", "intersection", "excess", "20.0", 21, 21.0001},
      {"table8", "spikes", "intersection", "coverage", "100.0", 95, 94.9999},
      {"text", "wall", "opposing", "area_coverage", "0.93", 0.9764, 0.9766},
      {"text", "arch", "closest_points", "area_coverage", "0.64", 0.6719, 0.6721},
  };
  for (size_t i = 0; i < COUNT(borders); i++) {
    cr_expect_eq(mark_of(borders[i].source, borders[i].scene, borders[i].method, borders[i].metric,
                         borders[i].published, borders[i].close),
                 TS_MARK_CLOSE, "%zu", i);
    cr_expect_eq(mark_of(borders[i].source, borders[i].scene, borders[i].method, borders[i].metric,
                         borders[i].published, borders[i].different),
                 TS_MARK_DIFFERENT, "%zu", i);
  }
}

Test(harness_reproduction, factors_and_counts_have_no_points) {
  cr_expect_eq(mark_of("table8", "sliding_wedge", "intersection", "excess", "0.5", 0.55),
               TS_MARK_EQUAL, "half a decimal is more than 5 percent of it");
  cr_expect_eq(mark_of("table8", "sliding_wedge", "intersection", "excess", "0.5", 0.5501),
               TS_MARK_DIFFERENT);
}

Test(harness_reproduction, points_of_a_fraction_are_hundredths) {
  // Incorrect normals are the complement of quality: 0.20 published.
  cr_expect_eq(mark_of("text", "wall", "closest_points", "incorrect_normals", "0.20", 78.0001),
               TS_MARK_CLOSE);
  cr_expect_eq(mark_of("text", "wall", "closest_points", "incorrect_normals", "0.20", 77.99),
               TS_MARK_DIFFERENT);
  cr_expect_eq(mark_of("text", "pillar_fine", "opposing", "correct_normals", "0.90", 90.4),
               TS_MARK_EQUAL);
}

Test(harness_reproduction, missing_is_what_has_no_figure) {
  cr_expect_eq(mark_of("table8", "spikes", "intersection", "excess", "20.0", NAN), TS_MARK_MISSING);
  cr_expect_eq(mark_of("table8", "spike_in_hole", "vertex_only", "excess", "", 1), TS_MARK_MISSING,
               "none is printed");
  size_t count;
  ts_plan plan = plan_of("table8");
  ts_reproduction *none = fill(&count, "table8", &plan, NULL, 0);
  cr_assert_eq(count, 240);
  for (size_t i = 0; i < count; i++)
    cr_expect(none[i].marks[0] == TS_MARK_MISSING && none[i].marks[1] == TS_MARK_MISSING);
}

Test(harness_reproduction, quality_without_contacts_is_printed_as_zero_and_so_taken) {
  cr_expect_eq(mark_of("table8", "spike_in_hole", "vertex_only", "quality", "0.0", NAN),
               TS_MARK_EQUAL);
  cr_expect_eq(mark_of("table8", "spike_in_hole", "vertex_only", "coverage", "0.0", NAN),
               TS_MARK_MISSING, "coverage is always known");
}

Test(harness_reproduction, a_cell_that_failed_has_no_figure_and_its_reason) {
  ts_plan plan = plan_of("table8");
  size_t record_count, count;
  ts_record *records = rows_of(&record_count, &plan, 100);
  // The first cell crashed and has one row; the second failed before the published step.
  records[0].outcome = "crashed";
  records[0].reason = "SIGSEGV";
  records[1].cell = records[2].cell = records[3].cell = "none";
  records[5].outcome = "failed";
  records[5].reason = "no direction";
  records[6].cell = records[7].cell = "none";
  ts_reproduction *figures = fill(&count, "table8", &plan, records, record_count);
  size_t crashed = 0, failed = 0;
  for (size_t i = 0; i < count; i++) {
    const ts_reproduction *f = &figures[i];
    bool has_crashed = strcmp(f->reason, "SIGSEGV") == 0;
    bool has_failed = strcmp(f->reason, "no direction") == 0;
    crashed += has_crashed;
    failed += has_failed;
    if (f->published->value[0])
      cr_expect_eq(f->marks[TS_REPRODUCED_PROX2018] == TS_MARK_MISSING, has_crashed || has_failed);
    cr_expect_eq(isnan(f->ours[TS_REPRODUCED_PROX2018]), has_crashed || has_failed);
    cr_expect_not(isnan(f->ours[TS_REPRODUCED_PAPER]), "the other column is not affected");
  }
  cr_expect(crashed == 3 && failed == 3, "%zu and %zu", crashed, failed);
}

Test(harness_reproduction, a_cell_that_failed_after_the_published_step_has_its_figure) {
  ts_plan plan = plan_of("table7");
  size_t record_count, count;
  ts_record *records = rows_of(&record_count, &plan, 50);
  for (size_t i = 0; i < plan.cell_count; i++)
    records[4 * i + 3].outcome = "failed";
  ts_reproduction *figures = fill(&count, "table7", &plan, records, record_count);
  cr_assert_gt(count, 0);
  for (size_t i = 0; i < count; i++)
    cr_expect_eq(figures[i].ours[TS_REPRODUCED_PROX2018], 50);
}

Test(harness_reproduction, columns_are_taken_from_their_own_cells) {
  ts_plan plan = plan_of("table8");
  size_t record_count, count;
  ts_record *records = rows_of(&record_count, &plan, 0);
  for (size_t i = 0; i < plan.cell_count; i++)
    records[4 * i + 1].coverage_percent = records[4 * i + 2].coverage_percent =
        i < plan.cell_count / 2 ? 25 : 75;
  ts_reproduction *figures = fill(&count, "table8", &plan, records, record_count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(figures[i].published->metric, "coverage") == 0) {
      cr_expect_eq(figures[i].ours[TS_REPRODUCED_PROX2018], 25);
      cr_expect_eq(figures[i].ours[TS_REPRODUCED_PAPER], 75);
    }
}

/// A figure that is not read at step 3 has its step in the output, whether equal or not.
Test(harness_reproduction, the_sliding_wedge_is_read_a_step_earlier_and_labelled) {
  ts_plan plan = plan_of("table8");
  size_t record_count, count, wedge_count = 0;
  ts_record *records = rows_of(&record_count, &plan, 100);
  for (size_t i = 0; i < plan.cell_count; i++)
    records[4 * i + 1].coverage_percent = 25;
  ts_reproduction *figures = fill(&count, "table8", &plan, records, record_count);
  for (size_t i = 0; i < count; i++) {
    bool is_wedge = strcmp(figures[i].published->scene, "sliding_wedge") == 0;
    cr_expect_eq(strstr(figures[i].reason, "taken at step 2") != NULL, is_wedge);
    wedge_count += is_wedge;
    if (strcmp(figures[i].published->metric, "coverage") == 0)
      cr_expect_eq(figures[i].ours[TS_REPRODUCED_PROX2018], is_wedge ? 25 : 100);
  }
  cr_expect_eq(wedge_count, 24);
}

Test(harness_reproduction, the_name_of_a_paper_selects_all_its_sources) {
  static const char *const papers[] = {"erleben2018", "allard2010", "faure2008", "saupin2008"};
  size_t sum = 0;
  for (size_t i = 0; i < COUNT(papers); i++) {
    size_t count;
    ts_plan plan = plan_of(papers[i]);
    cr_expect_gt(plan.cell_count, 0);
    fill(&count, papers[i], &plan, NULL, 0);
    cr_expect_eq(count, ts_papers[i]->value_count);
    sum += plan.cell_count;
  }
  cr_expect_eq(plan_of(NULL).cell_count, sum);
  cr_expect_eq(plan_of("allard2010_.*").cell_count, plan_of("allard2010").cell_count);
}

Test(harness_reproduction, cells_of_one_key_are_planned_once) {
  ts_plan plan = plan_of(NULL);
  for (size_t i = 0; i < plan.cell_count; i++)
    for (size_t k = 0; k < i; k++)
      cr_expect_str_neq(plan.cells[i].key, plan.cells[k].key);
}

/// Our figure of a row and metric, and its mark.
static const ts_reproduction *ours_of(const ts_reproduction *figures, size_t count,
                                      const char *scene, const char *metric, double wanted,
                                      ts_mark mark) {
  const char *method = figures->paper == &ts_paper_saupin2008 ? "control_nodes" : "ldi_volume";
  const ts_reproduction *f = find(figures, count, scene, method, metric);
  if (isnan(wanted))
    cr_expect(isnan(f->ours[TS_REPRODUCED_OURS]), "%s %s", scene, metric);
  else
    cr_expect_float_eq(f->ours[TS_REPRODUCED_OURS], wanted, 1e-9 * fabs(wanted), "%s %s: %g", scene,
                       metric, f->ours[TS_REPRODUCED_OURS]);
  cr_expect_eq(f->marks[TS_REPRODUCED_OURS], mark, "%s %s", scene, metric);
  cr_expect_eq(f->marks[TS_REPRODUCED_PAPER], TS_MARK_NONE);
  return f;
}

/// Rows of steps 0, 2 and the last one for each cell of a plan; their columns are set by the test.
static ts_record *blank_rows(size_t *out_count, const ts_plan *plan) {
  ts_record *records = ts_arena_array(arena, 3 * plan->cell_count, sizeof *records);
  for (size_t i = 0; i < plan->cell_count; i++)
    for (int k = 0; k < 3; k++) {
      ts_record *r = &records[3 * i + (size_t)k];
      ts_row_init(&ts_summary_rows, r);
      r->cell = plan->cells[i].key;
      r->outcome = "ok";
      r->step = k == 0 ? 0 : k == 1 ? 2 : (double)plan->cells[i].steps;
    }
  *out_count = 3 * plan->cell_count;
  return records;
}

Test(harness_reproduction, stand_ins_are_told_and_never_equal) {
  ts_plan plan = plan_of("allard2010_table1");
  size_t record_count, count;
  ts_record *records = blank_rows(&record_count, &plan);
  for (size_t i = 0; i < record_count; i++) {
    records[i].contacts_max = 16;
    records[i].bodies = 2;
    records[i].generate_ns_min = 18.48e6;
    records[i].solve_ns = i % 3 == 0 ? (double)NAN : 1e6 * (double)(i % 3); // none as built
  }
  ts_reproduction *figures = fill(&count, "allard2010_table1", &plan, records, record_count);
  const ts_reproduction *f =
      ours_of(figures, count, "armadillos", "contacts_max", 16, TS_MARK_STAND_IN);
  cr_expect(strstr(f->reason, "tori"), "%s", f->reason);
  ours_of(figures, count, "armadillos", "objects", 2, TS_MARK_STAND_IN);
  f = ours_of(figures, count, "armadillos", "detection", 18.48, TS_MARK_STAND_IN);
  cr_expect(strstr(f->reason, "tori"), "%s", f->reason);
  ours_of(figures, count, "armadillos", "solver", 1.5, TS_MARK_STAND_IN); // mean of the steps
  f = find(figures, count, "armadillos", "ldi_volume", "triangles");
  cr_expect_float_eq(f->ours[TS_REPRODUCED_OURS], 692, 1, "%g", f->ours[TS_REPRODUCED_OURS]);
  f = ours_of(figures, count, "armadillos", "contact_modeling", NAN, TS_MARK_MISSING);
  cr_expect(strstr(f->reason, "as a whole"), "%s", f->reason);
  f = ours_of(figures, count, "medical", "contacts_max", NAN, TS_MARK_MISSING);
  cr_expect(strstr(f->reason, "deform"), "%s", f->reason);
  f = ours_of(figures, count, "toys_40", "motion", NAN, TS_MARK_MISSING);
  cr_expect(strstr(f->reason, "deform"), "%s", f->reason);
  for (size_t i = 0; i < count; i++)
    cr_expect(figures[i].reason[0], "%s %s says why", figures[i].published->scene,
              figures[i].published->metric);
}

Test(harness_reproduction, closed_forms_are_compared_like_printed_figures) {
  ts_plan plan = plan_of("allard2010_figure6");
  size_t record_count, count;
  cr_assert_eq(plan.cell_count, 2 * 5, "each shape with a step and without");
  ts_record *records = blank_rows(&record_count, &plan);
  for (size_t i = 0; i < record_count; i++)
    records[i].overlap_m3 = i / 3 % 2 == 0 ? 0.25 : 1;
  ts_reproduction *figures = fill(&count, "allard2010_figure6", &plan, records, record_count);
  ours_of(figures, count, "ridge", "overlap_left", 0.25, TS_MARK_EQUAL);
  ours_of(figures, count, "two_spheres", "overlap_left", 0.25, TS_MARK_CLOSE);
  ours_of(figures, count, "tip", "overlap_left", 0.25, TS_MARK_DIFFERENT);
  for (size_t i = 0; i < count; i++)
    cr_expect(figures[i].source->is_closed_form);
}

Test(harness_reproduction, a_figure_whose_base_failed_has_its_reason) {
  ts_plan plan = plan_of("allard2010_figure6");
  size_t record_count, count;
  ts_record *records = blank_rows(&record_count, &plan);
  for (size_t i = 0; i < record_count; i++)
    records[i].overlap_m3 = 1;
  records[3].outcome = "crashed"; // the second cell: the first shape without a step
  records[3].reason = "SIGSEGV";
  ts_reproduction *figures = fill(&count, "allard2010_figure6", &plan, records, record_count);
  const ts_reproduction *f =
      ours_of(figures, count, "box_on_slab", "overlap_left", NAN, TS_MARK_MISSING);
  cr_expect_str_eq(f->reason, "SIGSEGV");
  ours_of(figures, count, "sphere_on_slab", "overlap_left", 1, TS_MARK_DIFFERENT);
}

Test(harness_reproduction, figures_of_faure_are_worked_out_from_forces_and_energies) {
  ts_plan plan = plan_of("faure2008");
  size_t record_count, count;
  ts_record *records = blank_rows(&record_count, &plan);
  for (size_t i = 0; i < record_count; i++) {
    ts_record *r = &records[i];
    r->generate_ns_min = 2e6;
    r->pairing_ns = 1e3;
    r->contact_force_n_max = 28125;
    if (i % 3 == 0) // as built
      continue;
    // 200 J of motion at first, 50 J later with 1 J too much; a cube of 1 kg 2 cm deep.
    r->kinetic_energy_j = i % 3 == 1 ? 200 : 50;
    r->potential_energy_j = i % 3 == 1 ? -200 : -0.02 * 9.82;
    r->elastic_energy_j = i % 3 == 1 ? 0 : -49 + 0.02 * 9.82;
  }
  ts_reproduction *figures = fill(&count, "faure2008", &plan, records, record_count);
  ours_of(figures, count, "cube_entering", "force_over_stiffness", 0.028125, TS_MARK_EQUAL);
  ours_of(figures, count, "sphere_inside", "force_over_stiffness", 0.028125, TS_MARK_DIFFERENT);
  ours_of(figures, count, "rings_2px", "energy_gained", 0.5, TS_MARK_CLOSE);
  ours_of(figures, count, "fine_16px", "images", 2, TS_MARK_STAND_IN);
  ours_of(figures, count, "fine_16px", "broad_phase", 1e-3, TS_MARK_STAND_IN);
  const ts_reproduction *f = ours_of(figures, count, "fine_16px", "render", NAN, TS_MARK_MISSING);
  cr_expect_str_eq(f->reason, "nothing is drawn");
  // The second half of three rows is the last two.
  ours_of(figures, count, "two_tips", "depth", 0.5 * (200 / 9.82 + 0.02), TS_MARK_DIFFERENT);
}

Test(harness_reproduction, errors_of_chains_are_read_in_both_norms_at_the_last_step) {
  ts_plan plan = plan_of("saupin2008_table1");
  size_t record_count, count;
  cr_assert_eq(plan.cell_count, 2);
  ts_record *records = blank_rows(&record_count, &plan);
  for (size_t i = 0; i < record_count; i++) {
    records[i].deformation_error_percent = i % 3 == 2 ? 3.5 : 100;
    records[i].deformation_error_percent_at_largest = i % 3 == 2 ? 4.5 : 100;
    records[i].displacement_error_percent = i % 3 == 2 ? 0.5 : 100;
    records[i].displacement_error_percent_at_largest = i % 3 == 2 ? 0.25 : 100;
  }
  ts_reproduction *figures = fill(&count, "saupin2008_table1", &plan, records, record_count);
  ours_of(figures, count, "chain_horizontal", "deformation_final", 3.5, TS_MARK_STAND_IN);
  ours_of(figures, count, "chain_vertical", "deformation_at_largest", 4.5, TS_MARK_STAND_IN);
  ours_of(figures, count, "chain_vertical", "displacement_final", 0.5, TS_MARK_STAND_IN);
  const ts_reproduction *f =
      ours_of(figures, count, "chain_vertical", "displacement_at_largest", 0.25, TS_MARK_STAND_IN);
  cr_expect(strstr(f->reason, "not given"), "%s", f->reason);
}

Test(harness_reproduction, times_of_compliance_are_of_the_steps_with_the_nearest_contacts) {
  ts_plan plan = plan_of("saupin2008_table2");
  size_t record_count, count;
  cr_assert_eq(plan.cell_count, 4, "rows of one chain share a cell");
  ts_record *records = blank_rows(&record_count, &plan);
  for (size_t i = 0; i < record_count; i++) {
    ts_record *r = &records[i];
    r->tets = 864;
    if (i % 3 == 0) // as built
      continue;
    r->constraints = i % 3 == 1 ? 12 : 40;
    r->compliance_exact_ns = i % 3 == 1 ? 8e6 : 16e6;
    r->compliance_ns = i % 3 == 1 ? 2e4 : 1e5;
  }
  ts_reproduction *figures = fill(&count, "saupin2008_table2", &plan, records, record_count);
  ours_of(figures, count, "chain_35", "contacts", 40, TS_MARK_STAND_IN);
  ours_of(figures, count, "chain_35", "compliance_exact", 16, TS_MARK_STAND_IN);
  ours_of(figures, count, "chain_35", "compliance_ratio", 160, TS_MARK_STAND_IN);
  ours_of(figures, count, "chain_12", "contacts", 12, TS_MARK_STAND_IN);
  ours_of(figures, count, "chain_12", "compliance_warped", 0.02, TS_MARK_STAND_IN);
  ours_of(figures, count, "chain_12", "compliance_ratio", 400, TS_MARK_STAND_IN);
  const ts_reproduction *f = ours_of(figures, count, "chain_12", "tets", 864, TS_MARK_STAND_IN);
  cr_expect(strstr(f->reason, "CXSparse"), "the solver is named: %s", f->reason);
  f = ours_of(figures, count, "rain", "compliance_exact", 16, TS_MARK_MISSING);
  cr_expect_str_eq(f->reason, "the paper has none");
}

Test(harness_reproduction, a_chain_that_never_touches_has_no_times) {
  ts_plan plan = plan_of("saupin2008_table2");
  size_t record_count, count;
  ts_record *records = blank_rows(&record_count, &plan);
  for (size_t i = 0; i < record_count; i++)
    records[i].constraints = 0;
  ts_reproduction *figures = fill(&count, "saupin2008_table2", &plan, records, record_count);
  ours_of(figures, count, "chain_35", "contacts", NAN, TS_MARK_MISSING);
  ours_of(figures, count, "chain_35", "compliance_ratio", NAN, TS_MARK_MISSING);
}

Test(harness_reproduction, marks_have_names) {
  static const char *const names[TS_MARK_COUNT] = {"equal",   "close",    "different",
                                                   "missing", "stand_in", ""};
  for (int i = 0; i < TS_MARK_COUNT; i++)
    cr_expect_str_eq(ts_mark_names[i], names[i]);
}

Test(harness_reproduction, a_figure_among_those_of_nudged_runs_is_chaos_and_others_are_unknown) {
  enum { NUDGES = 4 };
  ts_plan plain = plan_of("table8"), plan;
  cr_assert_eq(ts_reproduction_plan(&plan, arena, "table8", NUDGES), TS_OK);
  cr_assert_eq(plan.cell_count, plain.cell_count + NUDGES * plain.cell_count / 2);
  // Nudged cells differ in both frictions and in nothing else.
  const ts_cell *cell = &plan.cells[0], *next = &plan.cells[plain.cell_count];
  cr_expect_str_eq(cell->c->name, next->c->name);
  cr_expect(strstr(cell->simulation_parameters, "friction=0.65;friction_fixed=0.65;"), "%s",
            cell->simulation_parameters);
  cr_expect(strstr(next->simulation_parameters, "friction=0.6500001;friction_fixed=0.6500001;"),
            "%s", next->simulation_parameters);
  size_t record_count, count;
  ts_record *records = rows_of(&record_count, &plan, 50);
  for (size_t i = 0; i < record_count; i++) {
    size_t k = 0;
    while (strcmp(plan.cells[k].key, records[i].cell) != 0)
      k++;
    records[i].quality_percent = k < plain.cell_count ? 40 : 60;
    records[i].coverage_percent = 40;
  }
  ts_reproduction *figures;
  cr_assert_eq(
      ts_reproduction_fill(&figures, &count, arena, "table8", NUDGES, &plan, records, record_count),
      TS_OK);
  size_t chaos = 0;
  for (size_t i = 0; i < count; i++) {
    const ts_reproduction *f = &figures[i];
    double value = strtod(f->published->value, NULL);
    bool is_quality = strcmp(f->published->metric, "quality") == 0;
    if (is_quality) {
      cr_expect_eq(f->nudged_min, 40);
      cr_expect_eq(f->nudged_max, 60);
    }
    if (f->marks[0] == TS_MARK_CLOSE)
      cr_expect(!strstr(f->reason, "chaos"), "%s", f->reason);
    if (f->marks[0] != TS_MARK_DIFFERENT || !is_quality)
      continue;
    bool is_chaos = strncmp(f->reason, "chaos", 5) == 0;
    cr_expect(!is_chaos || (value >= 39.9 && value <= 60.1), "%g: %s", value, f->reason);
    cr_expect(f->reason[0], "%s x %s says why, or unknown", f->published->scene,
              f->published->method);
    chaos += is_chaos;
  }
  cr_expect_gt(chaos, 0);
}
