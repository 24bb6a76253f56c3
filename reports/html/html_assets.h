// SPDX-License-Identifier: MIT
/// The scripts, as one, and the style of the page, embedded from reports/html/ by the build.
#ifndef TS_REPORTS_HTML_ASSETS_H
#define TS_REPORTS_HTML_ASSETS_H

#include <stddef.h>

extern const unsigned char ts_html_style[], ts_html_script[];
extern const size_t ts_html_style_bytes, ts_html_script_bytes;

#endif
