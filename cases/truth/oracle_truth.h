// SPDX-License-Identifier: MIT
/// The truth of motion alone: which motions of each pair that touches are free and which are
/// blocked, found by moving one body of it (geometry/mesh/motion_oracle.h), for scenes whose places
/// and normals are unknown. docs/motion.md describes its accuracy.
#ifndef TS_CASES_ORACLE_TRUTH_H
#define TS_CASES_ORACLE_TRUTH_H

#include "cases/scene/scene.h"
#include "geometry/mesh/motion_oracle.h"

/// A pair that touches, and what the oracle said of the motions that it was asked about: of the
/// first `try_count` twists of the pair's stretch of the sequence (ts_motion_first_twist).
typedef struct ts_oracle_pair {
  int32_t body_a, body_b; ///< body_a < body_b
  ts_vec3 centre;         ///< of the twists: in the frame of a, in lengths of the twist frame
  size_t try_count;
  const uint8_t *answers;                      ///< [try_count] ts_motion
  size_t free_count, blocked_count, tet_pairs; ///< tet_pairs: that a motion can bring together
  /// How far it was moved, in lengths of the frame: TS_ORACLE_STEP, or less where a tenth of that
  /// said otherwise.
  double step;
  double noise; ///< How far the bodies are off exact touch, in the same unit.
  /// Answers that a tenth of that step contradicts; above 0 where no step that is small enough to
  /// settle it is larger than the noise.
  size_t contradicted_count;
} ts_oracle_pair;

/// Immutable, and shared by all scenes that differ by a scale and a motion.
struct ts_oracle_truth {
  double touch_relative; ///< as requested
  size_t pair_count;
  const ts_oracle_pair *pairs; ///< [pair_count] sorted by (body_a, body_b)
};

/// Most tests of two tets that a scene gets, some seconds of them, as long as that leaves each pair
/// TS_MOTION_PAIR_TWISTS motions.
#define TS_ORACLE_TESTS ((size_t)200000000)

/// Asks the oracle about every pair that touches, as many motions as the measures look at
/// (ts_motion_goes_on), and leaves its answers in the scene, whose truth is otherwise unknown: it
/// has neither regions nor joints then. Bodies touch where their surfaces come within
/// `touch_relative` (above 0 and at most TS_ORACLE_TOUCH_MAX) of the pair size plus the rounding of
/// their poses. Two fixed bodies make no pair. The twists turn about the middle of the box, along
/// the axes of a, round all places where the surfaces touch.
///
/// The shapes are filled as designed, at refinement 0 and without published tets: by the tets that
/// a shape has, else by TetGen.
///
/// Each motion is asked about at a step and at a tenth of it. Where the two say the opposite of any
/// motion of a pair, all of its motions are asked about again with the smaller step, and so on down
/// to TS_ORACLE_STEP_MIN or to the noise of the pair. The scene's truth_note says which answers are
/// in doubt then.
///
/// The cost of each step is bounded by TS_ORACLE_TESTS, shared out over the pairs; where a share
/// does not fill both classes of a pair these are left as they are.
///
/// On failure the scene is as it was. TS_SKIPPED, with the bodies and how deep, when two overlap by
/// more than the tolerance, or are thinner than TS_ORACLE_THICKNESS of the oracle's steps; the
/// shape and the reason when it cannot be filled, TS_SKIPPED when that is because TetGen's helper
/// is not there. TS_E_INPUT for a tolerance out of range.
ts_status ts_oracle_truth_find(ts_scene *scene, double touch_relative);

/// The frame of the twists of a pair where the bodies of `scene` are.
ts_twist_frame ts_oracle_frame(const ts_scene *scene, const ts_oracle_pair *pair);

#endif
