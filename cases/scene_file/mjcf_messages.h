// SPDX-License-Identifier: MIT
/// What is said of a model of MuJoCo that was not loaded: the file, why, and what to do.
#ifndef TS_CASES_MJCF_MESSAGES_H
#define TS_CASES_MJCF_MESSAGES_H

#include "cases/scene_file/mjcf_protocol.h"
#include "geometry/mesh/helper_process.h"

/// What was asked of the helper.
typedef struct ts_mjcf_call {
  const char *path, *keyframe;
  const char *program; ///< the helper
  double time_limit_s;
} ts_mjcf_call;

/// The status and the message for a helper that has not answered.
ts_status ts_mjcf_explain_end(const ts_mjcf_call *call, const ts_helper_answer *answer);

/// The same for an answer that is not a model; its text is printable.
ts_status ts_mjcf_explain_outcome(const ts_mjcf_call *call, const ts_mjcf_answer *head);

/// TS_E_UNSUPPORTED: there is no helper.
ts_status ts_mjcf_say_missing(const ts_mjcf_call *call);

/// TS_E_INPUT: over the limits of the protocol.
ts_status ts_mjcf_say_too_large(const ts_mjcf_call *call);

/// TS_E_IO: the helper does not keep to the protocol.
ts_status ts_mjcf_say_strange(const ts_mjcf_call *call);

#endif
