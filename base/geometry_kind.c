// SPDX-License-Identifier: MIT
#include "base/geometry_kind.h"

const char *const ts_geometry_words[TS_GEOMETRY_KIND_COUNT] = TS_GEOMETRY_WORDS;
