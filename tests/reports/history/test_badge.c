// SPDX-License-Identifier: MIT
// covers: reports/history/badge.c
#include "reports/history/badge.h"

#include "base/status.h"
#include "tests/reports/rows/record_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_badge, .init = results_open, .fini = results_close, .timeout = 30);

static ts_status last_status;

/// The badge as text, in the arena.
static const char *badge(const char *label, const char *figure, double value, double green,
                         double yellow) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  const ts_badge_limits limits = {green, yellow};
  last_status = ts_badge_write(file, fixture_arena, label, column(figure), value, &limits);
  fclose(file);
  const char *copy = ts_arena_string(fixture_arena, text);
  free(text);
  return copy;
}

static void expect(const char *svg, const char *words) {
  cr_expect(strstr(svg, words), "no %s in %s", words, svg);
}

#define GREEN_FILL  "fill=\"#2e7d32\""
#define YELLOW_FILL "fill=\"#8a6100\""
#define RED_FILL    "fill=\"#b3261e\""

Test(reports_badge, the_title_has_label_and_value) {
  const char *svg = badge("normal quality", "quality_percent", 93.24, (double)NAN, (double)NAN);
  expect(svg, "<title id=\"title\">normal quality: 93.2%</title>");
  expect(svg, "role=\"img\" aria-labelledby=\"title\"");
}

Test(reports_badge, colours_follow_the_limits_up_to_and_with_their_values) {
  expect(badge("q", "quality_percent", 90, 90, 50), GREEN_FILL);
  expect(badge("q", "quality_percent", 89.9, 90, 50), YELLOW_FILL);
  expect(badge("q", "quality_percent", 50, 90, 50), YELLOW_FILL);
  expect(badge("q", "quality_percent", 49.9, 90, 50), RED_FILL);
}

Test(reports_badge, for_times_less_is_better) {
  expect(badge("t", "generate_ns_median", 900, 1000, 2000), GREEN_FILL);
  expect(badge("t", "generate_ns_median", 2500, 1000, 2000), RED_FILL);
}

Test(reports_badge, a_limit_that_is_left_out_has_no_colour) {
  expect(badge("q", "quality_percent", 89, 90, (double)NAN), RED_FILL);
  expect(badge("q", "quality_percent", 95, (double)NAN, 90), YELLOW_FILL);
  expect(badge("q", "quality_percent", 0, (double)NAN, (double)NAN), "fill=\"#0b64a0\"");
}

Test(reports_badge, a_figure_that_was_not_measured_is_grey_and_says_so) {
  const char *svg = badge("q", "quality_percent", (double)NAN, 90, 50);
  expect(svg, "fill=\"#6b6b6b\"");
  expect(svg, "not measured</text>");
}

Test(reports_badge, a_label_cannot_break_the_picture) {
  const char *svg = badge("a<b>&\"\n\xff", "quality_percent", 1, (double)NAN, (double)NAN);
  cr_expect_eq(last_status, TS_OK);
  expect(svg, "a&#60;b&#62;&#38;&#34; \xef\xbf\xbd: 1.0%");
}

Test(reports_badge, longer_text_makes_a_wider_badge_and_too_long_is_refused) {
  int widths[2];
  const char *labels[] = {"q", "quality of contacts"};
  for (int i = 0; i < 2; i++) {
    const char *svg = badge(labels[i], "quality_percent", 1, (double)NAN, (double)NAN);
    cr_assert_eq(sscanf(strstr(svg, "width=\""), "width=\"%d", &widths[i]), 1);
  }
  cr_expect_gt(widths[1], widths[0] + 80);
  char label[TS_BADGE_LETTERS_MAX + 2];
  memset(label, 'x', sizeof label - 1);
  label[sizeof label - 1] = '\0';
  badge(label, "quality_percent", 1, (double)NAN, (double)NAN);
  cr_expect_eq(last_status, TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "--badge-label"));
}

Test(reports_badge, limits_that_mean_nothing_are_refused) {
  const ts_badge_limits crossed = {50, 90}, only_green = {50, (double)NAN};
  cr_expect_eq(ts_badge_check(&crossed, column("quality_percent")), TS_E_INPUT);
  cr_expect_eq(ts_badge_check(&crossed, column("generate_ns_median")), TS_OK);
  cr_expect_eq(ts_badge_check(&only_green, column("quality_percent")), TS_OK);
  cr_expect_eq(ts_badge_check(&only_green, column("contacts")), TS_E_INPUT);
}
