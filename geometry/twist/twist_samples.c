// SPDX-License-Identifier: MIT
#include "geometry/twist/twist_samples.h"

#include "base/random.h"
#include "base/vector_width.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define BITS 32

/// A primitive polynomial and the first odd numbers of its recurrence, as in the tables of Joe and
/// Kuo. The first dimension is van der Corput's and has none.
typedef struct polynomial {
  unsigned degree, coefficients;
  uint32_t first[4];
} polynomial;

static const polynomial polynomials[TS_TWIST_DIMENSIONS - 1] = {
    {1, 0, {1}}, {2, 1, {1, 3}}, {3, 1, {1, 3, 1}}, {3, 2, {1, 1, 1}}, {4, 1, {1, 1, 3, 3}},
};

static void fill_directions(uint32_t out[BITS], const polynomial *p) {
  for (unsigned i = 0; i < BITS; i++) {
    if (i < p->degree) {
      out[i] = p->first[i] << (BITS - 1 - i);
      continue;
    }
    out[i] = out[i - p->degree] ^ (out[i - p->degree] >> p->degree);
    for (unsigned k = 1; k < p->degree; k++)
      if ((p->coefficients >> (p->degree - 1 - k)) & 1)
        out[i] ^= out[i - k];
  }
}

/// The bit of the Gray code of an index that changes for the next one, the only one that does: the
/// lowest bit that is 0 in the index (Antonov and Saleev 1979).
static unsigned next_bit(uint32_t index) {
  return index == UINT32_MAX ? BITS - 1 : (unsigned)__builtin_ctz(~index);
}

/// Which of the TS_TWIST_BLOCK equal parts of a coordinate a point is in.
static inline uint32_t part_of(uint32_t cube) {
  _Static_assert(TS_TWIST_BLOCK == 64, "as many parts as the first six bits tell apart");
  return cube >> (BITS - 6);
}

static void fill_pattern(ts_twist_samples *out, int d) {
  uint32_t point = 0;
  for (uint32_t t = 0; t < TS_TWIST_BLOCK; t++) {
    out->pattern[d][t] = point;
    out->in_part[d][part_of(point)] = (uint8_t)t;
    point ^= out->direction[d][next_bit(t)];
  }
}

ts_twist_samples ts_twist_samples_start(uint32_t first) {
  ts_twist_samples samples;
  for (unsigned i = 0; i < BITS; i++)
    samples.direction[0][i] = UINT32_C(1) << (BITS - 1 - i);
  for (int d = 1; d < TS_TWIST_DIMENSIONS; d++)
    fill_directions(samples.direction[d], &polynomials[d - 1]);
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++) {
    ts_random shift = ts_random_seed(1967, (uint64_t)d);
    samples.shift[d] = (uint32_t)(ts_random_u64(&shift) >> 32);
    fill_pattern(&samples, d);
  }
  ts_twist_samples_seek(&samples, first);
  return samples;
}

void ts_twist_samples_seek(ts_twist_samples *samples, uint32_t first) {
  uint32_t gray = first ^ (first >> 1);
  samples->index = first;
  memcpy(samples->state, samples->shift, sizeof samples->state);
  for (unsigned i = 0; i < BITS; i++)
    for (int d = 0; (gray >> i) & 1 && d < TS_TWIST_DIMENSIONS; d++)
      samples->state[d] ^= samples->direction[d][i];
}

void ts_twist_samples_cube(uint32_t out[TS_TWIST_DIMENSIONS], ts_twist_samples *samples) {
  unsigned bit = next_bit(samples->index++);
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++) {
    out[d] = samples->state[d];
    samples->state[d] ^= samples->direction[d][bit];
  }
}

/// Where the probability differs from 1/2 by more, it is in a tail: within the outer two of the
/// TS_TWIST_BLOCK parts of a coordinate.
#define TAIL_AT (0.5 - 0.02425)

/// The normal quantile of a probability q + 1/2 that is in no tail.
static inline double quantile_amid(double q) {
  static const double a[6] = {-3.969683028665376e+01, 2.209460984245205e+02,
                              -2.759285104469687e+02, 1.383577518672690e+02,
                              -3.066479806614716e+01, 2.506628277459239e+00};
  static const double b[5] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                              6.680131188771972e+01, -1.328068155288572e+01};
  double r = q * q;
  return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
         (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

/// The same in a tail: `log_p` is the logarithm of the probability, or of 1 - it if that is less.
static inline double quantile_in_tail(double q, double log_p) {
  static const double c[6] = {-7.784894002430293e-03, -3.223964580411365e-01,
                              -2.400758277161838e+00, -2.549732539343734e+00,
                              4.374664141464968e+00,  2.938163982698783e+00};
  static const double d[4] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                              3.754408661907416e+00};
  double t = sqrt(-2 * log_p);
  double x = (((((c[0] * t + c[1]) * t + c[2]) * t + c[3]) * t + c[4]) * t + c[5]) /
             ((((d[0] * t + d[1]) * t + d[2]) * t + d[3]) * t + 1);
  return q < 0 ? x : -x;
}

double ts_normal_quantile(double p) {
  double q = p - 0.5;
  return fabs(q) <= TAIL_AT ? quantile_amid(q) : quantile_in_tail(q, log(q < 0 ? p : 1 - p));
}

/// Coordinate of the cube, in units of 2^-32, as probability - 1/2: exact, and never 0.
static inline double centred(uint32_t cube) {
  return ((double)(int32_t)(cube ^ UINT32_C(0x80000000)) + 0.5) * 0x1p-32;
}

