// SPDX-License-Identifier: MIT
/// Rows of every file of a results folder: they are the same after writing and reading them again.
#include "reports/rows/cell_rows.h"
#include "reports/rows/rows.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

typedef struct copying {
  const ts_row_type *type;
  ts_csv_buffer buffer;
} copying;

static ts_status copy_row(void *context, const void *row) {
  copying *c = context;
  FUZZ_CHECK(ts_rows_add(&c->buffer, c->type, row) == TS_OK);
  return TS_OK;
}

/// Copies the rows up to the first that is refused. False if the header is refused.
static bool copy(copying *out, ts_arena *arena, const ts_row_type *type, const char *name) {
  *out = (copying){.type = type};
  FUZZ_CHECK(ts_rows_add_header(&out->buffer, type) == TS_OK);
  size_t empty = out->buffer.count;
  bool is_ok = fuzz_is_ok(ts_rows_visit(type, fuzz_path(arena, name), copy_row, out));
  return is_ok || out->buffer.count > empty;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  fuzz_folder(data, size, "rows.csv");
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    const ts_row_type *type = ts_results_row_type(f);
    copying first, second = {0};
    if (copy(&first, arena, type, "rows.csv")) {
      fuzz_write("again.csv", first.buffer.bytes, first.buffer.count);
      FUZZ_CHECK(copy(&second, arena, type, "again.csv"));
      FUZZ_CHECK(first.buffer.count == second.buffer.count &&
                 memcmp(first.buffer.bytes, second.buffer.bytes, first.buffer.count) == 0);
    }
    ts_csv_buffer_free(&first.buffer);
    ts_csv_buffer_free(&second.buffer);
  }
  ts_arena_destroy(arena);
  return 0;
}
