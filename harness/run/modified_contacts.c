// SPDX-License-Identifier: MIT
#include "harness/run/modified_contacts.h"

#include "base/status.h"
#include "cases/truth/motion_truth.h"
#include "geometry/twist/wrench_distance.h"

#include <math.h>

/// Of a number and a NaN, the NaN.
static double larger(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}

ts_status ts_modified_contacts_measure(ts_record *record, const ts_scene *scene,
                                       const ts_contact_set *before, const ts_contact_set *after,
                                       size_t count) {
  double lost = 0, added = 0;
  for (size_t i = 0; i < count; i++) {
    const ts_contact_set *was = &before[i], *is = &after[i];
    if (was->count == 0)
      continue;
    double lost_here, added_here;
    ts_twist_frame frame =
        ts_motion_frame_or_box(scene, was->body_a, was->body_b,
                               ts_contact_points_box(ts_aabb_empty(), was->contacts, was->count));
    TS_TRY(ts_wrench_distance(&lost_here, NULL, &frame, was->contacts, was->count, is->contacts,
                              is->count));
    TS_TRY(ts_wrench_distance(&added_here, NULL, &frame, is->contacts, is->count, was->contacts,
                              was->count));
    lost = larger(lost, lost_here);
    added = larger(added, added_here);
  }
  record->modify_lost_max = lost;
  record->modify_added_max = added;
  return TS_OK;
}
