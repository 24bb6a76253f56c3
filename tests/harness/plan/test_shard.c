// SPDX-License-Identifier: MIT
// covers: harness/plan/shard.c
#include "harness/plan/shard.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

Test(harness_shard, is_read_as_which_of_how_many) {
  ts_shard shard;
  cr_assert_eq(ts_shard_parse(&shard, "3/16"), TS_OK);
  cr_expect_eq(shard.number, 3);
  cr_expect_eq(shard.count, 16);
  cr_assert_eq(ts_shard_parse(&shard, NULL), TS_OK);
  cr_expect_eq(shard.number, 1);
  cr_expect_eq(shard.count, 1);
}

Test(harness_shard, what_is_not_one_is_refused_with_its_text) {
  static const char *const texts[] = {"",      "3",          "/",     "3/",     "/16",  "0/16",
                                      "17/16", "3/0",        "-1/16", "1/2/3",  " 1/2", "1/2 ",
                                      "1.5/2", "1/99999999", "a/b",   "1/10001"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ts_shard shard;
    cr_expect_eq(ts_shard_parse(&shard, texts[i]), TS_E_INPUT, "%s", texts[i]);
    cr_expect(strstr(ts_status_detail(), texts[i]), "%s", ts_status_detail());
  }
}

Test(harness_shard, every_cell_is_in_one_shard_in_the_order_of_the_plan) {
  for (size_t cells = 0; cells <= 20; cells++)
    for (size_t count = 1; count <= 24; count++) {
      size_t seen[20] = {0}, total = 0;
      for (size_t number = 1; number <= count; number++) {
        ts_cell items[20] = {0};
        for (size_t i = 0; i < cells; i++)
          items[i].steps = (int64_t)i; // stands for the cell
        ts_plan plan = {.cell_count = cells, .cells = items};
        ts_shard shard = {number, count};
        ts_shard_take(&plan, shard);
        cr_assert_eq(plan.cell_count, ts_shard_cells(shard, cells));
        for (size_t i = 0; i < plan.cell_count; i++) {
          cr_assert_eq(plan.cells[i].index, i);
          cr_assert_eq(plan.cells[i].steps, (int64_t)(number - 1 + i * count));
          seen[plan.cells[i].steps]++;
        }
        total += plan.cell_count;
      }
      cr_assert_eq(total, cells);
      for (size_t i = 0; i < cells; i++)
        cr_assert_eq(seen[i], 1);
    }
}
