// SPDX-License-Identifier: MIT
// covers: base/number.c
#include "base/number.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *format(double value) {
  static char text[TS_NUMBER_BYTES];
  return ts_number_format(text, value);
}

Test(base_number, simple_numbers_are_short) {
  cr_assert_str_eq(format(0.1), "0.1");
  cr_assert_str_eq(format(100), "100");
  cr_assert_str_eq(format(-2.5), "-2.5");
  cr_assert_str_eq(format(1e300), "1e+300");
}

Test(base_number, whole_numbers_are_written_as_any_other) {
  static const double values[] = {0, -0.0, 1, -1, 999999999999999, 1e15, -1e15, 1e16, 123456789012};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    char expected[TS_NUMBER_BYTES];
    snprintf(expected, sizeof expected, "%.15g", values[i]);
    cr_assert_str_eq(format(values[i]), expected);
  }
}

Test(base_number, what_is_not_finite_has_a_name) {
  cr_assert_str_eq(format(NAN), "nan");
  cr_assert_str_eq(format(-NAN), "nan");
  cr_assert_str_eq(format(INFINITY), "inf");
  cr_assert_str_eq(format(-INFINITY), "-inf");
}

Test(base_number, every_double_reads_back_as_itself) {
  ts_random random = ts_random_seed(7, 0);
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = ts_random_u64(&random);
    double value, back;
    memcpy(&value, &bits, sizeof value);
    if (isnan(value))
      continue;
    cr_assert_eq(ts_number_parse(&back, format(value)), TS_OK);
    cr_assert_eq(memcmp(&value, &back, sizeof value), 0, "%s", format(value));
  }
}

/// The fewest digits of 15 to 17 that read back, found by trying.
static const char *search(double value) {
  static char text[TS_NUMBER_BYTES];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  return text;
}

static double neighbour(double value, int64_t steps) {
  int64_t bits;
  memcpy(&bits, &value, sizeof value);
  bits += steps;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void expect_shortest(double value) {
  cr_expect_str_eq(format(value), search(value), "%a: %s, not %s", value, format(value),
                   search(value));
}

Test(base_number, digits_are_those_of_the_c_library) {
  ts_random random = ts_random_seed(11, 0);
  for (int i = 0; i < 100000; i++) {
    double mantissa = (double)(ts_random_u64(&random) >> 11);
    expect_shortest(ldexp(mantissa, (int)(ts_random_u64(&random) % 200) - 190)); // 1e-42 to 1e18
    expect_shortest(-ldexp(mantissa, -53));
    expect_shortest((double)(ts_random_u64(&random) % 20001) / 1000);
  }
}

Test(base_number, digits_are_those_of_the_c_library_where_they_are_hard_to_tell) {
  for (int exponent = -45; exponent <= 25; exponent++)
    for (int64_t steps = -3; steps <= 3; steps++) { // about a power of ten, where digits carry
      expect_shortest(neighbour(pow(10, exponent), steps));
      expect_shortest(neighbour(9.5 * pow(10, exponent), steps));
    }
  for (int exponent = -120; exponent <= 60; exponent++)
    for (int64_t steps = -3; steps <= 3; steps++) // the next one below a power of two is nearer
      expect_shortest(neighbour(ldexp(1, exponent), steps));
  for (int exponent = -40; exponent <= -1; exponent++) // many digits, all of them exact: ties
    for (int odd = 1; odd < 64; odd += 2)
      expect_shortest(4503599627370.0 * 10 + ldexp(odd, exponent));
}

Test(base_number, the_number_of_bytes_is_returned) {
  char text[TS_NUMBER_BYTES];
  static const double values[] = {0.5, -3, NAN, 1e300, -0.0, 1e-7};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    size_t count = ts_number_put(text, values[i]);
    cr_expect_eq(count, strlen(format(values[i])));
    cr_expect_eq(memcmp(text, format(values[i]), count), 0);
  }
}

Test(base_number, text_that_is_not_a_number_is_refused) {
  static const char *const bad[] = {"", " 1", "1 ", "1x", "x", "1,5", "--1", "\t2", "0x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double value = 5;
    cr_assert_eq(ts_number_parse(&value, bad[i]), TS_E_INPUT, "\"%s\"", bad[i]);
    cr_assert_eq(value, 5);
  }
}

Test(base_number, a_locale_with_a_decimal_comma_changes_nothing) {
  /* Which locales a machine has differs; with none of them the check is that of the C locale. */
  if (!setlocale(LC_ALL, "de_DE.UTF-8"))
    setlocale(LC_ALL, "");
  double value;
  cr_assert_str_eq(format(0.5), "0.5");
  cr_assert_eq(ts_number_parse(&value, "0.5"), TS_OK);
  cr_assert_eq(value, 0.5);
}
