// SPDX-License-Identifier: MIT
/// A normal that may keep the bodies apart at a point, and which of several to take.
#ifndef TS_METHODS_SEMI_CHOOSE_H
#define TS_METHODS_SEMI_CHOOSE_H

#include "methods/semi_local/semi_pair.h"

#define TS_SEMI_NO_PATCH UINT32_MAX

typedef struct ts_semi_candidate {
  ts_vec3 normal; ///< from body 0 to body 1
  ts_vec3 point;  ///< midway between the surfaces
  double gap_m;
  uint32_t patches[2]; ///< TS_SEMI_NO_PATCH: the normal is not that of a face of that body
  ts_feature features[2];
  /// The cross product of two ridges that do not meet at this site: the bodies are no deeper in
  /// each other than its gap, but there is no contact of it.
  bool is_elsewhere;
  bool is_cut;      ///< of a plane that only bounds a run, or an edge that only a run has
  bool is_of_curve; ///< the faces or ridges that it is of are a curve's, as finely as it is meshed
  /// How far from one of the bodies its corner is, or how far beyond the ends of its ridges they
  /// cross: a corner over the plane of a face may be far from where the face ends.
  double beside_m;
} ts_semi_candidate;

/// Whether a candidate is beside a body, farther from it than the gap that it reports: it makes no
/// contact.
bool ts_semi_is_beside(const ts_semi_pair *pair, const ts_semi_candidate *candidate);

/// Which of the candidates [count] to take where any one will do: where the bodies touch, the one
/// that their relative velocity violates least; where they are apart, the one at the time of
/// impact; where they overlap, the one along which they overlap least. Of those that keep the
/// bodies equally far apart the ones of elsewhere come last, since they make no contact. The first
/// of equals.
size_t ts_semi_choose(const ts_semi_pair *pair, const ts_semi_candidate *candidates, size_t count);

/// Whether a candidate may be taken in place of the chosen one: the bodies touch along both, the
/// velocity violates it no more, and it makes a contact.
bool ts_semi_is_as_good(const ts_semi_pair *pair, const ts_semi_candidate *candidate,
                        const ts_semi_candidate *chosen);

#endif
