// SPDX-License-Identifier: MIT
/// Twists spread evenly over the unit sphere of six dimensions: always the same ones, so that a
/// share of them is exact for what it is taken of.
///
/// A Sobol sequence (direction numbers of Joe and Kuo 2008, "Constructing Sobol sequences with
/// better two-dimensional projections", new-joe-kuo-6) with a fixed digital shift, which keeps its
/// points off the dyadic fractions and so off the boundaries of cones that are aligned with the
/// axes; then the normal quantile of each coordinate, then the direction of the six.
#ifndef TS_GEOMETRY_TWIST_SAMPLES_H
#define TS_GEOMETRY_TWIST_SAMPLES_H

#include "geometry/twist/twist_block.h"

enum { TS_TWIST_DIMENSIONS = 6, TS_TWIST_SAMPLES_KEPT = 1 << 17 };

typedef struct ts_twist_samples {
  uint32_t direction[TS_TWIST_DIMENSIONS][32];
  uint32_t shift[TS_TWIST_DIMENSIONS];
  /// By how much, XOR, the points of a block that begins at a multiple of its length differ from
  /// its first one.
  uint32_t pattern[TS_TWIST_DIMENSIONS][TS_TWIST_BLOCK];
  /// Which of them is in a given part of the cube when the first one is 0: each coordinate has one
  /// point of such a block in each 1 / TS_TWIST_BLOCK of it.
  uint8_t in_part[TS_TWIST_DIMENSIONS][TS_TWIST_BLOCK];
  uint32_t state[TS_TWIST_DIMENSIONS]; ///< the next point, in units of 2^-32
  uint32_t index;                      ///< of the next point
} ts_twist_samples;

/// The sequence from its point number `first` on; it has 2^32 and then begins again. Any stretch of
/// it is spread evenly, the better the more often 2 divides its length and its first number.
ts_twist_samples ts_twist_samples_start(uint32_t first);

/// Goes on from point number `first`, which is faster than a new start.
void ts_twist_samples_seek(ts_twist_samples *samples, uint32_t first);

/// The next point of the cube, each coordinate in units of 2^-32.
void ts_twist_samples_cube(uint32_t out[TS_TWIST_DIMENSIONS], ts_twist_samples *samples);

/// The next unit twist: velocity, then angular velocity times the length that makes it comparable.
void ts_twist_samples_next(double out[TS_TWIST_DIMENSIONS], ts_twist_samples *samples);

/// The next TS_TWIST_BLOCK unit twists, the same ones, in less than half the time.
void ts_twist_samples_block(ts_twist_block *out, ts_twist_samples *samples);

/// Makes the first TS_TWIST_SAMPLES_KEPT twists, all that a scene of up to 128 touching pairs asks
/// for, and keeps them for this process and those it forks: judging many cells asks for the same
/// ones again and again. They are out of reach of accidental writes. Nothing depends on it but
/// time; without memory none are kept.
void ts_twist_samples_keep(void);

/// The block from point number `first` on, as ts_twist_samples_block() makes it, if it is kept;
/// else NULL.
const ts_twist_block *ts_twist_samples_kept(uint32_t first);

/// The x below which a standard normal number lies with probability p, 0 < p < 1: relative error at
/// most 1.2e-9 (rational approximation of Acklam 2003).
double ts_normal_quantile(double p);

#endif
