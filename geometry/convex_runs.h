/// What stops two solids at a place: the splitting of local surfaces in convex runs, and the
/// extreme normals of a pair of runs.
///
/// Around a point a solid is a cone whose faces are the patches there. It is the union of convex
/// cones, one for each run: a largest set of patches, connected over convex edges, no two of which
/// share a concave edge. (Proven for convex corners, for edges, and for corners whose valleys all
/// lead to one body of ridges; for a corner where patches that share no edge exclude each other it
/// may be wrong.) A relative velocity is blocked when some pair of runs, one of each solid, blocks
/// it, and a pair of runs blocks it when it violates every extreme normal of the pair: an AND over
/// pairs of runs of an OR over normals.
#ifndef TS_GEOMETRY_CONVEX_RUNS_H
#define TS_GEOMETRY_CONVEX_RUNS_H

#include "geometry/vec3.h"

#include <stdbool.h>

enum { TS_LOCAL_FACES_MAX = 32, TS_RUNS_MAX = 32, TS_EXTREME_NORMALS_MAX = 64 };

/// The surface of a solid around a point: its faces and which of them meet. All directions in one
/// frame.
typedef struct ts_local_surface {
  int face_count;
  ts_vec3 normals[TS_LOCAL_FACES_MAX]; ///< [face_count], unit, outward
  /// Bit k of convex_with[i]: faces i and k share a convex edge here; likewise concave.
  uint32_t convex_with[TS_LOCAL_FACES_MAX], concave_with[TS_LOCAL_FACES_MAX];
} ts_local_surface;

/// The runs of a local surface as sets of bits. Returns how many, or -1 when there are more than
/// TS_RUNS_MAX, or so many valleys that looking for them takes too long.
int ts_convex_runs(uint32_t out[TS_RUNS_MAX], const ts_local_surface *surface);

/// Which kind of features an extreme normal comes from.
typedef struct ts_extreme_normal {
  ts_vec3 normal;           ///< Unit, from a to b.
  double sine;              ///< of the angle by which it misses the farther of the two cones
  int face_a, face_b;       ///< The face whose normal it is; -1: not of that solid's face.
  int edge_a[2], edge_b[2]; ///< Of the cross product of two edges, the faces of each; else -1.
} ts_extreme_normal;

/// The extreme rays of the intersection of the normal cone of a run of `a` and the opposite of that
/// of a run of `b`: normals of faces and cross products of convex edges, each within an angle of
/// both cones: the first of `angles_rad` [angle_count], ascending and below a right angle, that any
/// is within. Those closer than twice the first to an earlier one are left out; faces come first,
/// those of a before those of b. Returns how many.
int ts_extreme_normals(ts_extreme_normal out[TS_EXTREME_NORMALS_MAX], const ts_local_surface *a,
                       uint32_t run_a, const ts_local_surface *b, uint32_t run_b,
                       const double *angles_rad, int angle_count);

/// Whether no normal of any run of `a` can be within the angle of both cones with any run of `b`,
/// told in linear time by round cones around all of their normals; false: there may be one.
bool ts_local_surfaces_are_apart(const ts_local_surface *a, const ts_local_surface *b,
                                 double angle_rad);

/// Sine of the angle between a unit direction and the closest direction of the convex cone that the
/// unit `generators` [count] span; 1 from a right angle on.
double ts_cone_sine(ts_vec3 direction, const ts_vec3 *generators, int count);

#endif
