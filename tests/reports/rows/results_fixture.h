// SPDX-License-Identifier: MIT
/// A separate folder for each test, and the rows of a small run.
#ifndef TS_TESTS_REPORTS_RESULTS_FIXTURE_H
#define TS_TESTS_REPORTS_RESULTS_FIXTURE_H

#include "base/arena.h"
#include "reports/rows/results.h"

#include <sys/types.h>

extern ts_arena *fixture_arena;

/// Makes an arena and an empty folder, and removes them: .init and .fini of a test.
void results_open(void);
void results_close(void);

/// A path in the folder of the test, in the arena.
const char *fixture_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// The content of a file, NUL-terminated, in the arena; `count` may be NULL. Fails the test when
/// the file does not exist.
const char *fixture_read(const char *path, size_t *count);
void fixture_write(const char *path, const void *bytes, size_t count);
void fixture_write_text(const char *path, const char *text);

#define FIXTURE_CELLS 4

/// The rows of cell `index` of a run of FIXTURE_CELLS: one with several steps, one that crashed and
/// has only its record, texts that need quotes, and numbers of every kind. Each step that is ok has
/// two contacts, one region, two poses unless it is the first, one sample of phase prepare and two
/// of phase generate.
ts_cell_rows fixture_cell(size_t index);

/// The names of the files with rows, without ".csv", in the order in which they are written.
extern const char *const fixture_names[TS_RESULTS_FILE_COUNT];

/// Creates results in `folder` with the first `count` cells, and closes them.
void results_run(const char *folder, size_t count);

/// The context of this program on this machine, and in it a key "plan".
json_t *fixture_context(void);

/// Whether two rows are bitwise equal, except that all NaN are equal.
bool fixture_rows_equal(const ts_row_type *type, const void *a, const void *b);

/// Whether the detail line of the last failure contains `text`.
bool fixture_detail_has(const char *text);

#endif
