// SPDX-License-Identifier: MIT
#include "base/number.h"

#include "base/status.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The C locale, whatever a host program has chosen with setlocale.
static locale_t c_locale(void) {
  static _Thread_local locale_t locale;
  if (!locale)
    locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return locale;
}

/// The digits of a number as %.17g would find them, and how far away the next double is.
__extension__ typedef unsigned __int128 wide;

typedef struct scaled {
  uint64_t whole; ///< of the number times 10^(16 - exponent): 17 digits
  wide fraction;  ///< the rest of that, in units of 2^-bits
  int bits;
  wide gap;         ///< to the next double above, in the same units
  bool is_narrow;   ///< the next one below is half as far: the number is a power of two
  int64_t exponent; ///< decimal, of the first digit
} scaled;

#define LEAST_WHOLE UINT64_C(10000000000000000) // 17 digits

static wide power_of_5(int64_t exponent) {
  wide power = 1, square = 5;
  for (; exponent > 0; exponent >>= 1, square *= square)
    if (exponent & 1)
      power *= square;
  return power;
}

/// Multiplies mantissa x 2^exponent by 10^(16 - decade), exactly.
static scaled scale_to(uint64_t mantissa, int exponent, int64_t decade) {
  int64_t tens = 16 - decade;
  scaled s = {.bits = (int)-(exponent + tens), .gap = power_of_5(tens), .exponent = decade};
  wide low = (wide)(uint64_t)s.gap * mantissa;
  wide high = (s.gap >> 64) * mantissa + (low >> 64);
  low = (uint64_t)low;
  if (s.bits < 64) {
    s.whole = (uint64_t)(high << (64 - s.bits) | low >> s.bits);
    s.fraction = low & (((wide)1 << s.bits) - 1);
  } else {
    s.whole = (uint64_t)(high >> (s.bits - 64));
    s.fraction = (high & (((wide)1 << (s.bits - 64)) - 1)) << 64 | low;
  }
  return s;
}

/// Of a number from 1e-33 to 1e15 that is not whole: its products have no more than 128 bits.
static scaled scale(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int exponent = (int)(bits >> 52) - 1075;
  uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  int64_t decade = (exponent + 52) * 1233 >> 12; // log10(2) is about 1233 / 2^12
  scaled s = scale_to(mantissa, exponent, decade);
  while (s.whole < LEAST_WHOLE || s.whole >= 10 * LEAST_WHOLE)
    s = scale_to(mantissa, exponent, s.whole < LEAST_WHOLE ? --decade : ++decade);
  s.is_narrow = mantissa == UINT64_C(1) << 52;
  return s;
}

/// Rounds to multiples of `unit`, half to even; false when that reads back as another double.
static inline bool round_to(uint64_t *out, const scaled *s, uint64_t unit) {
  uint64_t quotient = s->whole / unit;
  wide over = ((wide)(s->whole % unit) << s->bits) + s->fraction;
  wide under = ((wide)unit << s->bits) - over;
  bool is_up = over > under || (over == under && quotient & 1);
  *out = quotient + is_up;
  return unit == 1 || (is_up ? 2 * under < s->gap : over << (s->is_narrow ? 2 : 1) < s->gap);
}

/// Writes a positive whole number; returns its end.
static char *put_whole(char *out, uint64_t number) {
  char digits[20], *start = digits + sizeof digits;
  do
    *--start = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  size_t count = (size_t)(digits + sizeof digits - start);
  memcpy(out, start, count);
  return out + count;
}

/// Writes digits (the first one is not 0) with the point after the first, times 10^exponent, as %g
/// does.
static char *put_digits(char *out, uint64_t digits, int64_t exponent) {
  char text[20];
  int64_t count = put_whole(text, digits) - text;
  while (text[count - 1] == '0')
    count--;
  if (exponent < -4) {
    *out++ = text[0];
    if (count > 1)
      *out++ = '.';
    memcpy(out, text + 1, (size_t)count - 1);
    out += count - 1;
    *out++ = 'e';
    *out++ = '-';
    if (exponent > -10)
      *out++ = '0';
    return put_whole(out, (uint64_t)-exponent);
  }
  if (exponent < 0) {
    memcpy(out, "0.000", 5);
    out += 1 - exponent;
    memcpy(out, text, (size_t)count);
    return out + count;
  }
  memcpy(out, text, (size_t)exponent + 1);
  out += exponent + 1;
  *out++ = '.';
  memcpy(out, text + exponent + 1, (size_t)(count - exponent - 1));
  return out + (count - exponent - 1);
}

/// The least of 15 to 17 digits that read back.
static char *put_shortest(char *out, double value) {
  scaled s = scale(value);
  uint64_t digits, unit = 100; // constants, so that no division is left
  if (!round_to(&digits, &s, 100)) {
    unit = 10;
    if (!round_to(&digits, &s, 10)) {
      unit = 1;
      round_to(&digits, &s, 1);
    }
  }
  bool is_carried = digits * unit == 10 * LEAST_WHOLE; // all nines, rounded up
  return put_digits(out, digits, s.exponent + is_carried);
}

/// The same by the C library, for any number.
static void search_shortest(char out[TS_NUMBER_BYTES], double value) {
  locale_t before = uselocale(c_locale());
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, TS_NUMBER_BYTES, "%.*g", digits, value);
    if (strtod(out, NULL) == value)
      break;
  }
  uselocale(before);
}

size_t ts_number_put(char out[TS_NUMBER_BYTES], double value) {
  double size = fabs(value);
  char *end = out;
  if (isnan(value)) {
    memcpy(out, "nan", 3);
    return 3;
  }
  bool is_whole = size < 1e15 && size == (double)(uint64_t)size && (value != 0 || !signbit(value));
  if (!is_whole && !(size >= 1e-33 && size < 1e15)) {
    search_shortest(out, value);
    return strlen(out);
  }
  if (value < 0)
    *end++ = '-';
  end = is_whole ? put_whole(end, (uint64_t)size) : put_shortest(end, size);
  return (size_t)(end - out);
}

char *ts_number_format(char out[TS_NUMBER_BYTES], double value) {
  out[ts_number_put(out, value)] = '\0';
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
