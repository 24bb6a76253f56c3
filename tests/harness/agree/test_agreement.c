// SPDX-License-Identifier: MIT
// covers: harness/agree/agreement.c harness/agree/agreement_read.c harness/agree/row_contacts.c
#include "harness/agree/agreement_read.h"

#include "base/status.h"
#include "geometry/vec3.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(harness_agreement, .init = results_open, .fini = results_close, .timeout = 60);

// Methods `low`, `high` and `both` of one case; `both` has the contacts of the two others.
enum { LOW, HIGH, BOTH, METHODS };
static const char *const names[METHODS] = {"low", "high", "both"};

static ts_contact contact_at(double x, double z, ts_vec3 normal) {
  return (ts_contact){.point = {x, 0, z}, .normal = normal, .area_m2 = NAN};
}

static ts_record record_of(const char *case_name, const char *method, double step) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  record.cell = ts_arena_format(fixture_arena, "%s_%s", case_name, method);
  record.case_name = case_name;
  record.case_parameters = "";
  record.method = method;
  record.method_parameters = record.scoring_parameters = record.simulation_parameters = "";
  record.outcome = "ok";
  record.step = step;
  return record;
}

/// A floor with four contacts, of which `low` has two, and `high` two and a wall.
static const ts_contact *contacts_of(size_t *out_count, size_t method) {
  static ts_contact all[5];
  const ts_vec3 up = {0, 1, 0}, side = {1, 0, 0};
  all[0] = contact_at(-1, -1, up);
  all[1] = contact_at(1, -1, up);
  all[2] = contact_at(-1, 1, up);
  all[3] = contact_at(1, 1, up);
  all[4] = contact_at(1, 0, side);
  *out_count = method == LOW ? 2 : method == HIGH ? 3 : 5;
  return method == HIGH ? all + 2 : all;
}

static ts_row_contacts row_of(size_t method, double scale, ts_vec3 offset) {
  size_t count;
  const ts_contact *of = contacts_of(&count, method);
  ts_contact *contacts = ts_arena_copy(fixture_arena, of, count, sizeof *contacts);
  ts_pair_contacts *pair = ts_arena_array(fixture_arena, 1, sizeof *pair);
  for (size_t i = 0; i < count; i++)
    contacts[i].point = ts_vec3_add_scaled(offset, scale, contacts[i].point);
  *pair = (ts_pair_contacts){.body_a = 0, .body_b = 1, .count = count, .contacts = contacts};
  return (ts_row_contacts){.pair_count = 1, .pairs = pair};
}

static ts_agreement agree(const ts_record *records, const ts_row_contacts *contacts, size_t count) {
  ts_plot_source source = {.count = 0};
  ts_agreement out;
  cr_assert_eq(ts_plot_source_make(&source, fixture_arena, records, count), TS_OK);
  cr_assert_eq(ts_agreement_make(&out, fixture_arena, &source, records, contacts, NULL), TS_OK);
  return out;
}

static ts_agreement agree_on_floor(double scale, ts_vec3 offset) {
  ts_record records[METHODS];
  ts_row_contacts contacts[METHODS];
  for (size_t i = 0; i < METHODS; i++) {
    records[i] = record_of("no_such_case", names[i], 0);
    contacts[i] = row_of(i, scale, offset);
  }
  return agree(records, contacts, METHODS);
}

static double distance(const ts_agreement *a, size_t from, size_t to) {
  return a->cells[from * a->count + to].distance;
}

Test(harness_agreement, nothing_is_beyond_a_union) {
  ts_agreement a = agree_on_floor(1, (ts_vec3){0, 0, 0});
  cr_assert_eq(a.count, METHODS);
  for (size_t i = 0; i < METHODS; i++) {
    cr_expect_eq(distance(&a, i, i), 0);
    cr_expect_eq(distance(&a, i, BOTH), 0, "%s", names[i]);
    cr_expect(i == BOTH || distance(&a, BOTH, i) > 0.1, "%s", names[i]);
  }
  // The wall is at a right angle to what `low` has: (1, 0, 0; 0, 0, 0), all of whose are (0, 1, 0;
  // *, 0, *).
  cr_expect_float_eq(distance(&a, HIGH, LOW), 1, 1e-12);
  cr_expect_eq(a.case_count, 1);
  cr_expect_eq(a.pair_count, 1);
  cr_expect_eq(a.unbuilt_count, 1);
  cr_expect_not_null(strstr(a.unbuilt_why, "no_such_case"));
}

