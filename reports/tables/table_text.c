// SPDX-License-Identifier: MIT
#include "reports/tables/table_text.h"

#include "base/utf8.h"
#include <math.h>
#include <string.h>

#define PLAIN "\033[0m"

void ts_pen_put(ts_pen *pen, const char *style, const char *text) {
  if (!*text)
    return;
  fprintf(pen->file, "%*s", (int)pen->pending, "");
  pen->pending = 0;
  if (pen->colour && style)
    fputs(style, pen->file);
  ts_utf8_put(pen->file, text, strlen(text));
  if (pen->colour && style)
    fputs(PLAIN, pen->file);
}

static size_t rest_of(size_t width, const char *text) {
  size_t length = strlen(text);
  return width > length ? width - length : 0;
}

void ts_pen_put_left(ts_pen *pen, const char *style, const char *text, size_t width) {
  ts_pen_put(pen, style, text);
  pen->pending += rest_of(width, text);
}

void ts_pen_put_right(ts_pen *pen, const char *style, const char *text, size_t width) {
  pen->pending += rest_of(width, text);
  ts_pen_put(pen, style, text);
}

void ts_pen_put_centred(ts_pen *pen, const char *style, const char *text, size_t width) {
  size_t rest = rest_of(width, text);
  pen->pending += rest / 2;
  ts_pen_put(pen, style, text);
  pen->pending += rest - rest / 2;
}

void ts_pen_put_rule(ts_pen *pen, size_t width) {
  fprintf(pen->file, "%*s", (int)pen->pending, "");
  pen->pending = 0;
  if (pen->colour)
    fputs(TS_DIM, pen->file);
  for (size_t i = 0; i < width; i++)
    fputc('-', pen->file);
  if (pen->colour)
    fputs(PLAIN, pen->file);
}

void ts_pen_end_line(ts_pen *pen) {
  pen->pending = 0;
  fputc('\n', pen->file);
}

void ts_text_fixed(char out[TS_NUMBER_BYTES], double value, int decimals) {
  const unsigned power = decimals == 0 ? 1 : decimals == 1 ? 10 : 100;
  double scaled = fabs(value) * power;
  if (!(scaled < 1e15)) {
    ts_number_format(out, value);
    return;
  }
  unsigned long long digits = (unsigned long long)llround(scaled), whole = digits / power;
  unsigned fraction = (unsigned)(digits % power);
  const char *sign = value < 0 && digits > 0 ? "-" : "";
  if (decimals == 0)
    snprintf(out, TS_NUMBER_BYTES, "%s%llu", sign, whole);
  else if (decimals == 1)
    snprintf(out, TS_NUMBER_BYTES, "%s%llu.%u", sign, whole, fraction % 10);
  else
    snprintf(out, TS_NUMBER_BYTES, "%s%llu.%02u", sign, whole, fraction % 100);
}

void ts_text_percent(char out[TS_NUMBER_BYTES], double value) {
  if (value == 100)
    ts_text_fixed(out, value, 0);
  else if (value > 0 && value < 100)
    ts_text_fixed(out, fmin(fmax(value, 0.1), 99.9), 1);
  else
    ts_text_fixed(out, value, 1);
}

void ts_text_time(char out[TS_NUMBER_BYTES], double time_ns) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  size_t unit = 0;
  double value = time_ns;
  while (unit < 3 && value >= 999.5) {
    value /= 1000;
    unit++;
  }
  char number[TS_NUMBER_BYTES];
  ts_text_fixed(number, value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
  snprintf(out, TS_NUMBER_BYTES, "%.20s %s", number, units[unit]);
}
