// SPDX-License-Identifier: MIT
/// Shared by the formats: valid UTF-8 text, and the record as JSON.
#ifndef TS_REPORTS_FORMAT_TEXT_H
#define TS_REPORTS_FORMAT_TEXT_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>
#include <stdio.h>

/// The text itself if it is UTF-8; otherwise a copy with U+FFFD for each invalid byte, and for each
/// control character beyond ASCII (see ts_utf8_control_length()). NULL when out of memory.
const char *ts_text_utf8(ts_arena *arena, const char *text);

/// A JSON string of ts_text_utf8(). NULL when out of memory.
json_t *ts_json_text(ts_arena *arena, const char *text);

/// A JSON number, without decimals if it is whole; null for nan and inf, which JSON does not have.
json_t *ts_json_number(double number);

/// The value of a field of a row.
json_t *ts_json_field(ts_arena *arena, const ts_field *field, const void *row);

/// Sets or appends `value` (takes ownership); NULL means out of memory.
ts_status ts_json_set(json_t *object, const char *key, json_t *value);
ts_status ts_json_append(json_t *array, json_t *value);

/// Number of digits that read back as the same bits, and number of digits for people: 6.975 instead
/// of 6.9749999999999996.
#define TS_JSON_EXACT  17
#define TS_JSON_CHARTS 15

/// Writes `value` (takes ownership) on one line after `before`, numbers with that many digits;
/// `status` is the result of filling it, and unless it is TS_OK nothing is written.
ts_status ts_json_write(FILE *file, const char *before, json_t *value, size_t digits,
                        ts_status status);

#endif
