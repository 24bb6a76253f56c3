// SPDX-License-Identifier: MIT
/// The words for envelopes, as written in columns and options.
#ifndef TS_METHODS_ENVELOPE_H
#define TS_METHODS_ENVELOPE_H

#include "methods/method.h"

extern const char *const ts_envelope_words[TS_ENVELOPE_KIND_COUNT];

/// The word of a ts_envelope_kind; that of TS_ENVELOPE_NONE for any other number.
const char *ts_envelope_word(int32_t kind);

/// The ts_envelope_kind with that word, the first `length` bytes of `text`; -1 when there is none.
int ts_envelope_find(const char *text, size_t length);

/// How far the surfaces are moved outwards [m]: below zero for TS_ENVELOPE_ERODED, 0 for
/// TS_ENVELOPE_NONE.
double ts_envelope_offset_m(const ts_envelope *envelope);

/// The words of ts_envelope_mode, for a parameter that chooses one; NULL-terminated.
extern const char *const ts_envelope_mode_words[];

/// Bodies dilated by that [m], in a ts_envelope_mode; as designed for 0. Reach 0.
ts_envelope ts_envelope_dilated(double dilation_m, int32_t mode);

#endif
