// SPDX-License-Identifier: MIT
#include "reports/tables/format_text.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/// Length of the UTF-8 character at the start of the text; 0 if it is invalid.
static size_t character_length(const unsigned char *text) {
  static const struct {
    unsigned char first, last;     ///< of the leading byte
    unsigned char lowest, highest; ///< of the second: excludes surrogates and overlong forms
    size_t length;
  } forms[] = {
      {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
      {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
      {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
  };
  if (text[0] < 0x80)
    return 1;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (text[0] < forms[i].first || text[0] > forms[i].last)
      continue;
    if (text[1] < forms[i].lowest || text[1] > forms[i].highest)
      return 0;
    for (size_t k = 2; k < forms[i].length; k++)
      if (text[k] < 0x80 || text[k] > 0xbf)
        return 0;
    return forms[i].length;
  }
  return 0;
}

const char *ts_text_utf8(ts_arena *arena, const char *text) {
  size_t bad = 0;
  for (const char *c = text; *c;) {
    size_t length = character_length((const unsigned char *)c);
    bad += length == 0;
    c += length > 0 ? length : 1;
  }
  if (bad == 0)
    return text;
  char *copy = ts_arena_alloc(arena, strlen(text) + bad * strlen(REPLACEMENT) + 1), *end = copy;
  for (const char *c = text; copy && *c;) {
    size_t length = character_length((const unsigned char *)c);
    end = length > 0 ? mempcpy(end, c, length) : stpcpy(end, REPLACEMENT);
    c += length > 0 ? length : 1;
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
