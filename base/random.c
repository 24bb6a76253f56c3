// SPDX-License-Identifier: MIT
#include "base/random.h"

static uint64_t splitmix(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t value, int bits) {
  return (value << bits) | (value >> (64 - bits));
}

ts_random ts_random_seed(uint64_t seed, uint64_t stream) {
  uint64_t mixed = seed;
  mixed = splitmix(&mixed) ^ stream;
  ts_random random;
  for (int i = 0; i < 4; i++)
    random.state[i] = splitmix(&mixed);
  return random;
}

uint64_t ts_random_u64(ts_random *random) {
  uint64_t *s = random->state;
  uint64_t result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left(s[3], 45);
  return result;
}

double ts_random_unit(ts_random *random) {
  return (double)(ts_random_u64(random) >> 11) * 0x1p-53;
}

double ts_random_uniform(ts_random *random, double minimum, double maximum) {
  return minimum + (maximum - minimum) * ts_random_unit(random);
}
