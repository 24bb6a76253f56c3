// SPDX-License-Identifier: MIT
/// The fewest things such that each of several sets has one of them.
#ifndef TS_BASE_HITTING_SET_H
#define TS_BASE_HITTING_SET_H

#include <stddef.h>
#include <stdint.h>

/// Most sets at once.
enum { TS_HITTING_SETS_MAX = 64 };

/// A set with the bits that each of `sets` [count up to TS_HITTING_SETS_MAX] has one of. Empty sets
/// do not count. What sets of one bit need is in it; the rest is the fewest for up to 10 sets that
/// are left, by dynamic programming over the sets that are hit. For more, the bit that hits most is
/// taken first, which gives at most 1 + 1/2 + ... + 1/n times the fewest for n sets. Of equally
/// good answers the one that the lowest bits lead to.
uint64_t ts_hitting_set(const uint64_t *sets, size_t count);

#endif
