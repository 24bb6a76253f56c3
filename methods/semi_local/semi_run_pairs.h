// SPDX-License-Identifier: MIT
/// The sites of a neighbourhood, with the candidates for a contact there.
#ifndef TS_METHODS_SEMI_RUN_PAIRS_H
#define TS_METHODS_SEMI_RUN_PAIRS_H

#include "methods/semi_local/semi_neighbourhood.h"

/// The angle [rad] up to which a normal outside of a cone is taken to be in it where nothing is.
double ts_semi_widest_cone(const ts_semi_pair *pair);

/// Adds a site for each pair of runs that no region explains, with its candidates.
ts_status ts_semi_neighbourhood_add_sites(ts_semi_pair *pair, const ts_semi_neighbourhood *around);

/// The site of a neighbourhood that has not room for all patches, with one normal, the mean of all
/// or that of a face, which is in the cones of both bodies; none where none is. As if either body
/// were convex there. `normals` [counts] of all patches of each body; the neighbourhood has the
/// first ones.
ts_status ts_semi_neighbourhood_add_crowded(ts_semi_pair *pair, const ts_semi_neighbourhood *around,
                                            const ts_vec3 *const normals[2],
                                            const size_t counts[2]);

#endif
