// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_kernels.h"

#include "geometry/tet.h"
#include "methods/tet/tet_kernels.h"
#include "tests/benchmark/baseline_overlap.h"

#include <math.h>

static void run_baseline(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                         double size_m) {
  (void)profile, (void)size_m;
  out->count = baseline_overlap(pair->corners[0], pair->corners[1]) ? 1 : 0;
}

static void run_overlap(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                        double size_m) {
  (void)profile, (void)size_m;
  out->count = ts_tet_tet_overlap(pair->corners[0], pair->corners[1], 0) ? 1 : 0;
}

const bench_kernel bench_baseline = {"baseline", run_baseline, false, 0, (double)NAN};

// The reach is that of the method at scale 1 with its defaults; the gaps of the pairs are chosen
// for it. The last column is a yardstick: the time per pair [ns] of the method of the same name in
// the author's simulator PROX (its version: tests/reference/README.md), rounded, measured once on
// another machine. It relates the kernels to each other and is not a target for any machine.
const bench_kernel bench_kernels[] = {
    {"overlap", run_overlap, false, 0, 410},
    {"closest_points", ts_tet_closest_points, true, 0.02, 2900},
    {"intersection", ts_tet_intersection, true, 0.01, 2200},
    {"vertex_only", ts_tet_vertex_only, true, 0, 400},
    {"consistent_vertex", ts_tet_consistent_vertex, true, 0, 550},
    {"volume_sat", ts_tet_volume_sat, true, 0, 1700},
    {"surface_sat", ts_tet_surface_sat, true, 0, 1600},
    {"opposing", ts_tet_opposing, true, 0, 1160},
    {"growth", ts_tet_growth, true, 0, 6500},
};

const size_t bench_kernel_count = sizeof bench_kernels / sizeof *bench_kernels;