Test(harness_agreement, names_the_worst_contact) {
  ts_agreement a = agree_on_floor(1, (ts_vec3){0, 0, 0});
  cr_expect_float_eq(a.worst.distance, 1, 1e-12);
  cr_expect_eq(a.worst.from_row, HIGH);
  cr_expect_eq(a.worst.to_row, LOW);
  cr_expect_eq(a.worst.contact.normal.x, 1);
}

Test(harness_agreement, size_and_place_do_not_matter) {
  ts_agreement a = agree_on_floor(1, (ts_vec3){0, 0, 0});
  const double scales[] = {1e-3, 1e3};
  for (size_t k = 0; k < 2; k++) {
    ts_vec3 offset = ts_vec3_scale((ts_vec3){100, -70, 30}, scales[k]);
    ts_agreement b = agree_on_floor(scales[k], offset);
    for (size_t i = 0; i < METHODS * METHODS; i++)
      cr_expect_float_eq(a.cells[i].distance, b.cells[i].distance, 1e-12, "%zu", i);
  }
}

// One contact, many in one place, and opposite ones: no box to take a length from.
Test(harness_agreement, contacts_in_one_place) {
  ts_record records[2] = {record_of("no_such_case", "once", 0),
                          record_of("no_such_case", "two", 0)};
  ts_contact once = contact_at(3, 4, (ts_vec3){0, 1, 0});
  ts_contact two[3] = {once, once, contact_at(3, 4, (ts_vec3){0, -1, 0})};
  const ts_pair_contacts pairs[2] = {{0, 1, 1, &once}, {0, 1, 3, two}};
  const ts_row_contacts contacts[2] = {{1, &pairs[0]}, {1, &pairs[1]}};
  ts_agreement a = agree(records, contacts, 2);
  cr_expect_eq(distance(&a, 0, 1), 0);
  cr_expect_eq(distance(&a, 1, 0), 1);
}

Test(harness_agreement, a_case_without_contacts_says_nothing) {
  ts_record records[4] = {record_of("no_such_case", "low", 0), record_of("no_such_case", "high", 0),
                          record_of("apart", "low", 0), record_of("apart", "high", 0)};
  const ts_row_contacts low = row_of(LOW, 1, (ts_vec3){0, 0, 0}),
                        high = row_of(HIGH, 1, (ts_vec3){0, 0, 0}), none = {0, NULL};
  const ts_row_contacts contacts[4] = {low, high, none, none};
  ts_agreement a = agree(records, contacts, 4);
  cr_expect_float_eq(distance(&a, 1, 0), 1, 1e-12, "%g", distance(&a, 1, 0));
  cr_expect_eq(a.case_count, 2);
  cr_expect_eq(a.contact_case_count, 1);
  const ts_row_contacts nothing[4] = {none, none, none, none};
  a = agree(records, nothing, 4);
  cr_expect(isnan(distance(&a, 1, 0)));
  cr_expect_not(ts_agreement_has_any(&a));
}

Test(harness_agreement, a_pair_that_only_one_method_has_counts) {
  ts_record records[2] = {record_of("no_such_case", "some", 0),
                          record_of("no_such_case", "none", 0)};
  const ts_row_contacts contacts[2] = {row_of(LOW, 1, (ts_vec3){0, 0, 0}), {0, NULL}};
  ts_agreement a = agree(records, contacts, 2);
  cr_expect_float_eq(distance(&a, 0, 1), 1, 1e-12);
  cr_expect_eq(distance(&a, 1, 0), 0);
  cr_expect_eq(a.cells[1].pair_count, 1);
  cr_expect_eq(a.cells[2].pair_count, 1);
}

Test(harness_agreement, alternatives_are_not_measured) {
  ts_record records[2] = {record_of("no_such_case", "low", 0), record_of("no_such_case", "any", 0)};
  ts_contact any[2] = {contact_at(0, 0, (ts_vec3){0, 1, 0}), contact_at(0, 0, (ts_vec3){1, 0, 0})};
  any[0].group = any[1].group = 1;
  const ts_pair_contacts pair = {0, 1, 2, any};
  const ts_row_contacts contacts[2] = {row_of(LOW, 1, (ts_vec3){0, 0, 0}), {1, &pair}};
  ts_agreement a = agree(records, contacts, 2);
  cr_expect(isnan(distance(&a, 0, 1)));
  cr_expect(isnan(distance(&a, 1, 0)));
  cr_expect_eq(distance(&a, 0, 0), 0);
  cr_expect(isnan(a.worst.distance));
}

