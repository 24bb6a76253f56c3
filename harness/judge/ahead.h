// SPDX-License-Identifier: MIT
/// Contacts ahead of a touch, judged by the surfaces of the bodies at their poses: no region says
/// where bodies that are apart are to touch, but how far apart they are can be measured anywhere.
#ifndef TS_HARNESS_AHEAD_H
#define TS_HARNESS_AHEAD_H

#include "cases/scene/scene.h"
#include "geometry/contact_set.h"

/// The surfaces of a scene's shapes, prepared when first asked for: those of the exact solids where
/// shapes are curved, or a plane, and else of their meshes.
typedef struct ts_ahead ts_ahead;

/// How exact a contact has to be.
typedef struct ts_ahead_tolerance {
  double normal;     ///< 1 - cosine of the angle between the normal and the right direction
  double position_m; ///< for its place and its gap
} ts_ahead_tolerance;

/// `*out` and what it prepares later are in the arena; the scene is borrowed.
ts_status ts_ahead_create(ts_ahead **out, ts_arena *arena, const ts_scene *scene);

/// Whether the surfaces of two bodies come within `within_m` of each other. TS_E_MEMORY.
ts_status ts_ahead_are_near(bool *out, ts_ahead *ahead, int32_t body_a, int32_t body_b,
                            double within_m);

/// Distance [m] of a point from the surface of a body; INFINITY when that is above `limit_m`.
/// TS_E_MEMORY.
ts_status ts_ahead_distance(double *out, ts_ahead *ahead, int32_t body, ts_vec3 point,
                            double limit_m);

/// Whether a contact of bodies a and b with a gap above zero says what is so. Its point and its
/// normal place it on a segment as long as the gap that crosses from a to b; it may be anywhere on
/// the segment. The contact is right when one end of the segment is on the surface of a, the other
/// on that of b, both face along it, and one of the ends is, on its surface round about, the point
/// closest to the other: the normal is then the direction between the surfaces there, and the gap
/// their distance. (Elsewhere they may be closer: a tip in a groove has a gap to each wall.)
/// Neither body is in the way between the ends. False when the point or the gap is not finite or
/// the normal has no direction. TS_E_MEMORY. `b_moved`: b is that far from its pose, world [m].
///
/// Cost: a few traversals of each surface's hierarchy, for what is within the gap of the point.
ts_status ts_ahead_is_right(bool *out, ts_ahead *ahead, int32_t body_a, int32_t body_b,
                            ts_vec3 b_moved, const ts_contact *contact,
                            ts_ahead_tolerance tolerance);

/// Whether two edges cross as a contact says, on surfaces that have slid by up to `slide_m` since:
/// within that of its ends an edge of a and one of b are closest to each other along its normal, by
/// its gap. The point of the contact is on a, `b_moved` as above. TS_E_MEMORY.
ts_status ts_ahead_is_crossing(bool *out, ts_ahead *ahead, int32_t body_a, int32_t body_b,
                               ts_vec3 b_moved, const ts_contact *contact,
                               ts_ahead_tolerance tolerance, double slide_m);

#endif
