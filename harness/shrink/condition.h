// SPDX-License-Identifier: MIT
/// What a scene must have to still be the one that is looked for: "blocked_wrongly_percent>20" of a
/// row of summary.csv.
#ifndef TS_HARNESS_CONDITION_H
#define TS_HARNESS_CONDITION_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

typedef enum ts_value_relation {
  TS_VALUE_LESS,
  TS_VALUE_LESS_OR_EQUAL,
  TS_VALUE_GREATER,
  TS_VALUE_GREATER_OR_EQUAL,
  TS_VALUE_EQUAL,
  TS_VALUE_NOT_EQUAL
} ts_value_relation;

typedef struct ts_condition {
  const char *text;   ///< as given
  const char *method; ///< whose row it is about; NULL: that of --method
  const ts_field *field;
  ts_value_relation relation;
  double number;
  const char *word; ///< of a text, with = or != only
} ts_condition;

/// Reads "[METHOD:] COLUMN RELATION VALUE"; blanks do not matter. The relation is one of < <= > >=
/// = and !=. Texts are in the arena. TS_E_INPUT, saying what there is instead.
ts_status ts_condition_parse(ts_condition *out, ts_arena *arena, const char *text);

/// Whether a row has it. What is not measured has none, not even !=.
bool ts_condition_holds(const ts_condition *condition, const ts_record *record);

/// The value that a row has there, for messages; in the arena, NULL when out of memory.
const char *ts_condition_value(const ts_condition *condition, ts_arena *arena,
                               const ts_record *record);

#endif
