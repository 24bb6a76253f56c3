// SPDX-License-Identifier: MIT
/// Times the back ends of layered depth images on two tori.
#ifndef TS_TESTS_BENCHMARK_BENCH_LDI_H
#define TS_TESTS_BENCHMARK_BENCH_LDI_H

#include "tests/benchmark/bench_tori.h"

#include "ldi/ldi.h"

#include <stdio.h>

/// Width of the cells that contacts are counted in.
#define BENCH_LDI_CELL_PX 16

/// A back end with so many threads, as the tables call it.
typedef struct bench_ldi_subject {
  const ts_ldi_backend *backend;
  int threads;
  char device[TS_LDI_DEVICE_BYTES];
} bench_ldi_subject;

enum { BENCH_LDI_SUBJECTS_MAX = 8 };

typedef struct bench_ldi_subjects {
  size_t count;
  bench_ldi_subject items[BENCH_LDI_SUBJECTS_MAX];
  char skipped[256]; ///< Why a back end was left out; "" when none was.
} bench_ldi_subjects;

/// Every back end that works here, the reference first, with one thread and with two where it uses
/// threads; only those of the back end called `only` when that is not NULL. TS_E_INPUT when there
/// is none of that name, or it does not work here.
ts_status bench_ldi_subjects_list(bench_ldi_subjects *out, ts_arena *arena, const char *only);

/// One point of a sweep.
typedef struct bench_ldi_setting {
  const char *name; ///< Of the sweep: `triangles`, `resolution`, `both` or `allard_2010`.
  double triangles; ///< Of a torus, as asked for.
  int resolution_px;
} bench_ldi_setting;

/// Each member is a column of the CSV file; bench_ldi_print_columns() tells what each is.
typedef struct bench_ldi_row {
  const char *setting, *backend;
  double threads, triangles, resolution_px;
  double size_x_px, size_y_px, size_z_px;
  double pixels, crossings, layers_max, volume_m3, contacts, repeats;
  double time_ns_min, time_ns_median, time_ns_mad;
  double place_ns_min, place_ns_median;
  double measure_ns_min, measure_ns_median;
  double ns_per_crossing, contacts_ns;
  double to_one_thread, to_cpu;
  const char *device, *commit, *compiler, *build_type, *flags, *cpu;
} bench_ldi_row;

typedef struct bench_ldi_rows {
  size_t count;
  bench_ldi_row *items; ///< [count]
} bench_ldi_rows;

/// Is told before each repeat of a setting, 0 being the one that warms up.
typedef void (*bench_ldi_progress)(void *context, const bench_ldi_setting *setting, size_t repeat);

/// Measures one setting with all subjects, [subjects->count] rows, all but the texts about the
/// build. One repeat is each subject once, in turn, so that a machine that slows down for a while
/// slows all of them. A repeat before the first warms everything and is not counted. TS_E_INPUT
/// when a subject's volume is another in some repeat, or with more threads.
ts_status bench_ldi_measure(bench_ldi_row *out, ts_arena *arena, const bench_tori *tori,
                            const bench_ldi_setting *setting, const bench_ldi_subjects *subjects,
                            size_t repeats, bench_ldi_progress progress, void *context);

ts_status bench_ldi_rows_write(const char *path, const bench_ldi_rows *rows);

/// What each column of that file is, a line each.
void bench_ldi_print_columns(FILE *file);

#endif
