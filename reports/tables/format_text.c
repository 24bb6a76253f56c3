// SPDX-License-Identifier: MIT
#include "reports/tables/format_text.h"

#include "base/status.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/// Bytes of the character at the start of a text if it stays; 0: it is replaced. Control characters
/// of ASCII stay, for which JSON has escapes, and those who write text have their own rule.
static size_t kept_length(const char *text) {
  size_t length = ts_utf8_length(text);
  return length > 1 && ts_utf8_control_length(text) > 0 ? 0 : length;
}

/// Bytes of what is replaced: a control character, or one byte that is not UTF-8.
static size_t replaced_length(const char *text) {
  size_t length = ts_utf8_control_length(text);
  return length > 0 ? length : 1;
}

const char *ts_text_utf8(ts_arena *arena, const char *text) {
  size_t bad = 0;
  for (const char *c = text; *c;) {
    size_t length = kept_length(c);
    bad += length == 0;
    c += length > 0 ? length : replaced_length(c);
  }
  if (bad == 0)
    return text;
  char *copy = ts_arena_alloc(arena, strlen(text) + bad * strlen(REPLACEMENT) + 1), *end = copy;
  for (const char *c = text; copy && *c;) {
    size_t length = kept_length(c);
    end = length > 0 ? mempcpy(end, c, length) : stpcpy(end, REPLACEMENT);
    c += length > 0 ? length : replaced_length(c);
  }
  return copy;
}

json_t *ts_json_text(ts_arena *arena, const char *text) {
  const char *whole = ts_text_utf8(arena, text);
  return whole ? json_string(whole) : NULL;
}

json_t *ts_json_number(double number) {
  if (!isfinite(number))
    return json_null();
  if (number == floor(number) && fabs(number) < 1e15)
    return json_integer((json_int_t)number);
  return json_real(number);
}

json_t *ts_json_field(ts_arena *arena, const ts_field *field, const void *row) {
  return field->kind == TS_FIELD_TEXT ? ts_json_text(arena, ts_row_text(field, row))
                                      : ts_json_number(ts_row_number(field, row));
}

ts_status ts_json_set(json_t *object, const char *key, json_t *value) {
  return json_object_set_new(object, key, value) == 0 ? TS_OK
                                                      : ts_fail(TS_E_MEMORY, "out of memory");
}

ts_status ts_json_append(json_t *array, json_t *value) {
  return json_array_append_new(array, value) == 0 ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

ts_status ts_json_write(FILE *file, const char *before, json_t *value, size_t digits,
                        ts_status status) {
  const size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits);
  char *text = status == TS_OK ? json_dumps(value, flags) : NULL;
  json_decref(value);
  if (text)
    fprintf(file, "%s%s", before, text);
  else if (status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  free(text);
  return status;
}
