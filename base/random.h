// SPDX-License-Identifier: MIT
/// Random numbers that are the same on every machine for the same seed and stream.
#ifndef TS_BASE_RANDOM_H
#define TS_BASE_RANDOM_H

#include <stdint.h>

/// State of a xoshiro256** generator (Blackman and Vigna 2018).
typedef struct ts_random {
  uint64_t state[4];
} ts_random;

/// Seeds a generator. Streams of one seed are independent, so that adding a use of one stream does
/// not change the numbers of another.
ts_random ts_random_seed(uint64_t seed, uint64_t stream);

uint64_t ts_random_u64(ts_random *random);

/// Uniform in [0, 1), 53 bits.
double ts_random_unit(ts_random *random);

/// Uniform in [minimum, maximum).
double ts_random_uniform(ts_random *random, double minimum, double maximum);

#endif
