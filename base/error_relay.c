// SPDX-License-Identifier: MIT
#include "base/error_relay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/// What is read at once: a pipe that is ready takes as much.
#define PART_BYTES 4096

/// Parts that a pipe holds, which the system has given its usual size.
#define PASSES_MAX (65536 / PART_BYTES)

int ts_error_relay_open(ts_error_relay *out, int *out_end, const char *who) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return errno;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *out = (ts_error_relay){.who = who, .file = ends[0]};
  *out_end = ends[1];
  return 0;
}

static bool can_write(void) {
  struct pollfd error = {.fd = STDERR_FILENO, .events = POLLOUT};
  return poll(&error, 1, 0) > 0;
}

struct pollfd ts_error_relay_poll(const ts_error_relay *relay) {
  return (struct pollfd){.fd = can_write() ? relay->file : -1, .events = POLLIN};
}

/// Says once that the rest is dropped.
static void say_dropped(const ts_error_relay *relay) {
  char line[512];
  int count = snprintf(line, sizeof line,
                       "\ntouchstone: %.300s has said more than %d KiB on standard error; the rest "
                       "is not shown\n",
                       relay->who, TS_ERROR_RELAY_BYTES_MAX / 1024);
  (void)!write(STDERR_FILENO, line, (size_t)count);
}

/// False: nothing is there, or standard error takes no more now.
static bool pass_some(ts_error_relay *relay) {
  char bytes[PART_BYTES];
  if (relay->file < 0 || !can_write())
    return false;
  ssize_t count = read(relay->file, bytes, sizeof bytes);
  if (count <= 0) {
    if (count == 0) { // every process has closed it
      close(relay->file);
      relay->file = -1;
    }
    return false;
  }
  size_t room = TS_ERROR_RELAY_BYTES_MAX - relay->bytes;
  size_t shown = (size_t)count < room ? (size_t)count : room;
  if (shown > 0)
    (void)!write(STDERR_FILENO, bytes, shown);
  if (shown < (size_t)count && !relay->is_dropping)
    say_dropped(relay);
  relay->is_dropping = shown < (size_t)count;
  relay->bytes += shown;
  return true;
}

void ts_error_relay_pass(ts_error_relay *relay) {
  // No more than was there at first, so that it returns although others go on writing.
  for (int i = 0; i < PASSES_MAX && pass_some(relay); i++)
    continue;
}

void ts_error_relay_close(ts_error_relay *relay) {
  ts_error_relay_pass(relay);
  if (relay->file >= 0)
    close(relay->file);
  relay->file = -1;
}
