// SPDX-License-Identifier: MIT
/// The scale at which two tets come apart.
#ifndef TS_METHODS_GROWTH_H
#define TS_METHODS_GROWTH_H

#include "methods/tet/tet_pair.h"

/// Two tets scaled about their centres.
typedef struct ts_growth {
  double scale;      ///< 0 when no scale was found
  ts_vec3 gap;       ///< From the closest point of a to that of b, at that scale.
  double distance_m; ///< Length of the gap.
  double wanted_m;   ///< The paper's delta; the distance is at most this.
} ts_growth;

/// Algorithm 2 of Erleben 2018, lines 1 to 13, for tets that touch or overlap; they count as
/// overlapping up to `tolerance_m` apart.
ts_growth ts_tet_growth_separate(const ts_tet_pair *pair, double tolerance_m);

#endif
