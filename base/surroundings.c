// SPDX-License-Identifier: MIT
#include "base/surroundings.h"

#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

/// Whether subnormal numbers are taken for zero, or results that would be subnormal become zero.
/// Without traps.
static bool flushes_subnormals(void) {
#ifdef __SSE2__
  const unsigned flush_to_zero = 1u << 15, are_zero = 1u << 6;
  return (_mm_getcsr() & (flush_to_zero | are_zero)) != 0; // computing with them is slow
#else
  volatile double smallest = DBL_MIN, subnormal = 4.9406564584124654e-324;
  volatile double half = smallest / 2, twice = subnormal * 2;
  return half == 0 || twice == 0;
#endif
}

uint32_t ts_surroundings_restore_numbers(void) {
  uint32_t changed = 0;
  if (fegetround() != FE_TONEAREST)
    changed |= TS_CHANGED_ROUNDING;
#ifdef __GLIBC__
  if (fegetexcept() != 0) {
    changed |= TS_CHANGED_TRAPS;
    fedisableexcept(FE_ALL_EXCEPT);
  }
#endif
  if (flushes_subnormals())
    changed |= TS_CHANGED_SUBNORMALS;
  fesetenv(FE_DFL_ENV);
  return changed;
}

void ts_surroundings_save(ts_surroundings *out) {
  struct stat here = {0};
  memset(out, 0, sizeof *out);
  if (!getcwd(out->directory, sizeof out->directory) || stat(".", &here) != 0)
    out->directory[0] = '\0';
  out->device = here.st_dev;
  out->inode = here.st_ino;
  out->umask = umask(0);
  umask(out->umask);
  sigprocmask(SIG_SETMASK, NULL, &out->blocked);
  for (int i = 0; i < (int)RLIM_NLIMITS; i++)
    getrlimit((__rlimit_resource_t)i, &out->limits[i]);
  const char *locale = setlocale(LC_ALL, NULL);
  snprintf(out->locale, sizeof out->locale, "%s", locale ? locale : "C");
}

/// Each of these returns what it found changed, and adds to `*lost` what it could not restore.
static uint32_t restore_directory(const ts_surroundings *kept, uint32_t *lost) {
  struct stat here = {0};
  if (kept->directory[0] == '\0' ||
      (stat(".", &here) == 0 && here.st_dev == kept->device && here.st_ino == kept->inode))
    return 0;
  if (chdir(kept->directory) != 0)
    *lost |= TS_CHANGED_DIRECTORY;
  return TS_CHANGED_DIRECTORY;
}

static uint32_t restore_signals(const ts_surroundings *kept) {
  sigset_t now;
  sigprocmask(SIG_SETMASK, &kept->blocked, &now);
  for (int i = 1; i < NSIG; i++)
    if (sigismember(&now, i) != sigismember(&kept->blocked, i))
      return TS_CHANGED_SIGNALS;
  return 0;
}

static uint32_t restore_timer(void) {
  const struct itimerval none = {.it_value = {0, 0}};
  struct itimerval now = {0};
  setitimer(ITIMER_REAL, &none, &now);
  return now.it_value.tv_sec != 0 || now.it_value.tv_usec != 0 ? TS_CHANGED_TIMER : 0;
}

static uint32_t restore_limits(const ts_surroundings *kept, uint32_t *lost) {
  uint32_t changed = 0;
  for (int i = 0; i < (int)RLIM_NLIMITS; i++) {
    const struct rlimit *was = &kept->limits[i];
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)i, &now) != 0 ||
        (now.rlim_cur == was->rlim_cur && now.rlim_max == was->rlim_max))
      continue;
    changed = TS_CHANGED_LIMITS;
    if (setrlimit((__rlimit_resource_t)i, was) != 0)
      *lost |= TS_CHANGED_LIMITS;
  }
  return changed;
}

static uint32_t restore_locale(const ts_surroundings *kept) {
  const char *now = setlocale(LC_ALL, NULL);
  if (now && strcmp(now, kept->locale) == 0)
    return 0;
  setlocale(LC_ALL, kept->locale);
  return TS_CHANGED_LOCALE;
}

uint32_t ts_surroundings_restore(const ts_surroundings *kept, uint32_t *out_lost) {
  uint32_t lost = 0;
  uint32_t changed = restore_timer() | restore_directory(kept, &lost) | restore_signals(kept) |
                     restore_limits(kept, &lost) | restore_locale(kept);
  if (umask(kept->umask) != kept->umask)
    changed |= TS_CHANGED_UMASK;
  if (out_lost)
    *out_lost = lost;
  return changed;
}

void ts_surroundings_words(char out[TS_CHANGED_TEXT_BYTES], uint32_t changed) {
  static const char *const words[TS_CHANGED_COUNT] = {"rounding",  "traps",  "subnormals",
                                                      "directory", "umask",  "signals",
                                                      "timer",     "limits", "locale"};
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0; i < TS_CHANGED_COUNT; i++)
    if (changed & 1u << i)
      used += (size_t)snprintf(out + used, TS_CHANGED_TEXT_BYTES - used, "%s%s",
                               used > 0 ? ", " : "", words[i]);
}
