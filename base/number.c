// SPDX-License-Identifier: MIT
#include "base/number.h"

#include "base/status.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// The C locale, whatever a host program has chosen with setlocale.
static locale_t c_locale(void) {
  static _Thread_local locale_t locale;
  if (!locale)
    locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return locale;
}

char *ts_number_format(char out[TS_NUMBER_BYTES], double value) {
  if (isnan(value)) {
    snprintf(out, TS_NUMBER_BYTES, "nan");
    return out;
  }
  // Most numbers written are whole: their digits are enough, but for the sign of zero.
  if (fabs(value) < 1e15 && value == (double)(int64_t)value && (value != 0 || !signbit(value))) {
    snprintf(out, TS_NUMBER_BYTES, "%" PRId64, (int64_t)value);
    return out;
  }
  locale_t before = uselocale(c_locale());
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, TS_NUMBER_BYTES, "%.*g", digits, value);
    if (strtod(out, NULL) == value)
      break;
  }
  uselocale(before);
  return out;
}

ts_status ts_number_parse(double *out, const char *text) {
  locale_t before = uselocale(c_locale());
  char *end = NULL;
  double value = strtod(text, &end);
  uselocale(before);
  if (end == text || *end != '\0' || isspace((unsigned char)*text))
    return ts_fail(TS_E_INPUT, "\"%s\" is not a number", text);
  *out = value;
  return TS_OK;
}
