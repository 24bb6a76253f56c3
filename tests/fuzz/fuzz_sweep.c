// SPDX-License-Identifier: MIT
/// Values of parameters, and numbers: they are in range, and the same after writing them.
#include "base/number.h"
#include "base/param.h"
#include "harness/plan/plan.h"
#include "harness/plan/sweep.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

static void check_values(ts_arena *arena, const ts_param *param, const char *text, bool is_sweep) {
  double *values;
  size_t count;
  if (!fuzz_is_ok(ts_sweep_parse(&values, &count, arena, param, text, is_sweep)))
    return;
  FUZZ_CHECK(count > 0 && count <= TS_SWEEP_VALUES_MAX);
  for (size_t i = 0; i < count; i++) {
    char buffer[32];
    double again;
    FUZZ_CHECK(ts_param_check(param, values[i]) == TS_OK);
    const char *written = ts_param_format(buffer, param, values[i]);
    FUZZ_CHECK(ts_param_parse(&again, param, written) == TS_OK && again == values[i]);
  }
}

static void check_number(const char *text) {
  double value, again;
  char buffer[TS_NUMBER_BYTES];
  if (!fuzz_is_ok(ts_number_parse(&value, text)))
    return;
  FUZZ_CHECK(ts_number_parse(&again, ts_number_format(buffer, value)) == TS_OK);
  FUZZ_CHECK(isnan(value) ? isnan(again) != 0 : memcmp(&value, &again, sizeof value) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  char *text = fuzz_text(data, size);
  check_number(text);
  for (int is_sweep = 0; is_sweep < 2; is_sweep++) {
    for (int i = 0; i < TS_SIMULATION_COUNT; i++)
      check_values(arena, &ts_simulation_params[i], text, is_sweep);
    for (int i = 0; i < TS_SCORING_COUNT; i++)
      check_values(arena, &ts_scoring_params[i], text, is_sweep);
  }
  free(text);
  ts_arena_destroy(arena);
  return 0;
}
