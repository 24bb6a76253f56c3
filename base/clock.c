#include "base/clock.h"

#include <time.h>

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
