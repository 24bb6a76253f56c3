// SPDX-License-Identifier: MIT
/// How far the contacts that modifiers have left are from those that they got.
#ifndef TS_HARNESS_MODIFIED_CONTACTS_H
#define TS_HARNESS_MODIFIED_CONTACTS_H

#include "cases/scene/scene.h"
#include "geometry/contact_set.h"
#include "reports/rows/record.h"

/// Sets modify_lost_max and modify_added_max (ts_wrench_distance): the largest over all pairs, of
/// sets `before` and `after` [count], which are of the same pairs. The frame of a pair is that of
/// its motions (ts_motion_frame); where its truth is unknown, about the middle of its contacts. NaN
/// where a pair has alternatives; 0 where there are no contacts. TS_E_MEMORY.
ts_status ts_modified_contacts_measure(ts_record *record, const ts_scene *scene,
                                       const ts_contact_set *before, const ts_contact_set *after,
                                       size_t count);

#endif
