// SPDX-License-Identifier: MIT
/// The words that the page uses, explained on the page.
#ifndef TS_REPORTS_HTML_GLOSSARY_H
#define TS_REPORTS_HTML_GLOSSARY_H

#include <stdio.h>

/// Writes them folded away.
void ts_html_put_glossary(FILE *file);

#endif