void ts_twist_samples_next(double out[TS_TWIST_DIMENSIONS], ts_twist_samples *samples) {
  uint32_t cube[TS_TWIST_DIMENSIONS];
  double norm2 = 0;
  ts_twist_samples_cube(cube, samples);
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++) {
    out[d] = ts_normal_quantile(centred(cube[d]) + 0.5);
    norm2 += out[d] * out[d];
  }
  double scale = 1 / sqrt(norm2);
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++)
    out[d] *= scale;
}

/// The points of a block of twists, and what is known of those of each coordinate.
typedef struct cubes {
  uint32_t of[TS_TWIST_DIMENSIONS][TS_TWIST_BLOCK];
  /// Those that may be in a tail, since they are in the outer two parts at either end: four of each
  /// of the two stretches of the sequence that the block may lie across, at most.
  uint8_t outer[TS_TWIST_DIMENSIONS][8];
  size_t outer_count[TS_TWIST_DIMENSIONS];
} cubes;

/// Notes which of the points from number `low` of a stretch on, `here`, and of those before that
/// number in the next, `after`, are in the outer parts. Both are what the pattern is added to.
static void note_outer(cubes *out, int d, const ts_twist_samples *samples, uint32_t low,
                       uint32_t here, uint32_t after) {
  static const uint32_t parts[] = {0, 1, TS_TWIST_BLOCK - 2, TS_TWIST_BLOCK - 1};
  size_t count = 0;
  for (int k = 0; k < 4; k++) {
    uint32_t first = samples->in_part[d][part_of(here) ^ parts[k]];
    uint32_t second = samples->in_part[d][part_of(after) ^ parts[k]];
    if (first >= low)
      out->outer[d][count++] = (uint8_t)(first - low);
    if (second < low)
      out->outer[d][count++] = (uint8_t)(TS_TWIST_BLOCK - low + second);
  }
  out->outer_count[d] = count;
}

/// The next points: the rest of the stretch of the pattern that the first is in, and the beginning
/// of the one after it.
TS_ANY_VECTOR_WIDTH
static void cube_block(cubes *out, ts_twist_samples *samples) {
  const uint32_t low = samples->index % TS_TWIST_BLOCK;
  unsigned bit = next_bit(samples->index | (TS_TWIST_BLOCK - 1));
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++) {
    const uint32_t *pattern = samples->pattern[d];
    uint32_t here = samples->state[d] ^ pattern[low];
    uint32_t after = here ^ pattern[TS_TWIST_BLOCK - 1] ^ samples->direction[d][bit];
    uint32_t both[2][TS_TWIST_BLOCK];
    for (int t = 0; t < TS_TWIST_BLOCK; t++)
      both[0][t] = here ^ pattern[t];
    for (int t = 0; t < TS_TWIST_BLOCK; t++)
      both[1][t] = after ^ pattern[t];
    memcpy(out->of[d], both[0] + low, (TS_TWIST_BLOCK - low) * sizeof **both);
    memcpy(out->of[d] + TS_TWIST_BLOCK - low, both[1], low * sizeof **both);
    note_outer(out, d, samples, low, here, after);
    samples->state[d] = after ^ pattern[low];
  }
  samples->index += TS_TWIST_BLOCK;
}

/// Replaces the quantiles x of one coordinate that are in a tail: few, and by the C library.
static void replace_tails(double x[TS_TWIST_BLOCK], const double q[TS_TWIST_BLOCK],
                          const uint8_t *outer, size_t count) {
  for (size_t k = 0; k < count; k++) {
    double of = q[outer[k]], p = of + 0.5;
    if (fabs(of) > TAIL_AT)
      x[outer[k]] = quantile_in_tail(of, log(of < 0 ? p : 1 - p));
  }
}

TS_ANY_VECTOR_WIDTH
static void make_twists(ts_twist_block *out, const cubes *cube) {
  double norm2[TS_TWIST_BLOCK] = {0};
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++) {
    double q[TS_TWIST_BLOCK], x[TS_TWIST_BLOCK];
    for (int t = 0; t < TS_TWIST_BLOCK; t++) {
      q[t] = centred(cube->of[d][t]);
      x[t] = quantile_amid(q[t]);
    }
    replace_tails(x, q, cube->outer[d], cube->outer_count[d]);
    for (int t = 0; t < TS_TWIST_BLOCK; t++) {
      norm2[t] += x[t] * x[t];
      out->of[d][t] = x[t];
    }
  }
  for (int t = 0; t < TS_TWIST_BLOCK; t++)
    norm2[t] = 1 / sqrt(norm2[t]);
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++)
    for (int t = 0; t < TS_TWIST_BLOCK; t++)
      out->of[d][t] *= norm2[t];
}

void ts_twist_samples_block(ts_twist_block *out, ts_twist_samples *samples) {
  cubes cube;
  cube_block(&cube, samples);
  make_twists(out, &cube);
}

enum { KEPT_BLOCKS = TS_TWIST_SAMPLES_KEPT / TS_TWIST_BLOCK };

static const ts_twist_block *kept; ///< [KEPT_BLOCKS]; NULL: none

void ts_twist_samples_keep(void) {
  size_t size = KEPT_BLOCKS * sizeof *kept;
  if (kept)
    return;
  // Shared, so that a fork does not copy the table of its pages.
  ts_twist_block *blocks =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (blocks == MAP_FAILED)
    return;
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (size_t i = 0; i < KEPT_BLOCKS; i++)
    ts_twist_samples_block(&blocks[i], &samples);
  mprotect(blocks, size, PROT_READ);
  kept = blocks;
}

const ts_twist_block *ts_twist_samples_kept(uint32_t first) {
  bool is_kept = kept && first % TS_TWIST_BLOCK == 0 && first < TS_TWIST_SAMPLES_KEPT;
  return is_kept ? &kept[first / TS_TWIST_BLOCK] : NULL;
}
