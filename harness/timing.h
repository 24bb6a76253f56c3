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
  double *time_ns; ///< [count], time of one pass each, in the arena
  size_t count;
  size_t passes; ///< that each sample is the mean of
} ts_samples;

/// Does the work `passes` times and gives the time that all took together [ns].
typedef ts_status (*ts_timed_work)(double *out_ns, void *context, size_t passes);

/// How many passes one sample needs to last a thousand times the resolution of the clock, and its
/// share of the time that `timing` asks for: the work is done until it does, which warms it up.
ts_status ts_timing_calibrate(size_t *out_passes, const ts_timing *timing, ts_timed_work work,
                              void *context);

/// Takes samples of `passes` passes each as `timing` asks, at least one, and divides.
ts_status ts_timing_sample(ts_samples *out, ts_arena *arena, const ts_timing *timing, size_t passes,
                           ts_timed_work work, void *context);

/// Least, median, and median absolute deviation from it; NaN without samples.
typedef struct ts_time_statistics {
  double min_ns, median_ns, mad_ns;
} ts_time_statistics;

ts_status ts_samples_statistics(ts_time_statistics *out, ts_arena *arena, ts_samples samples);

#endif
