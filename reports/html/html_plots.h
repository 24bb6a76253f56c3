// SPDX-License-Identifier: MIT
/// Plots that were made before, put into the page.
#ifndef TS_REPORTS_HTML_PLOTS_H
#define TS_REPORTS_HTML_PLOTS_H

#include "base/arena.h"
#include "base/types.h"

#include <stdio.h>

/// The section with every .svg file of `folder`/plots, by name, each as an image, so that nothing
/// in it can reach out or run; nothing when there is none. `folder` may be NULL. TS_E_INPUT when
/// one cannot be read.
ts_status ts_html_put_plots(FILE *file, ts_arena *arena, const char *folder);

#endif
