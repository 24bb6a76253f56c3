// SPDX-License-Identifier: MIT
/// UTF-8 text.
#ifndef TS_BASE_UTF8_H
#define TS_BASE_UTF8_H

#include <stddef.h>
#include <stdio.h>

/// Bytes of the UTF-8 character at the start of `text`, which ends with NUL; 0: invalid (cut short,
/// overlong, a surrogate, or beyond the last plane).
size_t ts_utf8_length(const char *text);

/// Bytes of the control character at the start of `text`, which ends with NUL; 0: it is none. Of
/// ASCII, of Latin-1, or one that sets the direction of text (U+061C, U+200E, U+200F, U+202A to
/// U+202E, U+2066 to U+2069): with these a name can be made to read as another one.
size_t ts_utf8_control_length(const char *text);

/// Writes `length` bytes of a text, each control character among them as a blank.
void ts_utf8_put(FILE *file, const char *text, size_t length);

#endif
