// SPDX-License-Identifier: MIT
/// Two tetrahedra of two posed bodies and the contacts between them, as the kernels that follow the
/// paper see them.
#ifndef TS_METHODS_TET_PAIR_H
#define TS_METHODS_TET_PAIR_H

#include "geometry/vec3.h"
#include "methods/method.h"

#include <stdbool.h>

/// Face i lies opposite node i. Corners of a tet are in any order; normals point out of it.
typedef struct ts_tet_pair {
  uint32_t tet[2];       ///< a, b: indices in their meshes
  ts_vec3 corners[2][4]; ///< in one frame
  ts_vec3 normals[2][4]; ///< unit, outward, of face i; the zero vector for a face without area
  uint8_t surface[2];    ///< bit i: face i is on the surface of the body
  double reach_m;        ///< gap up to which contacts are wanted: that of the envelope
} ts_tet_pair;

/// The outward unit normals of the faces of one tet; the zero vector for a face without area.
void ts_tet_set_normals(ts_vec3 out[4], const ts_vec3 corners[4]);

/// Fills normals from corners.
void ts_tet_pair_set_normals(ts_tet_pair *pair);

/// Whether the tets overlap, closed within TS_TOUCH_RELATIVE of `size_m`: where the methods start
/// that have nothing to say about others.
bool ts_tet_pair_overlaps(const ts_tet_pair *pair, double size_m);

/// Maximum number of contacts that a kernel gives for one pair.
enum { TS_TET_CONTACTS_MAX = 128 };

/// What a kernel finds: contacts in the frame of the pair, normal from a to b.
typedef struct ts_tet_contacts {
  size_t count;
  ts_contact contacts[TS_TET_CONTACTS_MAX];
} ts_tet_contacts;

/// A method's work on one pair of tets, each with a face on the surface. `size_m`: the pair size of
/// the bodies, which rounding allowances are relative to. Pairs that do not overlap may be given.
typedef void (*ts_tet_kernel)(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m);

#endif
