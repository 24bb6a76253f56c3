// SPDX-License-Identifier: MIT
/// Stage 3 of a pair: sites, where the bodies meet at a point: a corner near patches, or two ridges
/// that pass each other.
#ifndef TS_METHODS_SEMI_SITES_H
#define TS_METHODS_SEMI_SITES_H

#include "methods/semi_local/semi_regions.h"

enum { TS_SEMI_FACES_MAX = TS_LOCAL_FACES_MAX };

/// A pair of convex runs, one of each body, that meet at a point. Bodies that close in keep each
/// other apart along any one of the candidates.
typedef struct ts_semi_site {
  ts_vec3 point;
  double slack_m; ///< how far around the point features count
  /// How far apart the runs are at least: as the slack says, which is for all that is near the
  /// point, and no less than all candidates say. Infinite where the settings have no slack.
  double misfit_m;
  int face_count[2];
  uint32_t faces[2][TS_SEMI_FACES_MAX]; ///< patches of the runs
  const ts_semi_cover *covers[2];       ///< that the runs are of; NULL: of none
  const ts_convex_run *runs_of_covers[2];
  size_t first, count; ///< in ts_semi_sites::candidates; at least one
} ts_semi_site;

typedef struct ts_semi_sites {
  size_t count;
  const ts_semi_site *sites; ///< [count]: corners of body 0, corners of body 1, ridges
  size_t candidate_count;
  const ts_semi_candidate *candidates; ///< [candidate_count]
} ts_semi_sites;

/// In: the close pairs, and the regions: what one of them explains is not a site. Out: the sites,
/// each with its candidates. One place may be seen from several features, as several sites.
ts_status ts_semi_find_sites(ts_semi_sites *out, const ts_semi_pair *pair,
                             const ts_semi_close_pairs *close, const ts_semi_regions *regions);

#endif
