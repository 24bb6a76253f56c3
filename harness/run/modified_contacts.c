// SPDX-License-Identifier: MIT
#include "harness/run/modified_contacts.h"

#include "base/status.h"
#include "cases/truth/motion_truth.h"
#include "geometry/aabb.h"
#include "geometry/twist/wrench_distance.h"

#include <math.h>

/// About the middle of the contacts, where nothing says where the bodies touch.
static ts_twist_frame frame_about(const ts_scene *scene, const ts_contact_set *set) {
  const ts_body *a = &scene->bodies[set->body_a], *b = &scene->bodies[set->body_b];
  double size_m = ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape]);
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < set->count; i++)
    if (ts_vec3_is_finite(set->contacts[i].point))
      box = ts_aabb_add(box, set->contacts[i].point);
  ts_vec3 centre = box.low.x <= box.high.x ? ts_aabb_centre(box) : a->pose.translation;
  return (ts_twist_frame){.axes = a->pose.rotation, .centre = centre, .length_m = 0.5 * size_m};
}

static ts_twist_frame frame_of(const ts_scene *scene, const ts_contact_set *set) {
  size_t count;
  const ts_region *regions = ts_scene_pair_regions(&count, scene, set->body_a, set->body_b);
  return count > 0 ? ts_motion_frame(scene, set->body_a, set->body_b, regions, count)
                   : frame_about(scene, set);
}

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
    ts_twist_frame frame = frame_of(scene, was);
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
