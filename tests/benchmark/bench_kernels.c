// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_kernels.h"

#include "geometry/tet.h"
#include "tests/benchmark/baseline_overlap.h"

#include <math.h>

static void run_baseline(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  (void)size_m;
  out->count = baseline_overlap(pair->corners[0], pair->corners[1]) ? 1 : 0;
}

static void run_overlap(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  (void)size_m;
  out->count = ts_tet_tet_overlap(pair->corners[0], pair->corners[1], 0) ? 1 : 0;
}

static void run_overlap_batch(bool *out, const ts_tet_nodes_pair *pairs, size_t count) {
  ts_tet_tet_overlaps(out, pairs, count, 0);
}

static const ts_tet_kernels baseline = {.name = "baseline", .paper = run_baseline};
static const ts_tet_kernels overlap = {.name = "overlap", .paper = run_overlap};
static const ts_tet_kernels overlap_batch = {.name = "overlap_batch"};

const bench_kernel bench_baseline = {&baseline, 0, (double)NAN, NULL};

// The reach is that of the method at scale 1 with its defaults; the gaps of the pairs are chosen
// for it. The last column is a yardstick: the time per pair [ns] of the method of the same name in
// the author's simulator PROX (its version: tests/reference/README.md), rounded, measured once on
// another machine. It relates the kernels to each other and is not a target for any machine.
const bench_kernel bench_kernels[] = {
    {&overlap, 0, 410, NULL},
    {&overlap_batch, 0, 410, run_overlap_batch},
    {&ts_tet_kernels_of[TS_TET_CLOSEST_POINTS], 0.02, 2900, NULL},
    {&ts_tet_kernels_of[TS_TET_INTERSECTION], 0.01, 2200, NULL},
    {&ts_tet_kernels_of[TS_TET_VERTEX_ONLY], 0, 400, NULL},
    {&ts_tet_kernels_of[TS_TET_CONSISTENT_VERTEX], 0, 550, NULL},
    {&ts_tet_kernels_of[TS_TET_VOLUME_SAT], 0, 1700, NULL},
    {&ts_tet_kernels_of[TS_TET_SURFACE_SAT], 0, 1600, NULL},
    {&ts_tet_kernels_of[TS_TET_OPPOSING], 0, 1160, NULL},
    {&ts_tet_kernels_of[TS_TET_GROWTH], 0, 6500, NULL},
};

const size_t bench_kernel_count = sizeof bench_kernels / sizeof *bench_kernels;
