// SPDX-License-Identifier: MIT
/// What the formats share: text that any of them can hold, and JSON of the record.
#ifndef TS_REPORTS_FORMAT_TEXT_H
#define TS_REPORTS_FORMAT_TEXT_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>
#include <stdio.h>

/// The text itself when it is UTF-8; else a copy, with U+FFFD for each byte that is not. NULL when
/// memory is out.
const char *ts_text_utf8(ts_arena *arena, const char *text);

/// A string, as by ts_text_utf8(). NULL when memory is out.
json_t *ts_json_text(ts_arena *arena, const char *text);

/// A number, a whole one without decimals; null for what JSON has no form for: nan, inf.
json_t *ts_json_number(double number);

/// The value of a field of a row.
json_t *ts_json_field(ts_arena *arena, const ts_field *field, const void *row);

/// Sets or appends `value`, which is taken, and NULL of which means that memory is out.
ts_status ts_json_set(json_t *object, const char *key, json_t *value);
ts_status ts_json_append(json_t *array, json_t *value);

/// Digits of a number that read back as the same bits, and digits that people read: 6.975 in place
/// of 6.9749999999999996.
#define TS_JSON_EXACT  17
#define TS_JSON_CHARTS 15

/// Writes `value`, which is taken, on one line after `before`, numbers with that many digits;
/// `status` is that of filling it, and when it is not TS_OK nothing is written.
ts_status ts_json_write(FILE *file, const char *before, json_t *value, size_t digits,
                        ts_status status);

#endif
