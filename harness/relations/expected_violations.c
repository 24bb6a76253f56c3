// SPDX-License-Identifier: MIT
#include "harness/relations/expected_violations.h"

#include <stddef.h>
#include <string.h>

const ts_expected_violation ts_expected_violations[] = {
    {NULL, 0, NULL, NULL},
};

bool ts_expected_violation_is_of(const ts_expected_violation *row, const char *method,
                                 ts_relation_kind relation) {
  return (row->relations & (1u << relation)) != 0 && strcmp(row->method, method) == 0;
}

const ts_expected_violation *
ts_expected_violation_find(const char *method, ts_relation_kind relation, const char *case_name) {
  const ts_expected_violation *row = ts_expected_violations;
  while (row->method && !(ts_expected_violation_is_of(row, method, relation) &&
                          (!row->only || strcmp(row->only, case_name) == 0)))
    row++;
  return row->method ? row : NULL;
}
