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

/// The same with `lanes` pairs at once in double precision: 1, 4 or 8, no more than
/// ts_tet_overlap_lanes(). With more than 1, single precision decides the clear pairs before.
void ts_tet_tet_overlaps_by(int lanes, bool *out, const ts_tet_nodes_pair *pairs, size_t count,
                            double tolerance_m);

/// Byte j for each edge j of a tet that runs against the nodes of face f, and that runs with them
/// (ts_tet_edge_faces).
static const uint64_t ts_face_edges_against[4] = {0x010001000000, 0x000000010000, 0x000100000001,
                                                  0x000000000100};
static const uint64_t ts_face_edges_with[4] = {0x000100000000, 0x010000000100, 0x000000010000,
                                               0x000001000001};

/// About the pairs in the lanes: bit k about that in lane k; other bits mean nothing.
typedef struct ts_lane_answers {
  unsigned apart;     ///< it is apart, unless it is left or undecided
  unsigned left;      ///< a more precise test has to find out
  unsigned undecided; ///< it is not left, and only its edges can tell
} ts_lane_answers;

/// Tests of several pairs at once, only on processors that can: a pair that is none of the above
/// overlaps. The first knows nothing of edges.
ts_lane_answers ts_tet_overlap_floats_faces(const ts_tet_nodes_pair *const pairs[8],
                                            double tolerance_m);
ts_lane_answers ts_tet_overlap_floats_edges(const ts_tet_nodes_pair *const pairs[8],
                                            double tolerance_m);
ts_lane_answers ts_tet_overlap_avx2(const ts_tet_nodes_pair *const pairs[4], double tolerance_m);
ts_lane_answers ts_tet_overlap_avx512(const ts_tet_nodes_pair *const pairs[8], double tolerance_m);

#endif
