// SPDX-License-Identifier: MIT
/// Compares the back ends of layered depth images with the reference.
#ifndef TS_TESTS_BENCHMARK_BENCH_LDI_CHECK_H
#define TS_TESTS_BENCHMARK_BENCH_LDI_CHECK_H

#include "tests/benchmark/bench_ldi.h"

/// Tolerances of a back end in single precision.
#define BENCH_LDI_LAYERS_SHARE    5e-4 ///< Of the pixels, with another number of crossings.
#define BENCH_LDI_VOLUME_RELATIVE 1e-4 ///< Of the volume.
#define BENCH_LDI_WRENCH_RELATIVE 1e-3 ///< Of the overlap's surface, for force and moment.
#define BENCH_LDI_VERTEX_RELATIVE 1e-2 ///< Likewise, summed over the gradients by single vertices.

/// Errors of a subject in one pose, relative as above.
typedef struct bench_ldi_difference {
  double layers, volume, force, moment, vertices;
  bool is_same; ///< Volume and gradient are equal to the last bit.
} bench_ldi_difference;

/// Compares a subject with the reference on one thread.
ts_status bench_ldi_compare(bench_ldi_difference *out, const bench_tori *tori, int resolution_px,
                            const bench_ldi_subject *subject);

/// Whether the errors are within the tolerances; for the reference itself, with any number of
/// threads, the bits must be the same.
bool bench_ldi_agrees(const bench_ldi_difference *difference, const bench_ldi_subject *subject);

/// The maximum of each member of the two.
bench_ldi_difference bench_ldi_worse(bench_ldi_difference a, bench_ldi_difference b);

#endif
