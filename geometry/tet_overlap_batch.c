// SPDX-License-Identifier: MIT
#include "geometry/tet_overlap_batch.h"

#include "geometry/tet.h"

/// Pairs are taken in blocks: the faces decide most, and lanes are full again for the others.
enum { BLOCK = 64, LANES_MAX = 8 };

typedef struct batch {
  bool *out;
  const ts_tet_nodes_pair *pairs;
  double tolerance_m;
  size_t lanes;
} batch;

static ts_lane_answers answer(const batch *b, const ts_tet_nodes_pair *const *pairs,
                              bool tries_edges) {
#if defined(__x86_64__)
  if (b->lanes == 8)
    return ts_tet_overlap_avx512(pairs, b->tolerance_m, tries_edges);
  if (b->lanes == 4)
    return ts_tet_overlap_avx2(pairs, b->tolerance_m, tries_edges);
#endif
  (void)pairs, (void)tries_edges;
  return (ts_lane_answers){.left = 1};
}

/// Answers the pairs in `which` [count]. Those that only edges can decide are listed in
/// `undecided` [BLOCK], unless it is NULL: then they are tried. Returns their number.
static size_t answer_some(const batch *b, size_t *undecided, const size_t *which, size_t count) {
  size_t undecided_count = 0;
  for (size_t first = 0; first < count; first += b->lanes) {
    size_t pair_count = count - first < b->lanes ? count - first : b->lanes;
    const ts_tet_nodes_pair *pairs[LANES_MAX]; // lanes without a pair have the last one again
    for (size_t k = 0; k < b->lanes; k++)
      pairs[k] = &b->pairs[which[first + (k < pair_count ? k : pair_count - 1)]];
    ts_lane_answers answers = answer(b, pairs, !undecided);
    for (size_t k = 0; k < pair_count; k++)
      b->out[which[first + k]] = !(answers.apart >> k & 1);
    for (size_t k = 0; k < pair_count && answers.left; k++, answers.left >>= 1)
      if (answers.left & 1)
        b->out[which[first + k]] =
            ts_tet_tet_overlap(pairs[k]->a, pairs[k]->b, b->tolerance_m) != 0;
    for (size_t k = 0; k < pair_count && undecided; k++) {
      undecided[undecided_count] = which[first + k];
      undecided_count += answers.undecided >> k & 1;
    }
  }
  return undecided_count;
}

void ts_tet_tet_overlaps_by(int lanes, bool *out, const ts_tet_nodes_pair *pairs, size_t count,
                            double tolerance_m) {
  for (size_t first = 0; first < count; first += BLOCK) {
    const batch b = {out + first, pairs + first, tolerance_m, (size_t)lanes};
    size_t which[BLOCK], undecided[BLOCK], block = count - first < BLOCK ? count - first : BLOCK;
    for (size_t i = 0; i < block; i++)
      which[i] = i;
    answer_some(&b, NULL, undecided, answer_some(&b, undecided, which, block));
  }
}

int ts_tet_overlap_lanes(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    return __builtin_cpu_supports("avx512f") ? 8 : 4;
#endif
  return 1;
}

void ts_tet_tet_overlaps(bool *out, const ts_tet_nodes_pair *pairs, size_t count,
                         double tolerance_m) {
  ts_tet_tet_overlaps_by(ts_tet_overlap_lanes(), out, pairs, count, tolerance_m);
}