// A case that one method lacks, a row that is not ok, and one of a later step.
Test(harness_agreement, only_cases_in_common_count) {
  ts_record records[] = {record_of("one", "low", 0),    record_of("one", "both", 0),
                         record_of("two", "low", 0),    record_of("three", "low", 0),
                         record_of("three", "both", 0), record_of("one", "low", 3),
                         record_of("one", "both", 3)};
  enum { ROWS = sizeof records / sizeof *records };
  ts_row_contacts contacts[ROWS];
  for (size_t i = 0; i < ROWS; i++)
    contacts[i] = row_of(strcmp(records[i].method, "low") == 0 ? LOW : BOTH, 1, (ts_vec3){0, 0, 0});
  records[4].outcome = "timeout";
  ts_agreement a = agree(records, contacts, ROWS);
  cr_assert_eq(a.count, 2);
  cr_expect_eq(a.case_count, 3);
  cr_expect_eq(a.ok_counts[0], 3);
  cr_expect_eq(a.ok_counts[1], 1);
  cr_expect_eq(a.cells[1].case_count, 1);
  cr_expect(ts_agreement_has_any(&a));
  records[1].outcome = "failed";
  a = agree(records, contacts, ROWS);
  cr_expect_not(ts_agreement_has_any(&a));
  cr_expect(isnan(distance(&a, 0, 1)));
}

// ---- contacts.csv ------------------------------------------------------------------------------

#define HEADER                                                                                     \
  "cell,case,method,step,body_a,body_b,index,point_x_m,point_y_m,point_z_m,normal_x,normal_y,"     \
  "normal_z\n"

static ts_status read_rows(ts_row_contacts **out, const ts_record *records, size_t count,
                           const char *text) {
  static const bool is_wanted[] = {true, true, false};
  const char *path = fixture_path("contacts.csv");
  fixture_write_text(path, text);
  return ts_row_contacts_read(out, fixture_arena, records, is_wanted, count, path);
}

Test(harness_agreement, reads_contacts_by_rows_and_pairs) {
  ts_record records[3] = {record_of("c", "low", 0), record_of("c", "high", 0),
                          record_of("c", "both", 0)};
  ts_row_contacts *rows;
  cr_assert_eq(read_rows(&rows, records, 3,
                         HEADER "c_low,c,low,0,2,3,0,1,2,3,0,1,0\n"
                                "c_low,c,low,0,1,0,1,4,5,6,0,1,0\n"
                                "c_low,c,low,0,2,3,2,7,8,9,0,1,0\n"
                                "c_both,c,both,0,0,1,0,4,5,6,0,1,0\n"),
               TS_OK, "%s", ts_status_detail());
  cr_assert_eq(rows[0].pair_count, 2);
  cr_expect_eq(rows[0].pairs[0].count, 1);
  cr_expect_eq(rows[0].pairs[0].contacts[0].normal.y, -1, "a and b are swapped");
  cr_expect_eq(rows[0].pairs[1].body_b, 3);
  cr_assert_eq(rows[0].pairs[1].count, 2);
  cr_expect_eq(rows[0].pairs[1].contacts[1].point.z, 9);
  cr_expect_eq(rows[1].pair_count, 0);
  cr_expect_eq(rows[2].pair_count, 0, "not wanted");
}

Test(harness_agreement, refuses_contacts_that_are_not_whole) {
  ts_record records[2] = {record_of("c", "low", 0), record_of("c", "high", 0)};
  ts_row_contacts *rows;
  records[0].contacts_listed = 2;
  cr_expect_eq(read_rows(&rows, records, 2, HEADER "c_low,c,low,0,0,1,0,1,2,3,0,1,0\n"),
               TS_E_INPUT);
  cr_expect_not_null(strstr(ts_status_detail(), "incomplete"));
  cr_expect_eq(read_rows(&rows, records, 2,
                         HEADER "c_low,c,low,0,0,1,0,1,2,3,0,1,0\n"
                                "c_high,c,high,0,0,1,0,1,2,3,0,1,0\n"
                                "c_low,c,low,0,0,1,1,1,2,3,0,1,0\n"),
               TS_E_INPUT);
  cr_expect_not_null(strstr(ts_status_detail(), "consecutive"));
  cr_expect_eq(read_rows(&rows, records, 2, HEADER "c_low,c,low,0,1,1,0,1,2,3,0,1,0\n"),
               TS_E_INPUT);
  cr_expect_not_null(strstr(ts_status_detail(), "between bodies 1 and 1"));
}
