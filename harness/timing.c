#include "harness/timing.h"

#include "base/clock.h"
#include "base/status.h"
#include "harness/metrics/metric.h"

#include <math.h>
#include <string.h>

/// A sample this many times as long as the clock's resolution is right to a tenth of a percent.
#define RESOLUTIONS_PER_SAMPLE 1000

/// The largest number of repeats is to fill the time asked for although some turn out shorter than
/// the one that was calibrated with.
#define SHARE_MARGIN 1.2

/// A first pass far below the clock's resolution must not ask for passes without end.
#define GROWTH_MAX 10

ts_status ts_timing_calibrate(size_t *out_passes, const ts_timing *timing, ts_timed_work work,
                              void *context) {
  double target_ns = RESOLUTIONS_PER_SAMPLE * (double)ts_clock_resolution_ns();
  if (timing->repeats == 0)
    target_ns = fmax(target_ns, SHARE_MARGIN * 1e9 * timing->min_time_s /
                                    fmax(1, (double)timing->max_repeats));
  size_t passes = 1;
  for (;;) {
    double time_ns;
    TS_TRY(work(&time_ns, context, passes));
    if (time_ns >= target_ns)
      break;
    double growth = fmin(GROWTH_MAX, 1.1 * target_ns / fmax(time_ns, 1));
    passes = (size_t)ceil((double)passes * growth);
  }
  *out_passes = passes;
  return TS_OK;
}

static bool is_enough(const ts_timing *timing, size_t count, double total_ns) {
  if (count == 0)
    return false;
  if (timing->repeats > 0)
    return (int64_t)count >= timing->repeats;
  if ((int64_t)count >= timing->max_repeats)
    return true;
  return (int64_t)count >= timing->min_repeats && total_ns >= 1e9 * timing->min_time_s;
}

ts_status ts_timing_sample(ts_samples *out, ts_arena *arena, const ts_timing *timing, size_t passes,
                           ts_timed_work work, void *context) {
  ts_samples samples = {.passes = passes};
  size_t capacity = 0;
  double total_ns = 0;
  while (!is_enough(timing, samples.count, total_ns)) {
    if (samples.count == capacity) {
      capacity = capacity ? 2 * capacity : 64;
      double *longer = ts_arena_array(arena, capacity, sizeof *longer);
      if (!longer)
        return TS_E_MEMORY;
      if (samples.count > 0)
        memcpy(longer, samples.time_ns, samples.count * sizeof *longer);
      samples.time_ns = longer;
    }
    double time_ns;
    TS_TRY(work(&time_ns, context, passes));
    samples.time_ns[samples.count++] = time_ns / (double)passes;
    total_ns += time_ns;
  }
  *out = samples;
  return TS_OK;
}

ts_status ts_samples_statistics(ts_time_statistics *out, ts_arena *arena, ts_samples samples) {
  double *work = ts_arena_array(arena, samples.count, sizeof *work);
  if (!work)
    return TS_E_MEMORY;
  if (samples.count > 0)
    memcpy(work, samples.time_ns, samples.count * sizeof *work);
  out->min_ns = ts_quantile(work, samples.count, 0);
  out->median_ns = ts_quantile(work, samples.count, 0.5);
  for (size_t i = 0; i < samples.count; i++)
    work[i] = fabs(work[i] - out->median_ns);
  out->mad_ns = ts_quantile(work, samples.count, 0.5);
  return TS_OK;
}
