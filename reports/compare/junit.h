// SPDX-License-Identifier: MIT
/// JUnit XML, as the schema of Jenkins' xUnit plug-in wants it: testsuites, testsuite, testcase, in
/// it skipped or failure, and system-out.
#ifndef TS_REPORTS_JUNIT_H
#define TS_REPORTS_JUNIT_H

#include "base/types.h"

#include <stdio.h>

typedef struct ts_junit_case {
  const char *class_name, *name;
  double time_ns;      ///< NaN: not known
  const char *skipped; ///< why; NULL when it was not
  const char *message; ///< of the failure, one line; NULL when there is none
  const char *failure; ///< all that is to be said of it
  const char *output;  ///< NULL: none
} ts_junit_case;

/// Prints the cases [count] as one suite. Bytes that XML cannot hold, control characters and what
/// is no UTF-8, become question marks.
void ts_junit_print(FILE *file, const char *suite, const ts_junit_case *cases, size_t count);

#endif
