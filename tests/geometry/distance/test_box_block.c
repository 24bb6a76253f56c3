// SPDX-License-Identifier: MIT
// covers: geometry/distance/box_block.c geometry/distance/box_block.h
#include "base/random.h"
#include "geometry/distance/box_block.h"

#include <criterion/criterion.h>

/// Up to eight boxes; coordinates are few, so that many touch.
static uint32_t fill(ts_box_block *out, ts_random *random, double step) {
  uint32_t count = (uint32_t)ts_random_uniform(random, 0, TS_BOX_BLOCK_MOST + 0.999);
  ts_box_block_clear(out);
  for (uint32_t i = 0; i < count; i++) {
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = step * floor(ts_random_uniform(random, -4, 4));
      high[axis] = low[axis] + step * floor(ts_random_uniform(random, 0, 4));
    }
    ts_box_block_set(out, i, (ts_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}});
  }
  return count;
}

Test(geometry_box_block, every_width_finds_the_pairs_that_overlap) {
  ts_random random = ts_random_seed(7, 3);
  uint64_t seen = 0, missing = 0;
  for (int turn = 0; turn < 3000; turn++) {
    ts_box_block a, b;
    double step = turn % 3 == 0 ? 1 : turn % 3 == 1 ? 1e-3 / 7 : 1e6;
    uint32_t count_a = fill(&a, &random, step), count_b = fill(&b, &random, step);
    uint64_t expected = 0;
    for (uint32_t i = 0; i < count_a; i++)
      for (uint32_t k = 0; k < count_b; k++)
        if (ts_aabb_overlap(ts_box_block_get(&a, i), ts_box_block_get(&b, k)))
          expected |= UINT64_C(1) << (TS_BOX_BLOCK_MOST * i + k);
    for (int lanes = 1; lanes <= TS_BOX_BLOCK_MOST; lanes *= 2)
      cr_assert_eq(ts_box_block_meet_by(lanes, &a, &b), expected, "%d lanes, turn %d", lanes, turn);
    cr_assert_eq(ts_box_block_meet(&a, &b), expected);
    seen |= expected;
    missing |= ~expected;
  }
  cr_assert(seen == UINT64_MAX && missing == UINT64_MAX);
}
