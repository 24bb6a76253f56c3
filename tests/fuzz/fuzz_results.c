// SPDX-License-Identifier: MIT
/// Results folders: reading one, and resuming it. The input is summary.csv, followed by the other
/// files after lines "==> contacts.csv" and so on; a valid context.json is added if there is none.
#include "harness/commands/input.h"
#include "reports/rows/context.h"
#include "reports/rows/results_files.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/// The context of a run of this program.
static const char *own_context(void) {
  static char *text;
  if (text)
    return text;
  json_t *context = ts_context_create(0, NULL);
  FUZZ_CHECK(context);
  FUZZ_CHECK(json_object_set_new(context, TS_SCHEMA_KEY, json_integer(TS_SCHEMA_VERSION)) == 0);
  FUZZ_CHECK(json_object_set_new(context, TS_LAST_STEP_KEY, json_integer(1)) == 0);
  text = json_dumps(context, 0);
  json_decref(context);
  FUZZ_CHECK(text);
  return text;
}

/// Resumes and closes the results. False if resuming is refused.
static bool resume(size_t *out_count, ts_arena *arena, const char *folder) {
  ts_results *results;
  ts_resumed resumed;
  if (!fuzz_is_ok(ts_results_resume(&results, &resumed, arena, folder)))
    return false;
  json_decref(resumed.context);
  *out_count = resumed.record_count;
  FUZZ_CHECK(ts_results_continue(results, NULL) == TS_OK);
  FUZZ_CHECK(ts_results_close(results) == TS_OK);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  const char *folder = fuzz_folder(data, size, "summary.csv");
  if (!fuzz_has("context.json"))
    fuzz_write("context.json", own_context(), strlen(own_context()));
  ts_input input;
  fuzz_is_ok(ts_input_read(&input, arena, folder));
  size_t first, second;
  // Resuming has removed incomplete cells; the others are complete.
  if (resume(&first, arena, folder)) {
    FUZZ_CHECK(resume(&second, arena, folder) && first == second);
    FUZZ_CHECK(ts_input_read(&input, arena, folder) == TS_OK && input.count == first);
  }
  ts_arena_destroy(arena);
  return 0;
}
