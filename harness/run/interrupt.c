// SPDX-License-Identifier: MIT
#include "harness/run/interrupt.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNAL_COUNT (sizeof signals / sizeof *signals)

void ts_interrupt_start(ts_interrupt *out) {
  sigset_t taken;
  sigemptyset(&taken);
  for (size_t i = 0; i < SIGNAL_COUNT; i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&taken, signals[i]);
  }
  *out = (ts_interrupt){.file = -1};
  sigprocmask(SIG_BLOCK, &taken, &out->before);
  out->file = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
}

int ts_interrupt_check(ts_interrupt *interrupt) {
  struct signalfd_siginfo facts;
  if (interrupt->signal == 0 && interrupt->file >= 0 &&
      read(interrupt->file, &facts, sizeof facts) == (ssize_t)sizeof facts)
    interrupt->signal = (int)facts.ssi_signo;
  return interrupt->signal;
}

void ts_interrupt_end(ts_interrupt *interrupt) {
  ts_interrupt_check(interrupt);
  if (interrupt->file >= 0)
    close(interrupt->file);
  interrupt->file = -1;
  if (interrupt->signal == 0)
    sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
}

void ts_interrupt_hold(sigset_t *out_before) {
  sigset_t held;
  sigemptyset(&held);
  for (size_t i = 0; i < SIGNAL_COUNT; i++)
    sigaddset(&held, signals[i]);
  sigprocmask(SIG_BLOCK, &held, out_before);
}

void ts_interrupt_release(const sigset_t *before) {
  sigprocmask(SIG_SETMASK, before, NULL);
}
