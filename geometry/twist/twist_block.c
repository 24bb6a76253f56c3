// SPDX-License-Identifier: MIT
#include "geometry/twist/twist_block.h"

#include "base/vector_width.h"
#include "geometry/tolerances.h"

/// A number for each twist of a block.
typedef struct numbers {
  double of[TS_TWIST_BLOCK];
} numbers;

static void fill(numbers *out, double value) {
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    out->of[t] = value;
}

/// As ts_twist_row_speed(), in the same order.
static inline double speed_of(const ts_twist_row *row, const ts_twist_block *block, int t) {
  const double *r = row->of;
  return r[0] * block->of[0][t] + r[1] * block->of[1][t] + r[2] * block->of[2][t] +
         r[3] * block->of[3][t] + r[4] * block->of[4][t] + r[5] * block->of[5][t];
}

/// The largest of the speeds at which the bodies part at some of `rows` [count].
TS_ANY_VECTOR_WIDTH
static void find_largest(numbers *out, const ts_twist_row *rows, size_t count,
                         const ts_twist_block *block) {
  numbers largest;
  fill(&largest, -INFINITY);
  for (size_t i = 0; i < count; i++)
    for (int t = 0; t < TS_TWIST_BLOCK; t++)
      largest.of[t] = ts_max(speed_of(&rows[i], block, t), largest.of[t]);
  *out = largest;
}

/// Lowers the numbers to the smallest of them.
TS_ANY_VECTOR_WIDTH
static void lower_to_rows(numbers *out, const ts_twist_row *rows, size_t count,
                          const ts_twist_block *block) {
  numbers smallest = *out;
  for (size_t i = 0; i < count; i++)
    for (int t = 0; t < TS_TWIST_BLOCK; t++)
      smallest.of[t] = ts_min(speed_of(&rows[i], block, t), smallest.of[t]);
  *out = smallest;
}

TS_ANY_VECTOR_WIDTH
static void lower_to(numbers *smallest, const numbers *largest) {
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    smallest->of[t] = ts_min(largest->of[t], smallest->of[t]);
}

#define BITS_4(t)  UINT64_C(1) << (t), UINT64_C(2) << (t), UINT64_C(4) << (t), UINT64_C(8) << (t)
#define BITS_16(t) BITS_4(t), BITS_4(t + 4), BITS_4(t + 8), BITS_4(t + 12)

/// The mask of each twist alone.
static const ts_twist_mask mask_of[TS_TWIST_BLOCK] = {BITS_16(0), BITS_16(16), BITS_16(32),
                                                      BITS_16(48)};

TS_ANY_VECTOR_WIDTH
static ts_twist_mask mask_above(const numbers *values, double limit) {
  ts_twist_mask mask = 0;
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    mask |= values->of[t] > limit ? mask_of[t] : 0;
  return mask;
}

TS_ANY_VECTOR_WIDTH
static ts_twist_mask mask_below(const numbers *values, double limit) {
  ts_twist_mask mask = 0;
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    mask |= values->of[t] < limit ? mask_of[t] : 0;
  return mask;
}

/// Whether all are below a limit, by an addition that a compiler makes of vectors.
TS_ANY_VECTOR_WIDTH
static bool are_below(const numbers *values, double limit) {
  int64_t count = 0;
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    count += values->of[t] < limit ? 1 : 0;
  return count == TS_TWIST_BLOCK;
}

/// What the margin of an edge is not below: the largest of the numbers that its rows stay above
/// from one end to the other; and what it is not above: the margins at its ends.
TS_ANY_VECTOR_WIDTH
static void bound_edge(numbers *low, numbers *high, const ts_twist_row *rows, size_t count,
                       const ts_twist_block *block) {
  numbers start, end, along;
  fill(&start, -INFINITY);
  fill(&end, -INFINITY);
  fill(&along, -INFINITY);
  for (size_t i = 0; i < count; i++)
    for (int t = 0; t < TS_TWIST_BLOCK; t++) {
      double at_start = speed_of(&rows[i], block, t), at_end = speed_of(&rows[count + i], block, t);
      start.of[t] = ts_max(at_start, start.of[t]);
      end.of[t] = ts_max(at_end, end.of[t]);
      along.of[t] = ts_max(ts_min(at_start, at_end), along.of[t]);
    }
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    high->of[t] = ts_min(start.of[t], end.of[t]);
  *low = along;
}

static bool are_finite(const ts_twist_row *rows, size_t count) {
  double nothing = 0;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 6; k++)
      nothing += 0 * rows[i].of[k];
  return nothing == 0;
}

/// Takes those of `high` that are below a limit.
TS_ANY_VECTOR_WIDTH
static void take_below(numbers *out, const numbers *high, double limit) {
  numbers taken = *out;
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    taken.of[t] = high->of[t] < limit ? high->of[t] : taken.of[t];
  *out = taken;
}

/// Those of an edge (ts_twist_edge_margin), on the right side of `enough`. Where its bounds do not
/// tell, the margin is found.
static void find_edge_margins(numbers *out, const ts_twist_row *rows, size_t count,
                              const ts_twist_block *block, double enough) {
  numbers high;
  ts_twist_mask unknown = ~(ts_twist_mask)0;
  if (are_finite(rows, 2 * count)) {
    bound_edge(out, &high, rows, count, block);
    unknown &= ~mask_below(&high, enough - TS_TWIST_ROUNDING);
    unknown &= ~mask_above(out, enough + TS_TWIST_ROUNDING);
    take_below(out, &high, enough - TS_TWIST_ROUNDING);
  }
  for (; unknown; unknown &= unknown - 1) {
    double twist[6];
    size_t t = (size_t)__builtin_ctzll(unknown);
    ts_twist_block_get(twist, block, t);
    out->of[t] = ts_twist_edge_margin(rows, count, twist);
  }
}

