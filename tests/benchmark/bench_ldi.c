// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_ldi.h"

#include "base/clock.h"
#include "base/quantile.h"
#include "base/status.h"
#include "harness/plan/names.h"
#include "harness/run/timing.h"
#include "tests/benchmark/bench_csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT(member, summary)   BENCH_TEXT(bench_ldi_row, member, summary)
#define NUMBER(member, summary) BENCH_NUMBER(bench_ldi_row, member, summary)

/// In the order of the file.
static const bench_column columns[] = {
    TEXT(setting, "triangles, resolution (the sweeps), both (of the lists), allard_2010"),
    TEXT(backend, "of layered depth images"),
    NUMBER(threads, "used by the cpu back end"),
    NUMBER(triangles, "of each torus"),
    NUMBER(resolution_px, "along the longest side of the overlap box"),
    NUMBER(size_x_px, "the whole grid along x"),
    NUMBER(size_y_px, "along y"),
    NUMBER(size_z_px, "along z"),
    NUMBER(pixels, "in the three views"),
    NUMBER(crossings, "intersections of lines of sight with surfaces, in the three views"),
    NUMBER(layers_max, "maximum crossings in a pixel"),
    NUMBER(volume_m3, "of the overlap"),
    NUMBER(contacts, "in cells of 16 px"),
    NUMBER(repeats, "timed repeats"),
    NUMBER(time_ns_min, "to place and to measure, minimum over the repeats"),
    NUMBER(time_ns_median, "the same, median"),
    NUMBER(time_ns_mad, "the same, median absolute deviation"),
    NUMBER(place_ns_min, "to set the poses, minimum"),
    NUMBER(place_ns_median, "the same, median"),
    NUMBER(measure_ns_min, "for volume and gradient, minimum"),
    NUMBER(measure_ns_median, "the same, median"),
    NUMBER(ns_per_crossing, "time_ns_median over crossings"),
    NUMBER(contacts_ns, "to find the contacts in cells, once"),
    NUMBER(to_one_thread, "time over that with one thread, median of the repeats"),
    NUMBER(to_cpu, "time over that of cpu with one thread, median; nan without cpu"),
    NUMBER(floor_ns, "what it takes at least on one core (--floor); nan without it"),
    NUMBER(to_floor, "time_ns_min of cpu with one thread over floor_ns; nan for others"),
    TEXT(device, "on which the back end runs"),
    TEXT(commit, "of the sources"),
    TEXT(compiler, "name and version"),
    TEXT(build_type, "of CMake"),
    TEXT(flags, "of the compiler, without warnings"),
    TEXT(cpu, "as the system names it"),
};

enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

void bench_ldi_print_columns(FILE *file) {
  bench_csv_print_columns(file, columns, COLUMN_COUNT);
}

ts_status bench_ldi_rows_write(const char *path, const bench_ldi_rows *rows) {
  return bench_csv_write(
      path, &(bench_csv){columns, COLUMN_COUNT, rows->items, rows->count, sizeof *rows->items});
}

static ts_status check_name(ts_arena *arena, const char *name) {
  if (ts_ldi_backend_find(name))
    return TS_OK;
  size_t count = 0;
  while (ts_ldi_backends[count])
    count++;
  const char **names = ts_arena_array(arena, count, sizeof *names);
  if (!names)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    names[i] = ts_ldi_backends[i]->name;
  return ts_names_unknown("back end called", name, names, count);
}

ts_status bench_ldi_subjects_list(bench_ldi_subjects *out, ts_arena *arena, const char *only) {
  *out = (bench_ldi_subjects){0};
  if (only)
    TS_TRY(check_name(arena, only));
  for (size_t i = 0; ts_ldi_backends[i]; i++) {
    const ts_ldi_backend *b = ts_ldi_backends[i];
    bench_ldi_subject s = {.backend = b, .threads = 1};
    if (only && strcmp(only, b->name) != 0)
      continue;
    ts_status status = b->probe(s.device);
    if (status == TS_SKIPPED && only)
      return ts_fail(TS_E_INPUT, "%s does not work here: %.900s", b->name, ts_status_detail());
    if (status == TS_SKIPPED) {
      snprintf(out->skipped, sizeof out->skipped, "%s is not measured: %s", b->name,
               ts_status_detail());
      continue;
    }
    if (status != TS_OK)
      return status;
    // Only the reference uses threads; others use a graphics card.
    for (s.threads = 1; s.threads <= (b == ts_ldi_backends[0] ? 2 : 1); s.threads++)
      if (out->count < BENCH_LDI_SUBJECTS_MAX)
        out->items[out->count++] = s;
  }
  return TS_OK;
}

