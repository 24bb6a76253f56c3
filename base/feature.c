// SPDX-License-Identifier: MIT
#include "base/feature.h"

#include <stdbool.h>
#include <string.h>

const char *const ts_feature_words[TS_FEATURE_KIND_COUNT] = TS_FEATURE_WORDS;

const char *ts_feature_word(int32_t kind) {
  bool is_known = kind >= 0 && kind < TS_FEATURE_KIND_COUNT;
  return ts_feature_words[is_known ? kind : TS_FEATURE_NONE];
}

int ts_feature_find(const char *word) {
  for (int kind = 0; kind < TS_FEATURE_KIND_COUNT; kind++)
    if (strcmp(ts_feature_words[kind], word) == 0)
      return kind;
  return -1;
}
