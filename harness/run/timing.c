// SPDX-License-Identifier: MIT
#include "harness/run/timing.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/quantile.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/// A sample that lasts this many clock resolutions is accurate to a tenth of a percent.
#define RESOLUTIONS_PER_SAMPLE 1000

/// Margin of the maximum number of repeats, so that they fill the requested time even if some are
/// shorter than the calibrated one.
#define SHARE_MARGIN 1.2

/// Maximum time for samples on a machine that is busy with other processes, relative to the
/// requested time.
#define CROWDED_MAX 4

/// Limits the growth of passes after a first pass far below the clock's resolution.
#define GROWTH_MAX 10

void ts_stretch_add_time(ts_stretch *stretch, int64_t start_ns) {
  int64_t end_ns = ts_clock_ns();
  stretch->time_ns += (double)(end_ns - start_ns);
}

void ts_stretch_add_wait(ts_stretch *stretch, int64_t waited_ns) {
  int64_t now_ns = ts_clock_waited_ns();
  stretch->waited_ns += waited_ns < 0 || now_ns < 0 ? (double)NAN : (double)(now_ns - waited_ns);
}

ts_status ts_timing_calibrate(size_t *out_passes, const ts_timing *timing, ts_timed_work work,
                              void *context) {
  double target_ns = RESOLUTIONS_PER_SAMPLE * (double)ts_clock_resolution_ns();
  if (timing->repeats == 0)
    target_ns = fmax(target_ns, SHARE_MARGIN * 1e9 * timing->min_time_s /
                                    fmax(1, (double)timing->max_repeats));
  size_t passes = 1;
  for (;;) {
    ts_stretch stretch = {0};
    TS_TRY(work(&stretch, context, passes));
    if (stretch.time_ns >= target_ns)
      break;
    double growth = fmin(GROWTH_MAX, 1.1 * target_ns / fmax(stretch.time_ns, 1));
    passes = (size_t)ceil((double)passes * growth);
  }
  *out_passes = passes;
  return TS_OK;
}

/// Samples so far.
typedef struct tally {
  int64_t count, quiet_count;
  double time_ns, quiet_ns;
} tally;

static bool is_enough(const ts_timing *timing, const tally *t) {
  if (t->count == 0)
    return false;
  if (timing->repeats > 0)
    return t->count >= timing->repeats;
  if (t->count >= timing->max_repeats)
    return true;
  double wanted_ns = 1e9 * timing->min_time_s;
  return (t->quiet_count >= timing->min_repeats && t->quiet_ns >= wanted_ns) ||
         (t->count >= timing->min_repeats && t->time_ns >= CROWDED_MAX * wanted_ns);
}

ts_status ts_timing_sample(ts_samples *out, ts_arena *arena, const ts_timing *timing, size_t passes,
                           ts_timed_work work, void *context) {
  ts_samples samples = {.passes = passes};
  size_t time_capacity = 0, wait_capacity = 0;
  tally t = {0};
  while (!is_enough(timing, &t)) {
    TS_TRY(TS_ARENA_GROW(samples.time_ns, time_capacity, samples.count, 1, arena));
    TS_TRY(TS_ARENA_GROW(samples.waited_ns, wait_capacity, samples.count, 1, arena));
    ts_stretch stretch = {0};
    TS_TRY(work(&stretch, context, passes));
    samples.time_ns[samples.count] = stretch.time_ns / (double)passes;
    samples.waited_ns[samples.count++] = stretch.waited_ns / (double)passes;
    t.count++;
    t.time_ns += stretch.time_ns;
    if (!ts_clock_was_crowded(stretch.time_ns, stretch.waited_ns)) {
      t.quiet_count++;
      t.quiet_ns += stretch.time_ns;
    }
  }
  *out = samples;
  return TS_OK;
}

ts_status ts_samples_statistics(ts_time_statistics *out, ts_arena *arena, ts_samples samples) {
  double *work = ts_arena_array(arena, samples.count, sizeof *work);
  if (!work)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < samples.count; i++)
    if (!samples.waited_ns || !ts_clock_was_crowded(samples.time_ns[i], samples.waited_ns[i]))
      work[count++] = samples.time_ns[i];
  if (count < TS_SAMPLES_MIN && samples.count > 0) {
    count = samples.count;
    memcpy(work, samples.time_ns, count * sizeof *work);
  }
  out->min_ns = ts_quantile(work, count, 0);
  out->median_ns = ts_quantile(work, count, 0.5);
  for (size_t i = 0; i < count; i++)
    work[i] = fabs(work[i] - out->median_ns);
  out->mad_ns = ts_quantile(work, count, 0.5);
  return TS_OK;
}
