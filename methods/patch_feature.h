// SPDX-License-Identifier: MIT
/// Which feature of a surface has a normal: faces stand for flat patches.
#ifndef TS_METHODS_PATCH_FEATURE_H
#define TS_METHODS_PATCH_FEATURE_H

#include "geometry/mesh/patches.h"

/// The feature of a body that the normal of a contact is one of: the unit direction `outward`, out
/// of the body, is in its normal cone within TS_FEATURE_NORMAL. That is `named` where it has the
/// normal. Else it is, of the faces, edges and corners around `named`, the one nearest to `place`,
/// which is on the body, and within `reach_m` of it; of those equally near up to `same_m` a face
/// before an edge, and an edge before a corner.
///
/// A valley has no normals. A corner has those below which all of the surface beside it is; one
/// with valleys, if no other feature has the normal, also all between those of its faces, since
/// parts of the solid there have them. TS_FEATURE_NONE where none has it. All is in the local
/// frame.
ts_feature ts_patch_feature(const ts_patches *patches, ts_feature named, ts_vec3 place,
                            ts_vec3 outward, double reach_m, double same_m);

/// A face by the lowest triangle of its patch: which of them a place is on changes with the last
/// bit of a pose. Other features as they are.
ts_feature ts_patch_feature_steady(const ts_patches *patches, ts_feature feature);

#endif
