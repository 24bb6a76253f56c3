// SPDX-License-Identifier: MIT
/// The places of a spot, with the candidates for a contact there.
#ifndef TS_METHODS_SEMI_LOCAL_SURFACE_H
#define TS_METHODS_SEMI_LOCAL_SURFACE_H

#include "methods/semi_local/semi_spot.h"

/// The angle [rad] up to which a normal outside of a cone is taken to be in it where nothing is.
double ts_semi_widest_cone(const ts_semi_pair *pair);

/// Adds a place for each pair of runs that no region explains, with its candidates.
ts_status ts_semi_spot_add_places(ts_semi_pair *pair, const ts_semi_spot *spot);

/// The place of a spot that has not room for all patches, with one normal, the mean of all or that
/// of a face, which is in the cones of both bodies; none where none is. As if either body were
/// convex there. `normals` [counts] of all patches of each body; the spot has the first ones.
ts_status ts_semi_spot_add_crowded(ts_semi_pair *pair, const ts_semi_spot *spot,
                                   const ts_vec3 *const normals[2], const size_t counts[2]);

#endif
