// SPDX-License-Identifier: MIT
/// Brute force over the pairs of features of two tets: slow, and independent of the code under
/// test.
#ifndef TS_TESTS_METHODS_CLOSEST_ORACLE_H
#define TS_TESTS_METHODS_CLOSEST_ORACLE_H

#include "methods/tet/tet_pair.h"

#include <stdbool.h>

enum { CLOSEST_ORACLE_MAX = 256 };

typedef struct closest_oracle {
  const ts_tet_pair *pair;
  bool clear; ///< No decision was closer than 1e-6, so rounding decides none.
  size_t count;
  ts_contact contacts[CLOSEST_ORACLE_MAX]; ///< Point, normal and gap only; no duplicates.
} closest_oracle;

/// Nodes against surface faces and surface edges against each other, closer than the pair's reach,
/// where the separation vector rises above a surface face that contains the point, on both sides.
/// Keeps `pair`.
void closest_oracle_find(closest_oracle *out, const ts_tet_pair *pair);

#endif
