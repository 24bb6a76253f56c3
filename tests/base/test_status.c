// SPDX-License-Identifier: MIT
// covers: base/status.c base/utf8.c
#include "base/status.h"

#include "base/utf8.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Test(base_status, a_failure_leaves_its_detail_and_returns_its_status) {
  cr_assert_eq(ts_fail(TS_E_IO, "cannot read %s", "x.csv"), TS_E_IO);
  cr_assert_str_eq(ts_status_detail(), "cannot read x.csv");
}

Test(base_status, a_detail_too_long_is_cut_and_not_overrun) {
  char text[4000];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  ts_fail(TS_E_INPUT, "%s", text);
  cr_assert_eq(strlen(ts_status_detail()), 1023);
}

Test(base_status, a_detail_is_one_line_whatever_it_quotes) {
  ts_fail(TS_E_INPUT, "no case \"%s\"", "a\nb\x1b[2J\x7f\tc\r");
  cr_assert_str_eq(ts_status_detail(), "no case \"a?b?[2J??c?\"");
  ts_fail(TS_E_INPUT, "no case \"%s\"", "l\xc3\xa4nge");
  cr_assert_str_eq(ts_status_detail(), "no case \"l\xc3\xa4nge\"");
}

Test(base_status, what_is_not_a_number_has_no_sign_in_a_detail) {
  ts_fail(TS_E_INPUT, "%g: (%g, %.3g, %g) is [%g]; x=%g", -NAN, -NAN, -NAN, NAN, -NAN, -NAN);
  cr_expect_str_eq(ts_status_detail(), "nan: (nan, nan, nan) is [nan]; x=nan");
  ts_fail(TS_E_INPUT, "%s %s -1 -nano", "a-nan.obj", "-nan.obj");
  cr_expect_str_eq(ts_status_detail(), "a-nan.obj -nan.obj -1 -nano");
}

Test(base_status, a_detail_is_utf8_whatever_it_quotes) {
  ts_fail(TS_E_INPUT, "%s", "caf\xe9 \xc3\xa9 \xed\xa0\x80 \xc0\x80 \xf5\x80\x80\x80 \xe2\x82");
  cr_assert_str_eq(ts_status_detail(), "caf? \xc3\xa9 ??? ?? ???? ??");
  char text[1200];
  memset(text, 'a', sizeof text);
  memcpy(text + 1022, "\xc3\xa9", 3); // cut in its middle
  ts_fail(TS_E_INPUT, "%s", text);
  cr_assert_str_eq(ts_status_detail() + 1021, "a?");
}

Test(base_status, what_turns_the_direction_of_text_is_not_in_a_detail) {
  ts_fail(TS_E_INPUT, "%s",
          "a\xe2\x80\xae"
          "b\xe2\x81\xa9"
          "c\xe2\x80\x8f"
          "d\xd8\x9c"
          "e\xc2\x9b"
          "f");
  cr_assert_str_eq(ts_status_detail(), "a?b?c?d?e?f");
  ts_fail(TS_E_INPUT, "%s", "\xe2\x80\x94 \xe2\x80\x8d \xe2\x81\xa5 \xd8\x9b \xc2\xa0");
  cr_assert_str_eq(ts_status_detail(), "\xe2\x80\x94 \xe2\x80\x8d \xe2\x81\xa5 \xd8\x9b \xc2\xa0",
                   "dashes and the joiner of emoji stay");
}

Test(base_status, text_is_put_with_blanks_for_control_characters) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  ts_utf8_put(file,
              "a\x1b"
              "b\xe2\x80\xae"
              "cd",
              7);
  fclose(file);
  cr_assert_str_eq(text, "a b c");
  free(text);
}

static ts_status fails(void) {
  return TS_E_MEMORY;
}

static ts_status tries(int *reached) {
  TS_TRY(TS_OK);
  *reached = 1;
  TS_TRY(fails());
  *reached = 2;
  return TS_OK;
}

Test(base_status, try_goes_on_after_ok_and_returns_an_error) {
  int reached = 0;
  cr_assert_eq(tries(&reached), TS_E_MEMORY);
  cr_assert_eq(reached, 1);
}

Test(base_status, every_status_has_a_name) {
  cr_assert_str_eq(ts_status_name(TS_E_MEMORY), "out of memory");
  cr_assert_str_eq(ts_status_name(TS_SKIPPED), "skipped");
  cr_assert_str_eq(ts_status_name(-99), "unknown error");
}

Test(base_status, a_detail_line_may_quote_the_previous_one) {
  ts_fail(TS_E_INPUT, "no wheel");
  cr_assert_eq(ts_fail(TS_SKIPPED, "%s", ts_status_detail()), TS_SKIPPED);
  cr_assert_str_eq(ts_status_detail(), "no wheel");
  ts_fail(TS_SKIPPED, "the car: %s", ts_status_detail());
  cr_assert_str_eq(ts_status_detail(), "the car: no wheel");
}
