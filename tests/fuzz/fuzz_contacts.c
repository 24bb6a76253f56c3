// SPDX-License-Identifier: MIT
/// Files of contacts, the input of touchstone score.
#include "harness/score/contacts_read.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  fuzz_folder(data, size, "contacts.csv");
  ts_contacts_reader *reader;
  if (fuzz_is_ok(ts_contacts_reader_create(&reader, arena, fuzz_path(arena, "contacts.csv")))) {
    size_t columns;
    const char *const *header = ts_contacts_header(&columns, reader);
    for (size_t i = 0; i < columns; i++)
      FUZZ_CHECK(ts_contacts_has_column(reader, header[i]));
    bool found = true;
    ts_contacts_line line;
    while (fuzz_is_ok(ts_contacts_read(&found, &line, reader)) && found) {
      FUZZ_CHECK(line.record->field_count == columns);
      FUZZ_CHECK(strlen(line.body_a) + strlen(line.body_b) + strlen(line.envelope) <= size);
      FUZZ_CHECK(ts_contacts_feature_kind(line.row.feature_a) >= 0);
      FUZZ_CHECK(ts_contacts_feature_kind(line.row.feature_b) >= 0);
    }
    ts_contacts_reader_destroy(reader);
  }
  ts_arena_destroy(arena);
  return 0;
}
