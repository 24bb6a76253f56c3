// SPDX-License-Identifier: MIT
/// Timed repeats and their statistics.
#ifndef TS_HARNESS_TIMING_H
#define TS_HARNESS_TIMING_H

#include "base/arena.h"

/// How many repeats to time, and for how long.
typedef struct ts_timing {
  int64_t repeats;     ///< 0: as many as min_time_s requires; 1: a single cold one, without warm-up
  double min_time_s;   ///< Repeat until the timed work took this long in total ...
  int64_t min_repeats; ///< ... and at least this often ...
  int64_t max_repeats; ///< ... but at most this often.
} ts_timing;

typedef struct ts_samples {
  double *time_ns;   ///< [count], time of one pass each, in the arena
  double *waited_ns; ///< [count], part of it spent waiting for a processor; NaN: unknown
  size_t count;
  size_t passes; ///< each sample is the mean of this many passes
} ts_samples;

/// A stretch of time.
typedef struct ts_stretch {
  double time_ns;
  double waited_ns; ///< part of it spent waiting for a processor; NaN: unknown
} ts_stretch;

/// Adds the time since `start_ns`. Exact, so that it does no harm that the work may have left
/// another rounding mode, or traps.
void ts_stretch_add_time(ts_stretch *stretch, int64_t start_ns);

/// Adds the wait since ts_clock_waited_ns() was `waited_ns`.
void ts_stretch_add_wait(ts_stretch *stretch, int64_t waited_ns);

/// Does the work `passes` times and gives the total time.
typedef ts_status (*ts_timed_work)(ts_stretch *out, void *context, size_t passes);

/// Finds the number of passes with which one sample lasts a thousand times the resolution of the
/// clock, and its share of the time that `timing` asks for. Repeats the work until it does, which
/// also serves as warm-up.
ts_status ts_timing_calibrate(size_t *out_passes, const ts_timing *timing, ts_timed_work work,
                              void *context);

/// Takes at least one sample of `passes` passes each, as `timing` asks, and divides by `passes`.
/// Crowded samples (ts_clock_was_crowded) do not count towards the requested time and number,
/// unless there are no others within four times that time; an exact number of repeats is always
/// kept.
ts_status ts_timing_sample(ts_samples *out, ts_arena *arena, const ts_timing *timing, size_t passes,
                           ts_timed_work work, void *context);

/// Minimum, median, and median absolute deviation of the samples that are not crowded, or of all
/// samples if fewer than TS_SAMPLES_MIN are not crowded; NaN without samples.
#define TS_SAMPLES_MIN 5
typedef struct ts_time_statistics {
  double min_ns, median_ns, mad_ns;
} ts_time_statistics;

ts_status ts_samples_statistics(ts_time_statistics *out, ts_arena *arena, ts_samples samples);

#endif
