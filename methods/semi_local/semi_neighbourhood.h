// SPDX-License-Identifier: MIT
/// The patches of both bodies around a point, and the convex runs that they make.
#ifndef TS_METHODS_SEMI_NEIGHBOURHOOD_H
#define TS_METHODS_SEMI_NEIGHBOURHOOD_H

#include "geometry/convex_runs.h"
#include "methods/semi_local/semi_pair.h"

typedef struct ts_semi_neighbourhood {
  ts_local_surface surface[2];
  uint32_t patches[2][TS_LOCAL_FACES_MAX];
  uint32_t triangles[2][TS_LOCAL_FACES_MAX]; ///< of each patch the one that is near
  ts_vec3 witness[2];                        ///< on each body
  int own_body;                              ///< whose corner it is; -1: an edge of each
  ts_feature own;                            ///< the corner
  double slack_m;                            ///< how far around the point patches count
  double beside_m;                           ///< how far the corner is from the other body
} ts_semi_neighbourhood;

/// The point: the corner, or where the edge of body 0 comes closest to that of body 1.
static inline ts_vec3 ts_semi_neighbourhood_point(const ts_semi_neighbourhood *n) {
  return n->witness[n->own_body < 0 ? 0 : n->own_body];
}

/// Adds a patch to a body's surface, as long as there is room: add those that matter most first.
void ts_semi_neighbourhood_add(ts_semi_neighbourhood *n, const ts_semi_pair *pair, int body,
                               uint32_t patch, uint32_t triangle);

/// Notes which of a body's patches share an edge, however far: a tip that has come through one side
/// of a blade can leave through the other.
void ts_semi_neighbourhood_link(ts_semi_neighbourhood *n, const ts_semi_pair *pair, int body);

typedef struct ts_semi_run {
  ts_convex_run run;
  const ts_semi_cover *cover;    ///< of the corner that it is a run of; NULL: of none
  const ts_convex_run *of_cover; ///< which run of the cover it is
} ts_semi_run;

/// The runs of a body: the largest ones, but those of a corner's faces alone are the corner's cover
/// where it has one. When there are too many, each face is a run of its own, which blocks more than
/// the body does, but does not miss it. TS_E_MEMORY.
ts_status ts_semi_neighbourhood_runs(ts_semi_run out[TS_RUNS_MAX], int *out_count,
                                     const ts_semi_pair *pair, const ts_semi_neighbourhood *n,
                                     int body);

#endif
