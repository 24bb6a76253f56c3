// SPDX-License-Identifier: MIT
#include "geometry/tet_overlap_batch.h"

#include "geometry/tet.h"

/// Pairs are taken in blocks, so that lanes are full again after each test for those that it has
/// not decided.
enum { BLOCK = 128, LANES_MAX = 8 };

/// Pairs of a block that wait for a test.
typedef struct waiting {
  size_t count;
  uint8_t which[BLOCK]; ///< [count]
} waiting;

typedef struct batch {
  bool *out;
  const ts_tet_nodes_pair *pairs;
  double tolerance_m;
  waiting undecided, left;
} batch;

static inline void add(waiting *out, uint8_t which, unsigned is_waiting) {
  out->which[out->count] = which;
  out->count += is_waiting & 1;
}

#if defined(__x86_64__)
typedef ts_lane_answers lane_test(const ts_tet_nodes_pair *const *pairs, double tolerance_m);

/// Answers the waiting pairs, and adds those for other tests to theirs.
static inline void answer_some(batch *b, lane_test *test, size_t lanes, const waiting *some) {
  for (size_t first = 0; first < some->count; first += lanes) {
    size_t pair_count = some->count - first < lanes ? some->count - first : lanes;
    const ts_tet_nodes_pair *pairs[LANES_MAX]; // lanes without a pair have the last one again
    for (size_t k = 0; k < lanes; k++)
      pairs[k] = &b->pairs[some->which[first + (k < pair_count ? k : pair_count - 1)]];
    ts_lane_answers answers = test(pairs, b->tolerance_m);
    for (size_t k = 0; k < pair_count; k++) {
      uint8_t which = some->which[first + k];
      b->out[which] = !(answers.apart >> k & 1);
      add(&b->undecided, which, answers.undecided >> k);
      add(&b->left, which, answers.left >> k);
    }
  }
}

static void answer_in_lanes(batch *b, size_t lanes) {
  waiting some = b->left;
  b->left.count = 0;
  answer_some(b, ts_tet_overlap_floats_faces, LANES_MAX, &some);
  some = b->undecided;
  b->undecided.count = 0;
  answer_some(b, ts_tet_overlap_floats_edges, LANES_MAX, &some);
  some = b->left;
  b->left.count = 0;
  answer_some(b, lanes == 8 ? ts_tet_overlap_avx512 : ts_tet_overlap_avx2, lanes, &some);
}
#endif

static void answer_block(batch *b, size_t count, size_t lanes) {
  for (size_t i = 0; i < count; i++)
    add(&b->left, (uint8_t)i, 1);
#if defined(__x86_64__)
  if (lanes > 1)
    answer_in_lanes(b, lanes);
#endif
  (void)lanes;
  for (size_t i = 0; i < b->left.count; i++) {
    const ts_tet_nodes_pair *pair = &b->pairs[b->left.which[i]];
    b->out[b->left.which[i]] = ts_tet_tet_overlap(pair->a, pair->b, b->tolerance_m) != 0;
  }
}

void ts_tet_tet_overlaps_by(int lanes, bool *out, const ts_tet_nodes_pair *pairs, size_t count,
                            double tolerance_m) {
  for (size_t first = 0; first < count; first += BLOCK) {
    batch b = {.out = out + first, .pairs = pairs + first, .tolerance_m = tolerance_m};
    answer_block(&b, count - first < BLOCK ? count - first : BLOCK, (size_t)lanes);
  }
}

int ts_tet_overlap_lanes(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return __builtin_cpu_supports("avx512f") ? 8 : 4;
#endif
  return 1;
}

void ts_tet_tet_overlaps(bool *out, const ts_tet_nodes_pair *pairs, size_t count,
                         double tolerance_m) {
  ts_tet_tet_overlaps_by(ts_tet_overlap_lanes(), out, pairs, count, tolerance_m);
}
