// SPDX-License-Identifier: MIT
/// The cases of the suite "extended", each in the variants given by its own parameters.
#ifndef TS_TESTS_EXTENDED_CASES_H
#define TS_TESTS_EXTENDED_CASES_H

#include "tests/cases/case_fixture.h"

typedef struct extended_case {
  const char *name;
  case_setting settings[3]; ///< Without a name: none.
  /// The totals of the truth, computed by hand.
  size_t regions, minimum;
  double area_m2, length_m;
  size_t points;
} extended_case;

enum { EXTENDED_MAX = 40 };

/// Fills `out` [EXTENDED_MAX] and gives the number.
size_t extended_cases(extended_case *out);

/// Builds one with `count` settings more.
ts_scene *extended_build(ts_arena *arena, const extended_case *c, const case_setting *settings,
                         size_t count);

#endif
