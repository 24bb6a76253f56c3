// SPDX-License-Identifier: MIT
#include "base/status.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char detail[1024];

/// Makes "-nan" where a message has it as a word "nan": the sign that a processor gives to what is
/// not a number means nothing to people. Parts of names and paths stay.
static void drop_sign_of_nan(char *line) {
  for (char *at = line; (at = strstr(at, "-nan")); at++)
    if ((at == line || strchr(" (=,:[", at[-1])) && strchr(" ),;:]", at[4]))
      memmove(at, at + 1, strlen(at));
}

ts_status ts_fail(ts_status status, const char *format, ...) {
  // Not in place: the previous detail line may be among the arguments.
  char line[sizeof detail];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  drop_sign_of_nan(line);
  // Contents of files may be among the arguments: the detail must stay one line, and no control
  // codes may reach a terminal. It becomes a column: a byte that is not UTF-8, or half a character
  // at the end, would make the whole file unreadable for others.
  char *end = detail;
  for (const char *c = line; *c;) {
    size_t length = ts_utf8_length(c);
    end = length == 0 || ts_utf8_control_length(c) > 0 ? stpcpy(end, "?") : mempcpy(end, c, length);
    c += length > 0 ? length : 1;
  }
  *end = '\0';
  return status;
}

const char *ts_status_detail(void) {
  return detail;
}

const char *ts_status_name(ts_status status) {
  switch (status) {
  case TS_OK:
    return "ok";
  case TS_SKIPPED:
    return "skipped";
  case TS_E_INPUT:
    return "bad input";
  case TS_E_MEMORY:
    return "out of memory";
  case TS_E_IO:
    return "input or output failed";
  case TS_E_UNSUPPORTED:
    return "unsupported";
  default:
    return status > 0 ? "skipped" : "unknown error";
  }
}
