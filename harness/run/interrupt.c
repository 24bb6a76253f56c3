// SPDX-License-Identifier: MIT
#include "harness/run/interrupt.h"

#include <stddef.h>
#include <string.h>
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

void ts_interrupt_release_done(const sigset_t *before) {
  for (size_t i = 0; i < SIGNAL_COUNT; i++) {
    struct sigaction action;
    if (sigaction(signals[i], &(struct sigaction){.sa_handler = SIG_IGN}, &action) == 0)
      sigaction(signals[i], &action, NULL);
  }
  ts_interrupt_release(before);
}

// What a signal handler says.
static struct {
  const char *start, *text;
  pid_t process;
} words;

static void write_text(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    return; // there is nobody left to tell
}

/// Calls only what a signal handler may.
static void end_with_words(int number) {
  if (getpid() == words.process) {
    write_text(words.start);
    write_text("touchstone: interrupted; ");
    write_text(words.text);
    write_text("\n");
  }
  signal(number, SIG_DFL);
  raise(number); // blocked until this returns
}

void ts_interrupt_say(const char *text) {
  words.start = isatty(STDERR_FILENO) ? "\n" : ""; // a line about progress may be there
  words.text = text;
  words.process = getpid();
  for (size_t i = 0; i < SIGNAL_COUNT; i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaction(signals[i], &(struct sigaction){.sa_handler = end_with_words}, NULL);
  }
}
