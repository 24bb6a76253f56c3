// SPDX-License-Identifier: MIT
/// The patches of both bodies around a site, and the convex runs that they make.
#ifndef TS_METHODS_SEMI_NEIGHBOURHOOD_H
#define TS_METHODS_SEMI_NEIGHBOURHOOD_H

#include "methods/semi_local/semi_pair.h"

/// Both bodies around a site.
typedef struct ts_semi_neighbourhood {
  ts_local_surface surface[2];
  uint32_t patches[2][TS_LOCAL_FACES_MAX];
  uint32_t triangles[2][TS_LOCAL_FACES_MAX]; ///< of each patch the one that is near
  ts_vec3 witness[2];                        ///< on each body
  int own_body;                              ///< whose corner it is; -1: an edge of each
  ts_feature own;                            ///< the corner
  double slack_m;
} ts_semi_neighbourhood;

/// Adds a patch to a body's surface, as long as there is room: the ones that matter most come
/// first.
void ts_semi_neighbourhood_add(ts_semi_neighbourhood *around, const ts_semi_pair *pair, int body,
                               uint32_t patch, uint32_t triangle);

/// Tells a neighbourhood which of a body's patches share an edge, however far: a tip that has come
/// through one side of a blade can leave through the other.
void ts_semi_neighbourhood_link(ts_semi_neighbourhood *around, const ts_semi_pair *pair, int body);

/// A run of a neighbourhood, and which one it is of the cover of its corner; NULL: of none.
typedef struct ts_semi_run {
  ts_convex_run run;
  const ts_semi_cover *cover;
  const ts_convex_run *of_cover;
} ts_semi_run;

/// The runs of a body in a neighbourhood: the largest ones, but those of a corner's faces alone are
/// the corner's cover where it has one. When there are too many each face is a run of its own,
/// which stops more than the body does, but says that it is there. Returns how many.
int ts_semi_neighbourhood_runs(ts_semi_run out[TS_RUNS_MAX], const ts_semi_pair *pair,
                               const ts_semi_neighbourhood *around, int body);

#endif
