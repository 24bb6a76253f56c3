// SPDX-License-Identifier: MIT
/// Embeds existing plots in the page.
#ifndef TS_REPORTS_HTML_PLOTS_H
#define TS_REPORTS_HTML_PLOTS_H

#include "base/arena.h"
#include "base/types.h"

#include <stdio.h>

/// Writes a section with every .svg file of `folder`/plots, sorted by name, each as an image in a
/// noscript element, so that it cannot run scripts or load anything; the script of the page shows
/// those that come into view. Nothing if there is none. `folder` may be NULL.
/// TS_E_INPUT when a file cannot be read.
ts_status ts_html_put_plots(FILE *file, ts_arena *arena, const char *folder);

#endif
