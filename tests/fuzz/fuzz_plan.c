// SPDX-License-Identifier: MIT
/// Values of --suite, --case, --method, --set and --sweep: one a line, "set scale=2".
#include "harness/plan/plan.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

#define LINES_MAX 16

/// Splits "name=value"; false if it has another form.
static bool split(ts_assignment *out, char *text) {
  char *equals = strchr(text, '=');
  if (!equals || equals == text || equals[1] == '\0')
    return false;
  *equals = '\0';
  *out = (ts_assignment){text, equals + 1};
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  char *text = fuzz_text(data, size), *rest = text;
  ts_assignment sets[LINES_MAX], sweeps[LINES_MAX];
  // Few cells, unless the input selects more.
  ts_plan_request request = {
      .cases = "wall", .methods = "growth", .steps = 1, .sets = sets, .sweeps = sweeps};
  for (char *line; (line = strsep(&rest, "\n"));) {
    char *word = strsep(&line, " ");
    if (!line)
      continue;
    if (strcmp(word, "suite") == 0)
      request.suite = line;
    else if (strcmp(word, "case") == 0)
      request.cases = line;
    else if (strcmp(word, "method") == 0)
      request.methods = line;
    else if (strcmp(word, "set") == 0 && request.set_count < LINES_MAX)
      request.set_count += split(&sets[request.set_count], line);
    else if (strcmp(word, "sweep") == 0 && request.sweep_count < LINES_MAX)
      request.sweep_count += split(&sweeps[request.sweep_count], line);
  }
  ts_plan plan;
  if (fuzz_is_ok(ts_plan_create(&plan, arena, &request))) {
    FUZZ_CHECK(plan.cell_count > 0 && plan.cell_count <= 1000000);
    for (size_t i = 0; i < plan.cell_count; i++)
      FUZZ_CHECK(plan.cells[i].index == i && strlen(plan.cells[i].key) > 0);
  }
  free(text);
  ts_arena_destroy(arena);
  return 0;
}
