// SPDX-License-Identifier: MIT
/// Whether a body can move, found by moving it: no normals and no designed truth, only the volumes.
///
/// The body is moved by a small twist, and the overlap of the two bodies is measured: the deepest
/// of all pairs of their tets, each by the minimum over all 44 axes. None is left out for being
/// nearly parallel to another: an axis more is always safe, one less reports overlap that is not
/// there.
#ifndef TS_GEOMETRY_MOTION_ORACLE_H
#define TS_GEOMETRY_MOTION_ORACLE_H

#include "base/arena.h"
#include "geometry/mesh/mesh.h"
#include "geometry/twist/twist_cone.h"

typedef struct ts_motion_oracle ts_motion_oracle;

/// Two bodies that touch, to the precision of their coordinates. Both meshes must have tets; they
/// are copied to where the bodies are. Only tets that a unit twist can bring together are kept, by
/// their boxes. TS_E_INPUT when a mesh has no tets or is not finite.
ts_status ts_motion_oracle_create(ts_motion_oracle **out, ts_arena *arena,
                                  const ts_twist_frame *frame, const ts_mesh *a, ts_pose pose_a,
                                  const ts_mesh *b, ts_pose pose_b);

/// Pairs of tets that are kept.
size_t ts_motion_oracle_tet_pairs(const ts_motion_oracle *oracle);

/// The body b moved by TS_ORACLE_STEP times the unit `twist`: the depth of the overlap over that
/// step. 0 when they are apart; for a motion that closes at speed s from TS_ORACLE_SHALLOW s to s,
/// less the second order of the rotation.
double ts_motion_oracle_depth(const ts_motion_oracle *oracle, const double twist[6]);

/// The same for another `step`, above 0 and up to TS_ORACLE_STEP. Once the depth over the step is
/// above `enough`, it need not be the largest.
double ts_motion_oracle_depth_at(const ts_motion_oracle *oracle, const double twist[6], double step,
                                 double enough);

typedef enum ts_motion { TS_MOTION_FREE, TS_MOTION_BLOCKED, TS_MOTION_UNDECIDED } ts_motion;

/// What a depth over its step says: by TS_ORACLE_FREE and TS_ORACLE_BLOCKED.
ts_motion ts_motion_of_depth(double depth);

/// The same of a twist, at TS_ORACLE_STEP.
ts_motion ts_motion_oracle_ask(const ts_motion_oracle *oracle, const double twist[6]);

#endif
