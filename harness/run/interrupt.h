// SPDX-License-Identifier: MIT
/// Signals that ask the program to end, taken between two steps of work that has something to clean
/// up.
#ifndef TS_HARNESS_INTERRUPT_H
#define TS_HARNESS_INTERRUPT_H

#include <signal.h>

typedef struct ts_interrupt {
  int file;        ///< readable once a signal has come
  sigset_t before; ///< what was blocked
  int signal;      ///< that has come; 0: none
} ts_interrupt;

/// Holds SIGINT, SIGTERM and SIGHUP back from now on, but for those that are ignored.
void ts_interrupt_start(ts_interrupt *out);

/// Sets and returns the signal that has come, 0 when none has.
int ts_interrupt_look(ts_interrupt *interrupt);

/// Lets signals through again, unless one has come: a second one, which often follows, must not end
/// the program before it has said what became of its work.
void ts_interrupt_end(ts_interrupt *interrupt);

/// Holds the same signals back while files are put in place, so that no draft is left: whatever has
/// come ends the program when ts_interrupt_release() is given `*out_before`.
void ts_interrupt_hold(sigset_t *out_before);
void ts_interrupt_release(const sigset_t *before);

#endif
