// SPDX-License-Identifier: MIT
/// Text and data inside a page of HTML.
#ifndef TS_REPORTS_HTML_TEXT_H
#define TS_REPORTS_HTML_TEXT_H

#include "base/arena.h"
#include "base/types.h"

#include <jansson.h>
#include <stdio.h>

/// Writes text that stays text, between tags and between quotes of either kind; bytes that are no
/// UTF-8 as U+FFFD, control characters as blanks.
ts_status ts_html_put(FILE *file, ts_arena *arena, const char *text);

/// Writes JSON that a script element can hold: no text in it can end the element.
ts_status ts_html_put_json(FILE *file, const json_t *value);

#endif
