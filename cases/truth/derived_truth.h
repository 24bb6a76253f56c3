// SPDX-License-Identifier: MIT
/// Truth from geometry alone: where bodies touch and which normals are right there, for any scene
/// at exact touch, designed or not. docs/truth.md explains how.
#ifndef TS_CASES_DERIVED_TRUTH_H
#define TS_CASES_DERIVED_TRUTH_H

#include "cases/scene/scene.h"

/// Replaces the regions of the scene, and whatever it knew of its truth, by what the surfaces say:
/// the places where two bodies touch, up to `touch_relative` (above 0 and at most
/// TS_DERIVED_TOUCH_MAX) of the pair size plus the rounding of their poses. The scene is then
/// scored by the same tolerance, but by TS_POSITION_RELATIVE at least. Surfaces that come near and
/// do not touch are told in the scene's truth_note. The joints are replaced too, so that
/// ts_scene_resolve_truth finds the truth, gaps and overlaps included, after the bodies have been
/// translated a little from exact touch.
///
/// At each place the local solids are split in convex runs; a pair of runs, one of each body, gives
/// one demand: any one of its extreme normals. Demands of one normal that hold at the same place
/// become a region that needs all of them; each other demand is a region of its own where any one
/// is right, so that there may be several regions at one place. What follows from a demand of a
/// larger region at the same place, or from several demands there together, is left out. Faces on
/// faces of one plane and normal are one region, by its hull and its convex pieces.
///
/// The feasible normals are all of a demand. Where any one is right, the design normals are those
/// that the velocity of b against a violates by the smallest amount, in the middle of the region:
/// all of them when it does not decide: the truth must not depend on chance. The published ones are
/// the design ones. Bodies that are apart have no region.
///
/// TS_SKIPPED, with the scene as it was, when two bodies overlap by more than the tolerance: exact
/// touch is what this knows; the message names the bodies, the place, and the tolerance at which
/// they would touch. TS_E_UNSUPPORTED when a corner where bodies touch has more faces than
/// TS_LOCAL_FACES_MAX or needs more runs than TS_RUNS_MAX, or a face is too ragged to cut.
/// TS_E_INPUT for a tolerance out of range.
ts_status ts_derive_truth(ts_scene *scene, double touch_relative);

#endif
