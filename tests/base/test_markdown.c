// SPDX-License-Identifier: MIT
// covers: base/markdown.c
#include "base/markdown.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect(const char *text, const char *markdown) {
  char *written = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&written, &bytes);
  ts_markdown_put(file, text);
  fclose(file);
  cr_expect_str_eq(written, markdown);
  free(written);
}

Test(base_markdown, what_is_special_is_escaped) {
  expect("<b>&lt;</b> | [a](b) `c` *d* ~e~ #1 \\",
         "\\<b\\>\\&lt;\\</b\\> \\| \\[a\\](b) \\`c\\` \\*d\\* \\~e\\~ \\#1 \\\\");
}

Test(base_markdown, an_underscore_within_a_word_stays) {
  expect("spike_in_hole_2 __proto__ a_.b _", "spike_in_hole_2 \\_\\_proto\\_\\_ a\\_.b \\_");
}

Test(base_markdown, control_characters_and_those_that_turn_text_are_blanks) {
  expect("a\nb\x1b[2J\xc2\x9b\xe2\x80\xae"
         "c\xe2\x81\xa6\xd8\x9c\xc3\xa9",
         "a b \\[2J  c  \xc3\xa9");
}
