// SPDX-License-Identifier: MIT
#include "harness/relations/relation_compare.h"

#include "base/status.h"
#include "cases/truth/motion_truth.h"
#include "geometry/tolerances.h"
#include "geometry/twist/wrench_distance.h"

#include <math.h>

static const ts_contact_set *find_set(ts_scene_contacts in, int32_t a, int32_t b) {
  for (size_t i = 0; i < in.count; i++)
    if (in.sets[i].body_a == a && in.sets[i].body_b == b)
      return &in.sets[i];
  return NULL;
}

/// The sets of a variant that have contacts, brought back to the scene.
static ts_status bring_back(ts_scene_contacts *out, ts_arena *arena, ts_scene_contacts seen,
                            const ts_variant *variant) {
  *out = (ts_scene_contacts){.sets = ts_arena_array(arena, seen.count, sizeof *out->sets)};
  if (!out->sets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < seen.count; i++) {
    if (seen.sets[i].count == 0)
      continue;
    const ts_contact_set *back = ts_variant_back(arena, variant, &seen.sets[i]);
    if (!back)
      return TS_E_MEMORY;
    out->sets[out->count++] = *back;
  }
  return TS_OK;
}

static ts_status add_pair(ts_relation_difference *out, const ts_scene *scene,
                          const ts_contact_set *before, const ts_contact_set *after) {
  double lost, added;
  // The same for every variant, unless the scene has neither regions nor contacts here.
  const ts_contact_set *of = before->count > 0 ? before : after;
  ts_twist_frame frame =
      ts_motion_frame_or_box(scene, of->body_a, of->body_b,
                             ts_contact_points_box(ts_aabb_empty(), of->contacts, of->count));
  out->pairs++;
  TS_TRY(ts_wrench_distance(&lost, NULL, &frame, before->contacts, before->count, after->contacts,
                            after->count));
  TS_TRY(ts_wrench_distance(&added, NULL, &frame, after->contacts, after->count, before->contacts,
                            before->count));
  if (isnan(lost) || isnan(added))
    return TS_OK;
  double larger = fmax(lost, added);
  out->pairs_measured++;
  out->pairs_differ += larger > TS_RELATION_DISTANCE;
  if (!(larger <= fmax(out->lost_max, out->added_max))) {
    out->worst_a = before->body_a;
    out->worst_b = before->body_b;
  }
  out->lost_max = fmax(out->lost_max, lost);
  out->added_max = fmax(out->added_max, added);
  return TS_OK;
}

ts_status ts_relation_difference_find(ts_relation_difference *out, ts_arena *arena,
                                      const ts_scene *scene, ts_scene_contacts expected,
                                      ts_scene_contacts seen, const ts_variant *variant) {
  ts_scene_contacts back;
  *out = (ts_relation_difference){.lost_max = NAN, .added_max = NAN, .worst_a = -1, .worst_b = -1};
  TS_TRY(bring_back(&back, arena, seen, variant));
  for (size_t i = 0; i < expected.count; i++) {
    const ts_contact_set *before = &expected.sets[i];
    const ts_contact_set none = {.body_a = before->body_a, .body_b = before->body_b};
    const ts_contact_set *after = find_set(back, before->body_a, before->body_b);
    if (before->count > 0 || after)
      TS_TRY(add_pair(out, scene, before, after ? after : &none));
  }
  for (size_t i = 0; i < back.count; i++) {
    const ts_contact_set *after = &back.sets[i];
    const ts_contact_set none = {.body_a = after->body_a, .body_b = after->body_b};
    if (!find_set(expected, after->body_a, after->body_b))
      TS_TRY(add_pair(out, scene, &none, after));
  }
  return TS_OK;
}
