// SPDX-License-Identifier: MIT
/// Modifiers on the contacts of a file.
#ifndef TS_HARNESS_SCORE_MODIFY_H
#define TS_HARNESS_SCORE_MODIFY_H

#include "harness/score/score_input.h"

/// Modifies canonical sets [count] of the bodies of `scene`, designed and in the envelope of the
/// score, by its chain, and records how long that took and what it changed. Without modifiers it
/// does nothing. Errors of ts_modifier_chain_apply.
ts_status ts_score_modify(ts_record *record, ts_score *score, ts_arena *arena,
                          const ts_scene *scene, ts_contact_set *sets, size_t count);

#endif
