// SPDX-License-Identifier: MIT
/// The rules of a gate.
#include "reports/compare/gate_rules.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  char *text = fuzz_text(data, size);
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  record.case_name = "wall";
  record.method = "growth";
  ts_gate_rules rules;
  if (fuzz_is_ok(ts_gate_rules_make(&rules, arena, text, "gate.rules"))) {
    for (size_t i = 0; i < rules.count; i++) {
      FUZZ_CHECK(strlen(rules.rules[i].text) > 0);
      ts_gate_rule_fits(&rules.rules[i], &record);
    }
    for (size_t i = 0; i < ts_summary_rows.field_count; i++)
      ts_gate_rules_need(&rules, &ts_summary_rows.fields[i]);
  }
  ts_gate_rules_free(&rules);
  free(text);
  ts_arena_destroy(arena);
  return 0;
}
