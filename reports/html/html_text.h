// SPDX-License-Identifier: MIT
/// Text and data in an HTML page.
#ifndef TS_REPORTS_HTML_TEXT_H
#define TS_REPORTS_HTML_TEXT_H

#include "base/arena.h"
#include "base/types.h"

#include <jansson.h>
#include <stdio.h>

/// Writes escaped text, safe between tags and within quotes of either kind; invalid UTF-8 becomes
/// U+FFFD, and control characters become blanks.
ts_status ts_html_put(FILE *file, ts_arena *arena, const char *text);

/// Writes JSON that is safe in a script element: no text in it can end the element.
ts_status ts_html_put_json(FILE *file, const json_t *value);

#endif
