// SPDX-License-Identifier: MIT
#include "methods/envelope.h"

#include <stdbool.h>
#include <string.h>

const char *const ts_envelope_words[TS_ENVELOPE_KIND_COUNT] = TS_ENVELOPE_WORDS;

const char *ts_envelope_word(int32_t kind) {
  bool is_known = kind >= 0 && kind < TS_ENVELOPE_KIND_COUNT;
  return ts_envelope_words[is_known ? kind : TS_ENVELOPE_NONE];
}

int ts_envelope_find(const char *text, size_t length) {
  for (int kind = 0; kind < TS_ENVELOPE_KIND_COUNT; kind++)
    if (strlen(ts_envelope_words[kind]) == length &&
        strncmp(ts_envelope_words[kind], text, length) == 0)
      return kind;
  return -1;
}

double ts_envelope_offset_m(const ts_envelope *envelope) {
  return envelope->kind == TS_ENVELOPE_DILATED  ? envelope->size_m
         : envelope->kind == TS_ENVELOPE_ERODED ? -envelope->size_m
                                                : 0;
}

const char *const ts_envelope_mode_words[] = {"vertices", "faces", NULL};

ts_envelope ts_envelope_dilated(double dilation_m, int32_t mode) {
  return (ts_envelope){.kind = dilation_m > 0 ? TS_ENVELOPE_DILATED : TS_ENVELOPE_NONE,
                       .mode = mode,
                       .size_m = dilation_m};
}
