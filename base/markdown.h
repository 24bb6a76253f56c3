// SPDX-License-Identifier: MIT
/// Text from elsewhere in Markdown.
#ifndef TS_BASE_MARKDOWN_H
#define TS_BASE_MARKDOWN_H

#include <stdio.h>

/// Writes a text so that Markdown, and HTML within it, shows it as it is: with what is special
/// there escaped, and a blank for each control character, also for ends of lines.
void ts_markdown_put(FILE *file, const char *text);

#endif