/// State of a subject while measuring, and its times [count].
typedef struct run {
  ts_ldi *ldi;
  size_t count;
  double *place_ns, *measure_ns, *time_ns;
  double volume_m3; ///< NaN before the first pass.
} run;

static ts_status open_run(run *out, ts_arena *arena, const bench_tori *tori,
                          const bench_ldi_subject *subject, size_t repeats) {
  *out = (run){.volume_m3 = (double)NAN};
  out->place_ns = ts_arena_array(arena, repeats, sizeof(double));
  out->measure_ns = ts_arena_array(arena, repeats, sizeof(double));
  out->time_ns = ts_arena_array(arena, repeats, sizeof(double));
  if (!out->place_ns || !out->measure_ns || !out->time_ns)
    return TS_E_MEMORY;
  return ts_ldi_create_for_meshes(&out->ldi, subject->backend, tori->mesh[0], tori->mesh[1],
                                  subject->threads);
}

static ts_status pass(run *r, const bench_tori *tori, const bench_ldi_setting *setting,
                      const char *name, bool is_counted) {
  ts_ldi_overlap overlap;
  int64_t start = ts_clock_ns();
  TS_TRY(ts_ldi_place(r->ldi, tori->pose[0], tori->pose[1], setting->resolution_px));
  int64_t placed = ts_clock_ns();
  TS_TRY(ts_ldi_measure(&overlap, r->ldi));
  int64_t end = ts_clock_ns();
  if (!isnan(r->volume_m3) && r->volume_m3 != overlap.volume_m3)
    return ts_fail(TS_E_INPUT, "%s gives %.17g m3, then %.17g, for the same bodies; it is wrong",
                   name, r->volume_m3, overlap.volume_m3);
  r->volume_m3 = overlap.volume_m3;
  if (is_counted) {
    r->place_ns[r->count] = (double)(placed - start);
    r->measure_ns[r->count] = (double)(end - placed);
    r->time_ns[r->count++] = (double)(end - start);
  }
  return TS_OK;
}

static ts_status take_times(run *runs, const bench_tori *tori, const bench_ldi_setting *setting,
                            const bench_ldi_subjects *subjects, size_t repeats,
                            bench_ldi_progress progress, void *context) {
  for (size_t repeat = 0; repeat <= repeats; repeat++) {
    progress(context, setting, repeat);
    for (size_t i = 0; i < subjects->count; i++)
      TS_TRY(pass(&runs[i], tori, setting, subjects->items[i].backend->name, repeat > 0));
  }
  for (size_t i = 1; i < subjects->count; i++)
    if (subjects->items[i].backend == subjects->items[i - 1].backend &&
        runs[i].volume_m3 != runs[i - 1].volume_m3)
      return ts_fail(TS_E_INPUT, "%s gives %.17g m3 with %d threads, %.17g with %d; it is wrong",
                     subjects->items[i].backend->name, runs[i].volume_m3,
                     subjects->items[i].threads, runs[i - 1].volume_m3,
                     subjects->items[i - 1].threads);
  return TS_OK;
}

/// The contents of the images of a placed pair.
static ts_status count_crossings(bench_ldi_row *out, ts_ldi *ldi) {
  const ts_ldi_grid *grid = &ts_ldi_placed(ldi)->grid;
  out->size_x_px = grid->size[0];
  out->size_y_px = grid->size[1];
  out->size_z_px = grid->size[2];
  for (int axis = 0; axis < 3 && !ts_ldi_grid_is_empty(grid); axis++)
    for (int32_t band = 0; band < ts_ldi_band_count(grid, axis); band++) {
      ts_ldi_image image;
      TS_TRY(ts_ldi_render(&image, ldi, axis, band));
      size_t pixels = (size_t)image.row_count * (size_t)image.column_count;
      out->pixels += (double)pixels;
      out->crossings += (double)image.start[pixels];
      for (size_t i = 0; i < pixels; i++)
        out->layers_max = fmax(out->layers_max, image.start[i + 1] - image.start[i]);
    }
  return TS_OK;
}

