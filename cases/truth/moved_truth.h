// SPDX-License-Identifier: MIT
/// The truth of a scene whose bodies have moved away from where it was designed: its joints, looked
/// at where the bodies are now. docs/truth.md explains how.
#ifndef TS_CASES_MOVED_TRUTH_H
#define TS_CASES_MOVED_TRUTH_H

#include "cases/scene/scene.h"

/// What the joints of a scene are as built: which body each normal belongs to, and which faces meet
/// there.
typedef struct ts_moved_truth ts_moved_truth;

/// `*out` is in the arena; the scene is borrowed. TS_E_MEMORY.
ts_status ts_moved_truth_create(ts_moved_truth **out, ts_arena *arena, const ts_scene *built);

/// The scene after its bodies have moved to `bodies` [built->body_count], as ts_scene_carry makes
/// it; with `truth` (NULL: without) its regions are those of the joints there.
///
/// A normal turns with the body whose face it belongs to, with body a where it is the normal of
/// faces of both; that of crossing edges is their cross product. Each normal of a joint is a region
/// of its own, where the features of the joint overlap along it, with the gap of their surfaces at
/// each point (ts_feasible_gap_at). Where any one normal of a joint will do, whole faces overlap,
/// and the normal with the largest gap is the one that is needed: bodies are apart or touch along
/// that. Normals that are as good, within the scene's touch_relative, remain
/// alternatives. Where faces of both bodies have the normal and have turned against each other by
/// more than TS_NORMAL_TOLERANCE, the normal of either is right.
///
/// The truth of a pair is unknown (scene->unknown) when features no longer overlap, when it
/// overlaps by more than TS_MOVED_DEPTH_RELATIVE, when a normal has turned by more than
/// TS_MOVED_TURN_RAD, or when a normal is neither that of a face nor of two edges that cross.
///
/// If the scene file gives regions, joints are derived from the surfaces. A pair whose derived
/// joints agree with its regions uses them; the truth of other pairs is unknown. A scene with
/// neither regions nor joints, or whose truth is unknown, stays as it is carried. TS_E_MEMORY.
ts_status ts_scene_at(ts_scene **out, ts_arena *arena, const ts_scene *built, const ts_body *bodies,
                      const ts_moved_truth *truth);

#endif
