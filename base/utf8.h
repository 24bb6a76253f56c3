// SPDX-License-Identifier: MIT
/// UTF-8 text.
#ifndef TS_BASE_UTF8_H
#define TS_BASE_UTF8_H

#include <stddef.h>

/// Bytes of the UTF-8 character at the start of `text`, which ends with NUL; 0: invalid (cut short,
/// overlong, a surrogate, or beyond the last plane).
size_t ts_utf8_length(const char *text);

#endif
