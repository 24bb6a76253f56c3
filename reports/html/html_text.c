// SPDX-License-Identifier: MIT
#include "reports/html/html_text.h"

#include "base/status.h"
#include "reports/tables/format_text.h"

#include <string.h>

ts_status ts_html_put(FILE *file, ts_arena *arena, const char *text) {
  const char *whole = ts_text_utf8(arena, text);
  if (!whole)
    return TS_E_MEMORY;
  for (const char *c = whole; *c; c++) {
    if (strchr("&<>\"'`", *c))
      fprintf(file, "&#%d;", *c);
    else
      fputc((unsigned char)*c < ' ' || *c == 127 ? ' ' : *c, file);
  }
  return TS_OK;
}

/// JSON has "<" only in strings, where it can be written as an escape.
static int put_escaped(const char *bytes, size_t count, void *file) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i] == '<')
      fputs("\\u003c", file);
    else
      fputc(bytes[i], file);
  return 0;
}

ts_status ts_html_put_json(FILE *file, const json_t *value) {
  // Ten digits are more than a page shows, and take half the space of all digits.
  const size_t flags = JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(10);
  return json_dump_callback(value, put_escaped, file, flags) == 0
             ? TS_OK
             : ts_fail(TS_E_MEMORY, "out of memory");
}
