// SPDX-License-Identifier: MIT
/// The sites of one neighbourhood: a site for each pair of convex runs, with its candidates.
#ifndef TS_METHODS_SEMI_RUN_PAIRS_H
#define TS_METHODS_SEMI_RUN_PAIRS_H

#include "methods/semi_local/semi_neighbourhood.h"
#include "methods/semi_local/semi_sites.h"

/// The sites found so far.
typedef struct ts_semi_site_list {
  const ts_semi_pair *pair;
  const ts_semi_regions *regions;
  size_t count, capacity;
  ts_semi_site *sites;
  size_t candidate_count, candidate_capacity;
  ts_semi_candidate *candidates;
} ts_semi_site_list;

/// Adds a site for each pair of runs that no region explains.
ts_status ts_semi_add_run_pairs(ts_semi_site_list *list, const ts_semi_neighbourhood *n);

/// Adds the site of a corner whose neighbourhood has no room for all patches: as if both bodies
/// were convex there, with one normal that is in the cones of both, the mean of all or that of a
/// face; none where there is no such normal. `normals` [counts] are those of all patches of each
/// body; the neighbourhood has the first ones.
ts_status ts_semi_add_crowded(ts_semi_site_list *list, const ts_semi_neighbourhood *n,
                              const ts_vec3 *const normals[2], const size_t counts[2]);

#endif
