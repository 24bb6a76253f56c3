// SPDX-License-Identifier: MIT
#include "methods/modifiers/contact_cones.h"

#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/pose.h"
#include "geometry/tolerances.h"

#include <math.h>

ts_status ts_contact_cones_create(ts_contact_cones *out, ts_arena *arena, const ts_pair *pair) {
  *out = (ts_contact_cones){.pair = pair};
  TS_TRY(ts_cone_mesh_create(&out->mesh[0], arena, pair->mesh_a));
  return ts_cone_mesh_create(&out->mesh[1], arena, pair->mesh_b);
}

static double reach_of(const ts_pair *pair, const ts_contact *contact) {
  double half_gap_m = isfinite(contact->gap_m) ? 0.5 * fabs(contact->gap_m) : 0;
  double envelope_m = pair->envelope.kind == TS_ENVELOPE_NONE ? 0 : pair->envelope.size_m;
  return TS_SAME_FEATURE_RELATIVE * pair->size_m + 2 * envelope_m + half_gap_m;
}

/// Whether a feature that a contact names is what it pushes on: a face only along its normal. Where
/// triangles intersect, engines name both, whichever side the normal comes from.
static bool is_named(const ts_contact_cones *cones, const ts_contact *contact, ts_feature named,
                     int side) {
  const ts_cone_mesh *mesh = cones->mesh[side];
  ts_pose pose = side == 0 ? cones->pair->pose_a : cones->pair->pose_b;
  if (!ts_cone_mesh_has(mesh, named) || named.kind != TS_FEATURE_FACE)
    return ts_cone_mesh_has(mesh, named);
  const ts_mesh *of = side == 0 ? cones->pair->mesh_a : cones->pair->mesh_b;
  ts_vec3 normal = ts_pose_direction(pose, ts_mesh_face_normal(of, named.index));
  return ts_vec3_dot(normal, ts_contact_outward(contact, side)) >= TS_ALONG_FACE_COSINE;
}

ts_feature ts_contact_cones_feature(const ts_contact_cones *cones, const ts_contact *contact,
                                    int side) {
  ts_pose pose = side == 0 ? cones->pair->pose_a : cones->pair->pose_b;
  ts_feature named = side == 0 ? contact->feature_a : contact->feature_b;
  return is_named(cones, contact, named, side)
             ? named
             : ts_cone_mesh_feature(cones->mesh[side], ts_pose_point_local(pose, contact->point),
                                    reach_of(cones->pair, contact));
}

void ts_contact_cones_find(ts_normal_cone *out, const ts_contact_cones *cones,
                           const ts_contact *contact, int side) {
  ts_pose pose = side == 0 ? cones->pair->pose_a : cones->pair->pose_b;
  ts_normal_cone_find(out, cones->mesh[side], ts_contact_cones_feature(cones, contact, side));
  size_t count = out->part_count > 0 ? out->part_ends[out->part_count - 1] : 0;
  for (size_t i = 0; i < count; i++)
    out->rays[i] = ts_pose_direction(pose, out->rays[i]);
}
