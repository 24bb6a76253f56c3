// SPDX-License-Identifier: MIT
/// The features of both bodies that contacts are at, and the directions in which these can push.
#ifndef TS_METHODS_CONTACT_CONES_H
#define TS_METHODS_CONTACT_CONES_H

#include "methods/modifiers/normal_cone.h"

/// The two meshes of a pair.
typedef struct ts_contact_cones {
  const ts_pair *pair;
  ts_cone_mesh *mesh[2];
} ts_contact_cones;

/// In the arena, as the mesh; `pair` is borrowed.
ts_status ts_contact_cones_create(ts_contact_cones *out, ts_arena *arena, const ts_pair *pair);

/// The normal cone of one body at a contact, world; side 0 is body a. The feature is the one that
/// the contact names, if it is one of the mesh; else the least one at its point: within 1e-6 of the
/// pair's size, twice the envelope and half the gap, where contacts are that name nothing.
void ts_contact_cones_find(ts_normal_cone *out, const ts_contact_cones *cones,
                           const ts_contact *contact, int side);

/// The feature alone.
ts_feature ts_contact_cones_feature(const ts_contact_cones *cones, const ts_contact *contact,
                                    int side);

/// The way a contact pushes out of a body: its normal for side 0, the opposite for side 1.
static inline ts_vec3 ts_contact_outward(const ts_contact *contact, int side) {
  ts_vec3 n = contact->normal;
  return side == 0 ? n : (ts_vec3){-n.x, -n.y, -n.z};
}

#endif
