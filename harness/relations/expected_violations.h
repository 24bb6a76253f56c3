// SPDX-License-Identifier: MIT
/// The relations that built-in methods and packaged engines are known not to keep, and why. What is
/// not in this list is a violation that nobody expects; what is, and no case needs any more, has to
/// go. Of a plug-in nothing is expected.
#ifndef TS_HARNESS_EXPECTED_VIOLATIONS_H
#define TS_HARNESS_EXPECTED_VIOLATIONS_H

#include "harness/relations/relation.h"

#include <stdbool.h>

typedef struct ts_expected_violation {
  const char *method;
  uint32_t relations; ///< bit i: ts_relation_kind i
  const char *reason;
  const char *only; ///< the case; NULL: any
} ts_expected_violation;

/// The last one has no method.
extern const ts_expected_violation ts_expected_violations[];

/// Whether a row is about that relation of that method.
bool ts_expected_violation_is_of(const ts_expected_violation *row, const char *method,
                                 ts_relation_kind relation);

/// The row about that relation of that method on that case; NULL: none.
const ts_expected_violation *
ts_expected_violation_find(const char *method, ts_relation_kind relation, const char *case_name);

#endif
