// SPDX-License-Identifier: MIT
/// gnuplot as a child process.
#ifndef TS_HARNESS_GNUPLOT_H
#define TS_HARNESS_GNUPLOT_H

#include "base/arena.h"
#include "harness/run/interrupt.h"

/// Finds the program in PATH; `*out` is the arena's. TS_E_UNSUPPORTED, with the package to install,
/// when it is not there.
ts_status ts_gnuplot_find(const char **out, ts_arena *arena);

/// Runs a script (NAME.gp in `folder`), which makes the picture NAME.format, or NAME-tex.tex, with
/// the folder as its working directory and the user's own settings left out; `format` is handed to
/// it as the variable of that name. TS_E_IO with the script's name and what gnuplot says, or the
/// signal that ended it; or when the picture is not whole, which gnuplot does not tell.
///
/// A signal that `interrupt` holds ends gnuplot, too: TS_E_IO, and the signal is in `interrupt`.
ts_status ts_gnuplot_run(ts_arena *arena, const char *program, const char *folder,
                         const char *script, const char *format, ts_interrupt *interrupt);

#endif
