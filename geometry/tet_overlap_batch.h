// SPDX-License-Identifier: MIT
/// The overlap test of geometry/tet.h on many pairs of tets: as many at once as the processor has
/// lanes in a vector register.
#ifndef TS_GEOMETRY_TET_OVERLAP_BATCH_H
#define TS_GEOMETRY_TET_OVERLAP_BATCH_H

#include "base/types.h"

#include <stdbool.h>

/// The nodes of two tets, each [4].
typedef struct ts_tet_nodes_pair {
  const ts_vec3 *a, *b;
} ts_tet_nodes_pair;

/// out[i], for i below `count`, is what ts_tet_tet_overlap(a, b, tolerance_m) says about pair i, on
/// every processor.
void ts_tet_tet_overlaps(bool *out, const ts_tet_nodes_pair *pairs, size_t count,
                         double tolerance_m);

/// The most pairs that this processor tests at once: 8 (AVX-512), 4 (AVX2) or 1.
int ts_tet_overlap_lanes(void);

/// The same with `lanes` pairs at once: 1, 4 or 8, no more than ts_tet_overlap_lanes().
void ts_tet_tet_overlaps_by(int lanes, bool *out, const ts_tet_nodes_pair *pairs, size_t count,
                            double tolerance_m);

/// About the pairs in the lanes: bit k about that in lane k; other bits mean nothing.
typedef struct ts_lane_answers {
  unsigned apart;     ///< it is apart, unless it is left
  unsigned left;      ///< ts_tet_tet_overlap has to find out
  unsigned undecided; ///< only its edges can tell
} ts_lane_answers;

/// Four pairs at once, and eight; only on processors that can. With `tries_edges` a pair that is
/// undecided and not apart overlaps.
ts_lane_answers ts_tet_overlap_avx2(const ts_tet_nodes_pair *const pairs[4], double tolerance_m,
                                    bool tries_edges);
ts_lane_answers ts_tet_overlap_avx512(const ts_tet_nodes_pair *const pairs[8], double tolerance_m,
                                      bool tries_edges);

#endif
