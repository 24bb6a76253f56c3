// SPDX-License-Identifier: MIT
// covers: base/pattern.c
#include "base/pattern.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_refused(const char *pattern, const char *word) {
  regex_t regex;
  cr_assert_eq(ts_pattern_compile(&regex, pattern), TS_E_INPUT, "%s", pattern);
  cr_expect(strstr(ts_status_detail(), word), "%s: %s", pattern, ts_status_detail());
}

static bool matches(const char *pattern, const char *name) {
  regex_t regex;
  cr_assert_eq(ts_pattern_compile(&regex, pattern), TS_OK, "%s: %s", pattern, ts_status_detail());
  bool is_match = ts_pattern_matches(&regex, name);
  regfree(&regex);
  return is_match;
}

Test(base_pattern, names_are_matched_from_end_to_end) {
  cr_expect(matches("wall|arch", "arch"));
  cr_expect(!matches("wall|arch", "arches"));
  cr_expect(!matches("wall|arch", "the_arch"));
  cr_expect(matches("a|ab", "ab"));
  cr_expect(matches("", ""));
  cr_expect(matches("[^]a[:digit:]]+", "bcd"));
  cr_expect(matches("(sliding_)?(spike|wedge){1,2}", "sliding_spike"));
}

Test(base_pattern, an_invalid_expression_is_refused_with_a_reason) {
  expect_refused("(", "not a POSIX extended regular expression: ");
  expect_refused("[a", "not a POSIX extended regular expression: ");
  expect_refused("a{3,1}", "not a POSIX extended regular expression: ");
}

Test(base_pattern, repetitions_that_take_memory_without_end_are_refused) {
  expect_refused("grow++++++++++++++++++++++++++++++++++++++", "repeats too much");
  expect_refused("(((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+", "repeats too much");
  expect_refused("((a{1,200}){1,200}){1,200}", "repeats too much");
  expect_refused("(a{32767}){18446744073709551615}", "repeats too much");
  expect_refused("([[:alpha:]]{99}){99}", "repeats too much");
  char open[200] = "";
  memset(open, '(', sizeof open - 1);
  expect_refused(open, "repeats too much");
  char text[TS_PATTERN_ATOMS_MAX + 3];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  expect_refused(text, "too long");
}

Test(base_pattern, repetitions_side_by_side_are_fine) {
  cr_expect(matches("a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+|x", "x"));
  cr_expect(matches("(a{9}|b{99}|c{200})+", "aaaaaaaaa"));
  cr_expect(matches("[+]{3}[{]\\+\\(", "+++{+("));
}

Test(base_pattern, anchors_without_end_are_refused) {
  expect_refused("a*^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^*a", "anchors");
  expect_refused("(\\b\\B\\<\\>\\b\\B\\<\\>\\b)*", "anchors");
  cr_expect(matches("^(wall|arch)$", "wall"));
  cr_expect(matches("[$^$^$^$^$^$^]+", "$^"));
}

Test(base_pattern, references_back_are_refused) {
  expect_refused("(a*)\\1", "back references");
  cr_expect(matches("[\\1]\\.", "1."));
}
