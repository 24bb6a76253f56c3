// SPDX-License-Identifier: MIT
/// JUnit XML by the schema of Jenkins' xUnit plug-in: testsuites, testsuite, testcase, and within
/// it skipped or failure, and system-out.
#ifndef TS_REPORTS_JUNIT_H
#define TS_REPORTS_JUNIT_H

#include "base/types.h"

#include <stdio.h>

typedef struct ts_junit_case {
  const char *class_name, *name;
  double time_ns;      ///< NaN: unknown
  const char *skipped; ///< why; NULL if it was not skipped
  const char *message; ///< of the failure, one line; NULL if there is none
  const char *failure; ///< the full text of it
  const char *output;  ///< NULL: none
} ts_junit_case;

/// Prints the cases [count] as one suite. Bytes that XML does not allow (control characters and
/// invalid UTF-8) become question marks.
void ts_junit_print(FILE *file, const char *suite, const ts_junit_case *cases, size_t count);

#endif
