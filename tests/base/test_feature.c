// SPDX-License-Identifier: MIT
// covers: base/feature.c
#include "base/feature.h"

#include <criterion/criterion.h>

Test(base_feature, words_are_in_the_order_of_the_kinds) {
  cr_expect_str_eq(ts_feature_word(TS_FEATURE_NONE), "none");
  cr_expect_str_eq(ts_feature_word(TS_FEATURE_VERTEX), "vertex");
  cr_expect_str_eq(ts_feature_word(TS_FEATURE_EDGE), "edge");
  cr_expect_str_eq(ts_feature_word(TS_FEATURE_FACE), "face");
}

Test(base_feature, a_word_gives_its_kind_back) {
  for (int kind = 0; kind < TS_FEATURE_KIND_COUNT; kind++)
    cr_expect_eq(ts_feature_find(ts_feature_words[kind]), kind);
  cr_expect_eq(ts_feature_find("Face"), -1);
  cr_expect_eq(ts_feature_find(""), -1);
}

Test(base_feature, a_kind_that_a_plug_in_made_up_is_none) {
  cr_expect_str_eq(ts_feature_word(-1), "none");
  cr_expect_str_eq(ts_feature_word(TS_FEATURE_KIND_COUNT), "none");
}
