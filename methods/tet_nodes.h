/// The nodes of one tet of a pair inside the other: where the methods on vertices start.
#ifndef TS_METHODS_TET_NODES_H
#define TS_METHODS_TET_NODES_H

#include "methods/tet_pair.h"

/// The nodes of tet `side` as the other tet sees them.
typedef struct ts_tet_nodes {
  double height_m[4][4]; ///< [node][face of the other]: above its plane, positive outside
  unsigned inside;       ///< bit i: node i is in the other tet
} ts_tet_nodes;

/// Fills both sides; out[0] are the nodes of a in b. Returns 0, with the outputs unset, when a face
/// plane has all of the other tet in front of it, so that no node is inside. A tet without volume
/// contains nothing.
///
/// TS_PROFILE_PAPER: closed tets, within TS_TOUCH_RELATIVE of `size_m`. TS_PROFILE_PROX2018: no
/// allowance; whether a node that touches is in or out is up to the rounding of ts_prox_planes.
int ts_tet_nodes_find(ts_tet_nodes out[2], const ts_tet_pair *pair, ts_profile profile,
                      double size_m);

/// Surface face of the tet that contains a node, out of `candidates` (bit f: face f): the one with
/// the least `key_m`. Several that tie, which are those within `tie_m` of the least, go to the face
/// that looks most towards the centre of the other tet, so that neither the order of nodes nor a
/// rigid motion decides. Returns -1 when there is none.
int ts_tet_nodes_choose(const ts_tet_pair *pair, int container, unsigned candidates,
                        const double key_m[4], double tie_m);

/// Adds the contact of a node of tet `side` with a face of the other.
void ts_tet_nodes_push(ts_tet_contacts *out, const ts_tet_pair *pair, int side, int node, int face,
                       double gap_m);

#endif
