// SPDX-License-Identifier: MIT
/// What the helper programs have in common (geometry/mesh/helper_process.h asks them): limits on
/// themselves, no way to print, and how they read and write.
#ifndef TS_GEOMETRY_HELPER_PROGRAM_H
#define TS_GEOMETRY_HELPER_PROGRAM_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define TS_HELPER_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TS_HELPER_HAS_SANITIZER 1
#endif
#endif

/// Lowers a limit of this process to `value`; a lower one stays.
static inline void ts_helper_limit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0 || now.rlim_cur <= value)
    return;
  now.rlim_cur = value;
  setrlimit(resource, &now);
}

/// A crash of the library's ends this process by its signal, whatever handler a sanitizer has put
/// in.
static inline void ts_helper_take_no_signals(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    signal(numbers[i], SIG_DFL);
}

/// Leaves the library nothing to print to. Returns where the answer goes; -1 when that fails.
static inline int ts_helper_take_output(void) {
  int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (output < 0 || nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
      dup2(nothing, STDERR_FILENO) < 0)
    return -1;
  return output;
}

/// Ends with the program that asks, leaves no core, and may have `address_space` bytes of memory.
/// Returns where the answer goes; -1 when that fails.
static inline int ts_helper_start(rlim_t address_space) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  ts_helper_limit(RLIMIT_CORE, 0);
#if defined(TS_HELPER_HAS_SANITIZER) // which reserves terabytes
  (void)address_space;
#else
  ts_helper_limit(RLIMIT_AS, address_space);
#endif
  return ts_helper_take_output();
}

/// Up to `count` bytes of standard input: fewer at its end. -1 when that fails.
static inline ssize_t ts_helper_read(void *out, size_t count) {
  const size_t most = (size_t)1 << 16;
  size_t had = 0;
  while (had < count) {
    ssize_t got =
        read(STDIN_FILENO, (unsigned char *)out + had, count - had < most ? count - had : most);
    if (got < 0 && errno != EINTR)
      return -1;
    if (got == 0)
      break;
    had += got > 0 ? (size_t)got : 0;
  }
  return (ssize_t)had;
}

/// Writes all bytes; false when that fails.
static inline bool ts_helper_write(int output, const void *bytes, size_t count) {
  const unsigned char *next = (const unsigned char *)bytes;
  while (count > 0) {
    ssize_t written = write(output, next, count);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    next += written;
    count -= (size_t)written;
  }
  return true;
}

#endif
