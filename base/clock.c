// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CROWDED_SHARE 0.1

int64_t ts_clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t ts_clock_resolution_ns(void) {
  int64_t smallest = INT64_MAX;
  for (int i = 0; i < 64; i++) {
    int64_t start = ts_clock_ns(), end = start;
    while (end == start)
      end = ts_clock_ns();
    if (end - start < smallest)
      smallest = end - start;
  }
  return smallest;
}

int64_t ts_clock_waited_ns(void) {
  // "time on a processor, time waited for one, number of turns", in nanoseconds.
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return -1;
  char text[128];
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = '\0';
  const char *second = strchr(text, ' ');
  return second ? strtoll(second, NULL, 10) : -1;
}

bool ts_clock_was_crowded(double time_ns, double waited_ns) {
  return waited_ns > CROWDED_SHARE * time_ns;
}
