// SPDX-License-Identifier: MIT
/// gnuplot as a child process.
#ifndef TS_HARNESS_GNUPLOT_H
#define TS_HARNESS_GNUPLOT_H

#include "base/arena.h"
#include "harness/run/interrupt.h"

/// Finds the program in PATH; `*out` is in the arena. TS_E_UNSUPPORTED, naming the package to
/// install, when it is missing.
ts_status ts_gnuplot_find(const char **out, ts_arena *arena);

/// Runs the script NAME.gp, which writes the picture NAME.format or NAME-tex.tex, with `folder` as
/// working directory and without the user's gnuplot settings; `format` is passed as the gnuplot
/// variable of that name. TS_E_IO with the script's name and gnuplot's message or the signal that
/// killed it; also when the picture is incomplete, which gnuplot does not report.
///
/// A signal held by `interrupt` stops gnuplot as well: TS_E_IO, and the signal is in `interrupt`.
ts_status ts_gnuplot_run(ts_arena *arena, const char *program, const char *folder,
                         const char *script, const char *format, ts_interrupt *interrupt);

#endif