/// For each twist a number that is on the same side of `enough` as its margin
/// (ts_twist_cone_margin), or equal to it as that is.
static void find_margins(numbers *out, const ts_twist_cone *cone, const ts_twist_block *block,
                         double enough) {
  fill(out, INFINITY);
  for (size_t t = 0, row = 0; t < cone->term_count; row = cone->term_ends[t++]) {
    size_t count = cone->term_ends[t] - row;
    numbers largest;
    if (cone->is_edge && cone->is_edge[t])
      find_edge_margins(&largest, &cone->rows[row], count / 2, block, enough);
    else
      find_largest(&largest, &cone->rows[row], count, block);
    lower_to(out, &largest);
    if (are_below(out, enough))
      return;
  }
}

ts_twist_mask ts_twist_block_above(const ts_twist_cone *cone, const ts_twist_block *block,
                                   double speed) {
  numbers margins;
  find_margins(&margins, cone, block, speed);
  return mask_above(&margins, speed);
}

ts_twist_mask ts_twist_block_below(const ts_twist_cone *cone, const ts_twist_block *block,
                                   double speed) {
  numbers margins;
  find_margins(&margins, cone, block, speed);
  return mask_below(&margins, speed);
}

TS_ANY_VECTOR_WIDTH
void ts_twist_block_spread(ts_twist_block *out, const ts_twist_block *block, const double about[6],
                           double spread) {
  double norms[TS_TWIST_BLOCK] = {0};
  ts_twist_block moved;
  for (int i = 0; i < 6; i++)
    for (int t = 0; t < TS_TWIST_BLOCK; t++) {
      moved.of[i][t] = about[i] + spread * block->of[i][t];
      norms[t] += moved.of[i][t] * moved.of[i][t];
    }
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    norms[t] = sqrt(norms[t]);
  for (int i = 0; i < 6; i++)
    for (int t = 0; t < TS_TWIST_BLOCK; t++)
      moved.of[i][t] /= norms[t];
  *out = moved;
}

/// As ts_twist_make_slide() in the plane of a normal; `norms` are those of what it leaves.
TS_ANY_VECTOR_WIDTH
static void slide_in_plane(ts_twist_block *out, numbers *norms, const ts_twist_block *block,
                           ts_vec3 normal) {
  ts_twist_block left;
  numbers norm;
  for (int t = 0; t < TS_TWIST_BLOCK; t++) {
    ts_vec3 v = {block->of[0][t], block->of[1][t], block->of[2][t]};
    ts_vec3 w = {block->of[3][t], block->of[4][t], block->of[5][t]};
    v = ts_vec3_add_scaled(v, -ts_vec3_dot(v, normal), normal);
    w = ts_vec3_scale(normal, ts_vec3_dot(w, normal));
    norm.of[t] = sqrt(v.x * v.x + v.y * v.y + v.z * v.z + w.x * w.x + w.y * w.y + w.z * w.z);
    left.of[0][t] = v.x / norm.of[t];
    left.of[1][t] = v.y / norm.of[t];
    left.of[2][t] = v.z / norm.of[t];
    left.of[3][t] = w.x / norm.of[t];
    left.of[4][t] = w.y / norm.of[t];
    left.of[5][t] = w.z / norm.of[t];
  }
  *out = left;
  *norms = norm;
}

ts_twist_mask ts_twist_block_slide(ts_twist_block *out, const ts_twist_block *block,
                                   const ts_twist_slide *slide) {
  ts_twist_mask slides = 0;
  if (slide->kind == TS_SLIDE_IN_PLANE) { // by far the most
    numbers norms;
    slide_in_plane(out, &norms, block, slide->direction);
    return mask_above(&norms, TS_SAME_NORMAL) & mask_below(&norms, INFINITY);
  }
  for (size_t t = 0; t < TS_TWIST_BLOCK; t++) {
    double twist[6];
    ts_twist_block_get(twist, block, t);
    slides |= (ts_twist_mask)ts_twist_make_slide(twist, slide) << t;
    ts_twist_block_set(out, t, twist);
  }
  return slides;
}

ts_twist_mask ts_twist_block_any_blocks(const ts_twist_row *rows, size_t count,
                                        const ts_twist_block *block, double tolerance) {
  enum { ROWS_AT_ONCE = 8 }; // between two looks whether all are blocked
  numbers smallest;
  fill(&smallest, INFINITY);
  for (size_t first = 0; first < count && !are_below(&smallest, -tolerance);
       first += ROWS_AT_ONCE) {
    size_t left = count - first;
    lower_to_rows(&smallest, rows + first, left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE, block);
  }
  return mask_below(&smallest, -tolerance);
}

ts_twist_mask ts_twist_block_all_block(const ts_twist_row *rows, size_t count,
                                       const ts_twist_block *block, double tolerance) {
  ts_twist_mask mask = ~(ts_twist_mask)0;
  for (size_t i = 0; i < count && mask; i++)
    mask &= ts_twist_block_any_blocks(&rows[i], 1, block, tolerance);
  return mask;
}
