// SPDX-License-Identifier: MIT
/// What semi_local does where bodies overlap and its sites and regions say nothing of it.
#ifndef TS_METHODS_SEMI_PENETRATION_H
#define TS_METHODS_SEMI_PENETRATION_H

#include "methods/semi_local/semi_pair.h"

/// Finds contacts of the pair anew, with another slack.
typedef ts_status (*ts_semi_find)(ts_semi_pair *pair, double slack);

/// To be called when there is no contact, or one that overlaps: follows where the surfaces cut
/// through each other by more than the snap length. When there is no contact at all, looks again
/// with twice the slack, up to three times. Each connected overlap that has no contact in its box
/// still gets one, along the axis by which it is left soonest: of the normals of its patches, of
/// crosses of its ridges, and of the mean normal of the surface in it. A body that is all inside
/// the other has no such axis: TS_E_UNSUPPORTED, with the reason, as whenever bodies overlap and
/// nothing is found.
ts_status ts_semi_find_penetration(ts_semi_pair *pair, ts_semi_find find);

#endif
