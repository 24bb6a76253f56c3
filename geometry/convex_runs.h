// SPDX-License-Identifier: MIT
/// What stops two solids at a place: the splitting of local surfaces in convex runs, and the
/// extreme normals of a pair of runs.
///
/// Around a point a solid is a cone whose faces are the patches there. It is the union of convex
/// cones, one for each run. A relative velocity is blocked when some pair of runs, one of each
/// solid, blocks it, and a pair of runs blocks it when it violates every extreme normal of the
/// pair: an AND over pairs of runs of an OR over normals.
///
/// Mostly the runs are the largest sets of faces, connected over ridges, of which no two share a
/// valley. At tips in the shape of a star, monkey saddles and other corners they are not;
/// geometry/convex_cover.h says which, and has runs that are right at every corner.
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

/// A convex part of a local solid: all that lies behind some of the faces' planes. Sets of bits.
typedef struct ts_convex_run {
  uint32_t faces; ///< their surface bounds it
  uint32_t cuts;  ///< only their planes bound it; never a face that is in `faces`
} ts_convex_run;

/// The largest sets of faces, connected over ridges, of which no two share a valley, as runs
/// without cuts. Returns how many, or -1 when there are more than TS_RUNS_MAX, or so many valleys
/// that looking for them takes too long.
int ts_convex_runs(ts_convex_run out[TS_RUNS_MAX], const ts_local_surface *surface);

/// Which kind of features an extreme normal comes from.
typedef struct ts_extreme_normal {
  ts_vec3 normal;           ///< Unit, from a to b.
  double sine;              ///< of the angle by which it misses the farther of the two cones
  int face_a, face_b;       ///< The face whose normal it is; -1: not of that solid's face.
  int edge_a[2], edge_b[2]; ///< Of the cross product of two edges, the faces of each; else -1.
  bool is_cut;              ///< From ts_extreme_normals_of_cuts().
} ts_extreme_normal;

/// The extreme rays of the intersection of the normal cone of a run of `a` and the opposite of that
/// of a run of `b`, as far as they are normals of the runs' faces or cross products of ridges, each
/// within an angle of both cones: the first of `angles_rad` [angle_count], ascending and below a
/// right angle, that any is within. Normals that are opposite within TS_CONE_NOISE of the first are
/// a line. Those closer than twice the first to an earlier one are left
/// out; faces come first, those of a before those of b. Returns how many.
int ts_extreme_normals(ts_extreme_normal out[TS_EXTREME_NORMALS_MAX], const ts_local_surface *a,
                       ts_convex_run run_a, const ts_local_surface *b, ts_convex_run run_b,
                       const double *angles_rad, int angle_count);

/// Adds to the first `count` the other extreme rays: normals of cuts, and cross products of edges
/// that the runs' cones have where the solids have none. With them an OR is exact. They stop what
/// is to be stopped as well as the others, but are not directions that a surface shows: where some
/// normal must be chosen, choose one of the others. Returns how many there are now.
int ts_extreme_normals_of_cuts(ts_extreme_normal out[TS_EXTREME_NORMALS_MAX], int count,
                               const ts_local_surface *a, ts_convex_run run_a,
                               const ts_local_surface *b, ts_convex_run run_b,
                               const double *angles_rad, int angle_count);

/// Sine of the angle between a unit direction and the closest direction of the convex cone that the
/// unit `generators` [count] span; 1 from a right angle on.
double ts_cone_sine(ts_vec3 direction, const ts_vec3 *generators, int count);

/// The same where the generators are known up to an angle: opposite ones that miss a line by less
/// than twice that are a line and not half a plane, and three or more around a plane are that plane
/// and not half of space. What only noise spans takes much of some generators to reach: one helps
/// only where its cosine to what is left to reach is above `noise`. For a direction that is the sum
/// of generators times w the sine is up to noise times w too large.
double ts_noisy_cone_sine(ts_vec3 direction, const ts_vec3 *generators, int count, double noise);

#endif
