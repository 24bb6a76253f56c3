// SPDX-License-Identifier: MIT
/// The printed tables of benchmark_ldi.
#ifndef TS_TESTS_BENCHMARK_BENCH_LDI_PRINT_H
#define TS_TESTS_BENCHMARK_BENCH_LDI_PRINT_H

#include "tests/benchmark/bench_ldi.h"
#include "tests/benchmark/bench_ldi_floor.h"

#include <stdio.h>

void bench_ldi_print_header(FILE *file);
/// The floor of a setting, and the ratio to it of the first row, which is of the reference.
void bench_ldi_print_floor(FILE *file, const bench_ldi_floor *floor, const bench_ldi_row *row);

void bench_ldi_print_row(FILE *file, const bench_ldi_row *row);

/// How the minimum times of a sweep grow (with triangles or pixels) for each subject, over its
/// largest points, and how the contacts of the reference depend on the triangles.
void bench_ldi_print_growth(FILE *file, const bench_ldi_rows *rows);

/// The rows of the setting `allard_2010` with the published figures; nothing without such rows.
void bench_ldi_print_published(FILE *file, const bench_ldi_rows *rows);

/// Sources, build and machine of the measurement.
void bench_ldi_print_context(FILE *file, const bench_ldi_rows *rows,
                             const bench_ldi_subjects *subjects);

#endif
