// SPDX-License-Identifier: MIT
/// Times the back ends of layered depth images on two tori.
#ifndef TS_TESTS_BENCHMARK_BENCH_LDI_H
#define TS_TESTS_BENCHMARK_BENCH_LDI_H

#include "tests/benchmark/bench_tori.h"

#include "ldi/ldi.h"

#include <stdio.h>

/// Width of the cells for which contacts are counted.
#define BENCH_LDI_CELL_PX 16

/// A back end with a number of threads, and its name in tables.
typedef struct bench_ldi_subject {
  const ts_ldi_backend *backend;
  int threads;
  char device[TS_LDI_DEVICE_BYTES];
} bench_ldi_subject;

enum { BENCH_LDI_SUBJECTS_MAX = 8 };

typedef struct bench_ldi_subjects {
  size_t count;
  bench_ldi_subject items[BENCH_LDI_SUBJECTS_MAX];
  char skipped[256]; ///< Why a back end is not measured; "" if all are.
} bench_ldi_subjects;

/// Every back end that works here, the reference first, with one thread and, if it uses threads,
/// with two; only those of the back end called `only` if that is not NULL. TS_E_INPUT if there is
/// no back end of that name, or it does not work here.
ts_status bench_ldi_subjects_list(bench_ldi_subjects *out, ts_arena *arena, const char *only);

/// One point of a sweep.
typedef struct bench_ldi_setting {
  const char *name; ///< Of the sweep: `triangles`, `resolution`, `both` or `allard_2010`.
  double triangles; ///< Of a torus, as requested.
  int resolution_px;
} bench_ldi_setting;

/// Each member is a column of the CSV file; bench_ldi_print_columns() explains them.
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
  double floor_ns, to_floor; ///< NaN until the caller has measured a floor.
  const char *device, *commit, *compiler, *build_type, *flags, *cpu;
} bench_ldi_row;

typedef struct bench_ldi_rows {
  size_t count;
  bench_ldi_row *items; ///< [count]
} bench_ldi_rows;

/// Called before each repeat of a setting; 0 is the warm-up.
typedef void (*bench_ldi_progress)(void *context, const bench_ldi_setting *setting, size_t repeat);

/// Measures one setting with all subjects: fills [subjects->count] rows except the texts about the
/// build. A repeat runs each subject once, in turn, so that a machine that slows down for a while
/// slows all of them. An uncounted warm-up comes first. TS_E_INPUT if a subject's volume differs
/// between repeats or numbers of threads.
ts_status bench_ldi_measure(bench_ldi_row *out, ts_arena *arena, const bench_tori *tori,
                            const bench_ldi_setting *setting, const bench_ldi_subjects *subjects,
                            size_t repeats, bench_ldi_progress progress, void *context);

ts_status bench_ldi_rows_write(const char *path, const bench_ldi_rows *rows);

/// Prints the meaning of each column of that file, a line each.
void bench_ldi_print_columns(FILE *file);

#endif
