// SPDX-License-Identifier: MIT
#include "base/hitting_set.h"

#include <assert.h>
#include <string.h>

enum { EXACT_MAX = 10, BITS = 64 };

/// Those of the sets that are not hit yet.
typedef struct unhit {
  size_t count;
  uint64_t sets[TS_HITTING_SETS_MAX];
} unhit;

static uint64_t bit(int n) {
  return (uint64_t)1 << n;
}

static void drop_hit(unhit *left, uint64_t bits) {
  size_t kept = 0;
  for (size_t i = 0; i < left->count; i++)
    if (!(left->sets[i] & bits))
      left->sets[kept++] = left->sets[i];
  left->count = kept;
}

/// Which of the sets, a bit for each, have bit n.
static uint64_t hit_by(const unhit *left, int n) {
  uint64_t hit = 0;
  for (size_t i = 0; i < left->count; i++)
    hit |= (left->sets[i] >> n & 1) << i;
  return hit;
}

static int count_bits(uint64_t bits) {
  int count = 0;
  for (; bits; bits &= bits - 1)
    count++;
  return count;
}

static uint64_t hit_exactly(const unhit *left) {
  uint64_t all = bit((int)left->count) - 1;
  uint8_t fewest[1 << EXACT_MAX]; // bits that hit a set of sets
  uint64_t bits_of[1 << EXACT_MAX] = {0};
  memset(fewest, 0xff, sizeof fewest);
  fewest[0] = 0;
  for (uint64_t hit = 0; hit < all; hit++)
    for (int n = 0; n < BITS && fewest[hit] < 0xff; n++) {
      uint64_t next = hit | hit_by(left, n);
      if (fewest[next] <= fewest[hit] + 1)
        continue;
      fewest[next] = (uint8_t)(fewest[hit] + 1);
      bits_of[next] = bits_of[hit] | bit(n);
    }
  return bits_of[all];
}

static uint64_t hit_greedily(unhit *left) {
  uint64_t bits = 0;
  while (left->count > 0) {
    int best = 0;
    for (int n = 1; n < BITS; n++)
      if (count_bits(hit_by(left, n)) > count_bits(hit_by(left, best)))
        best = n;
    bits |= bit(best);
    drop_hit(left, bit(best));
  }
  return bits;
}

uint64_t ts_hitting_set(const uint64_t *sets, size_t count) {
  assert(count <= TS_HITTING_SETS_MAX);
  unhit left = {.count = 0};
  uint64_t needed = 0;
  for (size_t i = 0; i < count; i++) {
    if (sets[i] != 0)
      left.sets[left.count++] = sets[i];
    if ((sets[i] & (sets[i] - 1)) == 0)
      needed |= sets[i];
  }
  drop_hit(&left, needed);
  return needed | (left.count <= EXACT_MAX ? hit_exactly(&left) : hit_greedily(&left));
}
