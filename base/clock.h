// SPDX-License-Identifier: MIT
/// Monotonic time.
#ifndef TS_BASE_CLOCK_H
#define TS_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/// Nanoseconds on a monotonic clock; only differences mean anything.
int64_t ts_clock_ns(void);

/// The smallest difference, above zero, seen between two readings of the clock in a row [ns].
int64_t ts_clock_resolution_ns(void);

/// Time [ns] that the calling thread was ready to run and waited for a processor, since it began;
/// -1 where the system does not know. Only differences mean anything. Takes some microseconds.
int64_t ts_clock_waited_ns(void);

/// Whether a measured time is unreliable because the thread waited for a processor for more than a
/// tenth of it; false when that is unknown (NaN).
bool ts_clock_was_crowded(double time_ns, double waited_ns);

#endif