static ts_status count_contact(void *context, const ts_contact *contact) {
  (void)contact;
  ++*(double *)context;
  return TS_OK;
}

/// Median over the repeats of the ratio of the time to that of another subject in the same repeat.
static double ratio_to(double *work, const run *r, const run *to) {
  for (size_t i = 0; i < r->count; i++)
    work[i] = r->time_ns[i] / to->time_ns[i];
  return ts_quantile(work, r->count, 0.5);
}

static ts_status fill_times(bench_ldi_row *out, ts_arena *arena, const run *r) {
  ts_time_statistics time, place, measure;
  TS_TRY(ts_samples_statistics(
      &time, arena, (ts_samples){.time_ns = r->time_ns, .count = r->count, .passes = 1}));
  TS_TRY(ts_samples_statistics(
      &place, arena, (ts_samples){.time_ns = r->place_ns, .count = r->count, .passes = 1}));
  TS_TRY(ts_samples_statistics(
      &measure, arena, (ts_samples){.time_ns = r->measure_ns, .count = r->count, .passes = 1}));
  out->repeats = (double)r->count;
  out->time_ns_min = time.min_ns;
  out->time_ns_median = time.median_ns;
  out->time_ns_mad = time.mad_ns;
  out->place_ns_min = place.min_ns;
  out->place_ns_median = place.median_ns;
  out->measure_ns_min = measure.min_ns;
  out->measure_ns_median = measure.median_ns;
  out->ns_per_crossing = time.median_ns / out->crossings;
  return TS_OK;
}

static ts_status fill_row(bench_ldi_row *out, ts_arena *arena, const bench_tori *tori,
                          const bench_ldi_setting *setting, const bench_ldi_subjects *subjects,
                          const run *runs, size_t index) {
  const bench_ldi_subject *s = &subjects->items[index];
  const run *r = &runs[index];
  *out = (bench_ldi_row){.setting = setting->name,
                         .backend = s->backend->name,
                         .threads = s->threads,
                         .triangles = tori->triangles,
                         .resolution_px = setting->resolution_px,
                         .volume_m3 = r->volume_m3,
                         .to_cpu = (double)NAN,
                         .floor_ns = (double)NAN,
                         .to_floor = (double)NAN,
                         .device = ts_arena_string(arena, s->device)};
  double *work = ts_arena_array(arena, r->count, sizeof *work);
  if (!out->device || !work)
    return TS_E_MEMORY;
  TS_TRY(count_crossings(out, r->ldi));
  TS_TRY(fill_times(out, arena, r));
  int64_t start = ts_clock_ns();
  TS_TRY(ts_ldi_contacts(r->ldi, BENCH_LDI_CELL_PX, count_contact, &out->contacts));
  out->contacts_ns = (double)(ts_clock_ns() - start);
  size_t single = index;
  while (single > 0 && subjects->items[single - 1].backend == s->backend)
    single--;
  out->to_one_thread = ratio_to(work, r, &runs[single]);
  if (subjects->items[0].backend == ts_ldi_backends[0])
    out->to_cpu = ratio_to(work, r, &runs[0]);
  return TS_OK;
}

ts_status bench_ldi_measure(bench_ldi_row *out, ts_arena *arena, const bench_tori *tori,
                            const bench_ldi_setting *setting, const bench_ldi_subjects *subjects,
                            size_t repeats, bench_ldi_progress progress, void *context) {
  run runs[BENCH_LDI_SUBJECTS_MAX] = {0};
  ts_status status = TS_OK;
  for (size_t i = 0; i < subjects->count && status == TS_OK; i++)
    status = open_run(&runs[i], arena, tori, &subjects->items[i], repeats);
  if (status == TS_OK)
    status = take_times(runs, tori, setting, subjects, repeats, progress, context);
  for (size_t i = 0; i < subjects->count && status == TS_OK; i++)
    status = fill_row(&out[i], arena, tori, setting, subjects, runs, i);
  for (size_t i = 0; i < subjects->count; i++)
    ts_ldi_destroy(runs[i].ldi);
  return status;
}
