// SPDX-License-Identifier: MIT
/// Termination signals, handled between two steps of work that needs cleaning up.
#ifndef TS_HARNESS_INTERRUPT_H
#define TS_HARNESS_INTERRUPT_H

#include <signal.h>

typedef struct ts_interrupt {
  int file;        ///< readable once a signal has arrived
  sigset_t before; ///< the previous signal mask
  int signal;      ///< the signal that has arrived; 0: none
} ts_interrupt;

/// Blocks SIGINT, SIGTERM and SIGHUP from now on, except those that are ignored.
void ts_interrupt_start(ts_interrupt *out);

/// Sets and returns the signal that has arrived, 0 for none.
int ts_interrupt_check(ts_interrupt *interrupt);

/// Unblocks the signals, unless one has arrived: a second one, which often follows, must not end
/// the program before it has reported the state of its work.
void ts_interrupt_end(ts_interrupt *interrupt);

/// Blocks the same signals while files are renamed into place, so that no draft is left behind. A
/// signal that arrives meanwhile ends the program in ts_interrupt_release(), which takes
/// `*out_before`.
void ts_interrupt_hold(sigset_t *out_before);
void ts_interrupt_release(const sigset_t *before);

/// The same where the work is done: those that have arrived are discarded.
void ts_interrupt_release_done(const sigset_t *before);

/// From now on the same signals, except those that are ignored, end this process with a line on
/// standard error before: "touchstone: interrupted; TEXT". Processes that it makes say nothing.
/// `text` must stay.
void ts_interrupt_say(const char *text);

#endif
