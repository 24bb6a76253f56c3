// SPDX-License-Identifier: MIT
/// The words for kinds of features, as written in columns.
#ifndef TS_BASE_FEATURE_H
#define TS_BASE_FEATURE_H

#include "base/types.h"

extern const char *const ts_feature_words[TS_FEATURE_KIND_COUNT];

/// The word of a ts_feature_kind; that of TS_FEATURE_NONE for any other number.
const char *ts_feature_word(int32_t kind);

/// The ts_feature_kind with that word; -1 when there is none.
int ts_feature_find(const char *word);

#endif
