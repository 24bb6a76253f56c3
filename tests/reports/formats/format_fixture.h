// SPDX-License-Identifier: MIT
/// Rows for testing the formats.
#ifndef TS_TESTS_REPORTS_FORMAT_FIXTURE_H
#define TS_TESTS_REPORTS_FORMAT_FIXTURE_H

#include "reports/formats/format.h"

#include <jansson.h>

#define FORMAT_ROWS 5

/// Text with special characters that every format must escape.
#define FORMAT_EVIL "</script><b>\"50%\" & #1_a|b\\c\n$x^2~{'é'\xff}"

/// Three rows that are ok (of two cases and two methods, one without any number), one that crashed
/// with FORMAT_EVIL as its reason, one that was skipped. No folder and no context.
ts_format_source format_fixture_source(void);

/// The output of a format for the source, in the arena of results_fixture.h.
const char *format_fixture_write(const ts_format *format, const ts_format_source *source);

/// The same, parsed as JSON and owned by the caller. Fails the test when it is not valid.
json_t *format_fixture_json(const ts_format *format, const ts_format_source *source);

/// A folder inside the test's, with the samples of the first row: 30, 10, 20 and 40 ns.
const char *format_fixture_samples(void);

/// The number of occurrences of `part` in `text`.
size_t format_fixture_count(const char *text, const char *part);

#endif
