// SPDX-License-Identifier: MIT
/// Two tetrahedra of two posed bodies and the contacts between them, as the kernels of
/// profile=prox2018 see them: in the world, in single precision.
#ifndef TS_METHODS_PROX_PAIR_H
#define TS_METHODS_PROX_PAIR_H

#include "geometry/tolerances.h"
#include "methods/prox2018/real3.h"

#include <stddef.h>
#include <stdint.h>

static const ts_real ts_prox_small = (ts_real)TS_REAL_TOLERANCE(TS_PROX_SMALL);

/// Face i lies opposite node i. Corners of a tet are in any order; normals point out of it.
typedef struct ts_prox_pair {
  ts_real3 corners[2][4];
  ts_real3 normals[2][4]; ///< unit, outward, of face i; the zero vector for a face without area
  uint8_t surface[2];     ///< bit i: face i is on the surface of the body
  ts_real reach_m;        ///< gap up to which contacts are wanted: that of the envelope
} ts_prox_pair;

/// Fills normals from corners.
void ts_prox_pair_set_normals(ts_prox_pair *pair);

/// The largest absolute value of a coordinate.
ts_real ts_prox_pair_reach(const ts_prox_pair *pair);

/// Maximum number of contacts that a kernel gives for one pair: intersection has 16 pairs of faces,
/// with 6 vertices each and 9 pairs of edges that may make two.
enum { TS_PROX_CONTACTS_MAX = 16 * (6 + 2 * 9) };

typedef struct ts_prox_tet_contact {
  ts_real3 point, normal; ///< the normal from a to b
  ts_real gap_m;
} ts_prox_tet_contact;

typedef struct ts_prox_contacts {
  size_t count;
  ts_prox_tet_contact contacts[TS_PROX_CONTACTS_MAX];
} ts_prox_contacts;

/// Adds a contact unless there are TS_PROX_CONTACTS_MAX.
static inline void ts_prox_contacts_push(ts_prox_contacts *out, ts_real3 point, ts_real3 normal,
                                         ts_real gap_m) {
  if (out->count < TS_PROX_CONTACTS_MAX)
    out->contacts[out->count++] = (ts_prox_tet_contact){point, normal, gap_m};
}

/// A method's work on one pair of tets, each with a face on the surface. Pairs that do not overlap
/// may be given.
typedef void (*ts_prox_kernel)(ts_prox_contacts *out, const ts_prox_pair *pair);

#endif
