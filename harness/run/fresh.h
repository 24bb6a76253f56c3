// SPDX-License-Identifier: MIT
/// A process in which the method has not seen any body: what it answers there does not depend on
/// what it was asked before.
#ifndef TS_HARNESS_FRESH_H
#define TS_HARNESS_FRESH_H

#include "cases/truth/moved_truth.h"
#include "harness/narrow_phase/narrow_phase.h"

typedef struct ts_fresh ts_fresh;

/// Forks a process that waits for questions. `phase` (borrowed) has been created on `built`, the
/// scene as built, and nothing else: so the shapes need to be offset and cut into tets only once.
/// `truth` (borrowed) as for ts_scene_at. TS_E_IO when the system has no process or socket left.
ts_status ts_fresh_start(ts_fresh **out, ts_narrow_phase *phase, const ts_scene *built,
                         const ts_moved_truth *truth);

/// Ends the process. NULL is allowed.
void ts_fresh_destroy(ts_fresh *fresh);

/// What is asked.
typedef struct ts_fresh_question {
  const ts_body *bodies; ///< [body_count] of the scene, where they are now
  uint64_t number;       ///< of the nearby poses (ts_narrow_phase_place)
  bool renews_pairs;     ///< ts_narrow_phase_renew_pairs
} ts_fresh_question;

/// Hash of the contacts (ts_contact_sets_hash) that the method gives there when it is asked for the
/// first time: each question gets a process of its own. TS_E_INPUT with a detail line when the
/// method fails, skips, crashes or exits there, and another one when nothing can be asked there any
/// more, of which the method need not be the cause; TS_E_IO when the system has no process left.
ts_status ts_fresh_ask(uint64_t *out_hash, ts_fresh *fresh, const ts_fresh_question *question);

#endif
