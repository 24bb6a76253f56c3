// SPDX-License-Identifier: MIT
/// Tetrahedra: overlap by separating axes, exact intersection volume by clipping.
#ifndef TS_GEOMETRY_TET_H
#define TS_GEOMETRY_TET_H

#include "base/types.h"

/// The nodes of each edge of a tet; edges are numbered in this order everywhere.
static const int ts_tet_edge_nodes[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// The nodes of face i, which lies opposite node i: counter-clockwise seen from outside when the
/// volume is positive.
static const int ts_tet_face_nodes[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/// The faces along an edge: first the one whose nodes (ts_tet_face_nodes) run against the edge.
static const int ts_tet_edge_faces[6][2] = {{2, 3}, {3, 1}, {1, 2}, {0, 3}, {2, 0}, {0, 1}};

/// Signed volume [m3]: positive when (b - a) x (c - a) points to d.
double ts_tet_volume(const ts_vec3 tet[4]);

/// Which of the 44 axes separates two tets best.
typedef enum ts_tet_axis_kind {
  TS_TET_AXIS_FACE_A, ///< index: the node opposite the face, 0 to 3
  TS_TET_AXIS_FACE_B, ///< likewise
  TS_TET_AXIS_EDGES   ///< index: 6 * edge of a + edge of b; edges 01 02 03 12 13 23
} ts_tet_axis_kind;

typedef struct ts_tet_overlap {
  double overlap_m; ///< Least overlap over all axes: how far b has to move along `axis`. Negative:
                    ///< the largest separation. NaN when all faces of both tets have no area.
  ts_vec3 axis;     ///< Unit, from a to b, of that overlap; zero when none is better than another.
  ts_tet_axis_kind kind;
  int index;
} ts_tet_overlap;

/// Closed overlap test: nonzero when no axis separates by more than `tolerance_m` (0: touching
/// counts as overlapping, up to rounding). All 8 face normals and 36 edge crosses are used, nearly
/// parallel ones too; early out on the first separating axis. Vertices in any order. Rounding is
/// that of the coordinates as given, moved rigidly (TS_MOTION_ROUNDING_RELATIVE). Tets without
/// volume have too few axes: two in one plane count as overlapping though they may be apart in it.
/// Of many pairs: geometry/tet_overlap_batch.h.
int ts_tet_tet_overlap(const ts_vec3 a[4], const ts_vec3 b[4], double tolerance_m);

/// A choice among the 44 axes.
typedef struct ts_tet_axes {
  uint8_t faces[2]; ///< a, b; bit i: the face opposite node i
  uint8_t edges[2]; ///< bit e: its crosses with the chosen edges of the other; 01 02 03 12 13 23
} ts_tet_axes;

static const ts_tet_axes ts_tet_axes_all = {{0xf, 0xf}, {0x3f, 0x3f}};

/// Those made by features of the surface: of a and b, `surface` has the faces that are on it. An
/// edge is on it when a face beside it in the same tet is.
ts_tet_axes ts_tet_axes_of_surface(const uint8_t surface[2]);

/// The axis of minimum overlap among those chosen, without an early out: all of them for Volume-SAT
/// (Erleben 2018, section 6), those of the surface for Surface-SAT, whose overlap is then that
/// along the features chosen and not the minimum of the two tets. NaN when no axis is left. Edge
/// crosses of parallel edges give no axis here (TS_PARALLEL_SINE): in exact arithmetic a face
/// normal then does as well.
///
/// Overlaps within `tie_m` of the minimum, and rounding in any case, are a tie, as at every exact
/// touch. Faces win over edge crosses, then the axis closest to the way from the centre of a to
/// that of b. Those that are as close give their mean, with kind and index of the first: the zero
/// vector where they cancel out, since none is better than another. So neither a rigid motion nor
/// the order of tets or nodes decides.
ts_tet_overlap ts_tet_tet_least_overlap_among(const ts_vec3 a[4], const ts_vec3 b[4],
                                              ts_tet_axes axes, double tie_m);

/// The same among all axes, with nothing but rounding for a tie.
ts_tet_overlap ts_tet_tet_least_overlap(const ts_vec3 a[4], const ts_vec3 b[4]);

/// Volume [m3] of the intersection of two tets, by clipping one with the four planes of the other.
/// Zero when they only touch or when either is flat. Either orientation.
double ts_tet_tet_volume(const ts_vec3 a[4], const ts_vec3 b[4]);

#endif
