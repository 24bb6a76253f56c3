// SPDX-License-Identifier: MIT
/// Motions that the contacts of a pair block or free wrongly, each class with one actual motion.
#ifndef TS_HARNESS_MOTION_FAULT_H
#define TS_HARNESS_MOTION_FAULT_H

#include "harness/judge/judge.h"

typedef enum ts_motion_fault_kind {
  TS_MOTION_FREE_BLOCKED,    ///< nothing stops the motion in truth, and a contact does
  TS_MOTION_SLIDING_BLOCKED, ///< the same of a motion along which the bodies slide
  TS_MOTION_STOPPED_FREED    ///< the truth stops it, and no contact does
} ts_motion_fault_kind;

/// Of one class of motions of b against a. The motion is a simple one (along or about an axis, a
/// normal of the truth or one of a contact) where one of them is wrong, else the one of those
/// tried that is wrong by the largest speed.
typedef struct ts_motion_fault {
  ts_motion_fault_kind kind;
  int32_t body_a, body_b;
  size_t wrong_count, tried_count; ///< of the motions of this class in the measure's sequence
  ts_vec3 centre_m;                ///< world; where `velocity_m_s` is
  ts_vec3 velocity_m_s;            ///< of the point of b there, against a
  ts_vec3 angular_rad_s;           ///< of b against a
} ts_motion_fault;

/// The faults of all pairs, of which at least one motion tried is wrong, the one with the largest
/// share of wrong motions first; `*out`
/// [*out_count] is in the arena. The motions are those that the measures of motion try
/// (harness/judge/metrics/motion.c), and cost the same. Pairs whose truth is unknown have none.
/// TS_E_MEMORY.
ts_status ts_motion_faults_find(ts_motion_fault **out, size_t *out_count, ts_arena *arena,
                                const ts_judgement *judgement);

/// "high cannot move along (0, 0, 1) off low, though nothing stops it in truth"; names are those of
/// the bodies. NULL when out of memory.
const char *ts_motion_fault_describe(ts_arena *arena, const ts_motion_fault *fault, const char *a,
                                     const char *b);

#endif
