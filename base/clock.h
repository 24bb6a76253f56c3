/// Monotonic time.
#ifndef TS_BASE_CLOCK_H
#define TS_BASE_CLOCK_H

#include <stdint.h>

/// Nanoseconds on a monotonic clock; only differences mean anything.
int64_t ts_clock_ns(void);

/// The smallest difference, above zero, seen between two readings of the clock in a row [ns].
int64_t ts_clock_resolution_ns(void);

#endif
