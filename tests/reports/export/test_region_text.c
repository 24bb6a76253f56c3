// SPDX-License-Identifier: MIT
// covers: reports/export/region_text.c reports/export/snapshot.c
#include "reports/export/region_text.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *memory;

static void open_memory(void) {
  cr_assert_eq(ts_arena_create(&memory), TS_OK);
}

static void close_memory(void) {
  ts_arena_destroy(memory);
}

TestSuite(reports_region_text, .init = open_memory, .fini = close_memory);

static const ts_snapshot_body bodies[] = {{.name = "low"}, {.name = "high"}};
static const ts_vec3 corners[] = {{0, 0, 1}, {2, 0, 1}};

/// Two normals, of which `met` have a contact.
static ts_snapshot_region region(int32_t index, size_t met, bool is_missed) {
  ts_snapshot_normal *normals = ts_arena_array(memory, 2, sizeof *normals);
  cr_assert_not_null(normals);
  normals[0] = (ts_snapshot_normal){{0, 0, 1}, 0, false, met > 0};
  normals[1] = (ts_snapshot_normal){{1e-9, 1, 0}, 0, false, met > 1};
  return (ts_snapshot_region){.body_a = 0,
                              .body_b = 1,
                              .index = index,
                              .vertex_count = 2,
                              .vertices = corners,
                              .needs_all = true,
                              .normal_count = 2,
                              .normals = normals,
                              .needed_count = 2,
                              .met_count = met,
                              .is_missed = is_missed};
}

static char *print(const ts_snapshot *snapshot, size_t limit, const char *all) {
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  cr_assert_eq(ts_regions_print(file, memory, snapshot, limit, all), TS_OK);
  fclose(file);
  char *kept = ts_arena_string(memory, text);
  free(text);
  return kept;
}

Test(reports_region_text, regions_are_listed_worst_first) {
  const ts_snapshot_region regions[] = {region(0, 2, false), region(1, 1, false),
                                        region(2, 0, false), region(3, 0, true)};
  const ts_snapshot snapshot = {
      .body_count = 2, .bodies = bodies, .region_count = 4, .regions = regions};
  cr_expect_str_eq(print(&snapshot, 10, NULL),
                   "3 of 4 regions are not covered:\n"
                   "  low (0) and high (1), region 3, a segment about (1, 0, 1): no contact; it "
                   "needs (0, 0, 1), (0, 1, 0)\n"
                   "  low (0) and high (1), region 2, a segment about (1, 0, 1): 0 of 2 normals; "
                   "not met: (0, 0, 1), (0, 1, 0)\n"
                   "  low (0) and high (1), region 1, a segment about (1, 0, 1): 1 of 2 normals; "
                   "not met: (0, 1, 0)\n");
}

Test(reports_region_text, the_rest_is_counted_with_the_command_that_lists_it) {
  const ts_snapshot_region regions[] = {region(0, 0, true), region(1, 0, true)};
  const ts_snapshot snapshot = {
      .body_count = 2, .bodies = bodies, .region_count = 2, .regions = regions};
  cr_expect(strstr(print(&snapshot, 1, "touchstone x"), "\n  and 1 more, all by: touchstone x\n"));
  cr_expect(strstr(print(&snapshot, 1, NULL), "\n  and 1 more\n"));
}

Test(reports_region_text, a_missed_region_needs_its_normals_whatever_contacts_beside_it_have) {
  const ts_snapshot_region one = region(0, 2, true);
  const ts_snapshot snapshot = {
      .body_count = 2, .bodies = bodies, .region_count = 1, .regions = &one};
  cr_expect(strstr(ts_region_describe(memory, &snapshot, &one),
                   "no contact; it needs (0, 0, 1), (0, 1, 0)"));
}

Test(reports_region_text, any_one_of_several_normals_is_said) {
  ts_snapshot_region one = region(0, 0, true);
  one.needs_all = false;
  one.needed_count = 1;
  const ts_snapshot snapshot = {
      .body_count = 2, .bodies = bodies, .region_count = 1, .regions = &one};
  cr_expect(strstr(ts_region_describe(memory, &snapshot, &one),
                   "no contact; it needs one of (0, 0, 1), (0, 1, 0)"));
}

Test(reports_region_text, nothing_is_said_of_what_needs_nothing) {
  ts_snapshot_region open = region(0, 0, false);
  open.needed_count = 0;
  const ts_snapshot snapshot = {
      .body_count = 2, .bodies = bodies, .region_count = 1, .regions = &open};
  cr_expect_str_eq(print(&snapshot, 10, NULL), "");
}
