// SPDX-License-Identifier: MIT
/// Timed repeats, and what is told of them.
#ifndef TS_HARNESS_TIMING_H
#define TS_HARNESS_TIMING_H

#include "base/arena.h"

/// How often and how long to time.
typedef struct ts_timing {
  int64_t repeats;     ///< 0: as many as min_time_s asks for; 1: one, cold, without warm-up
  double min_time_s;   ///< Repeat until the timed work took this long in all ...
  int64_t min_repeats; ///< ... and at least this often ...
  int64_t max_repeats; ///< ... but not more often.
} ts_timing;

typedef struct ts_samples {
  double *time_ns;   ///< [count], time of one pass each, in the arena
  double *waited_ns; ///< [count], share of it spent waiting for a processor; NaN: not known
  size_t count;
  size_t passes; ///< that each sample is the mean of
} ts_samples;

/// A stretch of time.
typedef struct ts_stretch {
  double time_ns;
  double waited_ns; ///< of it, for a processor; NaN: not known
} ts_stretch;

/// Adds the time since a start, when ts_clock_waited_ns() was `waited_ns`, to the stretch.
void ts_stretch_add(ts_stretch *stretch, int64_t start_ns, int64_t waited_ns);

/// Does the work `passes` times and gives the time that all took together.
typedef ts_status (*ts_timed_work)(ts_stretch *out, void *context, size_t passes);

/// How many passes one sample needs to last a thousand times the resolution of the clock, and its
/// share of the time that `timing` asks for: the work is done until it does, which warms it up.
ts_status ts_timing_calibrate(size_t *out_passes, const ts_timing *timing, ts_timed_work work,
                              void *context);

/// Takes samples of `passes` passes each as `timing` asks, at least one, and divides. Crowded ones
/// (ts_clock_was_crowded) do not fill the time and the number asked for, unless nothing else comes
/// in four times that time; an exact number of repeats is kept to.
ts_status ts_timing_sample(ts_samples *out, ts_arena *arena, const ts_timing *timing, size_t passes,
                           ts_timed_work work, void *context);

/// Least, median, and median absolute deviation from it, of the samples that are not crowded, or of
/// all when only TS_SAMPLES_MIN - 1 of those or fewer are left; NaN without samples.
#define TS_SAMPLES_MIN 5
typedef struct ts_time_statistics {
  double min_ns, median_ns, mad_ns;
} ts_time_statistics;

ts_status ts_samples_statistics(ts_time_statistics *out, ts_arena *arena, ts_samples samples);

#endif
