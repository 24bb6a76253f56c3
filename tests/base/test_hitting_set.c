// SPDX-License-Identifier: MIT
// covers: base/hitting_set.c
#include "base/hitting_set.h"

#include "base/random.h"

#include <criterion/criterion.h>

static int count_bits(uint64_t bits) {
  int count = 0;
  for (; bits; bits &= bits - 1)
    count++;
  return count;
}

static void expect_hit(uint64_t answer, const uint64_t *sets, size_t count) {
  for (size_t i = 0; i < count; i++)
    cr_expect(sets[i] == 0 || (sets[i] & answer) != 0, "set %zu", i);
}

Test(base_hitting_set, without_sets_and_of_empty_ones_nothing_is_needed) {
  const uint64_t empty[2] = {0, 0};
  cr_expect_eq(ts_hitting_set(NULL, 0), 0);
  cr_expect_eq(ts_hitting_set(empty, 2), 0);
}

Test(base_hitting_set, what_a_set_of_one_needs_is_taken_and_serves_others) {
  const uint64_t sets[3] = {6, 4, 5};
  cr_expect_eq(ts_hitting_set(sets, 3), 4);
  const uint64_t high[2] = {(uint64_t)1 << 63, 0};
  cr_expect_eq(ts_hitting_set(high, 2), (uint64_t)1 << 63);
}

Test(base_hitting_set, of_equally_few_the_lowest_are_taken) {
  const uint64_t sets[2] = {14, 14};
  cr_expect_eq(ts_hitting_set(sets, 2), 2);
}

Test(base_hitting_set, up_to_ten_sets_no_answer_is_smaller) {
  ts_random random = ts_random_seed(1, 0);
  for (int n = 0; n < 500; n++) {
    enum { BITS = 8 };
    uint64_t sets[10];
    size_t count = 1 + (size_t)n % 10;
    for (size_t i = 0; i < count; i++)
      sets[i] = ts_random_u64(&random) & ts_random_u64(&random) & ((1 << BITS) - 1);
    int fewest = BITS;
    for (uint64_t all = 0; all < 1 << BITS; all++) {
      bool hits = true;
      for (size_t i = 0; i < count; i++)
        hits &= sets[i] == 0 || (sets[i] & all) != 0;
      if (hits && count_bits(all) < fewest)
        fewest = count_bits(all);
    }
    uint64_t answer = ts_hitting_set(sets, count);
    expect_hit(answer, sets, count);
    cr_expect_eq(count_bits(answer), fewest, "sets %d: %d, not %d", n, count_bits(answer), fewest);
  }
}

/// Each of 64 sets has a bit that hardly any other has, and one that serves eight of them.
Test(base_hitting_set, of_many_sets_what_hits_most_is_taken_first) {
  uint64_t sets[TS_HITTING_SETS_MAX], shared = 0;
  for (int i = 0; i < TS_HITTING_SETS_MAX; i++) {
    sets[i] = (uint64_t)1 << (8 + i % 56) | (uint64_t)1 << (i / 8);
    shared |= (uint64_t)1 << (i / 8);
  }
  cr_expect_eq(ts_hitting_set(sets, TS_HITTING_SETS_MAX), shared);
}
