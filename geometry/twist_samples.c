// SPDX-License-Identifier: MIT
#include "geometry/twist_samples.h"

#include "base/random.h"

#include <math.h>

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

ts_twist_samples ts_twist_samples_start(uint32_t first) {
  ts_twist_samples samples = {.index = first};
  for (unsigned i = 0; i < BITS; i++)
    samples.direction[0][i] = UINT32_C(1) << (BITS - 1 - i);
  for (int d = 1; d < TS_TWIST_DIMENSIONS; d++)
    fill_directions(samples.direction[d], &polynomials[d - 1]);
  uint32_t gray = first ^ (first >> 1);
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++) {
    ts_random shift = ts_random_seed(1967, (uint64_t)d);
    samples.state[d] = (uint32_t)(ts_random_u64(&shift) >> 32);
    for (unsigned i = 0; i < BITS; i++)
      if ((gray >> i) & 1)
        samples.state[d] ^= samples.direction[d][i];
  }
  return samples;
}

// From one point to the next a single bit of the Gray code of the index changes: the lowest bit
// that is 0 in the index (Antonov and Saleev 1979).
void ts_twist_samples_cube(uint32_t out[TS_TWIST_DIMENSIONS], ts_twist_samples *samples) {
  unsigned bit = 0;
  while (bit < BITS - 1 && ((samples->index >> bit) & 1))
    bit++;
  samples->index++;
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++) {
    out[d] = samples->state[d];
    samples->state[d] ^= samples->direction[d][bit];
  }
}

double ts_normal_quantile(double p) {
  static const double a[6] = {-3.969683028665376e+01, 2.209460984245205e+02,
                              -2.759285104469687e+02, 1.383577518672690e+02,
                              -3.066479806614716e+01, 2.506628277459239e+00};
  static const double b[5] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                              6.680131188771972e+01, -1.328068155288572e+01};
  static const double c[6] = {-7.784894002430293e-03, -3.223964580411365e-01,
                              -2.400758277161838e+00, -2.549732539343734e+00,
                              4.374664141464968e+00,  2.938163982698783e+00};
  static const double d[4] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                              3.754408661907416e+00};
  const double tail = 0.02425;
  double q = p - 0.5;
  if (fabs(q) <= 0.5 - tail) {
    double r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
  }
  double t = sqrt(-2 * log(q < 0 ? p : 1 - p));
  double x = (((((c[0] * t + c[1]) * t + c[2]) * t + c[3]) * t + c[4]) * t + c[5]) /
             ((((d[0] * t + d[1]) * t + d[2]) * t + d[3]) * t + 1);
  return q < 0 ? x : -x;
}

void ts_twist_samples_next(double out[TS_TWIST_DIMENSIONS], ts_twist_samples *samples) {
  uint32_t cube[TS_TWIST_DIMENSIONS];
  double norm2 = 0;
  ts_twist_samples_cube(cube, samples);
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++) {
    out[d] = ts_normal_quantile(((double)cube[d] + 0.5) * 0x1p-32);
    norm2 += out[d] * out[d];
  }
  // The middle of the cube has no direction; no point of the shifted sequence comes near it.
  double scale = norm2 > 0 ? 1 / sqrt(norm2) : 0;
  for (int d = 0; d < TS_TWIST_DIMENSIONS; d++)
    out[d] *= scale;
}
